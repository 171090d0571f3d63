"""The sections of an Ausschreibung: groups of facts that are saved together."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.common.states import DRAFT, UNTIL_START, States
from tournaments.machine.hashes import SHORT, hash_of
from tournaments.models import Tournament
from tournaments.models.tournament import Section

Facts = dict[str, Any]

MASK = "…"
# Personal data: the journal notes a change without the values, because entries are immutable.
# The text may contain names.
PERSONAL = frozenset(
    {"text", "contact", "contact_email", "contact_phone", "circle_persons"}
    | {"account_holder", "iban", "wlan_password"}
)
IBAN_SHOWN = 4  # last digits, enough to notice that the account was changed


FIELDS: Mapping[Section, tuple[str, ...]] = {
    Section.GENERAL: (
        "name",
        "slug",
        "starts_at",
        "registration_deadline",
        "venue",
        "venue_address",
        "organiser",
        "contact",
        "contact_email",
        "contact_phone",
        "is_open",
        "closed_circle",
        "admission",
        "circle_clubs",
        "circle_persons",
    ),
    Section.TEXT: ("text",),
    Section.RULE_SET: ("rule_set",),
    Section.SERIEN: ("schedule",),
    Section.STARTGELD: (
        *("places", "late_startgeld", "day_startgeld"),
        *("kartengeld_cents", "kaution_cents", "refund_until"),
    ),
    Section.RANKINGS: (),
    Section.BUSSGELD: ("bussgeld",),
    Section.PRIZES: ("prize_plan",),
    Section.BANK: ("account_holder", "iban", "bic"),
    Section.PROCEDURE: (
        *("online_registration", "offer_hours", "self_check_in", "mails_seats"),
        *("wlan_name", "wlan_password"),
        *("ended_lists", "best_serien", "only_whole", "ties_by_lot", "carries_points"),
        *("protest_minutes", "four_eyes", "language"),
    ),
    Section.PUBLIC: ("names_in_hall", "public_players", "public_seating", "public_ranking"),
}
# Fields that are fixed earlier than their section: states in which they may change, and refusal.
FIXED: Mapping[str, tuple[States, str | Promise]] = {
    "slug": (
        DRAFT,
        _("Die Adresse ist mit der Ausschreibung bekannt gemacht. Der Kurzname bleibt „{slug}“."),
    ),
    "ended_lists": (
        UNTIL_START,
        _("Das Turnier läuft. Wie vorzeitig beendete Listen zählen, steht fest: {how}."),
    ),
    **dict.fromkeys(
        ("best_serien", "only_whole", "ties_by_lot", "carries_points"),
        (
            UNTIL_START,
            _(
                "Das Turnier läuft. Welche Serien zählen, wer einen Platz hat, ob das Los "
                "entscheidet und ob Punkte mitgenommen werden, steht fest."
            ),
        ),
    ),
}
ROWS: Mapping[Section, tuple[str, tuple[str, ...]]] = {
    Section.SERIEN: ("serien", ("number", "seating", "time_limit_minutes")),
    Section.STARTGELD: (
        "categories",
        ("id", "position", "name", "startgeld_cents", "born_from", "born_until"),
    ),
    Section.RANKINGS: ("rankings", ("kind", "size", "born_from", "born_until", "stake_cents")),
}


def facts(tournament: Tournament, section: Section) -> Facts:
    """Return the facts of *section* as JSON values; rows are read from the database."""
    facts: Facts = {name: _plain(getattr(tournament, name)) for name in FIELDS[section]}
    if section in ROWS:
        name, columns = ROWS[section]
        facts[name] = list(getattr(tournament, name).values(*columns))
    return facts


def fingerprint(tournament: Tournament, section: Section) -> str:
    """Return a fingerprint of *section*, by which a form proves that its facts are current."""
    return fingerprint_of(facts(tournament, section))


def fingerprint_of(facts: Facts) -> str:
    """Return the fingerprint of facts."""
    return hash_of(facts)[:SHORT]


def changes(before: Facts, after: Facts) -> tuple[Facts, Facts]:
    """Return the facts that differ, before and after, as the journal stores them."""
    different = [name for name in after if before[name] != after[name]]
    return (
        {name: _for_journal(name, before[name]) for name in different},
        {name: _for_journal(name, after[name]) for name in different},
    )


def _for_journal(name: str, value: Any) -> Any:
    if name not in PERSONAL or not value:
        return value
    return f"{MASK}{value[-IBAN_SHOWN:]}" if name == "iban" else MASK


def _plain(value: Any) -> Any:
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value
