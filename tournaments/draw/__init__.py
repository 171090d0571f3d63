"""Draws, Startkarten, seats and their changes, the floor plan of the hall."""
