"""Startkarten at the desk: typed or scanned, and the rest drawn with promises kept."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import COMMAND, make_member
from tests.tournaments.draw.helpers import begin, enter, field, numbers
from tournaments.common.access_keys import player_path
from tournaments.common.errors import TournamentError
from tournaments.draw.forms import CardEntry, CardForm
from tournaments.draw.services import cards as draw_cards
from tournaments.draw.services import draws
from tournaments.models import Draw, JournalEntry, Registration, Role, Separation, Serie, Tournament
from tournaments.results.services import player_access

pytestmark = [pytest.mark.django_db, pytest.mark.once]
CARDS = Serie.Seating.CARDS
TOKEN = "aB3-_" * 6 + "xy"


def entered(text: str, number: int | None = None) -> CardEntry:
    form = CardForm({"entry": text, "number": number or ""})
    assert form.is_valid(), form.errors
    entry: CardEntry = form.cleaned_data["entered"]
    return entry


@pytest.mark.parametrize(
    "text",
    ["17 4-2", "17 4 2", "17, 4/2", "17 T4 P2", "17  4.2", "17 4ß2", "17 Tisch 4, 2", " 17 4–2 "],
)
def test_a_card_may_be_written_in_many_ways(text: str):
    assert entered(text).cards == {17: (4, 2)}


@pytest.mark.parametrize("text", ["4: 17 3 22 8", "Tisch 4: 17, 3, 22, 8", "4 :17 3 22 8"])
def test_a_whole_table_is_one_line(text: str):
    assert entered(text).cards == {17: (4, 1), 3: (4, 2), 22: (4, 3), 8: (4, 4)}


def test_a_number_or_a_scanned_code_asks_for_the_card():
    assert entered("17") == CardEntry(number=17)
    assert entered(f"https://turnier.example/s/{TOKEN}/") == CardEntry(token=TOKEN)


def test_a_card_is_assigned_to_the_scanned_person():
    assert entered("4-2", number=17) == CardEntry(number=17, card=(4, 2))
    assert entered(f"/s/{TOKEN}/ 4-2") == CardEntry(token=TOKEN, card=(4, 2))


def test_another_scanned_person_replaces_the_awaited_one():
    assert entered("18", number=17) == CardEntry(number=18)
    assert entered("18 4-2", number=17).cards == {18: (4, 2)}
    assert entered(f"/s/{TOKEN}", number=17) == CardEntry(token=TOKEN)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        pytest.param("siebzehn", "ist keine Karte", id="a word"),
        pytest.param("4-2", "ist keine Karte", id="whose?"),
        pytest.param("17 4-22", "ist keine Karte", id="no such place anywhere"),
        pytest.param("4: 17 17 3", "steht doppelt", id="twice at a table"),
        pytest.param("1" * 299 + "!", "ist keine Karte", id="long"),
        pytest.param("", "erforderlich|ausfüllen|Pflicht", id="nothing"),
    ],
)
def test_an_invalid_card_is_refused_with_an_example(text: str, sentence: str):
    form = CardForm({"entry": text})

    assert not form.is_valid()
    errors = " ".join(str(message) for error in form.errors.values() for message in error)
    assert any(part in errors for part in sentence.split("|")), errors


def test_the_desk_cannot_see_or_change_a_draft_without_cards(client: Client):
    tournament = field(8)
    draw = begin(tournament, Serie.Seating.ELECTRONIC)
    draws.store_plan(COMMAND, draw.pk, plan=draws.plan_of(draw))
    draw.refresh_from_db()
    before = draw.seats
    client.force_login(make_member(tournament, Role.KASSE))

    answer = client.post(reverse("draw:card", args=[tournament.slug, 1]), {"entry": "1 1-1"})

    assert answer.status_code == 409
    assert "wird nicht mit gezogenen Karten ausgelost" in answer.content.decode()
    assert "hat schon" not in answer.content.decode()
    with pytest.raises(TournamentError, match="nicht mit gezogenen Karten"):
        draw_cards.enter_at_table(COMMAND, draw.pk, table=1, numbers={})
    draw.refresh_from_db()
    assert draw.seats == before


@pytest.mark.both
def test_a_table_is_entered_whole_or_refused():
    draw = begin(field(8), CARDS)
    enter(draw, 4, table=1, seat=1)
    whole = {5: (1, 2), 6: (1, 3), 7: (1, 1)}

    with pytest.raises(TournamentError, match=r"Tisch 1, Platz 1 hat schon 4 ·"):
        draw_cards.enter_cards(COMMAND, draw.pk, cards=whole)

    draw.refresh_from_db()
    assert numbers(draw)[0] == [4, None, None, None]


def test_two_swapped_entries_are_corrected_in_one_line():
    draw = begin(field(8), CARDS)
    enter(draw, 1, table=1, seat=1)
    enter(draw, 2, table=1, seat=2)

    draw = draw_cards.enter_cards(COMMAND, draw.pk, cards={1: (1, 2), 2: (1, 1)})

    assert numbers(draw)[0] == [2, 1, None, None]
    last = JournalEntry.objects.filter(action="cards_entered").latest("number")
    assert last.after["cards"] == [[1, 1, 2], [2, 1, 1]]


def fix(tournament: Tournament, number: int, table: int) -> None:
    tournament.registrations.filter(number=number).update(fixed_table=table)


def separate(tournament: Tournament, first: int, second: int) -> None:
    keys = dict(tournament.registrations.values_list("number", "pk"))
    lower, other = sorted((keys[first], keys[second]))
    Separation.objects.create(tournament=tournament, first_id=lower, second_id=other)


def fill_up(draw: Draw) -> list[list[int]]:
    return numbers(draw_cards.fill_up(COMMAND, draw.pk))


@pytest.mark.both
def test_drawing_the_rest_keeps_fixed_tables_and_separations():
    tournament = field(12)
    fix(tournament, 5, 3)
    fix(tournament, 6, 3)
    for first, second in [(1, 2), (3, 4), (7, 8)]:
        separate(tournament, first, second)

    rows = fill_up(begin(tournament, CARDS))

    assert {5, 6} <= set(rows[2])
    assert not any({1, 2} <= set(row) or {3, 4} <= set(row) or {7, 8} <= set(row) for row in rows)
    assert sorted(number for row in rows for number in row) == list(range(1, 13))


def test_a_full_fixed_table_is_named():
    tournament = field(8)
    fix(tournament, 5, 1)
    draw = begin(tournament, CARDS)
    for seat in range(1, 5):
        enter(draw, seat, table=1, seat=seat)

    with pytest.raises(TournamentError, match="gehört fest an Tisch 1, und dort ist kein Platz"):
        fill_up(draw)


def test_impossible_separations_stop_drawing_the_rest():
    tournament = field(8)
    for first, second in [(1, 2), (1, 3), (2, 3)]:
        separate(tournament, first, second)

    with pytest.raises(TournamentError, match="nicht alle auseinander halten"):
        fill_up(begin(tournament, CARDS))


def test_a_separation_broken_by_cards_does_not_stop_the_rest():
    tournament = field(8)
    separate(tournament, 1, 2)
    draw = begin(tournament, CARDS)
    enter(draw, 1, table=1, seat=1)
    enter(draw, 2, table=1, seat=2)

    assert fill_up(draw)[0][:2] == [1, 2]


@pytest.fixture
def tournament(client: Client) -> Tournament:
    made = field(7)
    client.force_login(make_member(made, Role.KASSE))
    begin(made, CARDS)
    return made


def post(client: Client, tournament: Tournament, **data: object):
    return client.post(reverse("draw:card", args=[tournament.slug, 1]), data)


def test_a_scanned_startkarte_asks_for_its_table_and_place(client: Client, tournament: Tournament):
    player_access.store_tokens(tournament)
    registration = tournament.registrations.get(number=5)

    asked = post(client, tournament, entry=player_path(registration)).content.decode()
    post(client, tournament, entry="2-3", number=5)

    assert "Karte von 5 " in asked
    assert numbers(Draw.objects.get())[1][2] == 5


def test_a_startkarte_of_another_tournament_is_refused(client: Client, tournament: Tournament):
    other = field(4)
    player_access.store_tokens(other)
    foreign = Registration.objects.filter(tournament=other).first()

    answer = post(client, tournament, entry=f"{player_path(foreign)} 1-1")

    assert answer.status_code == 409
    assert "gehört nicht zu diesem Turnier" in answer.content.decode()


def test_an_unknown_start_number_is_refused_at_once(client: Client, tournament: Tournament):
    answer = post(client, tournament, entry="77")

    assert answer.status_code == 409
    assert "77 ist nicht vergeben" in answer.content.decode()


def test_missing_cards_and_people_without_one_are_shown(client: Client, tournament: Tournament):
    post(client, tournament, entry="1: 1 2 3 4")

    page = client.get(reverse("draw:serie", args=[tournament.slug, 1])).content.decode()

    assert "4 Karten eingetragen." in page
    assert "3 fehlende Karten" in page
    assert "<span>2-1</span> <span>2-2</span> <span>2-3</span>" in page
    assert "3 Personen ohne Karte" in page


def test_broken_promises_are_shown_while_cards_are_entered(client: Client, tournament: Tournament):
    separate(tournament, 1, 2)
    fix(tournament, 3, 2)
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    post(client, tournament, entry="1: 1 2 3 4")
    page = client.get(reverse("draw:serie", args=[tournament.slug, 1])).content.decode()

    assert "„Nicht zusammen“, und doch an einem Tisch:" in page
    assert "Nicht am festen Tisch:" in page
