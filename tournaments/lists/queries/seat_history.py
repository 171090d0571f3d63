"""The players who sat at a table before a substitute took over their start number.

A list that is signed, or whose Serie is closed, is a document (§ 2.2.4) with the names of the
players at that time. The results belong to the start number, and so to the substitute.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from tournaments.models import Person, Registration, Seat, Signature, Substitution, Tournament

Sitters = Mapping[int, "Sitter"]  # of one Serie, by key of the registration


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitter:
    """A person who sat at a table, and the substitute from a later Serie on."""

    person: Person
    hides_name: bool  # of the person, as Registration.hides_name
    substitute: Person
    since: int | None  # number of the Serie; None after the last one

    def seated(self, registration: Registration) -> Registration:
        """Return a copy of the registration with the earlier person and club, only for display."""
        then = registration.held_by(self.person, hides_name=self.hides_name)
        then.club = self.person.club
        return then

    def note(self, registration: Registration, name: Callable[[Registration], str]) -> str:
        """Return the substitute and the Serie of the change, by the *name* for these readers."""
        after = name(registration.held_by(self.substitute))
        if self.since is None:
            return _("danach {name}").format(name=after)
        return _("ab Serie {serie} {name}").format(serie=self.since, name=after)


def is_substituted(registration: str) -> Exists:
    """Return the condition that the registration at a path was taken over by a substitute."""
    return Exists(Substitution.objects.filter(registration=OuterRef(registration)))


def earlier_sitters(tournament: Tournament) -> Mapping[int, Sitters]:
    """Return the players of settled lists before a substitution, by number of the Serie.

    One query if there was no substitution.
    """
    substitutions = Substitution.objects.filter(registration__tournament=tournament)
    changes = list(
        substitutions.select_related("left__club", "joined").order_by("created_at", "pk")
    )
    if not changes:
        return {}
    serien = dict(tournament.serien.values_list("number", "closed_at"))
    settled = dict(_settled({change.registration_id for change in changes}, serien))
    sitters: dict[int, dict[int, Sitter]] = {serie: {} for serie in serien}
    for change in reversed(changes):  # the first one after a list was settled has its player
        key = change.registration_id
        before = [
            serie
            for serie in serien
            if (at := settled.get((serie, key))) is not None and at <= change.created_at
        ]
        since = max(before, default=0) + 1
        for serie in before:
            sitters[serie][key] = Sitter(
                person=change.left,
                hides_name=change.left_hides_name,
                substitute=change.joined,
                since=since if since in serien else None,
            )
    return sitters


def _settled(
    people: set[int], serien: Mapping[int, datetime | None]
) -> Iterator[tuple[tuple[int, int], datetime]]:
    """Yield the time since which the player of a seat is settled, by Serie and registration.

    That is the time when the person signed, the list was signed, or the Serie was closed.
    """
    seats = Seat.objects.filter(registration__in=people, serie__number__in=serien)
    rows = seats.values_list(
        *("registration", "serie__number", "table__spielliste"),
        *("table__spielliste__version", "table__spielliste__signed_at"),
    )
    seated = {(serie, key): about for key, serie, *about in rows}
    signed = {
        (signature.spielliste_id, signature.registration_id): signature
        for signature in Signature.objects.filter(registration__in=people).order_by("version")
    }
    for key in people:
        for serie, closed_at in serien.items():
            spielliste, version, signed_at = seated.get((serie, key), (None, None, None))
            times = [closed_at, signed_at]
            signature = signed.get((spielliste, key))
            # Before the list is signed, a signature counts for the version it was given to.
            if signature is not None and (signed_at or signature.version == version):
                times.append(signature.signed_at)
            moments = [at for at in times if at is not None]
            if moments:
                yield (serie, key), min(moments)
