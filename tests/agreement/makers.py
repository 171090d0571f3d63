"""The makers of the arguments of acts, by parameter name or by type."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from enum import Enum
from typing import Any

from django.utils import timezone

from scoring.payments.prizes import OVERALL
from tests.agreement.arguments import Arguments
from tests.agreement.signatures import parameters_of
from tests.agreement.small_worlds import World
from tournaments.announcement.services.sections import fingerprint
from tournaments.cash.bank.queries.transfers import matches
from tournaments.common.rules import rule_set_of
from tournaments.desk.online.services.choice import EntryChoice
from tournaments.desk.queries import earlier_tournament, files, presence
from tournaments.desk.services.file_plan import plan_of
from tournaments.desk.services.qualification import fingerprint_of
from tournaments.draw.services.changes import gaps
from tournaments.hall.services.handing_in import HandInItem
from tournaments.journal.acts import ActFunction
from tournaments.models import (
    CashEntry,
    PersonImport,
    Receipt,
    Registration,
    Screen,
    Serie,
    Spielliste,
)
from tournaments.notices.queries.circulars import Audiences
from tournaments.prizes.queries.lottery import participants

Maker = Callable[[Arguments], Any]


def _one_of(*values: Any) -> Maker:
    return lambda made: made.chance.choice(values)


# Left at their defaults.
LEFT_OUT = {"after", "case_id", "case_ids", "declined", "paper_sums", "schedule", "seats", "sums"}
LEFT_OUT |= {"register.category", "register.rankings", "book_free.registration_id"}
LEFT_OUT |= {"correct_list.shown", "correct_exclusion.shown", "enter_cards_at_table.seen"}
# Where a name means different things, „<act>.<name>“ goes first.
MAKERS: dict[str, Maker] = {
    "late_reason": _one_of("im Stau"),
    "admission_reason": _one_of("", "", "eingeladen"),
    **dict.fromkeys(("override_reason", "address", "paragraph"), _one_of("")),
    **dict.fromkeys(("proves_address", "is_seconded"), _one_of(False)),
    "asks_approval": _one_of(False, False, True),
    **dict.fromkeys(("confirmed", "despite_difference", "override", "is_other"), _one_of(True)),
    "propose_penalty.registration_id": Arguments.at_the_table,
    "give_penalty_at_once.registration_id": Arguments.at_the_table,
    "waive_bussgeld.registration_id": Arguments.at_the_table,
    "take_back_waiver.registration_id": Arguments.at_the_table,
    **dict.fromkeys(("first_id", "to_id"), Arguments.registration_id),
    "second_id": lambda made: made.registration_id(skip=1),
    "swap_seats.first_id": lambda made: made.registration_id(seats__serie=made.row),
    "swap_seats.second_id": lambda made: made.registration_id(skip=1, seats__serie=made.row),
    "swap_in_draft.first_id": lambda made: made.swapped(0),
    "swap_in_draft.second_id": lambda made: made.swapped(1),
    "registration_ids": lambda made: [each.pk for each in made.some(made.people())],
    "registrations": lambda made: None if made.rarely(0.5) else [made.at_the_table()],
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
    "remove_screen.number": lambda made: made.pick(
        Screen.objects.filter(number__gt=1).values_list("number", flat=True)
    ),
    **dict.fromkeys(("enter_game.number", "change_game.number"), lambda made: made.game[0]),
    **dict.fromkeys(("enter_game.line", "change_game.line"), lambda made: made.game[1]),
    "consents": _one_of((1, 2, 3, 4)),
    "number": lambda made: made.pick([1, *Screen.objects.values_list("number", flat=True)]),
    **dict.fromkeys(("page", "shows"), _one_of(*Screen.Shows.values)),
    "settings": _one_of({"seconds": 20, "message": "Willkommen"}),
    "how": _one_of("slip", "oral"),
    "audience": lambda made: made.pick(Audiences(made.fresh()).receivers()),
    "notice_ids": lambda made: [
        key for key in made.tournament.corrections.values_list("notices", flat=True) if key
    ],
    **dict.fromkeys(("method", "refund_method"), _one_of(Receipt.Method.CASH, Receipt.Method.BANK)),
    "refund_all.method": _one_of(Receipt.Method.CASH),
    "begin_draw.method": _one_of(*Serie.Seating, Serie.Seating.ELECTRONIC),
    "pieces": lambda made: {1000: made.chance.randint(5, 9), 500: 4, 100: 10},
    "recipient": lambda made: made.winner().key,
    **dict.fromkeys(("choose_thing.recipient", "pass_over.recipient"), Arguments.called_up),
    "call_again.recipient": Arguments.passed_over,
    "thing": Arguments.thing,
    "tick_received.thing": _one_of(*HandInItem),
    "begin_lottery.expected": lambda made: [each.number for each in participants(made.tournament)],
    "pot": lambda made: made.goods().pot,
    "change_prize_plan.pot": _one_of("startgeld"),
    "ranking": lambda made: made.goods().ranking,
    "by_program": lambda made: made.tournament.ties_by_lot and made.rarely(0.5),
    "record_playoff.ranking": _one_of(OVERALL),
    "record_playoff.order": Arguments.record_playoff_order,
    "expected": lambda made: {
        key: match.clear for key, match in matches(made.tournament).items() if match.clear
    },
    "seen": lambda made: fingerprint(made.fresh(), made.section()),
    "seen_number": lambda made: len(earlier_tournament.qualified_persons(made.tournament)[1]),
    "take_points.seen": lambda made: fingerprint_of(
        earlier_tournament.points_moves(made.tournament)
    ),
    "copy_bought.seen": lambda made: made.row.bought_cards,
    "rule_set": lambda made: rule_set_of(made.tournament),
    "ranking_id": lambda made: made.pick(made.kept()).pk,
    "plays_on": _one_of("", "", "1"),
    "source": _one_of(Registration.Source.DESK),
    "first_name": _one_of("Ada", "Ben"),
    "club_name": _one_of("SC Altenburg", "Neuer Verein", ""),
    "more": lambda made: {
        "birth_year": made.chance.choice([1951, 1985, 2010]),
        "gender": made.chance.choice(["f", "m"]),
        "payment": made.payment(),
        "is_here": True,
        "late_reason": "im Stau",
    },
    "choice": lambda made: EntryChoice(publish_consent=made.rarely(0.5), wishes=made.wishes()),
    "fingerprint": lambda made: (
        plan_of(PersonImport.objects.latest("pk"), made.tournament).fingerprint
    ),
    "entry_id": lambda made: made.pick(
        [each.pk for each in files.stored_files(made.tournament)][:1]
    ),
    "asked": lambda made: [each.pk for each in presence.absentees(made.tournament, made.row.day)],
    "without": lambda made: [
        each.pk
        for each in made.people()
        if each.pk not in {key for row in made.row.seats for key in row}
    ],
    "cards": lambda made: {made.free_card()[0]: made.free_card()[1:]},
    "numbers": lambda made: {made.free_card()[2]: made.free_card()[0]},
    "enter_cards_at_table.table": lambda made: made.free_card()[1],
    "key": lambda made: made.pick(
        [each.key for gap in gaps(made.row) for each in gap.suggestions][made.seed % 3 :]
    ),
    "table": _one_of(None, 1, 2),
    "move_table.table": _one_of(1),
    **dict.fromkeys(("columns", "column", "row"), _one_of(1, 2, 3)),
    "tables": _one_of(None, [1]),
    "version": lambda made: made.row.version,
    "bought": lambda made: [0] * made.row.table.seats.count(),
    "call.kind": _one_of("dispute", "counting", "other"),
    "book_free.kind": _one_of(CashEntry.Kind.OTHER, CashEntry.Kind.WITHDRAWAL),
    "ends": lambda made: dict.fromkeys(
        Spielliste.objects.filter(table__serie=made.row, status="open").values_list("pk", flat=True)
    ),
}


def maker(act: str, parameter: inspect.Parameter) -> Maker:
    """Return the maker of an argument: by parameter name, else by type."""
    name, of_act = parameter.name, f"{act}.{parameter.name}"
    if {name, of_act} & LEFT_OUT:
        return lambda _made: parameter.default
    if known := MAKERS.get(of_act) or MAKERS.get(name) or getattr(Arguments, name, None):
        return known
    for annotation in (parameter.annotation, *getattr(parameter.annotation, "__args__", ())):
        if annotation is bool:
            return _one_of(True, False)
        if annotation is str:
            return _one_of("aus gutem Grund")
        if isinstance(annotation, type) and issubclass(annotation, Enum):
            return _one_of(*annotation)
    raise KeyError(of_act)


def make_arguments(
    world: World, doing: ActFunction[Any, Any], row: Any, seed: int
) -> dict[str, Any]:
    """Return the arguments of one step."""
    made: dict[str, Any] = {}
    arguments = Arguments(world, doing, row, seed)
    for name, parameter in parameters_of(doing).items():
        value = maker(arguments.act, parameter)(arguments)
        made |= value if parameter.kind is parameter.VAR_KEYWORD else {name: value}
    return {"reason": "aus gutem Grund", **made}
