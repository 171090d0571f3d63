"""Storing what a file of an archive says, section by section."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Any

from django.utils import timezone

from scoring.reading.interchange import lines_to_json
from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.reading.strict_json import Node
from scoring.texts import _
from tournaments.archive import persons, sections
from tournaments.archive.chains import read_chains
from tournaments.archive.reading import Archive, ReadRegistration, ReadTable
from tournaments.archive.rows import (
    BATCH,
    Loaded,
    Positions,
    Row,
    Section,
    load_row,
    store,
    store_all,
)
from tournaments.common import names
from tournaments.lists.services.opening import give_access
from tournaments.models import (
    CashEntry,
    Category,
    Club,
    Game,
    Penalty,
    Person,
    Playoff,
    Ranking,
    Receipt,
    Registration,
    Seat,
    Serie,
    Spielliste,
    Table,
    Team,
    TeamMember,
    Tournament,
    User,
)

NOON = time(12)
Status = Spielliste.Status


class Loader:
    """Stores the rows of one archive; what is wrong with them is noted in the file."""

    def __init__(self, archive: Archive) -> None:
        self.archive = archive
        self.positions = Positions()
        self.has_reused = False  # a club or a person was there already
        self.now = timezone.now()

    def run(self) -> Tournament:
        """Store everything and return the tournament."""
        self.accounts()
        self.tournament = self.make_tournament()
        for section in sections.BEFORE:
            self.rows(section)
        self.needed_categories_and_rankings()
        self.clubs()
        self.persons()
        self.serien()
        self.registrations()
        self.tables()
        for section in sections.AFTER:
            if section is not sections.FORMER_PERSONS:
                self.rows(section)
        self.derived()
        self.journals()
        self.archive.root.raise_problems()
        give_access(self.tournament)
        return self.tournament

    def items(self, name: str) -> list[Node]:
        """Return the rows of a section as they stand in the file; none if it has no such."""
        node = self.archive.further.get(name)
        return (node.items() or []) if node is not None else []

    # --- Sections that stand for themselves ---------------------------------------------

    def rows(self, section: Section) -> None:
        """Store the rows of a section, if the file has it."""
        owner = section.tournament_field()
        known = {f"{owner}_id": self.tournament.pk} if owner else {}
        self.positions.put(section.model, [])
        waiting: list[tuple[Loaded, Row]] = []

        def store_waiting() -> None:
            if not self.archive.root.problems:
                for key in store_all(section, waiting):
                    self.positions.add(section.model, key)
            waiting.clear()

        for item in self.items(section.name):
            # A row may point to an earlier one of its own kind, which has no key before.
            if section.points_to_its_own(item.value):
                store_waiting()
            waiting.append((load_row(section, item, self.positions), known))
        store_waiting()
        self.archive.root.raise_problems()

    def loaded(self, section: Section) -> list[Loaded]:
        """Return the rows of a section; refuse the file if one of them is wrong."""
        found = [load_row(section, item, self.positions) for item in self.items(section.name)]
        self.archive.root.raise_problems()
        return found

    def details(self, section: Section, number: int) -> list[Loaded]:
        """Return what completes each of *number* rows of the required part."""
        if section.name not in self.archive.further:
            return [Loaded() for _row in range(number)]
        found = self.loaded(section)
        if len(found) != number:
            self.archive.further[section.name].refuse(
                _("Dieser Abschnitt hat {found} Einträge, gebraucht werden {wanted}.").format(
                    found=len(found), wanted=number
                )
            )
            self.archive.root.raise_problems()
        return found

    # --- The required part --------------------------------------------------------------

    def accounts(self) -> None:
        """Find or make the accounts that the file names; made ones cannot log in."""
        keys = []
        for item in self.items(sections.ACCOUNTS):
            fields = item.fields(required=("username", "name"))
            username = (fields["username"].text() or "")[:60] if "username" in fields else ""
            name = (fields["name"].text() or "")[:120] if "name" in fields else ""
            if username and name:
                keys.append(self.account(username, name).pk)
        self.archive.root.raise_problems()
        self.positions.put(User, keys)

    def account(self, username: str, name: str) -> User:
        """Return the account of that name; somebody else of the same log-in name is not it."""
        there = User.objects.filter(username__iexact=username).first()
        if there is not None and there.name == name:
            return there
        free, number = username, 2
        while User.objects.filter(username__iexact=free).exists():
            self.has_reused = True
            free, number = f"{username[:55]}-{number}", number + 1
        return User.objects.create_user(free, None, name=name, is_active=False)

    def make_tournament(self) -> Tournament:
        """Store the tournament; what the file does not say is as a new one would have it."""
        begins = timezone.make_aware(datetime.combine(self.archive.tournament.date, NOON))
        (details,) = self.details(sections.TOURNAMENT, 1)
        values: dict[str, Any] = {
            "starts_at": begins,
            "registration_deadline": begins - timedelta(minutes=15),
            "status": Tournament.Status.RUNNING
            if self.archive.tables
            else Tournament.Status.ANNOUNCED,
            "created_at": self.now,
            "rule_set": ruleset_to_dict(self.archive.tournament.rule_set),
            **details.values,
        }
        tournament = Tournament(
            slug=self.archive.tournament.slug, name=self.archive.tournament.name, **values
        )
        tournament.save(force_insert=True)
        self.positions.put(Tournament, [tournament.pk])
        return tournament

    def needed_categories_and_rankings(self) -> None:
        """Make the group of Startgeld and the rankings that the required part implies."""
        if sections.CATEGORIES.name not in self.archive.further:
            most = max((one.paid_cents for one in self.archive.registrations), default=0)
            Category.objects.create(
                tournament=self.tournament, name="Startgeld", startgeld_cents=max(0, most)
            )
        if sections.RANKINGS.name not in self.archive.further:
            Ranking.objects.create(tournament=self.tournament, kind=Ranking.Kind.SINGLE)

    def clubs(self) -> None:
        clubs = persons.store_clubs(self.archive.clubs)
        spelt = [" ".join(name.split()) for name in self.archive.clubs]
        self.has_reused = self.has_reused or [club.name for club in clubs] != spelt
        self.positions.put(Club, [club.pk for club in clubs])
        self.club_of = {club.sort_key: club for club in clubs}

    def persons(self) -> None:
        """Store who plays and who has left; somebody who is known already is not doubled."""
        registrations = self.archive.registrations
        rows: list[dict[str, Any]] = []
        for one, loaded in zip(
            registrations, self.details(sections.PERSONS, len(registrations)), strict=True
        ):
            values = {"first_name": one.first_name, "last_name": one.last_name, **loaded.values}
            if not loaded.values:
                values["club_id"] = self.club_key(one)
            rows.append({"created_at": self.now, **values})
        former = self.loaded(sections.FORMER_PERSONS)
        rows += [{"created_at": self.now, **loaded.values} for loaded in former]
        stored = persons.store_persons(rows, list(self.club_of.values()))
        for person, values in zip(stored, rows, strict=True):
            self.has_reused = self.has_reused or person.created_at != values["created_at"]
        self.positions.put(Person, [person.pk for person in stored])

    def club_key(self, one: ReadRegistration) -> int | None:
        return None if one.club is None else self.club_of[names.sort_key(one.club)].pk

    def serien(self) -> None:
        # Behind the Serien that are played stand those that were struck out.
        played = self.archive.tournament.series
        found = self.loaded(sections.SERIEN)
        struck = [one for one in found[played:] if one.values.get("struck_out")]
        details = self.details(sections.SERIEN, played + len(struck))
        if any(one.values.get("struck_out") for one in details[:played]):
            self.archive.further[sections.SERIEN.name].refuse(
                _("Was entfällt, steht hinter den Serien, die gespielt werden.")
            )
            self.archive.root.raise_problems()
        keys = []
        for number, loaded in enumerate(details, start=1):
            known = {"tournament_id": self.tournament.pk, "number": number}
            keys.append(store(sections.SERIEN, loaded, **known))
        self.positions.put(Serie, keys)

    def registrations(self) -> None:
        rows = self.archive.registrations
        details = self.details(sections.REGISTRATIONS, len(rows))
        self.check_admitted(details)
        category = self.tournament.categories.order_by("pk").first()
        wanted: list[tuple[Loaded, Row]] = []
        for place, (one, loaded) in enumerate(zip(rows, details, strict=True), start=1):
            values: dict[str, Any] = {
                "category": category,
                "due_cents": max(0, one.paid_cents),
                "created_at": self.now,
                "source": Registration.Source.IMPORT,
            }
            if one.status == Registration.Status.WAITING:
                values["waiting_since"] = self.now
            if loaded.values:
                values = {}
            known = {
                "tournament_id": self.tournament.pk,
                "person_id": self.positions.key(Person, place),
                "number": one.number,
                "status": one.status,
                "club_id": self.club_key(one),
            }
            wanted.append((loaded, values | known))
        self.positions.put(Registration, store_all(sections.REGISTRATIONS, wanted))

    def check_admitted(self, details: list[Loaded]) -> None:
        """Refuse who plays in a closed tournament without a word why (§ 1.1).

        Not by its lists: clubs and lists may have changed since somebody registered.
        """
        if not self.tournament.admission:
            return
        items = self.items(sections.REGISTRATIONS.name)
        for one, loaded, item in zip(self.archive.registrations, details, items, strict=False):
            if one.status in Registration.TAKING_PART and not loaded.values.get("admission"):
                item.refuse(
                    _("Das Turnier ist geschlossen (§ 1.1); es fehlt, warum jemand mitspielt.")
                )
        self.archive.root.raise_problems()

    def tables(self) -> None:
        """Store tables, seats, lists and lines, in the order of Serien and tables."""
        numbers = {
            one.number: self.positions.key(Registration, place)
            for place, one in enumerate(self.archive.registrations, start=1)
            if one.number is not None
        }
        ordered = self.archive.tables
        details = self.details(sections.LISTS, len(ordered))
        lines = sum(len(table.lines) for table in ordered)
        line_details = iter(self.details(sections.GAMES, lines))
        tables, lists, games, seats = [], [], [], []
        for read_table, loaded in zip(ordered, details, strict=True):
            serie = self.positions.key(Serie, read_table.serie)
            table = Table.objects.create(serie_id=serie, number=read_table.number)
            seats += [
                Seat(serie_id=serie, table=table, number=place, registration_id=numbers[one])
                for place, one in enumerate(read_table.seats, start=1)
            ]
            spielliste = self.make_list(table, read_table, loaded)
            for place, line in enumerate(lines_to_json(read_table.lines), start=1):
                values = {"entered_at": self.now, **next(line_details).values}
                games.append(Game(spielliste=spielliste, number=place, line=line, **values))
            tables.append(table.pk)
            lists.append(spielliste.pk)
        Seat.objects.bulk_create(seats, batch_size=BATCH)
        Game.objects.bulk_create(games, batch_size=BATCH)
        self.positions.put(Table, tables)
        self.positions.put(Spielliste, lists)

    def make_list(self, table: Table, read: ReadTable, loaded: Loaded) -> Spielliste:
        values: dict[str, Any] = loaded.values
        status = read.status
        if not values:
            values = {"version": len(read.lines)}
            if read.ended is not None:
                values |= {
                    "ended_games": read.ended.games,
                    "ended_counts": read.ended.counts,
                    "ended_reason": "beendet, bevor das Archiv entstand",
                }
            if status in {Status.SIGNED, Status.HANDED_IN, Status.VERIFIED}:
                values["signed_at"] = self.now
            if status in {Status.HANDED_IN, Status.VERIFIED}:
                values |= {
                    "handed_in_at": self.now,
                    "list_received": True,
                    "cards_received": True,
                }
            if status == Status.VERIFIED:
                values["verified_at"] = self.now
            if status == Status.INVALID:
                values |= {
                    "invalid_reason": "für ungültig erklärt, bevor das Archiv entstand",
                    "status_before_invalid": Status.OPEN,
                }
        spielliste = Spielliste(table=table, status=status, **values)
        spielliste.save(force_insert=True)
        return spielliste

    # --- What the required part says and no section repeats -----------------------------

    def derived(self) -> None:
        has = self.archive.further
        if sections.PENALTIES.name not in has:
            self.penalties()
        if sections.PLAYOFFS.name not in has:
            for order in self.archive.playoffs:
                Playoff.objects.create(tournament=self.tournament, order=list(order))
        if sections.TEAMS.name not in has and sections.RANKINGS.name not in has:
            self.teams()
        if sections.RECEIPTS.name not in has:
            self.receipts()

    def penalties(self) -> None:
        lists = iter(sections.lists(self.tournament))
        for table in self.archive.tables:
            spielliste = next(lists)
            seats = dict(
                Seat.objects.filter(table=spielliste.table_id).values_list("number", "registration")
            )
            for penalty in table.penalties:
                Penalty.objects.create(
                    spielliste=spielliste,
                    registration_id=seats[penalty.seat],
                    points=penalty.points,
                    reason=penalty.reason[:300],
                    status=Penalty.Status.GIVEN,
                    decided_at=self.now,
                )

    def teams(self) -> None:
        """Make the ranking of teams that the names of teams imply."""
        members: dict[str, list[int]] = {}
        for place, one in enumerate(self.archive.registrations, start=1):
            if one.team is not None:
                members.setdefault(one.team, []).append(self.positions.key(Registration, place))
        if not members:
            return
        ranking = Ranking.objects.create(
            tournament=self.tournament,
            kind=Ranking.Kind.TEAM,
            size=max(2, *map(len, members.values())),
        )
        for name, keys in members.items():
            team = Team.objects.create(ranking=ranking, name=name)
            TeamMember.objects.bulk_create(
                TeamMember(team=team, ranking=ranking, registration_id=key) for key in keys
            )
            ranking.registrations.add(*keys)

    def receipts(self) -> None:
        """Book what each registration has paid, so that the till knows it."""
        paid = [
            (self.positions.key(Registration, place), one.paid_cents)
            for place, one in enumerate(self.archive.registrations, start=1)
            if one.paid_cents
        ]
        receipts = Receipt.objects.bulk_create(
            [
                Receipt(
                    tournament=self.tournament,
                    number=number,
                    method=Receipt.Method.CASH,
                    text="aus dem Archiv übernommen",
                )
                for number in range(1, len(paid) + 1)
            ],
            batch_size=BATCH,
        )
        CashEntry.objects.bulk_create(
            [
                CashEntry(
                    receipt=receipt,
                    kind=CashEntry.Kind.STARTGELD,
                    amount_cents=cents,
                    registration_id=key,
                )
                for receipt, (key, cents) in zip(receipts, paid, strict=True)
            ],
            batch_size=BATCH,
        )

    def journals(self) -> None:
        node = self.archive.further.get(sections.JOURNAL)
        if node is not None:
            for chain in read_chains(node, self.positions):
                chain.tournament = self.tournament
                chain.save()
