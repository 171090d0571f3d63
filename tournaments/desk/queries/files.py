"""Files of registrations that were stored, from the journal."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from tournaments.models import CashEntry, JournalEntry, Registration, Seat, Tournament

STORED, TAKEN_BACK = "registrations_imported", "registrations_import_undone"
_MOST = 10


def stored_files(tournament: Tournament) -> list[JournalEntry]:
    """Return the entries of the latest files that were not taken back; two queries."""
    entries = JournalEntry.objects.filter(chain__tournament=tournament)
    undone = entries.filter(action=TAKEN_BACK).values_list("after__file", flat=True)
    stored = entries.filter(action=STORED).exclude(number__in=list(undone))
    return list(stored.select_related("actor").order_by("-number")[:_MOST])


def registrations_of(tournament: Tournament, entry: JournalEntry) -> QuerySet[Registration]:
    """Return the registrations of a file that were not withdrawn since."""
    found = tournament.registrations.filter(pk__in=entry.after["registrations"])
    return found.exclude(status=Registration.Status.WITHDRAWN).order_by("pk")


def in_the_way(found: QuerySet[Registration]) -> list[str]:
    """Return who cannot be taken back any more, each with why; one query."""
    of_this = {"registration": OuterRef("pk")}
    asked = found.select_related("person").annotate(
        has_paid=Exists(CashEntry.objects.filter(**of_this)),
        is_seated=Exists(Seat.objects.filter(**of_this)),
    )
    stand = []
    for one in asked:
        if one.has_paid:
            why = _("hat bezahlt")
        elif one.is_seated:
            why = _("ist ausgelost")
        elif not one.is_coming:
            why = one.get_status_display()
        else:
            continue
        stand.append(_("{name} ({why})").format(name=one.person.list_name, why=why))
    return stand
