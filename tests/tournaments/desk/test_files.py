"""Registrations from a file: every doubtful row named, stored at once, undone as one."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.clients import Client, at, logged_in
from tests.factories import (
    COMMAND,
    make_ban,
    make_club,
    make_member,
    make_person,
    make_registration,
    make_tournament,
    make_user,
)
from tests.factories_lists import make_seated_serie
from tests.factories_results import make_team
from tests.tournaments.desk.online.helpers import make_ranking
from tests.worlds import world
from tournaments.common.errors import Conflict, TournamentError
from tournaments.desk.queries import files as queries
from tournaments.desk.queries.ranking_members import questions
from tournaments.desk.services import files
from tournaments.desk.services.file_plan import COLUMNS, RegistrationPlan, plan_of
from tournaments.desk.services.registrations import Payment, pay
from tournaments.journal import services as journal
from tournaments.machine import sheets
from tournaments.models import (
    Club,
    JournalEntry,
    Person,
    PersonImport,
    Ranking,
    Registration,
    Role,
    Team,
    Tournament,
)
from tournaments.people.services import columns
from tournaments.people.services.importing import choose_columns, decide, store_rows
from tournaments.people.services.plan import OTHER, SKIP, KnownPersons

pytestmark = pytest.mark.django_db

HEADINGS = "Nachname;Vorname;Verein;Jahrgang;Mannschaft;Tandem;Wertung"
TWELVE = (
    "Adler;Anna;SC Altenburg;1950;Altenburg I;;",
    "Berg;Bernd;SC Altenburg;1951;Altenburg I;;",
    "Conrad;Clara;SC Altenburg;1952;Altenburg I;;Damen",
    "Dorn;Dieter;SC Altenburg;1953;Altenburg I;;",
    "Engel;Eva;SC Altenburg;1954;Altenburg II;;",
    "Falk;Fritz;SC Altenburg;1955;Altenburg II;;",
    "Graf;Gerda;SC Altenburg;1956;altenburg - ii;;",
    "Horn;Hans;SC Altenburg;1957;Altenburg II;;",
    "Igel;Ida;SC Altenburg;1958;;Jahn, Jens;",
    "Jahn;Jens;SC Altenburg;1959;;;",
    "Kranz;Karl;SC Altenburg;1960;;;",
    "Lang;Lotte;SC Altenburg;1961;;;Damen",
)


def make_world() -> Tournament:
    """A tournament with teams of four, tandems and a ranking of women; its club is known."""
    tournament = make_tournament(starts_at=timezone.now() + timedelta(days=7))
    make_ranking(tournament, Ranking.Kind.TEAM, size=4, stake_cents=500)
    make_ranking(tournament, Ranking.Kind.TANDEM)
    make_ranking(tournament, Ranking.Kind.WOMEN)
    make_club("SC Altenburg")
    return tournament


tournament = world(make_world)


def upload(tournament: Tournament, *lines: str, headings: str = HEADINGS) -> PersonImport:
    return store_rows(
        rows=sheets.read("\n".join([headings, *lines]).encode()),
        file_name="meldungen.csv",
        user=make_user(),
        columns=COLUMNS,
        within=tournament,
    )


def answer(draft: PersonImport, decisions: dict[int, str]) -> None:
    decide(draft=draft, known=KnownPersons.LEAVE, decisions=decisions, mended={})


def store(tournament: Tournament, draft: PersonImport, **fields: Any) -> list[Registration]:
    mark = plan_of(draft, tournament).fingerprint
    return files.register_from_file(
        COMMAND, tournament.pk, draft_id=draft.pk, fingerprint=mark, **fields
    )


def said(plan: RegistrationPlan) -> dict[int, str]:
    """Return the obstacles and hints of each row in the plan."""
    sentences = {
        row.number: " ".join([*(error.sentence for error in row.row.errors), *row.hints])
        for row in plan.rows
    }
    return {number: sentence for number, sentence in sentences.items() if sentence}


def members(ranking: Ranking.Kind) -> dict[str, list[str]]:
    return {
        team.name: [member.registration.person.last_name for member in team.members.order_by("pk")]
        for team in Team.objects.filter(ranking__kind=ranking).order_by("pk")
    }


def test_twelve_rows_become_registrations_with_two_teams_and_a_tandem(tournament: Tournament):
    draft = upload(tournament, *TWELVE)
    assert said(plan_of(draft, tournament)) == {}

    store(tournament, draft)

    registrations = tournament.registrations.order_by("number")
    assert [
        (registration.number, registration.status, registration.source)
        for registration in registrations
    ] == [(number, "registered", "import") for number in range(1, 13)]
    assert members(Ranking.Kind.TEAM) == {
        "Altenburg I": ["Adler", "Berg", "Conrad", "Dorn"],
        "Altenburg II": ["Engel", "Falk", "Graf", "Horn"],
    }
    assert members(Ranking.Kind.TANDEM) == {"Igel / Jahn": ["Igel", "Jahn"]}
    # The Startgeld of 15 €, in the teams with the stake of 5 €.
    assert [registration.due_cents for registration in registrations] == [2000] * 8 + [1500] * 4
    women = tournament.rankings.get(kind="women")
    assert [
        registration.person.last_name for registration in women.registrations.order_by("pk")
    ] == [
        "Conrad",
        "Lang",
    ]
    assert Club.objects.count() == 1
    assert not PersonImport.objects.exists()
    (entry,) = JournalEntry.objects.filter(action=queries.STORED)
    assert entry.after["registrations"] == [registration.pk for registration in registrations]
    assert "Adler" not in str(entry.after)
    assert JournalEntry.objects.filter(action="registered").count() == 12


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(
            ["Adler;Anna;SC Altenborg;1950"],
            {
                2: "Den Verein „SC Altenborg“ gibt es noch nicht; er wird angelegt. Meinten Sie "
                "„SC Altenburg“?"
            },
            id="an unknown club",
        ),
        pytest.param(
            ["Adler;Anna;;;Gera", "Berg;Bernd;;;Gera"],
            dict.fromkeys((2, 3), "„Gera“ ist unvollständig: 2 von 4."),
            id="a team that is incomplete",
        ),
        pytest.param(
            [f"Adler;{name};;;Gera" for name in ("Anna", "Bernd", "Clara", "Dieter", "Eva")],
            dict.fromkeys(
                range(2, 7), "„Gera“ hätte 5 Personen, möglich sind 4 (Zeilen 2, 3, 4, 5, 6)."
            ),
            id="a team that is too large",
        ),
        pytest.param(
            ["Adler;Anna;;;;Berg, Bernd", "Berg;Bernd", "Conrad;Clara;;;;Bernd Berg"],
            dict.fromkeys((2, 4), "„Tandem“ hätte 3 Personen, möglich sind 2 (Zeilen 2, 3, 4).")
            | {3: "„Tandem“ hätte 3 Personen, möglich sind 2 (Zeilen 2, 3, 4)."},
            id="a tandem of three",
        ),
        pytest.param(["Adler;Anna;;;;1", "Berg;Bernd;;;;1"], {}, id="a tandem by its number"),
        pytest.param(
            ["Adler;Anna;;;;;Herren"],
            {
                2: "„Herren“ ist hier keine Startgeldgruppe und keine Wertung. Es gibt: Damen, "
                "Erwachsene."
            },
            id="a ranking that is none",
        ),
    ],
)
def test_doubtful_rows_are_listed(
    tournament: Tournament, lines: list[str], expected: dict[int, str]
):
    assert said(plan_of(upload(tournament, *lines), tournament)) == expected


FULL = "Nachname;Vorname;Jahrgang;Geschlecht;Wertung"


def test_eligible_people_of_a_file_join_rankings_without_a_stake(tournament: Tournament):
    """A junior from a file joins the juniors, and women need no column."""
    young = tournament.categories.create(name="Jugend", startgeld_cents=800, born_from=2008)
    juniors = make_ranking(tournament, Ranking.Kind.JUNIORS, born_from=2008)
    women = tournament.rankings.get(kind="women")
    lines = ["Böttcher;Lea;2009;w;", "Adler;Anna;1950;w;ohne Damen", "Vogt;Paul;2008;m;"]

    lea, _anna, paul = store(tournament, upload(tournament, *lines, headings=FULL))

    assert [person.category for person in (lea, paul)] == [young, young]
    assert set(juniors.registrations.all()) == {lea, paul}
    assert list(women.registrations.all()) == [lea]
    assert questions(tournament) == []


def test_an_unsuitable_ranking_stops_the_row(tournament: Tournament):
    draft = upload(tournament, "Vogt;Paul;1950;m;Damen", headings=FULL)

    assert said(plan_of(draft, tournament)) == {
        2: "„Damen“ passt nicht zu Jahrgang oder Geschlecht."
    }


def test_known_banned_and_registered_persons_are_named(tournament: Tournament):
    club = Club.objects.get()
    anna = make_person("Anna", "Adler", club=club)
    make_registration(tournament, anna)
    bernd = make_person("Bernd", "Berg", club=club)
    make_ban(bernd, "Betrug", starts_on=timezone.localdate())
    clara = make_person("Clara", "Conrad", club=club)
    make_registration(tournament, clara, status=Registration.Status.WITHDRAWN)
    draft = upload(
        tournament,
        "Adler;Anna;SC Altenburg",
        "Berg;Bernd;SC Altenburg",
        "Conrad;Clara;SC Altenburg",
    )

    plan = plan_of(draft, tournament)

    assert [row.state.value for row in plan.rows] == ["bad", "bad", "same"]
    assert said(plan) == {
        2: "Anna Adler ist schon mit Nr. 1 bezahlt.",
        3: "Bernd Berg ist gesperrt (§ 1.4): Betrug. Aufheben kann die Sperre, wer das Programm "
        "verwaltet.",
        4: "Ist abgemeldet und wird wieder angemeldet.",
    }
    with pytest.raises(TournamentError, match="2 Zeilen, zuerst Zeile 2"):
        store(tournament, draft)
    answer(draft, {2: SKIP, 3: SKIP})

    store(tournament, draft)

    again = clara.registrations.get()
    assert (again.number, again.status) == (2, "registered")


def test_similar_and_repeated_persons_are_questions(tournament: Tournament):
    anna = make_person("Anna", "Kühn", club=Club.objects.get())
    draft = upload(tournament, "Kühm;Anna;SC Altenburg", "Berg;Bernd;;1950", "Berg;Bernd;;1950")

    kuehm, _first, second = plan_of(draft, tournament).rows
    assert (kuehm.state.value, kuehm.candidates) == ("question", [anna])
    assert (second.state.value, second.repeats) == ("question", 3)
    answer(draft, {2: str(anna.pk), 4: OTHER})
    store(tournament, draft)

    names = [
        registration.person.last_name
        for registration in tournament.registrations.order_by("number")
    ]
    assert names == ["Kühn", "Berg", "Berg"]
    assert Person.objects.count() == 3


def test_people_of_a_file_beyond_the_places_wait(tournament: Tournament):
    tournament.places = 2
    tournament.save()
    make_registration(tournament)
    draft = upload(tournament, "Adler;Anna", "Berg;Bernd", "Conrad;Clara")

    told = "Kein Platz ist mehr frei: kommt auf die Warteliste."
    assert said(plan_of(draft, tournament)) == {3: told, 4: told}
    stored = store(tournament, draft)

    assert [registration.status for registration in stored] == ["registered", "waiting", "waiting"]


def test_circle_and_deadline_apply_to_a_file_as_at_the_desk(tournament: Tournament):
    tournament.is_open, tournament.admission = False, Tournament.Admission.LISTED
    tournament.circle_clubs, tournament.closed_circle = "SC Altenburg", "Vereine in Thüringen"
    tournament.registration_deadline = timezone.now() - timedelta(days=1)
    tournament.save()
    draft = upload(tournament, "Adler;Anna;SC Altenburg", "Berg;Bernd;")

    assert "Bernd Berg gehört nicht zum Teilnehmerkreis" in said(plan_of(draft, tournament))[3]
    answer(draft, {3: SKIP})
    with pytest.raises(TournamentError, match=r"Zeile 2: Der Meldeschluss ist vorbei"):
        store(tournament, draft)

    (anna,) = store(tournament, draft, late_reason="Post verspätet")
    assert (anna.admission, anna.late_reason) == ("Mitglied von SC Altenburg", "Post verspätet")


def test_a_refusal_at_the_last_row_stores_nothing(tournament: Tournament):
    draft = upload(tournament, *TWELVE)
    mark = plan_of(draft, tournament).fingerprint
    make_registration(tournament, make_person("Lotte", "Lang", birth_year=1961))

    with pytest.raises(TournamentError):
        files.register_from_file(COMMAND, tournament.pk, draft_id=draft.pk, fingerprint=mark)

    assert tournament.registrations.count() == 1
    assert not Team.objects.exists()


def test_a_file_is_undone_whole_and_can_be_imported_again(tournament: Tournament):
    store(tournament, upload(tournament, *TWELVE))
    (entry,) = queries.stored_files(tournament)

    assert files.take_back_file(COMMAND, tournament.pk, entry_id=entry.pk) == 12

    assert {registration.status for registration in tournament.registrations.all()} == {"withdrawn"}
    assert not Team.objects.exists()
    assert queries.stored_files(tournament) == []
    with pytest.raises(Conflict):
        files.take_back_file(COMMAND, tournament.pk, entry_id=entry.pk)

    stored = store(tournament, upload(tournament, *TWELVE))
    assert [registration.number for registration in stored] == list(range(1, 13))
    assert Person.objects.count() == 12
    assert len(members(Ranking.Kind.TEAM)) == 2


def test_undoing_a_file_removes_its_team_members(tournament: Tournament):
    there = [make_registration(tournament, make_person("Uwe", name)) for name in ("Uhl", "Urban")]
    make_team(tournament.rankings.get(kind=Ranking.Kind.TEAM), "Altenburg I", there)
    draft = upload(tournament, "Adler;Anna;;1950;altenburg i", "Berg;Bernd;;1951;Altenburg I")
    known = "Kommt zu „Altenburg I“ dazu, das es schon gibt."
    assert said(plan_of(draft, tournament)) == {2: known, 3: known}

    store(tournament, draft)
    assert members(Ranking.Kind.TEAM) == {"Altenburg I": ["Uhl", "Urban", "Adler", "Berg"]}

    (entry,) = queries.stored_files(tournament)
    files.take_back_file(COMMAND, tournament.pk, entry_id=entry.pk)
    assert members(Ranking.Kind.TEAM) == {"Altenburg I": ["Uhl", "Urban"]}


def test_paid_or_drawn_people_prevent_undoing_a_file(tournament: Tournament):
    stored = store(tournament, upload(tournament, "Adler;Anna", "Berg;Bernd", "Conrad;Clara"))
    pay(COMMAND, stored[0].pk, payment=Payment())
    Registration.objects.filter(pk=stored[1].pk).update(status="paid")
    others = [make_registration(tournament) for _other in "abc"]
    make_seated_serie(tournament, [[stored[1], *others]])
    (entry,) = queries.stored_files(tournament)

    with pytest.raises(
        TournamentError, match=r"Adler, Anna \(hat bezahlt\); Berg, Bernd \(ist ausg"
    ):
        files.take_back_file(COMMAND, tournament.pk, entry_id=entry.pk)

    assert stored[2].status == "registered"


@pytest.mark.parametrize(
    "headings",
    [
        "Name;Vorname;Verein;Jahrgang;E-Mail;Telefon;Mannschaft;Tandem;Gruppe;Wertung;Verein zahlt",
        "Surname;First name;Club;Birth year;E-mail;Phone;Team;Tandem;Group;Ranking;Paid by club",
    ],
)
def test_headings_are_known_in_both_languages(headings: str):
    assert columns.guess(headings.split(";"), COLUMNS) == [
        *("last_name", "first_name", "club", "birth_year", "email", "phone", "team", "tandem"),
        *("category", "rankings", "club_pays"),
    ]


def test_the_preview_needs_a_constant_number_of_queries(tournament: Tournament):
    def queries_of(number: int) -> int:
        lines = [f"Muster{n * 11};Anna;Verein {n};;Team {n // 4}" for n in range(number)]
        draft = upload(tournament, *lines)
        draft = PersonImport.objects.get(pk=draft.pk)
        with CaptureQueriesContext(connection) as asked:
            plan_of(draft, Tournament.objects.get(pk=tournament.pk))
        return len(asked)

    assert queries_of(200) == queries_of(2)


def at_the_desk(tournament: Tournament) -> Client:
    return logged_in(make_member(tournament, Role.KASSE))


def send(client: Client, tournament: Tournament, *lines: str) -> PersonImport:
    file = SimpleUploadedFile("meldungen.csv", "\n".join([HEADINGS, *lines]).encode())
    client.post(at("desk:import", tournament), {"file": file})
    return PersonImport.objects.latest("pk")


def url(name: str, tournament: Tournament, draft: PersonImport) -> str:
    return at(f"desk:import_{name}", tournament, draft.pk)


def test_a_file_is_imported_and_undone_on_the_pages(tournament: Tournament):
    client = at_the_desk(tournament)
    first = at("desk:import", tournament)
    assert first in client.read(at("desk:list", tournament))
    draft = send(client, tournament, "Adler;Anna;SC Gera;;Gera", "Berg;Bernd;;1850")
    assert "Mannschaft" in client.read(url("columns", tournament, draft))

    page = client.read(url("preview", tournament, draft))
    assert "1850 liegt nicht zwischen" in page
    assert "Den Verein „SC Gera“ gibt es noch nicht" in page
    client.post(url("preview", tournament, draft), {"shown": "3", "skip-3": "1"})
    mend = {"shown": "2", "cell-2-club": "SC Altenburg", "cell-2-team": ""}
    client.post(url("preview", tournament, draft), mend)
    ready = client.get(url("preview", tournament, draft))
    assert ready.context["plan"].doubts == []
    shown = ready.context["plan"].fingerprint
    done = client.post(url("carry_out", tournament, draft), {"fingerprint": shown}, follow=True)
    assert "1 Meldung gespeichert." in done.content.decode()
    assert tournament.registrations.get().club == Club.objects.get()

    (entry,) = done.context["stored"]
    back = at("desk:import_take_back", tournament, entry.pk)
    assert "1 Meldung zurückgenommen." in client.post(back, follow=True).content.decode()
    assert tournament.registrations.get().status == "withdrawn"


def test_a_file_of_registrations_is_not_a_bank_statement(tournament: Tournament):
    draft = send(at_the_desk(tournament), tournament, "Adler;Anna")

    assert at_the_desk(tournament).get(url("preview", tournament, draft)).status_code == 200
    bank = at("cash:columns", tournament, draft.pk)
    assert at_the_desk(tournament).get(bank).status_code == 404


def test_a_closed_tournament_refuses_a_file(tournament: Tournament):
    client = at_the_desk(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(status=Tournament.Status.CLOSED)

    page = client.read(at("desk:import", tournament))
    assert "Das Turnier ist abgeschlossen" in page
    assert 'type="file"' not in page


def test_people_paid_by_their_club_are_collected_together(tournament: Tournament):
    draft = upload(
        tournament, "Adler;Anna;ja", "Berg;Bernd;", headings="Nachname;Vorname;Verein zahlt"
    )
    anna, _bernd = store(tournament, draft)

    page = at_the_desk(tournament).read(at("desk:import", tournament))

    assert f'?mit={anna.pk}"' in page


def many(number: int, *, team: str = "") -> list[str]:
    """Rows of different persons; the first and the last in one team."""
    teams = {0: team, number - 1: team}
    return [f"{name(at)};Vor;;1950;{teams.get(at, '')}" for at in range(number)]


def name(at: int) -> str:
    """A name that is no slip of another one."""
    return "N" + 3 * chr(97 + at // 10) + 3 * chr(97 + at % 10)


def parts_of(tournament: Tournament) -> list[int]:
    (file,) = queries.stored_files(tournament)
    return [len(part.after["registrations"]) for part in file.parts]


def stop_after_a_part(tournament: Tournament, draft: PersonImport) -> str:
    """Store one part, then stop as after a crash; return the fingerprint."""
    mark = plan_of(draft, tournament).fingerprint
    more = {"draft_id": draft.pk, "fingerprint": mark, "late_reason": ""}
    assert files.register_part(COMMAND, tournament.pk, **more) is None
    draft.refresh_from_db()
    return mark


def test_a_long_file_is_stored_in_parts(tournament: Tournament):
    stored = store(tournament, upload(tournament, *many(120, team="Gera")))

    assert [registration.number for registration in stored] == list(range(1, 121))
    assert parts_of(tournament) == [50, 50, 20]
    assert members(Ranking.Kind.TEAM) == {"Gera": [name(0), name(119)]}
    assert list(journal.first_breaks()) == []
    (file,) = queries.stored_files(tournament)
    assert files.take_back_file(COMMAND, tournament.pk, entry_id=file.pk) == 120
    assert queries.stored_files(tournament) == []


def test_each_part_is_a_transaction_of_its_own(tournament: Tournament):
    draft = upload(tournament, *many(120))

    with CaptureQueriesContext(connection) as statements:
        store(tournament, draft)

    # Each part writes once to the chain: all its entries together.
    assert sum('UPDATE "tournaments_journalchain"' in each["sql"] for each in statements) == 3


def test_an_interrupted_file_continues_without_duplicates(tournament: Tournament):
    draft = upload(tournament, *many(60))
    mark = stop_after_a_part(tournament, draft)
    assert tournament.registrations.count() == 50
    counts = plan_of(draft, tournament).counts
    assert (counts["stored"], counts["new"]) == (50, 10)

    sent_again = files.register_from_file(
        COMMAND, tournament.pk, draft_id=draft.pk, fingerprint=mark
    )
    and_again = files.register_from_file(
        COMMAND, tournament.pk, draft_id=draft.pk, fingerprint=mark
    )

    assert len(sent_again) == len(and_again) == tournament.registrations.count() == 60
    assert Person.objects.count() == 60
    assert parts_of(tournament) == [50, 10]


def test_namesakes_in_two_parts_are_two_persons(tournament: Tournament):
    rows = [f"Kühn;Anna;SC {at:02};;" for at in range(60)]

    store(tournament, upload(tournament, *rows))

    assert Person.objects.count() == tournament.registrations.count() == 60


def test_a_partial_import_reports_the_number_of_stored_rows(
    tournament: Tournament,
):
    client = at_the_desk(tournament)
    draft = send(client, tournament, *many(60))
    mark = stop_after_a_part(tournament, draft)
    make_person("Vor", name(55), birth_year=1950)

    answer = client.post(url("carry_out", tournament, draft), {"fingerprint": mark})

    assert answer.status_code == 409
    page = " ".join(answer.content.decode().split())
    assert "50 Personen aus dieser Datei sind schon gemeldet." in page
    shown = answer.context["plan"].fingerprint
    done = client.post(url("carry_out", tournament, draft), {"fingerprint": shown}, follow=True)
    assert "60 Meldungen gespeichert." in done.content.decode()
    again = client.post(url("carry_out", tournament, draft), {"fingerprint": shown}, follow=True)
    assert "60 Meldungen gespeichert." in again.content.decode()
    assert Person.objects.count() == tournament.registrations.count() == 60


def test_an_interrupted_file_can_be_discarded_or_undone(tournament: Tournament):
    client = at_the_desk(tournament)
    draft = send(client, tournament, *many(60))
    stop_after_a_part(tournament, draft)

    page = client.post(url("discard", tournament, draft), follow=True)
    assert "Gemeldet sind 50 Personen." in page.content.decode()
    (file,) = page.context["stored"]
    client.post(at("desk:import_take_back", tournament, file.pk))

    assert {registration.status for registration in tournament.registrations.all()} == {"withdrawn"}


def test_an_undone_file_does_not_continue(tournament: Tournament):
    draft = upload(tournament, *many(60))
    mark = stop_after_a_part(tournament, draft)
    (file,) = queries.stored_files(tournament)

    files.take_back_file(COMMAND, tournament.pk, entry_id=file.pk)

    with pytest.raises(Conflict):
        files.register_from_file(COMMAND, tournament.pk, draft_id=draft.pk, fingerprint=mark)


def test_columns_chosen_again_keep_stored_rows(tournament: Tournament):
    draft = upload(tournament, *many(60))
    stop_after_a_part(tournament, draft)

    choose_columns(
        draft=draft, heading_row=1, columns=draft.choices["columns"], known=KnownPersons.LEAVE
    )

    assert plan_of(draft, tournament).counts["stored"] == 50
