"""Charts as SVG, made by the server without a script; they also print.

Colours come from the style sheet (``static/css/results.css``), by class. A chart has a
``title`` and a description in ``desc``; every page with a chart also has the numbers as a
table. A chart is as wide as its container: horizontal units are percent, vertical ones
pixels, and labels are in the padding. So text has one size everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from tournaments.common.formats import points as signed
from tournaments.results.queries.player_results import PlayedList

NOTHING = SafeString("")


# --- The course of a player over the games ------------------------------------------------

TOP, BOTTOM, HEIGHT = 44, 40, 340
_MOST_STEPS = 6
_NAMED = 4  # Serien with room for their names on a phone


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
    total: int | None  # points after it with bonus and Strafpunkte; None while it runs


def course(
    serien: Sequence[CourseSerie], *, title: str, start: int = 0, ident: str = "course"
) -> SafeString:
    """Return the chart of a player's points over the games; "" without a game.

    Each game is a point, with a ring where the player finished it, as in the Spielliste;
    the last point of a Serie has its bonus taken off.

    Args:
        serien: in order; points run on from one to the next.
        title: of the chart, with the name of the player.
        start: carried points, as for :func:`course_of`.
        ident: makes the ids of several charts on a page unique.
    """
    marks = list(_course_marks(serien))
    if not marks:
        return NOTHING
    values = [start, *(mark.value for mark in marks)]
    scale = _Scale.over(min(values), max(values), HEIGHT)
    step = 100 / len(marks)
    spots = [(step * at, scale.y(value)) for at, value in enumerate(values)]
    return svg(
        ident,
        HEIGHT,
        title,
        _course_words(serien),
        _grid(scale),
        _course_serien(serien, step),
        stretched(HEIGHT, format_html('<polyline points="{}"/>', points_of(spots))),
        SafeString("".join(_course_dots(marks, spots[1:]))),
    )


def course_of(lists: Iterable[PlayedList], *, start: int = 0) -> list[CourseSerie]:
    """Return the course by a player's lists; a list without a result adds nothing.

    It begins with *start*, the carried points. A player who changed tables has one course of
    the Serie, in the order in which the games were played.
    """
    whole = [
        played for played in lists if not played.is_invalid and played.has_result and played.games
    ]
    serien = []
    before = start
    for number, played in groupby(whole, key=lambda played: played.data.serie):
        parts = sorted(played, key=_first_and_last_game)
        running, games, mine = before, [], parts[0].mine
        for at, cell in chain.from_iterable(part.own_games for part in parts):
            running += cell.points_of_game + (0 if mine.order.most_first else cell.count.adjustment)
            games.append(
                CourseGame(
                    number=at,
                    running=running,
                    finished=cell.count.finished,
                    handromme=cell.count.handromme,
                )
            )
        is_open = any(part.is_open for part in parts)
        total = None if is_open else before + sum(part.mine.total for part in parts)
        serien.append(
            CourseSerie(
                label=_("Serie {number}").format(number=number), games=tuple(games), total=total
            )
        )
        before = running if total is None else total
    return serien


def _first_and_last_game(played: PlayedList) -> list[int]:
    numbers = [number for number, _cell in played.own_games]
    return numbers[:1] + numbers[-1:]


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
    at = 0.0
    for number, serie in enumerate(serien, start=1):
        width = step * (len(serie.games) + (serie.total is not None))
        if not width:
            continue
        rule = format_html(
            '<line class="chart-rule" x1="{x}%" x2="{x}%" y1="{top}" y2="{bottom}"/>',
            x=coordinate(at),
            top=TOP - 34,
            bottom=HEIGHT - BOTTOM,
        )
        label = serie_label(serie.label, number, of=len(serien), at=at, y=TOP - 20, beside=6)
        parts += [rule, label]
        at += width
    return SafeString("".join(parts))


# Class and size, by kind of mark.
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
            '<circle class="{}" cx="{}%" cy="{}" r="{}"><title>{}</title></circle>',
            css,
            coordinate(x),
            coordinate(y),
            radius,
            mark.what,
        )
        if mark.kind == "total":
            value = signed(mark.value)
            yield format_html(
                '<text class="chart-value" x="{}%" y="{}">{}</text>',
                coordinate(x),
                coordinate(y + 28),
                value,
            )
        elif mark.kind == "handromme":
            yield format_html(
                '<text class="chart-mark" x="{}%" y="{}">H</text>',
                coordinate(x),
                coordinate(y - 13),
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


def _grid(scale: _Scale) -> SafeString:
    return SafeString(
        "".join(
            format_html(
                '<line class="chart-grid-{}" x1="0" x2="100%" y1="{}" y2="{}"/>'
                '<text class="chart-axis" x="-8" y="{}">{}</text>',
                "line" if value else "zero",
                coordinate(scale.y(value)),
                coordinate(scale.y(value)),
                coordinate(scale.y(value) + 6),
                signed(value),
            )
            for value in range(scale.low, scale.high + 1, scale.step)
        )
    )


# --- Bars -----------------------------------------------------------------------------------


def bars(values: Sequence[int]) -> list[SafeString]:
    """Return a bar for each of *values*, all on one scale that includes zero.

    >>> bars([-50, 150])[1]
    '<svg class="bar" aria-hidden="true"><rect x="25%" width="75%" height="100%"/></svg>'
    """
    low = min(0, *values) if values else 0
    span = max(max(values, default=0), 0) - low or 1
    return [
        SafeString(
            '<svg class="bar" aria-hidden="true">'
            f'<rect x="{(min(value, 0) - low) * 100 // span}%" '
            f'width="{-(-abs(value) * 100 // span)}%" height="100%"/></svg>'
        )
        for value in values
    ]


# --- Shared by all charts -------------------------------------------------------------------


def svg(ident: str, height: int, title: str, words: str, *parts: SafeString) -> SafeString:
    """Return a chart; *ident* begins with its kind, which is also a class: "course-light"."""
    kind = ident.partition("-")[0]
    return format_html(
        '<svg class="chart {kind}" height="{height}" role="{role}"'
        ' aria-labelledby="{own}-title {own}-desc">'
        '<title id="{own}-title">{title}</title><desc id="{own}-desc">{words}</desc>'
        "{parts}</svg>",
        kind=kind,
        role="group" if kind == "bump" else "img",  # it has links
        own=ident,
        height=height,
        title=title,
        words=words,
        parts=SafeString("".join(parts)),
    )


def stretched(height: int, drawn: SafeString) -> SafeString:
    """Return lines whose x coordinates are percents of the chart they are part of."""
    return format_html(
        '<svg viewBox="0 0 100 {0}" width="100%" height="{0}" preserveAspectRatio="none">{1}</svg>',
        height,
        drawn,
    )


def serie_label(
    label: str, number: int, *, of: int, at: float, y: int, beside: int = 0
) -> SafeString:
    """Return the name of a Serie at *at* percent; only its number if phones have no room."""
    short = label if of <= _NAMED else str(number)
    return format_html_join(
        "",
        '<text class="chart-label{0} {1}" x="{2}%" dx="{3}" y="{4}">{5}</text>',
        (
            ("" if beside else " middle", css, coordinate(at), beside, y, text)
            for css, text in (("when-wide", label), ("when-narrow", short))
        ),
    )


def points_of(spots: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{coordinate(x)},{coordinate(y)}" for x, y in spots)


def coordinate(value: float) -> str:
    """Return a coordinate with a decimal point, as SVG requires in every language."""
    return f"{value:.1f}".removesuffix(".0")
