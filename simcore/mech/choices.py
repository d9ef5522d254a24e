"""A decision: options are laid out with what they are worth, and a crew member's bot picks one."""

from __future__ import annotations

from simcore.bots import choose, choose_evenly
from simcore.kernels import kernel
from simcore.streams import word


@kernel
def decide(s, t, stream, c, moment):  # type: ignore[no-untyped-def]
    """Let a crew member's bot pick one of the options laid out; a single option is no decision."""
    if s.options == 1:
        return s.option[0]
    key = word(s.key[1], s.turn * 4096 + moment)
    if s.crew[c].weighs == 0:
        return choose_evenly(stream, s.option, s.options, key)
    return choose(stream, s.option, s.value, s.options, t.bot[s.crew[c].bot].temperature, key)
