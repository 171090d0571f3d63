"""The steps of a tournament's day, from the Ausschreibung to the closing, left to right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import NoReverseMatch, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.models import Registration, Role, Tournament

EVERYBODY = frozenset(role.value for role in Role)
DESK = EVERYBODY
MANAGEMENT = frozenset({Role.VERANSTALTER.value, Role.SPIELLEITUNG.value})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    namespaces: frozenset[str]  # a page with an address in one of these stands in this step
    label: str | Promise
    url_name: str
    roles: frozenset[str]


PLACES = (
    _Place(
        namespaces=frozenset({"setup"}),
        label=_("Ausschreibung"),
        url_name="setup:tournament",
        roles=EVERYBODY,
    ),
    _Place(
        namespaces=frozenset({"desk", "cash"}),
        label=_("Meldungen & Kasse"),
        url_name="desk:desk",
        roles=DESK,
    ),
    _Place(
        namespaces=frozenset({"draw"}),
        label=_("Auslosung"),
        url_name="draw:serien",
        roles=MANAGEMENT | {Role.KASSE.value},
    ),
    _Place(
        namespaces=frozenset({"control"}),
        label=_("Spiellisten"),
        url_name="control:room",
        roles=EVERYBODY,
    ),
    _Place(
        namespaces=frozenset({"check"}),
        label=_("Prüfung"),
        url_name="check:lists",
        roles=EVERYBODY,
    ),
    _Place(
        namespaces=frozenset({"results"}),
        label=_("Rangliste & Preise"),
        url_name="results:ranking",
        roles=EVERYBODY,
    ),
    _Place(
        namespaces=frozenset({"closing"}),
        label=_("Abschluss"),
        url_name="closing:closing",
        roles=MANAGEMENT,
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step as ``components/steps.html`` shows it; without an address it is no link."""

    label: str | Promise
    url: str
    state: str  # "done", "current" or "open"


def steps(tournament: Tournament, roles: Iterable[str], namespace: str) -> list[Step]:
    """Return the steps for somebody with *roles* on a page below *namespace*."""
    mine = set(roles)
    done = _done(tournament)
    return [
        Step(
            label=place.label,
            url=_url(place, tournament) if mine & place.roles else "",
            state="current"
            if namespace in place.namespaces
            else ("done" if place.url_name in done else "open"),
        )
        for place in PLACES
    ]


def _url(place: _Place, tournament: Tournament) -> str:
    try:
        return reverse(place.url_name, args=[tournament.slug])
    except NoReverseMatch:
        return ""


def _done(tournament: Tournament) -> set[str]:
    done = set()
    if tournament.status != Tournament.Status.DRAFT:
        done.add("setup:tournament")
    if tournament.status == Tournament.Status.CLOSED:
        done.update(place.url_name for place in PLACES)
    elif (
        tournament.status == Tournament.Status.RUNNING
        and not tournament.registrations.filter(status=Registration.Status.REGISTERED).exists()
    ):
        done.add("desk:desk")
    return done
