"""The laptop that stands by, as the first one sees it: how it is let in, and what it is given.

A code that is shown once and typed there is exchanged for a long token, and only who sends that
token gets anything. What it gets is a backup like any other, made anew as soon as something is.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

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
    """Return a code that lets one laptop in; the one before is worthless."""
    code = "-".join("".join(secrets.choice(LETTERS) for _at in range(4)) for _group in range(3))
    until = (now or timezone.now()) + CODE_LASTS
    with locked("ersatz"):
        known = read_json(_file())
        write_json(
            _file(), {**known, "code": hash_token(code), "until": until.isoformat(), "tries": 0}
        )
    return code


def let_in(code: str, *, address: str, now: datetime | None = None) -> str:
    """Return the token for who has the code; the laptop that followed before is shut out.

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
        write_json(_file(), {"token": hash_token(token), "address": address, "at": now.isoformat()})
    touch("gefragt")
    return token


def follower() -> dict[str, Any]:
    """Return address of the laptop that was let in and since when; nothing if there is none."""
    known = read_json(_file())
    return known if known.get("token") else {}


def shut_out() -> None:
    """Let nobody fetch anything any more."""
    with locked("ersatz"):
        for path in (_file(), *folder().glob(OFFER)):
            path.unlink(missing_ok=True)


def knows(token: str) -> bool:
    """Whether *token* is that of the laptop that was let in; if so, it has asked now."""
    known = constant_time_compare(hash_token(token), read_json(_file()).get("token", ""))
    if known:
        touch("gefragt")
    return known


def is_followed() -> bool:
    """Whether a laptop has asked of late."""
    return happened_within("gefragt", ASKED_OF_LATE)


def offer() -> None:
    """Have the database as it is now ready to be fetched, unless that is so already."""
    path = folder() / f"ersatz-{ends_now()['state']}.tar.gz"
    if path.exists():
        return
    before = list(folder().glob(OFFER))
    pack(path, proven=False)  # the other laptop reads every page, and this one has more to do
    for old in before:
        old.unlink(missing_ok=True)


def offered() -> tuple[str, bytes] | None:
    """Return name and content of what there is to fetch; None if there is nothing yet."""
    for path in folder().glob(OFFER):
        try:
            return path.name, path.read_bytes()
        except FileNotFoundError:
            continue  # there is a newer one
    return None
