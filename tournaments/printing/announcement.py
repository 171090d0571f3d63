"""The Ausschreibung as a poster, the rules and the manual, with the same texts as their pages."""

from __future__ import annotations

import hashlib

from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournaments.announcement.queries import ausschreibung_text
from tournaments.announcement.queries import poster as queries
from tournaments.announcement.queries.tournaments import is_public
from tournaments.common.errors import TournamentError
from tournaments.common.rules import rule_set_of
from tournaments.machine.mails import can_mail
from tournaments.machine.qr_codes import on_paper, wlan_data
from tournaments.manual import contents
from tournaments.models import Tournament
from tournaments.printing.base import Printable, PrintRequest
from tournaments.printing.sheets import short_formula
from tournaments.rulebook.queries import rule_set_text, rules_of_play


def poster(request: PrintRequest) -> Printable:
    """Return the poster, with a QR code to the public page."""
    tournament = request.tournament
    leads_there = request.base_url and is_public(tournament)
    address = f"{request.base_url}/t/{tournament.slug}/" if leads_there else ""
    return Printable(
        title=_("Ausschreibung"),
        context={
            **queries.poster(tournament),
            "formula": short_formula(rule_set_of(tournament)),
            "address": address,
            "qr": on_paper(address) if address else "",
        },
    )


def door(request: PrintRequest) -> Printable:
    """Return the poster „Ich bin da“ for the door, with a QR code to the page for checking in.

    Raises:
        TournamentError: if the Ausschreibung does not let players check in, or there is no address.
    """
    if not request.tournament.self_check_in:
        raise TournamentError(
            _("„Selbst abhaken am Turniertag“ ist in der Ausschreibung nicht eingeschaltet.")
        )
    if not request.base_url:
        raise TournamentError(_("Ohne Adresse des Programms im Netz gibt es keinen QR-Code."))
    address = f"{request.base_url}/t/{request.tournament.slug}/da/"
    context = {
        "address": address,
        "qr": on_paper(address),
        "wlan_qr": wlan_qr(request.tournament),
        "can_mail": can_mail(),
    }
    return Printable(title=_("Ich bin da"), context=context)


def wlan_qr(tournament: Tournament) -> str:
    """Return the QR code by which a phone joins the WLAN of the hall; "" if none is set."""
    data = wlan_data(tournament.wlan_name, tournament.wlan_password)
    return on_paper(data) if data else ""


def rules(request: PrintRequest) -> Printable:
    """Return the rules of play and the rule set of the tournament."""
    rule_set = rule_set_of(request.tournament)
    return Printable(
        title=_("Spielregeln: {name}").format(name=rule_set.name),
        context={
            "chapters": rules_of_play.chapters(rule_set),
            "has_own_numbers": rules_of_play.has_own_numbers(rule_set),
            "lines": ausschreibung_text.scoring_lines(request.tournament),
            "contracts": rule_set_text.contracts(rule_set),
        },
    )


def manual(_wanted: PrintRequest) -> Printable:
    """Return all chapters with their pictures."""
    folder = settings.BASE_DIR / "static" / "manual" / get_language()
    pictures = hashlib.sha256()
    for file in sorted(folder.iterdir()):
        pictures.update(file.read_bytes())
    return Printable(
        title=_("Handbuch"),
        # The hash makes a new PDF when a picture changes under the same name.
        context={"chapters": contents.chapters(), "pictures": pictures.hexdigest()},
    )


def day(request: PrintRequest) -> Printable:
    """Return the steps of the day in their order, on one page to hang up."""
    address = f"{request.base_url}/" if request.base_url else ""
    return Printable(
        title=_("Der Turniertag auf einer Seite"),
        context={
            "chapters": contents.day(),
            "address": address,
            "qr": on_paper(address) if address else "",
        },
    )
