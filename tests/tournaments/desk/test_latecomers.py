"""Registrations after the first Serie pay as announced: all, a share, nothing."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.clients import Client, at
from tests.factories import COMMAND, make_member, make_person, make_registration, make_tournament
from tournaments.announcement.queries.pot_money import takings
from tournaments.announcement.services.sections import fingerprint
from tournaments.announcement.services.tariff import Tariff, change_startgeld
from tournaments.desk.services.changes import admit, rejoin, withdraw
from tournaments.desk.services.registrations import Payment, register
from tournaments.desk.services.tariff_changes import change_tariff
from tournaments.models import Registration, Role, Serie, Tournament
from tournaments.models.tournament import Section

pytestmark = pytest.mark.django_db
Late = Tournament.LateStartgeld


def in_serie_two(**fields) -> Tournament:
    """A tournament of three Serien, the first of them over, at 20 € and 1 € for the cards."""
    tournament = make_tournament(
        starts_at=timezone.now() + timedelta(hours=2),
        startgeld_cents=2000,
        kartengeld_cents=100,
        **fields,
    )
    Serie.objects.filter(tournament=tournament).delete()
    for number, closed_at in ((1, timezone.now()), (2, None), (3, None)):
        Serie.objects.create(tournament=tournament, number=number, closed_at=closed_at)
    return tournament


@pytest.mark.parametrize(
    ("late_startgeld", "said", "shown", "in_the_pot"),
    [
        pytest.param(Late.FULL, "trotzdem voll fällig", "21,00", 2000, id="full"),
        pytest.param(Late.SHARE, "der Anteil der Serien", "14,30", 1330, id="two of three"),
        pytest.param(Late.NONE, "Startgeld ist nicht mehr fällig", "1,00", 0, id="nothing"),
    ],
)
def test_latecomers_owe_the_announced_amount_and_see_what_they_miss(
    client: Client, late_startgeld, said, shown, in_the_pot
):
    tournament = in_serie_two(late_startgeld=late_startgeld)
    client.force_login(make_member(tournament, Role.KASSE))
    person = make_person("Nora", "Spät")
    desk = at("desk:desk", tournament)

    page = client.read(desk, {"q": "spät"})
    client.post(at("desk:register", tournament), {"person": person.pk})

    assert f"{shown}\N{NO-BREAK SPACE}€" in page
    assert "Serie 1 ist vorbei und für Nachzügler verloren." in page
    assert said in page
    registration = person.registrations.get()
    assert registration.status == Registration.Status.PAID
    assert registration.due_cents == in_the_pot + 100
    assert takings(tournament)["startgeld"] == in_the_pot


def test_the_full_startgeld_is_due_until_the_first_serie_ends():
    tournament = in_serie_two(late_startgeld=Late.NONE)
    tournament.serien.update(closed_at=None)

    registration = register(COMMAND, tournament.pk, person_id=make_person().pk, payment=Payment())

    assert registration.due_cents == 2100


def test_people_from_the_waiting_list_pay_as_latecomers():
    tournament = in_serie_two(late_startgeld=Late.SHARE)
    waiting = make_registration(
        tournament, number=None, status=Registration.Status.WAITING, waiting_since=timezone.now()
    )

    assert admit(COMMAND, waiting.pk).due_cents == 1430


def test_an_earlier_registration_pays_the_whole_on_return():
    tournament = in_serie_two(late_startgeld=Late.SHARE)
    withdrawn = make_registration(tournament, status=Registration.Status.WITHDRAWN, due_cents=2100)

    assert rejoin(COMMAND, withdrawn.pk).due_cents == 2100


def test_a_forfeited_startgeld_gives_no_credit_on_return():
    now = timezone.now()
    tournament = make_tournament(
        starts_at=now + timedelta(hours=2),
        startgeld_cents=2000,
        late_startgeld=Late.SHARE,
        places=1,
        refund_until=now - timedelta(hours=1),
    )
    left = register(COMMAND, tournament.pk, person_id=make_person().pk, payment=Payment())
    withdraw(COMMAND, left.pk)
    other = register(COMMAND, tournament.pk, person_id=make_person().pk, payment=Payment())
    assert rejoin(COMMAND, left.pk).status == Registration.Status.WAITING
    Serie.objects.filter(tournament=tournament, number=1).update(closed_at=now)
    withdraw(COMMAND, other.pk)

    back = admit(COMMAND, left.pk)

    assert (back.due_cents, back.status) == (2000, Registration.Status.PAID)


def test_a_change_of_the_group_keeps_the_share():
    tournament = in_serie_two(late_startgeld=Late.SHARE)
    registration = register(COMMAND, tournament.pk, person_id=make_person().pk)
    young = tournament.categories.create(name="Jugend", startgeld_cents=1000, position=1)

    changed = change_tariff(COMMAND, registration.pk, category=young, rankings=[])

    assert changed.due_cents == 660 + 100  # two thirds are 6,66 €, rounded down to 10 cents


def test_changes_of_the_group_do_not_round_twice():
    # Two thirds of 20,00, 10,00 and 12,50 €: 13,33, 6,66 and 8,33 €, rounded down to 10 cents.
    tournament = in_serie_two(late_startgeld=Late.SHARE)
    registration = register(COMMAND, tournament.pk, person_id=make_person().pk)
    groups = [
        tournament.categories.create(name=f"{cents}", startgeld_cents=cents, position=position)
        for position, cents in enumerate((1000, 1250), start=1)
    ]

    dues = [
        change_tariff(COMMAND, registration.pk, category=group, rankings=[]).due_cents
        for group in groups
    ]

    assert (registration.due_cents, dues) == (1330 + 100, [660 + 100, 830 + 100])


def test_a_changed_startgeld_changes_the_share_of_latecomers():
    # Two thirds of 12,50 €, regardless of the Serien left since.
    tournament = in_serie_two(
        late_startgeld=Late.SHARE, venue="Saal", organiser="SC", contact_email="sc@verein.example"
    )
    registration = register(COMMAND, tournament.pk, person_id=make_person().pk)
    tournament.serien.filter(number=2).update(closed_at=timezone.now())
    group = tournament.categories.get()
    group.startgeld_cents = 1250

    change_startgeld(
        COMMAND,
        tournament.pk,
        seen=fingerprint(tournament, Section.STARTGELD),
        tariff=Tariff(categories=[group], kartengeld_cents=100, late_startgeld=Late.SHARE),
        reason="Beschluss",
    )

    registration.refresh_from_db()
    assert (registration.late_startgeld_cents, registration.due_cents) == (830, 930)


def test_a_latecomer_changing_from_a_free_group_pays_the_share():
    tournament = in_serie_two(late_startgeld=Late.SHARE)
    free = tournament.categories.create(name="Kinder", startgeld_cents=0, position=1)
    registration = register(COMMAND, tournament.pk, person_id=make_person().pk, category=free)
    whole = tournament.categories.get(startgeld_cents=2000)

    assert registration.due_cents == 100
    changed = change_tariff(COMMAND, registration.pk, category=whole, rankings=[])

    assert changed.due_cents == 1430
