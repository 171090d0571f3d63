"""An archive that names foreign accounts neither gives them rights nor reveals them."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.clients import Client, at, logged_in
from tests.factories import (
    COMMAND,
    make_head,
    make_member,
    make_organiser,
    make_person,
    make_tournament,
    make_user,
)
from tests.tournaments.archive.helpers import saved, unsealed
from tournaments.accounts.services import remove_role, set_active
from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError
from tournaments.common.organisers import add_account, first_organiser, roles_in
from tournaments.machine import jobs
from tournaments.models import Ban, Job, Membership, Person, Right, Role, Tournament, User

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_files")]


def file_naming(*accounts: tuple[str, str, Role]) -> bytes:
    """An archive without seal and journal, changed by hand to name these with their roles."""
    tournament = make_tournament(slug="alt", owner=first_organiser())
    made = [make_member(tournament, role) for _username, _name, role in accounts]
    data = unsealed(saved(tournament))
    del data["journal"]
    for place, user in enumerate(sorted(made, key=lambda user: user.username)):
        username, name, _role = accounts[made.index(user)]
        data["accounts"][place] = {"username": username, "name": name}
    Tournament.objects.filter(pk=tournament.pk).update(slug="frueher")
    return json.dumps(data).encode()


def take_in(client: Client, content: bytes) -> str:
    """Upload a file in a browser, and return the resulting page."""
    file = SimpleUploadedFile("turnier.json", content, "application/json")
    answer = client.post(at("archive:import"), {"file": file})
    jobs.run(Job.objects.latest("pk").pk)
    return client.read(answer["Location"])


def test_a_head_named_in_a_foreign_file_keeps_working_at_home():
    """The attack: bodo's older organiser names paul, then paul enters a person and a ban."""
    attackers, theirs = first_organiser(), make_organiser("SC Jena")
    bodo = make_head(attackers, username="bodo", name="Bodo Haupt")
    paul = make_head(theirs, username="paul", name="Paul Haupt")

    take_in(logged_in(bodo), file_naming(("paul", "Paul Haupt", Role.VERANSTALTER)))
    page = logged_in(paul)
    form = {"last_name": "Geheim", "first_name": "Greta", "email": "greta@example.org"}
    page.post(at("people:new"), form)
    person = Person.objects.get(last_name="Geheim")
    page.post(at("people:ban", person.pk), {"reason": "Geheimer Grund", "starts_on": "2026-01-01"})

    read = Tournament.objects.get(slug="alt")
    assert roles_in(paul, read) == frozenset()
    assert roles_in(bodo, read) == {Role.VERANSTALTER}
    assert person.owner == theirs
    assert Ban.objects.get().person.owner == theirs
    assert logged_in(bodo).get(at("people:person", person.pk)).status_code == 404
    stand_in = read.memberships.get(user__name="Paul Haupt").user
    assert (stand_in.is_active, stand_in.login_name) == (False, "paul")


def test_only_the_importing_account_gets_a_role():
    owner = first_organiser()
    bodo = make_head(owner, username="bodo", name="Bodo Haupt")
    anna = make_user(username="anna", name="Anna Kühn")
    add_account(anna, owner)
    content = file_naming(
        ("anna", "Anna Kühn", Role.SPIELLEITUNG), ("bodo", "Bodo Haupt", Role.KASSE)
    )

    page = take_in(logged_in(bodo), content)

    read = Tournament.objects.get(slug="alt")
    roles = Membership.objects.filter(tournament=read).values_list("user__username", "role")
    assert "Das Turnier ist eingelesen." in page
    assert set(roles) == {("bodo", Role.KASSE), ("bodo", Role.VERANSTALTER)}
    assert anna not in {membership.user for membership in read.memberships.all()}


@pytest.mark.parametrize("is_there", [True, False])
def test_answers_do_not_reveal_foreign_accounts(is_there: bool):
    """A file that contradicts itself was taken in only if it named accounts that exist."""
    bodo = make_head(first_organiser(), username="bodo", name="Bodo Haupt")
    if is_there:
        make_head(make_organiser("SC Jena"), username="paul", name="Paul Anders")
    data = json.loads(file_naming(("paul", "Paul Haupt", Role.KASSE)))
    data["tournament_details"][0]["offer_hours"] = None  # never written so

    page = take_in(logged_in(bodo), json.dumps(data).encode())
    logins = set(User.objects.filter(name="Paul Haupt").values_list("username", flat=True))

    assert "tournament_details[0].offer_hours" in page
    assert not logins


def test_an_archive_reserves_no_log_in_name():
    bodo = make_head(first_organiser(), username="bodo", name="Bodo Haupt")

    take_in(logged_in(bodo), file_naming(("paul", "Paul Haupt", Role.KASSE)))

    assert make_user(username="paul", name="Paul Haupt").is_active


def test_a_placeholder_account_is_distinguishable_from_its_namesake():
    bodo = make_head(first_organiser(), username="bodo", name="Bodo Haupt")

    take_in(logged_in(bodo), file_naming(("bodo2", "Bodo Haupt", Role.KASSE)))

    stand_in = User.objects.get(archived_as="bodo2")
    assert (str(bodo), str(stand_in)) == ("Bodo Haupt", "Bodo Haupt (bodo2)")


def test_a_role_selects_an_organiser_only_for_accounts_without_one():
    older, own = first_organiser(), make_organiser("SC Jena")
    paul = make_head(own)
    Membership.objects.create(
        tournament=make_tournament(owner=older), user=paul, role=Role.VERANSTALTER
    )
    helper = make_member(Tournament.objects.get(), Role.KASSE)
    page, url = logged_in(paul), at("account:organisers")

    page.post(url, {"organiser": older.pk})
    page.post(at("people:new"), {"last_name": "Kühn", "first_name": "Eva"})
    logged_in(helper).post(at("people:new"), {"last_name": "Lang", "first_name": "Ida"})

    paul.refresh_from_db()
    assert paul.at_hand is None
    assert Person.objects.get(last_name="Kühn").owner == own
    assert Person.objects.get(last_name="Lang").owner == older


def test_the_selected_organiser_survives_the_log_in_and_is_shown():
    older, younger = first_organiser(), make_organiser("SC Jena")
    account = make_head(older)
    add_account(account, younger, Right.ALL)
    person = make_person(owner=older)

    logged_in(account).post(at("account:organisers"), {"organiser": younger.pk})
    later = logged_in(User.objects.get(pk=account.pk))
    pages = [at("people:new"), at("people:import"), at("seasons:new"), at("archive:import")]
    pages.append(at("setup:new_from_rules", "traditionell"))

    assert all("für „SC Jena“" in later.read(page) for page in pages)
    assert "für „SC Jena“" not in later.read(at("people:ban", person.pk))
    assert f"für „{older.name}“" in later.read(at("people:ban", person.pk))
    assert "für „" not in logged_in(make_head(older)).read(at("people:new"))


def test_a_placeholder_account_is_removable_as_last_head():
    bodo = make_head(first_organiser(), username="bodo", name="Bodo Haupt")
    take_in(logged_in(bodo), file_naming(("paul", "Paul Haupt", Role.VERANSTALTER)))
    roles = Tournament.objects.get(slug="alt").memberships
    stand_in = roles.exclude(user=bodo).get()

    with pytest.raises(TournamentError, match="Bodo Haupt ist der letzte Veranstalter"):
        remove_role(Actor.account(bodo), roles.get(user=bodo).pk)
    remove_role(Actor.account(bodo), stand_in.pk)

    assert roles.get().user == bodo


def test_a_placeholder_account_cannot_log_in():
    operator = make_user(is_admin=True)
    take_in(logged_in(operator), file_naming(("paul", "Paul Haupt", Role.KASSE)))
    stand_in = User.objects.get(archived_as="paul")

    with pytest.raises(TournamentError, match="Paul Haupt kam mit einem Archiv"):
        set_active(user_id=stand_in.pk, is_active=True, actor=COMMAND)
