"""The demo tournament: its content, and its equality with real tournaments."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import DatabaseError, transaction

from tests.clients import Client, at
from tests.factories import (
    COMMAND,
    make_club,
    make_member,
    make_person,
    make_registration,
    make_tournament,
    make_user,
)
from tournaments.accounts import services as accounts
from tournaments.archive.importing import import_archive
from tournaments.archive.writing import archive_text
from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError
from tournaments.common.organisers import first_organiser
from tournaments.desk.queries.desk import search
from tournaments.desk.services.registrations import register
from tournaments.journal import proof
from tournaments.journal import services as journal
from tournaments.machine import jobs
from tournaments.models import (
    Call,
    Club,
    Correction,
    Job,
    JournalEntry,
    Person,
    Role,
    Season,
    Spielliste,
    Tournament,
    User,
)
from tournaments.people.queries.duplicates import duplicate_pairs
from tournaments.people.services import people
from tournaments.practice.demo import removal
from tournaments.practice.demo.day import next_start
from tournaments.practice.demo.people import make_accounts

pytestmark = pytest.mark.django_db
Status = Spielliste.Status


def statuses(tournament, number):
    lists = Spielliste.objects.filter(table__serie__tournament=tournament)
    return list(
        lists.filter(table__serie__number=number)
        .order_by("table__number")
        .values_list("status", "on_paper")
    )


def test_the_demo_is_half_played_and_survives_an_archive():
    with transaction.atomic():
        out = StringIO()
        call_command("demo", stdout=out)
        again = StringIO()
        call_command("demo", stdout=again)
        tournament = Tournament.objects.get()

        assert "Knopf auf der Startseite" in out.getvalue()
        assert "gibt es schon" in again.getvalue()
        assert tournament.registrations.count() == 47
        assert tournament.registrations.values("club").distinct().count() == 10  # nine, and none
        assert tournament.rankings.get(kind="tandem").teams.count() == 7
        # 47 = 11 × 4 + 3
        assert statuses(tournament, 1) == [(Status.VERIFIED, False)] * 12
        first = tournament.serien.get(number=1)
        assert tournament.starts_at < first.started_at < first.closed_at
        second = statuses(tournament, 2)
        assert second[0] == (Status.SIGNED, False)
        assert [table for table, row in enumerate(second, start=1) if row[1]] == [3, 9]
        assert [row[0] for row in second[1:]] == [Status.OPEN] * 11
        assert not tournament.serien.get(number=3).seats.exists()
        assert Call.objects.get().table.number == 5
        kinds = list(tournament.corrections.order_by("number").values_list("kind", flat=True))
        assert kinds == [Correction.Kind.LINE, Correction.Kind.PENALTY]
        assert list(proof.of_installation()) == []
        written = archive_text(tournament)

        page = Client().read(at("public:start"))
        assert "Als Spielleitung ansehen" in page
        assert "noch nicht eingerichtet" in page
        assert not User.objects.get(username="demo-kasse").has_usable_password()
        # Its accounts do not prevent the first real one.
        assert accounts.make_setup_link(actor=COMMAND)
        removal.remove(removal.tournaments(), actor=COMMAND)

    left = {
        model.__name__
        for model in apps.get_app_config("tournaments").get_models()
        if model._base_manager.exists()
    }
    assert left == {"Invitation", "JournalChain", "JournalEntry"}  # of the installation
    imported = import_archive(written.encode(), actor=COMMAND)

    assert archive_text(imported) == written
    assert not User.objects.filter(is_active=True).exists()


@pytest.mark.parametrize("minute", [0, 44, 46, 59])
def test_the_demo_always_has_time_left_to_register(minute):
    now = datetime(2026, 10, 3, 12, minute, 30, tzinfo=UTC)

    deadline = next_start(now) - timedelta(minutes=15)

    assert deadline - now > timedelta(minutes=30)


def test_demo_accounts_end_with_the_first_real_account():
    tournament = make_tournament(is_demo=True)
    demo = make_accounts(tournament)[Role.SPIELLEITUNG]
    invitation = accounts.invite(Actor.account(demo), tournament.pk, role=Role.KASSE, name="Uwe")[1]
    given = {"name": "Karla Otto", "password": "ein langes Kennwort"}
    looking = Client()
    start, look, mine = map(at, ("public:start", "demo:look", "setup:tournaments"))

    begun = looking.post(look, {"account": "demo-leitung"}, follow=True)
    guest = accounts.accept_with_new_account(token=invitation, username="uwe", **given)
    before = looking.read(start)
    setup = accounts.make_setup_link(actor=COMMAND)
    admin = accounts.accept_with_new_account(token=setup, username="karla", **given)
    after = looking.read(start)
    again = looking.post(look, {"account": "demo-leitung"}, follow=True)

    assert guest.is_demo
    assert begun.context["user"] == demo
    assert begun.context["tournament"] == tournament
    assert "Als Schiedsrichter ansehen" in before
    assert look not in after
    assert "Die Übungskonten enden" in again.content.decode()
    assert looking.get(mine).status_code == 302
    assert list(User.objects.filter(is_active=True)) == [admin]
    assert set(tournament.memberships.filter(user=admin).values_list("role", flat=True)) == {
        Role.VERANSTALTER,
        Role.SPIELLEITUNG,
    }
    with pytest.raises(TournamentError, match="Übungskonto"):
        accounts.set_active(user_id=demo.pk, is_active=True, actor=Actor.account(admin))


def test_fictional_persons_are_visible_in_the_demo_only():
    demo, real = make_tournament(is_demo=True), make_tournament()
    desk = Actor.account(make_user("demo-kasse", is_demo=True))
    clara = people.create_person(first_name="Clara", last_name="Kühn", within=demo, actor=desk)
    doris = people.create_person(
        first_name="Doris", last_name="Kühn", within=demo.owner, actor=desk
    )
    anna = make_person("Anna", "Kühn")

    assert {person.person for person in search(demo, "kühn")} == {clara, doris}
    assert [person.person for person in search(real, "kühn")] == [anna]
    assert [
        pair for pair in duplicate_pairs(first_organiser()) if clara.pk in (pair.first, pair.second)
    ] == []
    with pytest.raises(TournamentError, match="gehört zu einem anderen Veranstalter"):
        register(COMMAND, real.pk, person_id=clara.pk)


@pytest.mark.parametrize("is_demo", [True, False])
def test_clubs_count_fictional_persons_in_the_demo_only(client: Client, is_demo: bool):
    make_person(club=make_club("Pik-Asse"))
    club = make_club("Pik-Asse", is_demo=True)
    make_person(club=club)
    make_person(club=club)
    member = make_member(make_tournament(is_demo=is_demo), Role.SPIELLEITUNG, is_demo=is_demo)
    client.force_login(member)

    page = client.get(at("people:clubs"))

    assert [club.persons_count for club in page.context["page"]] == [2 if is_demo else 1]


def test_deleting_the_demo_keeps_real_data(client: Client):
    demo, real = make_tournament(is_demo=True), make_tournament()
    copy = make_tournament(copied_from=demo)
    season = Season.objects.create(
        owner=first_organiser(), name="2026", slug="2026", created_by=make_user(is_admin=True)
    )
    season.tournaments.set([demo, real])
    named, unnamed = make_user(is_demo=True), make_user(is_demo=True)
    anna = make_person("Anna", "Kühn", club=make_club("SC Altenburg"))
    made_up = make_person("Clara", "Lang", club=make_club("Pik-Asse", is_demo=True))
    people.create_person(
        first_name="Eva", last_name="Roth", within=demo.owner, actor=Actor.account(named)
    )
    for tournament, person in ((demo, made_up), (real, anna), (demo, anna)):
        registration = make_registration(tournament, person)
        receipt = tournament.receipts.create(number=registration.number, method="cash")
        receipt.entries.create(kind="startgeld", amount_cents=500, registration=registration)
    with transaction.atomic():
        journal.record(demo, Actor.account(unnamed), "tournament_created", demo)
        journal.record(None, Actor.account(named), "password_link_made", named)
    admin = User.objects.get(seasons=season)
    client.force_login(admin)
    page = at("demo:remove")

    led_here = client.read(at("setup:tournaments"))
    shown = client.read(page)
    done = client.post(page, follow=True)
    again = client.post(page)

    assert f'href="{page}"' in led_here
    assert demo.name in shown
    assert real.name not in shown
    assert "Das Übungsturnier ist entfernt, mit 2 Personen." in done.content.decode()
    assert again.status_code == 409
    assert set(Tournament.objects.all()) == {real, copy}
    assert list(Person.objects.all()) == [anna]
    assert [club.name for club in Club.objects.all()] == ["SC Altenburg"]
    assert list(season.tournaments.all()) == [real]
    assert real.receipts.get().entries.count() == 1
    # The journal of the installation names one of its accounts, which stays without a name.
    assert set(User.objects.values_list("pk", "name")) == {
        (admin.pk, admin.name),
        (named.pk, "Übungskonto"),
    }
    assert list(journal.first_breaks()) == []
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        JournalEntry.objects.all().delete()


def test_the_demo_is_entered_by_a_button_as_a_fictional_account():
    make_accounts(make_tournament(is_demo=True))
    strict, client = Client(enforce_csrf_checks=True), Client()

    forged = strict.post(at("demo:look"), {"account": "demo-kasse"})
    client.post(at("demo:look"), {"account": make_user("karla").username})

    assert forged.status_code == 403
    assert "_auth_user_id" not in client.session


def test_visitors_see_the_first_demo_tournament():
    first = make_tournament(is_demo=True)
    make_accounts(first)
    make_tournament(owner=first.owner)

    begun = Client().post(at("demo:look"), {"account": "demo-leitung"}, follow=True)

    assert begun.context["tournament"] == first


def test_demo_visitors_cannot_see_or_change_real_persons(client: Client):
    head = make_member(make_tournament(is_demo=True), Role.SPIELLEITUNG, is_demo=True)
    anna, clara = (make_person(name, "Kühn", is_demo=name == "Clara") for name in ("Anna", "Clara"))
    club = make_club("SC Altenburg")
    make_person("Eva", "Lang", club=club)
    client.force_login(head)

    def status_of(person: Person) -> set[int]:
        pages = (at(f"people:{name}", person.pk) for name in ("person", "edit", "ban"))
        return {client.get(page).status_code for page in pages}

    like_her = client.post(at("people:new"), {"last_name": "Kühn", "first_name": "Anna"})
    renamed = client.post(at("people:club", club.pk), {"name_": "Herz"})

    assert status_of(anna) == {404}
    assert status_of(clara) == {200}
    assert like_her.status_code == 302  # stored, and not asked whether it is her
    assert renamed.status_code == 404
    assert set(Club.objects.values_list("name", flat=True)) == {"SC Altenburg"}


def test_the_start_page_creates_the_demo_without_accounts(client: Client, monkeypatch):
    monkeypatch.setattr(jobs, "spawn", lambda _key: None)  # the command's test makes a day
    start, make, making = map(at, ("public:start", "demo:make", "demo:making"))

    offered = client.read(start)
    client.post(make)
    client.post(make)
    waiting = client.read(making)
    job = Job.objects.get()
    Job.objects.update(status=Job.Status.DONE)
    done = client.get(making)
    make_user()
    refused = client.post(make, follow=True).content.decode()
    after = client.read(start)

    assert "Übungsturnier anlegen" in offered
    assert "<progress" in waiting
    assert f'hx-get="{making}"' in waiting
    assert job.kind == "demo"
    assert done["Location"] == start
    assert "Bitte damit anmelden." in refused
    assert make not in after
    assert "Probelauf" not in after
