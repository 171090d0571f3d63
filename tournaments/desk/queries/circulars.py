"""The messages of the Spielleitung that own pages show."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from tournaments.models import Circular, Entry, Registration


def circulars_to(registration: Registration) -> QuerySet[Circular]:
    """Return the messages to a registration, the newest first."""
    return registration.circulars.order_by("-pk")


def circulars_to_entry(entry: Entry) -> QuerySet[Circular]:
    """Return the messages to the persons of an entry, the newest first."""
    of_entry = Q(registrations__entry_lines__entry=entry) | Q(lines__entry=entry)
    return (
        Circular.objects.filter(of_entry, tournament=entry.tournament_id).distinct().order_by("-pk")
    )
