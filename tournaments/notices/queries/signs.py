"""The signs for the whole hall: on walls, table pages and own pages.

Signs replace announcements by sound. They are computed without a query from the tournament and
its Serie. A sign has its times, so that a page can show and refresh it to the second.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.utils.translation import gettext as _

from tournaments.models import Serie, Spielliste, Tournament

START = timedelta(minutes=3)  # duration of the sign that a Serie has started
LAST = timedelta(minutes=10)
OVER = timedelta(minutes=15)  # duration of the sign that the time is over


class Kind(StrEnum):
    """The kinds of sign, the most important last."""

    START = "start"
    LAST = "last"
    OVER = "over"
    WORDS = "words"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """A few words in large letters, valid from *since* until before *until*."""

    kind: Kind
    title: str
    text: str = ""
    since: datetime
    until: datetime | None  # None: until the Spielleitung takes it back
    ends_at: datetime | None = None  # end of a countdown beside it


def signs(tournament: Tournament, serie: Serie | None, *, extra_minutes: int = 0) -> list[Sign]:
    """Return the present signs, and the future ones that need no further act.

    Args:
        serie: the Serie that is played, if any; a closed one has no sign.
        extra_minutes: the extra time of a table; 0 for the whole hall.
    """
    if tournament.is_called_off:
        return [
            Sign(
                kind=Kind.WORDS,
                title=_("Das Turnier ist abgesagt"),
                text=tournament.called_off_reason,
                since=tournament.created_at,
                until=None,
            )
        ]
    signs = []
    if serie is not None and serie.started_at and not serie.closed_at:
        ends_at = serie.ends_at(extra_minutes)
        signs.append(
            Sign(
                kind=Kind.START,
                title=_("{serie} hat begonnen").format(serie=serie),
                text=_("Allen ein gutes Blatt!"),
                since=serie.started_at,
                until=serie.started_at + START,
                ends_at=ends_at,
            )
        )
        if ends_at:
            signs += [_last_minutes_sign(serie, ends_at), _time_over_sign(ends_at)]
    if tournament.words and tournament.words_since:
        signs.append(
            Sign(
                kind=Kind.WORDS,
                title=tournament.words,
                since=tournament.words_since,
                until=tournament.words_until,
            )
        )
    return signs


def signs_at(spielliste: Spielliste) -> list[Sign]:
    """Return the signs for a table with its extra time; without the Serie's if the list is signed.

    Args:
        spielliste: the list of the table, with its Serie and tournament.
    """
    serie = spielliste.table.serie
    playing = serie if spielliste.is_at_the_table else None
    return signs(serie.tournament, playing, extra_minutes=spielliste.extra_minutes)


def _last_minutes_sign(serie: Serie, ends_at: datetime) -> Sign:
    return Sign(
        kind=Kind.LAST,
        title=_("Die letzten Minuten"),
        text=_("Danach ist die Zeit der {serie} um.").format(serie=serie),
        since=ends_at - LAST,
        until=ends_at,
        ends_at=ends_at,
    )


def _time_over_sign(ends_at: datetime) -> Sign:
    return Sign(
        kind=Kind.OVER,
        title=_("Die Zeit ist um"),
        text=_("Was mit einer unfertigen Liste geschieht, sagt die Spielleitung."),
        since=ends_at,
        until=ends_at + OVER,
    )


def current_sign(signs: Iterable[Sign], now: datetime) -> Sign | None:
    """Return the most important present sign, or None."""
    current = [
        sign for sign in signs if sign.since <= now and (sign.until is None or now < sign.until)
    ]
    return max(current, key=lambda sign: list(Kind).index(sign.kind), default=None)


def next_change(signs: Iterable[Sign], now: datetime) -> datetime | None:
    """Return the next time at which signs change without an act, or None."""
    times = (at for sign in signs for at in (sign.since, sign.until) if at is not None and at > now)
    return min(times, default=None)
