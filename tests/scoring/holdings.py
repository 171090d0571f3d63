"""Hands for Hypothesis: few cards of few values, so that every deal can be tried."""

from __future__ import annotations

from hypothesis import strategies as st

from scoring.hands import Holding


def holdings(*, most_players: int) -> st.SearchStrategy[Holding]:
    """What two to *most_players* hands can hold: up to three values, one to three cards of each."""
    return st.builds(
        lambda cards, fewest, more, players: Holding(
            cards=cards,
            fewest=fewest,
            most=fewest + more,
            usual=fewest + more,
            players=players,
            nobody_laid_out=fewest > 1,
        ),
        st.dictionaries(st.integers(1, 6), st.integers(1, 3), min_size=1, max_size=3).map(
            lambda counted: tuple(sorted(counted.items()))
        ),
        st.integers(1, 2),
        st.integers(0, 3),
        st.integers(2, most_players),
    )
