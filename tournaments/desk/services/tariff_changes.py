"""Changing Startgeld, rankings and days of a registration; the dues follow."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from tournaments.cash.services.dues import set_due, update_paid_status
from tournaments.common.errors import TournamentError
from tournaments.common.roles import MAY_TAKE_MONEY, ONLINE
from tournaments.common.states import TAKES_PEOPLE
from tournaments.desk.queries.missed_serien import due_share, late_share, late_startgeld_cents
from tournaments.desk.services import ranking_members
from tournaments.desk.services.registrations import normalise_days
from tournaments.journal.acts import Act, Acts
from tournaments.models import Category, Ranking, Registration

acts = Acts(MAY_TAKE_MONEY, TAKES_PEOPLE)

DAYS_SET = "days_set"
TARIFF = "tariff_changed"


@acts.on(Registration, "change_tariff", by=MAY_TAKE_MONEY | ONLINE, entry=TARIFF)
def change_tariff(
    act: Act[Registration],
    *,
    category: Category,
    rankings: Sequence[Ranking],
    declined: Sequence[Ranking] = (),
) -> Registration:
    """Change the Startgeld and the rankings of a registration; the dues follow.

    Raises:
        TournamentError: if the choice belongs to another tournament, or the person does not fit
            a new ranking.
    """
    registration = act.row
    before = sorted(registration.rankings.values_list("pk", flat=True))
    keys = sorted({ranking.pk for ranking in rankings})
    count = act.tournament.rankings.filter(pk__in=keys).count()
    if category.tournament_id != act.tournament.pk or count != len(keys):
        raise TournamentError(_("Diese Auswahl gehört zu einem anderen Turnier."))
    set_category(registration, category)
    ranking_members.choose(act, registration, rankings, declined)
    act.note(before={"rankings": before}, rankings=keys)
    set_due(act, registration)
    update_paid_status(act, registration)
    return registration


def set_category(registration: Registration, category: Category) -> None:
    """Set the Startgeldgruppe; the same part of its Startgeld is due as before."""
    if registration.late_startgeld_cents is not None:
        share = due_share(registration)
        registration.late_startgeld_cents = late_startgeld_cents(category, share)
    registration.category = category


@acts.on(Registration, "set_days", by=MAY_TAKE_MONEY | ONLINE, entry=DAYS_SET)
def set_days(act: Act[Registration], *, plays_on: str) -> Registration:
    """Set the days on which a person plays; "" for all. A Startgeld by days follows.

    A seat on another day stays until the Spielleitung fills it on the page of the draw.

    Raises:
        TournamentError: if the tournament does not have one of the days.
    """
    registration = act.row
    plays_on = normalise_days(act.tournament, plays_on)
    if plays_on == registration.plays_on:
        return registration
    registration.plays_on = plays_on
    act.store(registration)
    if act.tournament.day_startgeld:
        seated = registration.seats.values_list("serie__number", flat=True)
        share = late_share(act.tournament, plays_on, set(seated))
        registration.late_startgeld_cents = late_startgeld_cents(registration.category, share)
        set_due(act, registration)
        update_paid_status(act, registration)
    return registration
