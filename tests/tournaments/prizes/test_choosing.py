"""Things chosen in order of rank: the calls, the remaining things, undoing, on every page."""

from __future__ import annotations

import json
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from scoring.errors import ScoringError
from scoring.payments.choosing import AbsentChooser, ThingsToChoose
from scoring.payments.prizes import PrizePlan, RankingCategory
from scoring.payments.prizes import PrizeRanking as Key
from tests.clients import at, logged_in
from tests.factories import COMMAND, make_member, make_tournament
from tests.factories_lists import list_of
from tests.factories_results import make_team
from tests.tournaments.printing.helpers import written
from tests.tournaments.prizes.helpers import line, played, set_plan
from tournaments.announcement.queries.prize_lines import plans_in_money, prize_lines
from tournaments.archive.importing import import_archive
from tournaments.archive.writing import archive_text
from tournaments.closing.queries.standings import snapshot
from tournaments.common.errors import Conflict, TournamentError, WrongStatus
from tournaments.common.names import initials
from tournaments.journal import proof
from tournaments.models import Penalty, Person, Ranking, Registration, Role, Spielliste, Tournament
from tournaments.prizes.queries.choosing import ChoosingState
from tournaments.prizes.queries.prizes import PrizeSheet
from tournaments.prizes.services import choosing as acts
from tournaments.prizes.services import prizes

pytestmark = [pytest.mark.django_db, pytest.mark.once]

THINGS = ("Schinken", "Sekt", "Sekt")


def hall(gone: AbsentChooser = AbsentChooser.LATER, **choosing) -> Tournament:
    """Return eight people with ranks 1 to 8, and three things by default."""
    tournament = played(60, 65, 70, 75, second=(80, 85, 90, 110))
    plan = ThingsToChoose(**{"things": THINGS, "gone": gone} | choosing)
    set_plan(tournament, startgeld=PrizePlan(lines=(), choosing=plan))
    return tournament


def state(tournament: Tournament) -> ChoosingState:
    choosing = PrizeSheet(tournament).choosing
    assert choosing is not None
    return choosing


def now(tournament: Tournament) -> int | None:
    chooser = state(tournament).now
    return chooser.registration.number if chooser and chooser.registration else None


def key(tournament: Tournament, number: int) -> str:
    return f"r{tournament.registrations.get(number=number).pk}"


def choose(tournament: Tournament, number: int, thing: int = 0) -> None:
    acts.choose(COMMAND, tournament.pk, recipient=key(tournament, number), thing=thing)


def pass_over(tournament: Tournament, number: int) -> None:
    acts.pass_over(COMMAND, tournament.pk, recipient=key(tournament, number))


def test_players_choose_in_order_of_rank_until_nothing_is_left():
    tournament = hall()
    called = []
    for thing in (2, 1, 3):
        called.append(now(tournament))
        choose(tournament, called[-1], thing)

    assert called == [1, 2, 3]
    assert now(tournament) is None
    sheet = PrizeSheet(tournament)
    assert [(row.registration.number, row.description, row.is_done) for row in sheet.rows] == [
        (1, "1. Platz Gesamtwertung: Sekt", True),
        (2, "2. Platz Gesamtwertung: Schinken", True),
        (3, "3. Platz Gesamtwertung: Sekt", True),
    ]
    assert (sheet.due_cents, sheet.open_cents) == (0, 0)


def test_equal_things_are_counted_separately():
    tournament = hall()
    choose(tournament, 1, 3)

    # The two bottles are equal: one of them is left.
    assert [(thing.number, thing.is_left) for thing in state(tournament).things] == [
        (1, True),
        (2, False),
        (3, True),
    ]


@pytest.mark.parametrize(
    ("gone", "expected"),
    [
        pytest.param(AbsentChooser.LATER, [1, 3, 2], id="called again at the end"),
        pytest.param(AbsentChooser.PASSED, [1, 3, 4], id="gets nothing, the next one chooses"),
    ],
)
def test_absent_choosers_are_called_later_or_passed_over(gone: AbsentChooser, expected: list[int]):
    tournament = hall(gone)
    choose(tournament, 1, 1)
    pass_over(tournament, 2)
    called = [1]
    for thing in (2, 3):
        called.append(now(tournament))
        choose(tournament, called[-1], thing)

    assert called == expected
    assert now(tournament) is None


def test_the_end_of_choosing_does_not_claim_choices_of_absentees():
    tournament = hall(AbsentChooser.PASSED, things=("Sekt",) * 8)
    for number in range(1, 9):
        pass_over(tournament, number)

    page = logged_in(make_member(tournament, Role.KASSE)).read(at("prizes:choosing", tournament))

    assert "Niemand ist mehr aufgerufen zu wählen." in page
    assert "haben gewählt" not in page


def test_undoing_a_pass_calls_the_player_again():
    tournament = hall(AbsentChooser.PASSED)
    pass_over(tournament, 1)
    with pytest.raises(Conflict, match="übergangen"):
        choose(tournament, 1, 1)

    acts.call_again(COMMAND, tournament.pk, recipient=key(tournament, 1))

    assert now(tournament) == 1


def test_things_for_all_are_chosen_without_a_list():
    tournament = hall(things=(), for_all=True)
    for number in range(1, 9):
        assert now(tournament) == number
        choose(tournament, number)

    assert {row.goods for row in PrizeSheet(tournament).rows} == {"selbst gewählt"}


def test_stored_choices_use_the_language_of_the_papers():
    tournament = hall(things=(), for_all=True)
    Tournament.objects.filter(pk=tournament.pk).update(language="de")

    with translation.override("en"):
        choose(tournament, 1)

    assert tournament.prize_payouts.get().goods == "selbst gewählt"


def test_things_for_all_name_the_remaining_listed_ones():
    tournament = hall(things=("Schinken",), for_all=True)
    with pytest.raises(TournamentError, match="Nummer der Sache"):
        choose(tournament, 1)
    choose(tournament, 1, 1)

    choose(tournament, 2)

    assert [row.goods for row in PrizeSheet(tournament).rows] == ["Schinken", "selbst gewählt"]


@pytest.mark.parametrize(
    ("who", "thing", "refusal"),
    [
        pytest.param(1, 2, "hat schon gewählt: Schinken", id="twice"),
        pytest.param(2, 1, "„Schinken“ ist schon weg", id="gone"),
        pytest.param(2, 9, "Nummer 9 gibt es nicht", id="no such thing"),
        pytest.param(2, 0, "Bitte die Nummer", id="nothing"),
        pytest.param(8, 2, "nicht zum Wählen aufgerufen", id="too far behind"),
    ],
)
def test_an_impossible_choice_is_refused(who: int, thing: int, refusal: str):
    tournament = hall()
    choose(tournament, 1, 1)

    with pytest.raises(TournamentError, match=refusal):
        choose(tournament, who, thing)

    assert tournament.prize_payouts.count() == 1


def test_choosing_needs_a_settled_ranking():
    tournament = hall()
    Spielliste.objects.filter(pk=list_of(tournament.serien.get()).pk).update(
        status=Spielliste.Status.HANDED_IN, verified_at=None, verified_by=None
    )

    with pytest.raises(WrongStatus, match="sobald alle Listen"):
        choose(tournament, 1, 1)


def test_an_undone_choice_calls_the_player_again():
    tournament = hall()
    choose(tournament, 1, 1)

    prizes.take_back(
        COMMAND, tournament.pk, recipient=key(tournament, 1), pot="auswahl", ranking="einzel"
    )

    assert now(tournament) == 1
    assert PrizeSheet(tournament).rows == []
    choose(tournament, 1, 2)
    assert [row.goods for row in PrizeSheet(tournament).rows] == ["Sekt"]


def test_choices_stay_after_a_correction_of_the_ranking():
    tournament = hall()
    choose(tournament, 1, 1)
    tournament.registrations.filter(number=1).update(status=Registration.Status.EXCLUDED)

    [row] = PrizeSheet(tournament).rows

    assert (now(tournament), row.goods_are_wrong) == (2, True)  # the excluded player has it


def test_a_prize_handed_to_an_excluded_person_cannot_be_chosen():
    tournament = hall(things=("Schinken", "Sekt"))
    choose(tournament, 1, 1)
    tournament.registrations.filter(number=1).update(status=Registration.Status.EXCLUDED)

    assert [thing.name for thing in state(tournament).left] == ["Sekt"]
    with pytest.raises(Conflict, match="schon weg"):
        choose(tournament, 2, 1)
    with pytest.raises(Conflict, match="nicht zum Wählen aufgerufen"):
        choose(tournament, 3, 2)
    prizes.take_back(
        COMMAND, tournament.pk, recipient=key(tournament, 1), pot="auswahl", ranking="einzel"
    )

    choose(tournament, 2, 1)
    assert now(tournament) == 3


@pytest.mark.parametrize(
    ("things", "expected"),
    [
        pytest.param(("Sekt",), [2], id="what was chosen is on the list no more"),
        pytest.param(("Schinken", "Sekt", "Korb"), [2, 3], id="the list is longer"),
        pytest.param(("Schinken",), [], id="all that is on the list is chosen"),
    ],
)
def test_a_changed_plan_permits_choosers_for_the_remaining_things(things, expected):
    tournament = hall(things=("Schinken", "Sekt"))
    choose(tournament, 1, 1)
    set_plan(tournament, startgeld=PrizePlan(lines=(), choosing=ThingsToChoose(things=things)))

    assert [each.registration.number for each in state(tournament).waiting_choosers] == expected


def test_choosers_never_exceed_the_remaining_things():
    tournament = hall(things=("Schinken", "Sekt"))
    choose(tournament, 1, 1)
    # By a correction Nr. 1 comes to 60 + 100 and is the last of the eight.
    spielliste = list_of(tournament.serien.get())
    seat = tournament.registrations.get(number=1)
    Penalty.objects.create(
        spielliste=spielliste,
        registration=seat,
        points=100,
        reason="§ 8.3",
        status=Penalty.Status.GIVEN,
        decided_at=timezone.now(),
    )

    called = [each.registration.number for each in state(tournament).waiting_choosers]

    assert called == [2]
    assert [each.registration.number for each in state(tournament).choosers] == [2, 1]


def test_equals_are_called_by_number_but_may_choose_in_any_order():
    tournament = played(100, 100, 120, 130)
    plan = PrizePlan(lines=(), choosing=ThingsToChoose(things=THINGS))
    set_plan(tournament, startgeld=plan)
    assert [each.shares_rank for each in state(tournament).choosers] == [True, True, False]

    choose(tournament, 2, 1)

    assert now(tournament) == 1


def test_a_tie_for_the_last_thing_may_be_decided_by_lot():
    tournament = played(100, 110, 110, 130)
    plan = PrizePlan(lines=(), choosing=ThingsToChoose(things=("Schinken", "Sekt")))
    set_plan(tournament, startgeld=plan)
    assert [each.registration.number for each in state(tournament).choosers] == [1, 2, 3]

    choose(tournament, 1, 1)
    choose(tournament, 3, 2)

    assert now(tournament) is None
    with pytest.raises(Conflict, match="nicht zum Wählen aufgerufen"):
        choose(tournament, 2, 2)


def test_last_players_and_teams_can_choose():
    last = hall(ranking=Key(category=RankingCategory.OVERALL, from_last=True), things=("Laterne",))
    assert now(last) == 8
    choose(last, 8, 1)
    # 8 is last of eight, also in the list of all prizes.
    [row] = PrizeSheet(last).rows
    assert (row.rank, row.description) == (8, "Letzter Platz Gesamtwertung: Laterne")
    teams = hall(ranking=Key(category=RankingCategory.TANDEM), things=("Torte",))
    tandem = Ranking.objects.create(tournament=teams, kind=Ranking.Kind.TANDEM, size=2)
    registrations = list(teams.registrations.order_by("number"))
    team = make_team(tandem, "Asse", registrations[:2])
    make_team(tandem, "Buben", registrations[2:4])

    chooser = state(teams).now
    assert chooser is not None
    assert chooser.called() == "Asse"
    acts.choose(COMMAND, teams.pk, recipient=f"t{team.pk}", thing=1)
    assert [row.recipient_name for row in PrizeSheet(teams).rows] == ["Asse"]


def test_the_screen_hides_team_names_without_consent(client):
    tournament = hall(ranking=Key(category=RankingCategory.TANDEM), things=("Torte",))
    tandem = Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.TANDEM, size=2)
    registrations = list(tournament.registrations.order_by("number"))
    person = registrations[0].person
    Person.objects.filter(pk=person.pk).update(hall_objection=True)
    make_team(tandem, f"{person.full_name} und Freund", registrations[:2])
    make_team(tandem, "Buben", registrations[2:4])

    shown = client.get(f"/t/{tournament.slug}/leinwand/?zeigt=choosing").content.decode()

    assert f"1. Platz<br>{initials(person.first_name, person.last_name)} (Nr. 1) / " in shown
    assert person.last_name not in shown


def test_a_plan_without_anything_to_choose_is_refused():
    with pytest.raises(ScoringError):
        ThingsToChoose()


@pytest.mark.parametrize(
    ("choosing", "expected"),
    [
        pytest.param(
            ThingsToChoose(things=("Schinken", "Sekt", "Sekt")),
            "Die ersten 3 wählen je eine Sache, in der Reihenfolge der Plätze (Gesamtwertung). Es"
            " gibt: Schinken, 2\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}Sekt. Wer beim Aufruf nicht"
            " da ist, wird nach allen anderen noch einmal aufgerufen.",
            id="things",
        ),
        pytest.param(
            ThingsToChoose(for_all=True, gone=AbsentChooser.PASSED),
            "Alle wählen eine Sache, in der Reihenfolge der Plätze (Gesamtwertung). Wer beim Aufruf"
            " nicht da ist, geht leer aus.",
            id="for all",
        ),
        pytest.param(
            ThingsToChoose(
                ranking=Key(category=RankingCategory.WOMEN, from_last=True),
                things=("Sekt", "Schinken"),
            ),
            "Die letzten 2 wählen je eine Sache, vom letzten Platz an (Damen). Es gibt: Sekt,"
            " Schinken. Wer beim Aufruf nicht da ist, wird nach allen anderen noch einmal"
            " aufgerufen.",
            id="from the last",
        ),
    ],
)
def test_the_announcement_describes_it_in_words(choosing: ThingsToChoose, expected: str):
    tournament = make_tournament()
    set_plan(tournament, startgeld=PrizePlan(lines=(), choosing=choosing))

    [planned] = plans_in_money(tournament)

    assert dict(prize_lines(planned)) == {"Zum Wählen": expected}


def test_closing_archive_and_journal_contain_the_choices():
    tournament = hall()
    proof.baseline_proof(tournament)
    choose(tournament, 1, 1)
    pass_over(tournament, 2)
    assert list(proof.of_tournament(tournament)) == []
    [prize] = snapshot(tournament)["prizes"]
    assert (prize["number"], prize["goods"]) == (1, "Schinken")

    written_text = archive_text(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(slug="vorher")
    imported = import_archive(written_text.encode(), actor=COMMAND)

    assert json.loads(archive_text(imported)) == json.loads(written_text)
    assert now(imported) == 3
    imported.prize_payouts.filter(goods="Schinken").update(goods="Sekt")
    assert len(list(proof.of_tournament(imported))) == 1


def test_page_screen_and_paper_show_the_current_chooser(client):
    tournament = hall()
    staff = logged_in(make_member(tournament, Role.KASSE))
    choose(tournament, 1, 1)
    pass_over(tournament, 2)
    second = tournament.registrations.get(number=3).person
    wall = f"/t/{tournament.slug}/leinwand/?zeigt=choosing"

    page = staff.read(at("prizes:choosing", tournament.slug))
    shown = client.get(wall).content.decode()
    paper = " ".join(piece.html for piece in written(tournament, "wahlliste").prepared.pieces)

    assert f"3. Platz · Nr. 3 · {second.full_name}" in page
    assert "1. Platz Gesamtwertung: Schinken" in staff.read(at("prizes:prizes", tournament.slug))
    assert f"3. Platz<br>Nr. 3 · {second.list_name}" in shown
    assert "2. Platz · Nr. 2" in shown  # is called again at the end
    assert re.search(r"Nr\. 1 · [^<]+</th>\s*<td>\s*Schinken", paper)
    assert "übergangen" in paper


def test_the_forms_work_without_javascript():
    tournament = hall()
    staff = logged_in(make_member(tournament, Role.KASSE))
    page = at("prizes:choosing", tournament.slug)

    first, second = ({"recipient": key(tournament, number)} for number in (1, 2))
    staff.post(at("prizes:choose", tournament.slug), {**first, "thing": "1"})
    staff.post(at("prizes:pass_over", tournament.slug), second)
    assert now(tournament) == 3
    staff.post(at("prizes:undo_choice", tournament.slug), {**second, "passed": "1"})
    assert now(tournament) == 2
    staff.post(at("prizes:undo_choice", tournament.slug), {**first, "ranking": "einzel"})
    assert now(tournament) == 1
    assert 'id="now-title">2. Platz' in staff.read(f"{page}?wer={key(tournament, 2)}")


def test_choosing_needs_a_constant_number_of_queries(django_assert_num_queries):
    tournament = hall()
    with CaptureQueriesContext(connection) as before:
        assert PrizeSheet(tournament).rows == []
    for number in (1, 2, 3):
        choose(tournament, number, number)

    fresh = Tournament.objects.get(pk=tournament.pk)
    with django_assert_num_queries(len(before)):
        assert len(PrizeSheet(fresh).rows) == 3


def test_choosing_is_hidden_without_things_to_choose(client):
    tournament = played(lines=(line(1, share_permille=1000),))
    staff = logged_in(make_member(tournament, Role.SPIELLEITUNG))

    assert "wählen" not in staff.read(at("prizes:prizes", tournament.slug))
    assert staff.get(at("prizes:choosing", tournament.slug)).status_code == 404
    assert "Sachpreis wählt" not in staff.read(at("screen:control", tournament.slug))
    assert client.get(f"/t/{tournament.slug}/leinwand/?zeigt=choosing").status_code == 200
