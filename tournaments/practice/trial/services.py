"""Beginning a trial run, playing the rest of its games, and removing it.

Each function does several acts in one transaction.
"""

from __future__ import annotations

from datetime import timedelta
from random import Random

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.payments.prizes import PrizeLine, PrizePlan
from scoring.rulesets import ruleset
from tournaments.accounts import services as accounts
from tournaments.accounts.queries import may_begin_trial, may_use_demo
from tournaments.announcement.services import edit, tournaments
from tournaments.announcement.services.sections import fingerprint
from tournaments.cash.services import counts
from tournaments.common import rules
from tournaments.common.actors import Actor
from tournaments.common.errors import NotAllowed
from tournaments.common.locks import lock_tournament
from tournaments.common.organisers import implied_roles, rights_by_organiser
from tournaments.desk.services import registrations
from tournaments.models import Role, Serie, Spielliste, Tournament, User
from tournaments.models.tournament import Section
from tournaments.people.services import people
from tournaments.practice.demo import removal, tables
from tournaments.practice.demo.day import CHANGE, next_start
from tournaments.practice.demo.people import account_of, organiser_of
from tournaments.practice.trial.queries import of_user
from tournaments.practice.trial.steps import PLAYERS, PRESENT

STARTGELD_CENTS = 1000
PRIZE_PLAN = PrizePlan(
    lines=(PrizeLine(place=1, share_permille=600), PrizeLine(place=2, share_permille=400)),
    expected_entries=PLAYERS,
)
COMMAND = Actor.command("probelauf")


@transaction.atomic
def guest() -> User:
    """Return the account for a trial run on an installation without real accounts.

    Raises:
        NotAllowed: if there is a real account, and so perhaps personal data.
    """
    if not may_use_demo():
        raise NotAllowed(
            _("Einen Probelauf beginnt, wer ein Turnier leitet. Bitte mit Ihrem Konto anmelden.")
        )
    return account_of("demo-leitung")


@transaction.atomic
def begin(*, user: User) -> Tournament:
    """Return the trial run of *user*, created if needed; six of eight players are present.

    Raises:
        NotAllowed: if the account has no right to it.
    """
    # Lock: two windows of one account must begin the same trial run.
    user = User.objects.select_for_update().get(pk=user.pk)
    held = rights_by_organiser(user)
    roles = {
        role
        for organiser in held
        if not organiser.is_practice
        for role in implied_roles(held[organiser])
    }
    if not may_begin_trial(user, roles):
        raise NotAllowed(
            _("Einen Probelauf beginnt, wer ein Turnier leitet oder das Programm verwaltet.")
        )
    if trial_run := of_user(user).first():
        return trial_run
    tournament = _announce(user)
    _register(tournament, Actor.account(user))
    return tournament


def _announce(user: User) -> Tournament:
    # It starts today, so that paying ticks players off; late at night the deadline is
    # midnight.
    midnight = timezone.localtime().replace(hour=23, minute=59, second=59, microsecond=0)
    starts_at = min(next_start(timezone.now()) + timedelta(hours=1), midnight)
    deadline = midnight if starts_at == midnight else tournaments.default_deadline(starts_at)
    tournament = tournaments.create_tournament(
        name=_("Probelauf"),
        starts_at=starts_at,
        rule_set=ruleset("rommeordnung"),
        serien=1,
        startgeld_cents=STARTGELD_CENTS,
        actor=COMMAND,
        owner=organiser_of(user),
        seating=Serie.Seating.ELECTRONIC,
        more={
            "registration_deadline": deadline,
            "is_trial_run": True,
            "places": PLAYERS,
            "venue": _("Vereinsheim"),
            "organiser": _("Probelauf"),
            "contact_phone": "0000",
            "public_ranking": Tournament.PublicRanking.HIDDEN_LAST,
        },
    )
    for role in (Role.VERANSTALTER, Role.SPIELLEITUNG):
        accounts.give_role(tournament=tournament, user=user, role=role, actor=COMMAND)
    actor = Actor.account(user)
    edit.change_prize_plan(
        actor,
        tournament.pk,
        seen=fingerprint(tournament, Section.PRIZES),
        pot="startgeld",
        plan=PRIZE_PLAN,
    )
    return tournaments.announce(actor, tournament.pk)


def _register(tournament: Tournament, actor: Actor) -> None:
    counts.open_till(actor, tournament.pk, pieces=CHANGE)
    for number, (first, last, gender) in enumerate(PRESENT, start=1):
        has_paid = number < len(PRESENT)
        person = people.create_person(
            actor=actor,
            within=tournament,
            first_name=first,
            last_name=last,
            gender=gender,
            publish_consent=True,
        )
        registrations.register(
            actor,
            tournament.pk,
            person_id=person.pk,
            payment=registrations.Payment() if has_paid else None,
            is_here=has_paid,
        )


@transaction.atomic
def play_rest(*, tournament_id: int) -> int:
    """Complete and sign the lists of all tables; return the number of lists.

    Lists that are kept on paper are left out.
    """
    tournament = lock_tournament(tournament_id)
    rule_set = rules.rule_set_of(tournament)
    chance = Random()  # noqa: S311 - games of a trial run, nothing secret
    spiellisten = Spielliste.objects.filter(
        table__serie__tournament=tournament,
        status__in=Spielliste.AT_THE_TABLE,
        on_paper=False,
    )
    lists = list(spiellisten.select_related("table__serie").order_by("table__number"))
    for spielliste in lists:
        tables.play_on(spielliste, None, rule_set, chance)
        tables.sign(spielliste)
    return len(lists)


def remove(*, tournament: Tournament, actor: Actor) -> None:
    """Remove a trial run with its made-up persons.

    Raises:
        Conflict: if it was removed already.
    """
    removal.remove(Tournament.objects.filter(pk=tournament.pk, is_trial_run=True), actor=actor)
