"""The tournaments that a page lists, and stored facts of one as data of the rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, time
from typing import TYPE_CHECKING, TypedDict

from django.db.models import Count, Prefetch, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common.organisers import tournaments_with
from tournaments.common.roles import MAY_LEAD
from tournaments.models import Membership, Organiser, Registration, Serie, Tournament, User
from tournaments.models.schedule import evening_of
from tournaments.people.queries.naming import INTERNET, distinguish_names

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    class _Numbers(TypedDict):
        registered: int

    CountedTournament = WithAnnotations[Tournament, _Numbers]
else:
    CountedTournament = Tournament

CHANGE_ENTRY = "tournament_changed"  # the entry of a change of the Ausschreibung
STARTGELD_POT = "startgeld"
_NEWEST_FIRST = ("-starts_at", "slug")
MOST_ANNOUNCED = 100
_COMING_UP = (Tournament.Status.ANNOUNCED, Tournament.Status.CALLED_OFF)
# Registrations that pages count as registered: those that have, or had, a place.
WITH_PLACE = frozenset(
    {*Registration.TAKING_PART, Registration.Status.NO_SHOW, Registration.Status.EXCLUDED}
)
_COMING = Q(registrations__status__in=WITH_PLACE)


def of_user(user: User) -> QuerySet[Tournament]:
    """Return the tournaments in which *user* has a role, the newest first."""
    return tournaments_with(user).order_by(*_NEWEST_FIRST)


def with_counts(user: User, tournaments: Iterable[Tournament]) -> QuerySet[CountedTournament]:
    """Return some *tournaments* of :func:`of_user`, in that order.

    Each has ``registered``, the number of registrations with a place, and the roles of
    *user* in ``memberships``.
    """
    own = Membership.objects.filter(user=user).order_by("pk")
    rows: QuerySet[CountedTournament] = (
        Tournament.objects.filter(pk__in=[each.pk for each in tournaments])
        .annotate(registered=Count("registrations", filter=_COMING))
        .prefetch_related(Prefetch("memberships", own))
        .order_by(*_NEWEST_FIRST)
    )
    return rows


def copyable_tournaments(user: User) -> QuerySet[Tournament]:
    """Return the tournaments that *user* can copy."""
    return tournaments_with(user, MAY_LEAD).filter(is_trial_run=False).order_by(*_NEWEST_FIRST)


def usual_seating(owner: Organiser) -> Serie.Seating:
    """Return the seating of the Serien of a new tournament: that of the organiser's last one.

    The first tournament has the seating by the program, which needs no work.
    """
    serien = Serie.objects.filter(tournament__owner=owner, tournament__is_trial_run=False)
    first_ones = serien.filter(number=1).order_by("-tournament__starts_at", "-tournament")
    used = first_ones.values_list("seating", flat=True).first()
    return Serie.Seating.ELECTRONIC if used is None else Serie.Seating(used)


def current(now: datetime) -> tuple[list[Tournament], list[Tournament]]:
    """Return the tournaments that run at *now* and those announced for today or later,
    called off or not: the running ones, or else the next one, and the others.

    The practice tournament comes after all others.
    """
    today = timezone.make_aware(datetime.combine(evening_of(now), time()))
    tournaments = list(
        Tournament.objects.filter(
            Q(status=Tournament.Status.RUNNING) | Q(status__in=_COMING_UP, starts_at__gte=today),
            replaced_at__isnull=True,
            is_trial_run=False,
        )
        .select_related("owner")
        .order_by("owner__is_practice", "starts_at", "slug")
    )
    held = [each for each in tournaments if not each.is_called_off] or tournaments
    running = [
        each
        for each in held
        if each.is_running and each.owner.is_practice == held[0].owner.is_practice
    ]
    first = running or held[:1]
    return first, [each for each in tournaments if each not in first]


def announced() -> QuerySet[Tournament]:
    """Return the newest public tournaments, past ones too, without made-up ones."""
    return (
        Tournament.objects.filter(
            status__in=Tournament.PUBLIC,
            replaced_at__isnull=True,
            is_trial_run=False,
            owner__is_practice=False,
        )
        .order_by(*_NEWEST_FIRST)[:MOST_ANNOUNCED]
        .prefetch_related("serien")
    )


def past(now: datetime) -> QuerySet[Tournament]:
    """Return the tournaments that are over, the latest first.

    Announced tournaments that never began are included from the next day on.
    """
    today = timezone.make_aware(datetime.combine(evening_of(now), time()))
    return Tournament.objects.filter(
        Q(status=Tournament.Status.CLOSED) | Q(status__in=_COMING_UP, starts_at__lt=today),
        replaced_at__isnull=True,
        is_trial_run=False,
    ).order_by(*_NEWEST_FIRST)


def is_public(tournament: Tournament) -> bool:
    """Whether the Ausschreibung is public."""
    return tournament.status in Tournament.PUBLIC and tournament.replaced_at is None


def register_url(tournament: Tournament, now: datetime) -> str:
    """Return the URL of the registration through the internet; empty while it is closed."""
    is_open = (
        tournament.online_registration
        and tournament.is_announced
        and not tournament.is_past_deadline(now)
    )
    return reverse("entry:register", args=[tournament.slug]) if is_open else ""


def registered_count(tournament: Tournament) -> int:
    """Return the number of persons with a place."""
    return tournament.registrations.filter(status__in=Registration.TAKING_PART).count()


def public_players(tournament: Tournament) -> list[str]:
    """Return the public names of all persons with a place; one query."""
    placed = tournament.registrations.filter(status__in=Registration.TAKING_PART)
    if tournament.public_players == Tournament.PublicPlayers.NUMBERS:
        numbers = placed.order_by("number").values_list("number", flat=True)
        return [_("Nr. {number}").format(number=number) for number in numbers]
    shown = sorted(placed.select_related("person"), key=INTERNET.sort_key)
    return distinguish_names((INTERNET.list_name(each), each) for each in shown)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pot:
    """Money for prizes: all Startgeld, or the stakes of one ranking."""

    name: str  # as in ``prize_plans``
    label: str
    cents_each: int  # amount that a typical player pays into it
    group_size: int = 1  # persons who win one of its prizes together


def pots(tournament: Tournament) -> list[Pot]:
    """Return the pots of a tournament, the Startgeld first."""
    usual = tournament.categories.first()
    pots = [
        Pot(
            name=STARTGELD_POT,
            label=_("Startgeld"),
            cents_each=usual.startgeld_cents if usual else 0,
        )
    ]
    pots += [
        Pot(
            name=ranking.kind,
            label=_("Einsätze {ranking}").format(ranking=ranking),
            cents_each=ranking.stake_cents,
            group_size=ranking.size or 1,
        )
        for ranking in tournament.rankings.all()
        if ranking.stake_cents
    ]
    return pots
