"""The first laptop's side of the standby: admitting the other laptop and offering it backups.

A code that is shown once and typed on the other laptop is exchanged for a long token, which every
request needs. The offer is a normal backup, renewed as soon as something has changed.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from tournaments.backup import following, generations
from tournaments.backup.keeping import happened_within, locked, read_json, touch, write_json
from tournaments.backup.packing import ends_now, folder, pack
from tournaments.common.errors import TournamentError
from tournaments.common.tokens import hash_token, new_token

CODE_LASTS = timedelta(minutes=15)
MOST_TRIES = 5
ASKED_OF_LATE = timedelta(seconds=30)
LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
OFFER = "ersatz-*.tar.gz"


def _file() -> Path:
    return folder() / "ersatz.json"


def new_code(now: datetime | None = None) -> str:
    """Return a code that admits one laptop; the code before becomes invalid."""
    code = "-".join("".join(secrets.choice(LETTERS) for _at in range(4)) for _group in range(3))
    until = (now or timezone.now()) + CODE_LASTS
    with locked("ersatz"):
        known = read_json(_file())
        write_json(
            _file(), {**known, "code": hash_token(code), "until": until.isoformat(), "tries": 0}
        )
    return code


def let_in(code: str, *, address: str, own: str = "", now: datetime | None = None) -> str:
    """Return the token for a valid code; the laptop admitted before is shut out.

    Args:
        code: as typed on the other laptop.
        address: of the other laptop.
        own: address of this laptop, which the other one may be given when it takes over.
        now: the time, for tests.

    Raises:
        TournamentError: if the code is wrong, was used, or is too old.
    """
    now = now or timezone.now()
    with locked("ersatz"):
        known = read_json(_file())
        until = known.get("until", "")
        right = constant_time_compare(hash_token(code.strip().upper()), known.get("code", ""))
        is_open = bool(until) and known["tries"] < MOST_TRIES
        if not (right and is_open and now < datetime.fromisoformat(until)):
            write_json(_file(), {**known, "tries": known.get("tries", 0) + 1})
            raise TournamentError(
                _(
                    "Dieser Code gilt nicht. Bitte auf dem ersten Laptop unter „Sicherungen“ einen "
                    "neuen anzeigen lassen; er gilt einmal und eine Viertelstunde lang."
                )
            )
        token = new_token()
        known = {"token": hash_token(token), "address": address, "own": own}
        write_json(_file(), {**known, "at": now.isoformat()})
    touch("gefragt")
    return token


def follower() -> dict[str, Any]:
    """Return the address of the admitted laptop and since when; empty if there is none."""
    known = read_json(_file())
    return known if known.get("token") else {}


def shut_out() -> None:
    """Make the token invalid, so that no laptop can fetch any more."""
    with locked("ersatz"):
        for path in (_file(), *folder().glob(OFFER)):
            path.unlink(missing_ok=True)


def knows(token: str, host: str) -> bool:
    """Whether *token* is that of the admitted laptop; if so, store when and where it asked."""
    known = follower()
    if not constant_time_compare(hash_token(token), known.get("token", "")):
        return False
    touch("gefragt")
    address = f"http://{host}:{known['address'].rpartition(':')[2]}"
    if address != known["address"]:
        with locked("ersatz"):
            write_json(_file(), {**known, "address": address})
    return True


def is_followed() -> bool:
    """Whether the admitted laptop has sent a request recently."""
    return happened_within("gefragt", ASKED_OF_LATE)


def look_for_takeover() -> None:
    """Ask the admitted laptop whether it has taken over; if so, this one gives way."""
    known = follower()
    if generations.is_replaced() or not known:
        return
    for url in (known["address"], known.get("own", "")):
        if url and (said := following.takeover_at(url)):
            generations.give_way(said, url)


def offer() -> None:
    """Prepare the current state of the database for fetching, unless it is unchanged."""
    path = folder() / f"ersatz-{ends_now()['state']}.tar.gz"
    if path.exists():
        return
    before = list(folder().glob(OFFER))
    pack(path, proven=False)  # the other laptop checks every page, to save time here
    for old in before:
        old.unlink(missing_ok=True)


def offered() -> tuple[str, bytes] | None:
    """Return name and content of the offered state; None if there is none yet."""
    for path in folder().glob(OFFER):
        try:
            return path.name, path.read_bytes()
        except FileNotFoundError:
            continue  # replaced by a newer one meanwhile
    return None
