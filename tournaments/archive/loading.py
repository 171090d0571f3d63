"""Storing what a file of an archive says, section by section."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import Any

from django.utils import timezone

from scoring.reading.interchange import lines_to_json
from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.reading.strict_json import Node
from scoring.texts import _
from tournaments.archive import sections
from tournaments.archive.chains import read_chains
from tournaments.archive.reading import Archive, ReadRegistration, ReadTable
from tournaments.archive.rows import Loaded, Positions, Section, load_row, save_as_it_is, store
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
        for item in self.items(section.name):
            loaded = load_row(section, item, self.positions)
            # Stored at once: a row may point to an earlier one of its own kind.
            if not self.archive.root.problems:
                self.positions.add(section.model, store(section, loaded, **known).pk)
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
        save_as_it_is(tournament)
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
        keys = []
        for name in self.archive.clubs:
            club = Club(name=name)
            club.tidy()
            there = Club.objects.filter(sort_key=club.sort_key).first()
            if there is None:
                club.save()
            elif there.name != club.name:
                self.has_reused = True
            keys.append((there or club).pk)
        self.positions.put(Club, keys)

    def persons(self) -> None:
        """Store who plays and who has left; somebody who is known already is not doubled."""
        registrations = self.archive.registrations
        keys = []
        for one, loaded in zip(
            registrations, self.details(sections.PERSONS, len(registrations)), strict=True
        ):
            values = {"first_name": one.first_name, "last_name": one.last_name, **loaded.values}
            if not loaded.values:
                values["club_id"] = self.club_key(one)
            keys.append(self.person(values).pk)
        former = self.loaded(sections.FORMER_PERSONS)
        keys += [self.person(loaded.values).pk for loaded in former]
        self.positions.put(Person, keys)

    def person(self, values: Mapping[str, Any]) -> Person:
        person = Person(**{"created_at": self.now, **values})
        person.tidy()
        same = Person.objects.filter(
            sort_key=person.sort_key,
            merged_into__isnull=True,
            anonymised_at__isnull=True,
            is_demo=False,
        )
        told_apart = {
            name: value for name, value in values.items() if name not in {"created_at", "note"}
        }
        # Names alone are not enough where the file has more to tell persons apart by.
        found = list(same.filter(**told_apart)[:2])
        taken = Registration.objects.filter(tournament=self.tournament)
        if len(found) == 1 and not taken.filter(person=found[0]).exists():
            self.has_reused = self.has_reused or found[0].created_at != person.created_at
            return found[0]
        save_as_it_is(person)
        return person

    def club_key(self, one: ReadRegistration) -> int | None:
        if one.club is None:
            return None
        places = {names.sort_key(club): at for at, club in enumerate(self.archive.clubs, start=1)}
        return self.positions.key(Club, places[names.sort_key(one.club)])

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
            keys.append(store(sections.SERIEN, loaded, **known).pk)
        self.positions.put(Serie, keys)

    def registrations(self) -> None:
        rows = self.archive.registrations
        details = self.details(sections.REGISTRATIONS, len(rows))
        self.check_admitted(details)
        category = self.tournament.categories.order_by("pk").first()
        keys = []
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
            row = store(
                sections.REGISTRATIONS,
                loaded,
                **values,
                tournament_id=self.tournament.pk,
                person_id=self.positions.key(Person, place),
                number=one.number,
                status=one.status,
                club_id=self.club_key(one),
            )
            keys.append(row.pk)
        self.positions.put(Registration, keys)

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
        Seat.objects.bulk_create(seats, batch_size=500)
        Game.objects.bulk_create(games, batch_size=500)
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
        save_as_it_is(spielliste)
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
        for number, (key, cents) in enumerate(paid, start=1):
            receipt = Receipt.objects.create(
                tournament=self.tournament,
                number=number,
                method=Receipt.Method.CASH,
                text="aus dem Archiv übernommen",
            )
            CashEntry.objects.create(
                receipt=receipt,
                kind=CashEntry.Kind.STARTGELD,
                amount_cents=cents,
                registration_id=key,
            )

    def journals(self) -> None:
        node = self.archive.further.get(sections.JOURNAL)
        if node is not None:
            for chain in read_chains(node, self.positions):
                chain.tournament = self.tournament
                chain.save()
