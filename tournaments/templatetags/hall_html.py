"""The tables of a hall, hundreds on a page that is rendered again after every change."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from tournaments.common.formats import ago
from tournaments.hall.queries.control import TableCard
from tournaments.hall.queries.room import ControlRoom

register = template.Library()
TEMPLATE = "tournaments/hall/_table_card.html"
CARDS_KEPT = 4_000  # the last few states of a thousand tables


@register.simple_tag
def hall_tables(room: ControlRoom) -> SafeString:
    """Return one list item for each table, which leads to it, and for each gap in the hall."""
    serie, language = room.serie, get_language()
    where = {"slug": serie.tournament.slug, "serie": serie.number, "language": language}
    cards = (card for row in room.hall.rows for card in row)
    return mark_safe("".join(_item(**where, **_shown(card)) for card in cards))  # noqa: S308 - of a template


@lru_cache(maxsize=CARDS_KEPT)
def _item(**shown: Any) -> str:
    """Return an item; cached by all that it shows, as a change concerns one table of hundreds."""
    # A line each: the indentation would be a fifth of the page.
    return re.sub(r"\s*\n\s*", " ", render_to_string(TEMPLATE, shown)) + "\n"


def _shown(card: TableCard | None) -> dict[str, Any]:
    if card is None:
        return {}
    state, at = card.state, card.spielliste.last_entry_at
    return {
        "number": card.number,
        "tone": card.tone,
        "games": card.row.games,
        "games_wanted": card.row.games_wanted,
        "state": state or (at and ago(at)),
        "last_entry_at": None if state else at,
        "is_away": card.is_away,
        "notes": tuple(card.notes),
    }
