"""Swaps are judged before they are made; promises need an explicit word, games an owner."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import COMMAND, make_club, make_member
from tests.tournaments.draw.helpers import begin, carry_out, enter_in_order, field
from tests.tournaments.draw.test_cards import fix, separate
from tests.tournaments.draw.test_seat_changes import (
    comes_late,
    offered,
    pk,
    seated,
    stays_away,
    tables,
)
from tests.worlds import world
from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.draw.queries import report as draw_report
from tournaments.draw.services import cards as draw_cards
from tournaments.draw.services import changes as seat_changes
from tournaments.draw.services import drafts, draws
from tournaments.draw.services import swaps as seat_swaps
from tournaments.draw.services.swaps import PromiseBroken
from tournaments.models import Draw, Game, JournalEntry, Role, Seat, Serie, Spielliste, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def swap(serie: Serie, first: int, second: int, **more: Any) -> None:
    seat_swaps.swap_seats(
        COMMAND,
        serie.pk,
        first_id=pk(serie, first),
        second_id=pk(serie, second),
        reason="saßen falsch",
        **more,
    )


def tournament_of(serie: Serie) -> Tournament:
    return Tournament.objects.get(pk=serie.tournament_id)


def play(serie: Serie, table: int, games: int = 1) -> Spielliste:
    spielliste = Spielliste.objects.get(table__serie=serie, table__number=table)
    before = spielliste.games.count()
    size = Seat.objects.filter(table=spielliste.table).count()
    for number in range(before + 1, before + games + 1):
        line = {"finisher": 1, "handromme": False, "minus": [0, *[20] * (size - 1)]}
        Game.objects.create(
            spielliste=spielliste, number=number, line=line, entered_at=timezone.now()
        )
    return spielliste


serie = world(lambda: seated(8))


def test_a_swap_breaking_a_separation_needs_a_confirmation(serie: Serie):
    separate(tournament_of(serie), 5, 2)

    with pytest.raises(PromiseBroken, match="ausdrücklich bestätigen"):
        swap(serie, 1, 5)
    assert tables(serie)[1] == [1, 2, 3, 4]
    swap(serie, 1, 5, override=True)

    assert tables(serie)[1] == [5, 2, 3, 4]
    assert JournalEntry.objects.get(action="seats_swapped").after["broken"] == 1


def test_a_swap_from_a_fixed_table_needs_a_confirmation(serie: Serie):
    fix(tournament_of(serie), 1, 1)

    with pytest.raises(PromiseBroken):
        swap(serie, 1, 5)
    swap(serie, 1, 2)

    assert tables(serie)[1] == [2, 1, 3, 4]


def test_a_promise_already_broken_does_not_prevent_a_swap(serie: Serie):
    separate(tournament_of(serie), 1, 2)

    swap(serie, 5, 6)

    assert tables(serie)[2] == [6, 5, 7, 8]


@pytest.mark.parametrize("status", [Spielliste.Status.OPEN, Spielliste.Status.SIGNED])
def test_seats_of_a_played_table_change_by_correction_only(status: str, serie: Serie):
    lists = play(serie, 2)
    lists.status = status
    lists.save()

    with pytest.raises(WrongStatus, match="An Tisch 2 ist schon gespielt"):
        swap(serie, 1, 6)

    assert tables(serie) == {1: [1, 2, 3, 4], 2: [5, 6, 7, 8]}


def test_devices_showing_old_names_are_notified():
    serie = seated(12)
    swap(serie, 1, 6)

    versions = Spielliste.objects.order_by("table__number").values_list("version", flat=True)
    assert list(versions) == [1, 1, 0]


def test_a_played_table_neither_loses_nor_gains_players():
    serie = seated(11)  # 4, 4, 3
    play(serie, 1)
    play(serie, 3)
    stays_away(serie, 2)
    late = comes_late(serie)

    gaps = seat_changes.gaps(serie)

    assert gaps[0].started_table == 1
    assert offered(serie) == [[], []]
    assert gaps[1].registration == late


def test_a_free_place_at_an_unplayed_table_is_offered():
    serie = seated(11)
    play(serie, 1)
    late = comes_late(serie)

    assert offered(serie) == [[f"join-{late.pk}-3"]]


def test_changes_that_break_a_promise_are_not_offered():
    serie = seated(10)  # 4, 3, 3
    late = comes_late(serie)
    separate(tournament_of(serie), late.number, 6)

    assert offered(serie) == [[f"join-{late.pk}-3"]]


def test_suggestions_minimise_repeated_meetings():
    serie = seated(11)  # [1 2 3 4] [5 6 7 8] [9 10 11]; 9 stays away
    club = make_club()
    tournament_of(serie).registrations.filter(number__in=[8, 10]).update(club=club)
    stays_away(serie, 9)

    # 8 would be the first choice as the last of table 2, but is of the same club as 10.
    assert offered(serie) == [[f"fill-{pk(serie, 9)}-{pk(serie, 7)}"]]


def test_drawbacks_of_a_change_are_shown():
    serie = seated(7)
    late = comes_late(serie)
    club = make_club()
    tournament_of(serie).registrations.filter(number__in=[5, late.number]).update(club=club)

    (gap,) = seat_changes.gaps(serie)

    # places 1 and 4 are neighbours
    assert gap.suggestions[0].drawbacks == (
        "Vereinspaare an einem Tisch 0 → 1",
        "davon nebeneinander 0 → 1",
    )


def test_the_review_compares_before_and_after_with_names(serie: Serie):
    people = {
        registration.number: registration
        for registration in tournament_of(serie).registrations.all()
    }
    separate(tournament_of(serie), 1, 5)
    club = make_club()
    tournament_of(serie).registrations.filter(number__in=[2, 4]).update(club=club)
    judge = draw_report.SeatingReview(serie)
    rows = draw_report.published_rows(serie)
    moved = draw_report.swapped(rows, pk(serie, 4), pk(serie, 5))

    lines = draw_report.compare_measures(judge.findings(rows), people, judge.findings(moved))

    assert all(line.now or line.then for line in lines), "what does not occur is not said"
    apart, clubmates = lines[0], next(line for line in lines if "Vereinspaare" in str(line.label))
    assert (apart.now, apart.then, apart.tone) == (0, 1, "red")
    assert apart.people == (f"1 {people[1].person} – 5 {people[5].person}",)
    assert (clubmates.now, clubmates.then, clubmates.tone) == (1, 0, "felt")
    assert clubmates.resolved == (f"2 {people[2].person} – 4 {people[4].person}",)


def test_publishing_a_broken_promise_needs_a_reason():
    serie = seated_draft()
    separate(serie.serie.tournament, 1, 2)

    with pytest.raises(TournamentError, match="Bitte tauschen oder begründen"):
        draws.publish(COMMAND, serie.pk)
    draws.publish(COMMAND, serie.pk, reason="beide einverstanden")

    entry = JournalEntry.objects.get(action="draw_published")
    assert (entry.after["broken"], entry.reason) == (1, "beide einverstanden")


def test_publishing_reviews_the_seats_once_and_asks_for_a_reason(
    client: Client, monkeypatch: pytest.MonkeyPatch
):
    draft = seated_draft()
    tournament = log_in(client, draft.serie)
    separate(tournament, 1, 2)
    judged: list[Any] = []
    findings = draw_report.SeatingReview.findings

    def counted(judge: draw_report.SeatingReview, rows: Any) -> Any:
        judged.append(rows)
        return findings(judge, rows)

    monkeypatch.setattr(draw_report.SeatingReview, "findings", counted)

    refused = client.post(address(tournament, "publish"))
    judged.clear()
    client.post(address(tournament, "publish"), {"reason": "beide einverstanden"})

    assert refused.status_code == 409
    assert "Bitte tauschen oder begründen" in refused.content.decode()
    assert 'name="reason"' in refused.content.decode()
    draft.refresh_from_db()
    assert draft.status == Draw.Status.PUBLISHED
    assert len(judged) == 1


def seated_draft() -> Draw:
    return enter_in_order(begin(field(8), Serie.Seating.CARDS))


def log_in(client: Client, serie: Serie) -> Tournament:
    tournament = tournament_of(serie)
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    return tournament


def address(tournament: Tournament, name: str) -> str:
    return reverse(f"draw:{name}", args=[tournament.slug, 1])


def test_the_page_reviews_a_swap_before_storing(client: Client, serie: Serie):
    tournament = log_in(client, serie)
    separate(tournament, 5, 2)

    page = client.get(address(tournament, "judge"), {"first": 1}).content.decode()
    judged = client.get(address(tournament, "judge"), {"first": 1, "second": 5}).content.decode()

    assert "tauscht mit wem?" in page
    assert "„Nicht zusammen“, und doch an einem Tisch" in judged
    assert "Trotzdem tauschen" in judged
    assert "an Tisch 2, Platz 1" in judged
    assert tables(serie)[1] == [1, 2, 3, 4]


def test_a_refused_swap_shows_its_review_again(client: Client, serie: Serie):
    tournament = log_in(client, serie)
    separate(tournament, 5, 2)
    data = {"first": 1, "second": 5, "reason": "Wunsch"}

    without = client.post(address(tournament, "swap_seats"), {"first": 1, "second": 5})
    nobody = client.post(address(tournament, "swap_seats"), {**data, "second": 77})
    refused = client.post(address(tournament, "swap_seats"), data)
    done = client.post(address(tournament, "swap_seats"), {**data, "override": "on"})

    assert (without.status_code, nobody.status_code, refused.status_code) == (422, 409, 409)
    assert "zwei verschiedene Personen mit Platz" in nobody.content.decode()
    assert "Trotzdem tauschen" in refused.content.decode()
    assert done.status_code == 302
    assert tables(serie)[1] == [5, 2, 3, 4]


def test_a_swap_during_a_list_leads_to_the_correction_of_seats(client: Client, serie: Serie):
    tournament = log_in(client, serie)
    play(serie, 1)

    judged = client.get(address(tournament, "judge"), {"first": 1, "second": 5}).content.decode()
    move = reverse("checking:move", args=[tournament.slug, 1])
    shown = client.post(move, {"numbers": "1 5", "games": "person", "reason": "Wunsch"})

    assert f'action="{move}"' in judged
    assert 'value="1 5"' in judged
    assert shown.status_code == 200
    assert tables(serie)[1] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("query", "status", "sentence"),
    [
        pytest.param({"first": 77}, 200, "Startnummer 77 hat hier keinen Platz", id="nobody"),
        pytest.param({"first": 1, "second": 1}, 200, "zwei verschiedene", id="the same"),
        pytest.param({"first": "x", "second": 1}, 422, "Zahl", id="a word"),
        pytest.param({}, 422, "Startnummer", id="nothing"),
    ],
)
def test_an_impossible_swap_is_refused(
    client: Client, query: dict, status: int, sentence: str, serie: Serie
):
    tournament = log_in(client, serie)

    answer = client.get(address(tournament, "judge"), query)

    assert answer.status_code == status
    assert sentence in answer.content.decode()


def test_a_draft_is_reviewed_and_swapped_alike(client: Client):
    draft = seated_draft()
    tournament = log_in(client, draft.serie)

    judged = client.get(address(tournament, "judge"), {"first": 1, "second": 5}).content.decode()
    client.post(address(tournament, "swap"), {"first": 1, "second": 5})

    assert "So tauschen" in judged
    assert 'name="reason"' not in judged.split('id="swap"')[1].split("</section>")[0]
    draft.refresh_from_db()
    assert draft.seats[0][0] == pk(draft.serie, 5)


def test_changes_for_sitting_across_can_be_announced_after_publishing(client: Client):
    club = make_club()
    tournament = field(4)
    tournament.registrations.filter(number__in=[1, 2]).update(club=club)
    draw = enter_in_order(begin(tournament, Serie.Seating.CARDS))
    drafts.apply_crossing(COMMAND, draw.pk)
    draws.publish(COMMAND, draw.pk)
    log_in(client, draw.serie)

    page = client.get(address(tournament, "serie")).content.decode()

    assert page.count("Tisch 1: Anna Muster") == 2


def test_a_finished_serie_offers_no_swap(client: Client, serie: Serie):
    tournament = log_in(client, serie)
    assert 'id="swap"' in client.get(address(tournament, "serie")).content.decode()

    second = begin(tournament, Serie.Seating.CARDS, serie=2)
    draw_cards.fill_up(COMMAND, second.pk)
    draws.publish(COMMAND, second.pk)

    assert 'id="swap"' not in client.get(address(tournament, "serie")).content.decode()


def test_a_review_needs_few_queries(client: Client, django_assert_max_num_queries: Any):
    serie = seated(48)
    tournament = log_in(client, serie)

    with django_assert_max_num_queries(28):
        client.get(address(tournament, "judge"), {"first": 1, "second": 40})


def test_the_report_of_a_draft_needs_few_queries(
    client: Client, django_assert_max_num_queries: Any
):
    tournament = field(48)
    draw = carry_out(begin(tournament, Serie.Seating.ELECTRONIC))
    log_in(client, draw.serie)

    with django_assert_max_num_queries(23):
        client.get(address(tournament, "serie"))
