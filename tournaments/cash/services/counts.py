"""Counting the till: opening it, comparing it with the book, booking the difference."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.money import euro
from tournaments.cash.queries import balances
from tournaments.cash.queries.balances import is_open
from tournaments.cash.queries.report import counts
from tournaments.cash.services import cash
from tournaments.cash.services.till import LARGEST_CENTS
from tournaments.common.errors import Conflict, NotAllowed, TournamentError
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.common.states import KEEPS_BOOK
from tournaments.journal.acts import Act, Acts
from tournaments.journal.four_eyes import check_second
from tournaments.models import CashCount, CashEntry, Receipt, Tournament

acts = Acts(MAY_TAKE_MONEY, KEEPS_BOOK)

Kind = CashEntry.Kind
COUNTED = "till_counted"


@acts.on(Tournament, "open_till", entry=COUNTED)
def open_till(
    act: Act[Tournament], *, pieces: Mapping[int, int], loose_cents: int = 0
) -> CashCount:
    """Book as opening change the cash that the book does not have yet, and record the count.

    Usually the book is empty then. If cash was taken before, only the rest is change, and
    book and drawer agree afterwards.

    Args:
        pieces: value of a coin or note in cents -> how many there are.
        loose_cents: cash counted as a sum only.

    Raises:
        TournamentError: if the till is open already, or nothing is left for change.
    """
    if is_open(act.tournament):
        raise TournamentError(
            _("Die Kasse ist schon eröffnet. Weiteres Wechselgeld bucht das Kassenbuch.")
        )
    counted = _counted(pieces, loose_cents)
    change = counted - balances.till_cents(act.tournament)
    if change <= 0:
        raise TournamentError(
            _(
                "Gezählt sind {counted}. Das ist nicht mehr, als schon gebucht ist; ein "
                "Wechselgeld bleibt nicht übrig."
            ).format(counted=euro(counted))
        )
    line = cash.ReceiptLine(Kind.OPENING, change)
    cash.book(act, Receipt.Method.CASH, [line], text=_("Kasse eröffnet"))
    return _store(act, pieces, counted)


@acts.on(Tournament, "count_till", entry=COUNTED)
def count_till(
    act: Act[Tournament], *, pieces: Mapping[int, int], loose_cents: int = 0, note: str = ""
) -> CashCount:
    """Record the cash counted, by notes and coins, and the cash that should be there.

    Args:
        pieces: value of a coin or note in cents -> how many there are.
        loose_cents: cash counted as a sum only.
        note: explanation of a difference.

    Raises:
        TournamentError: if a number is negative, or the actor is no account.
    """
    act.reason = note.strip()
    return _store(act, pieces, _counted(pieces, loose_cents))


@acts.on(
    CashCount,
    "book_difference",
    reason=gettext_lazy("Bitte angeben, woher die Differenz kommt oder wo gesucht wurde."),
)
def book_difference(act: Act[CashCount]) -> Receipt:
    """Book the difference of the last count, so that book and drawer agree.

    With four eyes, another account must book it than the one that counted.

    Raises:
        TournamentError: if there was no difference.
        NotAllowed: if four eyes are required and the account is the one that counted.
        Conflict: if cash was booked or counted since: the difference has changed.
    """
    last = counts(act.tournament).first()
    if last != act.row or last.is_outdated or last.booked:
        raise Conflict(
            _("Seit dieser Zählung ist etwas gebucht oder gezählt worden. Bitte neu zählen.")
        )
    if not last.difference_cents:
        raise TournamentError(_("Die Zählung hat gestimmt, es gibt keine Differenz zu buchen."))
    if act.tournament.four_eyes and act.actor.user == last.created_by:
        raise NotAllowed(_("Vier Augen: Die Differenz bucht jemand anders, als gezählt hat."))
    if act.tournament.four_eyes:
        check_second(last.created_by, act.actor.user, act.tournament, last.created_at)
    at = timezone.localtime(last.created_at)
    text = _("Kassendifferenz laut Zählung vom {day}, {clock} Uhr: {reason}").format(
        day=formats.date_format(at, "SHORT_DATE_FORMAT"),
        clock=formats.time_format(at, "TIME_FORMAT"),
        reason=act.reason,
    )
    line = cash.ReceiptLine(Kind.OTHER, last.difference_cents)
    method = Receipt.Method.CASH
    return cash.book(act, method, [line], text=text, reason=act.reason, difference_of=last)


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


def _store(act: Act[Tournament], pieces: Mapping[int, int], counted: int) -> CashCount:
    if act.actor.user is None:
        raise TournamentError(_("Ein Kassensturz braucht jemanden, der gezählt hat."))
    return act.add(
        CashCount(
            tournament=act.tournament,
            expected_cents=balances.till_cents(act.tournament),
            counted_cents=counted,
            pieces={str(value): number for value, number in pieces.items() if number},
            note=act.reason,
            created_by=act.actor.user,
        )
    )
