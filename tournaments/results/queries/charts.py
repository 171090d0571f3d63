"""Charts as SVG, made by the server: no script draws them, and they print like the page.

Colours come from the style sheet (``static/css/results.css``), by class. A chart names
itself in its ``title`` and tells what it shows in its ``desc``; a page that has one has
the same numbers as a table too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from tournaments.common.formats import points as signed
from tournaments.results.queries.player_results import PlayedList

NOTHING = SafeString("")

# --- The course of a player over the games ------------------------------------------------

WIDTH, HEIGHT = 960, 340
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 44, 40
_MOST_STEPS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseGame:
    """One game of somebody's course."""

    number: int
    running: int  # points so far, all Serien before included
    finished: bool = False
    handromme: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseSerie:
    """One Serie of somebody's course."""

    label: str
    games: tuple[CourseGame, ...]
    total: int | None  # points after it with bonus and Strafpunkte; None: it still runs


def course(serien: Sequence[CourseSerie], *, title: str, ident: str = "course") -> SafeString:
    """Return how somebody's points went over the games; nothing without a game.

    Each game is a point, with a ring where the player finished it, as in the Spielliste;
    the last point of a Serie has its bonus taken off.

    Args:
        serien: in order; points run on from one to the next.
        title: what the chart is called, with whose course it is.
        ident: keeps the ids of several charts on a page apart.
    """
    marks = list(_course_marks(serien))
    if not marks:
        return NOTHING
    values = [0, *(mark.value for mark in marks)]
    scale = _Scale.over(min(values), max(values))
    step = (WIDTH - LEFT - RIGHT) / max(len(marks), 1)
    spots: list[tuple[float, float]] = [(LEFT, scale.y(0))]
    spots += [(LEFT + step * at, scale.y(mark.value)) for at, mark in enumerate(marks, start=1)]
    return _svg(
        ident,
        "chart course",
        (WIDTH, HEIGHT),
        title,
        _course_words(serien),
        _grid(scale),
        _course_serien(serien, step),
        format_html('<polyline class="chart-line" points="{}"/>', _points(spots)),
        SafeString("".join(_course_dots(marks, spots[1:]))),
    )


def course_of(lists: Iterable[PlayedList]) -> list[CourseSerie]:
    """Return the course that somebody's lists make; an invalid one adds nothing."""
    found = []
    before = 0
    for one in lists:
        if one.is_invalid or not one.games:
            continue
        running, games = before, []
        for number, cell in one.own_games:
            running += cell.count.minus + cell.count.adjustment
            games.append(
                CourseGame(
                    number=number,
                    running=running,
                    finished=cell.count.finished,
                    handromme=cell.count.handromme,
                )
            )
        total = None if one.is_open else before + one.mine.total
        found.append(
            CourseSerie(
                label=_("Serie {number}").format(number=one.data.serie),
                games=tuple(games),
                total=total,
            )
        )
        before = running if total is None else total
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mark:
    value: int
    what: str  # of the tooltip
    kind: str  # "", "finished", "handromme" or "total"


def _course_marks(serien: Sequence[CourseSerie]) -> Iterator[_Mark]:
    for serie in serien:
        for game in serie.games:
            kind = "finished" if game.finished else ""
            yield _Mark(
                value=game.running,
                kind="handromme" if game.handromme else kind,
                what=_("{serie}, Spiel {game}: {points}").format(
                    serie=serie.label, game=game.number, points=signed(game.running)
                ),
            )
        if serie.total is not None:
            yield _Mark(
                value=serie.total,
                kind="total",
                what=_("nach {serie}: {points}").format(
                    serie=serie.label, points=signed(serie.total)
                ),
            )


def _course_words(serien: Sequence[CourseSerie]) -> str:
    after = [
        _("nach {serie} {points}").format(serie=serie.label, points=signed(serie.total))
        for serie in serien
        if serie.total is not None
    ]
    finished = sum(game.finished for serie in serien for game in serie.games)
    words = _("Punkte nach jedem Spiel; {finished} Spiele beendet.").format(finished=finished)
    return f"{words} {', '.join(after)}." if after else words


def _course_serien(serien: Sequence[CourseSerie], step: float) -> SafeString:
    """Return the names of the Serien and the lines between them."""
    parts = []
    at = float(LEFT)
    for serie in serien:
        width = step * (len(serie.games) + (serie.total is not None))
        if not width:
            continue
        label = format_html(
            '<text class="chart-label" x="{}" y="{}">{}</text>', _n(at + 6), TOP - 20, serie.label
        )
        rule = format_html(
            '<line class="chart-rule" x1="{x}" x2="{x}" y1="{top}" y2="{bottom}"/>',
            x=_n(at),
            top=TOP - 34,
            bottom=HEIGHT - BOTTOM,
        )
        parts += [rule, label]
        at += width
    return SafeString("".join(parts))


# By the kind of mark: its class, and how large it is.
_DOTS = {
    "": ("chart-dot", 4),
    "finished": ("chart-ring", 7),
    "handromme": ("chart-ring", 7),
    "total": ("chart-total", 8),
}


def _course_dots(
    marks: Sequence[_Mark], spots: Sequence[tuple[float, float]]
) -> Iterator[SafeString]:
    for mark, (x, y) in zip(marks, spots, strict=True):
        css, radius = _DOTS[mark.kind]
        yield format_html(
            '<circle class="{}" cx="{}" cy="{}" r="{}"><title>{}</title></circle>',
            css,
            _n(x),
            _n(y),
            radius,
            mark.what,
        )
        if mark.kind == "total":
            value = signed(mark.value)
            yield format_html(
                '<text class="chart-value" x="{}" y="{}">{}</text>', _n(x), _n(y + 28), value
            )
        elif mark.kind == "handromme":
            yield format_html('<text class="chart-mark" x="{}" y="{}">H</text>', _n(x), _n(y - 13))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scale:
    """Where values stand between the top and the bottom; more points are higher."""

    low: int
    high: int
    step: int

    @classmethod
    def over(cls, lowest: int, highest: int) -> _Scale:
        """Return a scale whose lines are at round numbers.

        >>> _Scale.over(-40, 312)
        _Scale(low=-100, high=400, step=100)
        """
        span = max(highest - lowest, 1)
        sizes = [size * 10**power for power in range(5) for size in (1, 2, 5)]
        step = next(size for size in sizes if span / size <= _MOST_STEPS - 1 or size == sizes[-1])
        return cls(low=lowest // step * step, high=-(-highest // step) * step or step, step=step)

    def y(self, value: int) -> float:
        """Return how far down *value* stands."""
        room = HEIGHT - TOP - BOTTOM
        return TOP + room * (self.high - value) / max(self.high - self.low, 1)


def _grid(scale: _Scale) -> SafeString:
    lines = (
        (_n(scale.y(value)), _n(scale.y(value) + 6), signed(value), "zero" if not value else "line")
        for value in range(scale.low, scale.high + 1, scale.step)
    )
    return SafeString(
        "".join(
            format_html(
                '<line class="chart-grid-{}" x1="{}" x2="{}" y1="{}" y2="{}"/>'
                '<text class="chart-axis" x="{}" y="{}">{}</text>',
                kind,
                LEFT,
                WIDTH - RIGHT,
                y,
                y,
                LEFT - 10,
                text_y,
                label,
            )
            for y, text_y, label, kind in lines
        )
    )


# --- The course of the ranking over the Serien ------------------------------------------------

BUMP_WIDTH, BUMP_ROW, BUMP_HEAD = 960, 44, 44
BUMP_LEFT, BUMP_NAMES = 40, 300
_LEADING = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class BumpLine:
    """Somebody's ranks after each Serie; None where there was none."""

    name: str
    ranks: tuple[int | None, ...]


def bump(lines: Sequence[BumpLine], columns: Sequence[str], *, title: str) -> SafeString:
    """Return how the places changed from Serie to Serie; nothing before there are two.

    Args:
        lines: those to be shown, best at the end first.
        columns: the names of the Serien, one for each rank of a line.
        title: what the chart is called.
    """
    if len(columns) < 2 or not lines:
        return NOTHING
    rows = _bump_rows(lines)
    height = BUMP_HEAD + BUMP_ROW * max(max(each) for each in rows) + 16
    step = (BUMP_WIDTH - BUMP_LEFT - BUMP_NAMES) / (len(columns) - 1)
    heads = format_html_join(
        "",
        '<text class="chart-label middle" x="{}" y="20">{}</text>',
        ((_n(BUMP_LEFT + step * at), column) for at, column in enumerate(columns)),
    )
    drawn = [
        _bump_line(at, line, step, own)
        for at, (line, own) in enumerate(zip(lines, rows, strict=True))
    ]
    words = "; ".join(
        _("{name}: Platz {ranks}").format(
            name=line.name, ranks=", ".join("–" if one is None else str(one) for one in line.ranks)
        )
        for line in lines
    )
    return _svg(
        "bump",
        "chart bump",
        (BUMP_WIDTH, height),
        title,
        words,
        heads,
        *reversed(drawn),  # the leading ones on top
    )


def _bump_rows(lines: Sequence[BumpLine]) -> list[list[int]]:
    """Return for each line the row in which it stands in each column, counted from 1.

    That is its place; who shares one, or stands further back than there are lines, gets the
    next free row. In the end the lines stand in their order.
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


def _bump_line(at: int, line: BumpLine, step: float, rows: Sequence[int]) -> SafeString:
    spots = [
        (BUMP_LEFT + step * column, BUMP_HEAD + BUMP_ROW * (row - 0.5), rank)
        for column, (row, rank) in enumerate(zip(rows, line.ranks, strict=True))
        if rank is not None
    ]
    strokes = format_html_join(
        "",
        '<path d="M{} {}C{} {} {} {} {} {}"/>',
        (
            (
                _n(x1),
                _n(y1),
                _n((x1 + x2) / 2),
                _n(y1),
                _n((x1 + x2) / 2),
                _n(y2),
                _n(x2),
                _n(y2),
            )
            for (x1, y1, _r1), (x2, y2, _r2) in pairwise(spots)
        ),
    )
    dots = format_html_join(
        "",
        '<circle cx="{}" cy="{}" r="17"/><text class="middle" x="{}" y="{}">{}</text>',
        ((_n(x), _n(y), _n(x), _n(y + 6), rank) for x, y, rank in spots),
    )
    name = format_html(
        '<text class="bump-name" x="{}" y="{}">{}</text>',
        BUMP_WIDTH - BUMP_NAMES + 28,
        _n(BUMP_HEAD + BUMP_ROW * (at + 0.5) + 6),
        line.name,
    )
    kind = "leading" if at < _LEADING else "following"
    return format_html('<g class="bump-{}">{}{}{}</g>', kind, strokes, dots, name)


# --- What all charts share ------------------------------------------------------------------


def _svg(
    ident: str, css: str, size: tuple[int, int], title: str, words: str, *parts: SafeString
) -> SafeString:
    return format_html(
        '<svg class="{css}" viewBox="0 0 {width} {height}" role="img"'
        ' aria-labelledby="{ident}-title {ident}-desc">'
        '<title id="{ident}-title">{title}</title><desc id="{ident}-desc">{words}</desc>'
        "{parts}</svg>",
        css=css,
        width=size[0],
        height=size[1],
        ident=ident,
        title=title,
        words=words,
        parts=SafeString("".join(parts)),
    )


def _points(spots: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in spots)


def _n(value: float) -> str:
    """Write a coordinate; SVG knows the point only, whatever the language."""
    return f"{value:.1f}".removesuffix(".0")
