"""The bounds and types of the numbers that an organiser may set in a rule set."""

from __future__ import annotations

from typing import Annotated

from scoring.reading.records import Text, WholeNumber

# The bounds refuse typing errors and keep the counting of hands fast; no known rule comes close.
TABLE_SIZES = range(2, 9)
MOST_SERIEN = 20
MOST_GAMES = 60
MOST_CARD_POINTS = 100
MOST_DEALT = 30
MOST_POINTS = 1000  # of a bonus, a surcharge or a grant
MOST_HELD = 200  # points in the hand of a finisher
MOST_EXTRA_CARDS = 30
MOST_PENALTY = 10_000
LONGEST_NAME = 80
LONGEST_TEXT = 200
Players = Annotated[int, WholeNumber(TABLE_SIZES[0], TABLE_SIZES[-1])]
Games = Annotated[int, WholeNumber(1, MOST_GAMES)]
Points = Annotated[int, WholeNumber(0, MOST_POINTS)]
ExtraCards = Annotated[int, WholeNumber(0, MOST_EXTRA_CARDS)]
Held = Annotated[int, WholeNumber(0, MOST_HELD)]
Name = Annotated[str, Text(LONGEST_NAME)]
Sentence = Annotated[str, Text(LONGEST_TEXT)]
Melds = tuple[Annotated[int, WholeNumber(2, MOST_DEALT)], ...]
