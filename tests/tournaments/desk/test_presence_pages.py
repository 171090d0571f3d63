"""Ticking off: by list with one touch, by name at the desk, by a scanned code; and the counter."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.clients import Client, at
from tests.factories import make_member, make_person, make_registration, make_tournament
from tests.tournaments.desk.online.helpers import make_open_tournament, send_one, wanted
from tournaments.common.tokens import hash_token
from tournaments.models import Registration, Role, Tournament
from tournaments.web.cached_answers import clear

pytestmark = pytest.mark.django_db
TOKEN = "abcdefghijklmnopqrstuvwxyz_12345"
ROW = {"HX-Request": "true"}


@pytest.fixture
def hall(client: Client) -> Tournament:
    """Return a hall: Anna and Bernd have paid, Bernd is present; a helper is logged in."""
    tournament = make_tournament(starts_at=timezone.now())
    make_registration(tournament, make_person("Anna", "Kühn"), number=7, present_at=None)
    make_registration(tournament, make_person("Bernd", "Maß"), number=8)
    tournament.registrations.update(due_cents=0)
    client.force_login(make_member(tournament, Role.KASSE))
    return tournament


def url(name: str, tournament: Tournament, *keys: int) -> str:
    return at(f"desk:{name}", tournament, *keys)


def anna(tournament: Tournament) -> Registration:
    return tournament.registrations.get(number=7)


def read(client: Client, address: str, **data: str) -> str:
    return " ".join(client.read(address, data).split())


def test_one_touch_ticks_off_and_the_next_undoes_it(client: Client, hall):
    row = f"person-{anna(hall).pk}"
    headers = {**ROW, "HX-Target": row}

    ticked = client.post(url("tick", hall, anna(hall).pk), headers=headers).content.decode()

    assert anna(hall).present_at is not None
    assert f'id="{row}"' in ticked
    assert 'aria-pressed="true"' in ticked
    assert "2 von 2 da" in ticked
    client.post(url("untick", hall, anna(hall).pk), headers=headers)
    assert anna(hall).present_at is None


def test_the_list_keeps_its_filters_without_javascript(client: Client, hall):
    chosen = "status=nicht-da&nach=name&q=k"

    answer = client.post(f"{url('tick', hall, anna(hall).pk)}?{chosen}")

    assert answer["Location"] == f"{url('list', hall)}?{chosen}#person-{anna(hall).pk}"


def test_the_list_counts_presence_and_filters_absentees(client: Client, hall):
    page = read(client, url("list", hall))
    absent = read(client, url("list", hall), status="nicht-da")

    assert "1 von 2 da" in page
    assert "Kühn, Anna" in absent
    assert "Maß, Bernd" not in absent
    for typed, name in (("mass", "Maß, Bernd"), ("7", "Kühn, Anna"), ("kuehn a", "Kühn, Anna")):
        part = read(client, url("list", hall), q=typed)
        assert part.count('class="who"') == 1, typed
        assert name in part, typed


def test_the_list_shows_open_dues_only(client: Client, hall):
    make_registration(hall, make_person("Clara", "Offen"), number=9, status="registered")

    page = read(client, url("list", hall))

    assert ">bezahlt<" not in page
    assert "0,00" not in page
    assert page.count("15,00 € offen") == 1


def test_enter_at_the_desk_ticks_off_a_paid_person(client: Client, hall):
    page = read(client, url("desk", hall), q="kühn")
    arrive = url("arrive", hall, anna(hall).pk)
    assert f'action="{arrive}"' in page

    done = read(client, client.post(arrive)["Location"])

    assert anna(hall).present_at is not None
    assert "Kühn, Anna" in done
    assert "ist da · 2 von 2 da" in done
    assert f'action="{arrive}"' not in read(client, url("desk", hall), q="kühn")


def test_enter_before_the_day_opens_a_paid_person(client: Client, hall):
    Tournament.objects.update(starts_at=timezone.now() + timedelta(days=2))

    page = read(client, url("desk", hall), q="kühn")

    assert url("arrive", hall, anna(hall).pk) not in page
    assert url("registration", hall, anna(hall).pk) in page


def test_a_startkarte_code_finds_its_person_in_its_tournament_only(client, hall):
    make_registration(make_tournament(), token_hash=hash_token(TOKEN[::-1]))
    Registration.objects.filter(pk=anna(hall).pk).update(token_hash=hash_token(TOKEN))
    card = "http://192.168.0.7:8000/s/{}/"

    assert url("arrive", hall, anna(hall).pk) in read(
        client, url("desk", hall), q=card.format(TOKEN)
    )
    other = read(client, url("desk", hall), q=card.format(TOKEN[::-1]))
    assert "/da/" not in other


def test_an_entry_code_finds_all_its_persons_absent_ones_first(client: Client):
    tournament = make_open_tournament()
    sent = send_one(tournament, wanted("Anna"), wanted("Emil"))
    first, second = tournament.registrations.order_by("number")
    tournament.registrations.update(status="paid", due_cents=0)
    tournament.registrations.filter(pk=first.pk).update(present_at=timezone.now())
    Tournament.objects.update(registration_deadline=timezone.now(), starts_at=timezone.now())
    client.force_login(make_member(tournament, Role.KASSE))

    page = read(client, url("desk", tournament), q=f"https://club.example/meldung/{sent.token}/")

    assert url("arrive", tournament, second.pk) in page
    assert url("arrive", tournament, first.pk) not in page
    assert 0 < page.index("Emil") < page.index("Anna")


def test_a_shown_code_is_ticked_off_by_the_helper_who_opens_it(
    client: Client,
):
    tournament = make_open_tournament()
    sent = send_one(tournament)
    registration = tournament.registrations.get()
    Registration.objects.update(token_hash=hash_token(TOKEN))
    pages = [at("entry:registration", sent.token), at("player:page", TOKEN)]
    assert "Am Tisch der Anmeldung zeigen" in read(client, pages[0])
    for role, may in ((None, False), (Role.SCHIEDSRICHTER, False), (Role.KASSE, True)):
        if role is not None:
            client.force_login(make_member(tournament, role))
        for page in pages:
            assert (url("arrive", tournament, registration.pk) in read(client, page)) is may, (
                role,
                page,
            )

    client.post(url("arrive", tournament, registration.pk))

    assert not any(
        url("arrive", tournament, registration.pk) in read(client, page) for page in pages
    )
    assert "Am Tisch der Anmeldung zeigen" not in read(client, pages[0])


def test_the_screen_shows_the_counter_until_the_first_seats_are_public(client: Client, hall):
    wall = at("screen:screen", hall)
    assert "1 von 2 da" in read(client, wall)

    serie = hall.serien.get(number=1)
    table = serie.tables.create(number=1)
    serie.seats.create(table=table, number=1, registration=hall.registrations.get(number=8))
    clear()

    assert "von 2 da" not in read(client, wall)


def test_presence_is_not_counted_if_unused(client: Client, hall):
    hall.registrations.update(present_at=None)

    assert "0 von 2" not in read(client, at("screen:screen", hall))
    assert "0 von 2" not in read(client, at("draw:serien", hall))


def test_ticking_off_a_withdrawn_person_is_refused_with_the_reason(client: Client, hall):
    Registration.objects.filter(pk=anna(hall).pk).update(status="withdrawn")

    answer = client.post(url("arrive", hall, anna(hall).pk))

    assert answer.status_code == 409
    assert "Abgehakt wird nur, wer mitspielt." in answer.content.decode()


def test_ticking_off_is_hidden_after_the_first_seats_unless_requested(client, hall):
    serie = hall.serien.get(number=1)
    table = serie.tables.create(number=1)
    serie.seats.create(table=table, number=1, registration=hall.registrations.get(number=8))

    assert "aria-pressed" not in read(client, url("list", hall))
    assert "aria-pressed" in read(client, url("list", hall), status="nicht-da")


def test_enter_takes_the_stake_of_a_seated_person(client: Client, hall):
    hall.registrations.filter(number=7).update(due_cents=200)

    page = read(client, url("desk", hall), q="kühn")

    assert f'action="{url("pay", hall, anna(hall).pk)}"' in page
    assert "Nr. 7 offen </span> 2,00 €" in page
