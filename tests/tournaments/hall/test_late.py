"""A late list costs each person the announced amount."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from scoring.payments.bussgeld import PerGame
from tests.factories import COMMAND, make_member
from tests.tournaments.hall.handing_in import now, pay, row_of, tick
from tests.tournaments.hall.helpers import played, running
from tests.worlds import world
from tournaments.announcement.queries.ausschreibung_text import bussgeld_text
from tournaments.common.errors import TournamentError
from tournaments.hall.services import handing_in
from tournaments.models import JournalEntry, Role, Spielliste

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Status = Spielliste.Status
LATE = (600, 650, 650, 700)  # two euros more than in time


@world
def spielliste() -> Spielliste:
    return played(running(tariff=PerGame(cents=50, late_cents=200)), status=Status.SIGNED)


def due(spielliste: Spielliste) -> tuple[int, ...]:
    return tuple(bussgeld.open_cents for bussgeld in row_of(spielliste).owed)


def test_a_late_list_costs_more_until_undone(spielliste: Spielliste):
    handing_in.mark_late(COMMAND, spielliste.pk, late=True)
    assert due(spielliste) == LATE

    handing_in.mark_late(COMMAND, spielliste.pk, late=False)
    assert due(spielliste) == (400, 450, 450, 500)
    actions = JournalEntry.objects.order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["list_late", "list_not_late"]


def test_marking_a_paid_list_late_reopens_it(spielliste: Spielliste):
    tick(spielliste)
    pay(spielliste)
    assert now(spielliste).status == Status.HANDED_IN

    handing_in.mark_late(COMMAND, spielliste.pk, late=True)

    assert now(spielliste).status == Status.SIGNED
    assert due(spielliste) == (200, 200, 200, 200)
    pay(spielliste, 800)
    assert now(spielliste).status == Status.HANDED_IN


def test_lateness_needs_an_amount_in_the_tariff():
    spielliste = played(running(), status=Status.SIGNED)

    with pytest.raises(TournamentError, match="kein Bußgeld ausgeschrieben"):
        handing_in.mark_late(COMMAND, spielliste.pk, late=True)


def test_the_page_of_a_table_marks_a_list_late_by_one_button(
    client: Client, spielliste: Spielliste
):
    tournament = spielliste.table.serie.tournament
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    page = f"{reverse('hall:hand_in', args=[tournament.slug, 1])}?tisch=1"
    assert "Zu spät abgegeben: je Person 2,00\xa0€ dazu" in client.get(page).content.decode()

    act = reverse("hall:hand_in_act", args=[tournament.slug, 1, 1])
    client.post(act, {"act": "late"})

    shown = client.get(page).content.decode()
    assert "doch rechtzeitig" in shown
    assert now(spielliste).is_late


def test_the_ausschreibung_names_the_price_of_a_late_list(spielliste: Spielliste):
    text = bussgeld_text(spielliste.table.serie.tournament).replace("\xa0", " ")

    assert "Wird die Liste zu spät abgegeben, je Person dazu 2,00 €." in text
