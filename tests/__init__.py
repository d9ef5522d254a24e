"""The tests of Wastelab. Hypothesis takes the same examples each time, and lets a call compile in peace."""

from hypothesis import settings

settings.register_profile("wastelab", deadline=None, derandomize=True)
settings.load_profile("wastelab")
