"""The list of participants and the Startkarten."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from django.utils.translation import gettext as _

from tournaments.cash.queries.report import by_person
from tournaments.common.access_keys import player_path
from tournaments.common.errors import TournamentError
from tournaments.common.rules import rule_set_of
from tournaments.desk.queries import registrations as queries
from tournaments.machine.qr_codes import on_paper
from tournaments.models import Registration
from tournaments.notices.queries.circulars import label_of, to_tell
from tournaments.printing.base import Printable, PrintRequest
from tournaments.printing.sheets import short_formula
from tournaments.results.services import player_access

CARDS_PER_PAGE = 8
MOST_SERIEN_ON_A_CARD = 6
# How many letters of it go into one line of a card, at least: the code stands beside most.
IN_TITLE, IN_NAME, IN_CLUB = 38, 24, 54
Status = Registration.Status
GONE = (Status.WITHDRAWN, Status.WAITING)


def participants(wanted: PrintRequest) -> Printable:
    """Return the list of participants, with the amount that each has paid."""
    rows = list(queries.listing(wanted.tournament).exclude(status__in=GONE))
    if not rows:
        raise TournamentError(
            _("Es ist noch niemand gemeldet. Gemeldet wird unter „Meldungen & Kasse“.")
        )
    coming = [one for one in rows if one.takes_part]
    listed = {one.pk for one in rows}
    sums = [
        one
        for one in by_person(wanted.tournament)["persons"]
        if one.registration is not None and one.registration.pk in listed
    ]
    return Printable(
        title=_("Teilnehmerliste"),
        context={
            "registrations": rows,
            "persons": len(coming),
            "clubs": len({one.club_id for one in coming if one.club_id}),
            "paid_cents": sum(one.paid_cents for one in sums),
            "open_cents": sum(one.open_cents for one in sums),
            "has_groups": len({one.category_id for one in rows}) > 1,
            "has_open": any(one.open_cents for one in sums),
        },
    )


def circular(wanted: PrintRequest) -> Printable:
    """Return a message to those registered, and who is still to be told."""
    found = wanted.tournament.circulars.filter(pk=wanted.circular or 0).first()
    if found is None:
        raise TournamentError(_("Diese Nachricht gibt es nicht."))
    persons = [
        (one.number, one.person.list_name, one.club)
        if isinstance(one, Registration)
        else (None, one.list_name, one.club_name)
        for one in to_tell(found)
    ]
    return Printable(
        title=_("Nachricht der Spielleitung"),
        context={"circular": found, "group": label_of(found.audience), "persons": persons},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class StartkartePrint:
    """One Startkarte."""

    registration: Registration
    qr: str
    lines: int  # of the names on it: what stands below them has the rest of the card

    @property
    def has_room(self) -> bool:
        """Whether there is room for large letters."""
        return self.lines <= 4

    @property
    def is_crowded(self) -> bool:
        """Whether all text must be smaller."""
        return self.lines > 5


def cards(wanted: PrintRequest) -> Printable:
    """Return the Startkarten, eight to a page or one to a strip; all, or that of a number."""
    tournament = wanted.tournament
    found = tournament.registrations.filter(
        number__isnull=False, status__in=Registration.TAKING_PART
    )
    if wanted.number is not None:
        found = found.filter(number=wanted.number)
    registrations = list(found.select_related("person", "club").order_by("number"))
    if not registrations:
        raise TournamentError(
            _("Es gibt noch keine Startnummern, also keine Startkarten.")
            if wanted.number is None
            else _("Die Startnummer {number} spielt nicht mit.").format(number=wanted.number)
        )
    player_access.provide(tournament)
    made = [_card(one, wanted.base_url) for one in registrations]
    each = 1 if wanted.on_strip else CARDS_PER_PAGE
    return Printable(
        title=_("Startkarten")
        if wanted.number is None
        else _("Startkarte {number}").format(number=wanted.number),
        context={
            "serien": [one.number for one in tournament.serien.all()[:MOST_SERIEN_ON_A_CARD]],
            "formula": short_formula(rule_set_of(tournament)),
            "on_strip": wanted.on_strip,
        },
        sheets=[made[at : at + each] for at in range(0, len(made), each)],
    )


def _card(registration: Registration, base_url: str) -> StartkartePrint:
    address = f"{base_url}{player_path(registration)}"
    return StartkartePrint(
        registration=registration,
        qr=on_paper(address) if base_url else "",
        lines=_lines(_("Startkarte · {name}").format(name=registration.tournament.name), IN_TITLE)
        + _lines(registration.person.full_name, IN_NAME)
        + _lines(registration.club.name if registration.club else "", IN_CLUB),
    )


def _lines(text: str, letters: int) -> int:
    return ceil(len(text) / letters)
