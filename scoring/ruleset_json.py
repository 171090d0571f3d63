"""Rule sets as plain JSON: the frozen copy of a tournament, checked when it is read.

An organiser changes numbers, and a copy may come from another machine. So everything is
looked at, and each mistake is named with its place: what is missing or unknown, of the
wrong kind, out of bounds, or does not go with the rest.

The keys are those of the dataclasses; ``card_values`` is keyed by rank, ``packs`` and
``bonus_per_game`` by the number of players::

    {"id": "rommeordnung", "games": 12, "packs": {"4": {"decks": 2, "jokers": 6}, …}, …}

What has a preset in the dataclass may be left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from typing import Any, TypeVar

from scoring.cards import Pack, Rank
from scoring.errors import Problem, ScoringError
from scoring.records import under
from scoring.ruleset import (
    MOST_EXTRA_CARDS,
    MOST_GAMES,
    MOST_HELD,
    MOST_POINTS,
    Choice,
    Contract,
    Grant,
    Handromme,
    Option,
    OptionField,
    Receiver,
    Round,
    RuleSet,
)
from scoring.settlement import Settlement, settlement_from_dict
from scoring.strict_json import JsonObject, Node
from scoring.texts import _

TABLE_SIZES = range(2, 9)
MOST_SERIEN = 20
MOST_CARD_POINTS = 100
MOST_DECKS = 4
MOST_JOKERS = 24
MOST_DEALT = 30
MOST_PENALTY = 10_000
LONGEST_NAME = 80
LONGEST_TEXT = 200
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")

T = TypeVar("T")
Reader = Callable[[Node], Any]
"""Returns what stands at a node, or notes there what is wrong with it."""


# --- Writing --------------------------------------------------------------------------


def ruleset_to_dict(rule_set: RuleSet) -> dict[str, object]:
    """Return every number of a rule set as dicts, lists, texts and numbers.

    Keys are in an order of their own, so that equal rule sets make the same file.
    """
    return {field.name: _plain(getattr(rule_set, field.name)) for field in fields(rule_set)}


def _plain(value: object) -> object:
    if isinstance(value, Settlement):
        return value.to_dict()
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(value[key]) for key in sorted(value, key=_place)}
    if isinstance(value, tuple):
        return [_plain(entry) for entry in value]
    return value.value if isinstance(value, StrEnum) else value


def _place(key: Rank | int) -> int:
    return list(Rank).index(key) if isinstance(key, Rank) else key


# --- Reading --------------------------------------------------------------------------


def ruleset_from_dict(data: object) -> RuleSet:
    """Return the rule set that :func:`ruleset_to_dict` wrote, from what JSON made of it.

    Raises:
        ScoringError: with every mistake and its place.
    """
    node = Node(_as_parsed(data), "", [])
    rule_set = read_ruleset(node)
    if rule_set is None:
        raise ScoringError(node.problems)
    return rule_set


def _as_parsed(value: object) -> object:
    if isinstance(value, dict):
        return JsonObject([(str(key), _as_parsed(entry)) for key, entry in value.items()])
    return [_as_parsed(entry) for entry in value] if isinstance(value, list) else value


def read_ruleset(node: Node) -> RuleSet | None:
    """Return the rule set at *node*; None if mistakes were noted there."""
    rule_set = _read_record(node, RuleSet, _RULE_SET)
    if rule_set is None:
        return None
    mistakes = list(_contradictions(rule_set))
    if mistakes:
        node.problems += under(node.where, ScoringError(mistakes)) if node.where else mistakes
        return None
    return rule_set


def _read_record(node: Node, record: type[T], readers: Mapping[str, Reader]) -> T | None:
    """Return the dataclass at *node*, each field read by its reader."""
    known = len(node.problems)
    required = [field.name for field in fields(record) if field.default is MISSING]  # type: ignore[arg-type]
    optional = [name for name in readers if name not in required]
    given = node.fields(required=required, optional=optional)
    values = {name: readers[name](child) for name, child in given.items()}
    return record(**values) if len(node.problems) == known else None


def _record(record: type[T], **readers: Reader) -> Reader:
    return lambda node: _read_record(node, record, readers)


def _number(minimum: int, maximum: int) -> Reader:
    return lambda node: node.whole_number(minimum=minimum, maximum=maximum)


def _or_null(reader: Reader) -> Reader:
    return lambda node: None if node.is_null else reader(node)


def _list(reader: Reader) -> Reader:
    return lambda node: tuple(reader(entry) for entry in node.items() or ())


def _at_least_one(reader: Reader) -> Reader:
    def read(node: Node) -> tuple[Any, ...]:
        entries = node.items()
        if entries == []:
            node.refuse(_("Die Liste ist leer."))
        return tuple(reader(entry) for entry in entries or ())

    return read


def _by_players(reader: Reader) -> Reader:
    def read(node: Node) -> dict[int, Any]:
        given = node.fields(required=(), optional=[str(size) for size in TABLE_SIZES])
        return {int(size): reader(child) for size, child in given.items()}

    return read


def _by_rank(reader: Reader) -> Reader:
    def read(node: Node) -> dict[Rank, Any]:
        given = node.fields(required=[rank.value for rank in Rank])
        return {Rank(rank): reader(child) for rank, child in given.items()}

    return read


def _text(longest: int) -> Reader:
    def read(node: Node) -> str | None:
        text = node.text()
        if text is not None and len(text) > longest:
            node.refuse(_("Der Text ist länger als {longest} Zeichen.").format(longest=longest))
        return text

    return read


def _id(node: Node) -> str | None:
    text = node.text()
    if text is not None and (len(text) > LONGEST_NAME or not _ID.fullmatch(text)):
        node.refuse(
            _(
                "Die Kennung besteht aus kleinen Buchstaben von a bis z und Ziffern, "
                "dazwischen einzelne Bindestriche."
            )
        )
    return text


def _one_of(choices: type[StrEnum]) -> Reader:
    def read(node: Node) -> StrEnum | None:
        known = [choice.value for choice in choices]
        if node.value in known:
            return choices(node.value)
        node.refuse(_("Hier kann nur stehen: {known}.").format(known=", ".join(known)))
        return None

    return read


def _settlement(node: Node) -> Settlement | None:
    try:
        return settlement_from_dict(node.value)
    except ScoringError as error:
        node.problems += under(node.where, error)
        return None


def _option(node: Node) -> Option | None:
    option = _read_record(node, Option, _OPTION)
    if option is None or all(option.field.can_be(choice.value) for choice in option.choices):
        return option
    node.refuse(_("Unter den Werten ist einer, den es hier nicht gibt."))
    return None


_BOOLEAN: Reader = Node.boolean
_POINTS = _number(0, MOST_POINTS)
_MELDS = _list(_number(2, MOST_DEALT))

_PACK = _record(Pack, decks=_number(1, MOST_DECKS), jokers=_number(0, MOST_JOKERS))
_CONTRACT = _record(
    Contract, groups=_MELDS, runs=_MELDS, pairs=_number(0, MOST_DEALT), discard=_BOOLEAN
)
_ROUND = _record(
    Round,
    cards_dealt=_number(1, MOST_DEALT),
    contract=_or_null(_CONTRACT),
    extra_cards=_or_null(_number(0, MOST_EXTRA_CARDS)),
    purchases=_number(0, MOST_EXTRA_CARDS),
)
_HANDROMME = _record(
    Handromme, bonus=_POINTS, factor=_number(1, 10), surcharge=_POINTS, full_hands=_BOOLEAN
)
_GRANT = _record(
    Grant,
    name=_text(LONGEST_TEXT),
    points=_number(-MOST_POINTS, MOST_POINTS),
    receiver=_one_of(Receiver),
)
_CHOICE = _record(Choice, value=_or_null(_number(0, MOST_HELD)), label=_text(LONGEST_TEXT))
_OPTION: Mapping[str, Reader] = {
    "field": _one_of(OptionField),
    "label": _text(LONGEST_TEXT),
    "choices": _at_least_one(_CHOICE),
    "free": _BOOLEAN,
}
_RULE_SET: Mapping[str, Reader] = {
    "id": _id,
    "name": _text(LONGEST_NAME),
    "source": _text(LONGEST_TEXT),
    "table_sizes": _at_least_one(_number(TABLE_SIZES[0], TABLE_SIZES[-1])),
    "games": _number(1, MOST_GAMES),
    "games_free": _BOOLEAN,
    "series": _or_null(_number(1, MOST_SERIEN)),
    "card_values": _by_rank(_number(1, MOST_CARD_POINTS)),
    "packs": _by_players(_PACK),
    "rounds": _at_least_one(_ROUND),
    "bonus_per_game": _by_players(_POINTS),
    "handromme": _or_null(_HANDROMME),
    "ends_without_finisher": _BOOLEAN,
    "finisher_may_hold": _number(0, MOST_HELD),
    "grants": _list(_GRANT),
    "penalties": _list(_number(1, MOST_PENALTY)),
    "options": _list(_option),
    "settlement": _or_null(_settlement),
}


# --- What does not go together --------------------------------------------------------


def _contradictions(rule_set: RuleSet) -> Iterator[Problem]:
    yield from _table_sizes(rule_set)
    yield from _number_of_rounds(rule_set)
    for index, round_ in enumerate(rule_set.rounds):
        yield from _deal(rule_set, round_, f"rounds[{index}]")
    offered = [option.field for option in rule_set.options]
    if len(set(offered)) < len(offered):
        yield Problem("options", _("Dieselbe Wahl wird mehrmals angeboten."))


def _table_sizes(rule_set: RuleSet) -> Iterator[Problem]:
    sizes = rule_set.table_sizes
    if len(set(sizes)) < len(sizes):
        yield Problem("table_sizes", _("Eine Tischgröße steht mehrmals da."))
    for where, by_players in (
        ("packs", rule_set.packs),
        ("bonus_per_game", rule_set.bonus_per_game),
    ):
        for size in sorted(set(sizes) - set(by_players)):
            message = _("Für Tische mit {players} Personen fehlt die Angabe.")
            yield Problem(where, message.format(players=size))
        for size in sorted(set(by_players) - set(sizes)):
            message = _("Tische mit {players} Personen sind nicht vorgesehen.")
            yield Problem(f'{where}["{size}"]', message.format(players=size))


def _number_of_rounds(rule_set: RuleSet) -> Iterator[Problem]:
    rounds, games = len(rule_set.rounds), rule_set.games
    if rounds not in (1, games):
        yield Problem(
            "rounds",
            _(
                "{rounds} Einträge passen nicht zu {games} Spielen: Es muss einer für alle "
                "sein oder für jedes Spiel einer."
            ).format(rounds=rounds, games=games),
        )
    if rounds > 1 and rule_set.games_free:
        yield Problem(
            "games_free",
            _("Wo jedes Spiel eigene Angaben hat, kann die Zahl der Spiele nicht frei sein."),
        )


def _deal(rule_set: RuleSet, round_: Round, where: str) -> Iterator[Problem]:
    for players in rule_set.table_sizes:
        pack = rule_set.packs.get(players)
        # One more card starts the discard pile or is what the first player draws.
        needed = players * round_.cards_dealt + 1
        if pack is not None and pack.size < needed:
            yield Problem(
                f"{where}.cards_dealt",
                _(
                    "Für {players} Personen braucht es {needed} Karten, das Paket hat {cards}."
                ).format(players=players, needed=needed, cards=pack.size),
            )
    if round_.contract is not None:
        yield from _contract(round_, round_.contract, f"{where}.contract")


def _contract(round_: Round, contract: Contract, where: str) -> Iterator[Problem]:
    if contract.cards == 0:
        yield Problem(where, _("Der Kontrakt verlangt nichts."))
    if round_.extra_cards is None:
        return
    most = round_.cards_dealt + round_.extra_cards + 1  # the card drawn in the same turn
    if contract.cards > most:
        yield Problem(
            where,
            _("Der Kontrakt verlangt {cards} Karten, eine Hand hat höchstens {most}.").format(
                cards=contract.cards, most=most
            ),
        )
