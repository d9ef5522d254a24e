"""The set-up of two runs of one game that are compared game by game, on the same dice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self

from experiments.config import Setup
from experiments.worlds import World

Slice = tuple[int, str]
"""A point and a variant."""


@dataclass(frozen=True)
class Both(Setup):
    """The set-up of a run, `partner` and its `slices` (ours -> theirs): its games are played in the partner's worlds,
    and compared with those in its own.
    """

    partner: Setup = field(kw_only=True, repr=False, compare=False)
    slices: Mapping[Slice, Slice] = field(kw_only=True, repr=False, compare=False)

    @classmethod
    def of_two(cls, ours: Setup, partner: Setup, slices: Mapping[Slice, Slice], **changes: Any) -> Self:
        """Make one from two set-ups, with changes of fields of ours."""
        own = {one.name: getattr(ours, one.name) for one in fields(Setup)}
        return cls(**own | changes, partner=partner, slices=slices)

    def paired(self, point: int, variant: str = "") -> bool:
        """Always: that is what it is for."""
        return True

    def base(self, point: int, variant: str = "") -> World | None:
        """The run's own world."""
        return super().world(point, variant)

    def world(self, point: int, variant: str = "") -> World:
        """The partner's world."""
        return self.partner.world(*self.slices[point, variant])
