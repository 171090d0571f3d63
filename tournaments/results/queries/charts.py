"""Charts as SVG, made by the server: no script draws them, and they print like the page.

Colours come from the style sheet (``static/css/results.css``), by class. A chart has a
``title`` and a description in ``desc``; every page with a chart has the same numbers as a
table, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from tournaments.common.formats import points as signed
from tournaments.results.queries.player_results import PlayedList

NOTHING = SafeString("")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The measures of a chart: wide, or narrow so that it fits on a phone without scrolling."""

    css: str
    width: int
    height: int  # of a course
    axis: int  # of a course, left of the line
    dots: float  # of a course, relative to those of the wide one
    ring: int  # radius of a rank
    names: int  # right of the ranks
    letters: int  # of a name, at most


WIDE = Shape(css="wide", width=960, height=340, axis=64, dots=1, ring=17, names=300, letters=60)
NARROW = Shape(
    css="narrow", width=320, height=300, axis=46, dots=0.6, ring=14, names=158, letters=19
)


def wide_and_narrow(draw: Callable[..., SafeString]) -> SafeString:
    """Return a chart for wide pages and for phones; the style sheet shows one of them."""
    return SafeString(draw(shape=WIDE) + draw(shape=NARROW))


# --- The course of a player over the games ------------------------------------------------

RIGHT, TOP, BOTTOM = 24, 44, 40
_MOST_STEPS = 6
ROOM_FOR_A_NAME = 66  # of a Serie


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseGame:
    """One game in the course of a player."""

    number: int
    running: int  # points so far, all Serien before included
    finished: bool = False
    handromme: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseSerie:
    """One Serie in the course of a player."""

    label: str
    games: tuple[CourseGame, ...]
    total: int | None  # points after it with bonus and Strafpunkte; None: it still runs


def course(
    serien: Sequence[CourseSerie], *, title: str, shape: Shape = WIDE, ident: str = "course"
) -> SafeString:
    """Return the chart of a player's points over the games; "" without a game.

    Each game is a point, with a ring where the player finished it, as in the Spielliste;
    the last point of a Serie has its bonus taken off.

    Args:
        serien: in order; points run on from one to the next.
        title: of the chart, with the name of the player.
        shape: wide or narrow.
        ident: makes the ids of several charts on a page unique.
    """
    marks = list(_course_marks(serien))
    if not marks:
        return NOTHING
    values = [0, *(mark.value for mark in marks)]
    scale = _Scale.over(min(values), max(values), shape.height)
    step = (shape.width - shape.axis - RIGHT) / max(len(marks), 1)
    spots: list[tuple[float, float]] = [
        (shape.axis + step * at, scale.y(value)) for at, value in enumerate(values)
    ]
    return svg(
        ident,
        shape,
        shape.height,
        title,
        _course_words(serien),
        _grid(scale, shape),
        _course_serien(serien, step, shape),
        format_html('<polyline class="chart-line" points="{}"/>', points_of(spots)),
        SafeString("".join(_course_dots(marks, spots[1:], shape))),
    )


def course_wide_and_narrow(lists: Iterable[PlayedList], title: str) -> SafeString:
    """Return the course by a player's lists, for wide pages and for phones."""
    serien = course_of(lists)
    return wide_and_narrow(partial(course, serien, title=title))


def course_of(lists: Iterable[PlayedList]) -> list[CourseSerie]:
    """Return the course by a player's lists; an invalid one adds nothing."""
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


def _course_serien(serien: Sequence[CourseSerie], step: float, shape: Shape) -> SafeString:
    """Return the names of the Serien and the lines between them."""
    parts = []
    at = float(shape.axis)
    for number, serie in enumerate(serien, start=1):
        width = step * (len(serie.games) + (serie.total is not None))
        if not width:
            continue
        label = format_html(
            '<text class="chart-label" x="{}" y="{}">{}</text>',
            coordinate(at + 6),
            TOP - 20,
            serie.label if width >= ROOM_FOR_A_NAME else number,
        )
        rule = format_html(
            '<line class="chart-rule" x1="{x}" x2="{x}" y1="{top}" y2="{bottom}"/>',
            x=coordinate(at),
            top=TOP - 34,
            bottom=shape.height - BOTTOM,
        )
        parts += [rule, label]
        at += width
    return SafeString("".join(parts))


# By the kind of mark: its class and its size.
_DOTS = {
    "": ("chart-dot", 4),
    "finished": ("chart-ring", 7),
    "handromme": ("chart-ring", 7),
    "total": ("chart-total", 8),
}


def _course_dots(
    marks: Sequence[_Mark], spots: Sequence[tuple[float, float]], shape: Shape
) -> Iterator[SafeString]:
    for mark, (x, y) in zip(marks, spots, strict=True):
        css, radius = _DOTS[mark.kind]
        yield format_html(
            '<circle class="{}" cx="{}" cy="{}" r="{}"><title>{}</title></circle>',
            css,
            coordinate(x),
            coordinate(y),
            coordinate(radius * shape.dots),
            mark.what,
        )
        if mark.kind == "total":
            value = signed(mark.value)
            yield format_html(
                '<text class="chart-value" x="{}" y="{}">{}</text>',
                coordinate(x),
                coordinate(y + 28),
                value,
            )
        elif mark.kind == "handromme":
            yield format_html(
                '<text class="chart-mark" x="{}" y="{}">H</text>', coordinate(x), coordinate(y - 13)
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scale:
    """The vertical scale; more points are higher."""

    low: int
    high: int
    step: int
    height: int

    @classmethod
    def over(cls, lowest: int, highest: int, height: int) -> _Scale:
        """Return a scale with lines at round numbers.

        >>> _Scale.over(-40, 312, 340)
        _Scale(low=-100, high=400, step=100, height=340)
        """
        span = max(highest - lowest, 1)
        sizes = [size * 10**power for power in range(5) for size in (1, 2, 5)]
        step = next(size for size in sizes if span / size <= _MOST_STEPS - 1 or size == sizes[-1])
        return cls(
            low=lowest // step * step,
            high=-(-highest // step) * step or step,
            step=step,
            height=height,
        )

    def y(self, value: int) -> float:
        """Return the y coordinate of *value*."""
        room = self.height - TOP - BOTTOM
        return TOP + room * (self.high - value) / max(self.high - self.low, 1)


def _grid(scale: _Scale, shape: Shape) -> SafeString:
    lines = (
        (
            coordinate(scale.y(value)),
            coordinate(scale.y(value) + 6),
            signed(value),
            "zero" if not value else "line",
        )
        for value in range(scale.low, scale.high + 1, scale.step)
    )
    return SafeString(
        "".join(
            format_html(
                '<line class="chart-grid-{}" x1="{}" x2="{}" y1="{}" y2="{}"/>'
                '<text class="chart-axis" x="{}" y="{}">{}</text>',
                kind,
                shape.axis,
                shape.width - RIGHT,
                y,
                y,
                shape.axis - 8,
                text_y,
                label,
            )
            for y, text_y, label, kind in lines
        )
    )


# --- Shared by all charts -------------------------------------------------------------------


def svg(
    ident: str, shape: Shape, height: int, title: str, words: str, *parts: SafeString
) -> SafeString:
    """Return a chart; *ident* begins with its kind, which is also a class: "course-light"."""
    return format_html(
        '<svg class="chart {kind} {css}" viewBox="0 0 {width} {height}" role="img"'
        ' aria-labelledby="{own}-title {own}-desc">'
        '<title id="{own}-title">{title}</title><desc id="{own}-desc">{words}</desc>'
        "{parts}</svg>",
        kind=ident.partition("-")[0],
        own=f"{ident}-{shape.css}",
        css=shape.css,
        width=shape.width,
        height=height,
        title=title,
        words=words,
        parts=SafeString("".join(parts)),
    )


def points_of(spots: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{coordinate(x)},{coordinate(y)}" for x, y in spots)


def coordinate(value: float) -> str:
    """Return a coordinate with a decimal point, which SVG needs in every language."""
    return f"{value:.1f}".removesuffix(".0")
