"""Corrections: plan, moves, writing, effects, four eyes."""
