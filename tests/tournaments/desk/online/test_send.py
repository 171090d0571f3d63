"""Results of an online entry, and data that it never reveals or changes."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from tests.factories import COMMAND, make_club, make_person
from tests.tournaments.desk.online.helpers import (
    make_open_tournament,
    make_ranking,
    registration_of,
    send_one,
    wanted,
)
from tests.worlds import world
from tournaments.common.errors import TournamentError
from tournaments.common.tokens import hash_token
from tournaments.desk.online.queries.entries import standings
from tournaments.desk.services.changes import withdraw
from tournaments.journal import services as journal
from tournaments.models import (
    Club,
    Entry,
    EntryLine,
    JournalEntry,
    Person,
    Ranking,
    Registration,
    Tournament,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Status = EntryLine.Status


def only_line() -> EntryLine:
    return EntryLine.objects.select_related("registration__person__club").get()


tournament = world(make_open_tournament)


def test_an_entry_registers_at_once_with_number_and_startgeld(
    tournament: Tournament,
):
    send_one(tournament)

    registration = Registration.objects.get()
    assert (registration.number, registration.status) == (1, "registered")
    assert registration.source == Registration.Source.ONLINE
    assert registration.due_cents == 1500
    assert registration.person.full_name == "Anna Kühn"
    assert registration.club == Club.objects.get(name="SC Altenburg")
    assert only_line().registration == registration


def test_a_club_sends_several_in_the_order_of_the_form(tournament: Tournament):
    send_one(tournament, wanted(), wanted("Bernd", "Voß"), wanted("Clara", "Lang"))

    numbers = EntryLine.objects.values_list("position", "registration__number", "last_name")
    assert list(numbers) == [(1, 1, "Kühn"), (2, 2, "Voß"), (3, 3, "Lang")]


def test_one_invalid_person_rejects_the_whole_entry(tournament: Tournament):
    with pytest.raises(ValidationError, match="mindestens einen Buchstaben"):
        send_one(tournament, wanted(), wanted("Bernd", "…"))

    assert not Entry.objects.exists()
    assert not Registration.objects.exists()
    assert not Person.objects.exists()


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        pytest.param({}, {"birth_year": 1960}, id="same in everything"),
        pytest.param({"birth_year": None}, {"birth_year": 1960}, id="year not typed"),
        pytest.param({}, {"birth_year": None}, id="year not known"),
        pytest.param(
            {"last_name": "KUEHN", "club_name": "sc altenburg"}, {"birth_year": 1960}, id="spelling"
        ),
    ],
)
def test_a_known_person_is_registered_without_a_second_record(
    typed: dict[str, Any], stored: dict[str, Any], tournament: Tournament
):
    person = make_person("Anna", "Kühn", club=make_club("SC Altenburg"), **stored)

    send_one(tournament, wanted(**typed))

    assert registration_of(only_line()).person == person
    assert Person.objects.count() == 1
    assert not only_line().is_new_person


@pytest.mark.parametrize(
    "typed",
    [
        pytest.param({"birth_year": 1961}, id="another year"),
        pytest.param({"club_name": "1. Kahlaer SC"}, id="another club"),
        pytest.param({"club_name": ""}, id="no club"),
        pytest.param({"first_name": "Anne"}, id="another first name"),
    ],
)
def test_a_differing_person_is_stored_as_new(typed: dict[str, Any], tournament: Tournament):
    make_person("Anna", "Kühn", club=make_club("SC Altenburg"), birth_year=1960)

    send_one(tournament, wanted(**typed))

    assert Person.objects.count() == 2
    assert only_line().is_new_person


def test_the_birth_year_distinguishes_namesakes():
    tournament, club = make_open_tournament(), make_club("SC Altenburg")
    make_person("Anna", "Kühn", club=club, birth_year=None)
    daughter = make_person("Anna", "Kühn", club=club, birth_year=1960)

    send_one(tournament)

    assert registration_of(only_line()).person == daughter


def test_an_ambiguous_match_creates_a_new_person():
    tournament, club = make_open_tournament(), make_club("SC Altenburg")
    make_person("Anna", "Kühn", club=club, birth_year=1960)
    make_person("Anna", "Kühn", club=club, birth_year=1960)

    send_one(tournament)

    assert Person.objects.count() == 3


def test_merged_and_anonymised_persons_are_never_matched():
    tournament, club = make_open_tournament(), make_club("SC Altenburg")
    gone = make_person("Anna", "Kühn", club=club, birth_year=1960)
    gone.anonymised_at = timezone.now()
    gone.save()

    send_one(tournament)

    assert registration_of(only_line()).person != gone


def test_an_entry_does_not_change_a_stored_person(tournament: Tournament):
    person = make_person(
        "Anna", "Kühn", club=make_club("SC Altenburg"), birth_year=None, email="a@alt.example"
    )
    before = Person.objects.filter(pk=person.pk).values().get()

    send_one(
        tournament, wanted(last_name="KÜHN", gender="f", publish_consent=True), email="x@y.example"
    )

    assert Person.objects.filter(pk=person.pk).values().get() == before


def test_an_entry_does_not_hide_the_name_of_a_stored_person(tournament: Tournament):
    person = make_person(
        "Anna", "Kühn", club=make_club("SC Altenburg"), birth_year=1960, publish_consent=True
    )

    send_one(tournament, wanted(publish_consent=False))

    person.refresh_from_db()
    assert person.publish_consent
    assert not EntryLine.objects.get().publish_consent  # kept for the desk, which asks


def test_a_new_person_is_named_in_public_as_typed():
    send_one(make_open_tournament(), wanted(publish_consent=True))

    person = Person.objects.get()
    assert person.publish_consent
    assert person.publish_consent_at is not None


def test_a_repeated_registration_is_put_aside_for_the_desk(tournament: Tournament):
    send_one(tournament)

    send_one(tournament, form_key="another", email="fremd@example.org", proves_address=True)

    assert Registration.objects.count() == 1
    aside = EntryLine.objects.get(status=Status.OPEN)
    assert aside.registration is None
    assert aside.last_name == "Kühn"


@pytest.mark.parametrize(
    ("proves_address", "status"), [(True, Status.REGISTERED), (False, Status.OPEN)]
)
def test_a_repeated_registration_is_reported_to_a_proved_address_only(
    tournament: Tournament, *, proves_address: bool, status: str
):
    first = send_one(tournament, email="anna@verein.example").entry.lines.get()

    sent = send_one(
        tournament, form_key="2", email="Anna@Verein.example", proves_address=proves_address
    )

    again = sent.entry.lines.get()
    assert again.status == status
    assert (again.registration == first.registration) is proves_address


def test_a_withdrawn_person_returns_through_the_desk(tournament: Tournament):
    sent = send_one(tournament, email="anna@verein.example")
    withdraw(COMMAND, registration_of(sent.entry.lines.get()).pk)

    send_one(tournament, form_key="again", email="anna@verein.example", proves_address=True)

    assert EntryLine.objects.filter(status=Status.OPEN).count() == 1


def test_the_same_form_sent_twice_stores_once_and_opens_the_same_page(tournament: Tournament):
    first, second = send_one(tournament), send_one(tournament)

    assert (first.is_new, second.is_new) == (True, False)
    assert first.token == second.token
    assert Entry.objects.count() == 1
    assert EntryLine.objects.count() == 1


def test_a_form_resent_with_another_person_is_another_entry(
    tournament: Tournament,
):
    first = send_one(tournament)
    second = send_one(tournament, wanted("Bernd", "Voß"))

    assert first.token != second.token
    assert Registration.objects.count() == 2


def test_only_the_hash_of_the_key_is_stored_and_it_has_256_bits():
    sent = send_one(make_open_tournament(), form_key="geheim")

    assert len(sent.token) == 43  # 32 bytes in base64
    assert sent.entry.token_hash == hash_token(sent.token)
    assert sent.token not in str(list(Entry.objects.values()))
    assert "geheim" not in str(list(Entry.objects.values()))


def test_the_cheapest_suiting_startgeld_is_taken_unless_one_is_chosen(tournament: Tournament):
    adults = tournament.categories.get()
    juniors = tournament.categories.create(
        name="Jugend", startgeld_cents=750, born_from=2008, position=1
    )

    send_one(
        tournament,
        wanted("Ida", birth_year=2012),
        wanted("Olaf", birth_year=2012, category=adults),
        wanted("Anna", birth_year=1960),
    )

    chosen = EntryLine.objects.order_by("position").values_list("registration__category", flat=True)
    assert list(chosen) == [juniors.pk, adults.pk, adults.pk]


def test_stakes_and_wishes_are_stored(tournament: Tournament):
    team = make_ranking(tournament, Ranking.Kind.TEAM, size=4, stake_cents=500)

    send_one(tournament, wanted(rankings=[team], wishes={team.pk: " Altenburg I "}))

    line = only_line()
    assert registration_of(line).due_cents == 2000
    assert [wish.text for wish in line.wishes.all()] == ["Altenburg I"]


@pytest.mark.parametrize(
    ("kind", "limits", "person", "refusal"),
    [
        pytest.param("women", {}, {"gender": "f"}, "", id="women, a woman"),
        pytest.param("women", {}, {"gender": "m"}, "passt nicht zu", id="women, a man"),
        pytest.param("women", {}, {"gender": ""}, "fehlt eine Angabe: Geschlecht", id="not said"),
        pytest.param("juniors", {"born_from": 2008}, {"birth_year": 2008}, "", id="junior"),
        pytest.param(
            "juniors", {"born_from": 2008}, {"birth_year": 2007}, "passt nicht zu", id="too old"
        ),
        pytest.param("seniors", {"born_until": 1966}, {"birth_year": 1966}, "", id="senior"),
        pytest.param(
            "seniors",
            {"born_until": 1966},
            {"birth_year": None},
            "fehlt eine Angabe: Jahrgang",
            id="no year",
        ),
    ],
)
def test_limited_rankings_accept_eligible_players_only(
    kind: str, limits: dict[str, int], person: dict[str, Any], refusal: str, tournament: Tournament
):
    ranking = make_ranking(tournament, Ranking.Kind(kind), **limits)

    def act() -> object:
        return send_one(tournament, wanted(rankings=[ranking], **person))

    if not refusal:
        act()
        assert list(registration_of(only_line()).rankings.all()) == [ranking]
    else:
        with pytest.raises(TournamentError, match=refusal):
            act()


def test_eligible_players_join_rankings_unless_they_decline(tournament: Tournament):
    women = make_ranking(tournament, Ranking.Kind.WOMEN)
    juniors = make_ranking(tournament, Ranking.Kind.JUNIORS, born_from=2008)

    send_one(tournament, wanted("Eva", gender="f", birth_year=2010))
    send_one(tournament, wanted("Ida", gender="f", birth_year=2010, declined=[juniors]))

    eva, ida = (
        tournament.registrations.get(person__first_name=name).rankings.order_by("pk")
        for name in ("Eva", "Ida")
    )
    assert (list(eva), list(ida)) == ([women, juniors], [women])


def test_rankings_do_not_reveal_stored_data_of_a_person(tournament: Tournament):
    """An entry without a gender does not reveal it by the ranking of a known woman."""
    women = make_ranking(tournament, Ranking.Kind.WOMEN)
    club = make_club("SC Altenburg", owner=tournament.owner)
    make_person("Anna", "Kühn", club=club, birth_year=1960, gender="f", owner=tournament.owner)

    sent = send_one(tournament, wanted())

    assert list(registration_of(only_line()).rankings.all()) == [women]
    [standing] = standings(sent.entry, timezone.now())
    assert standing.rankings == []


def test_a_choice_of_another_tournament_is_refused():
    tournament, other = make_open_tournament(), make_open_tournament()

    with pytest.raises(TournamentError, match="anderen Turnier"):
        send_one(tournament, wanted(category=other.categories.get()))


def test_an_unsuitable_startgeld_is_refused(tournament: Tournament):
    tournament.categories.update(born_from=2008)

    with pytest.raises(TournamentError, match="keine Startgeldgruppe"):
        send_one(tournament)
    with pytest.raises(TournamentError, match="„Erwachsene“ gilt nicht"):
        send_one(tournament, wanted(category=tournament.categories.get()))


def test_the_entry_is_journalled_without_names(tournament: Tournament):
    send_one(tournament, email="anna@verein.example")

    entry = JournalEntry.objects.get(action="entry_sent")
    line = only_line()
    assert entry.actor_kind == JournalEntry.ActorKind.PUBLIC
    assert entry.after == {"lines": [[line.pk, "registered", line.registration_id]]}
    told = str(list(JournalEntry.objects.values_list("before", "after", "reason")))
    assert "Kühn" not in told
    assert "verein.example" not in told
    assert list(journal.first_breaks()) == []
