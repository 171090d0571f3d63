"""Reading a contract from text, as shown on pages and documents, and in similar words.

German and English words are read in both languages of the page.
"""

from __future__ import annotations

import re

from scoring.ruleset import MOST_DEALT, Contract

_MELD = re.compile(
    r"(?P<number>\d{1,3}) ?(?P<what>satz|sätze|gruppen?|buch|bücher|sets?|groups?|books?"
    r"|folgen?|lauf|läufe|runs?) (?:zu|mit|von|of) (?P<size>\d{1,3})(?: karten| cards)?"
)
_PAIRS = re.compile(r"(?P<number>\d{1,3}) ?(?:paare?|pairs?)")
_PARTS = re.compile(r"[,;·+]| und | and ")
_NO_DISCARD = frozenset(
    {"ohne abwerfen", "ohne abwurf", "ohne ablegen", "ohne ablage", "without a discard"}
)
_RUNS = ("folge", "lauf", "läufe", "run")


def contract_in(text: str) -> Contract | None:
    """Return the contract described by *text*; None if it cannot be read.

    >>> contract_in("2 Sätze zu 3, 1 Folge zu 4 und 1 Paar, ohne Abwerfen").cards
    12
    >>> contract_in("drei Asse")
    """
    groups: list[int] = []
    runs: list[int] = []
    pairs, discard = 0, True
    for part in _PARTS.split(" ".join(text.lower().split())):
        words = part.strip()
        if words in _NO_DISCARD:
            discard = False
        elif found := _PAIRS.fullmatch(words):
            pairs += int(found["number"])
        elif found := _MELD.fullmatch(words):
            melds = runs if found["what"].startswith(_RUNS) else groups
            melds += [int(found["size"])] * min(int(found["number"]), MOST_DEALT)
        else:
            return None
    return Contract(groups=tuple(groups), runs=tuple(runs), pairs=pairs, discard=discard)
