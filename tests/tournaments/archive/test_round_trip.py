"""Out and in again: the same bytes, and nothing that is kept is forgotten (formats 3)."""

from __future__ import annotations

import json
from datetime import UTC, timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring.errors import ScoringError
from tests.factories import (
    COMMAND,
    make_club,
    make_member,
    make_person,
    make_registration,
    make_tournament,
    make_user,
)
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.tournaments.archive.helpers import unsealed
from tests.worlds import world
from tournaments.archive import sections
from tournaments.archive.importing import import_archive
from tournaments.archive.writing import archive_of, archive_text
from tournaments.cash.services import till
from tournaments.common.actors import Actor
from tournaments.journal import services as journal
from tournaments.management import base
from tournaments.models import (
    ArchivedJournal,
    Bussgeld,
    Call,
    Case,
    CashEntry,
    Correction,
    Draw,
    Notice,
    Penalty,
    Person,
    Playoff,
    PrizePayout,
    Ranking,
    Receipt,
    Registration,
    Role,
    Season,
    SeatSpan,
    Separation,
    Serie,
    Signature,
    Spielliste,
    Team,
    TeamMember,
    Tournament,
    User,
)
from tournaments.models.journal import GENESIS
from tournaments.results.queries.rankings import OVERALL, Rankings

DATA = Path(__file__).parent / "data"
pytestmark = pytest.mark.django_db
Status = Spielliste.Status

# Kept, and in no archive, for the reason beside it.
NOT_IN_AN_ARCHIVE = {
    "Ban": "belongs to a person, not to a tournament",
    "Invitation": "a secret link of this installation",
    "Job": "work that is over",
    "JournalChain": "goes out with its entries",
    "JournalEntry": "goes out in the section journal",
    "ArchivedJournal": "goes out in the section journal",
    "Origin": "goes out in the seal",
    "PersonImport": "a file that is being taken over, gone within a day",
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


def everything(tournament_status=Tournament.Status.RUNNING):
    """A tournament with a row of nearly every kind in it."""
    now = timezone.now()
    tournament = make_tournament(serien=2)
    head = make_member(tournament, Role.SPIELLEITUNG, username="leitung")
    clubs = [make_club("SC Altenburg"), make_club("Rommé-Freunde Öd")]
    players = [
        make_registration(
            tournament,
            make_person(f"Vor{number}", f"Nachname{number}", club=clubs[number % 2]),
        )
        for number in range(1, 9)
    ]
    make_registration(tournament, number=None, status=Registration.Status.REGISTERED)
    tandem = Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.TANDEM, size=2)
    team = Team.objects.create(ranking=tandem, name="Asse")
    for player in players[:2]:
        TeamMember.objects.create(team=team, ranking=tandem, registration=player)
        player.rankings.add(tandem)
    Separation.objects.create(tournament=tournament, first=players[2], second=players[3])
    till.book_free(
        tournament_id=tournament.pk,
        kind=CashEntry.Kind.OPENING,
        amount_cents=5000,
        method=Receipt.Method.CASH,
        text="Wechselgeld",
        actor=Actor.account(head),
    )
    serie = make_seated_serie(tournament, [players[:4], players[4:]])
    Draw.objects.create(
        serie=serie,
        number=1,
        status=Draw.Status.PUBLISHED,
        method=Serie.Seating.CARDS,
        seats=[[one.pk for one in players[:4]], [one.pk for one in players[4:]]],
        crossings=[[players[0].pk, 1, 2, 1]],
        published_at=now,
        published_by=head,
    )
    first = write_games(list_of(serie, 1), status=Status.VERIFIED)
    first.verified_by = head
    first.save()
    write_games(list_of(serie, 2), FOUR[:5], status=Status.INVALID)
    game = first.games.get(number=3)
    game.line = {**game.line, "finisher": [3, 4], "minus": [27, [35, 85], 0, 22]}
    game.overridden = True
    game.save()
    Penalty.objects.create(
        spielliste=first,
        registration=players[1],
        points=100,
        reason="§ 8.3",
        status=Penalty.Status.GIVEN,
        decided_at=now,
        decided_by=head,
    )
    Penalty.objects.create(spielliste=first, registration=players[2], points=150, reason="Frage")
    Signature.objects.create(
        spielliste=first,
        registration=players[0],
        version=12,
        method=Signature.Method.PAPER,
        signed_at=now,
    )
    SeatSpan.objects.create(spielliste=first, seat=1, last_game=2, registration=players[4])
    Bussgeld.objects.create(spielliste=first, registration=players[0], due_cents=150)
    Call.objects.create(table=first.table, kind=Call.Kind.DISPUTE)
    case = Case.objects.create(
        tournament=tournament, spielliste=first, kind=Case.Kind.CORRECTION, text="Zeile 3", game=3
    )
    correction = Correction.objects.create(
        tournament=tournament,
        number=1,
        spielliste=first,
        kind=Correction.Kind.LINE,
        before={"z": 1, "a": 2},
        after={"a": 3},
        reason="verschrieben",
        case=case,
        created_by=head,
    )
    Notice.objects.create(correction=correction, registration=players[1])
    Playoff.objects.create(tournament=tournament, order=[6, 2], created_by=head)
    Playoff.objects.create(tournament=tournament, ranking=tandem, order=[team.pk])
    PrizePayout.objects.create(
        tournament=tournament,
        pot="startgeld",
        ranking="overall",
        registration=players[1],
        label="Platz 1: ein Korb",
        goods="ein Korb",
        handed_over_at=now,
        handed_over_by=head,
    )
    Registration.objects.filter(pk=players[7].pk).update(status=Registration.Status.EXCLUDED)
    Tournament.objects.filter(pk=tournament.pk).update(status=tournament_status)
    tournament.refresh_from_db()
    return tournament


def test_every_model_is_in_the_archive_or_has_its_reason():
    written = {
        section.model.__name__ for section in (*sections.DETAILS, *sections.BEFORE, *sections.AFTER)
    }
    known = {model.__name__ for model in apps.get_app_config("tournaments").get_models()}

    assert known - written - set(NOT_IN_AN_ARCHIVE) == set()


def exported_from_elsewhere(make):
    """Export a tournament, then undo that it ever was in this database."""
    with transaction.atomic():
        text = archive_text(make())
        transaction.set_rollback(True)
    return text


@world
def elsewhere():
    """The archive of everything; the database has nothing of it."""
    return exported_from_elsewhere(everything)


@pytest.mark.parametrize("status", [Tournament.Status.RUNNING, Tournament.Status.CLOSED])
def test_a_tournament_with_everything_in_it_comes_back_to_the_byte(status):
    first = exported_from_elsewhere(lambda: everything(status))

    tournament = import_archive(first.encode(), actor=COMMAND)

    assert archive_text(tournament) == first
    assert tournament.status == status
    assert tournament.serien.count() == 2


def test_who_is_there_comes_back_and_a_file_from_before_that_was_noted_stays_as_it_is():
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


def test_what_was_imported_can_go_on_being_played(elsewhere):
    tournament = import_archive(elsewhere.encode(), actor=COMMAND)

    standings = Rankings(tournament).standings(OVERALL, upto=1)

    # Number 5 has the first two games of the seat: 0 + 31 − 20.
    assert [(line.number, line.total) for line in standings[:1]] == [(5, 11)]
    assert list_of(tournament.serien.get(number=1), 1).table.access.token_hash


def test_the_journal_comes_along_and_still_proves_itself(elsewhere):
    tournament = import_archive(elsewhere.encode(), actor=COMMAND)

    assert list(journal.first_breaks()) == []
    archived = ArchivedJournal.objects.get(tournament=tournament)
    archived.entries[0]["reason"] = "nachgetragen"
    archived.save()
    assert [found.number for found in journal.first_breaks()] == [1]


def test_a_file_whose_journal_was_changed_is_refused(elsewhere):
    data = unsealed(elsewhere)
    data["journal"][0]["entries"][0]["reason"] = "nachgetragen"

    with pytest.raises(ScoringError, match="nicht unversehrt: Eintrag 1 wurde verändert"):
        import_archive(json.dumps(data).encode(), actor=COMMAND)

    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    ("field", "value"), [("before", []), ("at", "gestern"), ("at", "2026-10-03T09:00:00")]
)
def test_an_entry_that_no_page_could_read_is_refused(field, value, elsewhere):
    data = unsealed(elsewhere)
    chain = data["journal"][0]
    previous = GENESIS
    chain["entries"][0][field] = value
    for entry in chain["entries"]:  # sealed anew, as whoever makes up a file would
        facts = {key: one for key, one in entry.items() if key != "hash"} | {"previous": previous}
        previous = journal.seal(facts, chain["scope"])
        entry.update(previous=facts["previous"], hash=previous)

    with pytest.raises(ScoringError) as refused:
        import_archive(json.dumps(data).encode(), actor=COMMAND)

    assert refused.value.problems[0].where == f"journal[0].entries[0].{field}"


def test_accounts_of_the_file_can_name_who_acted_but_not_log_in(elsewhere):
    import_archive(elsewhere.encode(), actor=COMMAND)

    user = User.objects.get(username="leitung")
    assert not user.is_active
    assert not user.has_usable_password()


def test_the_example_gives_the_expected_ranking():
    data = (DATA / "archive-23x3.json").read_bytes()
    expected = json.loads((DATA / "archive-23x3.standings.json").read_text())

    tournament = import_archive(data, actor=COMMAND)

    found = [
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
    assert found == expected


def test_the_required_part_alone_is_exported_as_it_came():
    data = json.loads((DATA / "archive-23x3.json").read_bytes())

    tournament = import_archive(json.dumps(data).encode(), actor=COMMAND)

    written = archive_of(tournament)
    assert {key: written[key] for key in data} == data


def test_export_import_export_from_the_required_part_alone_is_the_same():
    def made():
        return import_archive((DATA / "archive-23x3.json").read_bytes(), actor=COMMAND)

    first = exported_from_elsewhere(made)
    tournament = import_archive(first.encode(), actor=COMMAND)

    assert archive_text(tournament) == first


def test_a_slug_that_exists_is_refused_unless_it_is_to_be_replaced():
    data = (DATA / "archive-23x3.json").read_bytes()
    old = import_archive(data, actor=COMMAND)
    season = Season.objects.create(slug="pokal", name="Pokal", created_by=make_user())
    season.tournaments.add(old)

    with pytest.raises(ScoringError, match="gibt es schon"):
        import_archive(data, actor=COMMAND)
    new = import_archive(data, actor=COMMAND, replace=True)

    old.refresh_from_db()
    assert new.slug == "beispiel"
    assert old.slug.startswith("beispiel-ersetzt-")
    assert old.replaced_at is not None
    assert old.journal_chain.entries.get().action == "tournament_replaced"
    assert season.tournaments.get() == new
    # The same persons play in both.
    assert Person.objects.count() == 23


@pytest.mark.parametrize(
    ("change", "where"),
    [
        pytest.param(lambda d: d.update(format="anders"), "format", id="another format"),
        pytest.param(lambda d: d.update(version=2), "version", id="a later version"),
        pytest.param(lambda d: d.pop("clubs"), "clubs", id="a section is missing"),
        pytest.param(
            lambda d: d["tournament"].update(date="3. Oktober"), "tournament.date", id="a date"
        ),
        pytest.param(
            lambda d: d["tournament"].update(rule_set="skat"), "tournament.rule_set", id="rules"
        ),
        pytest.param(
            lambda d: d["registrations"][1].update(number=1),
            "registrations[1].number",
            id="a start number twice",
        ),
        pytest.param(
            lambda d: d["registrations"][1].update(club="FC Nirgends"),
            "registrations[1].club",
            id="an unknown club",
        ),
        pytest.param(
            lambda d: d["series"][0]["tables"][0]["seats"].__setitem__(0, 99),
            "series[0].tables[0].seats[0]",
            id="an unknown start number at a table",
        ),
        pytest.param(
            lambda d: d["series"][0]["tables"][0]["seats"].__setitem__(0, 14),
            "series[0].tables[0].seats[1]",
            id="somebody at two places",
        ),
        pytest.param(
            lambda d: d["series"][0]["tables"][0]["list"]["games"][0]["minus"].__setitem__(0, 1),
            "series[0].tables[0].list.games[0].minus[0]",
            id="an impossible hand",
        ),
        pytest.param(
            lambda d: d["series"][0]["tables"][0]["list"].update(status="fertig"),
            "series[0].tables[0].list.status",
            id="an unknown status",
        ),
        pytest.param(
            lambda d: d["series"][0]["tables"][0]["list"]["games"].pop(),
            "series[0].tables[0].list.status",
            id="a verified list short of games",
        ),
        pytest.param(
            lambda d: d["registrations"][0].update(paid_cents=-500),
            "registrations[0].paid_cents",
            id="a negative payment",
        ),
        pytest.param(
            lambda d: d["tournament"].update(slug="neu"),
            "tournament.slug",
            id="an address of the program",
        ),
        pytest.param(
            lambda d: d["playoffs"].append({"order": [1, 99]}),
            "playoffs[0].order[1]",
            id="a playoff of somebody unknown",
        ),
        pytest.param(
            lambda d: d["registrations"][0].update(last_name="A\x00"),
            "registrations[0].last_name",
            id="a character that no database keeps",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_place_and_nothing_is_stored(change, where):
    data = json.loads((DATA / "archive-23x3.json").read_bytes())
    change(data)

    with pytest.raises(ScoringError) as refusal:
        import_archive(json.dumps(data).encode(), actor=COMMAND)

    assert where in [problem.where for problem in refusal.value.problems]
    assert not Tournament.objects.exists()
    assert not Person.objects.exists()


def test_sections_that_contradict_the_required_part_are_refused(elsewhere):
    data = unsealed(elsewhere)
    data["series"][0]["tables"][0]["list"]["penalties"][0]["points"] = 150

    with pytest.raises(ScoringError) as refusal:
        import_archive(json.dumps(data).encode(), actor=COMMAND)

    assert [problem.where for problem in refusal.value.problems] == [
        "series[0].tables[0].list.penalties[0].points"
    ]


def test_a_section_can_be_left_out(elsewhere):
    data = unsealed(elsewhere)
    for name in ("notices", "journal", "signatures", "calls"):
        del data[name]

    tournament = import_archive(json.dumps(data).encode(), actor=COMMAND)

    assert tournament.corrections.count() == 1


def test_the_commands_write_and_read_a_file(tmp_path, elsewhere):
    out = StringIO()
    file = tmp_path / "turnier.json"
    file.write_text(elsewhere, encoding="utf-8")

    call_command("import_archive", str(file), stdout=out)
    written = StringIO()
    call_command("export_archive", json.loads(elsewhere)["tournament"]["slug"], stdout=written)

    assert written.getvalue() == elsewhere
    assert json.loads(out.getvalue())["registrations"] == 9


def test_the_command_says_that_a_file_has_no_seal(capfd):
    call_command("import_archive", str(DATA / "archive-23x3.json"))

    assert "kam aus einer Datei ohne Siegel" in capfd.readouterr().err


def test_the_command_refuses_an_unknown_tournament_in_json():
    errors = StringIO()

    with pytest.raises(SystemExit) as end:
        call_command("export_archive", "gibtsnicht", stderr=errors)

    assert end.value.code == 2
    assert json.loads(errors.getvalue())["errors"][0]["where"] == "slug"


@pytest.mark.parametrize("command", ["export_archive", "import_archive"])
@pytest.mark.parametrize("problem", [OperationalError, InterfaceError, PermissionError])
def test_a_database_out_of_reach_is_told_without_a_traceback(command, problem, monkeypatch):
    def fail():
        raise problem("unable to open database file")

    monkeypatch.setattr(base, "bring_up_to_date", fail)

    assert "nicht erreichbar" in refused_by(command, "herbst")


@pytest.mark.parametrize("command", ["export_archive", "standings"])
def test_a_database_of_a_newer_version_is_told_apart(command):
    MigrationRecorder(connection).record_applied("tournaments", "0999_from_tomorrow")

    assert "von einer neueren Fassung des Programms (0999_from_tomorrow)" in refused_by(
        command, "herbst"
    )


def refused_by(command, *arguments):
    errors, answer = StringIO(), StringIO()
    with pytest.raises(SystemExit) as end:
        call_command(command, *arguments, stderr=errors, stdout=answer)
    assert (end.value.code, answer.getvalue()) == (2, "")
    return json.loads(errors.getvalue())["errors"][0]["message"]


def test_times_keep_their_microseconds(elsewhere):

    tournament = import_archive(elsewhere.encode(), actor=COMMAND)

    told = json.loads(elsewhere)["tournament_details"][0]["starts_at"]
    assert tournament.starts_at.isoformat(timespec="microseconds") == told
    assert tournament.starts_at.utcoffset() == timedelta(0)


@pytest.mark.parametrize("as_now", [True, False], ids=["of now", "of an earlier version"])
def test_what_was_said_about_names_in_the_hall_comes_along(as_now):
    def made():
        tournament = everything()
        Tournament.objects.filter(pk=tournament.pk).update(names_in_hall=as_now)
        Person.objects.filter(last_name="Nachname3").update(hall_objection=as_now)
        return Tournament.objects.get(pk=tournament.pk)

    text = exported_from_elsewhere(made)
    tournament = import_archive(text.encode(), actor=COMMAND)

    assert ("names_in_hall" in text, "hall_objection" in text) == (as_now, as_now)
    assert tournament.names_in_hall is as_now
    assert Person.objects.get(last_name="Nachname3").hall_objection is as_now
    assert archive_text(tournament) == text


def test_more_registrations_take_hardly_more_statements():
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


def test_two_persons_of_one_name_stay_two():
    tournament = make_tournament()
    for _twice in range(2):
        make_registration(tournament, make_person("Anna", "Kühn"))
    text = archive_text(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(slug="fort")

    read = import_archive(text.encode(), actor=COMMAND)

    assert read.registrations.values("person").distinct().count() == 2
