"""Two accounts of one name from before names were of one account only."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps

from tests.clients import at, logged_in
from tests.factories import make_member, make_organiser, make_tournament
from tournaments.accounts import services as accounts
from tournaments.common.actors import Actor
from tournaments.models import Role, User

pytestmark = pytest.mark.django_db


def test_the_log_in_name_is_shown_while_two_members_have_one_name():
    tournament = make_tournament()
    first = make_member(tournament, Role.VERANSTALTER, username="bodo", name="Bodo Haupt")
    make_member(tournament, Role.KASSE, username="bodo2", name="bodo haupt")
    away = make_tournament(owner=make_organiser())
    make_member(away, Role.KASSE, username="bodo3", name="Bodo Haupt")

    import_module("tournaments.migrations.0013_tell_namesakes_apart").mark(apps, None)
    first.refresh_from_db()
    accounts.invite(Actor.account(first), tournament.pk, role=Role.KASSE, name="Karl")
    journal = logged_in(first).read(at("journal:page", tournament))
    logged_in(first).post(at("account:profile"), {"name_": "Bodo Haupt sen."})

    assert "Bodo Haupt (bodo)" in journal
    assert {str(user) for user in User.objects.all()} == {
        "Bodo Haupt sen.",
        "bodo haupt (bodo2)",
        "Bodo Haupt",
    }
