"""Archives of archives: each is imported into an empty installation (formats 3)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

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
from tests.factories_lists import FOUR, list_of
from tests.tournaments.archive.helpers import unsealed
from tests.tournaments.journal.helpers import played_tournament, running_tournament
from tournaments.accounts import services as accounts
from tournaments.archive import seal
from tournaments.archive.importing import import_archive
from tournaments.archive.writing import archive_text
from tournaments.cash.services import till
from tournaments.common.actors import Actor
from tournaments.desk.services import needs
from tournaments.journal import proof
from tournaments.lists.services import spiellisten
from tournaments.models import CashEntry, Receipt, Role, Tournament, User

DATA = Path(__file__).parent / "data"
Act = Callable[[Tournament], object]
pytestmark = [pytest.mark.django_db, pytest.mark.once]


def nothing(_tournament: Tournament) -> None:
    """Change nothing: the archive is written as read."""


def give_roles(tournament: Tournament) -> None:
    """Give a role to an account that never acts; the importer becomes Veranstalter."""
    importer = make_user(name="Ines Importer")
    accounts.give_role(
        tournament=tournament, user=importer, role=Role.VERANSTALTER, actor=Actor.account(importer)
    )
    accounts.give_role(
        tournament=tournament,
        user=make_user(name="Nora Niemals"),
        role=Role.KASSE,
        actor=Actor.account(importer),
    )


def take_money(tournament: Tournament) -> None:
    """Book money as an actor without a role, as on the console."""
    till.book_free(
        Actor.account(make_user(name="Kurt Kasse"), frozenset({Role.KASSE})),
        tournament.pk,
        kind=CashEntry.Kind.OTHER,
        amount_cents=250,
        method=Receipt.Method.CASH,
        text="Spende",
    )


def written(make: Callable[[], Tournament], *, users: int = 0) -> str:
    """Write the archive of a tournament in an installation that is then gone.

    Its keys differ from those of other installations: it has another tournament, and accounts.
    """
    with transaction.atomic():
        for _number in range(users):
            make_user()
        if users:
            import_archive((DATA / "archive-23x3.json").read_bytes(), actor=COMMAND)
        text = archive_text(make())
        transaction.set_rollback(True)
    return text


def handed_on(text: str, act: Act, *, users: int) -> str:
    """Read an archive in a fresh installation, act there, and write it again."""

    def make() -> Tournament:
        tournament = import_archive(text.encode(), actor=COMMAND)
        act(tournament)
        return Tournament.objects.get(pk=tournament.pk)

    return written(make, users=users)


def facts(text: str) -> dict[str, Any]:
    """Return the content of a file without the signatures of each installation."""
    data: dict[str, Any] = json.loads(text)
    return {name: value for name, value in data.items() if name != seal.NAME}


def with_roles() -> Tournament:
    """A tournament played by the console, in which others got roles and never acted."""
    tournament = played_tournament()
    give_roles(tournament)
    return Tournament.objects.get(pk=tournament.pk)


def take_back(tournament: Tournament) -> None:
    """The last game of the list is taken back; there is a row less than in the file."""
    spielliste = list_of(tournament.serien.get())
    number = spielliste.games.count()
    spiellisten.change_game(
        COMMAND,
        spielliste.pk,
        number=number,
        line=None,
        version=spielliste.version,
        consents={1, 2, 3, 4},
    )


def take_back_and_play(tournament: Tournament) -> None:
    """The last game is taken back and played again, as another row."""
    take_back(tournament)
    spielliste = list_of(tournament.serien.get())
    spiellisten.enter_game(
        COMMAND,
        spielliste.pk,
        number=spielliste.games.count() + 1,
        line=FOUR[0],
        version=spielliste.version,
        confirmed=True,
    )


ACTS = [
    pytest.param(nothing, id="nothing is done"),
    pytest.param(give_roles, id="roles are given to who never acts"),
    pytest.param(take_money, id="an account without a role acts"),
]


@pytest.mark.parametrize("made", [played_tournament, with_roles])
@pytest.mark.parametrize("in_the_second", ACTS)
def test_a_third_installation_round_trips_the_archive_of_a_second(
    made: Callable[[], Tournament], in_the_second: Act
):
    first = written(made, users=2)
    second = handed_on(first, in_the_second, users=5)

    tournament = import_archive(second.encode(), actor=COMMAND)

    assert facts(archive_text(tournament)) == facts(second)
    assert list(proof.of_tournament(tournament)) == []


@pytest.mark.parametrize("in_the_third", ACTS)
def test_an_archive_passes_through_four_installations(in_the_third: Act):
    first = written(with_roles, users=2)
    second = handed_on(first, take_money, users=5)
    third = handed_on(second, in_the_third, users=1)

    tournament = import_archive(third.encode(), actor=COMMAND)

    assert facts(archive_text(tournament)) == facts(third)
    assert list(proof.of_tournament(tournament)) == []


@pytest.mark.parametrize("in_the_third", [nothing, take_back, take_back_and_play])
@pytest.mark.parametrize("in_the_second", [take_back, take_back_and_play])
def test_an_imported_row_can_be_undone(in_the_second: Act, in_the_third: Act):
    second = handed_on(written(running_tournament), in_the_second, users=5)
    third = handed_on(second, in_the_third, users=2)

    tournament = import_archive(third.encode(), actor=COMMAND)

    assert facts(archive_text(tournament)) == facts(third)
    assert list(proof.of_tournament(tournament)) == []


def without_places(text: str) -> dict[str, Any]:
    """Return a file as versions until November 2026 wrote it: deleted rows have no position."""
    data = unsealed(text)
    games = sum(len(table["list"]["games"]) for table in data["series"][0]["tables"])
    for chain in data["journal"]:
        placed = chain["keys"]["game"].items()
        chain["keys"]["game"] = {key: place for key, place in placed if place <= games}
    return data


@pytest.mark.parametrize("act", [take_back, take_back_and_play])
def test_a_file_without_positions_of_undone_rows_is_read(act: Act):
    data = without_places(handed_on(written(running_tournament), act, users=5))

    tournament = import_archive(json.dumps(data).encode(), actor=COMMAND)

    assert tournament.serien.get().tables.get().spielliste.games.count() in (11, 12)


def test_a_missing_row_without_a_deletion_is_reported_by_its_key():
    data = without_places(handed_on(written(running_tournament), take_money, users=5))
    spielliste = data["series"][0]["tables"][0]["list"]
    spielliste["status"] = "open"
    spielliste["games"].pop()
    data["game_details"].pop()
    gone = max(data["journal"][0]["keys"]["game"], key=int)
    for chain in data["journal"]:
        chain["keys"]["game"] = {key: at for key, at in chain["keys"]["game"].items() if at < 12}

    with pytest.raises(ScoringError, match=f"Spiel mit dem Schlüssel {gone}, gelöscht: steht"):
        import_archive(json.dumps(data).encode(), actor=COMMAND)


def test_a_position_after_the_last_row_needs_a_deleting_entry():
    data = unsealed(handed_on(written(running_tournament), take_back, users=5))
    theirs, own = (chain["keys"]["game"] for chain in data["journal"])
    (gone,) = (key for key, place in theirs.items() if place == 12)
    assert list(own.values()) == [*range(1, 12), 12]
    own[next(key for key, place in own.items() if place == 12)] = 13

    with pytest.raises(ScoringError, match=f"Spiel mit dem Schlüssel {gone}, gelöscht: steht"):
        import_archive(json.dumps(data).encode(), actor=COMMAND)


def test_each_chain_names_its_actors_and_accounts_of_its_rows():
    second = handed_on(written(with_roles), take_money, users=3)

    import_archive(second.encode(), actor=COMMAND)

    theirs, own = json.loads(second)["journal"]
    assert len(own["accounts"]) == 1  # Kurt Kasse
    assert len(theirs["accounts"]) == 2  # Karl Kasse and Ines Importer
    assert len(theirs["keys"]["user"]) == 3  # and Nora Niemals, with a role only


def test_a_file_naming_all_accounts_as_actors_is_read():
    """As versions until November 2026 wrote it after they had read an archive."""
    data = unsealed(handed_on(written(with_roles), take_money, users=3))
    theirs = data["journal"][0]
    theirs["accounts"] = theirs["keys"]["user"]

    tournament = import_archive(json.dumps(data).encode(), actor=COMMAND)

    assert facts(archive_text(tournament)) == data


def test_a_file_with_fewer_kinds_of_rows_is_read():
    data = unsealed(written(with_roles))
    assert data["journal"][0]["keys"].pop("closing") == {}

    tournament = import_archive(json.dumps(data).encode(), actor=COMMAND)

    assert facts(archive_text(tournament)) == data
    assert User.objects.filter(name="Nora Niemals").exists()


def two_accounts(*names: str) -> Callable[[], Tournament]:
    """A tournament of which „anna“ and „anna-2“ keep the till."""

    def made() -> Tournament:
        tournament = make_tournament()
        for username, name in zip(("anna", "anna-2"), names, strict=True):
            make_member(tournament, Role.KASSE, username=username, name=name)
        proof.baseline_proof(tournament)
        return tournament

    return made


def test_a_file_with_accounts_in_the_order_of_a_language_is_read():
    """As versions until November 2026 wrote it from a PostgreSQL with a language."""
    data = unsealed(written(two_accounts("Anna Kühn", "Anne Adler")))
    data["accounts"].reverse()
    for row in data["memberships"]:
        row["user"] = 3 - row["user"]
    (chain,) = data["journal"]
    chain["keys"]["user"] = {key: 3 - place for key, place in chain["keys"]["user"].items()}

    tournament = import_archive(json.dumps(data).encode(), actor=COMMAND)

    users = [membership.user for membership in tournament.memberships.order_by("pk")]
    assert [(user.login_name, user.name) for user in users] == [
        ("anna", "Anna Kühn"),
        ("anna-2", "Anne Adler"),
    ]


@pytest.mark.both
def test_clubs_and_accounts_have_one_order_on_every_database():
    tournament = make_tournament()
    for name in ("Scharzfeld", "SC Zwickau"):
        make_registration(tournament, make_person(club=make_club(name)))
    for username in ("anna", "Zoe", "anna-2", "anna1"):
        make_member(tournament, Role.KASSE, username=username)

    data = facts(archive_text(tournament))

    assert [club["name"] for club in data["clubs"]] == ["SC Zwickau", "Scharzfeld"]
    names = [account["username"] for account in data["accounts"]]
    assert names == ["Zoe", "anna", "anna-2", "anna1"]


def test_two_accounts_of_one_name_stay_two_if_a_log_in_name_is_taken():
    text = written(two_accounts("Anna Kühn", "Anna Kühn"))
    make_user("anna", name="Anna Anders")

    tournament = import_archive(text.encode(), actor=COMMAND)

    assert tournament.memberships.values("user").distinct().count() == 2


@pytest.mark.both
def test_a_separation_is_read_in_either_order():
    """A waiting player has a later number than a newcomer; an archive reverses their order."""

    def made() -> Tournament:
        tournament = make_tournament()
        waited = make_registration(tournament, number=2)
        late = make_registration(tournament, number=1)
        proof.baseline_proof(tournament)
        needs.separate(COMMAND, tournament.pk, first_id=late.pk, second_id=waited.pk, why="Streit")
        return tournament

    text = written(made)

    tournament = import_archive(text.encode(), actor=COMMAND)

    assert facts(archive_text(tournament)) == facts(text)
    pair = tournament.separations.get()
    assert (pair.first.number, pair.second.number) == (2, 1)
    both = {"first_id": pair.first_id, "second_id": pair.second_id}
    assert needs.separate(COMMAND, tournament.pk, **both, why="") == pair
