"""Content of the overview: registrations by day before the tournament, then its day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from itertools import accumulate, islice
from statistics import mean

from django.db.models import Count
from django.db.models.functions import TruncDate
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.announcement.queries.tournaments import WITH_PLACE
from tournaments.common.formats import listed
from tournaments.common.roles import MAY_CHECK, MAY_LEAD, MAY_TAKE_MONEY
from tournaments.hall.queries.control import TableCard, Tone, cards, current_serie
from tournaments.hall.queries.room import missing_in_words
from tournaments.models import Registration, Role, Serie, Spielliste, Tournament
from tournaments.results.queries.charts import points_of
from tournaments.web.decisions import Decisions

Status = Spielliste.Status
MOST_WAITING = 3  # cards
CURVE = (300, 60)  # width and height of the curve of registrations

# The parts of the bar in order, with their labels; tables without a game come first.
EMPTY = "empty"
PARTS: dict[str, str | Promise] = {
    EMPTY: gettext_lazy("ohne Eintrag"),
    Status.OPEN: gettext_lazy("spielen"),
    Status.COMPLETE: gettext_lazy("fertig, nicht abgegeben"),
    Status.HANDED_IN: gettext_lazy("abgegeben"),
    Status.VERIFIED: gettext_lazy("geprüft"),
    Status.INVALID: gettext_lazy("ungültig"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class BarPart:
    """The tables of a Serie in one state, as a part of the bar; positions in percent."""

    state: str
    label: str | Promise
    number: int
    start: str
    middle: str
    width: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextTask:
    """A task with the link to its page."""

    label: str
    url: str
    title: str = ""
    detail: str = ""
    tone: Tone = Tone.WAITS


@dataclass(frozen=True)
class DayOverview:
    """The day of a running tournament for an account with *roles*."""

    tournament: Tournament
    roles: frozenset[str]
    decisions: Decisions | None  # that wait for the account
    serie: Serie | None  # None: no Serie has seats
    tables: Sequence[TableCard]  # of the Serie

    @cached_property
    def serien(self) -> int:
        """The number of Serien."""
        return self.tournament.serien.count()

    @property
    def parts(self) -> list[BarPart]:
        """The parts of the bar that have a table."""
        numbers = Counter(_state(card) for card in self.tables)
        share = 100 / max(len(self.tables), 1)
        before, parts = 0, []
        for state, label in PARTS.items():
            number = numbers[state]
            part = BarPart(
                state=state,
                label=label,
                number=number,
                start=f"{share * before:.2f}%",
                middle=f"{share * (before + number / 2):.2f}%",
                width=f"{share * number:.2f}%",
                detail=self._average_game if state == Status.OPEN else "",
            )
            parts.append(part)
            before += number
        return [part for part in parts if part.number]

    @property
    def _average_game(self) -> str:
        """The average game of the tables that are playing, in words."""
        games = [card.row.games for card in self.tables if _state(card) == Status.OPEN]
        game = round(mean(games)) + 1 if games else 0
        return _("im Mittel Spiel {game}").format(game=game)

    @property
    def next(self) -> NextTask:
        """The next task of the day."""
        serie = self.serie
        if serie is None or (serie.closed_at and serie.number < self.serien):
            if not self._has_role(MAY_TAKE_MONEY):
                return NextTask(label=_("Zu den Meldungen"), url=self._url("desk:list"))
            number = serie.number + 1 if serie else 1
            label = _("Serie {number} auslosen").format(number=number)
            return NextTask(label=label, url=self._url("draw:serien"))
        if all(card.spielliste.status in Spielliste.SETTLED for card in self.tables):
            return NextTask(label=_("Zum Abschluss"), url=self._url("closing:page"))
        page = "hall:room" if self._has_role(MAY_CHECK) else "hall:hand_in"
        return NextTask(label=_("Zu den Tischen"), url=self._url(page, serie.number))

    @property
    def planned(self) -> datetime | None:
        """The time of the next Serie by the Zeitplan; None if the Zeitplan has none."""
        serie = self.serie
        if serie is not None and serie.is_to_come:
            return self.tournament.days.begins(serie.number)
        return self.tournament.days.begins(serie.number + 1 if serie else 1)

    @cached_property
    def waiting(self) -> list[NextTask]:
        """The tasks that wait for the account, the most urgent first."""
        return list(islice(self._waiting(), MOST_WAITING))

    def _waiting(self) -> Iterator[NextTask]:
        if self.serie and self._has_role(MAY_CHECK):
            yield from self._calls(self.serie.number)
        if self.decisions:
            title = ngettext(
                "{number} Entscheidung wartet auf Sie",
                "{number} Entscheidungen warten auf Sie",
                self.decisions.number,
            ).format(number=self.decisions.number)
            yield NextTask(title=title, label=_("Entscheiden"), url=self.decisions.url)
        if self.serie:
            yield from self._handing_in(self.serie.number)
        if self._has_role(MAY_CHECK):
            yield from self._to_check()
        if self._has_role(MAY_TAKE_MONEY):
            yield from self._unpaid()

    def _calls(self, serie: int) -> Iterator[NextTask]:
        calls = {
            card.number: card.call.get_kind_display()
            for card in self.tables
            if card.call and card.call.taken_at is None
        }
        if not calls:
            return
        tables, kinds = [*calls], listed([*dict.fromkeys(calls.values())])
        title = _("Tische {tables} rufen") if len(tables) > 1 else _("Tisch {tables} ruft")
        yield NextTask(
            title=title.format(tables=listed(tables)),
            detail=_("{kinds}. Noch niemand hat übernommen.").format(kinds=kinds),
            tone=Tone.ALARM,
            label=_("Zum Ruf"),
            url=self._url("hall:room", serie),
        )

    def _handing_in(self, serie: int) -> Iterator[NextTask]:
        begun = [card.row for card in self.tables if card.row.is_begun and not card.row.is_done]
        url, label = self._url("hall:hand_in", serie), self._label(_("Annehmen"), MAY_TAKE_MONEY)
        if len(begun) == 1:
            title = _("Tisch {tables} gibt ab").format(tables=begun[0].number)
            detail = " · ".join(missing_in_words(begun[0]))
            url = f"{url}?tisch={begun[0].number}"
            yield NextTask(title=title, detail=detail, label=label, url=url)
        elif begun:
            tables = listed([row.number for row in begun])
            title = _("Tische {tables} geben ab").format(tables=tables)
            yield NextTask(title=title, label=label, url=url)

    def _to_check(self) -> Iterator[NextTask]:
        lists = Spielliste.objects.filter(table__serie__tournament=self.tournament)
        if number := lists.filter(status=Status.HANDED_IN).count():
            title = ngettext(
                "{number} Liste ist zu prüfen", "{number} Listen sind zu prüfen", number
            ).format(number=number)
            label = self._label(_("Prüfen"), MAY_LEAD)
            yield NextTask(title=title, label=label, url=self._url("checking:lists"))

    def _unpaid(self) -> Iterator[NextTask]:
        unpaid = Registration.Status.REGISTERED
        if number := self.tournament.registrations.filter(status=unpaid).count():
            title = ngettext(
                "{number} Startgeld ist offen", "{number} Startgelder sind offen", number
            ).format(number=number)
            url = f"{self._url('desk:list')}?status={unpaid}"
            yield NextTask(title=title, tone=Tone.PLAIN, label=_("Kassieren"), url=url)

    def _label(self, label: str, roles: frozenset[Role]) -> str:
        return label if self._has_role(roles) else _("Ansehen")

    def _has_role(self, roles: frozenset[Role]) -> bool:
        return bool(roles & self.roles)

    def _url(self, name: str, *keys: int) -> str:
        return reverse(name, args=[self.tournament.slug, *keys])


def day_overview(
    tournament: Tournament, roles: frozenset[str], decisions: Decisions | None, now: datetime
) -> DayOverview:
    """Return the day of a running tournament; *decisions* wait for the account."""
    serie = current_serie(tournament)
    return DayOverview(tournament, roles, decisions, serie, cards(serie, now) if serie else [])


def _state(card: TableCard) -> str:
    status = card.spielliste.status
    if status == Status.OPEN and not card.row.games:
        return EMPTY
    return Status.COMPLETE if status == Status.SIGNED else status


# --- Before the day -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistrationDays:
    """The registrations of a tournament: those with a place by day, and the others."""

    days: Sequence[tuple[date, int]]  # number of registrations by day
    paid: int
    waiting: int  # on the waiting list
    withdrawn: int
    today: date

    @property
    def number(self) -> int:
        """The number of registrations with a place."""
        return sum(number for _day, number in self.days)

    @property
    def is_any(self) -> bool:
        """Whether the tournament has or had registrations."""
        return bool(self.days or self.waiting or self.withdrawn)

    @property
    def last_week(self) -> int:
        """The number of registrations of the last seven days."""
        return sum(number for day, number in self.days if (self.today - day).days < 7)

    @property
    def points(self) -> str:
        """The curve of the number up to today as SVG points; "" on the first day."""
        span = (self.today - self.days[0][0]).days if self.days else 0
        if span < 1:
            return ""
        width, height = CURVE
        sums = accumulate(number for _day, number in self.days)
        spots = [
            (width * (day - self.days[0][0]).days / span, height - height * so_far / self.number)
            for (day, _number), so_far in zip(self.days, sums, strict=True)
        ]
        return points_of([*spots, (width, 0)])


def registration_days(tournament: Tournament, now: datetime) -> RegistrationDays:
    """Return the registrations up to *now* by day; one query."""
    rows = (
        tournament.registrations.annotate(day=TruncDate("created_at"))
        .order_by("day")
        .values_list("day", "status")
        .annotate(number=Count("pk"))
    )
    days: Counter[date] = Counter()
    by_status: Counter[str] = Counter()
    for day, status, number in rows:
        by_status[status] += number
        if status in WITH_PLACE:
            days[day] += number
    return RegistrationDays(
        days=list(days.items()),
        paid=by_status[Registration.Status.PAID],
        waiting=by_status[Registration.Status.WAITING],
        withdrawn=by_status[Registration.Status.WITHDRAWN],
        today=timezone.localdate(now),
    )
