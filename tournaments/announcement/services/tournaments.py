"""A tournament from its first draft to its closing (§ 1.1)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.reading.ruleset_json import ruleset_from_dict, ruleset_to_dict
from scoring.ruleset import RuleSet
from tournaments.accounts import services as accounts
from tournaments.announcement.services.checks import Missing, missing_before_announcing
from tournaments.announcement.services.slugs import reserved_slugs
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, NotAllowed, TournamentError, WrongStatus
from tournaments.common.locks import lock_tournament
from tournaments.common.names import fold
from tournaments.journal import services as journal
from tournaments.models import (
    Category,
    Membership,
    Ranking,
    Registration,
    Role,
    Serie,
    Tournament,
    User,
)

DEADLINE_BEFORE_START = timedelta(minutes=15)  # § 1.3
LONGEST_SLUG = 60
_Status = Tournament.Status


class Incomplete(TournamentError):
    """An Ausschreibung that cannot be published yet; ``missing`` says what it lacks."""

    def __init__(self, missing: Sequence[Missing]) -> None:
        self.missing = tuple(missing)
        super().__init__(
            _("Die Ausschreibung ist noch nicht vollständig: {what}").format(
                what=" ".join(each.sentence for each in missing)
            )
        )


def default_deadline(starts_at: datetime) -> datetime:
    """Return until when people register if the Ausschreibung says nothing else (§ 1.3)."""
    return starts_at - DEADLINE_BEFORE_START


def suggest_slug(name: str) -> str:
    """Return a short name for the address that is free now.

    „Kühns 3. Rommé-Cup“ becomes ``kuehns-3-romme-cup``, the next one ends in ``-2``.
    """
    return free_slug(name, Tournament.objects.all(), usual="turnier", reserved=reserved_slugs())


def free_slug(name: str, rows: QuerySet[Any], *, usual: str, reserved: Collection[str] = ()) -> str:
    """Return a short name that none of *rows* has; *usual* if *name* has no letter."""
    bare = slugify(fold(name))[:LONGEST_SLUG].strip("-_") or usual
    begin = bare[: LONGEST_SLUG - 4]
    taken = {*reserved, *rows.filter(slug__startswith=begin).values_list("slug", flat=True)}
    slug, number = bare, 1
    while slug in taken:
        number += 1
        ending = f"-{number}"
        slug = bare[: LONGEST_SLUG - len(ending)].rstrip("-_") + ending
    return slug


def may_create(user: User) -> bool:
    """Whether *user* may set up a tournament: who runs the program or a tournament.

    Accounts of the tournament to look at end some day, and nobody would lead what they made.
    """
    heads = Membership.objects.filter(user=user, role=Role.VERANSTALTER, tournament__is_demo=False)
    return not user.is_demo and (user.is_admin or heads.exists())


@transaction.atomic
def create_tournament(
    *,
    name: str,
    starts_at: datetime,
    rule_set: RuleSet,
    serien: int,
    startgeld_cents: int,
    actor: Actor,
) -> Tournament:
    """Make a draft with one line of Startgeld and the single ranking.

    The account that does it becomes its Veranstalter.

    Raises:
        NotAllowed: if the account may not.
        TournamentError: if a value is not possible.
    """
    check_may_create(actor)
    tournament = Tournament(
        name=name.strip(),
        slug=suggest_slug(name),
        starts_at=starts_at,
        registration_deadline=default_deadline(starts_at),
        rule_set=ruleset_to_dict(rule_set),
    )
    store_new(tournament)
    Serie.objects.bulk_create(
        Serie(tournament=tournament, number=number) for number in range(1, serien + 1)
    )
    Category.objects.create(
        tournament=tournament, name=_("Startgeld"), startgeld_cents=startgeld_cents
    )
    Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.SINGLE)
    record_new(tournament, actor)
    return tournament


def check_may_create(actor: Actor) -> None:
    """Refuse with NotAllowed an account that has nothing to do with setting up."""
    if actor.user is not None and not may_create(actor.user):
        raise NotAllowed(
            _(
                "Ein Turnier anlegen kann, wer das Programm verwaltet oder schon ein Turnier "
                "veranstaltet."
            )
        )


def store_new(tournament: Tournament) -> None:
    """Check and store a tournament that is not in the database yet."""
    try:
        tournament.full_clean(validate_unique=False)
        with transaction.atomic():
            tournament.save(force_insert=True)
    except ValidationError as refusal:
        raise TournamentError(" ".join(refusal.messages)) from refusal
    except IntegrityError as refusal:  # the same name in the same moment
        raise Conflict(
            _(
                "Gerade wurde ein Turnier mit demselben Namen angelegt. Bitte noch einmal "
                "speichern oder dort weitermachen."
            )
        ) from refusal


def record_new(tournament: Tournament, actor: Actor) -> None:
    """Journal a new tournament and make the account that made it its Veranstalter."""
    journal.record(
        tournament,
        actor,
        "tournament_created",
        tournament,
        after={
            "name": tournament.name,
            "slug": tournament.slug,
            "rule_set": tournament.rule_set["id"],
            "copied_from": tournament.copied_from_id,
        },
    )
    if actor.user is not None:
        accounts.give_role(
            tournament=tournament, user=actor.user, role=Role.VERANSTALTER, actor=actor
        )


@transaction.atomic
def announce(*, tournament_id: int, actor: Actor, now: datetime | None = None) -> Tournament:
    """Publish the Ausschreibung.

    Raises:
        WrongStatus: if it is published already.
        Incomplete: naming everything that is still missing.
    """
    tournament = lock_tournament(tournament_id)
    check_status(tournament, _Status.DRAFT)
    lacking = missing_before_announcing(tournament, now or timezone.now())
    if lacking:
        raise Incomplete(lacking)
    return move(tournament, _Status.ANNOUNCED, actor)


@transaction.atomic
def back_to_draft(*, tournament_id: int, actor: Actor) -> Tournament:
    """Take the Ausschreibung back, while nobody is registered.

    Raises:
        WrongStatus: if it is not published or the tournament has begun.
        TournamentError: if somebody is registered.
    """
    tournament = lock_tournament(tournament_id)
    check_status(tournament, _Status.ANNOUNCED)
    registered = tournament.registrations.count()
    if registered:
        raise TournamentError(
            ngettext(
                "Es ist schon {number} Person gemeldet. Die Ausschreibung bleibt bekannt "
                "gemacht; ändern lässt sie sich trotzdem.",
                "Es sind schon {number} Personen gemeldet. Die Ausschreibung bleibt bekannt "
                "gemacht; ändern lässt sie sich trotzdem.",
                registered,
            ).format(number=registered)
        )
    return move(tournament, _Status.DRAFT, actor)


@transaction.atomic
def start(*, tournament_id: int, actor: Actor) -> Tournament:
    """Let the tournament begin; from now on its rule set stands.

    Raises:
        WrongStatus: if it is not announced, or runs already.
        TournamentError: if fewer have paid than one table needs (§ 1.3).
    """
    tournament = lock_tournament(tournament_id)
    check_status(tournament, _Status.ANNOUNCED)
    paid = tournament.registrations.filter(status=Registration.Status.PAID).count()
    needed = min(ruleset_from_dict(tournament.rule_set).table_sizes)
    if paid < needed:
        raise TournamentError(
            _(
                "Bezahlt haben erst {paid}; der kleinste Tisch hat {needed} Plätze. Nur wer "
                "bezahlt hat, kann gesetzt werden (§ 1.3)."
            ).format(paid=paid, needed=needed)
        )
    return move(tournament, _Status.RUNNING, actor)


def begin_with_seats(tournament: Tournament, actor: Actor) -> None:
    """Let an announced tournament run now that everybody is told where to sit.

    For a caller that holds the lock of the tournament: nobody should have to think of
    :func:`start` on the day, and no Serie can be closed before.
    """
    if tournament.status == _Status.ANNOUNCED:
        move(tournament, _Status.RUNNING, actor)


def check_status(tournament: Tournament, wanted: Tournament.Status) -> None:
    """Refuse an act that another state asks for.

    Raises:
        WrongStatus: saying in which state the tournament is.
    """
    if tournament.status == wanted:
        return
    raise WrongStatus(
        {
            _Status.DRAFT: _("Das Turnier ist noch nicht ausgeschrieben."),
            _Status.ANNOUNCED: _("Das Turnier ist ausgeschrieben und hat noch nicht begonnen."),
            _Status.RUNNING: _("Das Turnier läuft schon."),
            _Status.CLOSED: _("Das Turnier ist abgeschlossen."),
        }[Tournament.Status(tournament.status)]
    )


def move(
    tournament: Tournament,
    status: Tournament.Status,
    actor: Actor,
    *,
    facts: journal.Facts | None = None,
    reason: str = "",
) -> Tournament:
    """Let a locked tournament be in another state, and note it in the journal."""
    before, tournament.status = tournament.status, status
    tournament.save(update_fields=["status"])
    journal.record(
        tournament,
        actor,
        "tournament_status",
        tournament,
        before={"status": before},
        after={"status": status, **(facts or {})},
        reason=reason,
    )
    return tournament
