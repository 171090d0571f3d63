"""Checking lists, Strafpunkte and exclusions."""
