"""All persons as a table, in the columns that the import recognises."""

from __future__ import annotations

from django.db import transaction
from django.utils import formats, timezone
from django.utils.translation import gettext as _

from tournaments.common.actors import Actor
from tournaments.journal import services as journal
from tournaments.models import Gender, Organiser, Person
from tournaments.people.queries.people import living_persons

_GENDERS = {Gender.FEMALE: "w", Gender.MALE: "m", Gender.DIVERSE: "d"}


@transaction.atomic
def export_persons(owner: Organiser, *, file_format: str, actor: Actor) -> list[list[object]]:
    """Return the rows of a file of all living persons of an organiser, by name.

    The journal records the account and the number of persons.
    """
    persons = living_persons(owner).select_related("club").order_by("sort_key", "pk")
    rows = [_headings(), *(_cells(person) for person in persons)]
    journal.record(
        owner, actor, "persons_exported", after={"format": file_format, "count": len(rows) - 1}
    )
    return rows


def _headings() -> list[object]:
    return [
        _("Nachname"),
        _("Vorname"),
        _("Verein"),
        _("Geburtsjahr"),
        _("Geschlecht"),
        _("E-Mail"),
        _("Telefon"),
        _("Pass- oder Mitgliedsnummer"),
        _("Pass gültig bis"),
        _("Bemerkung"),
        _("Namensnennung"),
        _("Zustimmung vom"),
    ]


def _cells(person: Person) -> list[object]:
    given_at = person.publish_consent_at
    return [
        person.last_name,
        person.first_name,
        person.club.name if person.club else "",
        person.birth_year,
        _GENDERS.get(Gender(person.gender), ""),
        person.email,
        person.phone,
        person.member_number,
        person.member_until or "",
        person.note,
        _("ja") if person.publish_consent else _("nein"),
        formats.date_format(timezone.localtime(given_at), "SHORT_DATE_FORMAT") if given_at else "",
    ]
