"""A tournament is closed after its Serien; its results are stored and compared later."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from scoring.payments.bussgeld import PerGame
from scoring.payments.prizes import PrizeLine, PrizePlan, TieRule
from tests.factories import COMMAND, acting, make_registration, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.tournaments.notices.helpers import make_case, make_notice, players_of
from tests.worlds import world
from tournaments.cash.services import counts as till_counts
from tournaments.cash.services import till
from tournaments.closing import services as closing
from tournaments.closing.queries.closing import of_serien
from tournaments.closing.queries.standings import RankChange, changes
from tournaments.closing.queries.tournament import of_tournament
from tournaments.common.errors import WrongStatus
from tournaments.journal import services as journal
from tournaments.machine.hashes import hash_of
from tournaments.models import (
    BankTransaction,
    Closing,
    EntryLine,
    JournalEntry,
    Playoff,
    Role,
    Serie,
    Spielliste,
    Tournament,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]
NOON = datetime(2026, 10, 3, 12, 0, tzinfo=UTC)
Status = Tournament.Status
# Equal in everything: seats 1 and 2 finish six games each, seats 3 and 4 none.
EVEN = tuple(
    {
        "finisher": 1 + game % 2,
        "handromme": False,
        "minus": [20 * (game % 2), 20 - 20 * (game % 2), 40, 40],
    }
    for game in range(12)
)


def closed_serie(lines: Any = FOUR, **fields: Any) -> Spielliste:
    """The list of a tournament of one Serie, which is closed."""
    tournament = make_tournament(status=Status.RUNNING, serien=1, **fields)
    spielliste = write_games(list_of(make_seated_serie(tournament)), lines, status="verified")
    closing.close_serie(COMMAND, spielliste.table.serie_id)
    return spielliste


def close(tournament: Tournament) -> Tournament:
    return closing.close(COMMAND, tournament.pk, now=NOON)


def whose(spielliste: Spielliste) -> Tournament:
    return Tournament.objects.get(pk=spielliste.table.serie.tournament_id)


def money_shared() -> dict[str, Any]:
    lines = tuple(PrizeLine(place=place, share_permille=100 * (4 - place)) for place in (1, 2, 3))
    return {"startgeld": PrizePlan(lines=lines, ties=TieRule.SHARE).to_dict()}


def goods() -> dict[str, Any]:
    lines = tuple(PrizeLine(place=place, goods=f"Pokal {place}") for place in (1, 2, 3))
    return {"startgeld": PrizePlan(lines=lines, ties=TieRule.PLAYOFF).to_dict()}


spielliste = world(closed_serie)
tournament = world(lambda: close(whose(closed_serie())))


def test_closing_keeps_ranks_and_points_and_seals_them_in_the_journal(spielliste):
    close(whose(spielliste))

    kept = Closing.objects.get()
    # FOUR: 290 − 80, 311 − 60 − 50, 339 − 60, 341 − 40
    ranking = [
        {"number": 2, "rank": 1, "total": 201},
        {"number": 1, "rank": 2, "total": 210},
        {"number": 3, "rank": 3, "total": 279},
        {"number": 4, "rank": 4, "total": 301},
    ]
    assert kept.content == {"rankings": {"einzel": ranking, "serie-1": ranking}, "prizes": []}
    entry = JournalEntry.objects.get(action="tournament_status")
    assert entry.after == {"status": "closed", "closing": 1, "content_hash": kept.content_hash}
    assert kept.content_hash == hash_of(kept.content)


def test_closing_deletes_online_entries_and_keeps_registrations(spielliste):
    tournament = whose(spielliste)
    entry = tournament.entries.create(token_hash="e", email="anna@example.org")
    entry.lines.create(
        position=1, status="registered", registration=tournament.registrations.first()
    )

    close(tournament)

    assert not EntryLine.objects.exists()
    assert not tournament.entries.exists()
    assert tournament.registrations.count() == 4


def test_a_tournament_stays_open_while_a_serie_is_not_drawn():
    tournament = whose(closed_serie())
    Serie.objects.create(tournament=tournament, number=2)

    with pytest.raises(closing.NotSettled, match="Serie 2 ist nicht ausgelost"):
        close(tournament)

    tournament.refresh_from_db()
    assert tournament.status == Status.RUNNING


def test_a_tournament_without_players_can_be_closed():
    tournament = make_tournament(status=Status.RUNNING)

    close(tournament)

    tournament.refresh_from_db()
    assert tournament.status == Status.CLOSED


@pytest.mark.parametrize(
    ("leave_open", "sentence"),
    [
        pytest.param(make_case, "1 Fall ist nicht entschieden", id="objection after the Serie"),
        pytest.param(make_notice, "Noch nicht mitgeteilt", id="untold correction"),
        pytest.param(
            lambda spielliste: make_registration(whose(spielliste), status="registered"),
            r"Gemeldet und nicht bezahlt: Nr\. 5",
            id="neither paid nor gone",
        ),
    ],
)
def test_a_tournament_with_open_items_stays_open(
    leave_open: Callable[[Spielliste], object], sentence: str, spielliste
):
    leave_open(spielliste)

    with pytest.raises(closing.NotSettled, match=sentence):
        close(whose(spielliste))

    assert whose(spielliste).status == Status.RUNNING


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({}, id="§ 1.5 first place, no prizes"),
        pytest.param({"prize_plan": goods()}, id="§ 1.5 prizes by playoff"),
        pytest.param(
            {"prize_plan": {"startgeld": PrizePlan(lines=(), lottery=("Korb",)).to_dict()}},
            id="§ 1.5 no prize of a place",
        ),
    ],
)
def test_a_tie_for_a_prize_must_be_played_off(fields: dict[str, Any]):
    spielliste = closed_serie(EVEN, **fields)
    tournament = whose(spielliste)

    with pytest.raises(closing.NotSettled, match=r"Platz 1 teilen sich Nr\. 1, Nr\. 2\. Es"):
        close(tournament)
    Playoff.objects.create(tournament=tournament, order=[2, 1])
    Playoff.objects.create(tournament=tournament, order=[3, 4])
    close(tournament)

    assert whose(spielliste).status == Status.CLOSED


def test_equals_who_share_the_prize_need_no_playoff():
    spielliste = closed_serie(EVEN, prize_plan=money_shared())
    tournament = whose(spielliste)

    items = of_tournament(tournament, of_serien(tournament))
    close(tournament)

    assert [(item.sentence, item.blocks) for item in items] == [
        (
            "Gesamtwertung: Platz 1 teilen sich Nr. 1, Nr. 2; nach dem Preisplan den Preis auch.",
            False,
        )
    ]


def test_open_bussgeld_blocks_until_it_is_paid_or_waived():
    # FOUR: seats 1 to 4 finished 4, 3, 3 and 2 of 12 games: 8 + 9 + 9 + 10 times 10 ct
    spielliste = closed_serie(bussgeld=PerGame(cents=10).to_dict())

    with pytest.raises(closing.NotSettled) as refusal:
        close(whose(spielliste))

    assert str(refusal.value) == (
        "Bußgeld ist offen, zusammen 3,60\N{NO-BREAK SPACE}€: Nr. 1, Nr. 2, Nr. 3, Nr. 4. "
        "Bitte kassieren, auszahlen oder erlassen."
    )


def test_kaution_transfers_and_the_till_are_named_but_do_not_block():
    spielliste = closed_serie(kaution_cents=500)
    tournament = whose(spielliste)
    till.take_kaution(COMMAND, players_of(spielliste)[1].pk)
    BankTransaction.objects.create(
        tournament=tournament, fingerprint="x", booked_on=NOON.date(), amount_cents=1500
    )

    items = of_tournament(tournament, of_serien(tournament))
    close(tournament)

    assert [item.blocks for item in items] == [False] * 3
    assert [item.sentence.replace("\N{NO-BREAK SPACE}", " ") for item in items] == [
        "Kaution ist noch in der Kasse, zusammen 5,00 €: Nr. 2.",
        "1 Überweisung ist noch nicht zugeordnet.",
        "Die Kasse ist seit dem letzten Beleg nicht gezählt.",
    ]


@pytest.mark.parametrize(
    ("pieces", "sentences"),
    [
        pytest.param({500: 1}, [], id="agrees"),
        pytest.param(
            {200: 2}, ["Gezählt sind 4,00 €, im Kassenbuch stehen 5,00 €."], id="one euro short"
        ),
    ],
)
def test_a_counted_till_is_compared_with_the_book(pieces: dict[int, int], sentences: list[str]):
    spielliste = closed_serie(kaution_cents=500)
    tournament = whose(spielliste)
    player = players_of(spielliste)[1]
    till.take_kaution(COMMAND, player.pk)
    cashier = acting(tournament, Role.KASSE)

    till_counts.count_till(cashier, tournament.pk, pieces=pieces)

    assert said_of_the_till(tournament) == sentences


def said_of_the_till(tournament: Tournament) -> list[str]:
    items = of_tournament(tournament, of_serien(tournament))
    return [str(item.sentence).replace("\xa0", " ") for item in items if item.kind == "till"]


def test_a_till_needs_a_count_after_its_last_movement():
    spielliste = closed_serie(kaution_cents=500)
    tournament, player = whose(spielliste), players_of(spielliste)[1]
    cashier = acting(tournament, Role.KASSE)
    till_counts.open_till(cashier, tournament.pk, pieces={5000: 2})
    assert said_of_the_till(tournament) == []

    till.take_kaution(COMMAND, player.pk)
    till.return_kaution(COMMAND, player.pk)

    assert said_of_the_till(tournament) == ["Die Kasse ist seit dem letzten Beleg nicht gezählt."]


@pytest.mark.both
def test_a_booked_difference_does_not_require_a_new_count():
    spielliste = closed_serie(kaution_cents=500)
    tournament, player = whose(spielliste), players_of(spielliste)[1]
    cashier = acting(tournament, Role.KASSE)
    till.take_kaution(COMMAND, player.pk)
    count = till_counts.count_till(cashier, tournament.pk, pieces={200: 2})

    till_counts.book_difference(cashier, count.pk, reason="Trinkgeld")

    assert said_of_the_till(tournament) == []


def test_reopening_a_tournament_needs_a_reason_and_keeps_serien_closed(spielliste):
    tournament = close(whose(spielliste))

    closing.reopen(COMMAND, tournament.pk, reason="Zahlendreher in Liste 1")

    kept = Closing.objects.get()
    assert kept.reopened_reason == "Zahlendreher in Liste 1"
    assert kept.reopened_at is not None
    assert whose(spielliste).status == Status.RUNNING
    assert Serie.objects.get().closed_at is not None


def test_changes_since_the_closing_list_new_ranks_and_prizes():
    spielliste = closed_serie(prize_plan=goods())
    tournament = close(whose(spielliste))
    closing.reopen(COMMAND, tournament.pk, reason="Zahlendreher")
    game = spielliste.games.get(number=3)
    game.line = {**game.line, "minus": [27, 53, 0, 22]}  # and not 35: 201 becomes 219
    game.save()

    differences = changes(tournament, Closing.objects.get())

    assert differences
    first, two = (registration.person.full_name for registration in players_of(spielliste)[:2])
    moved = [
        RankChange(number=1, name=first, rank=(2, 1), total=(210, 210)),
        RankChange(number=2, name=two, rank=(1, 2), total=(201, 219)),
    ]
    assert differences.rankings == [("Gesamtwertung", moved), ("Serie 1", moved)]
    assert [(each.number, each.before, each.after) for each in differences.prizes] == [
        (1, "Pokal 2", "Pokal 1"),
        (2, "Pokal 1", "Pokal 2"),
    ]


def test_every_closing_is_stored(tournament):
    closing.reopen(COMMAND, tournament.pk, reason="Zahlendreher")

    close(tournament)

    kept = list(Closing.objects.order_by("number"))
    assert [(closing.number, closing.reopened_at is None) for closing in kept] == [
        (1, False),
        (2, True),
    ]


@pytest.mark.both
def test_the_journal_is_valid_after_closing_and_reopening(tournament):
    closing.reopen(COMMAND, tournament.pk, reason="Zahlendreher")

    assert list(journal.first_breaks()) == []
    with pytest.raises(WrongStatus, match="läuft schon"):
        closing.reopen(COMMAND, tournament.pk, reason="noch einmal")
