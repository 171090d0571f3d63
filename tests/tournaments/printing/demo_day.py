"""The tournament to look at, written once: forty-seven people in the middle of their day."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from scoring.money import euro
from scoring.payments.prizes import PrizeRanking as RankingKey
from scoring.payments.prizes import RankingCategory
from tests.tournaments.printing.helpers import UnrenderedDocument, written
from tournaments.cash.queries.report import report
from tournaments.common.errors import TournamentError
from tournaments.common.rules import rule_set_of
from tournaments.lists.queries.loading import load_lists
from tournaments.lists.services import versions as list_versions
from tournaments.models import JournalEntry, ListVersion, Tournament
from tournaments.practice.demo.day import PracticeDay
from tournaments.results.queries.rankings import Rankings

CORRECTED, PUNISHED, OF_THREE = 4, 7, 12  # tables
BEGIN = datetime(2026, 10, 3, 11, tzinfo=timezone.get_default_timezone())
# One sheet of documents with a page for each table or person: the extreme day checks many.
ASKED: Mapping[str, Mapping[str, Any]] = {
    "startkarten": {"number": 47},
    "auskunft": {"number": 47},
    "quittung": {"receipt": 60},
    "sitzplan-namen": {"serie": 2},
    "sitzplan-tische": {"serie": 2},
    "tischkarten": {"serie": 2, "table": OF_THREE},
    "spiellisten": {"serie": 2, "table": OF_THREE},
    "spiellisten-leer": {"size": 3, "copies": 1},
    "rangliste": {"ranking": "einzel", "upto": 1},
    "rangliste-aushang": {"ranking": "tandem", "upto": 1},
    "urkunden": {"ranking": "einzel"},
}


@dataclass(frozen=True)
class DemoDay:
    """The written and refused documents, and their data."""

    papers: dict[str, UnrenderedDocument] = field(default_factory=dict)
    refusals: dict[str, str] = field(default_factory=dict)
    lists: dict[int, UnrenderedDocument] = field(
        default_factory=dict
    )  # played ones of Serie 1, by table
    people: list[tuple[int, str, str]] = field(default_factory=list)  # number, name, club
    # Name, number, table and seat of everybody in Serie 2, and whether the name may be shown.
    seats: list[tuple[str, int, int, int, bool]] = field(default_factory=list)
    ranking: list[tuple[int, str, int]] = field(default_factory=list)  # rank, name, points
    results: dict[int, list[int]] = field(default_factory=dict)  # by table, seat 1 first
    hashes: dict[int, str] = field(default_factory=dict)
    in_cash: str = ""
    entries: int = 0  # of the journal


def write_demo(documents: Iterable[str]) -> DemoDay:
    """Make the day and write each of *documents*, or note why it cannot be."""
    tournament = PracticeDay(lambda _said: None).run()
    # It began three hours ago; at night its deadline would be of the day before, a line longer.
    tournament.starts_at = BEGIN
    tournament.registration_deadline = BEGIN - timedelta(minutes=15)
    tournament.save(update_fields=["starts_at", "registration_deadline"])
    day = DemoDay(
        in_cash=euro(report(tournament).cash_cents),
        entries=JournalEntry.objects.filter(chain__tournament=tournament).count(),
    )
    for name in documents:
        # Four of the others; below; the same in every tournament.
        if name in {"druckpaket", "spiellisten-gespielt", "handbuch"}:
            continue
        try:
            day.papers[name] = written(tournament, name, **ASKED.get(name, {}))
        except TournamentError as refusal:
            day.refusals[name] = str(refusal)
    for table in (CORRECTED, PUNISHED, OF_THREE):
        day.lists[table] = written(tournament, "spiellisten-gespielt", serie=1, table=table)
    _collect(day, tournament)
    return day


def _collect(day: DemoDay, tournament: Tournament) -> None:
    for registration in tournament.registrations.order_by("number"):
        day.people.append(
            (registration.number or 0, registration.person.list_name, str(registration.club or "–"))
        )
    for table in tournament.serien.get(number=2).tables.order_by("number"):
        for seat in table.seats.all():
            person = seat.registration.person
            number = seat.registration.number or 0
            day.seats.append(
                (person.full_name, number, table.number, seat.number, not person.hall_objection)
            )
    lines = Rankings(tournament).table(RankingKey(category=RankingCategory.OVERALL), upto=1).lines
    for line in lines:
        day.ranking.append((line.standing.rank, line.name, line.standing.total or 0))
    rules = rule_set_of(tournament)
    for data in load_lists(tournament):
        if data.serie == 1:
            results = data.results(rules)
            day.results[data.table] = [
                results[key].total for _seat, key in sorted(data.seats.items())
            ]
    for version in ListVersion.objects.filter(spielliste__table__serie__number=1).order_by("pk"):
        day.hashes[version.spielliste.table.number] = list_versions.short_hash(version)
