"""Handing in after a Serie: the list, the Startkarten and the Bußgeld (§ 2.3.3).

Each thing is ticked off by itself and may come at any time; with the last of them the
signed list counts as handed in. The Bußgeld goes into the cash book in the same act.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.money import euro
from tournaments.cash.services import cash
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, TournamentError, WrongStatus
from tournaments.common.locks import lock_spielliste
from tournaments.hall.queries.handing_in import Missing, Owed, TableToHandIn, rows_of
from tournaments.journal import services as journal
from tournaments.journal.acts import Act
from tournaments.lists.services import signing
from tournaments.models import (
    Bussgeld,
    BussgeldReceipt,
    CashEntry,
    Receipt,
    Signature,
    Spielliste,
    Tournament,
)

Status = Spielliste.Status


class Thing(StrEnum):
    """What is ticked off when it lies on the table of the Spielleitung."""

    LIST = "list"
    CARDS = "cards"


_FIELDS = {Thing.LIST: "list_received", Thing.CARDS: "cards_received"}


@transaction.atomic
def tick(*, spielliste_id: int, thing: Thing, received: bool, actor: Actor) -> Spielliste:
    """Record that the list or the Startkarten of a table are there, or are not after all.

    A list that was handed in and now lacks something is only signed again.

    Raises:
        WrongStatus: if the list is verified already or invalid.
    """
    row = _locked_row(spielliste_id)
    _demand_not_settled(row.spielliste)
    return _tick(row, thing, actor, received=received)


@transaction.atomic
def confirm_signatures(*, spielliste_id: int, actor: Actor) -> Spielliste:
    """Record that the signatures were seen on the paper (§ 2.2.4).

    Those that are missing are added; those that the table only spoke of are confirmed.

    Raises:
        WrongStatus: if games are missing, or the list is verified or invalid.
        TournamentError: if all signatures are there and were seen.
    """
    row = _locked_row(spielliste_id)
    _demand_not_settled(row.spielliste)
    _demand_whole(row)
    _confirm(row, actor)
    return _follow(_reread(row), actor)


@transaction.atomic
def pay(
    *,
    spielliste_id: int,
    expected_cents: int,
    actor: Actor,
    registrations: Collection[int] | None = None,
) -> Receipt:
    """Take the Bußgeld that is open in cash, or pay back what a correction left too much.

    Args:
        spielliste_id: key of the list.
        expected_cents: the sum that whoever takes it saw; negative is paid out.
        actor: who is at the till.
        registrations: who pays, by key; None means everybody at the table.

    Raises:
        WrongStatus: if the list is not whole yet, or invalid.
        Conflict: if the sum is another one by now.
        TournamentError: if nothing is open, or the till has too little to pay back.
    """
    row = _locked_row(spielliste_id)
    receipt = _pay(row, expected_cents, actor, registrations)
    _follow(_reread(row), actor)
    return receipt


@transaction.atomic
def waive(*, spielliste_id: int, registration_id: int, reason: str, actor: Actor) -> Bussgeld:
    """Let somebody off what is open of the Bußgeld.

    Raises:
        TournamentError: without a reason, or if that person owes nothing.
        WrongStatus: if the list is not whole yet, or invalid.
    """
    row = _locked_row(spielliste_id)
    one = _owed_by(row, registration_id)
    if not reason.strip():
        raise TournamentError(_("Ein Erlass braucht einen Grund."))
    if one.open_cents <= 0:
        raise TournamentError(
            _("{person} ist nichts schuldig; es gibt nichts zu erlassen.").format(
                person=one.registration
            )
        )
    bussgeld, _created = Bussgeld.objects.update_or_create(
        spielliste=row.spielliste,
        registration=one.registration,
        defaults={
            "due_cents": one.tariff_cents,
            "waived_cents": one.tariff_cents - one.paid_cents,
            "waived_reason": reason.strip(),
        },
    )
    facts = {"registration": registration_id, "waived_cents": one.open_cents}
    _record(row, actor, "bussgeld_waived", reason=reason, **facts)
    _follow(_reread(row), actor)
    return bussgeld


@transaction.atomic
def take_back_waiver(*, spielliste_id: int, registration_id: int, actor: Actor) -> Bussgeld:
    """Ask for a Bußgeld again that was waived.

    Raises:
        TournamentError: if nothing was waived.
        WrongStatus: if the list is verified already.
    """
    row = _locked_row(spielliste_id)
    one = _owed_by(row, registration_id)
    _demand_not_settled(row.spielliste)
    if not one.waived_cents:
        raise TournamentError(_("{person} wurde nichts erlassen.").format(person=one.registration))
    bussgeld = Bussgeld.objects.get(spielliste=row.spielliste, registration_id=registration_id)
    bussgeld.waived_cents, bussgeld.waived_reason = 0, ""
    bussgeld.save(update_fields=["waived_cents", "waived_reason"])
    journal.record(
        _tournament(row),
        actor,
        "bussgeld_waiver_taken_back",
        row.spielliste,
        before={
            "registration": registration_id,
            "waived_cents": one.waived_cents,
            "reason": one.waived_reason,
        },
    )
    _follow(_reread(row), actor)
    return bussgeld


@transaction.atomic
def take_all(
    *, spielliste_id: int, expected_cents: int, actor: Actor, signatures: bool = False
) -> Spielliste:
    """Record that everything is there: list, Startkarten and the Bußgeld in cash.

    Args:
        spielliste_id: key of the list.
        expected_cents: of the Bußgeld, as whoever takes it saw it.
        actor: who receives it.
        signatures: the signatures that are missing stand on the paper.

    Raises:
        WrongStatus: if games are missing, or the list is verified or invalid.
        Conflict: if the Bußgeld is another one by now.
    """
    row = _locked_row(spielliste_id)
    _demand_not_settled(row.spielliste)
    _demand_whole(row)
    if row.open_cents != expected_cents:
        raise _other_sum(row, row.open_cents)
    if signatures and Missing.SIGNATURES in row.missing:
        _confirm(row, actor)
        row = _reread(row)
    for thing in Thing:
        _tick(row, thing, actor, received=True)
    if not row.is_money_settled:
        _pay(row, expected_cents, actor, None)
    return _follow(_reread(row), actor)


# --- What the acts share ------------------------------------------------------------------


def _locked_row(spielliste_id: int) -> TableToHandIn:
    spielliste = lock_spielliste(spielliste_id)
    return rows_of(spielliste.table.serie.tournament, [spielliste])[0]


def _reread(row: TableToHandIn) -> TableToHandIn:
    return rows_of(_tournament(row), [row.spielliste])[0]


def _tournament(row: TableToHandIn) -> Tournament:
    return row.spielliste.table.serie.tournament


def _record(
    row: TableToHandIn, actor: Actor, action: str, *, reason: str = "", **facts: object
) -> None:
    journal.record(_tournament(row), actor, action, row.spielliste, after=facts, reason=reason)


def _follow(row: TableToHandIn, actor: Actor) -> Spielliste:
    """Let the status follow what is there: signed and complete is handed in."""
    spielliste = row.spielliste
    missing = row.missing
    if spielliste.status == Status.SIGNED and not missing:
        spielliste.status = Status.HANDED_IN
        spielliste.handed_in_at, spielliste.handed_in_by = timezone.now(), actor.user
        spielliste.list_received = True  # the device sent it, where there is no paper
        action = "list_handed_in"
    elif spielliste.status == Status.HANDED_IN and missing:
        spielliste.status = Status.SIGNED
        spielliste.handed_in_at = spielliste.handed_in_by = None
        action = "list_not_handed_in"
    else:
        return spielliste
    spielliste.save(update_fields=["status", "handed_in_at", "handed_in_by", "list_received"])
    _record(row, actor, action, status=spielliste.status)
    return spielliste


def _tick(row: TableToHandIn, thing: Thing, actor: Actor, *, received: bool) -> Spielliste:
    spielliste, field = row.spielliste, _FIELDS[thing]
    if getattr(spielliste, field) != received:
        setattr(spielliste, field, received)
        spielliste.save(update_fields=[field])
        action = "thing_received" if received else "thing_missing_again"
        _record(row, actor, action, thing=thing.value)
    return _follow(row, actor)


def _confirm(row: TableToHandIn, actor: Actor) -> None:
    spielliste = row.spielliste
    if Missing.SIGNATURES not in row.missing:
        raise TournamentError(
            _("{table}: Alle Unterschriften liegen schon vor.").format(table=spielliste.table)
        )
    if spielliste.status == Status.COMPLETE:
        signing.sign_on_paper(spielliste_id=spielliste.pk, actor=actor)
        spielliste.refresh_from_db(fields=["status", "signed_at", "protest_until"])
    confirmed = Signature.objects.filter(
        spielliste=spielliste, method=Signature.Method.PAPER, confirmed_by__isnull=True
    ).update(confirmed_by=actor.user)
    if confirmed:
        _record(row, actor, "signatures_confirmed", number=confirmed)


def _pay(
    row: TableToHandIn, expected_cents: int, actor: Actor, registrations: Collection[int] | None
) -> Receipt:
    _demand_whole(row)
    spielliste = row.spielliste
    paying = [
        one
        for one in row.owed
        if one.open_cents and (registrations is None or one.registration.pk in registrations)
    ]
    total_cents = sum(one.open_cents for one in paying)
    if total_cents != expected_cents:
        raise _other_sum(row, total_cents)
    if not paying:
        raise TournamentError(
            _("{table}: Es ist kein Bußgeld offen.").format(table=spielliste.table)
        )
    place = _("{serie}, {table}").format(serie=spielliste.table.serie, table=spielliste.table)
    receipt = cash.book(
        Act(_tournament(row), row.spielliste, actor),
        Receipt.Method.CASH,
        [
            cash.ReceiptLine(CashEntry.Kind.BUSSGELD, one.open_cents, one.registration)
            for one in paying
        ],
        payer=str(paying[0].registration.person) if len(paying) == 1 else place,
        text=_("Bußgeld {place}").format(place=place),
    )
    for one in paying:
        bussgeld, _created = Bussgeld.objects.update_or_create(
            spielliste=spielliste,
            registration=one.registration,
            defaults={"due_cents": one.tariff_cents},
        )
        BussgeldReceipt.objects.create(bussgeld=bussgeld, receipt=receipt)
    cents = {str(one.registration.pk): one.open_cents for one in paying}
    _record(row, actor, "bussgeld_paid", receipt=receipt.number, cents=cents)
    return receipt


def _other_sum(row: TableToHandIn, total_cents: int) -> Conflict:
    return Conflict(
        _(
            "Das Bußgeld von {table} hat sich inzwischen geändert: Offen sind jetzt {amount}. "
            "Bitte noch einmal ansehen."
        ).format(table=row.spielliste.table, amount=euro(total_cents))
    )


def _owed_by(row: TableToHandIn, registration_id: int) -> Owed:
    _demand_whole(row)
    for one in row.owed:
        if one.registration.pk == registration_id:
            return one
    raise TournamentError(
        _("Diese Person sitzt nicht an {table} und hat dort nichts gezahlt.").format(
            table=row.spielliste.table
        )
    )


def _demand_whole(row: TableToHandIn) -> None:
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


def _demand_not_settled(spielliste: Spielliste) -> None:
    if spielliste.status in Spielliste.SETTLED:
        raise WrongStatus(
            _(
                "{table}: Die Liste ist schon „{status}“; am Abgeben ändert sich nichts mehr."
            ).format(table=spielliste.table, status=spielliste.get_status_display())
        )
