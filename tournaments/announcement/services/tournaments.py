"""A tournament from its first draft to its closing (§ 1.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.reading.ruleset_json import ruleset_from_dict, ruleset_to_dict
from scoring.ruleset import RuleSet
from tournaments.accounts import services as accounts
from tournaments.announcement.services.checks import MissingFact, missing_before_announcing
from tournaments.announcement.services.slugs import reserved_slugs
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, NotAllowed, TournamentError
from tournaments.common.names import fold
from tournaments.common.organisers import rights_by_organiser
from tournaments.common.roles import MAY_LEAD
from tournaments.common.states import ANNOUNCED, CALLED_OFF, DRAFT, TAKES_PEOPLE
from tournaments.journal.acts import Act, Acts
from tournaments.models import (
    Category,
    Organiser,
    Ranking,
    Registration,
    Right,
    Role,
    Serie,
    Tournament,
    User,
)
from tournaments.models.tariff import DEFAULT_CATEGORY

DEADLINE_BEFORE_START = timedelta(minutes=15)  # § 1.3
LONGEST_SLUG = 60
STATUS_ENTRY = "tournament_status"
MAILS = (
    "called_off_mails"  # the job that tells everybody, in notices/services/cancellation_mails.py
)
_Status = Tournament.Status
acts = Acts(MAY_LEAD, DRAFT)


class IncompleteAusschreibung(TournamentError):
    """The Ausschreibung cannot be published; ``missing`` has the missing facts."""

    def __init__(self, missing: Sequence[MissingFact]) -> None:
        self.missing = tuple(missing)
        super().__init__(
            _("Die Ausschreibung ist noch nicht vollständig: {what}").format(
                what=" ".join(each.sentence for each in missing)
            )
        )


def default_deadline(starts_at: datetime) -> datetime:
    """Return the Meldeschluss if the Ausschreibung sets none (§ 1.3)."""
    return starts_at.astimezone(UTC) - DEADLINE_BEFORE_START


def suggest_slug(name: str) -> str:
    """Return a free slug for *name*.

    „Kühns 3. Rommé-Cup“ becomes ``kuehns-3-romme-cup``, the next one ends in ``-2``.
    """
    return free_slug(name, Tournament.objects.all(), usual="turnier", reserved=reserved_slugs())


def free_slug(name: str, rows: QuerySet[Any], *, usual: str, reserved: Collection[str] = ()) -> str:
    """Return a slug that none of *rows* has; *usual* if *name* has no letter."""
    bare = slugify(fold(name))[:LONGEST_SLUG].strip("-_") or usual
    begin = bare[: LONGEST_SLUG - 4]
    taken_slugs = {*reserved, *rows.filter(slug__startswith=begin).values_list("slug", flat=True)}
    slug, number = bare, 1
    while slug in taken_slugs:
        number += 1
        ending = f"-{number}"
        slug = bare[: LONGEST_SLUG - len(ending)].rstrip("-_") + ending
    return slug


MAY_NOT_CREATE = gettext_lazy(
    "Anlegen und einlesen kann, wer das Programm verwaltet oder schon ein Turnier veranstaltet."
)


def organisers_for_new(user: User) -> dict[Organiser, frozenset[str]]:
    """Return the organisers for which *user* may set up tournaments and seasons.

    It needs the right to all, or the role of Veranstalter in one of its tournaments. Organisers of
    practice are excluded: their accounts end, and their tournaments would have no Veranstalter.
    """
    may = {Right.ALL, Role.VERANSTALTER}
    held = rights_by_organiser(user).items()
    return {
        organiser: words for organiser, words in held if words & may and not organiser.is_practice
    }


def create_tournament(
    *,
    owner: Organiser,
    name: str,
    starts_at: datetime,
    rule_set: RuleSet,
    serien: int,
    startgeld_cents: int,
    actor: Actor,
    seating: Serie.Seating = Serie.Seating.CARDS,
    more: Mapping[str, Any] | None = None,
) -> Tournament:
    """Make a draft with one line of Startgeld and the single ranking.

    The account becomes its Veranstalter. *more* has further fields of the tournament.

    Raises:
        NotAllowed: if the account may not.
        TournamentError: if a value is not valid.
    """
    facts = {
        "owner": owner,
        "name": name.strip(),
        "slug": suggest_slug(name),
        "starts_at": starts_at,
        "registration_deadline": default_deadline(starts_at),
        "rule_set": ruleset_to_dict(rule_set),
        **(more or {}),
    }
    with creating(Tournament(**facts), actor) as act:
        numbers = range(1, serien + 1)
        act.add_all(Serie(tournament=act.row, number=number, seating=seating) for number in numbers)
        act.add_all(
            [Category(tournament=act.row, name=DEFAULT_CATEGORY, startgeld_cents=startgeld_cents)]
        )
        act.add_all([Ranking(tournament=act.row, kind=Ranking.Kind.SINGLE)])
    return act.row


@contextmanager
def creating(tournament: Tournament, actor: Actor) -> Iterator[Act[Tournament]]:
    """Store a new tournament, and after the block its first journal entry with all rows.

    The account becomes the Veranstalter.

    Raises:
        NotAllowed: if the account may not.
        TournamentError: if a value is not valid.
    """
    if actor.user is not None and tournament.owner not in organisers_for_new(actor.user):
        raise NotAllowed(str(MAY_NOT_CREATE))
    with transaction.atomic():  # no act: there is no tournament to lock
        _store_new(tournament)
        act = Act(tournament, tournament, actor, action="tournament_created")
        act.touch(tournament)
        yield act
        act.note(
            name=tournament.name,
            slug=tournament.slug,
            rule_set=tournament.rule_set["id"],
            copied_from=tournament.copied_from_id,
        )
        act.write()
        if actor.user is not None:
            accounts.give_role(
                tournament=tournament, user=actor.user, role=Role.VERANSTALTER, actor=actor
            )


def _store_new(tournament: Tournament) -> None:
    try:
        tournament.full_clean(validate_unique=False)  # a taken slug is refused below
        tournament.save(force_insert=True)
    except ValidationError as refusal:
        raise TournamentError(" ".join(refusal.messages)) from refusal
    except IntegrityError as refusal:  # the same slug at the same moment
        raise Conflict(
            _(
                "Gerade wurde ein Turnier mit demselben Namen angelegt. Bitte noch einmal "
                "speichern oder dort weitermachen."
            )
        ) from refusal


@acts.on(Tournament, "announce", entry=STATUS_ENTRY, when=DRAFT)
def announce(act: Act[Tournament], *, now: datetime | None = None) -> Tournament:
    """Publish the Ausschreibung.

    Raises:
        IncompleteAusschreibung: with everything that is missing.
    """
    lacking = missing_before_announcing(act.row, now or timezone.now())
    if lacking:
        raise IncompleteAusschreibung(lacking)
    return move(act, _Status.ANNOUNCED)


@acts.on(Tournament, "back_to_draft", entry=STATUS_ENTRY, when=ANNOUNCED)
def back_to_draft(act: Act[Tournament]) -> Tournament:
    """Make the tournament a draft again, if there are no registrations.

    Raises:
        TournamentError: if a person is registered.
    """
    registered = act.row.registrations.count()
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
    return move(act, _Status.DRAFT)


@acts.on(Tournament, "start", entry=STATUS_ENTRY, when=ANNOUNCED)
def start(act: Act[Tournament]) -> Tournament:
    """Start the tournament; from now on its rule set is fixed.

    Raises:
        TournamentError: if fewer persons have paid than one table needs (§ 1.3).
    """
    paid = act.row.registrations.filter(status=Registration.Status.PAID).count()
    needed = min(ruleset_from_dict(act.row.rule_set).table_sizes)
    if paid < needed:
        raise TournamentError(
            _(
                "Bezahlt haben erst {paid}; der kleinste Tisch hat {needed} Plätze. Nur wer "
                "bezahlt hat, kann gesetzt werden (§ 1.3)."
            ).format(paid=paid, needed=needed)
        )
    return move(act, _Status.RUNNING)


def begin_with_seats(act: Act[Any]) -> None:
    """Start an announced tournament when its seats are published.

    So :func:`start` is not needed; no Serie can be closed before the start.
    """
    if act.tournament.is_announced:
        with act.entry(STATUS_ENTRY, act.tournament):
            move(act, _Status.RUNNING)


@acts.on(
    Tournament,
    "call_off",
    entry=STATUS_ENTRY,
    when=TAKES_PEOPLE,
    reason=gettext_lazy("Bitte angeben, warum das Turnier nicht stattfindet; alle lesen es."),
)
def call_off(act: Act[Tournament]) -> Tournament:
    """Call the tournament off; the reason is public, and the money is refunded.

    A running tournament can be called off until its first Serie begins.

    Raises:
        TournamentError: if a Serie was begun, or a game is written.
    """
    begun = Q(started_at__isnull=False) | Q(tables__spielliste__games__isnull=False)
    if act.row.serien.filter(begun).exists():
        raise TournamentError(
            _(
                "Es wird schon gespielt; abgesagt werden kann nur vor dem ersten Spiel. Was nicht "
                "mehr gespielt wird, lässt sich beim Abschluss streichen."
            )
        )
    act.row.called_off_reason = act.reason
    return move(act, _Status.CALLED_OFF)


@acts.on(
    Tournament,
    "undo_calling_off",
    entry=STATUS_ENTRY,
    when=CALLED_OFF,
    reason=gettext_lazy("Bitte angeben, warum das Turnier doch stattfindet."),
)
def undo_calling_off(act: Act[Tournament]) -> Tournament:
    """Undo calling the tournament off; it runs again if seats are published.

    Refunds are not undone: those persons must pay again.
    """
    act.row.called_off_reason = ""
    is_seated = act.row.serien.filter(seats__isnull=False).exists()
    return move(act, _Status.RUNNING if is_seated else _Status.ANNOUNCED)


def move(act: Act[Any], status: Tournament.Status) -> Tournament:
    """Set the status of the act's tournament."""
    act.tournament.status = status
    return act.store(act.tournament)
