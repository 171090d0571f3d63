"""Customised rule sets: changed numbers, for one tournament only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from scoring.cards import Rank
from scoring.payments.settlement import ByRank, RingGamePot
from scoring.ruleset import Contract, Round, TieBreak, Variant
from scoring.rulesets import offered_rulesets, ruleset
from scoring.valuation import Valuation, ValuationStep
from tests.clients import at
from tests.tournaments.announcement.helpers import Desk, as_sent
from tournaments.common.rules import rule_set_of
from tournaments.rulebook.forms.own_rules import CustomRuleSetForm
from tournaments.rulebook.queries.rule_set_text import summary, tie_breaks

pytestmark = pytest.mark.django_db


class TestCustomRuleSet:
    """Numbers of one's own, under a name of one's own."""

    @staticmethod
    def send(desk: Desk, **change: str | None) -> Any:
        url = at("setup:custom_rules", desk.tournament)
        data = {**as_sent(desk.client.get(url)), "name_": "Unsere Regeln", **change}
        return desk.client.post(url, {k: v for k, v in data.items() if v is not None})

    def test_numbers_are_changed_for_this_tournament_only(self, desk: Desk):
        self.send(
            desk,
            games="16",
            card_A="15",
            bonus_4="25",
            penalties="50, 100 und 200",
            handromme_bonus="60",
            finisher_may_hold="3",
        )

        rules = rule_set_of(desk.now())
        assert (rules.id, rules.name) == ("unsere-regeln", "Unsere Regeln")
        assert rules.source == "angepasst nach: Romméordnung"
        assert (rules.games, rules.bonus_per_game, rules.penalties) == (
            16,
            {3: 15, 4: 25},
            (50, 100, 200),
        )
        assert rules.card_values == {**ruleset("rommeordnung").card_values, Rank.ASS: 15}
        assert rules.handromme is not None
        assert (rules.handromme.bonus, rules.handromme.full_hands) == (60, True)
        assert rules.finisher_may_hold == 3
        assert ruleset("rommeordnung").games == 12

    def test_tie_breaks_are_chosen_in_order(self, desk: Desk):
        twice = self.send(desk, tie_0="last_serie", tie_1="last_serie")
        assert "Bei Gleichstand steht etwas mehrmals da." in twice.content.decode()

        self.send(desk, tie_0="last_serie", tie_1="", tie_2="games")

        rules = rule_set_of(desk.now())
        assert rules.tie_breaks == (TieBreak.LAST_SERIE, TieBreak.GAMES)
        assert tie_breaks(rules) == (
            "die letzte Serie, dann mehr beendete Spiele, dann das Entscheidungsspiel (§ 1.5)"
        )

    def test_table_sizes_are_allowed_with_the_preferred_one_first(self, desk: Desk):
        self.send(desk, preferred="5", allowed_3=None, allowed_6="on", bonus_5="20", decks_6="3")

        rules = rule_set_of(desk.now())
        assert rules.table_sizes == (5, 4, 6)
        assert (rules.packs[6].decks, rules.bonus_per_game[5]) == (3, 20)

    def test_the_dealer_may_sit_out_at_a_table_size(self, desk: Desk):
        uneven = self.send(desk, games="15", out_4="18")
        assert "18 Spiele gehen bei 4 Personen nicht auf" in uneven.content.decode()

        self.send(desk, games="15", out_4="20", out_5="25")  # no tables of five

        rules = rule_set_of(desk.now())
        assert (rules.games, dict(rules.dealer_sits_out)) == (15, {4: 20})
        assert summary(rules).startswith(
            "20 oder 15 Spiele an Tischen zu 4, ausnahmsweise 3 "
            "(am Tisch zu 4 setzt aus, wer gibt: 20 Spiele, für jeden 15)"
        )
        self.send(desk, games="15", out_4="")
        assert "dealer_sits_out" not in desk.now().rule_set

    def test_handromme_can_be_switched_off(self, desk: Desk):
        self.send(desk, handromme_known=None, ends_without_finisher="on")

        rules = rule_set_of(desk.now())
        assert rules.handromme is None
        assert rules.ends_without_finisher

    @pytest.mark.parametrize("base", offered_rulesets(), ids=lambda rules: rules.id)
    def test_every_rule_set_can_be_the_starting_point(
        self, make_desk: Callable[..., Desk], base: Any
    ):
        desk = make_desk(rules=base.id)

        answer = self.send(desk, card_Joker="30")

        rules = rule_set_of(desk.now())
        assert answer.status_code == 302
        assert rules.card_values[Rank.JOKER] == 30
        assert (rules.rounds, rules.packs, rules.settlement, rules.options, rules.table_sizes) == (
            base.rounds,
            base.packs,
            base.settlement,
            base.options,
            base.table_sizes,
        )

    def test_the_settlement_at_the_table_can_be_changed(self, make_desk: Callable[..., Desk]):
        desk = make_desk(rules="traditionell")

        self.send(desk, stake_cents="2,50", winner_percent="60", within_points="100")

        assert rule_set_of(desk.now()).settlement == RingGamePot(
            stake_cents=250, winner_percent=60, within_points=100
        )

    def test_the_pot_of_bought_cards_can_be_divided(self, make_desk: Callable[..., Desk]):
        desk = make_desk(rules="progressiv")

        self.send(desk, card_cents="0,05", pot_weights="2:1")

        assert rule_set_of(desk.now()).settlement == ByRank(card_cents=5, pot_weights=(2, 1))

    def test_a_table_need_not_play_for_money(self, make_desk: Callable[..., Desk]):
        desk = make_desk(rules="traditionell")

        self.send(desk, is_settled=None)
        without = rule_set_of(desk.now())
        self.send(desk, is_settled="on")

        assert without.settlement is None
        assert rule_set_of(desk.now()).settlement == RingGamePot(stake_cents=100)

    def test_an_example_shows_the_result_of_unsaved_numbers(self, make_desk: Callable[..., Desk]):
        desk = make_desk(rules="traditionell")

        answer = self.send(desk, preview="1", card_A="1", winner_percent="50")

        example = answer.context["example"]
        # 1 + 10 + 7 + 25, and 25 more for a Handrommé.
        assert [value for _label, value in example["lines"]] == [
            "1 + 10 + 7 + 25 = 43 Punkte",
            "43 + 25 = 68 Punkte",
        ]
        # Half of 4 € to the first; the rest by 40 : 20 to those 40 and 60 points behind.
        assert [received for _seat, received in example["settled"]] == [100, 33, -33, -100]
        assert rule_set_of(desk.now()) == ruleset("traditionell")

    def test_impossible_numbers_have_no_example(self, desk: Desk):
        answer = self.send(desk, preview="1", card_A="0")

        assert answer.context["example"] is None

    def test_wertpunkte_are_changed_by_size_of_table_and_by_step(
        self, make_desk: Callable[..., Desk]
    ):
        desk = make_desk(rules="wertpunkte")

        self.send(
            desk,
            valued_finish_4="6",
            valued_handromme_3="9",
            step_upto_0="25",
            step_upto_2="100",
            step_points_2="1",
            step_points_1="2",
            step_points_0="3",
            penalty_per="50",
            tie_0="handromme",
            tie_1="",
        )

        rules = rule_set_of(desk.now())
        assert rules.valuation == Valuation(
            finish={4: 6, 3: 5},
            handromme={4: 8, 3: 9},
            steps=(
                ValuationStep(upto=25, points=3),
                ValuationStep(upto=60, points=2),
                ValuationStep(upto=100, points=1),
            ),
            penalty_per=50,
        )
        assert rules.tie_breaks == (TieBreak.AUGEN, TieBreak.HANDROMME)
        assert (rules.source, rules.games) == ("angepasst nach: Wertpunkte, alle spielen", 12)

    def test_wertpunkte_without_handromme_require_no_value_for_it(
        self, make_desk: Callable[..., Desk]
    ):
        desk = make_desk(rules="wertpunkte")

        self.send(desk, handromme_known=None, valued_handromme_4="", valued_handromme_3="4")

        rules = rule_set_of(desk.now())
        assert rules.handromme is None
        assert rules.valuation is not None
        assert rules.valuation.handromme == {}
        assert rules.rates(4) == (5, 0)

    def test_an_example_shows_the_wertpunkte_of_a_game(self, make_desk: Callable[..., Desk]):
        desk = make_desk(rules="wertpunkte")

        answer = self.send(desk, preview="1", valued_finish_4="7")

        assert [value for _label, value in answer.context["example"]["lines"]] == [
            "11 + 10 + 7 + 20 = 48 Punkte",
            "7 / 2 / 1 / 0 Wertpunkte",
            "8 / 2 / 1 / 0 Wertpunkte",
        ]

    def test_variants_stay_beside_changed_numbers(self, make_desk: Callable[..., Desk]):
        desk = make_desk(rules="hausregel")

        self.send(desk, variants="d", card_A="1")
        self.send(desk, card_A="15")

        rules = rule_set_of(desk.now())
        assert (rules.id, rules.variants) == ("unsere-regeln", (Variant.AS_DEALT,))
        assert rules.card_values[Rank.ASS] == 15

    def test_added_games_copy_the_last_one(self, make_desk: Callable[..., Desk]):
        desk = make_desk(rules="contract")

        self.send(desk, games="9")
        self.send(desk, contract_8="1 Satz zu 5, 2 Paare")

        rules = rule_set_of(desk.now())
        last = ruleset("contract").rounds[6]
        new = replace(last, contract=Contract(groups=(5,), pairs=2))
        assert (rules.games, rules.rounds) == (9, (*ruleset("contract").rounds, new, last))

    def test_rows_for_more_games_are_shown_before_they_are_saved(
        self, make_desk: Callable[..., Desk]
    ):
        desk = make_desk(rules="contract")

        page = self.send(desk, games="8", preview="1")

        assert as_sent(page)["contract_8"] == "3 Folgen zu 4, ohne Abwerfen"
        assert rule_set_of(desk.now()) == ruleset("contract")

    def test_a_list_may_have_fewer_games_with_other_contracts_and_cards(
        self, make_desk: Callable[..., Desk]
    ):
        desk = make_desk(rules="shanghai-powe")

        self.send(desk, games="2", contract_1="1 Lauf mit 5 Karten", dealt_1="12", extra_2="")

        rules = rule_set_of(desk.now())
        assert rules.rounds == (
            Round(cards_dealt=12, contract=Contract(runs=(5,)), extra_cards=6),
            Round(
                cards_dealt=10,
                contract=Contract(groups=(3,), runs=(4,), discard=False),
                extra_cards=None,
            ),
        )

    def test_more_cards_may_be_bought(self, make_desk: Callable[..., Desk]):
        desk = make_desk(rules="progressiv")

        self.send(desk, extra_1="2", bought_1="2", bought_9="0", extra_9="1")

        rules = rule_set_of(desk.now())
        assert [each.purchases for each in rules.rounds] == [2, *[0] * 8, 1, 1, 2, 2, 1, 0]
        assert rules.purchases == 9

    def test_the_points_for_an_exact_cut_can_be_changed(self, make_desk: Callable[..., Desk]):
        desk = make_desk(rules="liverpool")

        self.send(desk, grant_0="30")
        thirty = rule_set_of(desk.now())
        self.send(desk, grant_0="0")
        none = rule_set_of(desk.now())
        self.send(desk, grant_0="50")

        (cut,) = ruleset("liverpool").grants
        assert thirty.grants == (replace(cut, points=-30),)
        assert none.grants == ()
        assert rule_set_of(desk.now()).grants == (cut,)

    def test_a_changed_rule_set_can_be_changed_again(self, desk: Desk):
        self.send(desk, games="16")
        page = desk.client.get(at("setup:custom_rules", desk.tournament))
        self.send(desk, games="18")

        assert page.context["form"]["name"].value() == "Unsere Regeln"
        assert rule_set_of(desk.now()).games == 18
        assert rule_set_of(desk.now()).source == "angepasst nach: Romméordnung"

    def test_an_impossible_number_is_named_at_its_field(self, desk: Desk):
        answer = self.send(desk, card_A="0")

        assert answer.status_code == 422
        assert "1 bis 100" in " ".join(answer.context["form"].errors["card_A"])
        assert rule_set_of(desk.now()) == ruleset("rommeordnung")


@pytest.mark.once
@pytest.mark.parametrize(
    ("rules", "change", "field", "sentence"),
    [
        ("rommeordnung", {"name_": "Romméordnung"}, "name", "heißt schon ein Regelwerk"),
        ("rommeordnung", {"name_": "Hausregel!"}, "name", "heißt schon ein Regelwerk"),
        ("rommeordnung", {"name_": "!!"}, "name", "mindestens einen Buchstaben"),
        ("rommeordnung", {"penalties": "hundert"}, "penalties", "nur ganze Zahlen"),
        ("rommeordnung", {"penalties": "0"}, "penalties", "1 bis 10000"),
        ("rommeordnung", {"games": "61"}, "games", "1 bis 60"),
        ("rommeordnung", {"cards_dealt": "40"}, "cards_dealt", "1 bis 30"),
        ("rommeordnung", {"cards_dealt": "30"}, "cards_dealt", "das Paket hat 110"),
        ("rommeordnung", {"handromme_factor": "11"}, "handromme_factor", "1 bis 10"),
        ("rommeordnung", {"jokers_4": "25"}, "jokers_4", "0 bis 24"),
        ("rommeordnung", {"decks_3": "0"}, "decks_3", "1 bis 4"),
        ("rommeordnung", {"bonus_4": "1001"}, "bonus_4", "0 bis 1000"),
        ("rommeordnung", {"decks_4": ""}, "decks_4", "1 bis 4"),
        ("traditionell", {"winner_percent": "49"}, "winner_percent", "50 bis 100"),
        ("traditionell", {"within_points": "10001"}, "within_points", "1 bis 10000"),
        ("contract", {"games": "9.0"}, "games", "7 Einträge passen nicht zu 9 Spielen"),
        ("contract", {"games": "0"}, "games", "1 bis 60"),
        ("liverpool", {"grant_0": "1001"}, "grant_0", "-1000 bis 1000"),
        ("liverpool", {"grant_0": "-1"}, "grant_0", "größer oder gleich 0"),
        ("contract", {"contract_2": "drei Asse"}, "contract_2", "Bitte so schreiben"),
        ("contract", {"contract_2": "ohne Abwerfen"}, "contract_2", "verlangt nichts"),
        ("contract", {"contract_3": "1 Satz zu 31"}, "contract_3", "2 bis 30"),
        # 2 × 52 + 2 jokers at a table of three, where each of the others has a card
        ("contract", {"contract_3": "4 Sätze zu 28"}, "contract_3", "hat höchstens 104"),
        # 5 × 22 + 1 of 2 × 52 + 4
        ("contract", {"dealt_4": "22"}, "dealt_4", "111 Karten, das Paket hat 108"),
        ("contract", {"extra_5": "31"}, "extra_5", "0 bis 30"),
        ("progressiv", {"contract_1": "4 Sätze zu 4"}, "contract_1", "hat höchstens 12"),
        ("progressiv", {"bought_9": "2"}, "bought_9", "mindestens 2 dazu, nicht höchstens 1"),
        ("wertpunkte", {"step_points_1": ""}, "step_points_1", "1 bis 1000"),
        ("wertpunkte", {"step_upto_1": "30"}, "step_upto_0", "Die Stufen müssen steigen"),
        ("wertpunkte", {"valued_finish_4": "1"}, "valued_finish_4", "Am Tisch zu 4: Ein Handrommé"),
        ("wertpunkte", {"valued_handromme_3": "1001"}, "valued_handromme_3", "0 bis 1000"),
    ],
)
def test_impossible_values_are_named_at_their_fields(
    rules: str, change: dict[str, str], field: str, sentence: str
):
    filled = {
        field.html_name: field.value() for field in CustomRuleSetForm(rule_set=ruleset(rules))
    }
    sent = {
        name: str(value)
        for name, value in filled.items()
        if value is not None and value is not False
    }
    sent = {**sent, "name_": "Unsere Regeln", **change}
    form = CustomRuleSetForm(sent, rule_set=ruleset(rules))

    assert list(form.errors) == [field]
    assert sentence in " ".join(form.errors[field])
