"""Seasons: several tournaments ranked together."""
