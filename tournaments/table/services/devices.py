"""Access of phones and tablets to the list of their table, and the device that keeps it.

The token in the table's code opens only this list, until its Serie is closed or the code is
withdrawn. Each device gets its own secret in a cookie. All of them may read the list (§ 2.2.3),
one keeps it: another one takes over only if the keeper has released it or the Spielleitung
allows it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common.access_keys import CODE_LENGTH, code_hash, renew
from tournaments.common.code_throttling import GuessLimit, TooManyGuesses
from tournaments.common.errors import Conflict, NotAllowed, TournamentError
from tournaments.common.roles import AT_TABLE, MAY_LEAD
from tournaments.common.states import TAKES_PEOPLE
from tournaments.common.tokens import hash_token, new_token
from tournaments.journal import services as journal
from tournaments.journal.acts import Act, Acts
from tournaments.machine.optional_writes import write_if_possible
from tournaments.models import JournalEntry, Table, TableAccess, TableDevice, Tournament

acts = Acts(AT_TABLE, TAKES_PEOPLE)
STORE_TIMEOUT = 10  # seconds to store a new device; without, it may only read


class UnknownCode(TournamentError):
    """No table has this token or short code."""


class AccessEnded(NotAllowed):
    """The code is no longer valid."""


def find_access(token: str) -> TableAccess:
    """Return the access of a token, with table, list and Serie; 1 query.

    Raises:
        UnknownCode: if the token belongs to no table.
    """
    rows = TableAccess.objects.select_related("table__serie__tournament", "table__spielliste")
    access = rows.filter(token_hash=hash_token(token)).first()
    if access is None:
        raise UnknownCode(_("Diese Adresse gehört zu keinem Tisch, oder sie gilt nicht mehr."))
    return access


def check_open(access: TableAccess) -> None:
    """Check that the table's code is valid.

    Raises:
        AccessEnded: if the Serie is closed, or the code is withdrawn.
    """
    serie = access.table.serie
    if serie.tournament.is_called_off:
        raise AccessEnded(serie.tournament.called_off_note)
    if serie.closed_at is not None or serie.tournament.is_read_only:
        raise AccessEnded(
            _(
                "{serie} ist abgeschlossen. Die Liste von {table} liegt bei der Spielleitung."
            ).format(serie=serie, table=access.table)
        )
    if access.withdrawn_at is not None:
        raise AccessEnded(_withdrawn_message())


def _withdrawn_message() -> str:
    return _(
        "Der Zugang dieses Tisches wurde zurückgezogen. Bitte bei der Spielleitung den neuen "
        "Code holen."
    )


def find_by_code(
    code: str,
    *,
    table: int,
    tournament: Tournament | None = None,
    address: str = "",
    secret: str = "",
    now: datetime | None = None,
) -> TableAccess:
    """Return the access of a short code at the table with this number.

    A wrong code is stored for some minutes although it is refused, so do not call this in a
    transaction.

    Args:
        code: as typed; case and dashes are ignored.
        tournament: limits the search; its guesses are counted separately.
        address: network address of the device, to limit guessing.
        secret: of the device; guesses of others do not block a device of this table.

    Raises:
        UnknownCode: if it belongs to no table.
        TooManyGuesses: if too many wrong codes were typed recently for this table number,
            from this address or in total.
        AccessEnded: if the code is no longer valid.
    """
    now = now or timezone.now()
    within = {} if tournament is None else {"table__serie__tournament": tournament}
    device = TableDevice.objects.filter(
        token_hash=hash_token(secret), withdrawn_at__isnull=True, table__number=table, **within
    )
    limit = GuessLimit(
        number=table,
        tournament=tournament,
        address=address,
        device=secret if secret and device.exists() else "",
    )
    if limit.is_too_much(now):
        raise TooManyGuesses(
            _(
                "Für Tisch {table} wurden zu viele falsche Codes eingegeben. Bitte zehn Minuten "
                "warten oder den QR-Code der Tischkarte scannen; der geht weiterhin."
            ).format(table=table)
        )
    accesses = TableAccess.objects.select_related("table__serie__tournament")
    access = accesses.filter(code_hash=code_hash(code), table__number=table, **within).first()
    if access is None:
        limit.note_wrong(now)
        raise UnknownCode(
            _(
                "Diesen Code gibt es an Tisch {table} nicht. Er hat {length} Zeichen und steht auf "
                "der Tischkarte beim QR-Code."
            ).format(table=table, length=CODE_LENGTH)
        )
    check_open(access)
    return access


# --- Devices ----------------------------------------------------------------------------


# No act: a new device changes nothing of the tournament.
def open_device(
    access: TableAccess, *, secret: str = "", now: datetime | None = None
) -> tuple[TableDevice | None, str]:
    """Return the device with *secret* in its cookie, or a new device and its secret.

    Returns None if nothing can be written: the list can be read without a device.

    Raises:
        AccessEnded: if the code is no longer valid.
    """
    check_open(access)
    now = now or timezone.now()
    device = find_device(access, secret)
    if device is not None:
        note_seen(device.pk, device.last_seen_at, now)
        return device, secret
    secret = new_token()
    device = write_if_possible(
        lambda: TableDevice.objects.create(
            table=access.table,
            token_hash=hash_token(secret),
            generation=access.generation,
            last_seen_at=now,
        ),
        seconds=STORE_TIMEOUT,
    )
    return device, secret if device else ""


def note_seen(device_id: int, seen_at: datetime, now: datetime) -> None:
    """Store the time of a device's request, at most once in ``TableDevice.SEEN_EVERY``.

    A clock that was set back does not prevent it.
    """
    if abs(now - seen_at) >= TableDevice.SEEN_EVERY:
        # One of several simultaneous requests writes.
        rows = TableDevice.objects.filter(pk=device_id, last_seen_at=seen_at)
        write_if_possible(lambda: rows.update(last_seen_at=now))


def find_device(access: TableAccess, secret: str) -> TableDevice | None:
    """Return the device of the table with *secret* in its cookie; 1 query or none."""
    if not secret:
        return None
    return TableDevice.objects.filter(
        token_hash=hash_token(secret),
        table=access.table_id,
        generation=access.generation,
        withdrawn_at__isnull=True,
    ).first()


def check_not_withdrawn(secret: str) -> None:
    """Check that the device of an unknown token is not shut out.

    Raises:
        AccessEnded: if it is, so that the page says so instead of „not found“.
    """
    shut_out = TableDevice.objects.filter(token_hash=hash_token(secret), withdrawn_at__isnull=False)
    if secret and shut_out.exists():
        raise AccessEnded(_withdrawn_message())


@acts.on(TableDevice, "take_over")
def take_over(act: Act[TableDevice]) -> TableDevice:
    """Make a device the keeper of its table's list.

    Raises:
        Conflict: if another device keeps it, unless a takeover has moved the installation since.
        AccessEnded: if the device is shut out.
    """
    device = act.row
    _check_admitted(device)
    if device.is_keeper:
        return device
    keeper = TableDevice.objects.filter(table=device.table_id, is_keeper=True).first()
    if keeper is not None and not _is_from_before_takeover(keeper):
        raise Conflict(
            _(
                "An {table} führt schon ein anderes Gerät die Liste. Dort „Gerät freigeben“ wählen "
                "oder die Spielleitung bitten, den Wechsel zu erlauben."
            ).format(table=device.table)
        )
    if keeper is not None:
        _set_keeper(act, "keeper_dismissed", keeper, device.table, keeps=False)
    _set_keeper(act, "keeper_taken", device, device.table, keeps=True)
    return device


@acts.on(TableDevice, "release")
def release(act: Act[TableDevice]) -> TableDevice:
    """Release the list, so that another device can take over.

    Raises:
        AccessEnded: if the device is shut out.
    """
    device = act.row
    _check_admitted(device)
    if device.is_keeper:
        _set_keeper(act, "keeper_released", device, device.table, keeps=False)
    return device


@acts.on(Table, "allow_take_over", by=MAY_LEAD)
def allow_take_over(act: Act[Table]) -> None:
    """Dismiss the device that keeps the list, so that another one can take over.

    Raises:
        TournamentError: if no device keeps the list; then any device can take over.
    """
    keeper = act.row.devices.filter(is_keeper=True).first()
    if keeper is None:
        raise TournamentError(
            _("An {table} führt gerade kein Gerät die Liste; jedes kann sie übernehmen.").format(
                table=act.row
            )
        )
    _set_keeper(act, "keeper_dismissed", keeper, act.row, keeps=False)


def _check_admitted(device: TableDevice) -> None:
    if device.withdrawn_at is not None:
        raise AccessEnded(_withdrawn_message())


def _set_keeper(
    act: Act[Any], entry: str, device: TableDevice, table: Table, *, keeps: bool
) -> None:
    with act.entry(entry, table):
        device.is_keeper = keeps
        act.store(device)
        act.note(device=device.pk)


def _is_from_before_takeover(keeper: TableDevice) -> bool:
    """Whether another laptop took the installation over after the device was last seen."""
    taken = JournalEntry.objects.filter(chain__scope=journal.INSTALLATION, action="taken_over")
    return taken.filter(at__gt=keeper.last_seen_at).exists()


@acts.on(Table, "withdraw_access", entry="table_access_withdrawn", by=MAY_LEAD)
def withdraw_access(act: Act[Table]) -> TableAccess:
    """Replace the codes of a table and shut out its devices; return the new access.

    Stored submissions are kept; later ones of these devices are refused.
    """
    access = act.row.access
    renew(access)
    access.withdrawn_at = None  # even if the closing of the Serie ended the codes
    act.store(access)
    shut_out = act.row.devices.filter(withdrawn_at__isnull=True)
    number = act.change_all(shut_out, is_keeper=False, withdrawn_at=timezone.now())
    act.note(generation=access.generation, devices=number)
    return access
