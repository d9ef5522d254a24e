"""The compiled core: rules of wasteland board games as kernels over arrays."""

from pathlib import Path

from simcore import loaded

loaded.remember(Path(__file__).parent)
