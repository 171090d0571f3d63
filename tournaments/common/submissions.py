"""Idempotent submissions of table devices and forms.

Each submission has a key of its own, because after a network failure the sender cannot know
whether it arrived. Sent again under the same key, it gets the same answer and changes nothing.
A device makes its keys itself; a form gets one with its page.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common.errors import InvalidInput
from tournaments.common.raw_sql import EARLIER_ANSWER, rows
from tournaments.machine.hashes import hash_of
from tournaments.models import Submission, User

SHORTEST_KEY, LONGEST_KEY = 8, 64
FORM = "form"  # the kind of submissions of forms
FORMS_KEPT_FOR = timedelta(days=1)
CLOCKS_DIFFER = timedelta(minutes=1)  # of several servers, at most
MICROSECONDS = 1_000_000  # of a second: as exact as what the database keeps
_FORM_KEY = re.compile(r"([0-9a-f]{13})-[\w.-]{16,50}")

Answer = dict[str, Any]


def earlier_answer(submission: Submission) -> tuple[int | None, Answer | None]:
    """Return the key of the device that keeps the list, and the answer stored under this key.

    Needs a transaction that holds the tournament's lock: of two arrivals at once the second
    waits for it, and finds the answer of the first. A refusal is not stored: it changed nothing,
    and sent again it is checked again.

    Args:
        submission: of a device, not stored yet; its key is made by the device, unique for the list.

    Raises:
        InvalidInput: if another act came under the same key.
    """
    if not SHORTEST_KEY <= len(submission.key) <= LONGEST_KEY:
        raise InvalidInput.at(
            "key",
            _("Der Schlüssel der Sendung muss {least} bis {most} Zeichen haben.").format(
                least=SHORTEST_KEY, most=LONGEST_KEY
            ),
        )
    ((keeper, digest, answer),) = rows(EARLIER_ANSWER, submission.key, submission.spielliste_id)
    if digest is None:
        return keeper, None
    if digest != submission.digest:
        raise _other_content()
    return keeper, dict(json.loads(answer))


def _other_content() -> InvalidInput:
    return InvalidInput.at(
        "key",
        _(
            "Unter diesem Schlüssel kam schon etwas anderes an. Bitte die Seite "
            "neu laden und noch einmal eintragen."
        ),
    )


# --- Forms ----------------------------------------------------------------------------------------


def new_form_key() -> str:
    """Return a key for a new form: the time of making, and a random part."""
    return f"{int(timezone.now().timestamp() * MICROSECONDS):x}-{secrets.token_urlsafe(16)}"


def form_created_at(form_key: str) -> datetime | None:
    """Return when the form with this key was made; None if the key is invalid.

    >>> form_created_at("60a24181e4000-0123456789abcdef").isoformat()
    '2023-11-14T22:13:20+00:00'
    >>> form_created_at("0123456789abcdef")
    """
    match = _FORM_KEY.fullmatch(form_key)
    return datetime.fromtimestamp(int(match[1], 16) / MICROSECONDS, UTC) if match else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedSubmission:
    """The stored answer to an act that is submitted a second time."""

    answer: Answer
    is_other: bool  # by another form with the same content
    by: User | None
    at: datetime


@transaction.atomic
def run_form_act(
    *,
    key: str,
    content: object,
    by: User | None,
    since: datetime | None,
    act: Callable[[], Answer | None],
) -> RepeatedSubmission | None:
    """Do the act of a form unless it was done; return the earlier act with its answer, if it was.

    Args:
        key: of the form, from ``new_form_key``.
        content: the data of the form and its address; JSON values.
        by: the account; None for strangers.
        since: from when on another form with the same content was the same act; None: it was
            another act.
        act: does it and returns the answer to store; None: it was refused, or only showed
            something, and nothing is stored.

    Raises:
        InvalidInput: if the form came before, with another content or by another account.
    """
    digest = hash_of(content)
    _lock_submission(key, digest)
    of_forms = Submission.objects.filter(spielliste=None)
    of_forms.filter(created_at__lt=timezone.now() - FORMS_KEPT_FOR).delete()
    same = Q(key=key)
    if since is not None:
        # Times in the future are from before the clock was set back.
        until = timezone.now() + CLOCKS_DIFFER
        same |= Q(digest=digest, created_at__range=(since, until))
    done = of_forms.filter(same)
    for earlier in sorted(done.select_related("by"), key=lambda submission: submission.key != key):
        is_other = earlier.key != key
        if not is_other and (earlier.digest != digest or earlier.by != by):
            raise _other_content()
        return RepeatedSubmission(
            answer=dict(earlier.answer), is_other=is_other, by=earlier.by, at=earlier.created_at
        )
    answer = act()
    if answer is None:
        transaction.set_rollback(True)
        return None
    Submission.objects.create(key=key, kind=FORM, digest=digest, by=by, answer=answer)
    return None


def delete_answers() -> None:
    """Delete the stored answers to forms, which name persons; the forms still count once."""
    Submission.objects.filter(spielliste=None).update(answer={"to": "/", "said": []})


def _lock_submission(key: str, digest: str) -> None:
    """Let the second of two equal submissions wait until the first is stored.

    On SQLite every transaction has waited by now: the settings begin it IMMEDIATE.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0)), "
                "pg_advisory_xact_lock(hashtextextended(%s, 0))",
                [key, digest],
            )
