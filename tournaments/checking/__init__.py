"""Checking lists, Strafpunkte, exclusions."""
