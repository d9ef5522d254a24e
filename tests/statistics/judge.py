"""How the statistical tests judge: a false alarm has a chance of at most ALPHA, and seeds are fixed."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

ALPHA = 1e-6


def fits(counts: Any, chances: Any, least: float = 5) -> bool:
    """Whether counts agree with chances by a chi-square test at ALPHA.

    Cells that expect fewer than `least` are taken together. A count where nothing is possible never fits; a single
    cell always does.
    """
    counts, expected = np.ravel(counts).astype(float), np.ravel(chances) * np.sum(counts)
    if (counts[expected == 0] > 0).any():
        return False
    rare = expected < least
    counts = np.append(counts[~rare], counts[rare].sum())
    expected = np.append(expected[~rare], expected[rare].sum())
    if expected[-1] < least:
        counts[-2], expected[-2] = counts[-2:].sum(), expected[-2:].sum()
        counts, expected = counts[:-1], expected[:-1]
    if len(counts) == 1:
        return True
    return bool(stats.chi2.sf(((counts - expected) ** 2 / expected).sum(), len(counts) - 1) > ALPHA)
