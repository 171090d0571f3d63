"""Lines of rankings, a thousand on a page that is rendered after every game.

They are made in Python, because a template is too slow.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from tournaments.common.formats import points
from tournaments.models import Tournament
from tournaments.people.queries.naming import distinguish_names
from tournaments.results.queries.charts import bars
from tournaments.results.queries.tables import Cell, RankedLine, RankingTable, ShownLine

register = template.Library()
LEADING = 3  # ranks that are highlighted


@register.simple_tag
def ranking_lines(
    rows: Iterable[ShownLine], table: RankingTable, linked_to: Tournament | None = None
) -> SafeString:
    """Return the lines of the table in ``_ranking.html``.

    Rank, move, name and distance to the first are separate lines of the text, because open pages
    receive only changed lines.

    Args:
        rows: the lines.
        table: their ranking.
        linked_to: the tournament to whose pages of players and teams the names link, if any.
    """
    has_augen = table.order.most_first
    total_label = _("Wertpunkte") if has_augen else _("Punkte")
    labels = (_("Rang"), _("Spiele"), _("Handrommés"), _("Vergleich"), total_label, _("Abstand"))
    rank, games, hand, compared, total, gap = map(escape, labels)
    augen = escape(_("Augen"))
    not_counted = _("zählt nicht:") + " "
    forwards, back = escape(_("nach vorn")), escape(_("nach hinten"))
    has_series = not table.ranking.serie
    player = _beside_number("results:player", linked_to)
    team = _beside_number("results:team", linked_to)

    def moved(line: RankedLine) -> str:
        if line.moved > 0:
            css, arrow, number, word = ' class="up"', "▲", line.moved, forwards
        elif line.lost:
            css, arrow, number, word = "", "▼", line.lost, back
        else:
            return '<td class="moved"> </td>'
        return (
            f'<td class="moved"> <span{css} title="{word}"><span aria-hidden="true">{arrow}</span> '
            f'{number} <span class="visually-hidden">{word}</span></span> </td>'
        )

    def drawn(row: ShownLine, behind: int | None, bar: str) -> str:
        line, standing = row.line, row.line.standing
        has_result = line.has_result
        has_place = line.has_place
        css = ("leading" if standing.rank <= LEADING else "") if has_place else "without-result"
        name = escape(row.name)
        if linked_to is not None:
            begin, end = team if line.team else player
            number = line.team.pk if line.team else standing.number
            name = f'<a href="{begin}{number}{end}">{name}</a>'
        return (
            f'<tr class="{css}"> <td class="num rank" data-label="{rank}"> '
            f"{f'{standing.rank}.' if has_place else '–'} </td>\n"
            f"{moved(line) if table.moved_since else ''}\n"
            f'<th scope="row"> {name} {_span("beside", row.beside)} '
            f"{_span('decided', line.decided)} "
            f"{_span('beside struck-serien', line.struck and not_counted + line.struck)} </th> "
            f"{' '.join(map(_cell, line.cells)) if has_series else ''} "
            f'<td class="num detail" data-label="{games}">{standing.games_won}</td> '
            f'<td class="num detail" data-label="{hand}">{standing.handromme}</td> '
            + (
                f'<td class="num" data-label="{compared}"> '
                f"{points(line.compared) if has_result else ''} </td> "
                if table.compares
                else ""
            )
            + (
                f'<td class="num detail" data-label="{augen}"> '
                f"{points(standing.augen) if has_result else ''} </td> "
                if has_augen
                else ""
            )
            + f'<td class="num total" data-label="{total}"> '
            f"{points(standing.total) if has_result else '–'} "
            f"{_span('cell-note', line.so_far or ('' if has_series else line.scaled))} </td>\n"
            f'<td class="num gap" data-label="{gap}"> '
            f"{f'{bar} {points(behind)}' if behind else ''} </td> </tr>\n"
        )

    gaps = table.gaps
    drawn_gaps = bars([gap or 0 for gap in gaps])
    return mark_safe("".join(map(drawn, rows, gaps, drawn_gaps)))  # noqa: S308 - what people wrote is escaped


def _beside_number(page: str, tournament: Tournament | None) -> tuple[str, str]:
    """Return the parts before and after the number in a page's address."""
    if tournament is None:
        return "", ""
    begin, _number, end = reverse(page, args=[tournament.slug, 0]).rpartition("0")
    return begin, end


def _span(css: str, text: str) -> str:
    return f'<span class="{css}">{escape(text)}</span>' if text else ""


def _cell(cell: Cell) -> str:
    text = points(cell.points)
    if cell.is_struck:
        hidden = _span("visually-hidden", _("zählt nicht:"))
        text = f"<del>{hidden} {text}</del>"
    return (
        f'<td class="num detail" data-label="{escape(cell.label)}"> <span> {text} '
        f"{_span('cell-note', cell.note)} </span> </td>"
    )


@register.simple_tag
def wall_ranking(rows: Iterable[ShownLine]) -> SafeString:
    """Return the lines of a ranking for a beamer: all entries with a place."""
    rows = [row for row in rows if row.line.has_place]
    players = [
        (row.name, registration)
        for row in rows
        if (registration := row.line.registration) is not None
    ]
    names = distinguish_names(players) if len(players) == len(rows) else [row.name for row in rows]
    drawn = [
        f'<li class="screen-name" data-name="{line.standing.rank}"> '
        f'<strong class="wall-rank">{line.standing.rank}</strong> '
        f'<span class="screen-who">{escape(name)}</span> '
        f"{_span('wall-so-far', line.so_far)} "
        f"<strong>{points(line.standing.total)}</strong> </li>\n"
        for line, name in zip((row.line for row in rows), names, strict=True)
    ]
    return mark_safe("".join(drawn))  # noqa: S308 - what people wrote is escaped
