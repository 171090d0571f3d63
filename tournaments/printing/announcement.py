"""The Ausschreibung as a poster, the rules, the manual: with the same words as their pages."""

from __future__ import annotations

import hashlib

from django.conf import settings
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from stdnum import iban

from tournaments.announcement.queries import ausschreibung_text
from tournaments.announcement.queries import tournaments as queries
from tournaments.common.rules import rule_set_of
from tournaments.desk.queries.circle import who_may_come
from tournaments.machine.qr_codes import on_paper
from tournaments.manual.contents import CHAPTERS, DAY
from tournaments.models import Tournament
from tournaments.models.tournament import Section
from tournaments.printing.base import Printable, Wanted
from tournaments.printing.sheets import short_formula
from tournaments.rulebook.queries import rule_set_text, rules_of_play


def poster(wanted: Wanted) -> Printable:
    """Return what the poster says, with a QR code to the public page."""
    tournament = wanted.tournament
    rule_set = rule_set_of(tournament)
    sections = (
        (Section.STARTGELD, _("Startgeld")),
        (Section.SERIEN, _("Serien")),
        (Section.RANKINGS, _("Wertungen")),
        (Section.PRIZES, _("Preise")),
    )
    public = wanted.base_url and queries.is_public(tournament)
    address = f"{wanted.base_url}/t/{tournament.slug}/" if public else ""
    return Printable(
        title=_("Ausschreibung"),
        context={
            "deadline_same_day": timezone.localdate(tournament.registration_deadline)
            == timezone.localdate(tournament.starts_at),
            "circle": ausschreibung_text.circle(tournament),
            "admission": who_may_come(tournament),
            "sections": [
                (heading, lines)
                for section, heading in sections
                if (lines := ausschreibung_text.section_lines(tournament, section))
            ],
            "rule_set": rule_set,
            "rule_summary": rule_set_text.summary(rule_set),
            "formula": short_formula(rule_set),
            "ended_lists": ausschreibung_text.ended_lists_text(tournament),
            "bussgeld": ausschreibung_text.bussgeld_text(tournament),
            "iban": iban.format(tournament.iban),
            "address": address,
            "qr": on_paper(address) if address else "",
            "is_draft": tournament.status == Tournament.Status.DRAFT,
        },
    )


def rules(wanted: Wanted) -> Printable:
    """Return how the tournament is played and counted."""
    rule_set = rule_set_of(wanted.tournament)
    return Printable(
        title=_("Spielregeln: {name}").format(name=rule_set.name),
        context={
            "chapters": rules_of_play.chapters(rule_set),
            "has_own_numbers": rules_of_play.has_own_numbers(rule_set),
            "lines": ausschreibung_text.counted(wanted.tournament),
            "contracts": rule_set_text.contracts(rule_set),
        },
    )


def manual(_wanted: Wanted) -> Printable:
    """Return all chapters with their pictures."""
    folder = settings.BASE_DIR / "static" / "manual" / get_language()
    pictures = hashlib.sha256()
    for file in sorted(folder.iterdir()):
        pictures.update(file.read_bytes())
    return Printable(
        title=_("Handbuch"),
        # A PDF is made anew when what it is made of has changed, and a name does not say that.
        context={"chapters": CHAPTERS, "pictures": pictures.hexdigest()},
    )


def day(wanted: Wanted) -> Printable:
    """Return what is to be done on the day, in its order, on one page to pin up."""
    address = f"{wanted.base_url}/" if wanted.base_url else ""
    return Printable(
        title=_("Der Turniertag auf einer Seite"),
        context={
            "chapters": DAY,
            "address": address,
            "qr": on_paper(address) if address else "",
        },
    )
