"""The first account, invitations, and roles that can be taken away."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings as django_settings
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from romme_site import settings as romme_settings
from tests.clients import Client, at, logged_in
from tests.factories import COMMAND, make_member, make_organiser, make_tournament, make_user
from tournaments.accounts import services as accounts
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, NotAllowed, TournamentError
from tournaments.common.organisers import add_account
from tournaments.journal.services import first_breaks
from tournaments.models import Invitation, JournalEntry, Right, Role, Tournament, User

pytestmark = pytest.mark.django_db
PASSWORD = "Herz ist heute Trumpf"


def invite(role: Role = Role.KASSE) -> tuple[Invitation, str]:
    tournament = make_tournament()
    head = make_member(tournament, Role.VERANSTALTER)
    return accounts.invite(Actor.account(head), tournament.pk, role=role, name="Karl Otto")


def accept(token: str, username: str = "otto") -> User:
    return accounts.accept_with_new_account(
        token=token, username=username, name="Karl Otto", password=PASSWORD
    )


def test_a_new_setup_link_replaces_the_previous_one():
    first = accounts.make_setup_link(actor=COMMAND)
    accounts.make_setup_link(actor=COMMAND)

    with pytest.raises(NotAllowed, match="gilt nicht mehr"):
        accept(first)


def test_an_existing_account_prevents_a_setup_link():
    make_user()

    with pytest.raises(NotAllowed, match="Es gibt schon ein Konto"):
        accounts.make_setup_link(actor=COMMAND)


def test_a_setup_link_expires_after_a_day():
    token = accounts.make_setup_link(actor=COMMAND, now=timezone.now() - timedelta(hours=25))

    with pytest.raises(NotAllowed, match="abgelaufen"):
        accounts.find_invitation(token)


def test_an_invitation_expires_after_two_weeks():
    invitation, token = invite()
    assert invitation.expires_at - invitation.created_at > timedelta(days=13, hours=23)
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    with pytest.raises(NotAllowed, match="abgelaufen"):
        accept(token)
    assert not User.objects.filter(username="otto").exists()


def test_setup_command_prints_only_the_link(capsys: pytest.CaptureFixture[str]):
    call_command("setup_link", base_url="http://turnier.local:8000/")

    link = capsys.readouterr().out.strip()
    assert link.startswith("http://turnier.local:8000/konto/einrichten/")
    assert accounts.find_invitation(link.rstrip("/").rsplit("/", 1)[1]).is_admin


def test_the_setup_command_reports_that_it_is_not_needed(capsys: pytest.CaptureFixture[str]):
    make_user()

    call_command("setup_link")

    printed = capsys.readouterr()
    assert printed.out == ""
    assert "Es gibt schon ein Konto" in printed.err


def test_only_the_hash_of_a_token_is_stored():
    invitation, token = invite()

    assert token not in str(Invitation.objects.filter(pk=invitation.pk).values().get())


def test_invitation_can_be_accepted_by_an_account_that_exists():
    _invitation, token = invite()
    user = make_user()

    accounts.accept_as(token=token, user=user)

    assert user.memberships.get().role == Role.KASSE


def test_a_withdrawn_invitation_is_invalid():
    invitation, token = invite()

    accounts.withdraw_invitation(COMMAND, invitation.pk)

    with pytest.raises(NotAllowed, match="zurückgezogen"):
        accept(token)


def test_accepted_invitation_cannot_be_withdrawn():
    invitation, token = invite()
    accept(token)

    with pytest.raises(Conflict, match="schon angenommen"):
        accounts.withdraw_invitation(COMMAND, invitation.pk)


def test_last_veranstalter_keeps_the_role():
    tournament = make_tournament()
    head = make_member(tournament, Role.VERANSTALTER, name="Karla Otto")

    with pytest.raises(TournamentError, match="Karla Otto ist der letzte Veranstalter"):
        accounts.remove_role(COMMAND, head.memberships.get().pk)

    assert head.memberships.count() == 1


def test_a_removed_role_is_journalled():
    tournament = make_tournament()
    helper = make_member(tournament, Role.KASSE)

    accounts.remove_role(COMMAND, helper.memberships.get().pk)

    assert not helper.memberships.exists()
    entry = JournalEntry.objects.get(action="role_removed")
    assert entry.before == {"account": helper.pk, "role": "kasse"}


def test_an_invitation_ends_with_the_role_of_its_sender():
    tournament = make_tournament()
    first, second = (make_member(tournament, Role.VERANSTALTER) for _number in range(2))
    links = [
        accounts.invite(Actor.account(head), tournament.pk, role=Role.VERANSTALTER, name="Karl")
        for head in (first, second)
    ]

    accounts.remove_role(COMMAND, first.memberships.get().pk)

    with pytest.raises(NotAllowed, match="gilt nicht mehr"):
        accept(links[0][1])
    assert accept(links[1][1])
    entry = JournalEntry.objects.get(action="invitation_withdrawn")
    assert (entry.subject_id, entry.chain.tournament) == (links[0][0].pk, tournament)
    assert list(first_breaks()) == []


def test_an_invitation_survives_if_its_sender_has_another_right():
    tournament = make_tournament()
    make_member(tournament, Role.VERANSTALTER)
    head = make_member(tournament, Role.VERANSTALTER)
    add_account(head, tournament.owner_id, Right.ALL)
    _invitation, token = accounts.invite(
        Actor.account(head), tournament.pk, role=Role.KASSE, name="Karl"
    )

    accounts.remove_role(COMMAND, head.memberships.get().pk)

    assert accept(token)


def test_locking_an_account_ends_all_its_invitations():
    tournament = make_tournament()
    head = make_member(tournament, Role.VERANSTALTER)
    _invitation, token = accounts.invite(
        Actor.account(head), tournament.pk, role=Role.VERANSTALTER, name="Karl"
    )
    Tournament.objects.filter(pk=tournament.pk).update(status="closed")

    accounts.set_active(user_id=head.pk, is_active=False, actor=COMMAND)
    accounts.set_active(user_id=head.pk, is_active=True, actor=COMMAND)

    with pytest.raises(NotAllowed, match="gilt nicht mehr"):
        accept(token)


def test_an_organiser_sends_at_most_thirty_invitations_an_hour():
    tournament = make_tournament()
    heads = [make_member(tournament, Role.VERANSTALTER) for _number in range(2)]
    other = make_tournament(owner=make_organiser())
    elsewhere = make_member(other, Role.VERANSTALTER)
    for number in range(30):
        head = Actor.account(heads[number % 2])
        accounts.invite(head, tournament.pk, role=Role.KASSE, name=f"Hilfe {number}")

    with pytest.raises(TournamentError, match="schon 30 Mal eingeladen"):
        accounts.invite(Actor.account(heads[0]), tournament.pk, role=Role.KASSE, name="Noch jemand")

    assert accounts.invite(Actor.account(elsewhere), other.pk, role=Role.KASSE, name="Anna")
    Invitation.objects.update(created_at=timezone.now() - timedelta(hours=1, minutes=1))
    assert accounts.invite(
        Actor.account(heads[0]), tournament.pk, role=Role.KASSE, name="Noch jemand"
    )


def test_the_last_administrator_cannot_be_locked():
    admin = make_user(is_admin=True)

    with pytest.raises(TournamentError, match="das letzte Konto"):
        accounts.set_active(user_id=admin.pk, is_active=False, actor=COMMAND)


def test_log_in_names_differ_by_more_than_case():
    make_user("anna")
    _invitation, token = invite()

    with pytest.raises(ValidationError, match="gibt es schon"):
        accept(token, "ANNA")


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        pytest.param("Anna.Kern-2", "anna.kern-2", id="case"),
        pytest.param("anna_k@verein.de", "anna_k@verein.de", id="an address"),
        pytest.param("Mu\u0308LLER", "müller", id="composed"),
        pytest.param("Ｂｏｄｏ", "bodo", id="full width"),
        pytest.param("Борис", "борис", id="Cyrillic alone"),
    ],
)
def test_a_log_in_name_is_stored_in_one_case_and_found_as_typed(typed: str, stored: str):
    _invitation, token = invite()

    account = accept(token, typed)

    assert account.username == stored
    assert User.objects.get_by_natural_key(typed) == account


@pytest.mark.parametrize(
    "typed",
    [
        pytest.param("bod\N{CYRILLIC SMALL LETTER O}", id="two scripts"),
        pytest.param("bo\N{ZERO WIDTH JOINER}do", id="unseen"),
        pytest.param("bo\N{RIGHT-TO-LEFT OVERRIDE}do", id="direction"),
        pytest.param("bo\ndo", id="line break"),
        pytest.param("bo do", id="space"),
        pytest.param("bodo\N{ARABIC-INDIC DIGIT THREE}", id="other digits"),
        pytest.param("bo\N{COMBINING GRAPHEME JOINER}do", id="a mark of no script"),
        pytest.param("...", id="signs alone"),
        pytest.param("", id="nothing"),
    ],
)
def test_a_log_in_name_has_letters_of_one_script_digits_and_four_signs(typed: str):
    _invitation, token = invite()

    with pytest.raises(ValidationError, match="Buchstaben einer einzigen Schrift"):
        accept(token, typed)


@pytest.mark.parametrize(("there", "typed"), [("MÜLLER", "müller"), ("müller", "MÜLLER")])
def test_a_log_in_name_is_taken_in_each_case_of_each_letter(there: str, typed: str):
    make_user(there)  # of an earlier version, which kept the case
    _invitation, token = invite()

    with pytest.raises(ValidationError, match="gibt es schon"):
        accept(token, typed)


def test_an_account_with_an_older_odd_name_can_log_in():
    accounts_there = [make_user(name) for name in ("bodı", "Bodo", "Müller")]

    users = [User.objects.get_by_natural_key(name) for name in ("bodı", "BODO", "Müller")]

    assert users == accounts_there


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL never had both")
def test_accounts_with_names_differing_in_case_stay_separate():
    both = [make_user("MÜLLER"), make_user("müller")]

    assert [User.objects.get_by_natural_key(user.username) for user in both] == both


def test_passwords_are_stored_as_argon2_outside_tests():
    assert django_settings.PASSWORD_HASHERS != romme_settings.PASSWORD_HASHERS
    assert romme_settings.PASSWORD_HASHERS[0].endswith("OneCoreArgon2Hasher")


def test_a_display_name_is_unique_at_an_organiser():
    """An invited second account with the first one's name made one person look like two."""
    tournament = make_tournament()
    head = make_member(tournament, Role.VERANSTALTER, name="Bodo Haupt")
    other = make_user(name="bodo  haupt")
    tokens = [
        accounts.invite(Actor.account(head), tournament.pk, role=Role.SPIELLEITUNG, name=name)[1]
        for name in ("Zweite", "Dritte")
    ]
    url = at("account:invitation", tokens[0])
    sent = {"name_": "BODO HAUPT", "username": "zweit", "password": PASSWORD, "repeated": PASSWORD}

    new = Client().post(url, sent)
    there = logged_in(other).post(at("account:invitation", tokens[1]), {"as_me": "1"})
    fits = Client().post(url, {**sent, "name_": "Bodo Haupt jun."})

    assert new.status_code == 422
    assert "heißt hier schon ein anderes Konto" in new.content.decode()
    assert there.status_code == 409
    assert fits.status_code == 302
    assert not other.memberships.exists()


def test_the_profile_refuses_the_name_of_another_account():
    tournament = make_tournament()
    make_member(tournament, Role.VERANSTALTER, name="Bodo Haupt")
    user = make_member(tournament, Role.KASSE, name="Kai Ohm")
    elsewhere = make_member(make_tournament(owner=make_organiser()), Role.KASSE, name="Ida Lang")

    refused = logged_in(user).post(at("account:profile"), {"name_": "Bodo Haupt"})
    stored = logged_in(user).post(at("account:profile"), {"name_": elsewhere.name})
    user.refresh_from_db()

    assert refused.status_code == 422
    assert stored.status_code == 302
    assert user.name == "Ida Lang"
