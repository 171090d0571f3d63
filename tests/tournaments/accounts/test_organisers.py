"""Rights at an organiser: invited, given and taken away; choosing; the operator's page."""

from __future__ import annotations

import re

import pytest
from django.core import mail
from django.core.exceptions import ValidationError
from django.utils import timezone

from tests.clients import Client, at, logged_in
from tests.factories import (
    COMMAND,
    make_club,
    make_head,
    make_member,
    make_operator,
    make_organiser,
    make_person,
    make_tournament,
    make_user,
)
from tournaments.accounts import organisers as services
from tournaments.accounts.proposals import accept
from tournaments.accounts.services import find_invitation
from tournaments.accounts.services import invite as invite_to_role
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, NotAllowed, TournamentError
from tournaments.common.organisers import add_account, first_organiser, roles_in
from tournaments.journal.services import first_breaks
from tournaments.models import Invitation, JournalEntry, Organiser, Right, Role, User

pytestmark = pytest.mark.django_db
PASSWORD = "Herz ist heute Trumpf"
NEW_ACCOUNT = {
    "name_": "Paul Lang",
    "username": "paul",
    "password": PASSWORD,
    "repeated": PASSWORD,
}


def link_in(page: str) -> str:
    """The path of the invitation that a page shows."""
    match = re.search(r'value="[^"]*(/konto/einladung/[^"]+)"', page)
    assert match
    return match[1]


def actions(organiser: Organiser) -> list[str]:
    entries = JournalEntry.objects.filter(chain__owner=organiser).order_by("number")
    return list(entries.values_list("action", flat=True))


def test_the_operator_invites_an_organiser_and_sees_its_name_and_size_only(settings):
    settings.IS_IN_THE_HALL = False
    operator, parent = logged_in(make_operator()), make_organiser("Landesverband Ost")
    code = services.code_of(parent)
    sent = {"organiser": "SC Gera", "parent": code, "name_": "Paul Lang"}
    url = at("operator:organisers")

    assert operator.post(url, {**sent, "parent": parent.pk}).status_code == 422, "nobody was asked"
    link = link_in(operator.post(url, sent).content.decode())
    guest = Client()
    accept(parent.proposals.get().pk, actor=COMMAND)
    asked = guest.read(link)
    guest.post(link, NEW_ACCOUNT)
    gera = Organiser.objects.get(name="SC Gera")
    make_tournament(name="Geraer Cup", owner=gera)
    make_person("Anna", "Kühn", owner=gera)
    page = operator.read(url)

    assert "Ihr Recht dort: <strong>alles</strong>" in asked
    assert "Er gehört zu Landesverband Ost" in asked
    assert User.objects.get(username="paul").organisers.get().right == Right.ALL
    assert not User.objects.get(username="paul").is_admin
    sizes = re.findall(
        r'data-label="(Konten|Turniere|Personen)">(\d+)<', page.partition("SC Gera")[2]
    )
    assert sizes[:3] == [("Konten", "1"), ("Turniere", "1"), ("Personen", "1")]
    assert "Geraer Cup" not in page
    assert "Kühn" not in page
    assert actions(gera) == ["parent_asked", "right_invited", "organiser_changed", "right_given"]
    assert actions(parent) == ["member_joined"]
    assert list(first_breaks()) == []


def test_heads_and_the_operator_mail_invitations_to_an_organiser(settings):
    settings.HAS_EMAIL, settings.PUBLIC_URL = True, "https://romme.example"
    gera = make_organiser("SC Gera")
    to = {"name_": "Paul", "email": "paul@example.org"}

    said = [
        logged_in(make_head(gera)).post(at("account:organiser", gera.pk), {**to, "right": "money"}),
        logged_in(make_operator()).post(at("operator:organisers"), {**to, "organiser": "SC Jena"}),
    ]

    assert [(sent.to, sent.subject) for sent in mail.outbox] == [
        (["paul@example.org"], "Einladung: SC Gera"),
        (["paul@example.org"], "Einladung: SC Jena"),
    ]
    for sent, answer in zip(mail.outbox, said, strict=True):
        page = answer.content.decode()
        assert "unterwegs" in page
        assert link_in(page) in sent.body


def test_a_lost_invitation_is_replaced_for_the_same_organiser():
    for _try in range(2):
        services.invite_first_account(
            organiser=" SC Gera ", parent=None, name="Paul", actor=COMMAND
        )

    assert Organiser.objects.get().name == "SC Gera"
    assert Organiser.objects.get().invitations.count() == 2


@pytest.mark.parametrize(
    ("right", "role"), [(Right.ALL, "veranstalter"), (Right.MONEY, "kasse"), (Right.PERSONS, "")]
)
def test_a_right_counts_in_tournaments_of_its_organiser_only(right: Right, role: str):
    gera = make_organiser("SC Gera")
    user = make_user()
    invitation, token = services.invite(gera, right=right, name="Paul", actor=COMMAND)
    account = logged_in(user)
    account.post(at("account:invitation", token), {"as_me": "1"})

    assert gera.accounts.get(user=user).right == right
    assert roles_in(user, make_tournament(owner=gera)) == ({role} if role else frozenset())
    assert roles_in(user, make_tournament()) == frozenset()
    assert account.get(at("people:persons")).status_code == 200
    may_edit = right != Right.MONEY
    assert (account.get(at("people:clubs")).status_code == 200) is may_edit
    with pytest.raises(Conflict, match="schon angenommen"):
        services.withdraw(gera, invitation.pk, actor=COMMAND)


def test_rights_are_granted_and_revoked_on_the_page():
    gera = make_organiser("SC Gera")
    head, helper = make_head(gera, name="Karla"), make_user("bernd")
    add_account(helper, gera)
    page, its = logged_in(head), gera.accounts.get(user=helper)
    url = at("account:give_right", gera.pk, its.pk)

    given = page.post(url, {"right": "money"})
    wrong = page.post(url, {"right": "king"})
    its.refresh_from_db()
    assert (given.status_code, wrong.status_code, its.right) == (302, 422, Right.MONEY)
    page.post(url, {"right": ""})

    assert not gera.accounts.filter(user=helper).exists()
    assert actions(gera) == ["right_given", "right_taken"]
    words = page.read(at("account:journal", gera.pk))
    assert "Recht „Kasse“ an Bernd gegeben." in words
    assert "Bernd gehört nicht mehr zum Veranstalter." in words
    assert "Geprüft: 2 Einträge, alle unverändert und ohne Lücke." in words
    csv = page.read(at("account:journal_csv", gera.pk))
    assert csv.index("Recht „Kasse“") < csv.index("gehört nicht mehr")


def test_one_full_right_remains_and_a_role_keeps_an_account():
    gera = make_organiser("SC Gera")
    last = gera.accounts.get(user=make_head(gera, name="Karla"))
    tournament = make_tournament(name="Geraer Cup", owner=gera)
    helper = make_member(tournament, Role.KASSE)
    add_account(helper, gera)

    with pytest.raises(TournamentError, match="Karla ist das letzte Konto"):
        services.give_right(gera, last.pk, Right.MONEY, actor=COMMAND)
    with pytest.raises(TournamentError, match="hat noch eine Rolle in „Geraer Cup“"):
        services.give_right(gera, gera.accounts.get(user=helper).pk, "", actor=COMMAND)


def test_an_account_of_several_organisers_selects_the_current_one():
    here, there = first_organiser(), make_organiser("SC Gera")
    user = make_head(here)
    add_account(user, there, Right.ALL)
    make_club("Altenburger Asse", owner=here)
    make_club("Geraer Buben", owner=there)
    account, url = logged_in(user), at("account:organisers")

    first = account.read(at("people:clubs"))
    account.post(url, {"organiser": there.pk})
    then = account.read(at("people:clubs"))
    account.post(url, {"organiser": make_organiser().pk})  # of others
    still = account.read(at("people:clubs"))

    assert "Altenburger Asse" in first
    assert "Geraer Buben" not in first
    assert "Geraer Buben" in then
    assert "Altenburger Asse" not in then
    assert still.count("Geraer Buben") == then.count("Geraer Buben")
    assert f'<a href="{url}"' in then or f'href="{url}"' in then
    assert "SC Gera" in then


def test_a_new_installation_creates_its_organiser_on_demand():
    assert not Organiser.objects.exists()
    assert first_organiser() == first_organiser()
    assert Organiser.objects.get().name == "Veranstalter"


@pytest.mark.parametrize("is_server", [False, True])
def test_a_laptop_with_one_organiser_does_not_mention_it(settings, is_server: bool):
    settings.IS_IN_THE_HALL = not is_server
    account = logged_in(make_user(is_admin=True))
    pages = [at(name) for name in ("setup:tournaments", "people:persons", "operator:requests")]

    seen = "".join(account.read(page) for page in pages)

    assert ("Meine Veranstalter" in seen) is is_server
    assert ("Alle Veranstalter" in seen) is is_server


def test_an_organiser_leaves_its_parent_but_cannot_join_one_alone():
    parent, other = make_organiser("Landesverband Ost"), make_organiser("Landesverband West")
    gera = make_organiser("SC Gera", parent=parent)
    page, url = logged_in(make_head(gera)), at("account:change_organiser", gera.pk)

    wrong = page.post(url, {"name_": "SC Gera", "parent": other.pk})
    gera.refresh_from_db()
    assert (wrong.status_code, gera.parent) == (422, parent)
    page.post(url, {"name_": "Skatclub Gera", "parent": ""})
    gera.refresh_from_db()

    assert (gera.name, gera.parent) == ("Skatclub Gera", None)
    assert actions(gera) == ["organiser_changed"]
    gera.parent = other
    with pytest.raises(ValidationError, match="sagt die Einladung"):
        services.change(gera, actor=COMMAND)


def test_a_withdrawn_invitation_to_an_organiser_is_invalid():
    gera = make_organiser("SC Gera")
    page = logged_in(make_head(gera))
    url = at("account:organiser", gera.pk)
    link = link_in(page.post(url, {"name_": "Paul", "right": "persons"}).content.decode())

    assert "Paul" in page.read(url)
    page.post(at("account:withdraw_right", gera.pk, gera.invitations.get().pk))

    assert "Paul" not in page.read(url)
    assert Client().get(link).status_code == 409


def test_losing_the_full_right_ends_own_invitations():
    gera = make_organiser("SC Gera")
    head, leaving = make_head(gera), make_head(gera)
    tournament = make_tournament(owner=gera)
    _invitation, to_organiser = services.invite(
        gera, right=Right.ALL, name="Paul", actor=Actor.account(leaving)
    )
    _invitation, to_role = invite_to_role(
        Actor.account(leaving), tournament.pk, role=Role.VERANSTALTER, name="Paul"
    )

    account = gera.accounts.get(user=leaving)
    services.give_right(gera, account.pk, Right.MONEY, actor=Actor.account(head))

    for token in (to_organiser, to_role):
        with pytest.raises(NotAllowed, match="gilt nicht mehr"):
            find_invitation(token)
    assert actions(gera) == ["right_invited", "right_given", "invitation_withdrawn"]
    assert list(first_breaks()) == []


def test_too_many_invitations_are_refused_on_each_page(settings):
    gera = make_organiser("SC Gera")
    head, operator = logged_in(make_head(gera)), logged_in(make_operator())
    url, founding = at("account:organiser", gera.pk), at("operator:organisers")
    for number in range(30):
        Invitation.objects.create(
            organiser=gera,
            right=Right.ALL,
            name="Paul",
            token_hash=str(number),
            created_by=User.objects.get(is_admin=True),
            expires_at=timezone.now(),
        )

    by_head = head.post(url, {"name_": "Paul", "right": "persons"})
    by_operator = operator.post(founding, {"organiser": "SC Jena", "name_": "Paul Lang"})

    for refused in (by_head, by_operator):
        assert refused.status_code == 409
        assert "schon 30 Mal eingeladen" in refused.content.decode()
    assert not Organiser.objects.filter(name="SC Jena").exists()


def test_an_invitation_to_less_keeps_the_full_right():
    gera = make_organiser("SC Gera")
    head = make_head(gera)
    page = logged_in(head)
    sent = {"name_": "Paul", "right": "money"}
    link = link_in(page.post(at("account:organiser", gera.pk), sent).content.decode())

    page.post(link, {"as_me": "1"})

    assert gera.accounts.get(user=head).right == Right.ALL
    assert actions(gera) == ["right_invited", "right_given"]
