"""Files of registrations that were stored, from the journal."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from tournaments.models import CashEntry, JournalEntry, Registration, Seat, Tournament

STORED, TAKEN_BACK = "registrations_imported", "registrations_import_undone"
_MOST = 10


@dataclass(frozen=True, slots=True)
class RegistrationFile:
    """A file by the entries of its parts, the first one first."""

    parts: list[JournalEntry]

    @property
    def pk(self) -> int:
        """The key of its first entry."""
        return self.parts[0].pk

    @property
    def draft(self) -> int | None:
        """The key of the uploaded file; files of earlier versions have none."""
        draft: int | None = self.parts[0].after.get("file")
        return draft

    @property
    def last(self) -> JournalEntry:
        """The entry of its last part."""
        return self.parts[-1]

    @property
    def registrations(self) -> list[int]:
        """Keys of its registrations."""
        return self._all("registrations")

    @property
    def teams(self) -> list[int]:
        """Keys of its new teams."""
        return self._all("teams")

    @property
    def club_paid(self) -> list[int]:
        """Keys of registrations that the club pays for."""
        return self._all("together")

    def _all(self, name: str) -> list[int]:
        return [key for part in self.parts for key in part.after.get(name, ())]


def stored_files(tournament: Tournament) -> list[RegistrationFile]:
    """Return the latest files that were not taken back; two queries."""
    entries = JournalEntry.objects.filter(chain__tournament=tournament).order_by("number")
    undone: set[int] = set()
    for after in entries.filter(action=TAKEN_BACK).values_list("after", flat=True):
        file = after["file"]
        undone.update(file if isinstance(file, list) else [file])
    files: dict[object, RegistrationFile] = {}
    for part in entries.filter(action=STORED).select_related("actor"):
        if part.number not in undone:
            key = part.after.get("file", f"entry {part.number}")
            files.setdefault(key, RegistrationFile([])).parts.append(part)
    return list(files.values())[: -_MOST - 1 : -1]


def registrations_of(tournament: Tournament, file: RegistrationFile) -> QuerySet[Registration]:
    """Return the registrations of a file that were not withdrawn since."""
    registrations = tournament.registrations.filter(pk__in=file.registrations)
    return registrations.exclude(status=Registration.Status.WITHDRAWN).order_by("pk")


def stored_file(tournament: Tournament, draft_id: int) -> RegistrationFile | None:
    """Return the stored parts of an uploaded file."""
    return next((file for file in stored_files(tournament) if file.draft == draft_id), None)


def removal_obstacles(registrations: QuerySet[Registration]) -> list[str]:
    """Return the persons who prevent taking a file back, each with the reason; one query."""
    of_this = {"registration": OuterRef("pk")}
    annotated = registrations.select_related("person").annotate(
        has_paid=Exists(CashEntry.objects.filter(**of_this)),
        is_seated=Exists(Seat.objects.filter(**of_this)),
    )
    obstacles = []
    for registration in annotated:
        if registration.has_paid:
            reason = _("hat bezahlt")
        elif registration.is_seated:
            reason = _("ist ausgelost")
        elif not registration.is_coming:
            reason = registration.get_status_display()
        else:
            continue
        obstacles.append(_("{name} ({why})").format(name=registration.person.list_name, why=reason))
    return obstacles
