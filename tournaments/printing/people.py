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
from tournaments.notices.queries.circulars import label_of, without_mail
from tournaments.printing.base import Printable, PrintRequest
from tournaments.printing.sheets import short_formula
from tournaments.results.services import player_access

CARDS_PER_PAGE = 8
MOST_SERIEN_ON_A_CARD = 6
# The least number of letters in one line of a card: the QR code is beside most lines.
TITLE_LETTERS, NAME_LETTERS, CLUB_LETTERS = 38, 24, 54
Status = Registration.Status
NOT_LISTED = (Status.WITHDRAWN, Status.WAITING)


def participants(request: PrintRequest) -> Printable:
    """Return the list of participants, with the amount that each has paid."""
    rows = list(queries.listing(request.tournament).exclude(status__in=NOT_LISTED))
    if not rows:
        raise TournamentError(
            _("Es ist noch niemand gemeldet. Gemeldet wird unter „Meldungen & Kasse“.")
        )
    coming = [registration for registration in rows if registration.takes_part]
    listed = {registration.pk for registration in rows}
    sums = [
        person_sum
        for person_sum in by_person(request.tournament)["persons"]
        if person_sum.registration is not None and person_sum.registration.pk in listed
    ]
    return Printable(
        title=_("Teilnehmerliste"),
        context={
            "registrations": rows,
            "persons": len(coming),
            "clubs": len({registration.club_id for registration in coming if registration.club_id}),
            "paid_cents": sum(person_sum.paid_cents for person_sum in sums),
            "open_cents": sum(person_sum.open_cents for person_sum in sums),
            "has_groups": len({registration.category_id for registration in rows}) > 1,
            "has_open": any(person_sum.open_cents for person_sum in sums),
        },
    )


def circular(request: PrintRequest) -> Printable:
    """Return a message to the registered persons, with those who must still be told."""
    message = request.tournament.circulars.filter(pk=request.circular or 0).first()
    if message is None:
        raise TournamentError(_("Diese Nachricht gibt es nicht."))
    persons = [
        (recipient.number, recipient.person.list_name, recipient.club)
        if isinstance(recipient, Registration)
        else (None, recipient.list_name, recipient.club_name)
        for recipient in without_mail(message)
    ]
    return Printable(
        title=_("Nachricht der Spielleitung"),
        context={"circular": message, "group": label_of(message.audience), "persons": persons},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class StartkartePrint:
    """One Startkarte."""

    registration: Registration
    qr: str
    lines: int  # of the names on it; the text below has the rest of the card

    @property
    def has_room(self) -> bool:
        """Whether there is room for large letters."""
        return self.lines <= 4

    @property
    def is_crowded(self) -> bool:
        """Whether all text must be smaller."""
        return self.lines > 5


def cards(request: PrintRequest) -> Printable:
    """Return the Startkarten, eight to a page or one to a strip; all, or that of a number."""
    tournament = request.tournament
    queryset = tournament.registrations.filter(
        number__isnull=False, status__in=Registration.TAKING_PART
    )
    if request.number is not None:
        queryset = queryset.filter(number=request.number)
    registrations = list(queryset.select_related("person", "club").order_by("number"))
    if not registrations:
        raise TournamentError(
            _("Es gibt noch keine Startnummern, also keine Startkarten.")
            if request.number is None
            else _("Die Startnummer {number} spielt nicht mit.").format(number=request.number)
        )
    player_access.store_tokens(tournament)
    made = [_card(registration, request.base_url) for registration in registrations]
    per_page = 1 if request.on_strip else CARDS_PER_PAGE
    return Printable(
        title=_("Startkarten")
        if request.number is None
        else _("Startkarte {number}").format(number=request.number),
        context={
            "serien": [serie.number for serie in tournament.serien.all()[:MOST_SERIEN_ON_A_CARD]],
            "formula": short_formula(rule_set_of(tournament)),
            "on_strip": request.on_strip,
        },
        sheets=[made[at : at + per_page] for at in range(0, len(made), per_page)],
    )


def _card(registration: Registration, base_url: str) -> StartkartePrint:
    address = f"{base_url}{player_path(registration)}"
    return StartkartePrint(
        registration=registration,
        qr=on_paper(address) if base_url else "",
        lines=_lines(
            _("Startkarte · {name}").format(name=registration.tournament.name), TITLE_LETTERS
        )
        + _lines(registration.person.full_name, NAME_LETTERS)
        + _lines(registration.club.name if registration.club else "", CLUB_LETTERS),
    )


def _lines(text: str, letters: int) -> int:
    return ceil(len(text) / letters)
