"""Startgeld, Kartengeld and stakes: permitted changes and the resulting dues."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.factories import COMMAND, START, make_person, make_registration
from tests.tournaments.announcement.helpers import make_complete, seen
from tests.worlds import world
from tournaments.announcement.services import tariff
from tournaments.announcement.services.tariff import Tariff
from tournaments.cash.services import cash, dues
from tournaments.common.errors import TournamentError
from tournaments.desk.services import registrations
from tournaments.journal.acts import Act
from tournaments.models import (
    CashEntry,
    Category,
    JournalEntry,
    Ranking,
    Receipt,
    Registration,
    Team,
    Tournament,
)
from tournaments.models.tournament import Section

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Kind = Ranking.Kind
SINGLE = Ranking(kind=Kind.SINGLE)


@world
def tournament() -> Tournament:
    """An announced tournament: 15 € for adults, places for all."""
    return make_complete(status=Tournament.Status.ANNOUNCED)


def changed(line: Category, **fields: Any) -> Category:
    for name, value in fields.items():
        setattr(line, name, value)
    return line


def as_stored(tournament: Tournament) -> Tariff:
    tournament.refresh_from_db()
    return Tariff(
        categories=list(tournament.categories.all()),
        kartengeld_cents=tournament.kartengeld_cents,
        kaution_cents=tournament.kaution_cents,
        refund_until=tournament.refund_until,
        places=tournament.places,
    )


def store(tournament: Tournament, wanted: Tariff) -> None:
    tariff.change_startgeld(
        COMMAND, tournament.pk, seen=seen(tournament, Section.STARTGELD), tariff=wanted
    )


def store_rankings(tournament: Tournament, lines: Sequence[Ranking]) -> None:
    tariff.change_rankings(
        COMMAND, tournament.pk, seen=seen(tournament, Section.RANKINGS), lines=lines
    )


def register(
    tournament: Tournament, *, pays: bool = False, birth_year: int | None = None
) -> Registration:
    return registrations.register(
        COMMAND,
        tournament.pk,
        person_id=make_person(birth_year=birth_year).pk,
        payment=registrations.Payment() if pays else None,
        now=START - timedelta(days=1),
    )


def book(registration: Registration, kind: CashEntry.Kind, cents: int) -> None:
    act = Act(registration.tournament, registration.tournament, COMMAND)
    line = cash.ReceiptLine(kind=kind, amount_cents=cents, registration=registration)
    cash.book(act, method=Receipt.Method.CASH, lines=[line])


def startgeld(tournament: Tournament, cents: int) -> None:
    stored = as_stored(tournament)
    store(
        tournament,
        replace(stored, categories=[changed(stored.categories[0], startgeld_cents=cents)]),
    )


@pytest.mark.both
def test_groups_are_stored_in_their_order_with_their_years(tournament: Tournament):
    adults = as_stored(tournament).categories[0]
    juniors = Category(name=" Junioren ", startgeld_cents=800, born_from=2008)

    store(tournament, Tariff(categories=[juniors, adults], kartengeld_cents=100, places=80))

    rows = tournament.categories.values_list("name", "startgeld_cents", "born_from", "position")
    assert list(rows) == [("Junioren", 800, 2008, 0), ("Erwachsene", 1500, None, 1)]
    tournament.refresh_from_db()
    assert (tournament.kartengeld_cents, tournament.places) == (100, 80)
    assert JournalEntry.objects.get().after["kartengeld_cents"] == 100


def test_two_groups_can_swap_their_names(tournament: Tournament):
    other = tournament.categories.create(name="Junioren", startgeld_cents=800, position=1)
    first, second = as_stored(tournament).categories

    store(
        tournament,
        Tariff(categories=[changed(first, name="Junioren"), changed(second, name="Erwachsene")]),
    )

    other.refresh_from_db()
    assert other.name == "Erwachsene"


@pytest.mark.parametrize(
    ("categories", "sentence"),
    [
        ([], "mindestens eine Startgeldgruppe"),
        (
            [
                Category(name="Damen", startgeld_cents=1),
                Category(name="damen ", startgeld_cents=2),
            ],
            "„Damen“ steht zweimal da",
        ),
        (
            [Category(name="Junioren", startgeld_cents=1, born_from=2010, born_until=2000)],
            "Niemand ist ab 2010 und zugleich bis 2000 geboren",
        ),
    ],
)
def test_an_impossible_tariff_is_refused(
    tournament: Tournament, categories: list[Category], sentence: str
):
    with pytest.raises(TournamentError, match=sentence):
        store(tournament, Tariff(categories=categories))

    assert tournament.categories.get().name == "Erwachsene"


def test_refunds_end_before_the_start(tournament: Tournament):
    late = replace(as_stored(tournament), refund_until=START + timedelta(hours=1))

    with pytest.raises(TournamentError, match="liegt nach dem Beginn"):
        store(tournament, late)


def test_latecomers_may_pay_less(tournament: Tournament):
    store(tournament, replace(as_stored(tournament), late_startgeld="share"))

    tournament.refresh_from_db()
    assert tournament.late_startgeld == Tournament.LateStartgeld.SHARE


def test_unpaid_registrations_owe_the_new_amount(tournament: Tournament):
    registration = register(tournament)

    startgeld(tournament, 1800)
    store(tournament, replace(as_stored(tournament), kartengeld_cents=100))

    registration.refresh_from_db()
    assert registration.due_cents == 1900


def test_waiting_registrations_owe_the_new_amount(tournament: Tournament):
    Tournament.objects.filter(pk=tournament.pk).update(places=3)
    for _person in range(3):
        register(tournament)
    waiting = register(tournament)

    startgeld(tournament, 1800)

    waiting.refresh_from_db()
    assert (waiting.status, waiting.due_cents) == (Registration.Status.WAITING, 1800)


def test_setting_a_startgeld_reopens_registrations_paid_without_one(tournament: Tournament):
    registration = register(tournament)

    startgeld(tournament, 0)
    registration.refresh_from_db()
    assert registration.status == Registration.Status.PAID
    startgeld(tournament, 1000)

    registration.refresh_from_db()
    assert (registration.status, registration.due_cents) == (
        Registration.Status.REGISTERED,
        1000,
    )


def test_withdrawn_registrations_keep_the_old_amount(tournament: Tournament):
    gone = make_registration(tournament, status=Registration.Status.WITHDRAWN)

    startgeld(tournament, 1800)

    gone.refresh_from_db()
    assert gone.due_cents == 1500


def test_a_paid_startgeld_does_not_change(tournament: Tournament):
    register(tournament, pays=True)

    with pytest.raises(
        TournamentError,
        match="Das Startgeld für „Erwachsene“ kann sich nicht mehr ändern: 1 Person hat schon",
    ):
        startgeld(tournament, 1800)

    assert tournament.categories.get().startgeld_cents == 1500


def test_another_group_may_still_change(tournament: Tournament):
    tournament.categories.create(name="Junioren", startgeld_cents=800, born_from=2008, position=1)
    register(tournament, pays=True)
    junior = register(tournament, birth_year=2010)
    adults, juniors = as_stored(tournament).categories

    store(tournament, Tariff(categories=[adults, changed(juniors, startgeld_cents=500)]))

    junior.refresh_from_db()
    assert junior.due_cents == 500


def test_after_a_full_refund_amounts_may_change_again(tournament: Tournament):
    registration = register(tournament, pays=True)
    book(registration, CashEntry.Kind.REFUND, -1500)

    startgeld(tournament, 1800)

    assert tournament.categories.get().startgeld_cents == 1800


def test_kartengeld_is_fixed_after_a_payment(tournament: Tournament):
    for _person in range(2):
        register(tournament, pays=True)

    with pytest.raises(TournamentError, match=r"Das Kartengeld .*: 2 Personen haben schon"):
        store(tournament, replace(as_stored(tournament), kartengeld_cents=100))


def test_kaution_is_fixed_while_the_till_holds_some(tournament: Tournament):
    registration = register(tournament)
    book(registration, CashEntry.Kind.KAUTION, 500)

    with pytest.raises(TournamentError, match="liegt schon Kaution"):
        store(tournament, replace(as_stored(tournament), kaution_cents=1000))
    store(tournament, replace(as_stored(tournament), places=50))

    tournament.refresh_from_db()
    assert (tournament.kaution_cents, tournament.places) == (0, 50)


def test_a_tariff_row_of_another_tournament_becomes_a_new_one(tournament: Tournament):
    foreign = make_complete().categories.get()

    store(
        tournament,
        Tariff(categories=[Category(pk=foreign.pk, name="Alle", startgeld_cents=1)]),
    )

    foreign.refresh_from_db()
    assert foreign.name == "Erwachsene"
    assert tournament.categories.get().name == "Alle"


def test_the_single_ranking_is_always_kept(tournament: Tournament):
    with pytest.raises(TournamentError, match="Einzelwertung wird immer geführt"):
        store_rankings(tournament, [Ranking(kind=Kind.WOMEN)])


def _in_ranking(tournament: Tournament, line: Ranking) -> tuple[Ranking, Registration]:
    store_rankings(tournament, [SINGLE, line])
    ranking = tournament.rankings.get(kind=line.kind)
    registration = register(tournament)
    registration.rankings.add(ranking)
    dues.set_due(Act(tournament, tournament, COMMAND), Registration.objects.get(pk=registration.pk))
    return ranking, registration


def test_a_ranking_with_members_cannot_be_removed(tournament: Tournament):
    _in_ranking(tournament, Ranking(kind=Kind.WOMEN, stake_cents=200))

    with pytest.raises(TournamentError, match="„Damen“ kann nicht wegfallen"):
        store_rankings(tournament, [SINGLE])


def make_woman(tournament: Tournament) -> Registration:
    person = make_person(gender="f", birth_year=1980)
    return registrations.register(
        COMMAND,
        tournament.pk,
        person_id=person.pk,
        payment=registrations.Payment(),
        now=START - timedelta(days=1),
    )


def test_a_later_ranking_includes_eligible_players_and_is_removable(tournament: Tournament):
    woman = make_woman(tournament)

    store_rankings(tournament, [SINGLE, Ranking(kind=Kind.WOMEN)])
    inside = list(woman.rankings.all())
    store_rankings(tournament, [SINGLE])

    assert [ranking.kind for ranking in inside] == ["women"]
    assert not woman.rankings.exists()


def test_changed_years_change_the_members(tournament: Tournament):
    woman = make_woman(tournament)

    store_rankings(tournament, [SINGLE, Ranking(kind=Kind.SENIORS, born_until=1979)])
    before = woman.rankings.exists()
    store_rankings(tournament, [SINGLE, Ranking(kind=Kind.SENIORS, born_until=1980)])

    assert (before, woman.rankings.exists()) == (False, True)


def test_a_ranking_that_gets_a_stake_starts_empty(tournament: Tournament):
    woman = make_woman(tournament)
    store_rankings(tournament, [SINGLE, Ranking(kind=Kind.WOMEN)])

    store_rankings(tournament, [SINGLE, Ranking(kind=Kind.WOMEN, stake_cents=300)])

    woman.refresh_from_db()
    assert not woman.rankings.exists()
    assert (woman.status, woman.due_cents) == ("paid", 1500)


def test_a_changed_stake_reaches_unpaid_registrations(tournament: Tournament):
    _ranking, registration = _in_ranking(tournament, Ranking(kind=Kind.WOMEN, stake_cents=200))

    store_rankings(tournament, [SINGLE, Ranking(kind=Kind.WOMEN, stake_cents=300)])

    registration.refresh_from_db()
    assert registration.due_cents == 1800


def test_a_paid_stake_does_not_change(tournament: Tournament):
    _ranking, registration = _in_ranking(tournament, Ranking(kind=Kind.WOMEN, stake_cents=200))
    registrations.pay(COMMAND, registration.pk, payment=registrations.Payment())

    with pytest.raises(TournamentError, match="Der Einsatz für „Damen“ kann sich nicht mehr"):
        store_rankings(tournament, [SINGLE, Ranking(kind=Kind.WOMEN, stake_cents=300)])


def test_the_size_of_teams_is_fixed_with_the_first_team(tournament: Tournament):
    ranking, _registration = _in_ranking(tournament, Ranking(kind=Kind.TEAM, size=4))
    Team.objects.create(ranking=ranking, name="Herz Ass")

    with pytest.raises(TournamentError, match="ihre Größe kann sich nicht mehr ändern"):
        store_rankings(tournament, [SINGLE, Ranking(kind=Kind.TEAM, size=5)])


def test_juniors_need_possible_years_of_birth(tournament: Tournament):
    with pytest.raises(TournamentError, match="„Junioren“: Niemand ist ab 2010"):
        store_rankings(
            tournament,
            [SINGLE, Ranking(kind=Kind.JUNIORS, born_from=2010, born_until=2000)],
        )
