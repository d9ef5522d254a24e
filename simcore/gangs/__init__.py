"""Marauders of the Great Wastelands."""
