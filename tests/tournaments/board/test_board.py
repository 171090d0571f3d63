"""The overview of a tournament: its content in each state and during the day."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import COMMAND, make_head, make_registration, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.tournaments.hall.helpers import played, running
from tests.tournaments.hall.pages import limited, log_in, text
from tests.tournaments.notices.helpers import make_checked_list, tournament_of
from tournaments.announcement.services import tournaments
from tournaments.board.queries import registration_days
from tournaments.closing import services as closing
from tournaments.desk.services.registrations import Payment, pay
from tournaments.models import (
    Case,
    Ranking,
    Registration,
    Role,
    Season,
    Serie,
    Spielliste,
    Tournament,
)
from tournaments.table.services import calls

pytestmark = pytest.mark.django_db
Status = Spielliste.Status
ARCHIVE = "Als Archiv sichern"
WHAT_FOLLOWS = (
    "Zur Rangliste",
    "Urkunden drucken",
    "Zum Pressetext",
    "Zum Kassenbericht",
    ARCHIVE,
)


def url(tournament: Tournament) -> str:
    return reverse("setup:tournament", args=[tournament.slug])


def look(client: Client, tournament: Tournament, role: Role = Role.SPIELLEITUNG) -> Any:
    """Return the overview for an account with this role."""
    log_in(client, tournament, role)
    return client.get(url(tournament))


def strong(page: Any) -> list[str]:
    """Return the texts of the strong buttons of the day."""
    buttons = text(page).split('<div id="day"')[1].split('id="settings"')[0].split('class="button"')
    return [each.split(">")[1].split("<")[0].strip() for each in buttons[1:]]


def parts(page: Any) -> dict[str, int]:
    return {str(part.label): part.number for part in page.context["board"].parts}


def waits(page: Any) -> list[str]:
    return [task.title for task in page.context["board"].waiting]


def test_a_draft_lists_missing_facts_and_its_sections(client: Client):
    page = look(client, make_tournament(status="draft"))

    assert page.context.get("board") is None
    assert "Bis zum Ausschreiben fehlt" in text(page)
    assert 'id="settings"' not in text(page)


def test_an_announced_tournament_shows_registrations_by_day(client: Client):
    tournament = make_tournament(places=80)
    now = timezone.localtime()  # a day before it is the day before, also when clocks change
    for days in (20, 7, 6, 3):
        make_registration(tournament, created_at=now - timedelta(days=days))
    make_registration(tournament, status=Registration.Status.REGISTERED)

    page = look(client, tournament)

    registered = page.context["registered"]
    assert (registered.number, registered.last_week, registered.paid) == (5, 3, 4)
    # The day of the first one is on the left, today on the right; all five are at the top.
    assert registered.points == "0,48 195,36 210,24 255,12 300,0 300,0"
    assert "Plätze: 80" in text(page)
    assert "3 in den letzten sieben Tagen" in text(page)


def test_waiting_and_withdrawn_people_are_counted_separately(client: Client):
    tournament = make_tournament(places=2)
    for status in ("paid", "registered", "withdrawn"):
        make_registration(tournament, status=status)
    make_registration(tournament, status="waiting", waiting_since=timezone.now())
    log_in(client, tournament)

    page = text(client.get(url(tournament)))
    own = text(client.get(reverse("setup:tournaments")))

    assert "2 Meldungen" in page
    assert "1 auf der Warteliste, 1 abgemeldet" in page
    assert 'data-label="Meldungen">2<' in own


def test_the_curve_uses_local_days():
    late = datetime(2026, 7, 1, 22, 30, tzinfo=UTC)
    tournament = make_tournament()
    make_registration(tournament, created_at=late)

    assert registration_days(tournament, late).today == date(2026, 7, 2)
    assert registration_days(tournament, late).days == [(date(2026, 7, 2), 1)]


def test_no_curve_is_drawn_without_registrations_or_on_the_first_day(client: Client):
    tournament = make_tournament()
    assert "<polyline" not in text(look(client, tournament))

    make_registration(tournament)

    page = client.get(url(tournament))
    assert page.context["registered"].number == 1
    assert "<polyline" not in text(page)


def test_the_overview_links_to_the_first_draw(client: Client):
    page = look(client, make_tournament(status="running"))

    assert "Noch keine Sitzordnung" in text(page)
    assert strong(page) == ["Serie 1 auslosen"]


def test_a_seated_serie_has_not_begun(client: Client):
    page = look(client, running(tables=3).tournament)

    assert "hat noch nicht begonnen" in text(page)
    assert parts(page) == {"ohne Eintrag": 3}
    assert strong(page) == ["Zu den Tischen"]


def test_a_serie_shows_its_clock_and_its_tables_by_their_state(client: Client):
    serie = limited(tables=7)
    write_games(list_of(serie, 2), FOUR[:5])
    for table, status in enumerate(
        (Status.COMPLETE, Status.SIGNED, Status.HANDED_IN, Status.VERIFIED, Status.INVALID), 3
    ):
        played(serie, table, status=status)

    page = look(client, serie.tournament)

    assert "Serie 1 von 3" in text(page)
    assert "data-countdown" in text(page)
    assert parts(page) == {
        "ohne Eintrag": 1,
        "spielen": 1,
        "fertig, nicht abgegeben": 2,
        "abgegeben": 1,
        "geprüft": 1,
        "ungültig": 1,
    }
    bar = page.context["board"].parts
    assert [part.start for part in bar][:3] == ["0.00%", "14.29%", "28.57%"]
    assert (bar[2].width, bar[2].middle) == ("28.57%", "42.86%")


def busy() -> Serie:
    """Return a tournament with a call, a case, lists in two states and an unpaid person."""
    serie = running(tables=4, tariff=None)
    calls.call(COMMAND, serie.tables.get(number=1).pk, kind="counting")
    Case.objects.create(tournament=serie.tournament, kind="dispute", text="Wer war dran?")
    played(serie, 2)
    played(serie, 3, status=Status.HANDED_IN)
    make_registration(serie.tournament, status=Registration.Status.REGISTERED)
    return serie


@pytest.mark.parametrize(
    ("role", "titles", "labels"),
    [
        pytest.param(
            Role.SPIELLEITUNG,
            ["Tisch 1 ruft", "1 Entscheidung wartet auf Sie", "Tisch 2 gibt ab"],
            ["Zum Ruf", "Entscheiden", "Annehmen"],
            id="all, and the most urgent three",
        ),
        pytest.param(
            Role.SCHIEDSRICHTER,
            ["Tisch 1 ruft", "Tisch 2 gibt ab", "1 Liste ist zu prüfen"],
            ["Zum Ruf", "Ansehen", "Ansehen"],
            id="no decision, no money",
        ),
        pytest.param(
            Role.KASSE,
            ["Tisch 2 gibt ab", "1 Startgeld ist offen"],
            ["Annehmen", "Kassieren"],
            id="what is handed in, and money",
        ),
    ],
)
def test_each_role_sees_its_tasks_with_one_primary_button(
    client: Client, role: Role, titles: list[str], labels: list[str]
):
    serie = busy()

    page = look(client, serie.tournament, role)

    assert waits(page) == titles
    assert [task.label for task in page.context["board"].waiting] == labels
    assert strong(page) == labels[:1]
    assert "auf Sie </a>" not in text(page)  # the sign of other pages
    for task in (*page.context["board"].waiting, page.context["board"].next):
        assert client.get(task.url, follow=True).status_code == 200


@pytest.mark.parametrize("role", Role)
def test_each_role_gets_a_page_of_its_own_before_a_draw(client: Client, role: Role):
    page = look(client, make_tournament(status="running"), role)

    assert client.get(page.context["board"].next.url, follow=True).status_code == 200


def test_a_call_waits_until_it_is_taken(client: Client):
    serie = running(tables=2)
    call = calls.call(COMMAND, serie.tables.get(number=1).pk, kind="counting")
    assert waits(look(client, serie.tournament)) == ["Tisch 1 ruft"]

    calls.take(COMMAND, call.pk)

    assert waits(client.get(url(serie.tournament))) == []


def test_several_tables_share_a_card(client: Client):
    serie = running(tables=5)
    for table in serie.tables.all()[:2]:
        calls.call(COMMAND, table.pk, kind="counting")
    for number in (3, 4, 5):
        played(serie, number)

    page = look(client, serie.tournament)

    assert waits(page) == ["Tische 1, 2 rufen", "Tische 3, 4, 5 geben ab"]
    assert client.get(page.context["board"].waiting[0].url).status_code == 200


@pytest.mark.parametrize(
    ("closed", "line", "button"),
    [
        pytest.param(0, "Serie 1 von 2", "Zum Abschluss", id="all checked"),
        pytest.param(1, "Abgeschlossen um", "Serie 2 auslosen", id="between two"),
        pytest.param(2, "Alle Serien sind gespielt.", "Zum Abschluss", id="all over"),
    ],
)
def test_settled_lists_lead_to_the_next_step(client: Client, closed: int, line: str, button: str):
    tournament = make_tournament(status="running", serien=2)
    for number in range(1, max(closed, 1) + 1):
        serie = make_seated_serie(tournament, number=number)
        played(serie, status=Status.VERIFIED)
    tournament.serien.filter(number__lte=closed).update(closed_at=timezone.now())

    page = look(client, tournament)

    assert line in text(page)
    assert strong(page) == [button]


def test_the_settings_of_the_day_open_on_a_refusal(client: Client):
    tournament = running().tournament
    page = look(client, tournament)
    assert 'id="settings">' in text(page)
    assert "Ausschreibung ändern" in text(page)

    refused = client.post(reverse("setup:call_off", args=[tournament.slug]), {"reason": ""})

    assert refused.status_code == 422
    assert 'id="settings" open' in text(refused)
    assert "Ausschreibung ansehen" in text(look(client, tournament, Role.KASSE))


def test_an_open_overview_gets_changes(client: Client):
    serie = running(tables=2)
    tournament = serie.tournament
    look(client, tournament)
    asking = {"HX-Request": "true"}

    same = client.get(f"{url(tournament)}?since={tournament.revision}", headers=asking)
    calls.call(COMMAND, serie.tables.get(number=1).pk, kind="counting")
    new = client.get(f"{url(tournament)}?since={tournament.revision}", headers=asking)
    Tournament.objects.filter(pk=tournament.pk).update(status=Tournament.Status.CLOSED)
    over = client.get(f"{url(tournament)}?since={tournament.revision}", headers=asking)

    assert same.status_code == 204
    assert "Tisch 1 ruft" in text(new)
    assert "<html" not in text(new)
    assert over.headers["HX-Refresh"] == "true"


def closed() -> Tournament:
    """A closed tournament with one table, whose seat 2 won (210, 201, 279 and 301 points)."""
    tournament = tournament_of(make_checked_list())
    for serie in tournament.serien.all():
        closing.close_serie(COMMAND, serie.pk)
    return closing.close(COMMAND, tournament.pk)


def test_the_overview_of_a_closed_tournament_shows_its_result(client: Client):
    tournament = closed()
    first, second, third, fourth = tournament.registrations.order_by("number")

    page = look(client, tournament)

    outcome = page.context["outcome"]
    assert [place.line.registration for place in outcome.winners] == [second]
    assert [place.line.registration for place in outcome.runners_up] == [first, third]
    assert (outcome.players, outcome.serien, outcome.games) == (4, 1, 12)
    said = text(page).split('id="outcome-title"')[1].split('id="settings"')[0]
    assert second.person.full_name in said
    assert fourth.person.full_name not in said


def test_winners_of_other_rankings_are_shown_beside_the_winner(client: Client):
    tournament = closed()
    women = tournament.rankings.create(kind=Ranking.Kind.WOMEN)
    third = tournament.registrations.get(number=3)
    third.rankings.add(women)

    outcome = look(client, tournament).context["outcome"]

    assert [(first_place.label, first_place.names) for first_place in outcome.first_places] == [
        ("Damen", [third.person.full_name])
    ]


@pytest.mark.parametrize(
    ("role", "labels"),
    [
        pytest.param(
            Role.VERANSTALTER,
            ["Zur Rangliste", "Urkunden drucken", "Zum Pressetext", "Zum Kassenbericht", ARCHIVE],
            id="who may do all",
        ),
        pytest.param(
            Role.KASSE, ["Zur Rangliste", "Zum Pressetext", "Zum Kassenbericht"], id="the till"
        ),
        pytest.param(Role.SCHIEDSRICHTER, ["Zur Rangliste", "Zum Pressetext"], id="a referee"),
    ],
)
def test_links_after_the_day_depend_on_the_role(client: Client, role: Role, labels: list[str]):
    page = look(client, closed(), role)

    follows = text(page).split('id="follows"')[1].split("</section>")[0]
    assert [label for label in WHAT_FOLLOWS if label in follows] == labels
    assert ("wieder öffnen" in text(page)) == (role == Role.VERANSTALTER)


def test_creators_of_tournaments_see_the_next_one_and_the_seasons(client: Client):
    tournament = closed()
    client.force_login(make_head(tournament.owner))

    page = client.get(url(tournament))

    assert reverse("setup:new_from_copy", args=[tournament.slug]) in text(page)
    assert reverse("seasons:overview") in text(page)


def test_a_season_that_counts_the_tournament_is_named(client: Client):
    tournament = closed()
    head = make_head(tournament.owner)
    season = Season.objects.create(
        owner=tournament.owner, slug="liga", name="Liga 2026", best=3, created_by=head
    )
    season.tournaments.add(tournament)

    page = look(client, tournament)

    assert "Dieses Turnier zählt für „Liga 2026“." in text(page)
    assert reverse("seasons:season", args=["liga"]) in text(page)


def test_closing_ends_on_the_result(client: Client):
    tournament = tournament_of(make_checked_list())
    closing.close_serie(COMMAND, tournament.serien.get().pk)
    log_in(client, tournament)

    page = client.post(reverse("closing:close", args=[tournament.slug]), follow=True)

    assert page.redirect_chain[-1][0] == url(tournament)
    assert "Das Turnier ist abgeschlossen." in text(page)
    assert "Gewonnen hat" in text(page)


def test_reopening_is_collapsed_on_the_page_of_closing(client: Client):
    tournament = closed()
    log_in(client, tournament)

    page = text(client.get(reverse("closing:page", args=[tournament.slug])))
    refused = text(client.post(reverse("closing:reopen", args=[tournament.slug]), {"reason": ""}))

    assert '<details class="details"> <summary>Turnier wieder öffnen</summary>' in page
    assert '<details class="details" open> <summary>Turnier wieder öffnen</summary>' in refused


def test_a_closed_tournament_without_lists_is_explained(client: Client):
    page = look(client, make_tournament(status="closed"))

    assert "Es hat keine vollständige Liste und damit kein Ergebnis." in text(page)
    assert "Urkunden" not in text(page)
    assert "h-allgemeines" in text(page)


def test_refunds_are_the_primary_button_of_a_called_off_tournament(client: Client):
    tournament = make_tournament()
    registration = make_registration(tournament, status=Registration.Status.REGISTERED)
    pay(COMMAND, registration.pk, payment=Payment(amount_cents=1500))
    tournaments.call_off(COMMAND, tournament.pk, reason="Hochwasser")

    page = look(client, tournament, Role.KASSE)

    assert "Hochwasser" in text(page)
    assert page.context.get("board") is None
    assert "h-allgemeines" in text(page)
    assert "1 Person bekommt ihr Geld zurück: <strong>15,00 €</strong>." in text(page)
    assert (
        '<a class="button wide"'
        in text(page).split("<h2>Abgesagt</h2>")[1].split("Zurückzahlen")[0]
    )


def test_roles_without_the_till_see_no_link_to_refunds(client: Client):
    tournament = make_tournament(status="called_off", called_off_reason="Hochwasser")

    page = look(client, tournament, Role.SCHIEDSRICHTER)

    assert reverse("cash:refunds", args=[tournament.slug]) not in text(page)
