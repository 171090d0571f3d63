"""The facts that an Ausschreibung still lacks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.money import euro
from tournaments.announcement.queries.tournaments import STARTGELD_POT
from tournaments.common.rules import prize_plans
from tournaments.models import Tournament
from tournaments.models.tournament import Section

CONTACT = ("contact_email", "contact_phone")  # one of them is enough


@dataclass(frozen=True, slots=True)
class MissingFact:
    """A missing fact, and the section in which to enter it."""

    section: Section
    sentence: str
    fields: tuple[str, ...] = ()  # of the model, if these alone would be enough


def missing_facts(tournament: Tournament) -> list[MissingFact]:
    """Return the required facts that are missing, in the order of the sections."""
    return list(_missing(tournament))


def missing_before_announcing(tournament: Tournament, now: datetime) -> list[MissingFact]:
    """Return the reasons why the tournament cannot be announced at *now*."""
    return [*_day_past(tournament, now), *missing_facts(tournament)]


def _day_past(tournament: Tournament, now: datetime) -> Iterator[MissingFact]:
    # On the day itself the Meldeschluss may be past, because club evenings are announced late.
    if timezone.localdate(tournament.starts_at) < timezone.localdate(now):
        sentence = _("Der Beginn liegt in der Vergangenheit. Bitte Tag und Uhrzeit ändern.")
        yield MissingFact(Section.GENERAL, sentence)


def _missing(tournament: Tournament) -> Iterator[MissingFact]:
    if not tournament.venue:
        yield MissingFact(Section.GENERAL, _("Der Spielort fehlt."), ("venue",))
    if not tournament.organiser:
        sentence = _("Es fehlt, wer das Turnier veranstaltet.")
        yield MissingFact(Section.GENERAL, sentence, ("organiser",))
    if not (tournament.contact_email or tournament.contact_phone):
        sentence = _("Für Rückfragen fehlt eine E-Mail-Adresse oder Telefonnummer.")
        yield MissingFact(Section.GENERAL, sentence, CONTACT)
    # Tournaments that were announced before lists existed are not checked.
    is_draft = tournament.is_draft
    if is_draft and not tournament.is_open and not tournament.admission:
        yield MissingFact(
            Section.GENERAL,
            _("Es fehlt, wer sich zu dem geschlossenen Turnier melden kann (§ 1.1)."),
        )
    if not tournament.serien.exists():
        yield MissingFact(Section.SERIEN, _("Es ist noch keine Serie vorgesehen."))
    if not tournament.categories.exists():
        yield MissingFact(
            Section.STARTGELD,
            _("Es fehlt, was das Startgeld beträgt (0,00 €, wenn keines erhoben wird)."),
        )
    yield from _serie_prizes_beyond(tournament)
    yield from _prizes_for_nobody(tournament)


def _serie_prizes_beyond(tournament: Tournament) -> Iterator[MissingFact]:
    plan = prize_plans(tournament).get(STARTGELD_POT)
    usual = tournament.categories.first()
    if plan and usual and plan.serie_cents > usual.startgeld_cents:
        yield MissingFact(
            Section.PRIZES,
            _("Für Serienpreise sollen {part} von jedem Startgeld sein; es beträgt {each}.").format(
                part=euro(plan.serie_cents), each=euro(usual.startgeld_cents)
            ),
        )


def _prizes_for_nobody(tournament: Tournament) -> Iterator[MissingFact]:
    if not tournament.prize_plan:
        return
    categories = {ranking.category for ranking in tournament.rankings.all()}
    serien = tournament.serien.count()
    wrong: dict[str, str] = {}
    for each in prize_plans(tournament).values():
        chosen_in = [each.choosing.ranking] if each.choosing else []
        for ranking in [*(line.ranking for line in each.lines), *chosen_in]:
            if ranking.serie is not None:
                if ranking.serie > serien:
                    wrong[ranking.describe()] = _("diese Serie wird nicht gespielt")
            elif ranking.day is not None:
                if ranking.day > tournament.days.number:
                    wrong[ranking.describe()] = _("diesen Tag gibt es nicht")
            elif ranking.category not in categories:
                wrong[ranking.describe()] = _("diese Wertung wird nicht geführt")
    for name, why in wrong.items():
        yield MissingFact(
            Section.PRIZES,
            _("Der Preisplan nennt einen Preis für „{name}“, aber {why}.").format(
                name=name, why=why
            ),
        )
