"""Four eyes are two persons: how they end, and which second account is none (over HTTP)."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from scoring.errors import ScoringError
from tests.clients import Client, at, logged_in
from tests.factories import make_member, make_tournament
from tests.tournaments.archive.helpers import saved, unsealed
from tests.tournaments.corrections.signed_list import correct_line, played
from tournaments.accounts import services
from tournaments.announcement.services.sections import fingerprint
from tournaments.archive.importing import import_archive
from tournaments.common.actors import Actor
from tournaments.models import Correction, JournalEntry, Role, Tournament, User
from tournaments.models.tournament import Section

pytestmark = pytest.mark.django_db
PASSWORD = "Herz ist heute Trumpf"


def save(user: User, tournament: Tournament, *, four_eyes: bool) -> str:
    """Store „Meldung und Ablauf“ with or without four eyes, and return the page."""
    tournament.refresh_from_db()
    form = {
        "fingerprint": fingerprint(tournament, Section.PROCEDURE),
        "ended_lists": tournament.ended_lists,
        "protest_minutes": tournament.protest_minutes,
        "reason": "wir sind nur zu zweit",
    }
    url = at("setup:section", tournament, Section.PROCEDURE.value)
    client = logged_in(user)
    answer = client.post(url, {**form, **({"four_eyes": "on"} if four_eyes else {})}, follow=True)
    tournament.refresh_from_db()
    return str(answer.content.decode())


def watched(status: str = Tournament.Status.RUNNING) -> Tournament:
    """A complete tournament with four eyes."""
    facts = {"venue": "Saal", "organiser": "SC Gera", "contact_email": "gera@example.org"}
    return make_tournament(status=status, four_eyes=True, **facts)


def heads(tournament: Tournament) -> tuple[User, User]:
    return make_member(tournament, Role.SPIELLEITUNG), make_member(tournament, Role.SPIELLEITUNG)


def test_switching_four_eyes_off_needs_a_second_person():
    """The attack: off, correct alone, on."""
    tournament = watched()
    alone, _other = heads(tournament)

    said = save(alone, tournament, four_eyes=False)
    save(alone, tournament, four_eyes=False)

    assert tournament.four_eyes
    assert "Vier Augen gelten weiter, bis eine zweite Person" in said
    assert [entry.action for entry in JournalEntry.objects.order_by("pk")] == [
        "fewer_eyes_proposed"
    ]


def test_a_second_person_approves_on_the_linked_page():
    tournament = watched()
    first, second = heads(tournament)
    save(first, tournament, four_eyes=False)
    url = at("setup:section", tournament, Section.PROCEDURE.value)

    assert f'href="{url}"' in logged_in(second).read(at("desk:desk", tournament))
    assert f"{first} möchte die vier Augen aufheben" in logged_in(second).read(url)
    save(second, tournament, four_eyes=False)

    assert not tournament.four_eyes
    assert tournament.fewer_eyes_by is None
    assert "Als zweite Person zugestimmt" in logged_in(first).read(at("journal:page", tournament))


def test_storing_four_eyes_again_rejects_the_proposal():
    tournament = watched()
    first, second = heads(tournament)
    save(first, tournament, four_eyes=False)
    save(second, tournament, four_eyes=True)
    save(second, tournament, four_eyes=False)

    assert tournament.four_eyes
    assert tournament.fewer_eyes_by == second


@pytest.mark.parametrize("status", ["draft", "announced", "running"])
def test_one_person_switches_four_eyes_off_before_the_announcement(status: str):
    tournament = watched(status)
    alone, _other = heads(tournament)

    save(alone, tournament, four_eyes=False)

    assert tournament.four_eyes is (status != "draft")


def invited(by: User, tournament: Tournament, name: str = "Strohmann") -> User:
    """Return an account made by a link in a second browser."""
    roles = frozenset({Role.VERANSTALTER})
    _row, token = services.invite(
        Actor.account(by, roles), tournament.pk, role=Role.SPIELLEITUNG, name=name
    )
    form = {"name_": name, "username": name.casefold()}
    url = at("account:invitation", token)
    page = Client()
    fields = {**form, "password": PASSWORD, "repeated": PASSWORD}
    assert page.post(url, fields).status_code == 302
    return User.objects.get(name=name)


def test_a_newly_invited_account_is_not_a_second_person():
    spielliste = played(four_eyes=True)
    tournament = spielliste.table.serie.tournament
    head = make_member(tournament, Role.VERANSTALTER)
    proposed = correct_line(spielliste, actor=Actor.account(head))
    straw = invited(head, tournament)

    page = logged_in(straw)
    refused = page.post(at("checking:approve", tournament, proposed.number))
    proposed.refresh_from_db()

    assert proposed.status == Correction.Status.PROPOSED
    assert "aus derselben Einladung der letzten Stunde" in refused.content.decode()


def test_accounts_invited_by_one_person_are_not_second_persons():
    spielliste = played(four_eyes=True)
    tournament = spielliste.table.serie.tournament
    head = make_member(tournament, Role.VERANSTALTER)
    first, second = invited(head, tournament, "Eins"), invited(head, tournament, "Zwei")
    proposed = correct_line(spielliste, actor=Actor.account(first))

    logged_in(second).post(at("checking:approve", tournament, proposed.number))
    proposed.refresh_from_db()

    assert proposed.status == Correction.Status.PROPOSED


@pytest.mark.parametrize("way", ["an hour ago", "has worked here"])
def test_an_earlier_or_active_account_is_a_second_person(way: str):
    spielliste = played(four_eyes=True)
    tournament = spielliste.table.serie.tournament
    head = make_member(tournament, Role.VERANSTALTER)
    helper = invited(head, tournament)
    if way == "an hour ago":
        long_ago = timezone.now() - timedelta(minutes=61)
        User.objects.filter(pk=helper.pk).update(created_at=long_ago)
    else:
        services.invite(
            Actor.account(helper, frozenset({Role.VERANSTALTER})),
            tournament.pk,
            role=Role.KASSE,
            name="Karl",
        )
    proposed = correct_line(spielliste, actor=Actor.account(head))

    logged_in(helper).post(at("checking:approve", tournament, proposed.number))
    proposed.refresh_from_db()

    assert proposed.status == Correction.Status.CARRIED_OUT


@pytest.mark.parametrize("keeps", [True, False])
def test_an_archive_cannot_remove_four_eyes_from_a_tournament(keeps: bool):
    tournament = make_tournament(four_eyes=True, status=Tournament.Status.ANNOUNCED)
    head = make_member(tournament, Role.VERANSTALTER)
    data = unsealed(saved(tournament))
    del data["journal"]
    data["tournament_details"][0]["four_eyes"] = keeps

    with pytest.raises(ScoringError, match="hat vier Augen, die Datei nicht"):
        import_archive(json.dumps(data).encode(), actor=Actor.account(head), replace=True)
