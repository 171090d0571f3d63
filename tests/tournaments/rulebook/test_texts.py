"""Rule sets and sections in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone, translation
from hypothesis import given
from hypothesis import strategies as st

from scoring.cards import Rank
from scoring.payments.prizes import PrizeLine, PrizePlan, TieRule
from scoring.ruleset import Contract, Handromme, OptionField, Variant
from scoring.rulesets import ruleset
from tests.factories import START, make_players, make_tournament
from tests.factories_results import take_startgeld
from tests.tournaments.announcement.helpers import make_complete
from tournaments.announcement.queries.ausschreibung_text import section_lines
from tournaments.announcement.queries.prize_lines import PlanInMoney, all_prize_lines
from tournaments.cash.queries.tariff import years
from tournaments.models import Category, Ranking, Tournament
from tournaments.models.tournament import Section
from tournaments.rulebook.forms.own_rounds import contract_in
from tournaments.rulebook.queries import rule_set_text


def in_words(lines: Iterable[Any]) -> list[tuple[str, str]]:
    return [(label, value.replace("\N{NO-BREAK SPACE}", " ")) for label, value in lines]


def _details(id_: str, **changed: object) -> dict[str, str]:
    rules = replace(ruleset(id_), **changed)
    return dict(rule_set_text.details(rules))


@pytest.mark.parametrize(
    ("id_", "label", "value"),
    [
        ("rommeordnung", "Beendetes Spiel", "−20 am Tisch zu 4; −15 am Tisch zu 3"),
        ("rommeordnung", "Handrommé", "−50 Punkte"),
        ("rommeordnung", "Strafpunkte", "+100 oder +150, nur durch die Spielleitung"),
        (
            "rommeordnung",
            "Kartenwerte",
            "2 bis 10: wie aufgedruckt; Bube bis König: 10; Ass: 11; Joker: 20",
        ),
        ("rommeordnung", "Karten", "2 Pakete zu 52 Karten, 6 Joker"),
        ("hausregel", "Handrommé", "die anderen zählen doppelt"),
        ("hausregel", "Beendetes Spiel", "0 Punkte, ohne Abzug"),
        ("preisromme-1987", "Liste", "8 Spiele an Tischen zu 4, ausnahmsweise 3"),
        ("preisromme-1987", "Durchgänge", "2 × 8 Spiele; jeder Durchgang ist eine Serie"),
        ("traditionell", "Handrommé", "+25 für alle anderen"),
        ("traditionell", "Liste", "12 Spiele an Tischen zu 4, ausnahmsweise 3, 5, 6 oder 2"),
        ("contract", "Handrommé", "gibt es in diesem Regelwerk nicht"),
        ("contract", "Ende ohne Sieger", "möglich; dann zählen alle ihre Karten"),
        ("liverpool", "Genau abgehoben", "−50 Punkte für den Platz rechts vom Geber"),
        (
            "may-i",
            "Karten",
            "zu 3 oder 4: 2 Pakete zu 52 Karten, 4 Joker\nzu 5: 3 Pakete zu 52 Karten, 6 Joker",
        ),
        (
            "shanghai",
            "Kartenwerte",
            "2 bis 7: 5; 8 bis König: 10; Ass: 20; Joker: 50",
        ),
        (
            "progressiv",
            "Kartenwerte",
            "2, Joker: 20; 3 bis 10: 5; Bube bis König: 10; Ass: 15",
        ),
    ],
)
def test_a_rule_set_is_described_by_its_numbers(id_: str, label: str, value: str):
    assert _details(id_)[label] == value


@pytest.mark.parametrize(
    ("changed", "label", "value"),
    [
        ({"handromme": Handromme(factor=3)}, "Handrommé", "die anderen zählen 3-fach"),
        ({"handromme": Handromme()}, "Handrommé", "zählt nur bei Gleichstand"),
        (
            {"finisher_may_hold": 7},
            "Beenden mit Rest",
            "mit höchstens 7 Punkten in der Hand, die dann zählen",
        ),
        ({"table_sizes": (4,)}, "Liste", "12 Spiele an Tischen zu 4"),
    ],
)
def test_changed_numbers_are_described(changed: dict[str, object], label: str, value: str):
    assert _details("rommeordnung", **changed)[label] == value


def test_variants_are_described_by_letter_and_number():
    rules = (
        ruleset("hausregel")
        .with_variants([Variant.AS_DEALT, Variant.ACE_AT_ONE_END])
        .with_option(OptionField.FINISHER_MAY_HOLD, 9)
        .with_option(OptionField.EXTRA_CARDS, None)
    )

    told = dict(rule_set_text.details(rules))["Varianten"]

    assert told.splitlines() == [
        "a) keine Folge über das Ass hinweg: nie König, Ass, Zwei",
        "c) Rommé melden darf, wer höchstens 9 Punkte in der Hand hat",
        "d) Handrommé nur mit den ausgeteilten Karten",
        "g) zu zweit und zu dritt in jedem Zug die Abwurfkarte und zwei vom Stapel nehmen",
    ]
    assert rule_set_text.summary(rules).endswith("mit den Varianten a, c, d, g")


def test_bought_cards_are_described_with_price_and_games():
    told = _details("progressiv")["Gekaufte Karten"].replace("\N{NO-BREAK SPACE}", " ")

    assert told.splitlines() == [
        "höchstens 8 Karten je Person und Liste, jede für 0,01 €",
        "in den Spielen 9, 10, 11, 14: je 1",
        "in den Spielen 12, 13: je 2, dazu 2 vom Stapel",
    ]
    assert "Gekaufte Karten" not in _details("contract")


def test_free_cards_are_described_without_a_price():
    first, second, *_rest = ruleset("progressiv").rounds[8:]
    rules = replace(ruleset("progressiv"), games=2, rounds=(first, second), settlement=None)
    once = replace(rules, rounds=(first, replace(second, purchases=0)))

    assert rule_set_text.buying(rules) == [
        "höchstens 2 Karten je Person und Liste",
        "in den Spielen 1, 2: je 1",
    ]
    assert rule_set_text.buying(once) == [
        "höchstens 1 Karte je Person und Liste",
        "in Spiel 1: 1",
    ]


def test_only_rules_after_the_hausregel_have_variants():
    chosen = {"variants": (Variant.EQUAL_CARDS,)}

    assert "Varianten" not in _details("traditionell", **chosen)
    assert "Varianten" not in _details("hausregel")
    own = {"id": "unsere", "source": "angepasst nach: Hausregel"}
    assert _details("hausregel", **chosen, **own)["Varianten"].startswith("b) ein Satz darf")


@pytest.mark.parametrize(
    ("contract", "text"),
    [
        (Contract(groups=(3, 3)), "2 Sätze zu 3"),
        (Contract(groups=(3,), runs=(4,)), "1 Satz zu 3, 1 Folge zu 4"),
        (Contract(runs=(4, 4, 4), discard=False), "3 Folgen zu 4, ohne Abwerfen"),
        (Contract(groups=(5,), runs=(5,), pairs=1), "1 Satz zu 5, 1 Folge zu 5, 1 Paar"),
        (Contract(groups=(3, 4, 3), pairs=2), "2 Sätze zu 3, 1 Satz zu 4, 2 Paare"),
    ],
)
def test_a_contract_is_described_by_groups_and_runs(contract: Contract, text: str):
    assert rule_set_text.contract(contract) == text


@given(
    st.builds(
        Contract,
        groups=st.lists(st.integers(2, 30), max_size=4).map(tuple),
        runs=st.lists(st.integers(2, 30), max_size=4).map(tuple),
        pairs=st.integers(0, 4),
        discard=st.booleans(),
    ).filter(lambda contract: contract.cards),
    st.sampled_from(["de", "en"]),
)
def test_a_described_contract_can_be_typed(contract: Contract, language: str):
    with translation.override(language):
        read = contract_in(rule_set_text.contract(contract))

    assert read is not None
    assert (sorted(read.groups), sorted(read.runs)) == (
        sorted(contract.groups),
        sorted(contract.runs),
    )
    assert (read.pairs, read.discard) == (contract.pairs, contract.discard)


@pytest.mark.parametrize(
    ("typed", "contract"),
    [
        ("2 Bücher zu 3 und 1 Lauf zu 4", Contract(groups=(3, 3), runs=(4,))),
        ("3 läufe  von 4 Karten; ohne Abwurf", Contract(runs=(4, 4, 4), discard=False)),
        ("1 Gruppe mit 5 Karten + 2 Paare", Contract(groups=(5,), pairs=2)),
        ("2 Sätze", None),
        ("", None),
    ],
)
def test_contracts_are_parsed_from_the_words_of_the_sources(typed: str, contract: Contract | None):
    assert contract_in(typed) == contract


def test_a_summary_is_one_line():
    assert rule_set_text.summary(ruleset("rommeordnung")) == (
        "12 Spiele an Tischen zu 4, ausnahmsweise 3; 13 Karten; Handrommé: −50 Punkte"
    )
    assert rule_set_text.summary(ruleset("contract")) == (
        "7 Spiele an Tischen zu 4, ausnahmsweise 3 oder 5; 10 oder 12 Karten; je Spiel ein Kontrakt"
    )


def test_cards_have_their_usual_names():
    assert [rule_set_text.rank_name(rank) for rank in (Rank.TEN, Rank.BUBE, Rank.ASS)] == [
        "10",
        "Bube",
        "Ass",
    ]


@pytest.mark.parametrize(
    ("born", "text"),
    [
        ((2008, None), "Jahrgang 2008 und jünger"),
        ((None, 1960), "Jahrgang 1960 und älter"),
        ((2000, 2005), "Jahrgänge 2000 bis 2005"),
        ((None, None), ""),
    ],
)
def test_years_of_birth_are_described_by_their_range(
    born: tuple[int | None, int | None], text: str
):
    assert years(Category(born_from=born[0], born_until=born[1])) == text


def test_a_prize_plan_is_described_place_by_place():
    plan = PrizePlan(
        lines=(
            PrizeLine(place=2, share_permille=375),
            PrizeLine(place=1, share_permille=500, fixed_cents=2000, goods="Pokal"),
        ),
        kept_permille=100,
        ties=TieRule.PLAYOFF,
    )

    assert in_words(all_prize_lines([PlanInMoney(plan=plan)])) == [
        (
            "Gesamtwertung",
            "1. Platz: 50 % des Startgelds und 20,00 € und Pokal\n2. Platz: 37,5 % des Startgelds",
        ),
        ("Anteile", "an dem, was nach Einbehaltenem und festen Preisen übrig ist"),
        ("Einbehalten", "10 % des Startgelds"),
        ("Bei Gleichstand", "Ein Entscheidungsspiel wird ausgetragen."),
    ]


def told_prizes(tournament: Tournament) -> dict[str, str]:
    """Return the description of prizes in the Ausschreibung, by label."""
    return dict(in_words(section_lines(tournament, Section.PRIZES)))


@pytest.mark.django_db
def test_prizes_are_shares_without_an_expected_number():
    plan = PrizePlan(lines=(PrizeLine(place=1, share_permille=1000, goods="Pokal"),))
    tournament = make_tournament(
        startgeld_cents=1000, places=60, prize_plan={"startgeld": plan.to_dict()}
    )
    shares = told_prizes(tournament)["Gesamtwertung"]
    tournament.prize_plan = {"startgeld": replace(plan, expected_entries=45).to_dict()}

    amounts = told_prizes(tournament)["Gesamtwertung, bei 45 Teilnehmenden etwa"]

    assert shares == "1. Platz: 100 % des Startgelds und Pokal"
    assert amounts == "1. Platz: 450,00 € (100 %) und Pokal"


@pytest.mark.django_db
def test_prizes_use_the_actual_pot_from_the_first_serie():
    plan = PrizePlan(
        lines=(PrizeLine(place=1, fixed_cents=500), PrizeLine(place=2, share_permille=1000)),
        kept_permille=100,
        expected_entries=60,
    )
    tournament = make_tournament(
        serien=1, startgeld_cents=1000, prize_plan={"startgeld": plan.to_dict()}
    )
    make_players(tournament, 3)
    take_startgeld(tournament, 1000)
    tournament.serien.update(started_at=timezone.now())

    # 30 €, of which 3 € are kept and 5 € are fixed
    told = told_prizes(tournament)

    assert told["Gesamtwertung"] == ("1. Platz: 5,00 €\n2. Platz: 22,00 € (100 %)")


@pytest.mark.django_db
def test_a_pot_that_is_too_small_promises_no_amounts():
    plan = PrizePlan(
        lines=(PrizeLine(place=1, fixed_cents=500), PrizeLine(place=2, share_permille=1000)),
    )
    tournament = make_tournament(serien=1, prize_plan={"startgeld": plan.to_dict()})
    tournament.serien.update(started_at=timezone.now())

    told = told_prizes(tournament)

    assert told["Gesamtwertung"] == "1. Platz: 5,00 €\n2. Platz: 100 % des Startgelds"


@pytest.mark.django_db
def test_several_pots_are_distinguished():
    plan = PrizePlan(lines=(PrizeLine(place=1, share_permille=1000),), kept_cents=500)
    tournament = make_complete(prize_plan={"startgeld": plan.to_dict(), "women": plan.to_dict()})
    tournament.rankings.create(kind=Ranking.Kind.WOMEN, stake_cents=100)

    assert in_words(section_lines(tournament, Section.PRIZES)) == [
        ("Gesamtwertung", "1. Platz: 100 % des Startgelds"),
        ("Anteile", "an dem, was nach Einbehaltenem und festen Preisen übrig ist"),
        ("Einbehalten", "5,00 € des Startgelds"),
        ("Gesamtwertung", "1. Platz: 100 % der Einsätze"),
        ("Einbehalten", "5,00 € der Einsätze"),
        ("Bei Gleichstand", "Die Preise der Plätze werden geteilt."),
    ]


@pytest.mark.django_db
def test_pots_with_different_rules_for_ties_name_both():
    plan = PrizePlan(lines=(PrizeLine(place=1, share_permille=1000),))
    by_playoff = replace(plan, ties=TieRule.PLAYOFF)
    tournament = make_complete(
        prize_plan={"startgeld": plan.to_dict(), "women": by_playoff.to_dict()}
    )
    tournament.rankings.create(kind=Ranking.Kind.WOMEN, stake_cents=100)

    assert told_prizes(tournament)["Bei Gleichstand"] == (
        "Startgeld: Die Preise der Plätze werden geteilt.\n"
        "Einsätze Damen: Ein Entscheidungsspiel wird ausgetragen."
    )


@pytest.mark.django_db
def test_empty_values_are_not_described():
    tournament = make_complete(
        venue="", contact_email="", is_open=False, closed_circle="Mitglieder"
    )

    told = dict(section_lines(tournament, Section.GENERAL))

    assert "Spielort" not in told
    assert told["Teilnehmerkreis"] == "geschlossen: Mitglieder"
    assert section_lines(tournament, Section.BANK) == []


@pytest.mark.django_db
def test_all_fees_are_described():
    tournament = make_complete(
        kartengeld_cents=100,
        kaution_cents=500,
        refund_until=START - timedelta(days=2),
        late_startgeld=Tournament.LateStartgeld.SHARE,
        places=80,
    )

    assert in_words(section_lines(tournament, Section.STARTGELD)) == [
        ("Erwachsene", "15,00 €"),
        ("Kartengeld", "1,00 €"),
        ("Kaution", "5,00 €, wird zurückgezahlt"),
        ("Rückzahlung bei Abmeldung", "bis 1. Oktober 2026, 14:00 Uhr"),
        ("Wer nach der ersten Serie kommt, zahlt", "den Anteil der Serien, die noch kommen"),
        ("Plätze", "80"),
    ]


@pytest.mark.django_db
def test_equal_serien_share_one_line_and_have_no_limit_unless_set():
    tournament = make_complete(serien=4)
    tournament.serien.filter(number=3).update(seating="planned", time_limit_minutes=75)
    tournament.serien.filter(number=4).update(seating="ranking")

    assert in_words(section_lines(tournament, Section.SERIEN)) == [
        ("Serie 1 bis 2", "gezogene Startkarten"),
        ("Serie 3", "vorausgeplant ohne Wiederbegegnung, höchstens 75 Minuten"),
        ("Serie 4", "gesetzt nach Rangliste"),
    ]
