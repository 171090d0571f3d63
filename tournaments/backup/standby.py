"""The first laptop's side of the standby: admitting the standby laptop and sending changes.

A code that is shown once and typed on the standby laptop is exchanged for a long token, which
every request needs. Each answer is made on request, so it is never older than the request.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from tournaments.backup import generations, replication
from tournaments.backup.changes import changes
from tournaments.backup.database_copy import database_bytes
from tournaments.backup.packing import current_ends, folder, open_state
from tournaments.backup.status_file import last, locked, read_json, touch, write_json
from tournaments.common.errors import TournamentError
from tournaments.common.tokens import hash_token, new_token
from tournaments.models import User

CODE_LASTS = timedelta(minutes=15)
MOST_TRIES = 5
TOLERATED_SECONDS, SECONDS_IN_MINUTES = (
    5,
    120,
)  # seconds that the other laptop may lag; and that are told so
LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
UP_TO_DATE = "gefolgt"  # note of :mod:`status_file`: when the standby laptop had the newest state


MEGABYTE = 10**6
# Measured with 50 tables and two cores: each request reads the whole database.
SECONDS_BEHIND, SECONDS_EACH_MEGABYTE, MOST_MEGABYTES = 10, 0.1, 10


def _file() -> Path:
    return folder() / "ersatz.json"


def _megabytes() -> int:
    return -(-database_bytes() // MEGABYTE)


def seconds_behind() -> int:
    """Return the greatest lag of the standby laptop under full load, in seconds."""
    return round(SECONDS_BEHIND + SECONDS_EACH_MEGABYTE * _megabytes())


def loss_warning() -> str:
    """Return the warning that the standby laptop may lack the last seconds, by the data's size.

    A server of PostgreSQL has a better way.
    """
    sentence = _(
        "Fällt dieser Rechner aus, fehlt dort, was er zuletzt angenommen hat: bei {size} MB Daten "
        "und voller Last bis zu etwa {seconds} Sekunden."
    ).format(size=_megabytes(), seconds=seconds_behind())
    if connection.vendor == "postgresql":
        sentence += " " + _("Streaming Replication hält mehr (docs/operating.md).")
    return sentence


def _check_database_size() -> None:
    """Refuse a database that is copied too slowly.

    Raises:
        TournamentError: on PostgreSQL, which has streaming replication.
    """
    if connection.vendor == "postgresql" and _megabytes() > MOST_MEGABYTES:
        raise TournamentError(
            _(
                "Diese Datenbank ist für einen bereitstehenden Laptop zu groß (über {size} MB). "
                "Bitte einen Ersatzserver mit Streaming Replication nehmen; docs/operating.md "
                "sagt, wie."
            ).format(size=MOST_MEGABYTES)
        )


def new_code(now: datetime | None = None) -> str:
    """Return a code that admits one laptop; the previous code becomes invalid.

    Raises:
        TournamentError: if the database is too large for a standby laptop.
    """
    _check_database_size()
    code = "-".join("".join(secrets.choice(LETTERS) for _at in range(4)) for _group in range(3))
    until = (now or timezone.now()) + CODE_LASTS
    with locked("ersatz"):
        stored = read_json(_file())
        write_json(
            _file(), {**stored, "code": hash_token(code), "until": until.isoformat(), "tries": 0}
        )
    return code


def admit(code: str, *, address: str, own: str = "", now: datetime | None = None) -> str:
    """Return the token for a valid code; the previous standby laptop is shut out.

    Args:
        code: as typed on the standby laptop.
        own: address of this laptop, which the standby laptop may get when it takes over.

    Raises:
        TournamentError: if the code is wrong, was used, or is too old.
    """
    now = now or timezone.now()
    if not _has_valid_code(
        read_json(_file()), now
    ):  # the page is public: without a code nothing is locked or written
        raise _wrong_code()
    with locked("ersatz"):
        stored = read_json(_file())
        right = constant_time_compare(hash_token(code.strip().upper()), stored.get("code", ""))
        if not (right and _has_valid_code(stored, now)):
            if _has_valid_code(stored, now):
                write_json(_file(), {**stored, "tries": stored["tries"] + 1})
            raise _wrong_code()
        token = new_token()
        stored = {"token": hash_token(token), "address": address, "own": own}
        write_json(_file(), {**stored, "at": now.isoformat()})
    touch(UP_TO_DATE)
    return token


def _has_valid_code(stored: dict[str, Any], now: datetime) -> bool:
    """Whether a shown code can still be used."""
    until = stored.get("until", "")
    return bool(until) and stored["tries"] < MOST_TRIES and now < datetime.fromisoformat(until)


def _wrong_code() -> TournamentError:
    return TournamentError(
        _(
            "Dieser Code gilt nicht. Bitte auf dem ersten Laptop unter „Sicherungen“ einen "
            "neuen anzeigen lassen; er gilt einmal und eine Viertelstunde lang."
        )
    )


def standby_laptop() -> dict[str, Any]:
    """Return address and time of admission of the standby laptop; empty if there is none."""
    stored = read_json(_file())
    return stored if stored.get("token") else {}


def shut_out() -> None:
    """Make the token invalid, so that no laptop can fetch data."""
    with locked("ersatz"):
        # Files prepared by an earlier version are deleted as well.
        for path in (_file(), *folder().glob("ersatz-*.tar.gz")):
            path.unlink(missing_ok=True)


def authenticate(token: str, host: str) -> bool:
    """Whether *token* is that of the standby laptop; if so, store its present address."""
    laptop = standby_laptop()
    if not constant_time_compare(hash_token(token), laptop.get("token", "")):
        return False
    address = f"http://{host}:{laptop['address'].rpartition(':')[2]}"
    if address != laptop["address"]:
        with locked("ersatz"):
            write_json(_file(), {**laptop, "address": address})
    return True


def lag() -> dict[str, Any]:
    """Return the context of the sign of the standby laptop: its address and its lag."""
    following = standby_laptop()
    behind = max(0, int(timezone.now().timestamp() - last(UP_TO_DATE))) if following else 0
    minutes = behind // 60 if behind >= SECONDS_IN_MINUTES else 0
    return {
        "following": following,
        "behind": behind,
        "minutes": minutes,
        "is_late": behind > TOLERATED_SECONDS,
    }


def lag_for(user: User) -> dict[str, Any]:
    """Return :func:`lag` for an account; on a server, only for operators."""
    return lag() if settings.IS_IN_THE_HALL or user.is_admin else {}


def check_takeover() -> None:
    """Ask the standby laptop for a takeover, and note it."""
    laptop = standby_laptop()
    if generations.is_replaced() or not laptop:
        return
    for url in (laptop["address"], laptop.get("own", "")):
        if url and (takeover := replication.fetch_takeover(url)):
            generations.note_takeover(takeover, url)


def changes_since(name: str, known: bytes) -> tuple[str, bytes | None]:
    """Return the name of the present state, and the changes; None if there are none.

    Args:
        name: of the state of the standby laptop; "" for none.
        known: the checksums of that state.

    Raises:
        BackupError: if there is no database.
        ValueError: if *known* are no checksums.
    """
    now, present = int(timezone.now().timestamp()), current_ends()["state"]
    state, _dot, at = name.rpartition(".")
    if state == present:
        touch(UP_TO_DATE, now)
        return f"{present}.{now}", None
    if at.isdigit():
        touch(UP_TO_DATE, min(int(at), now))
    with open_state() as (newer, length):
        return f"{present}.{now}", changes(newer, length, known)
