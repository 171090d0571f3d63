"""The trial run: a small tournament of made-up persons, in which the margin has the next step."""
