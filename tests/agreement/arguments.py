"""The arguments of acts in random walks, and those of an actor who saw another state.

All choices use the seed of the step and the labels of objects, never their keys: a step means the
same if earlier steps are left out.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date
from functools import cached_property
from random import Random
from typing import Any

from django.db.models import Q

from scoring.payments.bussgeld import PerGame
from scoring.payments.prizes import OVERALL, suggest_plan
from tests.agreement.game_lines import line_of, sitting_out, without
from tests.agreement.small_worlds import CHOOSING, World, shuffled_plan
from tournaments.announcement.services.tariff import Tariff
from tournaments.cash.bank.services.statements import Statement, Transfer
from tournaments.cash.queries import balances
from tournaments.cash.queries.refunds import refunds
from tournaments.corrections.services.moves import places_of_rings
from tournaments.desk.online.services.entry import PersonEntry
from tournaments.desk.services.file_plan import COLUMNS
from tournaments.desk.services.registrations import Payment
from tournaments.hall.queries.handing_in import rows_of
from tournaments.journal.acts import ActFunction
from tournaments.machine import sheets
from tournaments.models import (
    Correction,
    Membership,
    Ranking,
    Receipt,
    Registration,
    Role,
    Serie,
    Spielliste,
    Table,
    Tournament,
)
from tournaments.models.tournament import Section
from tournaments.people.services.importing import store_rows
from tournaments.prizes.queries.prizes import PrizeSheet
from tournaments.results.queries.rankings import Rankings

SECTIONS = {
    "change_bussgeld": Section.BUSSGELD,
    "change_prize_plan": Section.PRIZES,
    "change_rule_set": Section.RULE_SET,
    "change_serien": Section.SERIEN,
    "change_rankings": Section.RANKINGS,
    "change_startgeld": Section.STARTGELD,
    "change_fields": Section.PROCEDURE,
}
Kinds = Correction.Kind


class NothingSensible(Exception):
    """The act has no sensible arguments now."""


def label(thing: Any) -> str:
    """Return the label of an object, the same in every replay."""
    match thing:
        case Registration():
            return f"Nr. {thing.number}" if thing.number else thing.person.full_name
        case Table():
            return f"Serie {thing.serie.number}, Tisch {thing.number}"
        case Spielliste():
            return label(thing.table)
        case Ranking():
            return str(thing.kind)
        case Membership():
            return str(thing.role)
    return str(thing)


class Arguments:
    """Makes the arguments of one step; a method named like a parameter makes it."""

    def __init__(self, world: World, doing: ActFunction[Any, Any], row: Any, seed: int) -> None:
        self.world, self.doing, self.row, self.seed = world, doing, row, seed
        self.act, self.tournament = doing.rule.name, world.tournament
        self.chance = Random(seed)

    def pick(self, things: Iterable[Any]) -> Any:
        """Return one of the objects, chosen by label."""
        for thing in sorted(things, key=self._rank):
            return thing
        raise NothingSensible

    def some(self, things: Iterable[Any], most: int = 3) -> list[Any]:
        return sorted(things, key=self._rank)[: self.chance.randint(0, most)]

    def _rank(self, thing: Any) -> int:
        return zlib.crc32(f"{self.seed}:{label(thing)}".encode())

    def rarely(self, share: float = 0.2) -> bool:
        return self.chance.random() < share

    def fresh(self) -> Tournament:
        return Tournament.objects.get(pk=self.tournament.pk)

    # --- People ---------------------------------------------------------------------------

    def people(self, *where: Q, **wanted: Any) -> list[Registration]:
        people = Registration.objects.filter(*where, tournament=self.tournament, **wanted)
        return list(people.select_related("person", "category").order_by("pk"))

    def registration_id(self, skip: int = 0, **wanted: Any) -> int:
        """Return the key of a registration; with *skip*, another one than without."""
        people = sorted(self.people(**wanted), key=self._rank)
        if len(people) <= skip:
            raise NothingSensible
        return int(people[skip].pk)

    def at_the_table(self) -> int:
        return self.registration_id(seats__table=self.row.table)

    def swapped(self, at: int) -> int:
        """Return one of two players who swap seats in a draft."""
        keys = [key for table in self.row.seats for key in table if key]
        return int(self.pick(self.people(pk__in=keys)[at::2]).pk)

    def person_id(self) -> int:
        taken = {registration.person_id for registration in self.people()}
        return int(self.pick(each for each in self.world.persons if each.pk not in taken).pk)

    def record_playoff_order(self) -> list[int]:
        """Return the start numbers of players who share a rank."""
        ranked = [line for line in Rankings(self.tournament).standings(OVERALL) if line.results]
        shared = Counter(line.rank for line in ranked)
        rank = self.pick(rank for rank, people in shared.items() if people > 1)
        return [line.number for line in ranked if line.rank == rank]

    # --- Rankings and the Ausschreibung ---------------------------------------------------

    def kept(self) -> list[Ranking]:
        return list(self.tournament.rankings.exclude(kind=Ranking.Kind.SINGLE))

    def rankings(self) -> list[Ranking]:
        """Return rankings that the person may be in, and now and then one that does not fit."""
        person = self.row.person
        suits = [each for each in self.kept() if each.suits(person.birth_year, person.gender)]
        return self.some(self.kept() if self.rarely(0.1) else suits)

    def category(self) -> Any:
        born = self.row.person.birth_year
        return self.pick(each for each in self.tournament.categories.all() if each.suits(born))

    def wishes(self) -> dict[int, str]:
        return {each.pk: "Asse" for each in self.kept() if each.has_teams and self.rarely()}

    def persons(self) -> list[PersonEntry]:
        """Return a family as it registers through the internet."""
        kept, family = {each.pk: each for each in self.kept()}, []
        for first in ("Ada", "Ben", "Cora")[: self.chance.randint(1, 3)]:
            wishes, known = self.wishes(), self.chance.choice(self.world.persons[:6])
            new = PersonEntry(
                first_name=first,
                last_name=self.chance.choice(["Familie", self.last_name()]),
                birth_year=self.chance.choice([1951, 1985]),
                rankings=tuple(kept[key] for key in wishes),
                wishes=wishes,
            )
            names = {"first_name": known.first_name, "last_name": known.last_name}
            is_known = self.rarely(0.3)
            family.append(replace(new, **names, birth_year=known.birth_year) if is_known else new)
        return family

    def last_name(self) -> str:
        return f"Neu{self.chance.randint(1, 40):02}"

    def tariff(self) -> Any:
        if self.act == "change_bussgeld":
            return PerGame(cents=self.chance.choice([10, 20]))
        now = self.fresh()
        return Tariff(
            categories=list(now.categories.all()),
            kartengeld_cents=self.chance.choice([0, 100, 200]),
            kaution_cents=now.kaution_cents,
            refund_until=now.refund_until,
            late_startgeld=self.chance.choice(Tournament.LateStartgeld.values),
            places=self.chance.choice([None, None, 12, 14]),
        )

    def section(self) -> Section:
        """Return the changed fields of an Ausschreibung, sometimes with the venue."""
        is_place = self.act == "change_fields" and self.seed % 3 == 0
        return Section.GENERAL if is_place else SECTIONS[self.act]

    def values(self) -> dict[str, Any]:
        if self.section() == Section.GENERAL:
            return {"venue": f"Saal {self.chance.randint(1, 9)}"}
        return {"four_eyes": self.rarely(0.5), "offer_hours": 2}

    def draft_id(self) -> int:
        lines = [f"Datei{self.chance.randint(1, 60):02};Eva;SC Altenburg;1970" for _ in range(2)]
        draft = store_rows(
            rows=sheets.read("\n".join(["Nachname;Vorname;Verein;Jahrgang", *lines]).encode()),
            file_name="meldungen.csv",
            user=self.world.staff[Role.SPIELLEITUNG],
            columns=COLUMNS,
            within=self.tournament,
        )
        return draft.pk

    # --- Money ----------------------------------------------------------------------------

    def payment(self) -> Payment | None:
        if self.act == "register" and self.rarely(0.4):
            return None
        return Payment(amount_cents=1000 if self.rarely() else None)

    def expected_cents(self) -> int:
        """Return the sum that the page shows: of a table, of a winner, or of all winners."""
        if isinstance(self.row, Spielliste):
            return rows_of(self.tournament, [self.row])[0].open_cents
        if self.act == "return_all_kautionen":
            return sum(cents for _pk, _number, cents in balances.kautionen(self.tournament))
        if self.act == "refund_all":
            cash = Receipt.Method.CASH
            return sum(each.cents for each in refunds(self.fresh()) if each.method == cash)
        is_single = self.act == "pay_prize"
        return self.winner().open_cents if is_single else PrizeSheet(self.tournament).open_cents

    def winner(self) -> Any:
        winners, of_goods = PrizeSheet(self.tournament).recipients, "goods" in self.act
        of_goods |= self.act == "hand_over"
        return self.pick(
            each for each in winners if not of_goods or any(row.goods for row in each.rows)
        )

    def choosing(self) -> Any:
        choosing = PrizeSheet(self.tournament).choosing
        if choosing is None or choosing.now is None:
            raise NothingSensible
        return choosing

    def called_up(self) -> str:
        choosing, out_of_turn = self.choosing(), self.rarely(0.3)
        waiting = [each.registration for each in choosing.waiting_choosers]
        return f"r{self.pick(waiting).pk}" if out_of_turn else choosing.now.key

    def passed_over(self) -> str:
        passed = [each for each in self.choosing().choosers if each.is_passed]
        return f"r{self.pick(each.registration for each in passed).pk}"

    def thing(self) -> int:
        return int(self.pick(self.choosing().left).number)

    def goods(self) -> Any:
        return next(row for row in self.winner().rows if row.goods)

    def statement(self) -> Statement:
        transfers = [
            Transfer(
                booked_on=date(2026, 10, 1),
                amount_cents=max(100, each.due_cents) + self.chance.choice([0, 0, 500]),
                remitter=each.person.full_name,
                purpose=f"Nr. {each.number} {each.person.full_name}",
                reference=f"{self.seed}-{each.number}",
            )
            for each in self.some(self.people())
        ]
        return Statement(transfers=transfers)

    # --- Draws and lists ------------------------------------------------------------------

    def plan(self) -> Any:
        if self.act == "change_prize_plan":
            plan = suggest_plan(self.chance.randint(4, 12))
            if self.rarely(0.4):
                plan = replace(plan, serie_cents=250, serie_shares=(600, 400), choosing=CHOOSING)
            return plan
        if self.row.seats:
            raise NothingSensible
        return shuffled_plan(self.row, self.chance)

    def free_card(self) -> tuple[int, int, int]:
        """Return a start number without a card, and a free table and seat."""
        seats = self.row.seats
        free = [(t, s) for t, row in enumerate(seats, 1) for s, key in enumerate(row, 1) if not key]
        seated = [key for row in seats for key in row if key]
        left = self.people(~Q(pk__in=seated), status=Registration.Status.PAID)
        return (self.pick(left).number, *self.pick(free))

    def lines(self) -> Any:
        """Return lines of the Ausschreibung, or of a list on paper."""
        if self.act == "change_serien":
            more = [Serie(seating=Serie.Seating.RANKING)] if self.rarely() else []
            return [*self.tournament.serien.order_by("number"), *more][:4]
        if self.act == "change_rankings":
            return list(self.tournament.rankings.order_by("pk"))
        stored = list(self.row.games.order_by("number").values_list("line", flat=True))
        whole = len(sitting_out(self.tournament, self.row.table.seats.count()))
        games = whole if self.rarely(0.7) else self.chance.randint(1, whole)
        return [*stored, *(self.line(game) for game in range(len(stored) + 1, games + 1))]

    def line(self, game: int) -> dict[str, Any]:
        return self.dealt(game, line_of(self.row.table.seats.count(), self.chance))

    def dealt(self, game: int, line: dict[str, Any]) -> dict[str, Any]:
        """Return the line of a game without the hand of a dealer sitting out."""
        sits_out = sitting_out(self.tournament, len(line["minus"]))
        return without(sits_out[game - 1] if game <= len(sits_out) else 0, line)

    @cached_property
    def game(self) -> tuple[int, dict[str, Any] | None]:
        """The number and the line that a game is entered, changed or taken back with."""
        stored, line = self.row.games.count(), line_of(self.row.table.seats.count(), self.chance)
        if self.act == "enter_game":
            return stored + 1, self.dealt(stored + 1, line)
        if not stored:
            raise NothingSensible
        number = stored if self.rarely(0.5) else self.chance.randint(1, stored)
        is_taken_back = number == stored and self.rarely(0.4)
        return number, None if is_taken_back else self.dealt(number, line)

    def kind(self) -> Any:
        """Return a kind of correction that the row could have."""
        chance, row = Random(self.seed), self.row  # the same for the facts of the correction
        if self.act == "correct_exclusion":
            is_out = row.status == Registration.Status.EXCLUDED
            return Kinds.EXCLUSION_WITHDRAWN if is_out else Kinds.EXCLUSION
        if row.is_ended and chance.random() < 0.5:
            return Kinds.GOES_ON
        if row.status == Spielliste.Status.INVALID:
            return Kinds.VALID
        if row.status == Spielliste.Status.OPEN:
            return chance.choice([Kinds.ENDED, Kinds.ENDED, Kinds.INVALID])
        corrections = (Kinds.LINE, Kinds.LINE, Kinds.SEATS, Kinds.SEATS, Kinds.BONUS_SIZE)
        return chance.choice([*corrections, Kinds.INVALID])

    def facts(self) -> dict[str, Any]:
        """Return the facts of a correction."""
        if self.act == "move_at_the_tables" or self.kind() == Kinds.SEATS:
            serie = self.row if isinstance(self.row, Serie) else self.row.table.serie
            here = {} if serie == self.row else {"seats__table": self.row.table}
            first = self.pick(self.people(seats__serie=serie, **here))
            second = self.pick(each for each in self.people(seats__serie=serie) if each != first)
            places = places_of_rings(serie, [[first.number, second.number]])
            return {"places": places, "games": self.chance.choice(["person", "place"])}
        games, seats = self.row.games.count(), self.row.table.seats.count()
        match self.kind():
            case Kinds.LINE:
                game = self.chance.randint(1, max(1, games))
                return {"game": game, "line": self.line(game)}
            case Kinds.BONUS_SIZE:
                return {"bonus_size": self.chance.choice([3, 4])}
            case Kinds.ENDED:
                left = [self.chance.randint(1, seats)] if self.rarely(0.5) else []
                return {"ended": {"games": games, "left": left}}
        return {}

    def versions(self) -> dict[int, int] | None:
        lists = Spielliste.objects.filter(table__serie=self.row.pk)
        is_move = self.act == "move_at_the_tables"
        return dict(lists.values_list("pk", "version")) if is_move else None


STALE: dict[str, Callable[[Any], Any]] = {
    "version": lambda value: value + 1,
    "versions": lambda value: {key: version + 1 for key, version in value.items()},
    "expected_cents": lambda value: value + 7,
    "fingerprint": lambda _value: "anders",
    "reason": lambda _value: "  ",
}


def tampered(made: dict[str, Any], *, needs_reason: bool) -> dict[str, Any]:
    """Return the arguments of an actor who saw another state."""
    for name, tamper in STALE.items():
        if made.get(name) and (needs_reason or name != "reason"):
            return {**made, name: tamper(made[name])}
    raise NothingSensible
