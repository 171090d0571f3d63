"""Handing in after a Serie: the list, the Startkarten and the Bußgeld (§ 2.3.3).

Items are ticked off one by one in any order; after the last one the signed list is handed in.
The Bußgeld is booked in the cash book in the same act.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.money import euro
from tournaments.cash.services import cash
from tournaments.common.errors import Conflict, TournamentError, WrongStatus
from tournaments.common.roles import MAY_LEAD, MAY_TAKE_MONEY
from tournaments.common.rules import bussgeld_tariff
from tournaments.common.states import TAKES_PEOPLE
from tournaments.hall.queries.handing_in import MissingItems, OpenBussgeld, TableToHandIn, rows_of
from tournaments.journal.acts import Act, Acts
from tournaments.lists.services import signing
from tournaments.models import Bussgeld, BussgeldReceipt, CashEntry, Receipt, Signature, Spielliste

Status = Spielliste.Status


class HandInItem(StrEnum):
    """Items that are ticked off when the Spielleitung has received them."""

    LIST = "list"
    CARDS = "cards"


_FIELDS = {HandInItem.LIST: "list_received", HandInItem.CARDS: "cards_received"}

NOT_SETTLED = TAKES_PEOPLE.with_states(
    Status.OPEN, Status.COMPLETE, Status.SIGNED, Status.HANDED_IN
).with_refusal(
    gettext_lazy("{table}: Die Liste ist schon „{status}“; am Abgeben ändert sich nichts mehr.")
)
acts = Acts(MAY_TAKE_MONEY, NOT_SETTLED)


@acts.on(Spielliste, "tick_received")
def tick(act: Act[Spielliste], *, thing: HandInItem, received: bool) -> Spielliste:
    """Tick off the list or the Startkarten of a table, or take that back.

    A handed-in list with a missing item becomes signed again.
    """
    return _tick(act, _row(act), thing, received=received)


@acts.on(Spielliste, "mark_late", entry="list_late", by=MAY_LEAD)
def mark_late(act: Act[Spielliste], *, late: bool) -> Spielliste:
    """Mark a list as handed in late, or take that back; the Bußgeld follows the tariff.

    Raises:
        TournamentError: if the tariff has no amount for late lists.
    """
    if late and not bussgeld_tariff(act.tournament).late_cents:
        raise TournamentError(_("Für zu spät abgegebene Listen ist kein Bußgeld ausgeschrieben."))
    with act.entry("list_late" if late else "list_not_late"):
        act.row.is_late = late
        act.store(act.row)
    return _update_status(act, _row(act))


@acts.on(Spielliste, "confirm_signatures", by=MAY_LEAD)
def confirm_signatures(act: Act[Spielliste]) -> Spielliste:
    """Record that the Spielleitung saw the signatures on the paper (§ 2.2.4).

    Missing signatures are added, those reported by the table are confirmed.

    Raises:
        WrongStatus: if games are missing.
        TournamentError: if all signatures are confirmed already.
    """
    row = _row(act)
    _check_complete(row)
    _confirm(act, row)
    return _update_status(act, _row(act))


@acts.on(Spielliste, "pay_bussgeld", when=TAKES_PEOPLE)
def pay(
    act: Act[Spielliste], *, expected_cents: int, registrations: Collection[int] | None = None
) -> Receipt:
    """Book the open Bußgeld in cash, or pay back an overpayment after a correction.

    Args:
        expected_cents: the sum that the page showed; a negative sum is paid out.
        registrations: keys of the registrations that pay; None means all at the table.

    Raises:
        WrongStatus: if the list is incomplete or invalid.
        Conflict: if the sum has changed.
        TournamentError: if nothing is open, or the till has too little money to pay back.
    """
    receipt = _pay(act, _row(act), expected_cents, registrations)
    _update_status(act, _row(act))
    return receipt


@acts.on(
    Spielliste,
    "waive_bussgeld",
    entry="bussgeld_waived",
    by=MAY_LEAD,
    when=TAKES_PEOPLE,
    reason=gettext_lazy("Ein Erlass braucht einen Grund."),
)
def waive(act: Act[Spielliste], *, registration_id: int) -> Bussgeld:
    """Waive the open Bußgeld of a registration.

    Raises:
        TournamentError: if no Bußgeld is open.
        WrongStatus: if the list is incomplete or invalid.
    """
    owed = _open_bussgeld(_row(act), registration_id)
    if owed.open_cents <= 0:
        raise TournamentError(
            _("{person} ist nichts schuldig; es gibt nichts zu erlassen.").format(
                person=owed.registration
            )
        )
    (bussgeld,) = _bussgelder_of(act, [owed])
    bussgeld.waived_cents, bussgeld.waived_reason = owed.tariff_cents - owed.paid_cents, act.reason
    _store_bussgelder(act, [bussgeld])
    act.note(registration=registration_id, waived_cents=owed.open_cents)
    _update_status(act, _row(act))
    return bussgeld


@acts.on(Spielliste, "take_back_waiver", entry="bussgeld_waiver_taken_back", by=MAY_LEAD)
def take_back_waiver(act: Act[Spielliste], *, registration_id: int) -> Bussgeld:
    """Take back the waiver of a Bußgeld.

    Raises:
        TournamentError: if nothing was waived.
        WrongStatus: if the list is incomplete.
    """
    owed = _open_bussgeld(_row(act), registration_id)
    if not owed.waived_cents:
        raise TournamentError(_("{person} wurde nichts erlassen.").format(person=owed.registration))
    act.note(
        before={
            "registration": registration_id,
            "waived_cents": owed.waived_cents,
            "reason": owed.waived_reason,
        }
    )
    bussgeld = Bussgeld.objects.get(spielliste=act.row, registration_id=registration_id)
    bussgeld.waived_cents, bussgeld.waived_reason = 0, ""
    act.store(bussgeld)
    _update_status(act, _row(act))
    return bussgeld


@acts.on(Spielliste, "take_all")
def take_all(act: Act[Spielliste], *, expected_cents: int, signatures: bool = False) -> Spielliste:
    """Record that list, Startkarten and the Bußgeld in cash were received.

    Args:
        expected_cents: the Bußgeld that the page showed.
        signatures: whether the missing signatures are on the paper.

    Raises:
        WrongStatus: if games are missing.
        Conflict: if the Bußgeld has changed.
    """
    row = _row(act)
    _check_complete(row)
    if row.open_cents != expected_cents:
        raise _sum_conflict(row, row.open_cents)
    if signatures and MissingItems.SIGNATURES in row.missing:
        _confirm(act, row)
        row = _row(act)
    for thing in HandInItem:
        _tick(act, row, thing, received=True)
    if not row.is_money_settled:
        _pay(act, row, expected_cents, None)
    return _update_status(act, _row(act))


# --- Shared by the acts -------------------------------------------------------------------


def _row(act: Act[Spielliste]) -> TableToHandIn:
    return rows_of(act.tournament, [act.row])[0]


def _update_status(act: Act[Spielliste], row: TableToHandIn) -> Spielliste:
    """Set the status to handed in if nothing is missing, else back to signed."""
    spielliste, missing = act.row, row.missing
    if spielliste.status == Status.SIGNED and not missing:
        with act.entry("list_handed_in"):
            spielliste.status = Status.HANDED_IN
            spielliste.handed_in_at, spielliste.handed_in_by = timezone.now(), act.actor.user
            spielliste.list_received = True  # without paper, the device has sent it
            act.store(spielliste)
    elif spielliste.status == Status.HANDED_IN and missing:
        with act.entry("list_not_handed_in"):
            spielliste.status = Status.SIGNED
            spielliste.handed_in_at = spielliste.handed_in_by = None
            act.store(spielliste)
    return spielliste


def _tick(
    act: Act[Spielliste], row: TableToHandIn, thing: HandInItem, *, received: bool
) -> Spielliste:
    if getattr(act.row, _FIELDS[thing]) != received:
        with act.entry("thing_received" if received else "thing_missing_again"):
            setattr(act.row, _FIELDS[thing], received)
            act.store(act.row)
            act.note(thing=thing.value)
    return _update_status(act, row)


def _confirm(act: Act[Spielliste], row: TableToHandIn) -> None:
    spielliste = act.row
    if MissingItems.SIGNATURES not in row.missing:
        raise TournamentError(
            _("{table}: Alle Unterschriften liegen schon vor.").format(table=spielliste.table)
        )
    if spielliste.status == Status.COMPLETE:
        act.row = signing.sign_on_paper(act, spielliste.pk)
    reported = spielliste.signatures.filter(
        method=Signature.Method.PAPER, confirmed_by__isnull=True
    )
    if reported:
        with act.entry("signatures_confirmed"):
            act.note(number=act.change_all(reported, confirmed_by=act.actor.user))


def _pay(
    act: Act[Spielliste],
    row: TableToHandIn,
    expected_cents: int,
    registrations: Collection[int] | None,
) -> Receipt:
    _check_complete(row)
    spielliste = act.row
    paying = [
        due
        for due in row.owed
        if due.open_cents and (registrations is None or due.registration.pk in registrations)
    ]
    total_cents = sum(bussgeld.open_cents for bussgeld in paying)
    if total_cents != expected_cents:
        raise _sum_conflict(row, total_cents)
    if not paying:
        raise TournamentError(
            _("{table}: Es ist kein Bußgeld offen.").format(table=spielliste.table)
        )
    place = _("{serie}, {table}").format(serie=spielliste.table.serie, table=spielliste.table)
    receipt = cash.book(
        act,
        Receipt.Method.CASH,
        [
            cash.ReceiptLine(CashEntry.Kind.BUSSGELD, bussgeld.open_cents, bussgeld.registration)
            for bussgeld in paying
        ],
        payer=str(paying[0].registration.person) if len(paying) == 1 else place,
        text=_("Bußgeld {place}").format(place=place),
    )
    with act.entry("bussgeld_paid"):
        bussgelder = _bussgelder_of(act, paying)
        _store_bussgelder(act, bussgelder)
        act.add_all(BussgeldReceipt(bussgeld=bussgeld, receipt=receipt) for bussgeld in bussgelder)
        cents = {str(bussgeld.registration.pk): bussgeld.open_cents for bussgeld in paying}
        act.note(receipt=receipt.number, cents=cents)
    return receipt


def _bussgelder_of(act: Act[Spielliste], owed: Sequence[OpenBussgeld]) -> list[Bussgeld]:
    """Return the stored or new Bußgelder of these registrations with current amounts."""
    rows = Bussgeld.objects.filter(spielliste=act.row)
    stored = {row.registration_id: row for row in rows}
    bussgelder = []
    for due in owed:
        bussgeld = stored.get(due.registration.pk) or Bussgeld(
            spielliste=act.row, registration=due.registration
        )
        bussgeld.due_cents = due.tariff_cents
        bussgelder.append(bussgeld)
    return bussgelder


def _store_bussgelder(act: Act[Spielliste], bussgelder: Sequence[Bussgeld]) -> None:
    for bussgeld in bussgelder:
        if bussgeld.pk is not None:
            act.store(bussgeld)
    act.add_all(bussgeld for bussgeld in bussgelder if bussgeld.pk is None)


def _sum_conflict(row: TableToHandIn, total_cents: int) -> Conflict:
    return Conflict(
        _(
            "Das Bußgeld von {table} hat sich inzwischen geändert: Offen sind jetzt {amount}. "
            "Bitte noch einmal ansehen."
        ).format(table=row.spielliste.table, amount=euro(total_cents))
    )


def _open_bussgeld(row: TableToHandIn, registration_id: int) -> OpenBussgeld:
    _check_complete(row)
    for bussgeld in row.owed:
        if bussgeld.registration.pk == registration_id:
            return bussgeld
    raise TournamentError(
        _("Diese Person sitzt nicht an {table} und hat dort nichts gezahlt.").format(
            table=row.spielliste.table
        )
    )


def _check_complete(row: TableToHandIn) -> None:
    spielliste = row.spielliste
    if spielliste.status == Status.INVALID:
        raise WrongStatus(
            _("{table}: Die Liste ist ungültig; es wird kein Bußgeld erhoben.").format(
                table=spielliste.table
            )
        )
    if spielliste.status == Status.OPEN:
        raise WrongStatus(
            _(
                "{table}: Erst {games} von {wanted} Spielen sind eingetragen. Was zu zahlen ist, "
                "steht fest, wenn die Liste vollständig ist."
            ).format(table=spielliste.table, games=row.games, wanted=row.games_wanted)
        )
