"""Counting the till: opening it, comparing it with the book, booking what is left over."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.utils import formats, timezone
from django.utils.translation import gettext as _

from scoring.money import euro
from tournaments.cash.queries import balances
from tournaments.cash.queries.balances import is_open
from tournaments.cash.services import cash
from tournaments.cash.services.till import LARGEST_CENTS
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, TournamentError
from tournaments.common.locks import lock_tournament
from tournaments.journal import services as journal
from tournaments.models import CashCount, CashEntry, Receipt, Tournament

Kind = CashEntry.Kind


@transaction.atomic
def open_till(
    *, tournament_id: int, pieces: Mapping[int, int], actor: Actor, loose_cents: int = 0
) -> CashCount:
    """Book as change what is in the drawer beyond what the book knows, and record the count.

    Usually the book is empty then. Where money was taken before anybody thought of the
    change, only the rest is change, and book and drawer agree afterwards.

    Args:
        tournament_id: whose till.
        pieces: value of a coin or note in cents -> how many there are.
        actor: who counted.
        loose_cents: what was counted as a sum only.

    Raises:
        TournamentError: if the till is open already, or nothing is left for change.
    """
    tournament = lock_tournament(tournament_id)
    if is_open(tournament):
        raise TournamentError(
            _("Die Kasse ist schon eröffnet. Weiteres Wechselgeld bucht das Kassenbuch.")
        )
    counted = _counted(pieces, loose_cents)
    change = counted - balances.till_cents(tournament)
    if change <= 0:
        raise TournamentError(
            _(
                "Gezählt sind {counted}. Das ist nicht mehr, als schon gebucht ist; ein "
                "Wechselgeld bleibt nicht übrig."
            ).format(counted=euro(counted))
        )
    line = cash.ReceiptLine(Kind.OPENING, change)
    cash.book(tournament, actor, Receipt.Method.CASH, [line], text=_("Kasse eröffnet"))
    return _record(tournament, pieces, counted, "", actor)


@transaction.atomic
def count_till(
    *,
    tournament_id: int,
    pieces: Mapping[int, int],
    actor: Actor,
    loose_cents: int = 0,
    note: str = "",
) -> CashCount:
    """Record what was counted, note by note, beside what should be there.

    Args:
        tournament_id: whose till.
        pieces: value of a coin or note in cents -> how many there are.
        actor: who counted.
        loose_cents: what was counted as a sum only.
        note: what explains a difference.

    Raises:
        TournamentError: if a number is negative, or no account stands for the count.
    """
    tournament = lock_tournament(tournament_id)
    return _record(tournament, pieces, _counted(pieces, loose_cents), note, actor)


@transaction.atomic
def book_difference(*, count_id: int, actor: Actor) -> Receipt:
    """Book what the last count found too much or too little, so that book and drawer agree.

    Raises:
        TournamentError: if there was no difference.
        Conflict: if cash was booked or somebody counted since: the difference is another now.
    """
    found = CashCount.objects.only("tournament_id").get(pk=count_id)
    tournament = lock_tournament(found.tournament_id)
    last = tournament.cash_counts.order_by("-pk").first()
    if (
        last is None
        or last.pk != count_id
        or last.expected_cents != balances.till_cents(tournament)
    ):
        raise Conflict(
            _("Seit dieser Zählung ist etwas gebucht oder gezählt worden. Bitte neu zählen.")
        )
    if not last.difference_cents:
        raise TournamentError(_("Die Zählung hat gestimmt, es gibt keine Differenz zu buchen."))
    at = timezone.localtime(last.created_at)
    text = _("Kassendifferenz laut Zählung vom {day}, {clock} Uhr").format(
        day=formats.date_format(at, "SHORT_DATE_FORMAT"),
        clock=formats.time_format(at, "TIME_FORMAT"),
    )
    line = cash.ReceiptLine(Kind.OTHER, last.difference_cents)
    return cash.book(tournament, actor, Receipt.Method.CASH, [line], text=text)


def _counted(pieces: Mapping[int, int], loose_cents: int) -> int:
    if loose_cents < 0 or any(number < 0 for number in pieces.values()):
        raise TournamentError(_("Gezähltes kann nicht unter null liegen."))
    counted = loose_cents + sum(value * number for value, number in pieces.items())
    if counted > LARGEST_CENTS:
        raise TournamentError(
            _("Gezählt sind mehr als {most}. Bitte die Stückzahlen prüfen.").format(
                most=euro(LARGEST_CENTS)
            )
        )
    return counted


def _record(
    tournament: Tournament, pieces: Mapping[int, int], counted: int, note: str, actor: Actor
) -> CashCount:
    if actor.user is None:
        raise TournamentError(_("Ein Kassensturz braucht jemanden, der gezählt hat."))
    count = CashCount(
        tournament=tournament,
        expected_cents=balances.till_cents(tournament),
        counted_cents=counted,
        pieces={str(value): number for value, number in pieces.items() if number},
        note=note.strip(),
        created_by=actor.user,
    )
    count.full_clean()
    count.save(force_insert=True)
    journal.record(
        tournament,
        actor,
        "till_counted",
        count,
        after={"expected_cents": count.expected_cents, "counted_cents": counted},
        reason=note,
    )
    return count
