"""Giving out the prizes: money by a receipt, goods by hand, each of them once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from django.utils import timezone, translation
from django.utils.translation import gettext as _

from scoring.money import euro
from tournaments.cash.services import cash
from tournaments.common.errors import Conflict, TournamentError, WrongStatus
from tournaments.common.ranking_names import ranking_of
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.common.states import TAKES_PEOPLE
from tournaments.desk.queries.ranking_members import misfits
from tournaments.journal.acts import Act, Acts
from tournaments.models import CashEntry, PrizePayout, Receipt, Tournament
from tournaments.prizes.queries.prizes import PrizeSheet
from tournaments.prizes.queries.rows import PrizeRow, Winner

LABEL_LENGTH = 500
acts = Acts(MAY_TAKE_MONEY, TAKES_PEOPLE)


@acts.on(Tournament, "pay_prize")
def pay(
    act: Act[Tournament],
    *,
    recipient: str,
    expected_cents: int,
    method: Receipt.Method = Receipt.Method.CASH,
) -> Receipt:
    """Pay a winner the whole open amount, or take back the excess, with one receipt.

    Args:
        recipient: ``prizes.queries.rows.Winner.key``.
        expected_cents: the amount on the page, negative if money is returned; if it has changed
            since, nothing is booked.
        method: cash, or a transfer made elsewhere.

    Raises:
        Conflict: if there is nothing to pay any more, or another sum.
        TournamentError: if more cash would leave the till than is in it.
    """
    winner = _winner(sheet_to_book(act.row), recipient)
    if winner is None or not winner.has_open_money:
        raise Conflict(_("Inzwischen ist hier nichts mehr auszuzahlen."))
    if winner.open_cents != expected_cents:
        raise Conflict(
            _("Offen sind jetzt {now}, nicht {then}. Bitte die Liste ansehen.").format(
                now=euro(winner.open_cents), then=euro(expected_cents)
            )
        )
    _check_given(act.row, winner.rows)
    return _pay(act, winner, method)


@acts.on(Tournament, "pay_all")
def pay_all(act: Act[Tournament], *, expected_cents: int) -> list[Receipt]:
    """Pay all winners their open amounts in cash, a receipt for each; all of them or none.

    Raises:
        Conflict: if there is nothing to pay any more, or another sum.
        TournamentError: if more cash would leave the till than is in it.
    """
    sheet = sheet_to_book(act.row)
    if not sheet.open_cents:
        raise Conflict(_("Inzwischen ist hier nichts mehr auszuzahlen."))
    cash.check_expected_sum(sheet.open_cents, expected_cents)
    winners = [winner for winner in sheet.recipients if winner.open_cents > 0]
    _check_given(act.row, [row for winner in winners for row in winner.rows])
    return [_pay(act, winner, Receipt.Method.CASH) for winner in winners]


def sheet_to_book(tournament: Tournament) -> PrizeSheet:
    """Return the prizes as they are stored, in the language of the documents."""
    with translation.override(tournament.document_language):
        sheet = PrizeSheet(tournament)
        _read = sheet.recipients, sheet.choosing
    return sheet


def _check_given(tournament: Tournament, rows: Iterable[PrizeRow]) -> None:
    slugs = {row.ranking for row in rows if row.open_cents > 0 or row.goods_are_open}
    check_members(tournament, slugs)


def check_members(tournament: Tournament, slugs: Collection[str]) -> None:
    """Refuse the first prize of a ranking with a member who does not qualify.

    *slugs* are the names of the rankings of the prizes.

    Raises:
        TournamentError: with the members, and the page to settle it.
    """
    categories = {ranking.category for name in slugs if (ranking := ranking_of(name))}
    for question in misfits(tournament) if categories else ():
        if question.ranking is not None and question.ranking.category in categories:
            raise TournamentError(
                _(
                    "{question} Bitte auf der Seite der Meldung herausnehmen oder mit einem Grund "
                    "aufnehmen; erst dann steht fest, wer die Preise bekommt."
                ).format(question=question.sentence)
            )


def _winner(sheet: PrizeSheet, recipient: str) -> Winner | None:
    return next((winner for winner in sheet.recipients if winner.key == recipient), None)


def _pay(act: Act[Tournament], winner: Winner, method: Receipt.Method) -> Receipt:
    rows = [row for row in winner.rows if row.open_cents]
    lines = [
        cash.ReceiptLine(CashEntry.Kind.PRIZE, -row.open_cents, winner.registration) for row in rows
    ]
    if not winner.open_cents:
        method = Receipt.Method.INTERNAL  # one prize pays for the other
    with translation.override(act.tournament.document_language):
        text = _text(rows)
    receipt = cash.book(act, method, lines, payer=winner.name, text=text)
    with act.entry("prize_returned" if winner.open_cents < 0 else "prize_paid", receipt):
        payouts = [
            store_payout(act, row, amount_cents=row.open_cents, receipt=receipt) for row in rows
        ]
        act.note(
            receipt=receipt.number,
            registration=winner.registration.pk if winner.registration else None,
            team=winner.team.pk if winner.team else None,
            prizes=[[payout.pot, payout.ranking, payout.amount_cents] for payout in payouts],
        )
    return receipt


def _text(rows: Sequence[PrizeRow]) -> str:
    """Return the text of a receipt: its prizes, without their computation."""
    prizes = (row.label.partition(":")[0] for row in rows)
    return "; ".join(
        f"{row.correction}: {prize}" if row.correction else prize
        for row, prize in zip(rows, prizes, strict=True)
    )


def store_payout(act: Act[Tournament], row: PrizeRow, **fields: object) -> PrizePayout:
    """Store a payout; one without money, or whose receipt was cancelled, is used again."""
    payout = next((candidate for candidate in row.payouts if candidate not in row.payments), None)
    if "goods" in fields and row.payouts:
        payout = row.payouts[0]
    is_new = payout is None
    payout = payout or PrizePayout(
        tournament=act.tournament,
        pot=row.pot,
        ranking=row.ranking,
        registration=row.registration,
        team=row.team,
        part=len(row.payouts) + 1,
    )
    payout.label = row.label[:LABEL_LENGTH]
    for name, value in fields.items():
        setattr(payout, name, value)
    if is_new:
        return act.add(payout)
    return act.store(payout)


@acts.on(Tournament, "hand_over")
def hand_over(act: Act[Tournament], *, recipient: str, pot: str, ranking: str) -> PrizePayout:
    """Record that goods were handed over.

    Raises:
        Conflict: if there are no goods to hand over.
    """
    row = _row(sheet_to_book(act.row), recipient, pot, ranking)
    if row is None or not row.goods_are_open:
        raise Conflict(_("Hier ist kein Sachpreis mehr zu übergeben."))
    _check_given(act.row, [row])
    with act.entry("prize_handed_over", row.payouts[0] if row.payouts else None):
        payout = store_payout(
            act,
            row,
            goods=row.goods,
            handed_over_at=timezone.now(),
            handed_over_by=act.actor.user,
        )
        act.note(pot=pot, ranking=ranking, goods=payout.goods)
    return payout


@acts.on(Tournament, "take_back_goods")
def take_back(act: Act[Tournament], *, recipient: str, pot: str, ranking: str) -> PrizePayout:
    """Record that goods were not handed over after all.

    Raises:
        WrongStatus: if nothing was handed over.
    """
    row = _row(sheet_to_book(act.row), recipient, pot, ranking)
    payout = row.handed_over if row else None
    if payout is None:
        raise WrongStatus(_("Hier ist kein Sachpreis übergeben."))
    with act.entry("prize_taken_back", payout):
        act.note(before={"pot": pot, "ranking": ranking, "goods": payout.goods})
        payout.goods, payout.handed_over_at, payout.handed_over_by = "", None, None
        return act.store(payout)


def _row(sheet: PrizeSheet, recipient: str, pot: str, ranking: str) -> PrizeRow | None:
    winner = _winner(sheet, recipient)
    rows = winner.rows if winner else ()
    return next((row for row in rows if (row.pot, row.ranking) == (pot, ranking)), None)
