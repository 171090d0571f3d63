"""Data of the pages about one person and about clubs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypedDict

from django.db.models import Count, Q, QuerySet
from django.utils import formats
from django.utils.dateparse import parse_date
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.common import names
from tournaments.common.club_names import near_pairs
from tournaments.models import Club, JournalEntry, Organiser, Person
from tournaments.people.queries.people import living_persons

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    class _Counts(TypedDict):
        persons_count: int

    CountedClub = WithAnnotations[Club, _Counts]
else:
    CountedClub = Club

_ACTIONS = {
    "person_created": gettext_lazy("angelegt"),
    "person_banned": gettext_lazy("gesperrt"),
    "person_ban_lifted": gettext_lazy("Sperre aufgehoben"),
    "persons_merged": gettext_lazy("mit einer zweiten Person zusammengeführt"),
    "person_anonymised": gettext_lazy("anonymisiert"),
}


def history(person: Person) -> list[tuple[datetime, str, str | Promise]]:
    """Return the journal's acts on a person and on those merged into it, newest first.

    Each is a tuple of time, actor and change; three queries.
    """
    ids = {person.pk, *person.merged_from.values_list("pk", flat=True)}
    entries = JournalEntry.objects.select_related("actor").order_by("-at", "-pk")
    own = entries.filter(subject_type="person", subject_id__in=ids)
    imports = entries.filter(subject_type="", subject_id=None, action="persons_imported")
    acts = [_act(entry, _what(entry)) for entry in own]
    acts += [_act(entry, change) for entry in imports for change in _imported(entry, ids)]
    return sorted(acts, key=itemgetter(0), reverse=True)


def _act(entry: JournalEntry, change: str | Promise) -> tuple[datetime, str, str | Promise]:
    actor = entry.actor.name if entry.actor else str(entry.get_actor_kind_display())
    return entry.at, actor, change


def _what(entry: JournalEntry) -> str | Promise:
    if entry.action == "person_changed":
        return _("geändert: {fields}").format(fields=", ".join(_labels(entry.after["changed"])))
    if entry.action == "person_banned":
        return _ban_period(entry.after)
    return _ACTIONS.get(entry.action, entry.action)


def _labels(fields: Iterable[str]) -> list[str]:
    labels = {field.name: str(field.verbose_name) for field in Person._meta.fields}
    labels["publish_consent"] = _("Namensnennung")
    labels["hall_objection"] = _("Nennung im Saal")
    return [labels[name] for name in fields]


def _ban_period(facts: dict[str, Any]) -> str:
    start, end = (parse_date(facts[key] or "") for key in ("starts_on", "ends_on"))
    if end is None:
        return _("gesperrt ab {start}").format(start=formats.date_format(start or ""))
    return _("gesperrt von {start} bis {end}").format(
        start=formats.date_format(start or ""), end=formats.date_format(end)
    )


def _imported(entry: JournalEntry, ids: set[int]) -> Iterator[str]:
    if ids.intersection(entry.after["created"]):
        yield _("aus einer Datei eingelesen")
    if ids.intersection(entry.after["updated"]):
        yield _("aus einer Datei ergänzt")


def near_clubs(owner: Organiser) -> list[tuple[Club, Club]]:
    """Return pairs of clubs of *owner* that may be one club in two spellings."""
    by_name = {club.name: club for club in Club.objects.filter(owner=owner).order_by("sort_key")}
    return [(by_name[first], by_name[second]) for first, second in near_pairs(by_name)]


def clubs(owner: Organiser, text: str = "") -> QuerySet[CountedClub]:
    """Return clubs of *owner* by name with the number of persons; *text*: beginnings of words."""
    living = Q(persons__in=living_persons(owner))
    counted = Club.objects.filter(owner=owner).annotate(
        persons_count=Count("persons", filter=living)
    )
    clubs = counted.order_by("sort_key")
    for word in names.sort_key(text).split():
        clubs = clubs.filter(Q(sort_key__startswith=word) | Q(sort_key__contains=f" {word}"))
    return clubs
