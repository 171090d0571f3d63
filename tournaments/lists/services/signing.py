"""Signing of a Spielliste by its players; then it is a document (§ 2.2.4)."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.errors import Problem
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, Refused, WrongStatus
from tournaments.common.locks import lock_spielliste
from tournaments.journal import services as journal
from tournaments.lists.services import versions
from tournaments.lists.services.spiellisten import demand_version
from tournaments.models import Seat, Signature, Spielliste

# Path data of an SVG of 600 × 200 as drawn by finger or pen: moves, lines and curves.
_DRAWING = re.compile(r"[MLCQmlcqHVhvSTst0-9 .,\-]+")
_STROKE = re.compile(r"[LCQlcqHVhvSTst]")
LONGEST_DRAWING = 20_000


@transaction.atomic
def sign(*, spielliste_id: int, seat: int, version: int, drawing: str, actor: Actor) -> Spielliste:
    """Record that the player at *seat* signed this version of the list, and return the list.

    With the last signature the list is signed: from then on the Spielleitung alone changes
    it, and the time begins in which the table may ask for a correction.

    Args:
        spielliste_id: key of the list.
        seat: of the player who signs.
        version: of the list that was shown before signing.
        drawing: path data of an SVG of 600 × 200.
        actor: the table's device.

    Raises:
        Conflict: if the list has changed since, or this version is signed by the seat.
        Refused: if there is no such seat or nothing was drawn.
        WrongStatus: if games are missing, or the list is signed already.
    """
    spielliste = _lock(spielliste_id)
    demand_version(spielliste, version)
    people = _people(spielliste)
    if seat not in people:
        raise Refused.at("seat", _("Platz {seat} gibt es an diesem Tisch nicht.").format(seat=seat))
    _check_drawing(drawing)
    if people[seat] in _signed(spielliste):
        raise Conflict(_("Platz {seat} hat diese Liste schon unterschrieben.").format(seat=seat))
    now = timezone.now()
    Signature.objects.create(
        spielliste=spielliste,
        registration_id=people[seat],
        version=spielliste.version,
        method=Signature.Method.DEVICE,
        drawing=drawing,
        signed_at=now,
    )
    _finish(spielliste, people.values(), now)
    _record(spielliste, actor, "list_signed", [seat], Signature.Method.DEVICE)
    return spielliste


@transaction.atomic
def sign_on_paper(
    *,
    spielliste_id: int,
    actor: Actor,
    seats: Collection[int] | None = None,
    version: int | None = None,
) -> Spielliste:
    """Record that the list is signed on paper, and return it.

    The actor is a table's device, for whose players the signatures stay to be confirmed, or an
    account of the Spielleitung, which is stored as confirming them.

    Args:
        spielliste_id: key of the list.
        actor: a table's device or an account.
        seats: the places that signed on paper; None for all that have not signed.
        version: of the list that was seen; None if the actor has the paper.

    Raises:
        Conflict: if the list has changed since.
        Refused: if there is no such seat.
        WrongStatus: if games are missing, or the list is signed already.
    """
    spielliste = _lock(spielliste_id)
    if version is not None:
        demand_version(spielliste, version)
    people = _people(spielliste)
    unknown = sorted(set(seats or ()) - set(people))
    if unknown:
        raise Refused(
            Problem("seats", _("Platz {seat} gibt es an diesem Tisch nicht.").format(seat=seat))
            for seat in unknown
        )
    signed = _signed(spielliste)
    new = [
        seat
        for seat, person in people.items()
        if person not in signed and (seats is None or seat in seats)
    ]
    now = timezone.now()
    Signature.objects.bulk_create(
        Signature(
            spielliste=spielliste,
            registration_id=people[seat],
            version=spielliste.version,
            method=Signature.Method.PAPER,
            signed_at=now,
            confirmed_by=actor.user,
        )
        for seat in new
    )
    _finish(spielliste, people.values(), now)
    if new:
        _record(spielliste, actor, "list_signed", new, Signature.Method.PAPER)
    return spielliste


def forget_drawings(persons: Collection[int]) -> None:
    """Delete the signature drawings of *persons*; the signatures stay.

    Part of the act that forgets them. Includes signatures of a player before a substitution.
    """
    drawn = Signature.objects.filter(method=Signature.Method.DEVICE)
    left = Q(
        registration__substitutions__left__in=persons,
        signed_at__lte=F("registration__substitutions__created_at"),
    )
    mine = drawn.filter(Q(registration__person__in=persons) | left).values("pk")
    Signature.objects.filter(pk__in=mine).update(drawing=Signature.REMOVED)


def _lock(spielliste_id: int) -> Spielliste:
    spielliste = lock_spielliste(spielliste_id)
    if spielliste.status == Spielliste.Status.OPEN:
        raise WrongStatus(
            _("Der Liste von {table} fehlen noch Spiele; unterschrieben wird am Ende.").format(
                table=spielliste.table
            )
        )
    if spielliste.status != Spielliste.Status.COMPLETE:
        raise WrongStatus(
            _("Die Liste von {table} ist schon „{status}“.").format(
                table=spielliste.table, status=spielliste.get_status_display()
            )
        )
    return spielliste


def _people(spielliste: Spielliste) -> dict[int, int]:
    """Return the keys of the registrations at the table by seat."""
    seats = Seat.objects.filter(table=spielliste.table_id).order_by("number")
    return dict(seats.values_list("number", "registration"))


def _signed(spielliste: Spielliste) -> set[int]:
    """Return the keys of the registrations that signed the current version."""
    found = spielliste.signatures.filter(version=spielliste.version)
    return set(found.values_list("registration", flat=True))


def _check_drawing(drawing: str) -> None:
    if len(drawing) > LONGEST_DRAWING:
        problem = _("Die Unterschrift hat zu viele Striche. Bitte löschen und neu unterschreiben.")
    elif not _DRAWING.fullmatch(drawing) or not _STROKE.search(drawing):
        problem = _("Die Unterschrift fehlt. Bitte mit Finger oder Stift in das Feld schreiben.")
    else:
        return
    raise Refused.at("drawing", problem)


def _finish(spielliste: Spielliste, people: Collection[int], now: datetime) -> None:
    """Set the list to signed if all seats have signed its current version."""
    if set(people) - _signed(spielliste):
        return
    spielliste.status = Spielliste.Status.SIGNED
    spielliste.signed_at = now
    minutes = spielliste.table.serie.tournament.protest_minutes
    spielliste.protest_until = now + timedelta(minutes=minutes)
    spielliste.save(update_fields=["status", "signed_at", "protest_until"])
    versions.keep(spielliste)


def _record(
    spielliste: Spielliste, actor: Actor, action: str, seats: list[int], method: str
) -> None:
    journal.record(
        spielliste.table.serie.tournament,
        actor,
        action,
        spielliste,
        after={
            "seats": seats,
            "method": method,
            "version": spielliste.version,
            "status": spielliste.status,
        },
    )
