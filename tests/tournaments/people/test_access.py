"""The access to each page of persons and clubs."""

from __future__ import annotations

import pytest

from tests.clients import Client, at
from tests.factories import (
    make_ban,
    make_club,
    make_member,
    make_person,
    make_tournament,
    make_user,
)
from tests.tournaments.access_matrix import ADDRESSES, Address
from tests.worlds import world
from tournaments.common.organisers import add_account, first_organiser
from tournaments.models import PersonImport, Right, Role, User

pytestmark = [pytest.mark.django_db, pytest.mark.once]


SEE = {"veranstalter", "spielleitung", "kasse", "admin", "right: persons", "right: money"}
EDIT = {"veranstalter", "spielleitung", "admin", "right: persons"}
MANAGE = {"admin"}  # its right is to all


ALLOWED = {
    **dict.fromkeys(("persons", "new", "person"), SEE),
    **dict.fromkeys(("edit", "ban", "clubs", "club"), EDIT),
    **dict.fromkeys(("import", "import_columns", "import_preview"), EDIT),
    **dict.fromkeys(("import_carry_out", "import_discard"), EDIT),
    **dict.fromkeys(("export", "lift_ban", "anonymise", "duplicates"), MANAGE),
    **dict.fromkeys(("merge_choose", "merge", "merge_clubs"), MANAGE),
}
# Objects in addresses other than persons.
THINGS = {"club": "club", "merge_clubs": "club", "lift_ban": "ban"}
OF_ROOM = [address for address in ADDRESSES if address.name.startswith("people:")]
NOT_TAKEN = 405


@world
def known() -> tuple[dict[str, User], dict[str, int]]:
    """Return accounts by their rights, and the keys of one object of each kind."""
    tournament, admin = make_tournament(), make_user(is_admin=True)
    person = make_person()
    ban = make_ban(person)
    users: dict[str, User] = {role.value: make_member(tournament, role) for role in Role}
    users |= {"admin": admin, "none": make_user()}
    for right in Right:
        if right != Right.ALL:
            users[f"right: {right}"] = make_user()
            add_account(users[f"right: {right}"], first_organiser(), right)
    return users, {
        "person": person.pk,
        "other": make_person().pk,
        "ban": ban.pk,
        "club": make_club().pk,
    }


@pytest.mark.parametrize("address", OF_ROOM, ids=lambda tournament: tournament.name)
def test_every_page_is_limited_to_its_roles(
    address: Address, known: tuple[dict[str, User], dict[str, int]]
):
    users, keys = known
    name, client = address.name.removeprefix("people:"), Client()

    def url_of(user: User) -> str:
        draft = PersonImport.objects.create(
            owner=first_organiser(),
            created_by=user,
            file_name="x.csv",
            rows=[[1, ["Kühn"]]],
            choices={"heading_row": 0, "columns": ["last_name"]},
        )
        thing = draft.pk if "import_" in name else keys[THINGS.get(name, "person")]
        return at(address.name, *[thing, keys["other"]][: len(address.keys)])

    url = url_of(users["admin"])
    ask = client.post if client.get(url).status_code == NOT_TAKEN else client.get
    assert ask(url)["Location"].startswith("/konto/anmelden/")
    for who, user in users.items():
        client.force_login(user)
        status = ask(url_of(user)).status_code
        assert (status == 403) == (who not in ALLOWED[name]), f"{who} got {status}"
        assert status < 500
