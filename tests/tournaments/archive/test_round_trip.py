"""Export and import: the same bytes, and no stored row is missing (formats 3)."""

from __future__ import annotations

import json
from datetime import UTC, date
from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext

from romme_site import __version__
from scoring.errors import ScoringError
from tests.factories import (
    COMMAND,
    make_club,
    make_organiser,
    make_person,
    make_registration,
    make_tournament,
)
from tests.factories_lists import list_of
from tests.tournaments.archive.full_tournament import everything, exported_from_elsewhere
from tests.tournaments.archive.helpers import unsealed
from tournaments import migrations
from tournaments.archive import sections
from tournaments.archive.importing import import_archive
from tournaments.archive.writing import archive_of, archive_text
from tournaments.desk.queries.ranking_members import questions
from tournaments.journal import proof
from tournaments.journal import services as journal
from tournaments.models import ArchivedJournal, Person, Spielliste, Tournament, User
from tournaments.results.queries.rankings import OVERALL, Rankings

DATA = Path(__file__).parent / "data"
MIGRATIONS = Path(migrations.__file__).parent
pytestmark = [pytest.mark.django_db, pytest.mark.once]
Status = Spielliste.Status

# Kept, and in no archive, for the reason beside it.
NOT_IN_AN_ARCHIVE = {
    "Ban": "belongs to a person, not to a tournament",
    "Invitation": "a secret link of this installation",
    "Job": "work that is over",
    "JournalChain": "goes out with its entries",
    "JournalEntry": "goes out in the section journal",
    "ArchivedJournal": "goes out in the section journal",
    "KnownColumns": "how this installation reads the tables of banks",
    "PersonImport": "a file that is being taken over, gone within a day",
    "Proposal": "between organisers, until it is answered",
    "Organiser": "goes out by name in the section organisers",
    "OrganiserAccount": "what accounts of this installation may",
    "PrintedDocument": "printed again from what is kept",
    "Season": "puts several tournaments together",
    "Screen": "what the beamer shows at the moment",
    "StoredFile": "a finished PDF or an archive itself",
    "NotedRequest": "what the program noted about itself",
    "LegalText": "a page of this installation",
    "CodeGuess": "who tried which code, gone soon",
    "Submission": "what a device sent, for the case that it sends it again",
    "TableAccess": "secrets of this installation",
    "TableDevice": "secrets of this installation",
    "User": "goes out as a name in the section accounts",
    "Club": "stands in the required part",
    "Seat": "stands in the required part",
    "Table": "stands in the required part",
}


@pytest.mark.both
def test_every_model_is_in_the_archive_or_has_its_reason():
    written = {section.model.__name__ for section in sections.FILE_ORDER}
    known = {model.__name__ for model in apps.get_app_config("tournaments").get_models()}

    assert known - written - set(NOT_IN_AN_ARCHIVE) == set()


@pytest.mark.both
@pytest.mark.parametrize("status", [Tournament.Status.RUNNING, Tournament.Status.CLOSED])
def test_a_tournament_with_everything_in_it_comes_back_to_the_byte(status):
    first = exported_from_elsewhere(lambda: everything(status))

    tournament = import_archive(first.encode(), actor=COMMAND)

    assert archive_text(tournament) == first
    assert tournament.status == status
    assert tournament.serien.count() == 2
    assert list(proof.of_tournament(tournament)) == []


@pytest.mark.parametrize("theirs", ["0.1.7", ""], ids=["of another version", "of before it did"])
def test_an_archive_names_the_version_that_wrote_it_last(elsewhere, theirs):
    expected = unsealed(elsewhere)
    assert list(expected)[:4] == ["format", "version", "program", "migration"]
    assert expected["program"] == __version__
    assert expected["migration"] == max(path.stem for path in MIGRATIONS.glob("0*.py"))
    given = {**expected, "program": theirs}
    if not theirs:
        del given["program"], given["migration"]

    tournament = import_archive(json.dumps(given).encode(), actor=COMMAND)

    assert unsealed(archive_text(tournament)) == expected


def test_an_archive_names_its_organiser_and_all_goes_to_the_one_at_hand():
    elsewhere, here = make_organiser("SC Gera"), make_organiser("SC Jena")
    text = archive_text(make_tournament(slug="cup", owner=elsewhere))
    Tournament.objects.filter(slug="cup").update(slug="frueher")

    tournament = import_archive(text.encode(), actor=COMMAND, owner=here)

    assert json.loads(text)["organisers"] == [{"name": "SC Gera"}]
    assert tournament.owner == here
    assert "organisers" not in archive_of(make_tournament())  # the first one without a name


def test_presence_survives_an_archive_and_older_files_stay_without_it():
    tournament = make_tournament()
    make_registration(tournament, present_at=None)
    there = make_registration(tournament)

    absent, present = archive_of(tournament)["registration_details"]

    assert "present_at" not in absent
    assert present["present_at"] == there.present_at.astimezone(UTC).isoformat(
        timespec="microseconds"
    )
    text = archive_text(tournament)
    import_archive(text.encode(), actor=COMMAND, replace=True)
    assert archive_text(Tournament.objects.get(slug=tournament.slug)) == text


def test_an_imported_tournament_can_be_continued(elsewhere):
    tournament = import_archive(elsewhere.encode(), actor=COMMAND)

    standings = Rankings(tournament).standings(OVERALL, upto=1)

    # Number 5 has the first two games of the seat, 0 + 31 − 20, but sits at an invalid list.
    # Number 1 has the other ten: 210 − 11 = 199, × 12 ÷ 10.
    assert [(line.number, line.total) for line in standings[:1]] == [(1, 239)]
    assert list_of(tournament.serien.get(number=1), 1).table.access.token_hash


@pytest.mark.both
def test_an_archive_without_ranking_choices_keeps_members_and_asks():
    def of_then() -> Tournament:
        tournament = make_tournament()
        women = tournament.rankings.create(kind="women")
        for number in (1, 2):
            person = make_person(gender="f", birth_year=1980)
            make_registration(tournament, person, number=number)
        tournament.registrations.get(number=1).rankings.add(women)
        return tournament

    text = exported_from_elsewhere(of_then)
    assert "ranking_choices" not in text

    tournament = import_archive(text.encode(), actor=COMMAND)

    [member] = tournament.rankings.get(kind="women").registrations.all()
    assert member.number == 1
    [question] = questions(tournament)
    assert question.sentence == "In „Damen“ fehlt 1 von 2, die passen: Nr. 2."


def test_the_imported_journal_is_valid(elsewhere):
    tournament = import_archive(elsewhere.encode(), actor=COMMAND)

    assert list(journal.first_breaks()) == []
    archived = ArchivedJournal.objects.get(tournament=tournament)
    archived.entries[0]["reason"] = "nachgetragen"
    archived.save()
    assert [fault.number for fault in journal.first_breaks()] == [1]


def test_accounts_of_the_file_can_name_who_acted_but_not_log_in(elsewhere):
    import_archive(elsewhere.encode(), actor=COMMAND)

    user = User.objects.get(archived_as="leitung")
    assert not user.is_active
    assert not user.has_usable_password()


def test_the_example_gives_the_expected_ranking():
    data = (DATA / "archive-23x3.json").read_bytes()
    expected = json.loads((DATA / "archive-23x3.standings.json").read_text())

    tournament = import_archive(data, actor=COMMAND)

    lost = [
        {
            "rank": line.rank,
            "player": line.number,
            "total": line.total,
            "games_won": line.games_won,
            "handromme": line.handromme,
            "series_totals": list(line.series_totals),
        }
        for line in Rankings(tournament).standings(OVERALL)
    ]
    assert lost == expected


def test_the_required_part_alone_is_exported_unchanged():
    data = json.loads((DATA / "archive-23x3.json").read_bytes())

    tournament = import_archive(json.dumps(data).encode(), actor=COMMAND)

    written = archive_of(tournament)
    assert {key: written[key] for key in data} == data


def test_the_required_part_alone_survives_a_round_trip():
    def made():
        return import_archive((DATA / "archive-23x3.json").read_bytes(), actor=COMMAND)

    first = exported_from_elsewhere(made)
    tournament = import_archive(first.encode(), actor=COMMAND)

    assert archive_text(tournament) == first


def test_a_section_can_be_left_out(elsewhere):
    data = unsealed(elsewhere)
    for name in ("notices", "journal", "signatures", "calls"):
        del data[name]

    tournament = import_archive(json.dumps(data).encode(), actor=COMMAND)

    assert tournament.corrections.count() == 1


@pytest.mark.parametrize("as_now", [True, False], ids=["of now", "of an earlier version"])
def test_the_choice_about_names_in_the_hall_survives(as_now):
    def made():
        tournament = everything()
        Tournament.objects.filter(pk=tournament.pk).update(names_in_hall=as_now)
        Person.objects.filter(last_name="Nachname3").update(hall_objection=as_now)
        return Tournament.objects.get(pk=tournament.pk)

    text = exported_from_elsewhere(made)
    tournament = import_archive(text.encode(), actor=COMMAND)

    assert ('"names_in_hall":' in text, '"hall_objection":' in text) == (as_now, as_now)
    assert tournament.names_in_hall is as_now
    assert Person.objects.get(last_name="Nachname3").hall_objection is as_now
    assert archive_text(tournament) == text


def test_clubs_are_found_by_members_and_registrations():
    clubs = [make_club(name) for name in ("Berg", "Aue", "Cham")]
    tournament = make_tournament()
    for club in (clubs[0], clubs[1]):
        member = make_person(club=club)
        for played in (make_tournament(), tournament):
            make_registration(played, member)
    make_registration(tournament, make_person(club=clubs[2]), club=None)
    make_registration(make_tournament(), make_person(club=make_club("Dorf")))

    query = sections.CLUBS.find(tournament)

    assert [club.name for club in query] == ["Aue", "Berg", "Cham"]
    outer, _where, _inner = str(query.query).partition(" WHERE ")
    assert not {"JOIN", "DISTINCT"} & set(outer.split())


def test_entries_are_read_at_writing_without_those_added_since(
    django_assert_num_queries,
):
    tournament = make_tournament()
    proof.baseline_proof(tournament)
    proof.baseline_proof(tournament)

    (chain,) = archive_of(tournament)["journal"]
    proof.baseline_proof(tournament)

    entries = chain["entries"]
    with django_assert_num_queries(1):
        assert [entry["number"] for entry in entries] == [1, 2]
    assert [entry["number"] for entry in reversed(entries)] == [2, 1]
    assert len(entries) == 2


def test_the_floor_plan_survives_if_it_is_valid():
    def made():
        tournament = everything()
        Tournament.objects.filter(pk=tournament.pk).update(floor=[[2, 0], [1, 3]])
        return Tournament.objects.get(pk=tournament.pk)

    text = exported_from_elsewhere(made)
    data = unsealed(text)
    data["tournament_details"][0]["floor"] = [[2, 2]]

    with pytest.raises(ScoringError, match="keine Aufstellung von Tischen"):
        import_archive(json.dumps(data).encode(), actor=COMMAND)
    tournament = import_archive(text.encode(), actor=COMMAND)
    assert tournament.floor == [[2, 0], [1, 3]]
    assert archive_text(tournament) == text


@pytest.mark.both
def test_the_number_of_statements_hardly_grows_with_registrations():
    def statements(number):
        tournament = make_tournament()
        for _place in range(number):
            make_registration(tournament, make_person(club=make_club()))
        text = archive_text(tournament)
        Tournament.objects.filter(pk=tournament.pk).update(slug=f"fort-{number}")
        with CaptureQueriesContext(connection) as asked:
            import_archive(text.encode(), actor=COMMAND)
        return len(asked)

    assert statements(45) - statements(5) <= 10


def test_a_member_number_of_another_person_is_not_taken():
    tournament = make_tournament()
    for number in ("P-7", "P-8"):
        person = make_person(member_number=number, member_until=date(2026, 12, 31))
        make_registration(tournament, person)
    text = archive_text(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(slug="fort")
    Person.objects.filter(member_number="P-7").update(last_name="Anders", sort_key="anders")

    read = import_archive(text.encode(), actor=COMMAND)

    taken, known = (registration.person for registration in read.registrations.order_by("number"))
    assert (taken.member_number, taken.member_until) == ("", None)
    assert Person.objects.get(member_number="P-7").last_name == "Anders"
    assert Person.objects.get(member_number="P-8") == known


def test_an_extended_pass_matches_the_same_person():
    tournament = make_tournament()
    registration = make_registration(
        tournament, make_person(member_number="P-7", member_until=date(2026, 12, 31))
    )
    text = archive_text(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(slug="fort")
    Person.objects.update(member_until=date(2027, 12, 31))

    read = import_archive(text.encode(), actor=COMMAND)

    assert read.registrations.get().person == registration.person


def test_two_persons_of_one_name_stay_two():
    tournament = make_tournament()
    for _twice in range(2):
        make_registration(tournament, make_person("Anna", "Kühn"))
    text = archive_text(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(slug="fort")

    read = import_archive(text.encode(), actor=COMMAND)

    assert read.registrations.values("person").distinct().count() == 2
