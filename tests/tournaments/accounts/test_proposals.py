"""Two organisers that both agree: one joins the other, or rows go over with all they need."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.clients import Client, at, logged_in
from tests.factories import (
    COMMAND,
    make_ban,
    make_club,
    make_head,
    make_member,
    make_organiser,
    make_person,
    make_registration,
    make_tournament,
    make_user,
)
from tournaments.accounts import organisers, proposals
from tournaments.accounts.services import invite
from tournaments.common.errors import Conflict, TournamentError
from tournaments.common.organisers import add_account, roles_in
from tournaments.journal import proof
from tournaments.journal.services import first_breaks
from tournaments.models import (
    Ban,
    Club,
    JournalEntry,
    Organiser,
    Person,
    Proposal,
    Right,
    Role,
    Season,
    Substitution,
    Tournament,
)
from tournaments.people.services.anonymise import anonymise_person
from tournaments.people.services.people import create_person

pytestmark = pytest.mark.django_db


class Two:
    """Two organisers, each with its head."""

    def __init__(self) -> None:
        self.giver, self.taker = make_organiser("SC Gera"), make_organiser("Landesverband Ost")
        self.givers, self.takers = make_head(self.giver), make_head(self.taker)
        self.by_giver, self.by_taker = logged_in(self.givers), logged_in(self.takers)

    def offer(self, **chosen: list[int]) -> int:
        """Offer rows on the page as the giver's head; return the status."""
        sent = {"code": organisers.code_of(self.taker), **chosen}
        answer = self.by_giver.post(at("account:hand_over", self.giver.pk), sent)
        self.said = answer.content.decode()
        status: int = answer.status_code
        return status

    def answer(self, word: str = "yes") -> int:
        """Answer as the taker's head; return the status."""
        url = at("account:proposal", self.taker.pk, Proposal.objects.get().pk)
        answer = self.by_taker.post(url, {"answer": word})
        self.said = answer.content.decode()
        status: int = answer.status_code
        return status


@pytest.fixture
def two() -> Two:
    return Two()


def actions(organiser: Organiser) -> list[str]:
    entries = JournalEntry.objects.filter(chain__owner=organiser).order_by("number")
    return list(entries.values_list("action", flat=True))


def unproved(tournament: Tournament) -> list[str]:
    return [fault.sentence for fault in proof.of_tournament(tournament)]


# --- Joining a parent -----------------------------------------------------------------------------


def ask(client: Client, child: Organiser, code: str) -> int:
    sent = {"name_": child.name, "parent_code": code}
    status: int = client.post(at("account:change_organiser", child.pk), sent).status_code
    return status


def test_a_parent_admits_organisers_explicitly_never_by_code_alone(two: Two):
    code = organisers.code_of(two.taker)
    assert 'aria-label="Unser Code"' in two.by_taker.read(at("account:organiser", two.taker.pk))

    assert ask(two.by_giver, two.giver, code) == 302
    assert Organiser.objects.get(pk=two.giver.pk).parent is None
    page = two.by_taker.read(at("account:organiser", two.taker.pk))
    assert "SC Gera" in page
    assert "möchte zu uns gehören" in page
    two.answer()

    assert Organiser.objects.get(pk=two.giver.pk).parent == two.taker
    assert actions(two.giver) == ["organiser_changed", "parent_asked", "organiser_changed"]
    assert actions(two.taker) == ["member_joined"]


@pytest.mark.parametrize("by_taker", [True, False])
def test_a_declined_or_withdrawn_proposal_is_in_both_journals(two: Two, by_taker: bool):
    ask(two.by_giver, two.giver, organisers.code_of(two.taker))
    own = two.giver if not by_taker else two.taker
    client = two.by_taker if by_taker else two.by_giver

    client.post(at("account:proposal", own.pk, Proposal.objects.get().pk), {"answer": "no"})

    assert Organiser.objects.get(pk=two.giver.pk).parent is None
    assert not Proposal.objects.exists()
    action = "proposal_declined" if by_taker else "proposal_withdrawn"
    assert (actions(two.giver)[-1], actions(two.taker)[-1]) == (action, action)


def test_only_the_asked_organiser_sees_and_answers_a_proposal(two: Two):
    ask(two.by_giver, two.giver, organisers.code_of(two.taker))
    key, third = Proposal.objects.get().pk, make_organiser("SC Jena")
    by_third = logged_in(make_head(third))

    two.by_giver.post(at("account:proposal", two.giver.pk, key), {"answer": "yes"})
    assert not Proposal.objects.exists()  # taken back
    ask(two.by_giver, two.giver, organisers.code_of(two.taker))
    key = Proposal.objects.get().pk
    answers = [
        by_third.post(at("account:proposal", own.pk, key), {"answer": "yes"}).status_code
        for own in (third, two.taker)
    ]
    of_helper = make_user()
    add_account(of_helper, two.taker, Right.MONEY)
    url = at("account:proposal", two.taker.pk, key)
    answers.append(logged_in(of_helper).post(url, {"answer": "yes"}).status_code)

    assert answers == [404, 404, 404]
    assert Organiser.objects.get(pk=two.giver.pk).parent is None


def test_wrong_expired_and_own_codes_create_no_proposal(two: Two, monkeypatch):
    code = organisers.code_of(two.taker)
    wrong = code[:-1] + ("a" if code[-1] != "a" else "b")

    answers = {
        ask(two.by_giver, two.giver, code) for code in (wrong, organisers.code_of(two.giver))
    }
    monkeypatch.setattr(organisers, "CODE_LASTS", timedelta(seconds=-1))
    answers.add(ask(two.by_giver, two.giver, code))

    assert answers == {422}
    assert not Proposal.objects.exists()


def test_no_organiser_is_its_own_ancestor(two: Two):
    child = make_organiser("SC Zeitz", parent=make_organiser("Kreis", parent=two.giver))
    proposals.ask_parent(two.giver, child, actor=COMMAND)

    with pytest.raises(TournamentError, match="gehört schon"):
        proposals.accept(Proposal.objects.get().pk, actor=COMMAND)


# --- Rows that go over ----------------------------------------------------------------------------


def test_a_person_moves_to_another_organiser_with_bans_and_merged_records(two: Two):
    club = make_club("SC Altenburg", owner=two.giver)
    greta = make_person("Greta", "Geheim", club=club, member_number="12", note="Notiz")
    old = make_person("Greta", "Gheim", owner=two.giver, merged_into=greta)
    make_ban(greta, "Geheimer Grund")

    assert two.offer(persons=[greta.pk]) == 302
    assert Person.objects.get(pk=greta.pk).owner == two.giver  # not by one alone
    url = at("account:proposal", two.taker.pk, Proposal.objects.get().pk)
    page = two.by_taker.read(url)
    assert "Geheim, Greta" in page
    assert "Geheimer Grund" not in page
    assert two.answer() == 302

    greta.refresh_from_db()
    old.refresh_from_db()
    assert (greta.owner, old.owner, greta.club.owner) == (two.taker, two.taker, two.taker)
    assert greta.club.name == "SC Altenburg"
    assert Ban.objects.get().person == greta
    assert two.by_giver.get(at("people:person", greta.pk)).status_code == 404
    assert "Geheimer Grund" in two.by_taker.read(at("people:person", greta.pk))
    assert (actions(two.giver)[-1], actions(two.taker)[-1]) == ("rows_given", "rows_taken")
    for client, organiser in ((two.by_giver, two.giver), (two.by_taker, two.taker)):
        assert "Greta" in client.read(at("account:journal", organiser.pk))
    assert list(first_breaks()) == []


def test_a_tournament_moves_with_its_persons_clubs_and_season(two: Two):
    club = make_club("SC Altenburg", owner=two.giver)
    make_club("SC Altenburg e. V.", owner=two.taker)
    cup, copy = make_tournament(owner=two.giver), make_tournament(owner=two.giver)
    Tournament.objects.filter(pk=copy.pk).update(copied_from=cup)
    person = make_person("Greta", "Geheim", club=club)
    registration = make_registration(cup, person, club=club)
    left = make_person("Lena", "Links", owner=two.giver)
    Substitution.objects.create(registration=registration, left=left, joined=person, reason="krank")
    season = Season.objects.create(
        owner=two.giver, name="Saison", slug="saison", created_by=two.givers
    )
    season.tournaments.add(cup)
    proof.baseline_proof(cup)

    two.offer(tournaments=[cup.pk], seasons=[season.pk])
    two.answer()

    registration.refresh_from_db()
    cup.refresh_from_db()
    assert (cup.owner, Season.objects.get().owner) == (two.taker, two.taker)
    assert {person.owner for person in Person.objects.all()} == {two.taker}
    assert registration.club == Club.objects.get(owner=two.taker)
    assert Tournament.objects.get(pk=copy.pk).copied_from is None
    assert unproved(cup) == []
    assert list(first_breaks()) == []


def test_a_moved_tournament_drops_roles_and_invitations_of_the_old_owner(two: Two):
    cup = make_tournament(owner=two.giver)
    spy, helper = make_member(cup, Role.VERANSTALTER), make_member(cup, Role.KASSE)
    add_account(spy, two.giver)
    add_account(helper, two.taker)
    _row, token = invite(COMMAND, cup.pk, role=Role.VERANSTALTER, name="Karl")
    secret = make_person("Olga", "Andere", owner=two.taker)

    two.offer(tournaments=[cup.pk])
    two.answer()

    assert roles_in(spy, cup) == frozenset()
    assert roles_in(helper, cup) == {Role.KASSE}
    assert roles_in(two.givers, Tournament.objects.get(pk=cup.pk)) == frozenset()
    assert logged_in(spy).get(at("people:person", secret.pk)).status_code in {403, 404}
    assert Client().get(at("account:invitation", token)).status_code == 409


def lent_by_parent(two: Two) -> list[int]:
    parent = make_organiser("Bund", shares_members=True)
    Organiser.objects.filter(pk=two.giver.pk).update(parent=parent)
    cup = make_tournament(owner=two.giver, name="Leihcup")
    make_registration(cup, make_person("Lara", "Leih", owner=parent))
    return [cup.pk]


def running(two: Two) -> list[int]:
    return [make_tournament(owner=two.giver, status=Tournament.Status.RUNNING).pk]


def counted_elsewhere(two: Two) -> list[int]:
    cup = make_tournament(owner=two.giver)
    Season.objects.create(
        owner=two.giver, name="Saison", slug="saison", created_by=two.givers
    ).tournaments.add(cup)
    return [cup.pk]


def torn_person(two: Two) -> list[int]:
    cup, other = make_tournament(owner=two.giver), make_tournament(owner=two.giver)
    person = make_person("Greta", "Geheim", owner=two.giver)
    make_registration(cup, person)
    make_registration(other, person)
    return [cup.pk]


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        (running, "läuft"),
        (lent_by_parent, "geliehen von Bund"),
        (counted_elsewhere, "zählt in der Saison „Saison“"),
        (torn_person, "Greta Geheim steht auch in"),
        (lambda _two: [], "Bitte ankreuzen"),
    ],
)
def test_rows_that_belong_together_are_not_offered_apart(two: Two, chosen, said: str):
    assert two.offer(tournaments=chosen(two)) == 409

    assert said in two.said
    assert "checked" in two.said or "ankreuzen" in said, "what was ticked stays ticked"
    assert not Proposal.objects.exists()


def test_a_season_without_its_tournament_is_not_offered(two: Two):
    counted_elsewhere(two)

    assert two.offer(seasons=[Season.objects.get().pk]) == 409
    assert "das nicht mitgeht" in two.said


def test_a_club_gives_a_person_to_its_parent_and_borrows_it(two: Two):
    Organiser.objects.filter(pk=two.taker.pk).update(shares_members=True)
    Organiser.objects.filter(pk=two.giver.pk).update(parent=two.taker)
    two.taker.refresh_from_db()
    cup, person = make_tournament(owner=two.giver), make_person(owner=two.giver)
    make_registration(cup, person)

    assert two.offer(persons=[person.pk]) == 302
    assert two.answer() == 302

    assert Person.objects.get().owner == two.taker


def test_only_own_rows_are_offered(two: Two):
    others = make_person("Olga", "Andere", owner=two.taker)

    assert two.offer(persons=[others.pk]) == 422
    assert two.offer(tournaments=[make_tournament(owner=two.taker).pk]) == 422


def test_a_number_conflict_is_shown_to_the_taker_only(two: Two):
    person = make_person(owner=two.giver, member_number="77")
    make_person("Olga", "Andere", owner=two.taker, member_number="77")

    assert two.offer(persons=[person.pk]) == 302
    assert two.answer() == 409

    assert "77 hat bei uns schon Olga Andere" in two.said
    assert Person.objects.get(pk=person.pk).owner == two.giver


def test_changed_rows_must_be_offered_again(two: Two):
    cup = make_tournament(owner=two.giver)
    two.offer(tournaments=[cup.pk])
    make_registration(cup, make_person(owner=two.giver))

    assert two.answer() == 409
    assert "hat sich dort etwas geändert" in two.said
    assert Tournament.objects.get(pk=cup.pk).owner == two.giver


def test_an_answer_counts_once(two: Two):
    two.offer(persons=[make_person(owner=two.giver).pk])
    key = Proposal.objects.get().pk
    proposals.accept(key, actor=COMMAND)

    with pytest.raises(Conflict, match="schon beantwortet"):
        proposals.accept(key, actor=COMMAND)


def test_anonymising_clears_the_admission_lists_of_a_former_owner(two: Two):
    greta = create_person(
        actor=COMMAND, within=two.giver, first_name="Greta", last_name="Geheim", birth_year=1950
    )
    listed = make_tournament(
        owner=two.giver,
        is_open=False,
        closed_circle="Verband",
        admission="listed",
        circle_persons="Geheim, Greta (1950)\nOtto, Karl",
    )
    two.offer(persons=[greta.pk])
    two.answer()

    anonymise_person(person_id=greta.pk, typed_name="Greta Geheim", actor=COMMAND)

    listed.refresh_from_db()
    assert listed.circle_persons == "Otto, Karl"


def test_persons_are_found_by_a_search_on_the_page(two: Two):
    make_person("Greta", "Geheim", owner=two.giver)
    make_person("Karl", "Otto", owner=two.giver)
    url = at("account:hand_over", two.giver.pk)

    assert "Otto, Karl" in two.by_giver.read(url)
    page = two.by_giver.read(f"{url}?q=Geheim")

    assert "Geheim, Greta" in page
    assert "Otto, Karl" not in page
