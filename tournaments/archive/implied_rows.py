"""The rows of all sections: those in the file, and those that its required part implies.

A file may have the required part only; the imported tournament can then be continued.
References are positions, as in the file.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, time, timedelta
from typing import Any

from django.utils import timezone

from scoring.reading.interchange import lines_to_json
from scoring.reading.ruleset_json import ruleset_to_dict
from tournaments.archive import sections
from tournaments.archive.json_references import Row
from tournaments.archive.parts import ListPart, RegistrationPart, TournamentPart
from tournaments.archive.reading import Archive
from tournaments.archive.required_part import ReadTable
from tournaments.archive.rows import ArchiveSection
from tournaments.common import names
from tournaments.models import (
    CashEntry,
    Penalty,
    Ranking,
    Receipt,
    Registration,
    Spielliste,
    Tournament,
)

NOON = time(12)
TEAM_RANKING = 2  # its position, after the ranking of single players
Status = Spielliste.Status


class CompletedRows:
    """Reads the required part once; afterwards ``rows`` has the rows of every section."""

    def __init__(self, archive: Archive) -> None:
        self.required = required = archive.required
        self.further = archive.further
        self.now = timezone.now()
        self.rows: dict[ArchiveSection, list[Row]] = defaultdict(list)
        self.club_at = {names.sort_key(club.name): at for at, club in enumerate(required.clubs, 1)}
        self.place_of = {
            registration.number: at for at, registration in enumerate(required.registrations, 1)
        }
        self.teams: dict[str, list[int]] = {}  # positions of registrations by the name of a team
        self.tournament(required.tournament)
        for club in required.clubs:
            self.add(sections.CLUBS, name=club.name)
        for at, registration in enumerate(required.registrations, 1):
            self.registration(at, registration)
        self.named_teams()
        for at, table in enumerate(required.tables, 1):
            self.table(at, table)
        for playoff in required.playoffs:
            self.imply(sections.PLAYOFFS, ranking=None, order=list(playoff.order))
        for section, rows in self.further.items():
            self.rows.setdefault(section, rows)
        # Persons who left come after those who play.
        self.rows[sections.PERSONS] += self.rows.pop(sections.FORMER_PERSONS, [])

    def add(self, section: ArchiveSection, implied: Row | None = None, **values: Any) -> None:
        """Add a row from its section, or else *implied*, with the *values* of the required part."""
        rows, in_file = self.rows[section], self.further.get(section)
        rows.append({**(in_file[len(rows)] if in_file else implied or {}), **values})

    def imply(self, section: ArchiveSection, **values: Any) -> None:
        """Add a row if the file lacks its section."""
        if section not in self.further:
            self.rows[section].append(values)

    def tournament(self, part: TournamentPart) -> None:
        begins = timezone.make_aware(datetime.combine(part.date, NOON))
        is_running = bool(self.required.tables)
        implied = {
            "starts_at": begins,
            "registration_deadline": begins - timedelta(minutes=15),
            "status": Tournament.Status.RUNNING if is_running else Tournament.Status.ANNOUNCED,
            "rule_set": ruleset_to_dict(part.rule_set),
        }
        self.add(sections.TOURNAMENT, implied, slug=part.slug, name=part.name)
        paid = [registration.paid_cents for registration in self.required.registrations]
        self.imply(sections.CATEGORIES, name="Startgeld", startgeld_cents=max(paid, default=0))
        self.imply(sections.RANKINGS, kind=Ranking.Kind.SINGLE)
        played = max(part.series, len(self.further.get(sections.SERIEN, ())))
        for number in range(1, played + 1):
            self.add(sections.SERIEN, number=number)

    def registration(self, at: int, part: RegistrationPart) -> None:
        club = None if part.club is None else self.club_at[names.sort_key(part.club)]
        is_waiting = part.status == Registration.Status.WAITING
        implied: Row = {
            "category": 1,
            "due_cents": part.paid_cents,
            "source": Registration.Source.IMPORT,
            "waiting_since": self.now if is_waiting else None,
        }
        values: Row = {"person": at, "number": part.number, "status": part.status, "club": club}
        if part.team is not None and not self.further.keys() & {sections.TEAMS, sections.RANKINGS}:
            values["rankings"] = [TEAM_RANKING]
            self.teams.setdefault(part.team, []).append(at)
        person = {"first_name": part.first_name, "last_name": part.last_name}
        self.add(sections.PERSONS, {"club": club}, **person)
        self.add(sections.REGISTRATIONS, implied, **values)
        if part.paid_cents and sections.RECEIPTS not in self.further:
            receipt = len(self.rows[sections.RECEIPTS]) + 1
            text = "aus dem Archiv übernommen"
            self.imply(sections.RECEIPTS, number=receipt, method=Receipt.Method.CASH, text=text)
            self.imply(
                sections.CASH_ENTRIES,
                receipt=receipt,
                kind=CashEntry.Kind.STARTGELD,
                amount_cents=part.paid_cents,
                registration=at,
            )

    def named_teams(self) -> None:
        """Add the ranking of teams and its teams, as implied by the names of teams."""
        if self.teams:
            size = max(2, *map(len, self.teams.values()))
            self.imply(sections.RANKINGS, kind=Ranking.Kind.TEAM, size=size)
        for at, (name, members) in enumerate(self.teams.items(), 1):
            self.imply(sections.TEAMS, ranking=TEAM_RANKING, name=name)
            for member in members:
                values = {"team": at, "ranking": TEAM_RANKING, "registration": member}
                self.imply(sections.TEAM_MEMBERS, **values)

    def table(self, at: int, table: ReadTable) -> None:
        serie, part = table.serie, table.part
        self.add(sections.TABLES, serie=serie, number=part.number)
        seats = [self.place_of[number] for number in part.seats]
        for seat, place in enumerate(seats, 1):
            self.add(sections.SEATS, serie=serie, table=at, number=seat, registration=place)
        implied = _list(part.list, len(table.lines), self.now)
        self.add(sections.LISTS, implied, table=at, status=part.list.status)
        for number, line in enumerate(lines_to_json(table.lines), 1):
            entered = {"entered_at": self.now}
            self.add(sections.GAMES, entered, spielliste=at, number=number, line=line)
        for penalty in table.penalties:
            self.imply(
                sections.PENALTIES,
                spielliste=at,
                registration=seats[penalty.seat - 1],
                points=penalty.points,
                reason=penalty.reason[:300],
                status=Penalty.Status.GIVEN,
                decided_at=self.now,
            )


def _list(part: ListPart, lines: int, now: datetime) -> Row:
    """Return the fields implied for a list by its status and number of lines."""
    row: Row = {"version": lines}
    if part.ended is not None:
        row |= {
            "ended_games": part.ended.games,
            "ended_counts": part.ended.counts,
            "ended_reason": "beendet, bevor das Archiv entstand",
        }
    if part.status in {Status.SIGNED, Status.HANDED_IN, Status.VERIFIED}:
        row["signed_at"] = now
    if part.status in {Status.HANDED_IN, Status.VERIFIED}:
        row |= {"handed_in_at": now, "list_received": True, "cards_received": True}
    if part.status == Status.VERIFIED:
        row["verified_at"] = now
    if part.status == Status.INVALID:
        row |= {
            "invalid_reason": "für ungültig erklärt, bevor das Archiv entstand",
            "status_before_invalid": Status.OPEN,
        }
    return row
