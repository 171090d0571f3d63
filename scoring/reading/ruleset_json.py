"""Rule sets as plain JSON: the frozen copy of a tournament, checked when it is read.

Organisers change numbers, and a copy may come from another machine. So everything is
checked, and each problem has its place: keys that are missing or unknown, values that have the
wrong type, are out of bounds, or contradict others.

The keys are those of the dataclasses; ``card_values`` is keyed by rank, ``packs`` and
``bonus_per_game`` by the number of players::

    {"id": "rommeordnung", "games": 12, "packs": {"4": {"decks": 2, "jokers": 6}, …}, …}

Fields with a default in the dataclass may be left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scoring.cards import Rank
from scoring.errors import Problem, ScoringError
from scoring.reading.records import to_json
from scoring.reading.ruleset_types import TABLE_SIZES
from scoring.reading.strict_json import Node
from scoring.reading.validation import read
from scoring.ruleset import USUAL_TIES, Contract, Round, RuleSet, TieBreak
from scoring.texts import _
from scoring.valuation import Valuation


def ruleset_to_dict(rule_set: RuleSet) -> dict[str, Any]:
    """Return every number of a rule set as dicts, lists, texts and numbers.

    Ranks and numbers of players are in a fixed order, so that equal rule sets make the same
    file.
    """
    written: dict[str, Any] = to_json(rule_set)
    written["card_values"] = {rank.value: written["card_values"][rank.value] for rank in Rank}
    for name in ("packs", "bonus_per_game", "dealer_sits_out"):
        written[name] = dict(sorted(written[name].items()))
    if not rule_set.variants:  # keeps the JSON of rule sets without variants unchanged
        del written["variants"]
    if not rule_set.growing_at:
        del written["growing_at"]
    if rule_set.tie_breaks == USUAL_TIES:
        del written["tie_breaks"]
    if rule_set.valuation is None:
        del written["valuation"]
    if not rule_set.dealer_sits_out:
        del written["dealer_sits_out"]
    return written


def ruleset_from_dict(data: object) -> RuleSet:
    """Return the rule set that :func:`ruleset_to_dict` wrote, from its JSON values.

    Raises:
        ScoringError: with every problem and its place.
    """
    node = Node(data, "", [])
    rule_set = read_ruleset(node)
    if rule_set is None:
        raise ScoringError(node.problems)
    return rule_set


def read_ruleset(node: Node) -> RuleSet | None:
    """Return the rule set at *node*; None if problems were noted there."""
    rule_set = read(node, RuleSet)
    if rule_set is None:
        return None
    mistakes = list(_contradictions(rule_set))
    node.take_over(ScoringError(mistakes))
    return None if mistakes else rule_set


# --- Contradictions -------------------------------------------------------------------


def _contradictions(rule_set: RuleSet) -> Iterator[Problem]:
    yield from _table_sizes(rule_set)
    yield from _number_of_rounds(rule_set)
    for index, round_ in enumerate(rule_set.rounds):
        yield from _deal(rule_set, round_, f"rounds[{index}]")
    for index, option in enumerate(rule_set.options):
        if not all(option.field.can_be(choice.value) for choice in option.choices):
            message = _("Unter den Werten ist einer, den es hier nicht gibt.")
            yield Problem(f"options[{index}]", message)
    offered = [option.field for option in rule_set.options]
    if len(set(offered)) < len(offered):
        yield Problem("options", _("Dieselbe Wahl wird mehrmals angeboten."))
    if len(set(rule_set.variants)) < len(rule_set.variants):
        yield Problem("variants", _("Eine Variante steht mehrmals da."))

    if len(set(rule_set.tie_breaks)) < len(rule_set.tie_breaks):
        yield Problem("tie_breaks", _("Bei Gleichstand steht etwas mehrmals da."))
    if (TieBreak.AUGEN in rule_set.tie_breaks[:1]) != (rule_set.valuation is not None):
        message = _("Mit Wertpunkten entscheiden bei Gleichstand zuerst die Augen, sonst nie.")
        yield Problem("tie_breaks", message)
    if rule_set.valuation is not None:
        yield from _valuation(rule_set, rule_set.valuation)
    yield from _dealer_sits_out(rule_set)


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


def _valuation(rule_set: RuleSet, valuation: Valuation) -> Iterator[Problem]:
    for where, by_players in (
        ("finish", valuation.finish),
        ("handromme", valuation.handromme if rule_set.handromme else valuation.finish),
    ):
        if set(by_players) != set(rule_set.table_sizes):
            message = _("Die Wertpunkte müssen für jede Tischgröße angegeben sein, und nur dafür.")
            yield Problem(f"valuation.{where}", message)
    hands = [step.upto for step in valuation.steps]
    falling = [step.points for step in valuation.steps]
    if hands != sorted(set(hands)) or falling != sorted(set(falling), reverse=True):
        message = _("Die Stufen müssen steigen: mehr Augen, weniger Wertpunkte.")
        yield Problem("valuation.steps", message)
    for size, points in valuation.finish.items():
        if points < max(falling, default=0) or valuation.handromme.get(size, points) < points:
            message = _(
                "Am Tisch zu {players}: Ein Handrommé bringt mindestens so viel wie ein beendetes"
                " Spiel, und dieses mindestens so viel wie die erste Stufe."
            )
            yield Problem(f'valuation.finish["{size}"]', message.format(players=size))
    handromme = rule_set.handromme
    changes_hands = handromme and (handromme.bonus, handromme.factor, handromme.surcharge)
    if any(rule_set.bonus_per_game.values()) or (changes_hands or _PLAIN) != _PLAIN:
        message = _("Neben Wertpunkten gibt es keine Abzüge, Zuschläge und Vielfachen von Augen.")
        yield Problem("valuation", message)
    if rule_set.grants or rule_set.settlement:
        message = _("Neben Wertpunkten gibt es keine Gutschriften und keine Abrechnung am Tisch.")
        yield Problem("valuation", message)


_PLAIN = (0, 1, 0)  # bonus, factor and surcharge of a Handrommé that changes no hand


def _dealer_sits_out(rule_set: RuleSet) -> Iterator[Problem]:
    for size, games in sorted(rule_set.dealer_sits_out.items()):
        where = f'dealer_sits_out["{size}"]'
        if size not in rule_set.table_sizes:
            message = _("Tische mit {players} Personen sind nicht vorgesehen.")
            yield Problem(where, message.format(players=size))
        elif size == min(TABLE_SIZES):
            yield Problem(where, _("Zu zweit kann niemand aussetzen."))
        elif games % size:
            message = _(
                "{games} Spiele gehen bei {players} Personen nicht auf: Wer gibt, setzt aus, und "
                "alle sollen gleich oft spielen."
            )
            yield Problem(where, message.format(games=games, players=size))
    if rule_set.dealer_sits_out and (len(rule_set.rounds) > 1 or rule_set.games_free):
        message = _(
            "Wo der Geber aussetzt, steht die Zahl der Spiele fest, und für alle gelten dieselben "
            "Angaben."
        )
        yield Problem("dealer_sits_out", message)


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
        needed = rule_set.players_of_game(players) * round_.cards_dealt + 1
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
