"""Draws, Startkarten, seats and their changes, the plan of the hall."""
