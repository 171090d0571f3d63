"""Changing the pages of the operator, and deleting data whose retention period is over.

These are no acts, because they concern many tournaments at once. They delete names, reasons and
drawings, which the journal does not prove, including names on receipts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.archive import archive_job as archives
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict
from tournaments.common.locks import lock_tournament
from tournaments.journal import services as journal
from tournaments.journal.append_only import triggers_off
from tournaments.models import LegalText, Organiser, Signature
from tournaments.operator import queries
from tournaments.operator.queries import REMOVED, DueDeletion
from tournaments.people.services.anonymise import anonymise_person
from tournaments.printing import store


@transaction.atomic
def change_text(*, name: str, text: str, actor: Actor) -> LegalText:
    """Store the text of a page of the operator."""
    page, _new = LegalText.objects.select_for_update().get_or_create(name=name)
    page.text = text.strip()
    page.full_clean()
    page.changed_at = timezone.now()
    page.save()
    journal.record(None, actor, "legal_text_changed", page, after={"page": name})
    return page


@transaction.atomic
def delete_due(
    owners: Collection[Organiser],
    logins: Iterable[QuerySet[Any]],
    *,
    digest: str,
    actor: Actor,
    now: datetime,
) -> None:
    """Delete *logins* and the due data of *owners*, including closed tournaments: all or nothing.

    Points, receipts and the journal stay.

    Raises:
        Conflict: if the data differ from those of *digest*.
    """
    tournaments, persons = queries.due_tournaments(now, owners), queries.due_persons(now, owners)
    for due in tournaments:
        lock_tournament(due.tournament.pk, allow_closed=True)
    if queries.digest(queries.due_tournaments(now, owners), persons) != digest:
        raise Conflict(
            _("Inzwischen hat sich geändert, was fällig ist. Bitte die Liste noch einmal ansehen.")
        )
    for due in tournaments:
        _clear(due, actor)
    for rows in logins:
        rows.delete()
    for owner in owners:
        _clear_receipts(now, owner, actor)
    for person in persons:
        anonymise_person(person_id=person.pk, typed_name=person.full_name, actor=actor)


def _clear_receipts(now: datetime, owner: Organiser, actor: Actor) -> None:
    """Delete the names on due receipts; number, kind and amount stay."""
    receipts = queries.named_receipts(now, [owner])
    number = receipts.count()
    if not number:
        return
    with triggers_off():
        receipts.update(payer=REMOVED, text="")
    journal.record(owner, actor, "receipt_names_deleted", after={"receipts": number})


def _clear(due: DueDeletion, actor: Actor) -> None:
    tournament = due.tournament
    queries.drawn_signatures([tournament]).update(drawing=Signature.REMOVED)
    for registration in queries.registrations_with_reasons([tournament]):
        for reason in ("late_reason", "status_reason", "fixed_table_reason"):
            if getattr(registration, reason):
                setattr(registration, reason, REMOVED)
        registration.save(update_fields=["late_reason", "status_reason", "fixed_table_reason"])
    queries.substitutions([tournament]).update(reason=REMOVED)
    queries.separations([tournament]).update(reason="")
    queries.transfers([tournament]).update(remitter=REMOVED, purpose="")
    store.delete_documents([tournament])
    archives.delete_archives([tournament])
    journal.record(tournament, actor, "due_deleted", tournament, after=due.left)
