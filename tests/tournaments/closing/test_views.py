"""The page of closing lists missing items with links."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.clients import plain
from tests.factories import COMMAND, make_member, make_players, make_registration, make_tournament
from tests.factories_lists import list_of, make_seated_serie, write_games
from tests.tournaments.notices.helpers import (
    make_case,
    make_checked_list,
    make_correction,
    make_notice,
    players_of,
    tournament_of,
)
from tests.worlds import world
from tournaments.cash.services import till
from tournaments.closing import services as closing
from tournaments.closing.queries.closing import reopening_warnings
from tournaments.lists.services.opening import open_lists
from tournaments.models import (
    Call,
    Closing,
    Correction,
    Draw,
    Penalty,
    Playoff,
    Role,
    Seat,
    Serie,
    Spielliste,
    Table,
    Tournament,
)

pytestmark = pytest.mark.django_db


@world
def spielliste() -> Spielliste:
    return make_checked_list(kaution_cents=500)


@pytest.fixture
def tournament(spielliste: Spielliste) -> Tournament:
    return tournament_of(spielliste)


def url(tournament: Tournament, name: str = "page", *args: Any) -> str:
    return reverse(f"closing:{name}", args=[tournament.slug, *args])


def test_from_the_first_serie_to_the_end_and_back(
    leader: Client, tournament: Tournament, spielliste: Spielliste
):
    ready = plain(leader.get(url(tournament)))
    too_early = leader.post(url(tournament, "close"))
    leader.post(url(tournament, "close_serie", 1))
    twice = leader.post(url(tournament, "close_serie", 1))
    leader.post(url(tournament, "close"))
    closed = plain(leader.get(url(tournament)))
    no_reason = leader.post(url(tournament, "reopen"), {"reason": ""})
    leader.post(url(tournament, "reopen"), {"reason": "Zahlendreher in Liste 1"})
    no_reason_serie = leader.post(url(tournament, "reopen_serie", 1), {"serie1-reason": " "})
    leader.post(url(tournament, "reopen_serie", 1), {"serie1-reason": "Zahlendreher"})
    game = spielliste.games.get(number=3)
    game.line = {**game.line, "minus": [27, 53, 0, 22]}
    game.save()
    changed = plain(leader.get(url(tournament)))

    assert "Serie 1 abschließen" in ready
    assert "Serie 1 ist noch nicht abgeschlossen." in plain(too_early)
    refused = [too_early, twice, no_reason, no_reason_serie]
    assert [answer.status_code for answer in refused] == [409, 409, 422, 422]
    assert "Turnier wieder öffnen" in closed
    assert closed.index("Ergebnis und was folgt") < closed.index("Serie 1</h2>")
    assert closed.count("Ergebnis und was folgt") == 1
    assert "Seit dem Abschluss am" in changed
    assert "Zahlendreher in Liste 1" in changed
    first, two = (registration.person.full_name for registration in players_of(spielliste)[:2])
    assert f'{first}</th> <td data-label="Platz"> 2 → <strong>1</strong>' in changed
    assert f'{two}</th> <td data-label="Platz"> 1 → <strong>2</strong>' in changed
    assert "An den Preisen ändert sich nichts." in changed
    assert Closing.objects.get().reopened_reason == "Zahlendreher in Liste 1"
    assert Serie.objects.get().closed_at is None


def test_a_reopening_without_changes_reports_none(leader: Client, tournament: Tournament):
    leader.post(url(tournament, "close_serie", 1))
    leader.post(url(tournament, "close"))
    leader.post(url(tournament, "reopen"), {"reason": "Frage eines Spielers"})

    assert "Plätze und Preise sind dieselben wie beim Abschluss." in plain(
        leader.get(url(tournament))
    )


def test_every_missing_item_links_to_its_page(
    leader: Client, tournament: Tournament, spielliste: Spielliste
):
    other = make_players(tournament, 4)
    open_list = make_open_table(tournament, other)
    make_notice(spielliste)
    case = make_case(spielliste)
    decided = make_case(spielliste, decision="Nein.", decided_at=tournament.created_at)
    make_correction(spielliste, status=Correction.Status.PROPOSED)
    Penalty.objects.create(
        spielliste=spielliste, registration=other[0], points=100, reason="falsch ausgelegt"
    )
    Call.objects.create(table=spielliste.table, kind=Call.Kind.OTHER)
    late = make_registration(tournament, status="registered")
    till.take_kaution(COMMAND, other[1].pk)

    text = plain(leader.get(url(tournament)))

    slug = tournament.slug
    for target in (
        reverse("checking:list", args=[slug, 1, open_list.table.number]),
        reverse("checking:list", args=[slug, 1, 1]),
        reverse("checking:correction", args=[slug, 2]),
        reverse("notices:page", args=[slug]),
        reverse("notices:case", args=[slug, case.pk]),
        reverse("notices:case", args=[slug, decided.pk]),
        reverse("hall:table", args=[slug, 1, 1]),
        reverse("desk:registration", args=[slug, late.pk]),
        reverse("cash:book", args=[slug]),
        reverse("cash:count", args=[slug]),
    ):
        assert f'href="{target}"' in text
    assert "Serie 1 abschließen" not in text
    assert text.index("weder geprüft") < text.index("Hinweis")


def make_open_table(tournament: Tournament, row: Any) -> Spielliste:
    serie = tournament.serien.get(number=1)
    table = Table.objects.create(serie=serie, number=2)
    for seat, registration in enumerate(row, start=1):
        Seat.objects.create(serie=serie, table=table, number=seat, registration=registration)
    open_lists(serie)
    return list_of(serie, 2)


def test_other_roles_see_missing_items_without_buttons(
    client: Client, tournament: Tournament, spielliste: Spielliste
):
    make_notice(spielliste)
    client.force_login(make_member(tournament, Role.KASSE))

    text = plain(client.get(url(tournament)))

    assert "Noch nicht mitgeteilt" in text
    assert "Ansehen" not in text
    assert "abschließen </button>" not in text


@pytest.mark.parametrize("status", ["draft", "announced"])
def test_nothing_can_be_closed_before_the_start(
    leader: Client, tournament: Tournament, status: str
):
    Tournament.objects.update(status=status)

    text = plain(leader.get(url(tournament)))

    assert "Abgeschlossen wird ein Turnier, das läuft." in text


def test_reopening_names_everything_based_on_the_serie(leader: Client):
    tournament = make_tournament(status=Tournament.Status.RUNNING, serien=3)
    first = make_seated_serie(tournament)
    spielliste = write_games(list_of(first), status="verified")
    for number in (2, 3):
        serie = make_seated_serie(tournament, [players_of(spielliste)], number=number)
        Draw.objects.create(
            serie=serie,
            number=1,
            method=Serie.Seating.RANKING,
            status=Draw.Status.PUBLISHED,
            published_at=tournament.created_at,
        )
    write_games(list_of(tournament.serien.get(number=3)), status="verified")
    for number in (1, 3):
        closing.close_serie(COMMAND, tournament.serien.get(number=number).pk)
    Playoff.objects.create(tournament=tournament, order=[1, 2])

    assert reopening_warnings(tournament, tournament.serien.get(number=1)) == [
        "Serie 2 ist nach der Rangliste gesetzt; ihre Plätze bleiben.",
        "Serie 3 ist nach der Rangliste gesetzt; ihre Plätze bleiben.",
        "Serie 3 ist auch schon abgeschlossen und bleibt es.",
        "1 Entscheidungsspiel ist eingetragen.",
    ]
    assert reopening_warnings(tournament) == ["1 Entscheidungsspiel ist eingetragen."]


def test_queries_of_the_page_do_not_grow_with_lists(
    leader: Client, tournament: Tournament, spielliste: Spielliste, django_assert_max_num_queries
):
    make_notice(spielliste)
    with django_assert_max_num_queries(70) as queries:
        leader.get(url(tournament))
    make_open_table(tournament, make_players(tournament, 4))
    for seat in (1, 2, 3, 4):
        make_notice(spielliste, seat)
        make_case(spielliste)

    with django_assert_max_num_queries(len(queries)):
        leader.get(url(tournament))


def strong(page: Any) -> list[str]:
    """The words on the filled buttons of a page's main part."""
    main = plain(page).partition('id="main"')[2].partition("</main>")[0]
    buttons = re.findall(r'<(?:button|a) class="button(?: large)?"[^>]*>(.*?)</(?:button|a)>', main)
    return [" ".join(re.sub(r"<[^>]*>", "", button).split()) for button in buttons]


def test_the_primary_button_after_a_serie_is_the_next_step(client: Client):
    tournament = make_tournament(status=Tournament.Status.RUNNING, serien=2)
    first = make_seated_serie(tournament)
    write_games(list_of(first), status="verified")
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    page = [strong(client.get(url(tournament)))]

    led_on = client.post(url(tournament, "close_serie", 1), {"draw": "1"})
    page.append(strong(client.get(url(tournament))))
    seats = [[seat.registration for seat in first.seats.order_by("number")]]
    write_games(list_of(make_seated_serie(tournament, seats, number=2)), status="verified")
    page.append(strong(client.get(url(tournament))))
    client.post(url(tournament, "close_serie", 2))
    page.append(strong(client.get(url(tournament))))

    assert led_on["Location"] == reverse("draw:serie", args=[tournament.slug, 2])
    assert page == [
        ["Serie 1 abschließen und Serie 2 auslosen"],
        ["Serie 2 auslosen"],
        ["Serie 2 abschließen"],
        ["Turnier abschließen"],
    ]


def test_open_items_are_named_once(leader: Client, tournament: Tournament, spielliste: Spielliste):
    make_open_table(tournament, make_players(tournament, 4))

    page = plain(leader.get(url(tournament)))

    assert page.count("Tisch 2 (offen)") == 1
