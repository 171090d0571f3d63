"""The chart of ranks from Serie to Serie (see :mod:`.charts`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from tournaments.results.queries.charts import (
    NOTHING,
    ROOM_FOR_A_NAME,
    WIDE,
    Shape,
    coordinate,
    svg,
)

BUMP_ROW, BUMP_HEAD = 44, 44
_LEFT = 32  # half of „Serie 1“ has to go there
_LEADING = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class BumpLine:
    """The ranks of a player or team after each Serie; None if there was none."""

    name: str
    ranks: tuple[int | None, ...]


def bump(
    lines: Sequence[BumpLine], columns: Sequence[str], *, title: str, shape: Shape = WIDE
) -> SafeString:
    """Return the chart of ranks from Serie to Serie; "" with fewer than two Serien.

    Args:
        lines: to be shown, in the order of the last Serie.
        columns: the names of the Serien, one for each rank of a line.
        title: of the chart.
        shape: wide or narrow; a narrow one shortens long names.
    """
    if len(columns) < 2 or not lines:
        return NOTHING
    rows = _bump_rows(lines)
    height = BUMP_HEAD + BUMP_ROW * max(max(each) for each in rows) + 16
    step = (shape.width - _LEFT - shape.names) / (len(columns) - 1)
    heads = format_html_join(
        "",
        '<text class="chart-label middle" x="{}" y="20">{}</text>',
        (
            (coordinate(_LEFT + step * at), column if step >= ROOM_FOR_A_NAME else at + 1)
            for at, column in enumerate(columns)
        ),
    )
    drawn = [
        _bump_line(at, line, step, own, shape)
        for at, (line, own) in enumerate(zip(lines, rows, strict=True))
    ]
    words = "; ".join(
        _("{name}: Rang {ranks}").format(
            name=line.name, ranks=", ".join("–" if one is None else str(one) for one in line.ranks)
        )
        for line in lines
    )
    return svg(
        "bump",
        shape,
        height,
        title,
        words,
        heads,
        *reversed(drawn),  # the leading ones on top
    )


def _bump_rows(lines: Sequence[BumpLine]) -> list[list[int]]:
    """Return for each line its row in each column, counted from 1.

    That is its rank; a line with a shared rank, or a rank beyond the number of lines, gets the
    next free row. In the last column the lines are in their order.
    """
    last = len(lines[0].ranks) - 1
    rows = [[0] * (last + 1) for _line in lines]
    for column in range(last + 1):
        ranks = [line.ranks[column] for line in lines]
        before = 0
        there = [(rank, at) for at, rank in enumerate(ranks) if rank is not None]
        for rank, at in sorted(there):
            before = max(min(rank, len(lines) + 1), before + 1)
            rows[at][column] = before
    for at, row in enumerate(rows, start=1):
        row[last] = at
    return rows


def _bump_line(
    at: int, line: BumpLine, step: float, rows: Sequence[int], shape: Shape
) -> SafeString:
    spots = [
        (_LEFT + step * column, BUMP_HEAD + BUMP_ROW * (row - 0.5), rank)
        for column, (row, rank) in enumerate(zip(rows, line.ranks, strict=True))
        if rank is not None
    ]
    strokes = format_html_join(
        "",
        '<path d="M{} {}C{} {} {} {} {} {}"/>',
        (
            (
                coordinate(x1),
                coordinate(y1),
                coordinate((x1 + x2) / 2),
                coordinate(y1),
                coordinate((x1 + x2) / 2),
                coordinate(y2),
                coordinate(x2),
                coordinate(y2),
            )
            for (x1, y1, _r1), (x2, y2, _r2) in pairwise(spots)
        ),
    )
    dots = format_html_join(
        "",
        '<circle cx="{}" cy="{}" r="{}"/><text class="middle" x="{}" y="{}">{}</text>',
        (
            (coordinate(x), coordinate(y), shape.ring, coordinate(x), coordinate(y + 6), rank)
            for x, y, rank in spots
        ),
    )
    name = format_html(
        '<text class="bump-name" x="{}" y="{}">{}</text>',
        shape.width - shape.names + shape.ring + 8,
        coordinate(BUMP_HEAD + BUMP_ROW * (at + 0.5) + 6),
        Truncator(line.name).chars(shape.letters),
    )
    kind = "leading" if at < _LEADING else "following"
    return format_html('<g class="bump-{}">{}{}{}</g>', kind, strokes, dots, name)
