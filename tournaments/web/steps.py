"""The steps of a tournament's day, from the Ausschreibung to the closing, left to right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.common.roles import MAY_CHECK, MAY_SEE, MAY_TAKE_MONEY
from tournaments.models import Registration, Spielliste, Tournament

HANDED_IN = (Spielliste.Status.HANDED_IN, *Spielliste.SETTLED)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    label: str | Promise
    namespaces: frozenset[str] = frozenset()  # a page with an address in one of these is here
    url_name: str = ""  # "" for what the program leaves to paper
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
    state: str  # "done", "current" or "open"


def steps(tournament: Tournament, roles: Iterable[str], namespace: str) -> list[Step]:
    """Return the steps for an account with *roles* on a page below *namespace*."""
    mine = set(roles)
    done = _done(tournament)
    return [
        Step(
            label=place.label,
            url=_url(place, mine, tournament),
            state="current"
            if namespace in place.namespaces
            else ("done" if place.label in done else "open"),
        )
        for place in PLACES
    ]


def _url(place: _Place, mine: set[str], tournament: Tournament) -> str:
    name = place.url_name if mine & place.roles else place.readers_url_name
    return reverse(name, args=[tournament.slug]) if name else ""


def _done(tournament: Tournament) -> set[str | Promise]:
    ausschreibung, registrations, draw, lists, checking, *_later = (place.label for place in PLACES)
    if tournament.is_closed:
        return {place.label for place in PLACES}
    done = set() if tournament.is_draft else {ausschreibung}
    if tournament.is_running:
        if not tournament.registrations.filter(status=Registration.Status.REGISTERED).exists():
            done.add(registrations)
        if not tournament.serien.filter(seats__isnull=True).exists():
            done.add(draw)
            reached = set(_lists(tournament).values_list("status", flat=True).distinct())
            if reached <= set(HANDED_IN):
                done.add(lists)
            if reached <= set(Spielliste.SETTLED):
                done.add(checking)
    return done


def _lists(tournament: Tournament) -> QuerySet[Spielliste]:
    return Spielliste.objects.filter(table__serie__tournament=tournament)
