"""The form of each section: what it stores, what it refuses, and what happens to stale ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.bussgeld import (
    Counting,
    Destination,
    NoBussgeld,
    PerGame,
    PerList,
    PerPlace,
    PerPoints,
)
from scoring.cards import Rank
from scoring.prizes import Category, PrizePlan, Ranking, TieRule, suggest_plan
from scoring.rulesets import all_rulesets, ruleset
from scoring.settlement import RingGamePot
from tests.factories import START, make_member, make_registration
from tests.tournaments.setup.helpers import as_sent, make_complete
from tournaments.models import JournalEntry, Role, Tournament
from tournaments.queries.tournaments import bussgeld_tariff, prize_plans, rule_set
from tournaments.services.tournament_sections import Section, fingerprint

pytestmark = pytest.mark.django_db
Status = Tournament.Status


@dataclass
class Desk:
    """The Spielleitung in front of one section."""

    client: Client
    tournament: Tournament

    def url(self, section: Section) -> str:
        return reverse("setup:section", args=[self.tournament.slug, section.value])

    def form(self, section: Section, query: str = "") -> dict[str, str]:
        """Return what the page would send if nothing was changed."""
        page = self.client.get(self.url(section) + query)
        assert page.status_code == 200
        return as_sent(page)

    def send(self, section: Section, change: Mapping[str, str | None], query: str = "") -> Any:
        """Send the page's form with some fields changed, or left out where None."""
        data = {**self.form(section, query), **change}
        return self.client.post(
            self.url(section), {name: value for name, value in data.items() if value is not None}
        )

    def now(self) -> Tournament:
        return Tournament.objects.get(pk=self.tournament.pk)


@pytest.fixture
def make_desk(client: Client) -> Callable[..., Desk]:
    def make(**fields: Any) -> Desk:
        tournament = make_complete(**fields)
        client.force_login(make_member(tournament, Role.SPIELLEITUNG))
        return Desk(client, tournament)

    return make


@pytest.fixture
def desk(make_desk: Callable[..., Desk]) -> Desk:
    return make_desk()


@pytest.mark.parametrize("section", list(Section), ids=lambda section: section.value)
def test_sending_a_page_as_it_came_changes_nothing(
    make_desk: Callable[..., Desk], section: Section
):
    desk = make_desk(
        bussgeld=PerGame(cents=50, first_games=3, first_cents=20).to_dict(),
        prize_plan={"startgeld": suggest_plan(40).to_dict()},
        rules="hausregel",
        refund_until=START - timedelta(days=1),
    )
    before = Tournament.objects.filter(pk=desk.tournament.pk).values().get()

    answer = desk.send(section, {})

    assert answer.status_code == 302
    assert answer["Location"].endswith(f"#{section.value}")
    assert Tournament.objects.filter(pk=desk.tournament.pk).values().get() == before
    assert not JournalEntry.objects.exists()


def test_general_facts_are_stored(desk: Desk):
    desk.send(
        Section.GENERAL,
        {
            "name": "Herbst in Altenburg",
            "slug": "",
            "start_day": "2027-01-16",
            "start_time": "13:30",
            "venue": "Aula",
            "is_open": "False",
            "closed_circle": "Mitglieder",
        },
    )

    now = desk.now()
    assert now.slug == "herbst-in-altenburg"
    assert timezone.localtime(now.starts_at).isoformat() == "2027-01-16T13:30:00+01:00"
    assert now.starts_at - now.registration_deadline == timedelta(minutes=15)
    assert (now.venue, now.is_open, now.closed_circle) == ("Aula", False, "Mitglieder")


@pytest.mark.parametrize(
    ("change", "deadline"),
    [
        pytest.param({}, "2026-10-03T13:45:00+02:00", id="§ 1.3 unless changed"),
        ({"deadline_time": "12:00"}, "2026-10-03T12:00:00+02:00"),
        (
            {"deadline_day": "2026-10-01", "deadline_time": "20:00"},
            "2026-10-01T20:00:00+02:00",
        ),
    ],
)
def test_the_deadline_is_fifteen_minutes_before_unless_set(
    desk: Desk, change: dict[str, str], deadline: str
):
    desk.send(Section.GENERAL, change)

    stored = desk.now().registration_deadline
    assert timezone.localtime(stored).isoformat() == deadline


def test_a_deadline_that_was_set_stays_when_the_start_moves(make_desk: Callable[..., Desk]):
    desk = make_desk(registration_deadline=START - timedelta(days=1))

    desk.send(Section.GENERAL, {"start_time": "15:00"})

    assert desk.now().registration_deadline == START - timedelta(days=1)


@pytest.mark.parametrize(
    ("section", "change", "sentence"),
    [
        (Section.GENERAL, {"name": ""}, "zwingend"),
        (Section.GENERAL, {"slug": "neu"}, "braucht das Programm selbst"),
        (Section.GENERAL, {"slug": "Herbst 26"}, "gültiges Kürzel"),
        (
            Section.GENERAL,
            {"is_open": "False"},
            "für wen das geschlossene Turnier gedacht ist (§ 1.1)",
        ),
        (Section.GENERAL, {"deadline_time": "14:01"}, "Der Meldeschluss liegt nach dem Beginn"),
        (Section.GENERAL, {"deadline_day": "2026-10-01"}, "auch die Uhrzeit des Meldeschlusses"),
        (
            Section.GENERAL,
            {"start_day": "2026-10-25", "start_time": "02:30"},
            "wird um diese Zeit die Uhr umgestellt",
        ),
        (Section.BANK, {"account_holder": "SC"}, "fehlt die IBAN"),
        (Section.BANK, {"iban": "DE02 1203 0000 0000 2020 51"}, "wem das Konto gehört"),
        (
            Section.BANK,
            {"account_holder": "SC", "iban": "DE02 1203 0000 0000 2020 52"},
            "Diese IBAN gibt es nicht",
        ),
        (Section.BANK, {"bic": "BYLADEM"}, "8 oder 11"),
        (Section.PROCEDURE, {"protest_minutes": "1441"}, "kleiner oder gleich 1440"),
        (Section.STARTGELD, {"refund_day": "2026-10-01"}, "Bitte Tag und Uhrzeit angeben"),
        (Section.STARTGELD, {"gruppen-1-name": "Junioren"}, "zwingend"),
        (Section.STARTGELD, {"gruppen-0-startgeld_cents": "viel"}, "zum Beispiel 12,50"),
        (Section.STARTGELD, {"places": "2"}, "größer oder gleich 3"),
        (Section.RANKINGS, {"team": "on"}, "Für diese Wertung muss das angegeben sein"),
        (Section.RANKINGS, {"seniors": "on"}, "Für diese Wertung muss das angegeben sein"),
        (Section.SERIEN, {"number": "0"}, "größer oder gleich 1"),
        (Section.SERIEN, {"seating_1": "ranking"}, "gültige Auswahl"),
        (
            Section.PRIZES,
            {"preise-0-place": "1"},
            "Es fehlt ein Anteil, ein fester Betrag oder ein Sachpreis",
        ),
        (Section.PRIZES, {"preise-0-share_permille": "101"}, "0 bis 100 Prozent"),
        (
            Section.PRIZES,
            {"kept_cents": "10", "kept_permille": "10"},
            "entweder ein fester Betrag oder ein Anteil",
        ),
    ],
)
def test_what_is_wrong_is_said_at_its_field(
    desk: Desk, section: Section, change: dict[str, str], sentence: str
):
    answer = desk.send(section, change)

    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not JournalEntry.objects.exists()


def test_a_refused_name_does_not_stand_in_the_head_of_the_page(desk: Desk):
    answer = desk.send(Section.GENERAL, {"name": "Falsch", "start_day": "gestern"})

    assert answer.context["tournament"].name == desk.tournament.name


def test_the_address_of_an_announced_tournament_cannot_be_typed(
    make_desk: Callable[..., Desk],
):
    desk = make_desk(status=Status.ANNOUNCED, slug="herbst")

    desk.send(Section.GENERAL, {"slug": "winter", "venue": "Aula"})

    assert (desk.now().slug, desk.now().venue) == ("herbst", "Aula")


def test_a_refusal_of_the_service_is_shown_with_what_was_typed(make_desk: Callable[..., Desk]):
    desk = make_desk(status=Status.ANNOUNCED)

    answer = desk.send(Section.GENERAL, {"venue": "", "organiser": "RC Kahla"})

    assert answer.status_code == 409
    assert "Der Spielort fehlt." in answer.content.decode()
    assert 'value="RC Kahla"' in answer.content.decode()


def test_a_stale_form_shows_what_is_there_now_and_can_be_sent_again(desk: Desk):
    stale = desk.form(Section.GENERAL)
    desk.send(Section.GENERAL, {"venue": "Stadthalle"})

    answer = desk.client.post(desk.url(Section.GENERAL), {**stale, "venue": "Aula"})

    page = answer.content.decode()
    assert answer.status_code == 409
    assert "wurde inzwischen von jemand anderem geändert" in page
    assert "Stadthalle" in page
    assert 'value="Aula"' in page
    again = {**stale, "venue": "Aula", "fingerprint": answer.context["fingerprint"]}
    assert desk.client.post(desk.url(Section.GENERAL), again).status_code == 302
    assert desk.now().venue == "Aula"


def test_a_running_tournament_asks_for_a_reason(make_desk: Callable[..., Desk]):
    desk = make_desk(status=Status.RUNNING)

    without = desk.send(Section.TEXT, {"text": "Es gibt Suppe."})
    desk.send(Section.TEXT, {"text": "Es gibt Suppe.", "reason": "Küche"})

    assert without.status_code == 422
    assert desk.now().text == "Es gibt Suppe."
    assert JournalEntry.objects.get().reason == "Küche"


@pytest.mark.parametrize(
    ("status", "section", "sentence"),
    [
        (Status.RUNNING, Section.RULE_SET, "Sein Regelwerk steht fest"),
        (Status.CLOSED, Section.TEXT, "Das Turnier ist abgeschlossen"),
    ],
)
def test_what_stands_has_no_button_to_save_and_is_refused(
    make_desk: Callable[..., Desk], status: str, section: Section, sentence: str
):
    desk = make_desk(status=status)

    page = desk.client.get(desk.url(section)).content.decode()
    answer = desk.send(section, {"text": "Neu", "preset": "contract"})

    assert sentence in page
    assert "Speichern" not in page
    assert answer.status_code == 409
    assert sentence in answer.content.decode()


def test_the_rule_set_is_exchanged_for_another(desk: Desk):
    mark = fingerprint(desk.tournament, Section.RULE_SET)

    desk.client.post(desk.url(Section.RULE_SET), {"preset": "shanghai", "fingerprint": mark})

    assert rule_set(desk.now()) == ruleset("shanghai")


def test_what_a_rule_set_leaves_open_is_chosen(make_desk: Callable[..., Desk]):
    desk = make_desk(rules="hausregel")

    desk.send(Section.RULE_SET, {"games": "8", "finisher_may_hold": "7"})

    assert (rule_set(desk.now()).games, rule_set(desk.now()).finisher_may_hold) == (8, 7)
    again = desk.client.get(desk.url(Section.RULE_SET)).context["form"]
    assert again["finisher_may_hold"].value() == "7"


def test_serien_are_added_like_the_last_and_dropped_from_the_end(desk: Desk):
    desk.send(Section.SERIEN, {"seating_3": "ranking", "minutes_3": "90", "number": "4"})
    four = list(desk.tournament.serien.values_list("seating", "time_limit_minutes"))
    desk.send(Section.SERIEN, {"number": "2"})

    assert four == [("cards", None), ("cards", None), ("ranking", 90), ("ranking", 90)]
    assert desk.tournament.serien.count() == 2


def test_a_tariff_is_stored_and_rows_are_added_and_taken_out(desk: Desk):
    desk.send(
        Section.STARTGELD,
        {
            "gruppen-1-name": "Junioren",
            "gruppen-1-startgeld_cents": "8",
            "gruppen-1-born_from": "2008",
            "kartengeld_cents": "1,00 €",
            "kaution_cents": "5",
            "refund_day": "2026-10-01",
            "refund_time": "20:00",
            "places": "80",
        },
    )
    two = list(desk.tournament.categories.values_list("name", "startgeld_cents", "born_from"))
    desk.send(Section.STARTGELD, {"gruppen-0-DELETE": "on"})

    now = desk.now()
    assert two == [("Erwachsene", 1500, None), ("Junioren", 800, 2008)]
    assert [each.name for each in now.categories.all()] == ["Junioren"]
    assert (now.kartengeld_cents, now.kaution_cents, now.places) == (100, 500, 80)
    assert now.refund_until is not None
    assert timezone.localtime(now.refund_until).isoformat() == "2026-10-01T20:00:00+02:00"


def test_one_more_row_is_asked_for_without_losing_what_was_typed(desk: Desk):
    data = {**desk.form(Section.STARTGELD), "gruppen-1-name": "Junioren", "add_row": "1"}

    answer = desk.client.post(desk.url(Section.STARTGELD), data)

    page = answer.content.decode()
    assert answer.status_code == 200
    assert 'name="gruppen-2-name"' in page
    assert 'name="gruppen-3-name"' not in page
    assert 'value="Junioren"' in page
    assert desk.tournament.categories.count() == 1


@pytest.mark.parametrize(("total", "rows"), [("300", 300), ("9" * 30, 300), ("x", 2)])
def test_rows_cannot_be_added_without_end(desk: Desk, total: str, rows: int):
    data = {**desk.form(Section.PRIZES), "preise-TOTAL_FORMS": total, "add_row": "1"}

    answer = desk.client.post(desk.url(Section.PRIZES), data)

    assert answer.status_code == 200
    assert len(answer.context["form"].rows.forms) in {1, rows}


def test_a_tariff_that_was_paid_is_refused_with_a_sentence(make_desk: Callable[..., Desk]):
    desk = make_desk(status=Status.ANNOUNCED)
    make_registration(desk.tournament)

    answer = desk.send(
        Section.STARTGELD,
        {
            "gruppen-0-DELETE": "on",
            "gruppen-1-name": "Alle",
            "gruppen-1-startgeld_cents": "10",
        },
    )

    assert answer.status_code == 409
    assert "kann nicht wegfallen: 1 Person ist darin gemeldet" in answer.content.decode()


def test_rankings_are_switched_on_and_off(desk: Desk):
    desk.send(
        Section.RANKINGS,
        {
            "team": "on",
            "team_size": "4",
            "team_stake_cents": "2",
            "tandem": "on",
            "women": "on",
            "juniors": "on",
            "juniors_born_from": "2008",
        },
    )
    rows = list(desk.tournament.rankings.values_list("kind", "size", "born_from", "stake_cents"))
    desk.send(Section.RANKINGS, {"women": None})

    assert rows == [
        ("single", None, None, 0),
        ("team", 4, None, 200),
        ("tandem", 2, None, 0),
        ("women", None, None, 0),
        ("juniors", None, 2008, 0),
    ]
    assert not desk.tournament.rankings.filter(kind="women").exists()


@pytest.mark.parametrize(
    ("kind", "data", "tariff"),
    [
        ("none", {}, NoBussgeld()),
        (
            "per_list",
            {"cents": "1,50", "destination": "prizes"},
            PerList(cents=150, destination=Destination.PRIZES),
        ),
        (
            "per_game",
            {"cents": "0,50", "first_games": "3", "first_cents": "0,20"},
            PerGame(cents=50, first_games=3, first_cents=20),
        ),
        ("per_game", {"cents": "0,50"}, PerGame(cents=50)),
        (
            "per_place",
            {"place_1": "0", "place_2": "0,50", "place_3": "1"},
            PerPlace(cents=(0, 50, 100)),
        ),
        (
            "per_points",
            {"cents": "0,10", "points": "50", "counting": "started"},
            PerPoints(cents=10, points=50, counting=Counting.STARTED),
        ),
    ],
)
def test_every_kind_of_bussgeld_is_stored(desk: Desk, kind: str, data: dict[str, str], tariff: Any):
    answer = desk.send(Section.BUSSGELD, {"art": kind, **data}, f"?art={kind}")

    assert answer.status_code == 302
    assert bussgeld_tariff(desk.now()) == tariff
    shown = desk.form(Section.BUSSGELD)
    assert all(shown[name].replace(",00", "") == value for name, value in data.items())


@pytest.mark.parametrize(
    ("kind", "data", "sentence"),
    [
        ("per_game", {"cents": "1", "first_games": "3"}, "was die ersten Spiele kosten"),
        ("per_place", {"place_1": "1", "place_3": "2"}, "für nichts bitte 0"),
        ("per_place", {}, "zwingend"),
        ("per_points", {"cents": "1", "points": "0"}, "größer oder gleich 1"),
    ],
)
def test_an_impossible_bussgeld_is_refused(
    desk: Desk, kind: str, data: dict[str, str], sentence: str
):
    answer = desk.send(Section.BUSSGELD, {"art": kind, **data}, f"?art={kind}")

    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert bussgeld_tariff(desk.now()) == NoBussgeld()


def test_an_example_shows_what_a_tariff_costs_before_it_is_saved(desk: Desk):
    data = {
        **desk.form(Section.BUSSGELD, "?art=per_game"),
        "art": "per_game",
        "cents": "0,50",
        "preview": "1",
    }

    answer = desk.client.post(desk.url(Section.BUSSGELD), data)

    # Twelve games, of which 5, 3, 2 and 2 were finished: 7, 9, 10 and 10 times 50 cents.
    assert [row.cents for row in answer.context["example"]] == [350, 450, 500, 500]
    assert bussgeld_tariff(desk.now()) == NoBussgeld()


def test_an_unknown_kind_shows_the_one_that_holds(desk: Desk):
    page = desk.client.get(desk.url(Section.BUSSGELD) + "?art=per_joker")

    assert page.context["kind"] == "none"


def test_a_prize_plan_is_stored(desk: Desk):
    desk.send(
        Section.PRIZES,
        {
            "preise-TOTAL_FORMS": "3",
            "preise-0-place": "1",
            "preise-0-share_permille": "62,5",
            "preise-1-ranking": "overall",
            "preise-1-place": "2",
            "preise-1-fixed_cents": "20",
            "preise-1-goods": "Pokal",
            "preise-2-ranking": "serie-2",
            "preise-2-place": "1",
            "preise-2-fixed_cents": "10",
            "kept_permille": "10",
            "ties": "playoff",
            "whole_euros": "on",
        },
    )

    plan = prize_plans(desk.now())["startgeld"]
    assert (plan.kept_permille, plan.ties, plan.whole_euros) == (100, TieRule.PLAYOFF, True)
    assert [
        (str(line.ranking.category), line.place, line.share_permille, line.fixed_cents, line.goods)
        for line in plan.lines
    ] == [
        ("overall", 1, 625, 0, ""),
        ("overall", 2, 0, 2000, "Pokal"),
        ("serie", 1, 0, 1000, ""),
    ]
    assert plan.lines[2].ranking == Ranking(category=Category.SERIE, serie=2)


def test_a_place_that_stands_twice_is_named_in_its_row(desk: Desk):
    answer = desk.send(
        Section.PRIZES,
        {
            "preise-TOTAL_FORMS": "2",
            "preise-0-place": "1",
            "preise-0-fixed_cents": "10",
            "preise-1-ranking": "overall",
            "preise-1-place": "1",
            "preise-1-fixed_cents": "5",
        },
    )

    assert answer.status_code == 422
    rows = answer.context["form"].rows
    assert "Platz 1 (Gesamtwertung) steht schon im Preisplan." in rows[1].errors["place"]


def test_shares_above_the_whole_are_refused(desk: Desk):
    answer = desk.send(
        Section.PRIZES,
        {
            "preise-TOTAL_FORMS": "2",
            "preise-0-place": "1",
            "preise-0-share_permille": "60",
            "preise-1-ranking": "overall",
            "preise-1-place": "2",
            "preise-1-share_permille": "50",
        },
    )

    assert answer.status_code == 422
    assert "das sind 10\N{NO-BREAK SPACE}% zu viel" in answer.content.decode()


def test_a_suggestion_is_shown_with_what_it_pays_and_saved_only_on_purpose(desk: Desk):
    query = "?teilnehmende=60&vorschlag=1"

    page = desk.client.get(desk.url(Section.PRIZES) + query)
    stored = prize_plans(desk.now())
    desk.send(Section.PRIZES, {}, query)

    example = page.context["example"]
    assert stored == {}
    assert example.takings_cents == 60 * 1500
    assert len(example.amounts) == 13  # one prize for every 4.5 entries
    assert sum(amount.cents for amount in example.amounts) == 90_000
    assert prize_plans(desk.now())["startgeld"].lines == suggest_plan(60).lines


def test_without_a_wish_the_plan_is_computed_for_sixty(make_desk: Callable[..., Desk]):
    desk = make_desk(prize_plan={"startgeld": suggest_plan(40).to_dict()})

    page = desk.client.get(desk.url(Section.PRIZES) + "?teilnehmende=viele")

    assert page.context["entries"] == 60
    assert page.context["example"].amounts[0].cents == 27_900  # 31 % of 900 €


def test_a_plan_that_pays_more_than_comes_in_says_how_much_is_missing(desk: Desk):
    data = {
        **desk.form(Section.PRIZES, "?teilnehmende=10"),
        "teilnehmende": "10",
        "preise-0-place": "1",
        "preise-0-fixed_cents": "200",
        "preview": "1",
    }

    answer = desk.client.post(desk.url(Section.PRIZES), data)

    assert "Es fehlen 50,00" in answer.context["example"].refusal


def test_stakes_have_a_plan_of_their_own(make_desk: Callable[..., Desk]):
    desk = make_desk(prize_plan={"startgeld": suggest_plan(40).to_dict()})
    desk.tournament.rankings.create(kind="team", size=4, stake_cents=200)
    query = "?topf=team&teilnehmende=20&vorschlag=1"

    page = desk.client.get(desk.url(Section.PRIZES) + query)
    answer = desk.send(Section.PRIZES, {"topf": "team"}, query)

    assert answer.status_code == 302
    assert page.context["example"].takings_cents == 4000
    plans = prize_plans(desk.now())
    assert set(plans) == {"startgeld", "team"}
    assert {line.ranking.category for line in plans["team"].lines} == {Category.TEAM}


def test_taking_out_every_prize_takes_out_the_plan(make_desk: Callable[..., Desk]):
    plan = PrizePlan.from_dict({"lines": [{"place": 1, "share_permille": 1000}]})
    desk = make_desk(prize_plan={"startgeld": plan.to_dict()})

    desk.send(Section.PRIZES, {"preise-0-DELETE": "on"})

    assert prize_plans(desk.now()) == {}


def test_an_account_is_kept_as_banks_write_it(desk: Desk):
    desk.send(
        Section.BANK,
        {
            "account_holder": "SC Altenburg",
            "iban": "de02 1203 0000 0000 2020 51",
            "bic": "byla dem1 001",
        },
    )

    now = desk.now()
    assert (now.iban, now.bic) == ("DE02120300000000202051", "BYLADEM1001")


class TestCustomRuleSet:
    """Numbers of one's own, under a name of one's own."""

    @staticmethod
    def send(desk: Desk, **change: str | None) -> Any:
        url = reverse("setup:custom_rules", args=[desk.tournament.slug])
        data = {**as_sent(desk.client.get(url)), "name": "Unsere Regeln", **change}
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

        rules = rule_set(desk.now())
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

    def test_table_sizes_are_allowed_with_the_preferred_one_first(self, desk: Desk):
        self.send(desk, preferred="5", allowed_3=None, allowed_6="on", bonus_5="20", decks_6="3")

        rules = rule_set(desk.now())
        assert rules.table_sizes == (5, 4, 6)
        assert (rules.packs[6].decks, rules.bonus_per_game[5]) == (3, 20)

    def test_without_handromme_there_is_none(self, desk: Desk):
        self.send(desk, handromme_known=None, ends_without_finisher="on")

        rules = rule_set(desk.now())
        assert rules.handromme is None
        assert rules.ends_without_finisher

    @pytest.mark.parametrize("base", all_rulesets(), ids=lambda rules: rules.id)
    def test_every_rule_set_can_be_the_starting_point(
        self, make_desk: Callable[..., Desk], base: Any
    ):
        desk = make_desk(rules=base.id)

        answer = self.send(desk, card_Joker="30")

        rules = rule_set(desk.now())
        assert answer.status_code == 302
        assert rules.card_values[Rank.JOKER] == 30
        assert (rules.rounds, rules.packs, rules.settlement, rules.options, rules.table_sizes) == (
            base.rounds,
            base.packs,
            base.settlement,
            base.options,
            base.table_sizes,
        )

    def test_what_is_paid_at_the_table_can_be_changed(self, make_desk: Callable[..., Desk]):
        desk = make_desk(rules="traditionell")

        self.send(desk, stake_cents="2,50")

        assert rule_set(desk.now()).settlement == RingGamePot(stake_cents=250)

    def test_games_with_contracts_cannot_be_added(self, make_desk: Callable[..., Desk]):
        desk = make_desk(rules="contract")

        self.send(desk, games="9")

        assert rule_set(desk.now()).games == 7

    def test_a_changed_rule_set_can_be_changed_again(self, desk: Desk):
        self.send(desk, games="16")
        page = desk.client.get(reverse("setup:custom_rules", args=[desk.tournament.slug]))
        self.send(desk, games="18")

        assert page.context["form"]["name"].value() == "Unsere Regeln"
        assert rule_set(desk.now()).games == 18
        assert rule_set(desk.now()).source == "angepasst nach: Romméordnung"

    @pytest.mark.parametrize(
        ("change", "field", "sentence"),
        [
            ({"name": "Romméordnung"}, "name", "heißt schon ein Regelwerk des Programms"),
            ({"name": "Hausregel!"}, "name", "heißt schon ein Regelwerk des Programms"),
            ({"name": "!!"}, "name", "mindestens einen Buchstaben"),
            ({"penalties": "hundert"}, "penalties", "nur ganze Zahlen"),
            ({"penalties": "0"}, "penalties", "1 bis 10000"),
            ({"games": "61"}, "games", "kleiner oder gleich 60"),
            ({"cards_dealt": "40"}, "cards_dealt", "1 bis 30"),
            ({"cards_dealt": "30"}, "cards_dealt", "das Paket hat 110"),
            ({"handromme_factor": "11"}, "handromme_factor", "1 bis 10"),
            ({"jokers_4": "25"}, "jokers_4", "0 bis 24"),
            ({"decks_3": "0"}, "decks_3", "1 bis 4"),
            ({"bonus_4": "1001"}, "bonus_4", "0 bis 1000"),
            ({"card_A": "0"}, "card_A", "größer oder gleich 1"),
        ],
    )
    def test_an_impossible_number_is_named_at_its_field(
        self, desk: Desk, change: dict[str, str], field: str, sentence: str
    ):
        answer = self.send(desk, **change)

        assert answer.status_code == 422
        assert sentence in " ".join(answer.context["form"].errors[field])
        assert rule_set(desk.now()) == ruleset("rommeordnung")
