"""What acts are called with, made by the name of the parameter.

Everything is chosen by the seed of the step and by what a thing is called, never by its key: so
a step means the same where others before it are left out.
"""

from __future__ import annotations

import inspect
import zlib
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import date
from random import Random
from typing import Any

from django.db.models import Q
from django.utils import timezone

from scoring.payments.bussgeld import PerGame
from scoring.payments.prizes import OVERALL, suggest_plan
from scoring.seating import RankOrder
from tests.agreement.small_worlds import GAMES, World, shuffled_plan
from tournaments.announcement.services.sections import fingerprint
from tournaments.announcement.services.tariff import Tariff
from tournaments.cash.bank.queries.transfers import matches
from tournaments.cash.bank.services.statements import Statement, Transfer
from tournaments.common.rules import rule_set_of
from tournaments.corrections.services.moves import places_of_rings
from tournaments.desk.online.services.choice import Choice
from tournaments.desk.online.services.entry import Wanted
from tournaments.desk.queries import files, presence
from tournaments.desk.services.file_plan import COLUMNS, plan_of
from tournaments.desk.services.registrations import Payment
from tournaments.desk.services.unticked import Unticked
from tournaments.draw.services.changes import gaps
from tournaments.hall.queries.handing_in import rows_of
from tournaments.hall.services.handing_in import Thing
from tournaments.journal.acts import ACTS, Doing
from tournaments.machine import sheets
from tournaments.models import (
    CashEntry,
    Correction,
    Membership,
    PersonImport,
    Ranking,
    Receipt,
    Registration,
    Role,
    Screen,
    Serie,
    Spielliste,
    Table,
    Tournament,
)
from tournaments.models.tournament import Section
from tournaments.notices.queries.circulars import Audiences
from tournaments.people.services.importing import keep_rows
from tournaments.prizes.queries.prizes import PrizeSheet
from tournaments.results.queries.rankings import Rankings

HANDS, AFTER_HANDROMME = (2, 5, 10, 10, 20, 20, 35, 47, 60, 88), (60, 60, 75, 90)
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
    """There is nothing that the act could be done with now."""


def label(thing: Any) -> str:
    """Return what a thing is called, the same in every replay."""
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
    """Makes the arguments of one step; ``MAKERS`` has how, by the name of the parameter."""

    def __init__(self, world: World, doing: Doing[Any, Any], row: Any, seed: int) -> None:
        self.world, self.doing, self.row, self.seed = world, doing, row, seed
        self.act, self.tournament = doing.rule.name, world.tournament
        self.chance = Random(seed)

    def made(self) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for name, parameter in parameters_of(self.doing).items():
            value = maker(self.act, name)(self)
            made |= value if parameter.kind is parameter.VAR_KEYWORD else {name: value}
        return made

    def pick(self, things: Iterable[Any]) -> Any:
        """Return one of the things, by what they are called."""
        found = sorted(things, key=self._rank)
        if not found:
            raise NothingSensible
        return found[0]

    def some(self, things: Iterable[Any], most: int = 3) -> list[Any]:
        return sorted(things, key=self._rank)[: self.chance.randint(0, most)]

    def _rank(self, thing: Any) -> int:
        return zlib.crc32(f"{self.seed}:{label(thing)}".encode())

    def rarely(self, share: float = 0.2) -> bool:
        return self.chance.random() < share

    def people(self, *where: Q, **wanted: Any) -> list[Registration]:
        found = Registration.objects.filter(*where, tournament=self.tournament, **wanted)
        return list(found.select_related("person", "category").order_by("pk"))

    def somebody(self, skip: int = 0, **wanted: Any) -> int:
        """Return the key of somebody; with *skip*, not of the first."""
        return int(self.pick(self.people(**wanted)[skip:]).pk)

    def at_the_table(self) -> int:
        return self.somebody(seats__table=self.row.table)

    def swapped(self, at: int) -> int:
        """Return one of two who change seats, in a draft or a published Serie."""
        keys = [key for table in getattr(self.row, "seats", []) for key in table if key]
        return int(self.pick(self.people(pk__in=keys)[at::2]).pk)

    def person(self) -> int:
        taken = {one.person_id for one in self.people()}
        return int(self.pick(one for one in self.world.persons if one.pk not in taken).pk)

    def kept(self) -> list[Ranking]:
        return list(self.tournament.rankings.exclude(kind=Ranking.Kind.SINGLE))

    def fitting(self) -> list[Ranking]:
        """Return rankings that the person may be in, and now and then one that does not fit."""
        person = self.row.person
        suits = [one for one in self.kept() if one.suits(person.birth_year, person.gender)]
        return self.some(self.kept() if self.rarely(0.1) else suits)

    def category(self) -> Any:
        born = self.row.person.birth_year
        return self.pick(one for one in self.tournament.categories.all() if one.suits(born))

    def payment(self) -> Payment | None:
        if self.act == "register" and self.rarely(0.4):
            return None
        return Payment(amount_cents=1000 if self.rarely() else None)

    def method(self) -> Receipt.Method:
        return self.chance.choice([Receipt.Method.CASH, Receipt.Method.BANK])

    def open_sum(self) -> int:
        """Return the sum that the page shows: of a table, of a winner, or of all winners."""
        if isinstance(self.row, Spielliste):
            return rows_of(self.tournament, [self.row])[0].open_cents
        is_one = self.act == "pay_prize"
        return self.winner().open_cents if is_one else PrizeSheet(self.tournament).open_cents

    def winner(self) -> Any:
        winners = PrizeSheet(self.tournament).recipients
        of_goods = self.act in {"hand_over", "take_back_goods"}
        return self.pick(one for one in winners if not of_goods or any(r.goods for r in one.rows))

    def goods(self) -> Any:
        return next(row for row in self.winner().rows if row.goods)

    def statement(self) -> Statement:
        return Statement(
            transfers=[
                Transfer(
                    booked_on=date(2026, 10, 1),
                    amount_cents=max(100, one.due_cents) + self.chance.choice([0, 0, 500]),
                    remitter=one.person.full_name,
                    purpose=f"Nr. {one.number} {one.person.full_name}",
                    reference=f"{self.seed}-{one.number}",
                )
                for one in self.some(self.people())
            ]
        )

    def fresh(self) -> Tournament:
        return Tournament.objects.get(pk=self.tournament.pk)

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

    def plan(self) -> Any:
        if self.act == "change_prize_plan":
            return suggest_plan(self.chance.randint(4, 12))
        if self.row.seats:
            raise NothingSensible
        return shuffled_plan(self.row, self.chance)

    def lines(self) -> Any:
        """Return lines of the Ausschreibung, or of a list on paper."""
        if self.act == "change_serien":
            more = [Serie(seating=Serie.Seating.RANKING)] if self.rarely() else []
            return [*self.tournament.serien.order_by("number"), *more][:4]
        if self.act == "change_rankings":
            return list(self.tournament.rankings.order_by("pk"))
        stored = list(self.row.games.order_by("number").values_list("line", flat=True))
        games = GAMES if self.rarely(0.7) else self.chance.randint(1, GAMES)
        return [*stored, *(self.line() for _game in range(games - len(stored)))]

    def line(self) -> dict[str, Any]:
        """Return a game that the rules let be."""
        seats, handromme = self.row.table.seats.count(), self.rarely(0.15)
        hands = [self.chance.choice(AFTER_HANDROMME if handromme else HANDS) for _ in range(seats)]
        finisher = self.chance.randint(1, seats)
        hands[finisher - 1] = 0
        return {"finisher": finisher, "handromme": handromme, "minus": hands}

    def game(self) -> dict[str, Any]:
        """Return what a game is entered, changed or taken back with."""
        stored, line = self.row.games.count(), self.line()
        given = {"number": stored + 1, "line": line, "version": self.row.version, "confirmed": True}
        if self.act == "enter_game":
            return given
        if not stored:
            raise NothingSensible
        number = stored if self.rarely(0.5) else self.chance.randint(1, stored)
        if number == stored and self.rarely(0.4):
            given["line"] = None
        return {**given, "number": number, "consents": (1, 2, 3, 4)}

    def wishes(self) -> dict[int, str]:
        return {one.pk: "Asse" for one in self.kept() if one.has_teams and self.rarely()}

    def family(self) -> list[Wanted]:
        kept, found = {one.pk: one for one in self.kept()}, []
        for first in ("Ada", "Ben", "Cora")[: self.chance.randint(1, 3)]:
            wishes = self.wishes()
            last = "Familie" if self.rarely(0.5) else f"Neu{self.chance.randint(1, 40):02}"
            rankings = tuple(kept[key] for key in wishes)
            found.append(
                Wanted(
                    first_name=first,
                    last_name=last,
                    birth_year=self.chance.choice([1951, 1985]),
                    rankings=rankings,
                    wishes=wishes,
                )
            )
        return found

    def draft(self) -> PersonImport:
        lines = [f"Datei{self.chance.randint(1, 60):02};Eva;SC Altenburg;1970" for _ in range(2)]
        return keep_rows(
            rows=sheets.read("\n".join(["Nachname;Vorname;Verein;Jahrgang", *lines]).encode()),
            file_name="meldungen.csv",
            user=self.world.staff[Role.SPIELLEITUNG],
            columns=COLUMNS,
            within=self.tournament,
        )

    def free_card(self) -> tuple[int, int, int]:
        """Return a start number without a card, and a free table and seat."""
        seats = self.row.seats
        free = [(t, s) for t, row in enumerate(seats, 1) for s, key in enumerate(row, 1) if not key]
        seated = [key for row in seats for key in row if key]
        left = self.people(~Q(pk__in=seated), status=Registration.Status.PAID)
        return (self.pick(left).number, *self.pick(free))

    def suggestion(self) -> str:
        keys = [one.key for gap in gaps(self.row) for one in gap.suggestions]
        if not keys:
            raise NothingSensible
        return keys[self.seed % len(keys)]

    def kind(self) -> Any:
        """Return a kind of call, of booking, or of a correction that the row could have."""
        chance, row = Random(self.seed), self.row  # the same for the facts of the correction
        if self.act == "call":
            return chance.choice(["dispute", "counting", "other"])
        if self.act == "book_free":
            return chance.choice([CashEntry.Kind.OTHER, CashEntry.Kind.WITHDRAWAL])
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
        if self.act == "move_at_the_tables" or self.kind() == Kinds.SEATS:
            serie = self.row if isinstance(self.row, Serie) else self.row.table.serie
            here = {} if serie == self.row else {"seats__table": self.row.table}
            first = self.pick(self.people(seats__serie=serie, **here))
            second = self.pick(one for one in self.people(seats__serie=serie) if one != first)
            places = places_of_rings(serie, [[first.number, second.number]])
            return {"places": places, "games": self.chance.choice(["person", "place"])}
        games, seats = self.row.games.count(), self.row.table.seats.count()
        match self.kind():
            case Kinds.LINE:
                return {"game": self.chance.randint(1, max(1, games)), "line": self.line()}
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

    def equals(self) -> list[int]:
        """Return the start numbers of some who share a rank."""
        ranked = Rankings(self.tournament).standings(OVERALL)
        shared = Counter(line.rank for line in ranked if line.results)
        ranks = [line.rank for line in ranked if line.results and shared[line.rank] > 1]
        rank = self.pick(ranks)
        return [line.number for line in ranked if line.rank == rank and line.results]


Maker = Callable[[Arguments], Any]


def _same(value: Any, *names: str) -> dict[str, Maker]:
    return dict.fromkeys(names, lambda _made: value)


def _one_of(*values: Any) -> Maker:
    return lambda made: made.chance.choice(values)


# Where a name means different things, „<act>.<name>“ goes first.
MAKERS: dict[str, Maker] = {
    **_same("aus gutem Grund", "reason", "text", "note", "why", "decision", "words", "payer"),
    **_same("im Stau", "late_reason", "admission_reason"),
    **_same("", "override_reason", "address", "paragraph"),
    **_same(None, "after", "case_id", "seats", "sums", "shown"),
    **_same(None, "register.category", "enter_cards_at_table.seen", "book_free.registration_id"),
    **_same((), "case_ids", "schedule", "paper_sums", "register.rankings", "declined"),
    **_same(False, "proves_address", "asks_approval", "is_seconded"),
    **_same(True, "confirmed", "despite_difference", "override", "is_other"),
    **dict.fromkeys(
        ("is_here", "is_expense", "may_except", "late", "received"), _one_of(True, False)
    ),
    **dict.fromkeys(("on_paper", "takes_part", "accept_unverified"), _one_of(True, False)),
    **dict.fromkeys(
        ("signatures", "refund_anyway", "show_history.shown", "named"), _one_of(True, False)
    ),
    **dict.fromkeys(("registration_id", "first_id", "to_id"), Arguments.somebody),
    "second_id": lambda made: made.somebody(skip=1),
    "swap_seats.first_id": lambda made: made.somebody(seats__serie=made.row),
    "swap_seats.second_id": lambda made: made.somebody(skip=2, seats__serie=made.row),
    "propose_penalty.registration_id": Arguments.at_the_table,
    "give_penalty_at_once.registration_id": Arguments.at_the_table,
    "waive_bussgeld.registration_id": Arguments.at_the_table,
    "take_back_waiver.registration_id": Arguments.at_the_table,
    "swap_in_draft.first_id": lambda made: made.swapped(0),
    "swap_in_draft.second_id": lambda made: made.swapped(1),
    "registration_ids": lambda made: [one.pk for one in made.some(made.people())],
    "registrations": lambda made: None if made.rarely(0.5) else [made.at_the_table()],
    "person_id": Arguments.person,
    "name": lambda made: f"Name {made.chance.randint(1, 99)}",
    "email": lambda made: f"m{made.chance.randint(1, 9)}@verein.example",
    "form_key": lambda made: f"schluessel-{made.seed:032}",
    "now": lambda _made: timezone.now(),
    "amount_cents": _one_of(100, 500, 800, 1500, 2000),
    "loose_cents": _one_of(0),
    "minutes": _one_of(5, 10),
    "points": _one_of(100, 150),
    "drawing": _one_of("M10 10L90 90"),
    "serie": lambda made: made.pick([None, *made.tournament.serien.all()]),
    "seat": lambda made: made.pick(made.row.table.seats.values_list("number", flat=True)),
    "game": _one_of(None, 1, 2),
    "role": _one_of(*Role),
    "number": lambda made: made.pick([1, *Screen.objects.values_list("number", flat=True)]),
    "page": _one_of(*Screen.Shows.values),
    "shows": _one_of(*Screen.Shows.values),
    "settings": _one_of({"seconds": 20, "message": "Willkommen"}),
    "how": _one_of("slip", "oral"),
    "audience": lambda made: made.pick(Audiences(made.fresh()).receivers()),
    "notice_ids": lambda made: [
        key for key in made.tournament.corrections.values_list("notices", flat=True) if key
    ],
    "method": Arguments.method,
    "refund_method": Arguments.method,
    "begin_draw.method": _one_of(*Serie.Seating, Serie.Seating.ELECTRONIC),
    "payment": Arguments.payment,
    "pieces": lambda made: {1000: made.chance.randint(5, 9), 500: 4, 100: 10},
    "expected_cents": Arguments.open_sum,
    "recipient": lambda made: made.winner().key,
    "pot": lambda made: made.goods().pot,
    "change_prize_plan.pot": _one_of("startgeld"),
    "ranking": lambda made: made.goods().ranking,
    "record_playoff.ranking": _one_of(OVERALL),
    "record_playoff.order": Arguments.equals,
    "statement": Arguments.statement,
    "expected": lambda made: {
        key: match.clear for key, match in matches(made.tournament).items() if match.clear
    },
    "seen": lambda made: fingerprint(made.fresh(), SECTIONS[made.act]),
    "copy_bought.seen": lambda made: made.row.bought_cards,
    "section": lambda made: SECTIONS[made.act],
    "values": lambda made: {"four_eyes": made.rarely(0.5), "offer_hours": 2},
    "tariff": Arguments.tariff,
    "plan": Arguments.plan,
    "rule_set": lambda made: rule_set_of(made.tournament),
    "lines": Arguments.lines,
    "category": Arguments.category,
    "rankings": Arguments.fitting,
    "ranking_id": lambda made: made.pick(made.kept()).pk,
    "plays_on": _one_of("", "", "1"),
    "source": _one_of(Registration.Source.DESK),
    "last_name": lambda made: f"Neu{made.chance.randint(1, 40):02}",
    "first_name": _one_of("Ada", "Ben"),
    "club_name": _one_of("SC Altenburg", "Neuer Verein", ""),
    "more": lambda made: {
        "birth_year": made.chance.choice([1951, 1985, 2010]),
        "gender": made.chance.choice(["f", "m"]),
        "payment": made.payment(),
        "is_here": True,
        "late_reason": "im Stau",
    },
    "choice": lambda made: Choice(publish_consent=made.rarely(0.5), wishes=made.wishes()),
    "wanted": Arguments.family,
    "draft_id": lambda made: made.draft().pk,
    "fingerprint": lambda made: (
        plan_of(PersonImport.objects.latest("pk"), made.tournament).fingerprint
    ),
    "entry_id": lambda made: made.pick([one.pk for one in files.stored_files(made.tournament)][:1]),
    "order": _one_of(*RankOrder),
    "unticked": _one_of(*Unticked),
    "asked": lambda made: [one.pk for one in presence.unticked(made.tournament, made.row.day)],
    "without": lambda made: [
        one.pk
        for one in made.people()
        if one.pk not in {key for row in made.row.seats for key in row}
    ],
    "cards": lambda made: {made.free_card()[0]: made.free_card()[1:]},
    "numbers": lambda made: {made.free_card()[2]: made.free_card()[0]},
    "enter_cards_at_table.table": lambda made: made.free_card()[1],
    "key": Arguments.suggestion,
    "table": _one_of(None, 1, 2),
    "move_table.table": _one_of(1),
    **dict.fromkeys(("columns", "column", "row"), _one_of(1, 2, 3)),
    "tables": _one_of(None, [1]),
    "what": Arguments.game,
    "version": lambda made: made.row.version,
    "bought": lambda made: [0] * made.row.table.seats.count(),
    "thing": _one_of(*Thing),
    "kind": Arguments.kind,
    "facts": Arguments.facts,
    "versions": Arguments.versions,
    "ends": lambda made: dict.fromkeys(
        Spielliste.objects.filter(table__serie=made.row, status="open").values_list("pk", flat=True)
    ),
}


def maker(act: str, name: str) -> Maker:
    """Return what makes a parameter of an act."""
    return MAKERS.get(f"{act}.{name}") or MAKERS[name]


def acts_of_the_program() -> dict[str, Doing[Any, Any]]:
    """Return all acts but those that tests of this process have made."""
    return {
        name: doing for name, doing in ACTS.items() if doing.__module__.startswith("tournaments.")
    }


def parameters_of(doing: Doing[Any, Any]) -> dict[str, inspect.Parameter]:
    """Return what an act takes beside its row, by name; the time only where it must be given."""
    _act, *others = inspect.signature(doing).parameters.values()
    return {one.name: one for one in others if one.name != "now" or one.default is one.empty}


STALE: dict[str, Callable[[Any], Any]] = {
    "version": lambda value: value + 1,
    "versions": lambda value: {key: version + 1 for key, version in value.items()},
    "expected_cents": lambda value: value + 7,
    "fingerprint": lambda _value: "anders",
    "reason": lambda _value: "  ",
}


def tampered(made: dict[str, Any], *, needs_reason: bool) -> dict[str, Any]:
    """Return the arguments as of somebody who saw something else."""
    for name, tamper in STALE.items():
        if made.get(name) and (needs_reason or name != "reason"):
            return {**made, name: tamper(made[name])}
    raise NothingSensible
