"""Who may open which page of persons and clubs."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pytest
from django.urls import reverse

from tests.clients import Client
from tests.factories import make_club, make_member, make_person, make_tournament, make_user
from tests.worlds import world
from tournaments.common.organisers import home
from tournaments.models import Ban, PersonImport, Role, User

pytestmark = [pytest.mark.django_db, pytest.mark.once]


SEE = {"veranstalter", "spielleitung", "kasse", "admin"}
EDIT = {"veranstalter", "spielleitung", "admin"}
MANAGE = {"admin"}


@dataclass(frozen=True)
class Row:
    """One view, and who may open it; keys of the address are filled in by the test."""

    name: str
    allowed: set[str]
    method: str = "get"
    keys: tuple[str, ...] = field(default=("pk",))


ACCESS = [
    Row("persons", SEE, keys=()),
    Row("new", SEE, keys=()),
    Row("new", SEE, "post", keys=()),
    Row("person", SEE),
    Row("edit", EDIT),
    Row("edit", EDIT, "post"),
    Row("ban", EDIT),
    Row("ban", EDIT, "post"),
    Row("clubs", EDIT, keys=()),
    Row("club", EDIT, keys=("club",)),
    Row("club", EDIT, "post", keys=("club",)),
    Row("import", EDIT, keys=()),
    Row("import", EDIT, "post", keys=()),
    Row("import_columns", EDIT, keys=("draft",)),
    Row("import_columns", EDIT, "post", keys=("draft",)),
    Row("import_preview", EDIT, keys=("draft",)),
    Row("import_preview", EDIT, "post", keys=("draft",)),
    Row("import_carry_out", EDIT, "post", keys=("draft",)),
    Row("import_discard", EDIT, "post", keys=("draft",)),
    Row("export", MANAGE, "post", keys=()),
    Row("lift_ban", MANAGE, keys=("ban",)),
    Row("lift_ban", MANAGE, "post", keys=("ban",)),
    Row("anonymise", MANAGE),
    Row("anonymise", MANAGE, "post"),
    Row("duplicates", MANAGE, keys=()),
    Row("merge_choose", MANAGE),
    Row("merge", MANAGE, keys=("pk", "other")),
    Row("merge", MANAGE, "post", keys=("pk", "other")),
    Row("merge_clubs", MANAGE, keys=("club",)),
    Row("merge_clubs", MANAGE, "post", keys=("club",)),
]


@world
def known() -> tuple[dict[str, User], dict[str, int]]:
    """Accounts by what they may, and the keys of one thing of each kind."""
    tournament, admin = make_tournament(), make_user(is_admin=True)
    person = make_person()
    ban = Ban.objects.create(
        person=person, reason="x", starts_on=date(2026, 1, 1), created_by=admin
    )
    users: dict[str, User] = {role.value: make_member(tournament, role) for role in Role}
    users |= {"admin": admin, "none": make_user()}
    return users, {
        "pk": person.pk,
        "other": make_person().pk,
        "ban": ban.pk,
        "club": make_club().pk,
    }


@pytest.mark.parametrize("row", ACCESS, ids=lambda row: f"{row.method} {row.name}")
def test_every_page_is_for_those_who_need_it(
    row: Row, known: tuple[dict[str, User], dict[str, int]]
):
    users, keys = known
    client = Client()

    def ask(user: User) -> Any:
        draft = PersonImport.objects.create(
            owner=home(),
            created_by=user,
            file_name="x.csv",
            rows=[[1, ["Kühn"]]],
            choices={"heading_row": 0, "columns": ["last_name"]},
        )
        args = [{**keys, "draft": draft.pk}[key] for key in row.keys]
        return getattr(client, row.method)(reverse(f"people:{row.name}", args=args))

    stranger = ask(users["admin"])
    assert stranger.status_code == 302
    assert stranger["Location"].startswith("/konto/anmelden/")
    for who, user in users.items():
        client.force_login(user)
        status = ask(user).status_code
        assert (status == 403) == (who not in row.allowed), f"{who} got {status}"
        assert status < 500
