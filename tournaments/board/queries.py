"""What the overview shows: registrations day by day before the tournament, and its day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import accumulate

from django.db.models import Count
from django.db.models.functions import TruncDate
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.common.formats import listed
from tournaments.common.roles import MAY_CHECK, MAY_LEAD, MAY_TAKE_MONEY
from tournaments.hall.queries.control import Card, Tone, cards, current_serie
from tournaments.hall.queries.room import missing_in_words
from tournaments.models import Registration, Role, Serie, Spielliste, Tournament
from tournaments.results.queries.charts import points_of
from tournaments.web.decisions import Decisions

Status = Spielliste.Status
MOST_WAITING = 3  # cards
CURVE = (300, 60)  # width and height of the curve of registrations

# The parts of the bar in their order, with the word for each; tables without a game come first.
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
class Part:
    """The tables of a Serie that are in the same state, as a part of the bar."""

    state: str
    label: str | Promise
    number: int
    before: int  # tables in the parts before it
    of: int  # tables of the Serie

    @property
    def start(self) -> str:
        """Where it begins, in percent of the bar."""
        return _percent(self.before, self.of)

    @property
    def middle(self) -> str:
        """Where its number stands, in percent of the bar."""
        return _percent(self.before + self.number / 2, self.of)

    @property
    def width(self) -> str:
        """Its width in percent of the bar."""
        return _percent(self.number, self.of)


def _percent(share: float, whole: int) -> str:
    return f"{100 * share / whole:.2f}%"


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """What is to be done next, and the page where it is done."""

    label: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting(Act):
    """Something that waits for a person, with the act that settles it."""

    title: str
    detail: str = ""
    tone: Tone = Tone.WAITS


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """The day of a running tournament as one of its staff sees it."""

    serie: Serie | None  # None: none is seated yet
    serien: int
    parts: Sequence[Part]
    waiting: Sequence[Waiting]  # the most urgent first
    next: Act

    @property
    def is_over(self) -> bool:
        """Whether the last Serie is closed."""
        serie = self.serie
        return serie is not None and bool(serie.closed_at) and serie.number == self.serien


def board_of(
    tournament: Tournament, roles: frozenset[str], decisions: Decisions | None, now: datetime
) -> Board:
    """Return the day of a running tournament for an account.

    Args:
        tournament: that runs.
        roles: of the account.
        decisions: that wait for the account.
        now: time of the state.
    """
    serie = current_serie(tournament)
    tables = cards(serie, now) if serie else []
    day = _Day(tournament, roles, serie, tables)
    serien = tournament.serien.count()
    return Board(
        serie=serie,
        serien=serien,
        parts=parts_of(tables),
        waiting=[*day.waiting(decisions)][:MOST_WAITING],
        next=day.next(serien),
    )


def parts_of(tables: Sequence[Card]) -> list[Part]:
    """Return the parts of the bar that have a table."""
    numbers = Counter(_state(one) for one in tables)
    found: list[Part] = []
    before = 0
    for state, label in PARTS.items():
        if number := numbers[state]:
            found.append(
                Part(state=state, label=label, number=number, before=before, of=len(tables))
            )
            before += number
    return found


def _state(card: Card) -> str:
    status = card.spielliste.status
    if status == Status.OPEN and not card.row.games:
        return EMPTY
    return Status.COMPLETE if status == Status.SIGNED else status


@dataclass(frozen=True, slots=True)
class _Day:
    tournament: Tournament
    roles: frozenset[str]
    serie: Serie | None
    tables: Sequence[Card]

    def _may(self, wanted: frozenset[Role]) -> bool:
        return bool(wanted & self.roles)

    def _url(self, name: str, *keys: int) -> str:
        return reverse(name, args=[self.tournament.slug, *keys])

    def next(self, serien: int) -> Act:
        serie = self.serie
        if serie is None or (serie.closed_at and serie.number < serien):
            number = serie.number + 1 if serie else 1
            label = _("Serie {number} auslosen").format(number=number)
            if self._may(MAY_TAKE_MONEY):
                return Act(label=label, url=self._url("draw:serien"))
            return Act(label=_("Zu den Meldungen"), url=self._url("desk:list"))
        if all(one.spielliste.status in Spielliste.SETTLED for one in self.tables):
            return Act(label=_("Zum Abschluss"), url=self._url("closing:page"))
        page = "hall:room" if self._may(MAY_CHECK) else "hall:hand_in"
        return Act(label=_("Zu den Tischen"), url=self._url(page, serie.number))

    def waiting(self, decisions: Decisions | None) -> Iterator[Waiting]:
        if self.serie and self._may(MAY_CHECK):
            yield from self._calls(self.serie.number)
        if decisions:
            yield Waiting(
                title=ngettext(
                    "{number} Entscheidung wartet auf Sie",
                    "{number} Entscheidungen warten auf Sie",
                    decisions.number,
                ).format(number=decisions.number),
                label=_("Entscheiden"),
                url=decisions.url,
            )
        if self.serie:
            yield from self._handing_in(self.serie.number)
        if self._may(MAY_CHECK):
            yield from self._to_check()
        if self._may(MAY_TAKE_MONEY):
            yield from self._unpaid()

    def _calls(self, serie: int) -> Iterator[Waiting]:
        calls = {
            one.number: one.call.get_kind_display()
            for one in self.tables
            if one.call and one.call.taken_at is None
        }
        if not calls:
            return
        tables, kinds = [*calls], listed([*dict.fromkeys(calls.values())])
        yield Waiting(
            title=_("Tisch {tables} ruft").format(tables=tables[0])
            if len(tables) == 1
            else _("Tische {tables} rufen").format(tables=listed(tables)),
            detail=_("{kinds}. Noch niemand hat übernommen.").format(kinds=kinds),
            tone=Tone.ALARM,
            label=_("Zum Ruf"),
            url=self._url("hall:table", serie, tables[0])
            if len(tables) == 1
            else self._url("hall:room", serie),
        )

    def _handing_in(self, serie: int) -> Iterator[Waiting]:
        begun = [one for one in self.tables if one.row.is_begun and not one.row.is_done]
        if not begun:
            return
        tables = [one.number for one in begun]
        url, label = self._url("hall:hand_in", serie), self._label(_("Annehmen"))
        if len(begun) > 1:
            title = _("Tische {tables} geben ab").format(tables=listed(tables))
            yield Waiting(title=title, label=label, url=url)
            return
        yield Waiting(
            title=_("Tisch {tables} gibt ab").format(tables=tables[0]),
            detail=" · ".join(missing_in_words(begun[0].row)),
            label=label,
            url=f"{url}?tisch={tables[0]}",
        )

    def _to_check(self) -> Iterator[Waiting]:
        lists = Spielliste.objects.filter(table__serie__tournament=self.tournament)
        if number := lists.filter(status=Status.HANDED_IN).count():
            yield Waiting(
                title=ngettext(
                    "{number} Liste ist zu prüfen", "{number} Listen sind zu prüfen", number
                ).format(number=number),
                label=self._label(_("Prüfen")),
                url=self._url("checking:lists"),
            )

    def _unpaid(self) -> Iterator[Waiting]:
        unpaid = Registration.Status.REGISTERED
        if number := self.tournament.registrations.filter(status=unpaid).count():
            yield Waiting(
                title=ngettext(
                    "{number} Startgeld ist offen", "{number} Startgelder sind offen", number
                ).format(number=number),
                tone=Tone.PLAIN,
                label=_("Kassieren"),
                url=f"{self._url('desk:list')}?status={unpaid}",
            )

    def _label(self, act: str) -> str:
        return act if self._may(MAY_LEAD) else _("Ansehen")


# --- Before the day -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """The registrations of a tournament, day by day."""

    days: Sequence[tuple[date, int]]  # how many came on it, in order
    paid: int
    today: date

    @property
    def number(self) -> int:
        """The number of all registrations."""
        return sum(number for _day, number in self.days)

    @property
    def last_week(self) -> int:
        """The number of the last seven days."""
        return sum(number for day, number in self.days if (self.today - day).days < 7)

    @property
    def points(self) -> str:
        """The curve of their number up to today, as points of SVG; "" within one day."""
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


def registered_of(tournament: Tournament, now: datetime) -> Registered:
    """Return the registrations up to *now*, day by day; one query."""
    rows = (
        tournament.registrations.annotate(day=TruncDate("created_at"))
        .order_by("day")
        .values_list("day", "status")
        .annotate(number=Count("pk"))
    )
    days: Counter[date] = Counter()
    paid = 0
    for day, status, number in rows:
        days[day] += number
        paid += number if status == Registration.Status.PAID else 0
    return Registered(days=list(days.items()), paid=paid, today=timezone.localdate(now))
