"""The trial run: a small tournament of made-up persons, with the next step in a side panel."""
