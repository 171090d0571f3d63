"""Two records of one human being become one, with everything that hangs on them."""

from __future__ import annotations

from functools import partial

import pytest

from tests.concurrency import at_once
from tests.factories import (
    COMMAND,
    START,
    make_ban,
    make_club,
    make_member,
    make_person,
    make_registration,
    make_tournament,
)
from tests.journal_proof import take_all_as_they_are
from tests.tournaments.people.helpers import substituted
from tournaments.cash.queries import balances
from tournaments.common.errors import Conflict, TournamentError, WrongStatus
from tournaments.desk.services import registrations
from tournaments.journal import proof
from tournaments.journal import services as journal
from tournaments.models import JournalEntry, Person, Receipt, Registration, Role, Tournament
from tournaments.people.services.merge import hindrance, merge_persons

pytestmark = [pytest.mark.django_db, pytest.mark.once]

CLOSED = Tournament.Status.CLOSED
WITHDRAWN = Registration.Status.WITHDRAWN


def merge(keep: Person, drop: Person, *taken: str) -> None:
    merge_persons(keep_id=keep.pk, drop_id=drop.pk, taken=taken, actor=COMMAND)
    keep.refresh_from_db()
    drop.refresh_from_db()


def test_a_merge_keeps_chosen_values_and_points_to_the_kept_record():
    club = make_club("SC Altenburg")
    keep = make_person("Anna", "Kuehn", phone="0341 1", birth_year=1950)
    drop = make_person("Änne", "Kühn", club=club, phone="0341 2", birth_year=1951)

    merge(keep, drop, "last_name", "club")

    assert (keep.first_name, keep.last_name, keep.club) == ("Anna", "Kühn", club)
    assert (keep.phone, keep.birth_year) == ("0341 1", 1950)
    assert keep.search_key == " kuehn kuhn anna sc altenburg"
    assert drop.merged_into == keep


def test_a_merge_keeps_consent_with_its_date():
    keep, drop = make_person(), make_person(publish_consent=True, publish_consent_at=START)

    merge(keep, drop, "publish_consent")

    assert (keep.publish_consent, keep.publish_consent_at) == (True, START)


def test_a_merge_moves_registrations_and_money_in_closed_tournaments():
    keep, drop = make_person("Anna", "Kühn"), make_person("Anna", "Kuehn")
    tournament = make_tournament()
    registration = registrations.register(
        COMMAND,
        tournament.pk,
        person_id=drop.pk,
        payment=registrations.Payment(),
        now=tournament.registration_deadline,
    )
    Tournament.objects.filter(pk=tournament.pk).update(status=CLOSED)

    merge(keep, drop)

    registration.refresh_from_db()
    assert registration.person == keep
    assert (registration.number, registration.status) == (1, "paid")
    assert balances.paid_cents(registration) == 1500
    assert Receipt.objects.get().payer == "Anna Kuehn"


def test_a_merge_changes_clubs_in_open_tournaments_only():
    altenburg, leipzig = make_club("Altenburg"), make_club("Leipzig")
    keep, drop = make_person(club=altenburg), make_person(club=leipzig)
    announced = make_registration(make_tournament(), drop)
    closed = make_registration(make_tournament(status=CLOSED), drop)

    merge(keep, drop)

    announced.refresh_from_db()
    closed.refresh_from_db()
    assert (announced.club, closed.club) == (altenburg, leipzig)


def test_a_merged_club_reaches_registrations_of_the_kept_person():
    altenburg, leipzig = make_club("Altenburg"), make_club("Leipzig")
    keep, drop = make_person(club=altenburg), make_person(club=leipzig)
    registration = make_registration(make_tournament(), keep)

    merge(keep, drop, "club")

    registration.refresh_from_db()
    assert registration.club == leipzig


def test_merging_two_players_of_one_tournament_is_refused():
    keep, drop = make_person("Anna", "Kühn"), make_person("Anna", "Kuehn")
    tournament = make_tournament(name="Herbstturnier")
    make_registration(tournament, keep)
    make_registration(tournament, drop)
    elsewhere = make_registration(make_tournament(), drop)

    with pytest.raises(Conflict) as refused:
        merge(keep, drop)

    assert str(refused.value) == (
        "Kühn, Anna und Kuehn, Anna sind beide im Turnier „Herbstturnier“ gemeldet (Nr. 1 und "
        "Nr. 2). Zusammenführen geht erst, wenn dort eine der Meldungen abgemeldet ist."
    )
    assert hindrance(keep, drop) == str(refused.value)
    elsewhere.refresh_from_db()
    assert elsewhere.person == drop
    assert not JournalEntry.objects.exists()


@pytest.mark.both
def test_a_merge_leaves_a_withdrawn_registration_beside_a_kept_one():
    keep, drop = make_person("Anna", "Kühn"), make_person("Anna", "Kuehn")
    tournament = make_tournament()
    kept = make_registration(tournament, keep)
    withdrawn = make_registration(tournament, drop, status=WITHDRAWN)

    merge(keep, drop)

    kept.refresh_from_db()
    withdrawn.refresh_from_db()
    assert (kept.person, withdrawn.person) == (keep, drop)


def test_the_refusal_explains_the_opposite_direction():
    keep, drop = make_person("Anna", "Kühn"), make_person("Anna", "Kuehn")
    tournament = make_tournament()
    make_registration(tournament, keep, status=WITHDRAWN)
    make_registration(tournament, drop)

    with pytest.raises(Conflict, match="andersherum zusammenführen, sodass Kuehn, Anna bleibt"):
        merge(keep, drop)


def test_a_player_and_their_substitute_are_not_merged():
    keep, drop = make_person("Anna", "Kühn"), make_person("Anna", "Kuehn")
    registration = make_registration(make_tournament(name="Herbstturnier"), drop)
    substituted(registration, keep, drop)

    with pytest.raises(Conflict, match="beide im Turnier „Herbstturnier“ gespielt"):
        merge(keep, drop)


def test_a_merge_moves_bans_substitutions_and_earlier_merges():
    keep, drop, other = make_person(), make_person(), make_person()
    earlier = make_person(merged_into=drop)
    make_ban(drop, "Grob unsportlich")
    registration = make_registration(make_tournament(), other)
    substitution = substituted(registration, drop, other)
    make_registration(make_tournament(), drop)
    take_all_as_they_are()

    merge(keep, drop)

    assert list(proof.of_installation()) == []
    earlier.refresh_from_db()
    substitution.refresh_from_db()
    assert earlier.merged_into == keep
    assert substitution.left == keep
    assert keep.bans.get().reason == "Grob unsportlich"


def test_a_merge_is_journalled_in_both_chains():
    keep, drop = make_person(), make_person(phone="0341 2")
    registration = make_registration(make_tournament(), drop)

    merge(keep, drop, "phone")

    moved = JournalEntry.objects.get(chain__tournament=registration.tournament)
    merged = JournalEntry.objects.get(chain__tournament=None)
    assert (moved.action, moved.subject_id) == ("registration_person_merged", registration.pk)
    assert (moved.before["person"], moved.after["person"]) == (drop.pk, keep.pk)
    assert (merged.action, merged.subject_id) == ("persons_merged", keep.pk)
    assert merged.after["merged"] == drop.pk
    assert merged.after["taken"] == ["phone"]
    assert merged.after["registrations"] == [registration.pk]
    assert list(journal.first_breaks()) == []


def test_only_entered_fields_can_be_transferred():
    with pytest.raises(ValueError, match="created_at"):
        merge(make_person(), make_person(), "created_at")


def test_a_person_is_not_merged_with_itself_or_a_merged_record():
    keep, drop = make_person("Anna", "Kühn"), make_person("Anna", "Kuehn")

    with pytest.raises(TournamentError, match="zwei verschiedene"):
        merge(keep, keep)
    merge(keep, drop)
    with pytest.raises(WrongStatus, match="mit Anna Kühn zusammengeführt"):
        merge(keep, drop)
    with pytest.raises(WrongStatus, match="mit Anna Kühn zusammengeführt"):
        merge(drop, keep)


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "other_way_round",
    [pytest.param(False, id="same way"), pytest.param(True, id="each the other way round")],
)
def test_two_accounts_merging_the_same_pair_leave_one_merge(other_way_round: bool):
    first, two = make_person("Anna", "Kühn"), make_person("Anna", "Kuehn")
    tournament = make_tournament()
    make_member(tournament, Role.VERANSTALTER)
    registration = make_registration(tournament, two)
    pairs = [(first, two), (two, first) if other_way_round else (first, two)]

    outcomes = at_once(
        *(
            partial(merge_persons, keep_id=keep.pk, drop_id=drop.pk, taken=(), actor=COMMAND)
            for keep, drop in pairs
        )
    )

    assert [type(outcome) for outcome in outcomes].count(str) == 1
    assert Person.objects.filter(merged_into__isnull=False).count() == 1
    registration.refresh_from_db()
    assert registration.person.merged_into is None
    assert JournalEntry.objects.filter(action="persons_merged").count() == 1
    assert list(journal.first_breaks()) == []
