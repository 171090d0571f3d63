"""The chart of ranks from Serie to Serie (see :mod:`.charts`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from textwrap import wrap

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from tournaments.common.names import shortened
from tournaments.results.queries.charts import NOTHING, coordinate, serie_label, stretched, svg

BUMP_ROW, BUMP_HEAD = 48, 40
_RADIUS = 17
_LEADING = 3
_LETTERS, _LETTERS_ON_PHONES = 34, 16  # of a name, at most in a line
_HALF_A_LINE = 9
_ROWS_ALONE = 4
_TO_TAP = 150  # width of the area around a name


@dataclass(frozen=True, slots=True, kw_only=True)
class BumpLine:
    """The ranks of a player after each Serie; None if there was none."""

    name: str
    ranks: Sequence[int | None]
    link: str = ""  # highlights the line
    is_lit: bool = False

    @property
    def words(self) -> str:
        """The ranks as a sentence."""
        ranks = ", ".join("–" if rank is None else str(rank) for rank in self.ranks)
        return _("{name}: Rang {ranks}").format(name=self.name, ranks=ranks)


def serie_labels(serien: int) -> list[str]:
    """Return the names of the first *serien* Serien."""
    return [_("Serie {number}").format(number=number) for number in range(1, serien + 1)]


def bump(lines: Sequence[BumpLine], columns: Sequence[str], *, title: str) -> SafeString:
    """Return the chart of ranks from Serie to Serie; "" with fewer than two Serien.

    Args:
        lines: to be shown, in the order of the last Serie.
        columns: the names of the Serien, one for each rank of a line.
    """
    if len(columns) < 2 or not lines:
        return NOTHING
    return _draw("bump", lines, _bump_rows(lines), columns, title)


def of_player(number: int, ranks: Sequence[Mapping[int, int]]) -> SafeString:
    """Return the chart of one player's *ranks* after each Serie; "" with fewer than two.

    Args:
        ranks: after each Serie, by start number; the first rank is at the top, the last below.
    """
    own = [each.get(number) for each in ranks]
    if len(own) < 2 or not any(own):
        return NOTHING
    rows = [
        1 + (_ROWS_ALONE - 1) * (rank - 1) / max(len(each) - 1, 1) if rank else 0
        for rank, each in zip(own, ranks, strict=True)
    ]
    title = _("Rang nach jeder Serie")
    line = BumpLine(name=_("Nr. {number}").format(number=number), ranks=own, is_lit=True)
    return _draw("ranks", [line], [rows], serie_labels(len(own)), title)


def _draw(
    ident: str,
    lines: Sequence[BumpLine],
    rows: Sequence[Sequence[float]],
    columns: Sequence[str],
    title: str,
) -> SafeString:
    height = round(BUMP_HEAD + BUMP_ROW * max(max(each) for each in rows)) + 8
    step = 100 / (len(columns) - 1)
    heads = [
        serie_label(column, at + 1, of=len(columns), at=step * at, y=20)
        for at, column in enumerate(columns)
    ]
    drawn = [  # the highlighted one on top, then the leading ones
        (line.is_lit, -at, _bump_line(at, line, step, own, height))
        for at, (line, own) in enumerate(zip(lines, rows, strict=True), start=1)
    ]
    words = "; ".join(line.words for line in lines)
    return svg(ident, height, title, words, *heads, *(each for *_order, each in sorted(drawn)))


def _bump_rows(lines: Sequence[BumpLine]) -> list[list[int]]:
    """Return for each line its row in each column, counted from 1.

    The row is the rank; a line with a shared rank, or a rank beyond the number of lines, gets the
    next free row. In the last column the lines keep their order.
    """
    last = len(lines[0].ranks) - 1
    rows = [[0] * (last + 1) for _line in lines]
    for column in range(last + 1):
        ranks = [line.ranks[column] for line in lines]
        before = 0
        reached = [(rank, at) for at, rank in enumerate(ranks) if rank is not None]
        for rank, at in sorted(reached):
            before = max(min(rank, len(lines) + 1), before + 1)
            rows[at][column] = before
    for at, row in enumerate(rows, start=1):
        row[last] = at
    return rows


def _bump_line(
    place: int, line: BumpLine, step: float, rows: Sequence[float], height: int
) -> SafeString:
    spots = [
        (step * at, BUMP_HEAD + BUMP_ROW * (row - 0.5), rank)
        for at, (row, rank) in enumerate(zip(rows, line.ranks, strict=True))
        if rank is not None
    ]
    curves = [
        "M{0} {1}C{2} {1} {2} {4} {3} {4}".format(*map(coordinate, (x1, y1, (x1 + x2) / 2, x2, y2)))
        for (x1, y1, _r1), (x2, y2, _r2) in pairwise(spots)
    ]
    dots = format_html_join(
        "",
        '<circle cx="{0}%" cy="{1}" r="{2}"/><text class="middle" x="{0}%" y="{3}">{4}</text>',
        ((coordinate(x), coordinate(y), _RADIUS, coordinate(y + 6), rank) for x, y, rank in spots),
    )
    kind = f"bump-{place}" if place <= _LEADING else "bump-following"
    return format_html(
        '<g class="{}{}"><title>{}</title>{}{}{}</g>',
        kind,
        " is-lit" if line.is_lit else "",
        line.words,
        stretched(height, format_html('<path d="{}"/>', "".join(curves))),
        dots,
        _name(line, spots[-1][1] + 6),
    )


def _name(line: BumpLine, y: float) -> SafeString:
    """Return the name beside the last rank: on phones with an initial, and on two lines if long."""
    name = shortened(line.name, _LETTERS_ON_PHONES)
    short = wrap(name, _LETTERS_ON_PHONES, max_lines=2, placeholder="…")
    lines = [(Truncator(line.name).chars(_LETTERS), "when-wide", 0)]
    lines += [
        (part, "when-narrow", _HALF_A_LINE * (2 * at - len(short) + 1))
        for at, part in enumerate(short)
    ]
    text = format_html_join(
        "",
        '<text class="bump-name {1}" x="100%" dx="{3}" y="{2}">{0}</text>',
        ((part, css, coordinate(y + down), _RADIUS + 9) for part, css, down in lines),
    )
    if not line.link:
        return text
    return format_html(
        '<a href="{}"><rect x="100%" y="{}" width="{}" height="{}"/>{}</a>',
        line.link,
        coordinate(y - BUMP_ROW / 2 - 6),
        _TO_TAP,
        BUMP_ROW,
        text,
    )
