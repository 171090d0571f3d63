"""Money and extra time are idempotent by form key alone: equal bookings may be intended.

Another form with the same content needs a confirmation for a minute; ``test_every_act_once.py`` has
all other acts.
"""

from __future__ import annotations

from datetime import timedelta
from typing import cast

import pytest
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone

from tests.clients import Client
from tests.factories import make_member, make_registration
from tests.factories_lists import make_seated_serie
from tests.tournaments.access_matrix import ADDRESSES
from tests.tournaments.fuzz_values import Page
from tests.tournaments.web.idempotency.helpers import book
from tournaments.common.submissions import new_form_key
from tournaments.models import Receipt, Role, Spielliste, Submission, Tournament
from tournaments.web.idempotency import AGAIN, ASKED_AGAIN_FOR, FIELD, KEY_ONLY

pytestmark = pytest.mark.django_db
ASKED = "Noch einmal buchen?"


def long_ago() -> None:
    """Move stored acts back beyond the time of a confirmation."""
    Submission.objects.update(created_at=timezone.now() - ASKED_AGAIN_FOR - timedelta(seconds=1))


def again(client: Client, asked: HttpResponse) -> HttpResponse:
    """Press „Noch einmal buchen“ on the confirmation page."""
    ((how, where), shown), *_others = (
        form for form in Page(asked.content.decode()).forms.items() if AGAIN in form[1]
    )
    assert how == "post"
    sent = {name: values[-1] for name, values in shown.items()}
    return cast(HttpResponse, client.post(where, sent, follow=True))


@pytest.mark.parametrize("amount", ["5", "5,00", "5 €"])
def test_equal_bookings_of_two_helpers_need_a_confirmation(
    desk: Client, second_desk: Client, tournament: Tournament, amount: str
):
    mine, theirs = new_form_key(), new_form_key()
    book(second_desk, tournament, theirs, amount_cents=amount)

    asked = book(desk, tournament, mine)
    booked = Receipt.objects.count()
    done = again(desk, asked)

    page = asked.content.decode()
    assert (asked.status_code, booked) == (409, 1)
    assert ASKED in page
    assert "Das hat Anna Kühn schon getan, " in page
    assert "Uhr. Beleg 1 gebucht." in page
    assert "Beleg 2 gebucht." in done.content.decode()
    assert Receipt.objects.count() == 2


def test_the_confirmation_form_counts_once_and_the_next_booking_asks(
    desk: Client, second_desk: Client, tournament: Tournament
):
    book(second_desk, tournament, new_form_key())
    key = new_form_key()

    for _time in range(2):
        book(desk, tournament, key, **{AGAIN: "1"})
    third = book(second_desk, tournament, new_form_key())

    assert Receipt.objects.count() == 2
    assert ASKED in third.content.decode()


def test_no_confirmation_is_needed_after_a_minute(
    desk: Client, second_desk: Client, tournament: Tournament
):
    key = new_form_key()
    book(second_desk, tournament, new_form_key())
    long_ago()

    book(desk, tournament, key)

    assert Receipt.objects.count() == 2


def test_extra_time_of_two_accounts_is_confirmed_and_added(client: Client, tournament: Tournament):
    serie = make_seated_serie(tournament)
    serie.time_limit_minutes = 60
    serie.save()
    url = reverse("hall:extra_time", args=[tournament.slug, serie.number])
    keys = [new_form_key(), new_form_key()]

    for name, key in zip(("Anna Kühn", "Bernd Roth"), keys, strict=True):
        client.force_login(make_member(tournament, Role.SPIELLEITUNG, name=name))
        answer = client.post(url, {"minutes": "5", "table": "1", FIELD: key}, follow=True)
    given = Spielliste.objects.get().extra_minutes
    again(client, answer)

    assert "Das hat Anna Kühn schon getan, " in answer.content.decode()
    assert given == 5
    assert Spielliste.objects.get().extra_minutes == 10


def test_a_partial_request_is_confirmed_on_a_whole_page(desk: Client, tournament: Tournament):
    book(desk, tournament, new_form_key())
    form = {"kind": "other", "amount_cents": "5", "text": "Kaffee", "method_": "cash"}

    asked = desk.post(
        reverse("cash:book_free", args=[tournament.slug]), form, headers={"HX-Request": "true"}
    )

    assert (asked.status_code, asked["HX-Retarget"], asked["HX-Reswap"]) == (
        409,
        "body",
        "innerHTML",
    )


def test_an_older_form_pays_again_after_a_reversal(
    desk: Client, second_desk: Client, tournament: Tournament
):
    """It was answered „schon getan“, and the money was in no book."""
    registration = make_registration(tournament)
    form = {"amount_cents": "15", "method_": "cash", "seen_open_cents": 1500}
    url = reverse("desk:payment", args=[tournament.slug, registration.pk])
    older = new_form_key()
    second_desk.post(url, form)
    second_desk.post(reverse("cash:reverse", args=[tournament.slug, 1]), {"reason": "verzählt"})

    desk.post(url, {**form, FIELD: older})

    assert [receipt.reverses_id is None for receipt in Receipt.objects.order_by("number")] == [
        True,
        False,
        True,
    ]


def test_acts_of_the_cash_book_are_idempotent_by_key_alone():
    booking = {
        address.name
        for address in ADDRESSES
        if address.name.startswith("cash:") and address.access is not None
    }
    reading = {"cash:book", "cash:csv", "cash:receipt", "cash:refunds", "cash:report"}
    of_statements = {"cash:take_in", "cash:transfers", "cash:set_aside", "cash:bring_back"}
    of_statements |= {"cash:columns"}

    assert booking - reading - of_statements <= KEY_ONLY
    assert {address.name for address in ADDRESSES} >= KEY_ONLY
