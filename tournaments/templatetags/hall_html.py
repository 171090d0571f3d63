"""The tables of a hall, hundreds on a page that is made anew after every change.

Written in Python, because a template is too slow for them.
"""

from __future__ import annotations

from html import escape

from django import template
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from tournaments.common.formats import ago
from tournaments.hall.queries.control import TableCard
from tournaments.hall.queries.room import ControlRoom

register = template.Library()


@register.simple_tag
def hall_tables(room: ControlRoom) -> SafeString:
    """Return one list item for each table, which leads to it, and for each gap in the hall."""
    serie = room.serie
    page = reverse("hall:table", args=[serie.tournament.slug, serie.number, 0])
    begin, _number, end = page.rpartition("0")
    table, games, away = escape(_("Tisch")), escape(_("Spiele")), escape(_("Gerät weg"))

    def drawn(card: TableCard | None) -> str:
        if card is None:
            return '<li class="floor-gap" aria-hidden="true"></li>\n'
        number, row = card.number, card.row
        state = escape(card.state) or _ago(card)
        notes = " ".join(f"· {escape(note)}" for note in card.notes)
        return (
            f'<li> <a class="hall-table {card.tone}" id="table-{number}" '
            f'href="{begin}{number}{end}"> '
            f'<span class="hall-number"> <span class="visually-hidden">{table} </span>{number} '
            f'</span> <span class="hall-count"> {row.games}<span class="soft">/{row.games_wanted}'
            f'</span> <span class="visually-hidden"> {games}</span> </span> '
            f'<progress max="{row.games_wanted}" value="{row.games}" aria-hidden="true"></progress>'
            f' <span class="hall-state"> {state} {f"· {away}" if card.is_away else ""} {notes} '
            "</span> </a></li>\n"
        )

    return mark_safe("".join(drawn(card) for row in room.hall.rows for card in row))  # noqa: S308 - what people wrote is escaped


def _ago(card: TableCard) -> str:
    at = card.spielliste.last_entry_at
    if at is None:
        return ""
    then = timezone.localtime(at).isoformat()
    return f'<time datetime="{then}" data-ago>{escape(ago(at))}</time>'
