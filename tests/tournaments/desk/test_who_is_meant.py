"""Enter at the desk selects the typed person, but no one among namesakes."""

from __future__ import annotations

import re

import pytest

from tests.clients import Client, at
from tests.factories import make_club, make_member, make_person, make_registration, make_tournament
from tests.worlds import world
from tournaments.models import Person, Role, Tournament

pytestmark = pytest.mark.django_db

tournament = world(make_tournament)


@pytest.fixture
def client(client: Client, tournament: Tournament) -> Client:
    client.force_login(make_member(tournament, Role.KASSE))
    return client


def read(client: Client, tournament: Tournament, typed: str) -> str:
    answer = client.read(at("desk:desk", tournament), {"q": typed})
    return " ".join(answer.split())


def rows(page: str) -> list[tuple[str, str]]:
    """The classes and the name of each row."""
    above = page.split('id="recent"', maxsplit=1)[0]
    results = re.findall(r'<li class="(result[^"]*)">(.*?)</li>', above)
    named = [(kind, re.search(r"result-name[^>]*>([^<]*)<", row)) for kind, row in results]
    return [(kind, name[1].strip()) for kind, name in named if name]


def chosen(page: str) -> list[str]:
    return [name for kind, name in rows(page) if "is-selected" in kind]


@pytest.mark.parametrize("typed", ["berg", "berg karl", "Berg, Karl", "karl berg"])
@pytest.mark.parametrize("paid", ["Berg", "Berger"])
def test_an_exact_name_is_first_even_if_paid(
    client: Client, tournament: Tournament, typed: str, paid: str
):
    people = {name: make_person("Karl", name) for name in ("Berger", "Berg")}
    make_registration(tournament, people[paid], due_cents=0)

    assert chosen(read(client, tournament, typed)) == ["Berg, Karl"]


@pytest.mark.parametrize(
    ("paid", "other", "typed", "first"),
    [
        pytest.param("Karl, Anton", "Zander, Karl", "karl", "Karl, Anton", id="the last name"),
        pytest.param("Berg, Karl", "Berger, Karl", "ber", "Berger, Karl", id="who has not paid"),
    ],
)
def test_the_likelier_of_two_candidates_is_first(
    client: Client, tournament: Tournament, paid: str, other: str, *, typed: str, first: str
):
    there, _new = (make_person(*reversed(name.split(", "))) for name in (paid, other))
    make_registration(tournament, there, due_cents=0)

    assert chosen(read(client, tournament, typed)) == [first]


@pytest.fixture
def namesakes(tournament: Tournament) -> list[Person]:
    """Return Anna Schmidt of Gera, paid, and Anna Schmidt of Jena, unpaid."""
    persons = [
        make_person("Anna", "Schmidt", club=make_club(f"SC {town}")) for town in ("Gera", "Jena")
    ]
    make_registration(tournament, persons[0], due_cents=0)
    return persons


@pytest.mark.usefixtures("namesakes")
@pytest.mark.parametrize("typed", ["schmidt", "schmidt, anna", "sch"])
def test_namesakes_are_not_preselected(client: Client, tournament: Tournament, typed: str):
    page = read(client, tournament, typed)

    assert "data-undecided" in page
    assert "Mehrere heißen so: bitte mit ↓ wählen." in page
    assert chosen(page) == []
    assert [row for row in rows(page) if "shared" in row[0]] == [
        ("result shared", "Schmidt, Anna")
    ] * 2


@pytest.mark.usefixtures("namesakes")
def test_the_club_distinguishes_namesakes_and_the_other_is_shown(
    client: Client, tournament: Tournament
):
    page = read(client, tournament, "schmidt, anna, jena")

    assert [kind for kind, name in rows(page) if name == "Schmidt, Anna"] == [
        "result is-selected",
        "result meant",
    ]
    assert page.index("SC Jena") < page.index("Meinten Sie …?") < page.index("SC Gera")


@pytest.mark.usefixtures("namesakes")
def test_namesakes_of_other_clubs_are_shown_beside_a_new_person(
    client: Client, tournament: Tournament
):
    page = read(client, tournament, "Schmidt, Anna, TV Kahla")

    assert chosen(page) == ["+ Neu: „Schmidt, Anna, TV Kahla“"]
    assert [kind for kind, name in rows(page) if name == "Schmidt, Anna"] == ["result meant"] * 2
    assert "Meinten Sie …?" in page


def test_a_namesake_beyond_the_shown_ones_counts(client: Client, tournament: Tournament):
    for number in range(7):
        make_person(f"Anna{number}", "Schmidt")
    people = [make_person("Anna", "Schmidt", club=make_club(f"SC {n}")) for n in range(9)]
    make_registration(make_tournament(), people[0])  # has played, so comes first

    assert "data-undecided" in read(client, tournament, "schmidt")


def test_a_start_number_matches_one_person(
    client: Client, tournament: Tournament, namesakes: list[Person]
):
    page = read(client, tournament, "1")

    assert chosen(page) == [namesakes[0].list_name]
