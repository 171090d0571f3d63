"""Corrections of lists: plans, moves, effects, four eyes, writing."""
