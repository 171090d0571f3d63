"""The first account, invitations, and roles that can be taken away."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings as django_settings
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.utils import timezone

from romme_site import settings as romme_settings
from tests.factories import COMMAND, make_member, make_tournament, make_user
from tournaments.accounts import services as accounts
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, NotAllowed, TournamentError
from tournaments.models import Invitation, JournalEntry, Role, User

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


def test_a_new_setup_link_ends_the_one_before():
    first = accounts.make_setup_link(actor=COMMAND)
    accounts.make_setup_link(actor=COMMAND)

    with pytest.raises(NotAllowed, match="gilt nicht mehr"):
        accept(first)


def test_there_is_no_setup_link_once_there_is_an_account():
    make_user()

    with pytest.raises(NotAllowed, match="Es gibt schon ein Konto"):
        accounts.make_setup_link(actor=COMMAND)


def test_setup_link_runs_out_after_a_day():
    token = accounts.make_setup_link(actor=COMMAND, now=timezone.now() - timedelta(hours=25))

    with pytest.raises(NotAllowed, match="abgelaufen"):
        accounts.find_invitation(token)


def test_an_invitation_runs_out_after_two_weeks():
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


def test_setup_command_says_when_it_is_not_needed(capsys: pytest.CaptureFixture[str]):
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


def test_withdrawn_invitation_opens_nothing():
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


def test_a_role_can_be_taken_away_and_the_journal_knows():
    tournament = make_tournament()
    helper = make_member(tournament, Role.KASSE)

    accounts.remove_role(COMMAND, helper.memberships.get().pk)

    assert not helper.memberships.exists()
    entry = JournalEntry.objects.get(action="role_removed")
    assert entry.before == {"account": helper.pk, "role": "kasse"}


def test_last_account_that_administers_cannot_be_shut_out():
    admin = make_user(is_admin=True)

    with pytest.raises(TournamentError, match="das letzte Konto"):
        accounts.set_active(user_id=admin.pk, is_active=False, actor=COMMAND)


def test_log_in_names_differ_by_more_than_case():
    make_user("anna")
    _invitation, token = invite()

    with pytest.raises(ValidationError, match="gibt es schon"):
        accept(token, "ANNA")


def test_passwords_are_kept_as_argon2_outside_the_tests():
    assert django_settings.PASSWORD_HASHERS != romme_settings.PASSWORD_HASHERS
    assert romme_settings.PASSWORD_HASHERS[0].endswith("OnOneCore")
