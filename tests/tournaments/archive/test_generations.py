"""Archives of archives: each is read by an installation that has nothing of it yet (formats 3)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

from tests.factories import COMMAND, make_user
from tests.tournaments.archive.helpers import unsealed
from tests.tournaments.journal.helpers import played_tournament
from tournaments.accounts import services as accounts
from tournaments.archive import seal
from tournaments.archive.importing import import_archive
from tournaments.archive.writing import archive_text
from tournaments.cash.services import till
from tournaments.common.actors import Actor
from tournaments.journal import proof
from tournaments.models import CashEntry, Receipt, Role, Tournament, User

DATA = Path(__file__).parent / "data"
Act = Callable[[Tournament], object]
pytestmark = [pytest.mark.django_db, pytest.mark.once]


def nothing(_tournament: Tournament) -> None:
    """Do nothing: the archive is written as it was read."""


def give_roles(tournament: Tournament) -> None:
    """Whoever takes in a file becomes Veranstalter, and gives a role to somebody who never acts."""
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
    """Somebody without a role acts, as on the console."""
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
    """The content of a file without what each installation signs for itself."""
    data: dict[str, Any] = json.loads(text)
    return {name: value for name, value in data.items() if name != seal.NAME}


def with_roles() -> Tournament:
    """A tournament played by the console, in which others got roles and never acted."""
    tournament = played_tournament()
    give_roles(tournament)
    return Tournament.objects.get(pk=tournament.pk)


ACTS = [
    pytest.param(nothing, id="nothing is done"),
    pytest.param(give_roles, id="roles are given to who never acts"),
    pytest.param(take_money, id="an account without a role acts"),
]


@pytest.mark.parametrize("made", [played_tournament, with_roles])
@pytest.mark.parametrize("in_the_second", ACTS)
def test_the_third_installation_reads_what_the_second_wrote_and_writes_the_same(
    made: Callable[[], Tournament], in_the_second: Act
):
    first = written(made, users=2)
    second = handed_on(first, in_the_second, users=5)

    tournament = import_archive(second.encode(), actor=COMMAND)

    assert facts(archive_text(tournament)) == facts(second)
    assert list(proof.of_tournament(tournament)) == []


@pytest.mark.parametrize("in_the_third", ACTS)
def test_an_archive_goes_on_through_four_installations(in_the_third: Act):
    first = written(with_roles, users=2)
    second = handed_on(first, take_money, users=5)
    third = handed_on(second, in_the_third, users=1)

    tournament = import_archive(third.encode(), actor=COMMAND)

    assert facts(archive_text(tournament)) == facts(third)
    assert list(proof.of_tournament(tournament)) == []


def test_each_chain_names_who_acted_in_it_and_all_whom_its_rows_name():
    second = handed_on(written(with_roles), take_money, users=3)

    import_archive(second.encode(), actor=COMMAND)

    theirs, own = json.loads(second)["journal"]
    assert len(own["accounts"]) == 1  # Kurt Kasse
    assert len(theirs["accounts"]) == 2  # Karl Kasse and Ines Importer
    assert len(theirs["keys"]["user"]) == 3  # and Nora Niemals, who only has a role


def test_a_file_of_which_each_chain_names_everybody_as_acting_is_read():
    """As versions until November 2026 wrote it after they had read an archive."""
    data = unsealed(handed_on(written(with_roles), take_money, users=3))
    theirs = data["journal"][0]
    theirs["accounts"] = theirs["keys"]["user"]

    tournament = import_archive(json.dumps(data).encode(), actor=COMMAND)

    assert facts(archive_text(tournament)) == data


def test_a_file_of_a_version_that_knew_fewer_kinds_of_rows_is_read():
    data = unsealed(written(with_roles))
    assert data["journal"][0]["keys"].pop("closing") == {}

    tournament = import_archive(json.dumps(data).encode(), actor=COMMAND)

    assert facts(archive_text(tournament)) == data
    assert User.objects.filter(name="Nora Niemals").exists()
