"""Pages of the draw: the access to drafts, and the time of publication."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import COMMAND, make_member, make_registration
from tests.factories_lists import make_seated_serie
from tests.tournaments.draw.helpers import field, seat_in_order
from tests.worlds import world
from tournaments.draw.services import cards as draw_cards
from tournaments.draw.services import draws
from tournaments.machine import jobs
from tournaments.models import Draw, Job, Role, Seat, Serie, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do the work of a job where it is started, not in another process."""
    monkeypatch.setattr(jobs, "spawn", jobs.run)


tournament = world(lambda: field(8))


def url(tournament: Tournament, name: str) -> str:
    return reverse(f"draw:{name}", args=[tournament.slug, 1])


def log_in(client: Client, tournament: Tournament, role: Role = Role.SPIELLEITUNG) -> None:
    client.force_login(make_member(tournament, role))


@pytest.fixture
def client(client: Client, tournament: Tournament) -> Client:
    log_in(client, tournament)
    return client


@pytest.mark.parametrize(("players", "series", "is_told"), [(16, 5, True), (16, 3, False)])
def test_the_cost_of_single_draws_is_shown_before_the_first_draw(
    client: Client, players: int, series: int, *, is_told: bool
):
    tournament = field(players, serien=series)
    log_in(client, tournament)

    said = client.get(url(tournament, "serie")).content.decode()
    later = client.get(reverse("draw:serie", args=[tournament.slug, 2])).content.decode()

    singly = "Werden 16 Personen Serie für Serie ausgelost, kommt es in 5 Serien etwa auf 8"
    assert (singly in " ".join(said.split())) is is_told
    assert ("Vorausgeplant gibt es keine." in said) is is_told
    assert "Serie für Serie ausgelost" not in later


def test_the_best_plan_so_far_can_be_used_during_the_search(client: Client, tournament: Tournament):
    client.post(url(tournament, "begin"), {"method_": "electronic"})
    job = Job.objects.create(
        kind="draw",
        tournament=tournament,
        params={"draw": Draw.objects.get().pk},
        status=Job.Status.RUNNING,
        result={"rematches": 4},
        heartbeat_at=timezone.now(),
    )

    offered = client.get(url(tournament, "serie")).content.decode()
    client.post(url(tournament, "take"))
    taken = client.get(url(tournament, "serie")).content.decode()

    assert "Gefunden ist ein Plan mit 4 Wiederbegegnungen." in offered
    assert url(tournament, "take") in offered
    assert "Was bis jetzt gefunden ist, wird genommen." in taken
    assert url(tournament, "take") not in taken
    job.refresh_from_db()
    assert job.params["taken"] is True


def test_the_overview_links_to_the_next_serie(client: Client):
    tournament = field(4)
    log_in(client, tournament)
    first, second = tournament.serien.order_by("number")[:2]
    overview = reverse("draw:serien", args=[tournament.slug])

    drawn = client.get(overview)
    draws.begin(COMMAND, first.pk, method=Serie.Seating.CARDS)
    drafted = client.get(overview)
    make_seated_serie(tournament, [list(tournament.registrations.all())])
    seated = client.get(overview)

    assert [page.context["next"] for page in (drawn, drafted, seated)] == [
        first,
        first,
        second,
    ]
    assert "Nächste Serie auslosen" in drawn.content.decode()
    assert "Weiter mit dem Entwurf" in drafted.content.decode()
    assert "Nächste Serie auslosen" in seated.content.decode()


def test_a_draft_is_visible_to_the_spielleitung_only(client: Client, tournament: Tournament):
    draw = draws.begin(COMMAND, tournament.serien.get(number=1).pk, method=Serie.Seating.ELECTRONIC)
    draws.store_plan(COMMAND, draw.pk, plan=draws.plan_of(draw))

    log_in(client, tournament, Role.KASSE)
    desk = client.get(url(tournament, "serie")).content.decode()
    log_in(client, tournament, Role.SPIELLEITUNG)
    leading = client.get(url(tournament, "serie")).content.decode()

    assert "Muster" not in desk
    assert "Muster" in leading


def test_an_unseatable_number_is_reported_before_the_draw(client: Client):
    tournament = field(5)
    log_in(client, tournament)

    page = client.get(url(tournament, "serie")).content.decode()

    assert "5 Personen lassen sich nicht auf Tische zu 4 oder 3 verteilen" in page


def test_a_latecomer_gets_an_offered_seat_by_a_button(client: Client):
    tournament = field(7)
    seat_in_order(tournament)
    late = make_registration(tournament)
    log_in(client, tournament)

    page = client.get(url(tournament, "serie")).content.decode()
    assert "Tisch 2, Platz 4: Dort sitzen erst 3." in page
    assert not Seat.objects.filter(registration=late).exists()
    change = {"change": f"join-{late.pk}-2"}
    client.post(url(tournament, "change_seats"), change)
    again = client.post(url(tournament, "change_seats"), change)

    assert (late.seats.get().table.number, late.seats.get().number) == (2, 4)
    assert again.status_code == 409
    assert "Nachzügler" not in client.get(url(tournament, "serie")).content.decode()


def test_the_page_of_a_published_serie_needs_few_queries(
    client: Client, django_assert_max_num_queries: Any
):
    tournament = field(40)
    log_in(client, tournament)
    draw = draws.begin(COMMAND, tournament.serien.get(number=1).pk, method=Serie.Seating.CARDS)
    draw_cards.fill_up(COMMAND, draw.pk)
    draws.publish(COMMAND, draw.pk)

    with django_assert_max_num_queries(18):
        client.get(url(tournament, "serie"))


def test_a_draw_by_hand_becomes_electronic_while_no_card_is_entered(client: Client):
    tournament = field(4)
    log_in(client, tournament)
    serie = tournament.serien.get(number=1)
    draft = draws.begin(COMMAND, serie.pk, method=Serie.Seating.CARDS)
    button = "Doch das Programm auslosen lassen"

    offered = client.get(url(tournament, "serie")).content.decode()
    client.post(url(tournament, "begin"), {"method_": "electronic"})
    changed = serie.draws.get(status="draft")
    again = draws.begin(COMMAND, serie.pk, method=Serie.Seating.CARDS)
    draw_cards.fill_up(COMMAND, again.pk)
    entered = client.get(url(tournament, "serie")).content.decode()

    draft.refresh_from_db()
    assert button in offered
    assert (draft.status, changed.method) == ("discarded", Serie.Seating.ELECTRONIC)
    assert button not in entered


def test_each_method_of_seating_explains_its_effort(client: Client):
    tournament = field(4)
    log_in(client, tournament)

    page = client.get(url(tournament, "serie")).content.decode()

    assert "Alle ziehen im Saal eine Karte; jede wird eingetippt." in page
    assert "Das Programm lost in Sekunden; jeder kann es prüfen." in page
    assert "Nach der bisherigen Rangliste" not in page
