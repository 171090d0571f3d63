"""The fields of a custom rule set whose games differ: contracts, cards, bought cards.

A contract is read from text in German or English words, as pages and documents show it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext as _

from scoring.errors import Problem
from scoring.hands import possible_hands
from scoring.payments.settlement import ByRank
from scoring.reading.records import to_json
from scoring.reading.ruleset_types import MOST_DEALT, MOST_GAMES
from scoring.ruleset import Contract, Round, RuleSet
from scoring.rulesets import origin
from tournaments.common.digits import number_in
from tournaments.rulebook.forms.declared import declared_number
from tournaments.rulebook.queries import rule_set_text
from tournaments.web.fields import TextField

_MELD = re.compile(
    r"(?P<number>\d{1,3}) ?(?P<what>satz|sätze|gruppen?|buch|bücher|sets?|groups?|books?"
    r"|folgen?|lauf|läufe|runs?) (?:zu|mit|von|of) (?P<size>\d{1,3})(?: karten| cards)?"
)
_PAIRS = re.compile(r"(?P<number>\d{1,3}) ?(?:paare?|pairs?)")
_PARTS = re.compile(r"[,;·+]| und | and ")
_NO_DISCARD = frozenset(
    {"ohne abwerfen", "ohne abwurf", "ohne ablegen", "ohne ablage", "without a discard"}
)
_RUNS = ("folge", "lauf", "läufe", "run")


def contract_in(text: str) -> Contract | None:
    """Return the contract described by *text*; None if it cannot be read.

    >>> contract_in("2 Sätze zu 3, 1 Folge zu 4 und 1 Paar, ohne Abwerfen").cards
    12
    >>> contract_in("drei Asse")
    """
    groups: list[int] = []
    runs: list[int] = []
    pairs, discard = 0, True
    for part in _PARTS.split(" ".join(text.lower().split())):
        words = part.strip()
        if words in _NO_DISCARD:
            discard = False
        elif match := _PAIRS.fullmatch(words):
            pairs += int(match["number"])
        elif match := _MELD.fullmatch(words):
            melds = runs if match["what"].startswith(_RUNS) else groups
            melds += [int(match["size"])] * min(int(match["number"]), MOST_DEALT)
        else:
            return None
    return Contract(groups=tuple(groups), runs=tuple(runs), pairs=pairs, discard=discard)


LONGEST_CONTRACT = 120
_DECLARED = {
    "contract": "contract",
    "dealt": "cards_dealt",
    "extra": "extra_cards",
    "bought": "purchases",
}


class ContractField(TextField):
    """A contract in words; ``cleaned_data`` has a :class:`Contract`."""

    def clean(self, value: Any) -> Any:
        contract = contract_in(super().clean(value))
        if contract is None:
            raise ValidationError(
                _("Bitte so schreiben: „2 Sätze zu 3, 1 Folge zu 4, 1 Paar, ohne Abwerfen“.")
            )
        return contract


def columns(rule_set: RuleSet) -> dict[str, str]:
    """Return the columns of the games of *rule_set*, by the names of their fields."""
    labels = {"contract": _("Kontrakt"), "dealt": _("Karten"), "extra": _("höchstens dazu")}
    base = origin(rule_set) or rule_set
    if rule_set.purchases or isinstance(base.settlement, ByRank):
        labels["bought"] = _("davon gekauft")
    return labels


def number_of_games(rule_set: RuleSet, data: Mapping[str, Any] | None) -> int:
    """Return the number of games for rows of the form: the typed one, within bounds."""
    number = number_in(data.get("games", "")) if data else None
    return min(number, MOST_GAMES) if number else rule_set.games


def with_more_games(data: QueryDict, rule_set: RuleSet) -> QueryDict:
    """Return the submitted data with a row for each game; a new row is like the one before."""
    filled = data.copy()
    for game in range(2, number_of_games(rule_set, data) + 1):
        if f"contract_{game}" not in filled:
            for name in columns(rule_set):
                filled[f"{name}_{game}"] = filled.get(f"{name}_{game - 1}", "")
    return filled


def rounds_to_change(rule_set: RuleSet, games: int) -> list[dict[str, Any]]:
    """Return the rounds of *games* games as JSON; further ones are like the last."""
    last = len(rule_set.rounds) - 1
    return [to_json(rule_set.rounds[min(game, last)]) for game in range(games)]


def round_fields(rule_set: RuleSet, game: int) -> dict[str, tuple[str, forms.Field]]:
    """Return the fields of a *game* by their names, each with its key in JSON."""
    round_ = rule_set.rounds[min(game, len(rule_set.rounds)) - 1]
    fields: dict[str, tuple[str, forms.Field]] = {}
    for name, label in columns(rule_set).items():
        label_of_game = _("{what} in Spiel {game}").format(what=label, game=game)
        declared = _DECLARED[name]
        fields[name] = (
            declared,
            (
                ContractField(
                    max_length=LONGEST_CONTRACT,
                    widget=forms.TextInput({"aria-label": label_of_game}),
                    initial=rule_set_text.contract(round_.contract or Contract()),
                )
                if name == "contract"
                else declared_number(Round, declared, said=label_of_game, required=name == "dealt")
            ),
        )
    return fields


def round_problems(rule_set: RuleSet) -> Iterator[Problem]:
    """Yield problems: contracts that no hand can fulfil, and bought cards that exceed the hand."""
    for index, round_ in enumerate(rule_set.rounds):
        extra = round_.extra_cards
        if extra is not None and round_.purchases > extra:
            message = _("Wer {n} kauft, hat mindestens {n} dazu, nicht höchstens {extra}.")
            yield Problem(
                f"rounds[{index}].purchases", message.format(n=round_.purchases, extra=extra)
            )
        most = min(
            possible_hands(rule_set, players=players, game=index + 1).most
            for players in rule_set.table_sizes
        )
        if extra is None and round_.contract is not None and round_.contract.cards > most:
            message = _("Der Kontrakt verlangt {cards} Karten, eine Hand hat höchstens {most}.")
            yield Problem(
                f"rounds[{index}].contract",
                message.format(cards=round_.contract.cards, most=most),
            )
