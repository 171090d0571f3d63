"""Members of the rankings of women, juniors, seniors and mixed tandems, and open questions."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.clients import Client, at
from tests.factories import (
    COMMAND,
    acting,
    make_member,
    make_person,
    make_registration,
    make_tournament,
)
from tests.factories_results import make_team
from tests.tournaments.desk.online.helpers import text_of
from tests.worlds import world
from tournaments.common.errors import NotAllowed, TournamentError
from tournaments.desk.queries.ranking_members import MembershipDoubt, questions
from tournaments.desk.services import ranking_members
from tournaments.desk.services.changes import substitute
from tournaments.desk.services.registrations import Payment, register
from tournaments.desk.services.tariff_changes import change_tariff
from tournaments.desk.services.teams import create_team
from tournaments.journal import proof
from tournaments.models import (
    JournalEntry,
    PrizePayout,
    Ranking,
    RankingChoice,
    Receipt,
    Registration,
    Role,
    Tournament,
)
from tournaments.people.services.anonymise import anonymise_person
from tournaments.people.services.merge import merge_persons
from tournaments.people.services.people import update_person

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Kind = Ranking.Kind


@world
def tournament() -> Tournament:
    """Women and juniors (2008 and younger) without a stake, seniors (until 1960) for 3 €.

    The Startgeld is 8 € for juniors and 15 € for all.
    """
    tournament = make_tournament(starts_at=timezone.now() + timedelta(days=1))
    tournament.rankings.create(kind=Kind.WOMEN)
    tournament.rankings.create(kind=Kind.JUNIORS, born_from=2008)
    tournament.rankings.create(kind=Kind.SENIORS, born_until=1960, stake_cents=300)
    tournament.categories.create(name="Jugend", startgeld_cents=800, born_from=2008)
    proof.baseline_proof(tournament)
    return tournament


def enter(tournament: Tournament, gender: str, year: int | None, **more: Any) -> Registration:
    person = make_person(gender=gender, birth_year=year)
    return register(COMMAND, tournament.pk, person_id=person.pk, **more)


def kinds(registration: Registration) -> set[str]:
    return set(registration.rankings.values_list("kind", flat=True))


def asked(tournament: Tournament) -> list[tuple[str, str, list[int | None]]]:
    """Return the questions: reason, ranking and start numbers."""
    return [
        (
            question.doubt.value,
            question.ranking.kind if question.ranking else "",
            [r.number for r in question.registrations],
        )
        for question in questions(tournament)
    ]


def ranking(tournament: Tournament, kind: str) -> Ranking:
    return tournament.rankings.get(kind=kind)


# --- Members --------------------------------------------------------------------------------


def test_eligible_people_join_rankings_without_a_stake(tournament: Tournament):
    girl = enter(tournament, "f", 2009)
    woman = enter(tournament, "f", 1958)
    man = enter(tournament, "m", 1958)

    assert kinds(girl) == {"women", "juniors"}
    assert girl.category.name == "Jugend"  # by the same years as the ranking
    assert (kinds(woman), kinds(man)) == (
        {"women"},
        set(),
    )  # seniors need a stake, so none has joined
    assert asked(tournament) == []


def test_opting_out_of_a_ranking_is_final(tournament: Tournament):
    woman = enter(tournament, "f", 1980, declined=[ranking(tournament, "women")])

    assert kinds(woman) == set()
    assert asked(tournament) == []
    update_person(person_id=woman.person_id, actor=COMMAND, fields={"birth_year": 1981})
    assert kinds(woman) == set()


def test_unticking_a_ranking_at_the_desk_holds_until_ticked_again(tournament: Tournament):
    woman = enter(tournament, "f", 1980)

    change_tariff(COMMAND, woman.pk, category=woman.category, rankings=[])
    out = kinds(woman), asked(tournament)
    change_tariff(
        COMMAND, woman.pk, category=woman.category, rankings=[ranking(tournament, "women")]
    )

    assert out == (set(), [])
    assert kinds(woman) == {"women"}
    assert not RankingChoice.objects.exists()


# --- Ineligible people ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "gender", "year"),
    [
        pytest.param("women", "m", 1950, id="a man of 1950 in Damen"),
        pytest.param("juniors", "m", 1950, id="a man of 1950 in Junioren"),
        pytest.param("seniors", "f", 1961, id="a year too young for Senioren"),
    ],
)
def test_ineligible_people_are_refused_at_the_desk(
    kind: str, gender: str, year: int, tournament: Tournament
):
    registration = enter(tournament, gender, year)
    before = kinds(registration)

    with pytest.raises(TournamentError, match="passt nach Jahrgang oder Geschlecht nicht in"):
        change_tariff(
            COMMAND,
            registration.pk,
            category=registration.category,
            rankings=[*registration.rankings.all(), ranking(tournament, kind)],
        )
    with pytest.raises(TournamentError, match="nimmt nur die Spielleitung mit einem Grund auf"):
        ranking_members.set_in_ranking(
            COMMAND, registration.pk, ranking_id=ranking(tournament, kind).pk, takes_part=True
        )

    assert kinds(registration) == before


def test_the_spielleitung_includes_ineligible_people_with_a_reason(tournament: Tournament):
    man = enter(tournament, "m", 1962)
    seniors = ranking(tournament, "seniors")
    act = ranking_members.take_into_ranking

    with pytest.raises(TournamentError, match="nur mit einem Grund"):
        act(COMMAND, man.pk, ranking_id=seniors.pk, reason=" ")
    with pytest.raises(NotAllowed):
        act(acting(tournament, Role.KASSE), man.pk, ranking_id=seniors.pk, reason="Wunsch")
    act(COMMAND, man.pk, ranking_id=seniors.pk, reason="nur zwei Jahre zu jung")

    man.refresh_from_db()
    assert kinds(man) == {"seniors"}
    assert man.due_cents == 1800  # 15 € and the stake
    assert asked(tournament) == []
    entry = JournalEntry.objects.get(action="ranking_member_excepted")
    assert (entry.reason, entry.after["ranking"]) == ("nur zwei Jahre zu jung", seniors.pk)
    assert list(proof.of_tournament(tournament)) == []


def test_ineligible_members_are_named_until_settled(tournament: Tournament):
    man = enter(tournament, "m", 1950)
    man.rankings.add(ranking(tournament, "women"))

    [question] = questions(tournament)
    ranking_members.set_in_ranking(
        COMMAND, man.pk, ranking_id=ranking(tournament, "women").pk, takes_part=False
    )

    assert question.sentence == "In „Damen“ passt nicht: Nr. 1."
    assert asked(tournament) == []


# --- Missing data ---------------------------------------------------------------------------


def test_missing_data_cause_a_question_not_a_refusal(tournament: Tournament):
    somebody = enter(tournament, "", 1980)

    [question] = questions(tournament)

    assert question.sentence == "Geschlecht fehlt. Gehört in „Damen“: Nr. 1."
    assert kinds(somebody) == set()


@pytest.mark.parametrize("answer", [True, False], ids=["yes", "no"])
def test_a_question_about_missing_data_is_answered_once(answer: bool, tournament: Tournament):
    somebody = enter(tournament, "", 1980)

    ranking_members.set_in_ranking(
        COMMAND, somebody.pk, ranking_id=ranking(tournament, "women").pk, takes_part=answer
    )

    assert kinds(somebody) == ({"women"} if answer else set())
    assert asked(tournament) == []


def test_new_data_end_an_earlier_answer(tournament: Tournament):
    somebody = enter(tournament, "", 1980, rankings=[ranking(tournament, "women")])
    assert kinds(somebody) == {"women"}

    update_person(person_id=somebody.person_id, actor=COMMAND, fields={"gender": "m"})

    assert kinds(somebody) == set()
    assert asked(tournament) == []


# --- Asked again ----------------------------------------------------------------------------


def test_new_data_change_rankings_and_are_journalled(tournament: Tournament):
    somebody = enter(tournament, "", None)

    update_person(
        person_id=somebody.person_id, actor=COMMAND, fields={"gender": "f", "birth_year": 2010}
    )
    girl = kinds(somebody)
    update_person(person_id=somebody.person_id, actor=COMMAND, fields={"birth_year": 2001})

    assert girl == {"women", "juniors"}
    assert kinds(somebody) == {"women"}
    assert JournalEntry.objects.filter(action="ranking_members_changed").count() == 2
    assert list(proof.of_tournament(tournament)) == []


def test_new_data_of_a_member_with_a_paid_stake_cause_a_question(tournament: Tournament):
    seniors = ranking(tournament, "seniors")
    man = enter(tournament, "m", 1955, rankings=[seniors])

    update_person(person_id=man.person_id, actor=COMMAND, fields={"birth_year": 1965})

    assert kinds(man) == {"seniors"}
    assert asked(tournament) == [("misfit", "seniors", [1])]


def test_the_closed_tournament_keeps_its_members(tournament: Tournament):
    woman = enter(tournament, "f", 1980)
    Tournament.objects.update(status=Tournament.Status.CLOSED)

    update_person(person_id=woman.person_id, actor=COMMAND, fields={"gender": "m"})

    assert kinds(woman) == {"women"}


def test_a_merge_asks_with_the_remaining_data(tournament: Tournament):
    doubled = enter(tournament, "", 1980)
    known = make_person(gender="f", birth_year=1980)

    merge_persons(keep_id=known.pk, drop_id=doubled.person_id, taken=[], actor=COMMAND)

    assert kinds(doubled) == {"women"}


def test_a_paid_prize_ends_the_questions(tournament: Tournament):
    women = ranking(tournament, "women")
    man = enter(tournament, "m", 1950)
    man.rankings.add(women)
    receipt = Receipt.objects.create(tournament=tournament, number=1, method="cash")
    PrizePayout.objects.create(
        tournament=tournament,
        pot="startgeld",
        ranking="damen",
        registration=man,
        label="x",
        amount_cents=500,
        receipt=receipt,
    )

    assert asked(tournament) == []


# --- A substitute ---------------------------------------------------------------------------


def swap(registration: Registration, gender: str, year: int | None) -> Registration:
    joined = make_person(gender=gender, birth_year=year)
    substitute(COMMAND, registration.pk, person_id=joined.pk, reason="krank")
    return Registration.objects.get(pk=registration.pk)


def test_a_man_replacing_a_girl_loses_her_rankings_and_startgeld(
    tournament: Tournament,
):
    girl = enter(tournament, "f", 2009, payment=Payment())

    man = swap(girl, "m", 1948)

    assert kinds(man) == set()
    assert (man.category.name, man.due_cents) == ("Erwachsene", 1500)
    assert man.status == Registration.Status.REGISTERED  # 7 € are open
    assert asked(tournament) == []
    assert list(proof.of_tournament(tournament)) == []


def test_a_substitute_leaves_unsuitable_rankings_with_a_stake(tournament: Tournament):
    seniors = ranking(tournament, "seniors")
    man = enter(tournament, "m", 1955, rankings=[seniors], payment=Payment())

    younger = swap(man, "m", 1980)
    older = swap(younger, "m", 1950)

    assert younger.due_cents == 1500  # of 18 € that were paid; 3 € are a credit
    assert kinds(younger) == set()
    assert kinds(older) == set()  # no one joins for another


def test_decisions_on_a_replaced_player_do_not_apply_to_the_substitute(tournament: Tournament):
    woman = enter(tournament, "f", 1980, declined=[ranking(tournament, "women")])

    of_other = kinds(swap(woman, "f", 1990))
    of_unknown = kinds(swap(woman, "", 1990))

    assert (of_other, of_unknown) == ({"women"}, set())
    assert asked(tournament) == [("unknown", "women", [1])]


def test_a_substitution_reopens_the_question_of_a_mixed_tandem(tournament: Tournament):
    mixed = tournament.rankings.create(kind=Kind.MIXED, size=2)
    pair = [enter(tournament, gender, 1980, rankings=[mixed]) for gender in "fm"]
    make_team(mixed, "Asse", pair)
    before = asked(tournament)

    substituted = swap(pair[0], "m", 1980)
    after = asked(tournament)
    ranking_members.take_into_ranking(
        COMMAND, substituted.pk, ranking_id=mixed.pk, reason="beide einverstanden"
    )

    assert before == []
    assert after == [("misfit", "mixed", [1, 2])]
    assert asked(tournament) == []


def test_two_of_one_gender_form_a_mixed_tandem_only_with_a_reason(tournament: Tournament):
    mixed = tournament.rankings.create(kind=Kind.MIXED, size=2)
    first, second = (enter(tournament, "f", 1980).pk for _woman in range(2))

    with pytest.raises(TournamentError, match="zwei Geschlechter"):
        create_team(COMMAND, mixed.pk, registration_ids=[first, second])
    ranking_members.take_into_ranking(
        COMMAND, second, ranking_id=mixed.pk, reason="der Partner ist krank"
    )
    team = create_team(COMMAND, mixed.pk, registration_ids=[first, second])

    assert team.members.count() == 2
    assert asked(tournament) == []


def test_anonymising_deletes_the_reason(tournament: Tournament):
    man = enter(tournament, "m", 1962)
    ranking_members.take_into_ranking(
        COMMAND, man.pk, ranking_id=ranking(tournament, "women").pk, reason="Anna will es so"
    )
    Tournament.objects.update(status=Tournament.Status.CLOSED)
    typed = man.person.full_name

    anonymise_person(person_id=man.person_id, typed_name=typed, actor=COMMAND)

    assert RankingChoice.objects.get().reason == "anonymisiert"
    assert kinds(man) == {"women"}


# --- Everybody at once ----------------------------------------------------------------------


def test_one_act_includes_all_missing_eligible_members(tournament: Tournament):
    """A junior and ten of thirteen women are missing; one act includes them."""
    juniors, women = ranking(tournament, "juniors"), ranking(tournament, "women")
    girl = enter(tournament, "f", 2009)
    boy = enter(tournament, "m", 2008)
    others = [enter(tournament, "f", 1970) for _woman in range(12)]
    Registration.rankings.through.objects.all().delete()
    boy.rankings.add(juniors)
    for woman in others[:3]:
        woman.rankings.add(women)

    before = [question.sentence for question in questions(tournament)]
    for each in (women, juniors):
        ranking_members.take_in_fitting(COMMAND, each.pk)

    assert before[1] == "In „Junioren“ fehlt 1 von 2, die passen: Nr. 1."
    assert before[0].startswith("In „Damen“ fehlen 10 von 13, die passen: Nr. 1, Nr. 6, Nr. 7")
    assert women.registrations.count() == 13
    assert set(juniors.registrations.all()) == {girl, boy}
    assert asked(tournament) == []


def test_an_unsuitable_startgeld_is_named(tournament: Tournament):
    registration = enter(tournament, "m", 1950)
    young = tournament.categories.get(name="Jugend")
    Registration.objects.filter(pk=registration.pk).update(category=young)

    [question] = questions(tournament)

    assert question.doubt is MembershipDoubt.STARTGELD
    assert question.sentence == "Die Startgeldgruppe „Jugend“ passt nicht zum Jahrgang: Nr. 1."


def test_questions_take_the_same_queries_for_any_field(
    tournament: Tournament, django_assert_num_queries: Any
):
    for year in (1950, 1960, 2009):
        enter(tournament, "", year)

    # Rankings, prizes given out, Startgeldgruppen; registrations, their rankings, their decisions.
    with django_assert_num_queries(6):
        questions(tournament)


def test_tournaments_without_limited_rankings_need_no_query(django_assert_num_queries: Any):
    tournament = make_tournament()
    make_registration(tournament)

    with django_assert_num_queries(2):
        assert questions(tournament) == []


# --- The pages ------------------------------------------------------------------------------


def test_the_page_of_a_registration_asks_and_answers(tournament: Tournament, client: Client):
    client.force_login(make_member(tournament, Role.KASSE))
    women = ranking(tournament, "women")
    somebody = enter(tournament, "", 1980)
    page = at("desk:registration", tournament.slug, somebody.pk)

    asked_there = text_of(client.get(page))
    client.post(
        at("desk:in_ranking", tournament.slug, somebody.pk),
        {"ranking": women.pk, "takes_part": "1"},
    )

    assert "Geschlecht fehlt. Gehört in „Damen“" in asked_there
    assert "Geschlecht fehlt" not in text_of(client.get(page))
    assert kinds(somebody) == {"women"}


def test_only_the_spielleitung_sees_the_form_for_exceptions(tournament: Tournament, client: Client):
    man = enter(tournament, "m", 1950)
    page = at("desk:registration", tournament.slug, man.pk)
    taking = at("desk:take_into", tournament.slug, man.pk)
    sent = {"ranking": ranking(tournament, "women").pk, "reason": "abgesprochen"}

    client.force_login(make_member(tournament, Role.KASSE))
    of_till, refused = text_of(client.get(page)), client.post(taking, sent)
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    of_head = text_of(client.get(page))
    empty = client.post(taking, {**sent, "reason": ""})
    client.post(taking, sent)

    assert ("die nicht passt" in of_till, "die nicht passt" in of_head) == (False, True)
    assert (refused.status_code, empty.status_code) == (403, 422)
    assert kinds(man) == {"women"}
    assert "abgesprochen" in text_of(client.get(page))


def test_the_desk_reports_changes_by_a_substitution(tournament: Tournament, client: Client):
    client.force_login(make_member(tournament, Role.KASSE))
    girl = enter(tournament, "f", 2009, payment=Payment())
    man = make_person(gender="m", birth_year=1948)

    answer = client.post(
        at("desk:substitute", tournament.slug, girl.pk),
        {"person": man.pk, "reason": "krank"},
        follow=True,
    )

    said = text_of(answer)
    assert "Nicht mehr in: Damen, Junioren." in said
    assert "Zu zahlen sind jetzt 15,00 € (Erwachsene), bisher 8,00 €." in said


def test_missing_eligible_members_are_named_before_the_draw(tournament: Tournament, client: Client):
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    for _woman in range(2):
        enter(tournament, "f", 1980)
    Registration.rankings.through.objects.filter(registration__number=1).delete()
    said = "In „Damen“ fehlt 1 von 2, die passen:"

    pages = [at("draw:serie", tournament.slug, 1), at("desk:list", tournament.slug)]
    before = [said in text_of(client.get(page)) for page in pages]
    client.post(at("desk:take_in_fitting", tournament.slug, ranking(tournament, "women").pk))
    after = [said in text_of(client.get(page)) for page in pages]

    assert (before, after) == ([True, True], [False, False])
    assert ranking(tournament, "women").registrations.count() == 2
