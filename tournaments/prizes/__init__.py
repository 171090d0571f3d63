"""Prizes: what there is to win, and what was given out."""
