"""The steps of a tournament's day, from the Ausschreibung to the closing, left to right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.common.roles import MAY_CHECK, MAY_SEE, MAY_TAKE_MONEY
from tournaments.models import Registration, Seat, Spielliste, Tournament

HANDED_IN = (Spielliste.Status.HANDED_IN, *Spielliste.SETTLED)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    label: str | Promise
    namespaces: frozenset[str] = frozenset()  # a page with an address in one of these is here
    url_name: str = ""  # "" without a page
    roles: frozenset[str] = MAY_SEE
    readers_url_name: str = ""  # the page for other roles


PLACES = (
    _Place(label=_("Ausschreibung"), namespaces=frozenset({"setup"}), url_name="setup:tournament"),
    _Place(
        label=_("Meldungen & Kasse"),
        namespaces=frozenset({"desk", "cash", "bank", "teams", "entry"}),
        url_name="desk:desk",
        roles=MAY_TAKE_MONEY,
        readers_url_name="desk:list",
    ),
    _Place(
        label=_("Auslosung"),
        namespaces=frozenset({"draw"}),
        url_name="draw:serien",
        roles=MAY_TAKE_MONEY,
    ),
    _Place(
        label=_("Spiellisten"),
        namespaces=frozenset({"hall"}),
        url_name="hall:current",
        roles=MAY_CHECK,
        readers_url_name="hall:hand_in_current",
    ),
    _Place(
        label=_("Prüfung"),
        namespaces=frozenset({"checking", "notices"}),
        url_name="checking:lists",
        roles=MAY_CHECK,
    ),
    _Place(
        label=_("Rangliste & Preise"),
        namespaces=frozenset({"results", "prizes"}),
        url_name="results:ranking",
    ),
    _Place(label=_("Abschluss"), namespaces=frozenset({"closing"}), url_name="closing:page"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step as ``components/steps.html`` shows it; without an address it is no link."""

    label: str | Promise
    url: str
    state: str  # "done", "now", "half" or "open": where the day is
    note: str = ""  # of a half done step: "2 von 3"
    is_here: bool = False  # whether the page belongs to it


def steps(tournament: Tournament, roles: Iterable[str], namespace: str) -> list[Step]:
    """Return the steps for an account with *roles* on a page below *namespace*."""
    mine = set(roles)
    day = _day(tournament)
    return [
        Step(
            label=place.label,
            url=reverse(name, args=[tournament.slug]) if name else "",
            state=day.state(place),
            note=day.note(place),
            is_here=namespace in place.namespaces,
        )
        for place in PLACES
        for name in [place.url_name if mine & place.roles else place.readers_url_name]
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Day:
    """The progress of the day: the steps done, the number of their Serien, and the step due."""

    done: frozenset[_Place] = frozenset()
    in_serien: Mapping[_Place, int] = field(default_factory=dict)
    serien: int = 0
    now: _Place | None = None

    def state(self, place: _Place) -> str:
        if place in self.done:
            return "done"
        if place == self.now:
            return "now"
        return "half" if self.in_serien.get(place) else "open"

    def note(self, place: _Place) -> str:
        if self.state(place) != "half":
            return ""
        return gettext("{done} von {all}").format(done=self.in_serien[place], all=self.serien)


def _day(tournament: Tournament) -> _Day:
    ausschreibung, registrations, draw, lists, checking, _ranking, closing = PLACES
    if tournament.is_draft:
        return _Day(now=ausschreibung)
    if tournament.is_closed:
        return _Day(done=frozenset(PLACES))
    if not tournament.is_running:
        now = registrations if tournament.is_announced else None
        return _Day(done=frozenset({ausschreibung}), now=now)
    serien = _serien(tournament)
    counts = {
        draw: sum(drawn for drawn, _handed_in, _settled in serien),
        lists: sum(drawn and handed_in for drawn, handed_in, _settled in serien),
        checking: sum(drawn and settled for drawn, _handed_in, settled in serien),
    }
    done = {ausschreibung, *(place for place, number in counts.items() if number == len(serien))}
    if not tournament.registrations.filter(status=Registration.Status.REGISTERED).exists():
        done.add(registrations)
    # A drawn Serie is played and checked before the next one is drawn.
    due = (place for place in (lists, checking) if counts[place] < counts[draw])
    rest = draw if counts[draw] < len(serien) else closing
    return _Day(done=frozenset(done), in_serien=counts, serien=len(serien), now=next(due, rest))


def _serien(tournament: Tournament) -> list[tuple[bool, bool, bool]]:
    """Return of each Serie whether it is drawn, handed in and settled; one query."""
    lists = Spielliste.objects.filter(table__serie=OuterRef("pk"))
    return list(
        tournament.serien.values_list(
            Exists(Seat.objects.filter(serie=OuterRef("pk"))),
            ~Exists(lists.exclude(status__in=HANDED_IN)),
            ~Exists(lists.exclude(status__in=Spielliste.SETTLED)),
        )
    )
