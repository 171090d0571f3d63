"""Signing of a Spielliste by its players, which makes it a document (§ 2.2.4)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Any

from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.errors import Problem
from tournaments.common.errors import Conflict, InvalidInput, WrongStatus
from tournaments.common.roles import AT_TABLE, MAY_LEAD
from tournaments.common.states import TAKES_PEOPLE
from tournaments.journal.acts import Act, Acts
from tournaments.lists.services import versions
from tournaments.lists.services.spiellisten import demand_version
from tournaments.models import Seat, Signature, Spielliste

# Path data of an SVG of 600 × 200 as drawn by finger or pen: moves, lines and curves.
_DRAWING = re.compile(r"[MLCQmlcqHVhvSTst0-9 .,\-]+")
_STROKE = re.compile(r"[LCQlcqHVhvSTst]")
LONGEST_DRAWING = 20_000

Status = Spielliste.Status
Method = Signature.Method

# An open list has a sentence of its own.
acts = Acts(
    AT_TABLE,
    TAKES_PEOPLE.with_states(Status.OPEN, Status.COMPLETE).with_refusal(
        gettext_lazy("Die Liste von {table} ist schon „{status}“.")
    ),
)


@acts.on(Spielliste, "sign", entry="list_signed")
def sign(act: Act[Spielliste], *, seat: int, version: int, drawing: str) -> Spielliste:
    """Record that the player at *seat* signed this version of the list, and return the list.

    With the last signature the list is signed: from then on only the Spielleitung changes it,
    and the period begins in which the table may ask for a correction.

    Args:
        version: of the list that was shown before signing.
        drawing: path data of an SVG of 600 × 200.

    Raises:
        Conflict: if the list has changed since, or this version is signed by the seat.
        InvalidInput: if there is no such seat or nothing was drawn.
        WrongStatus: if games are missing, or the list is signed already.
    """
    people = _people(act.row)
    demand_version(act.row, version)
    _check_seats(people, [seat], "seat")
    _check_drawing(drawing)
    if people[seat] in _signed(act.row):
        raise Conflict(_("Platz {seat} hat diese Liste schon unterschrieben.").format(seat=seat))
    return _sign(act, people, [seat], Method.DEVICE, drawing=drawing)


@acts.on(Spielliste, "sign_on_paper", entry="list_signed", by=AT_TABLE | MAY_LEAD)
def sign_on_paper(
    act: Act[Spielliste],
    *,
    seats: Collection[int] | None = None,
    version: int | None = None,
) -> Spielliste:
    """Record that the list is signed on paper, and return it.

    Signatures reported by a table's device must be confirmed; an account of the Spielleitung
    is stored as confirming them.

    Args:
        seats: the places that signed on paper; None for all that have not signed.
        version: of the list that the actor saw; None if the actor has the paper.

    Raises:
        Conflict: if the list has changed since.
        InvalidInput: if there is no such seat.
        WrongStatus: if games are missing, or the list is signed already.
    """
    people = _people(act.row)
    if version is not None:
        demand_version(act.row, version)
    _check_seats(people, seats or (), "seats")
    signed = _signed(act.row)
    new = [
        seat
        for seat, person in people.items()
        if person not in signed and (seats is None or seat in seats)
    ]
    return _sign(act, people, new, Method.PAPER, confirmed_by=act.actor.user)


def forget_drawings(persons: Collection[int]) -> None:
    """Delete the signature drawings of *persons*; the signatures stay.

    The calling act anonymises them. Signatures of a player before a substitution are included.
    """
    drawn = Signature.objects.filter(method=Method.DEVICE)
    left = Q(
        registration__substitutions__left__in=persons,
        signed_at__lte=F("registration__substitutions__created_at"),
    )
    own = drawn.filter(Q(registration__person__in=persons) | left).values("pk")
    # No act, and not part of the proof.
    Signature.objects.filter(pk__in=own).update(drawing=Signature.REMOVED)


def _people(spielliste: Spielliste) -> dict[int, int]:
    """Return the keys of the registrations at the table of a list that has all games, by seat."""
    if spielliste.status == Status.OPEN:
        raise WrongStatus(
            _("Der Liste von {table} fehlen noch Spiele; unterschrieben wird am Ende.").format(
                table=spielliste.table
            )
        )
    seats = Seat.objects.filter(table=spielliste.table_id).order_by("number")
    return dict(seats.values_list("number", "registration"))


def _check_seats(people: Collection[int], seats: Collection[int], where: str) -> None:
    unknown = sorted(set(seats) - set(people))
    if unknown:
        raise InvalidInput(
            Problem(where, _("Platz {seat} gibt es an diesem Tisch nicht.").format(seat=seat))
            for seat in unknown
        )


def _signed(spielliste: Spielliste) -> set[int]:
    """Return the keys of the registrations that signed the current version."""
    signatures = spielliste.signatures.filter(version=spielliste.version)
    return set(signatures.values_list("registration", flat=True))


def _check_drawing(drawing: str) -> None:
    if len(drawing) > LONGEST_DRAWING:
        problem = _("Die Unterschrift hat zu viele Striche. Bitte löschen und neu unterschreiben.")
    elif not _DRAWING.fullmatch(drawing) or not _STROKE.search(drawing):
        problem = _("Die Unterschrift fehlt. Bitte mit Finger oder Stift in das Feld schreiben.")
    else:
        return
    raise InvalidInput.at("drawing", problem)


def _sign(
    act: Act[Spielliste],
    people: Mapping[int, int],
    seats: Collection[int],
    method: Method,
    **more: Any,
) -> Spielliste:
    """Store the signatures of these seats; the list is signed if all seats have signed."""
    spielliste, now = act.row, timezone.now()
    act.add_all(
        Signature(
            spielliste=spielliste,
            registration_id=people[seat],
            version=spielliste.version,
            method=method,
            signed_at=now,
            **more,
        )
        for seat in seats
    )
    if not set(people.values()) - _signed(spielliste):
        spielliste.status = Status.SIGNED
        spielliste.signed_at = now
        spielliste.protest_until = now + timedelta(minutes=act.tournament.protest_minutes)
        act.store(spielliste)
        act.touch(versions.keep(spielliste))
    if seats or spielliste.status == Status.SIGNED:
        act.note(
            seats=list(seats),
            method=method,
            version=spielliste.version,
            status=spielliste.status,
        )
    return spielliste
