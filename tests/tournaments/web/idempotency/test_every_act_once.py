"""Every act is idempotent, for any sender and any number of repetitions.

The addresses come from the URL resolver: each refuses a form without a key, or is listed as an
exception with its reason. Some acts that would add up check the effect of the key.
"""

from __future__ import annotations

from copy import deepcopy
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from tests.clients import Client
from tests.factories import make_member, make_person, make_registration, make_user
from tests.factories_lists import make_seated_serie
from tests.tournaments.access_matrix import ADDRESSES, address_in
from tests.tournaments.desk.online.helpers import make_open_tournament, send_one
from tests.tournaments.web.idempotency.helpers import book
from tournaments.common.submissions import FORMS_KEPT_FOR, new_form_key
from tournaments.models import (
    Person,
    PersonImport,
    Receipt,
    Registration,
    Role,
    Spielliste,
    Submission,
    Tournament,
)
from tournaments.web.idempotency import EXCEPTIONS, FIELD, PREVIEW_FIELDS

pytestmark = pytest.mark.django_db
NOT_TAKEN = 405
OLD = "Dieses Formular ist veraltet."


# --- No view without it -------------------------------------------------------------------------


@pytest.mark.once  # refused before anything is stored
def test_every_writing_url_requires_a_form_key(tournament: Tournament):
    head = make_member(tournament, Role.VERANSTALTER, is_admin=True)
    client = Client(raise_request_exception=False)
    client.force_login(head)
    logged_in = deepcopy(client.cookies)

    wrong = []
    for address in ADDRESSES:
        client.cookies = deepcopy(logged_in)
        with transaction.atomic():
            answer = client.post(address_in(tournament, address), {FIELD: ""})
            transaction.set_rollback(True)
        is_refused = answer.status_code == 409 and OLD in answer.content.decode()
        takes_none = answer.status_code == 405  # only requests of tables get this far without a key
        if is_refused == (address.name in EXCEPTIONS) and not takes_none:
            wrong.append(f"{address.name} answers {answer.status_code}")

    assert wrong == []


def test_every_exempt_url_accepts_forms_and_has_a_reason(tournament: Tournament):
    named = {address.name: address for address in ADDRESSES}
    client = Client(raise_request_exception=False)
    client.force_login(make_member(tournament, Role.VERANSTALTER, is_admin=True))

    assert {*EXCEPTIONS, *PREVIEW_FIELDS} <= named.keys()
    assert all(EXCEPTIONS.values())
    for name in EXCEPTIONS:
        with transaction.atomic():
            status = client.post(address_in(tournament, named[name])).status_code
            transaction.set_rollback(True)
        assert status != NOT_TAKEN, name


def test_reading_urls_need_no_key(tournament: Tournament):
    client = Client()
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    url = reverse("setup:section", args=[tournament.slug, "bussgeld"])

    for button in PREVIEW_FIELDS["setup:section"]:
        answer = client.post(url, {button: "1", FIELD: ""})

        assert (answer.status_code, Submission.objects.count()) == (200, 0)


def test_every_form_has_its_own_key(desk: Client, tournament: Tournament):
    registration = make_registration(tournament)

    page = desk.get(reverse("desk:registration", args=[tournament.slug, registration.pk]))

    forms = page.content.decode().count('method="post"')
    keys = page.content.decode().split(f'name="{FIELD}" value="')[1:]
    assert len({key.split('"')[0] for key in keys}) == forms > 3


# --- The same form again ------------------------------------------------------------------------


def test_a_new_person_sent_four_times_is_stored_once(desk: Client, tournament: Tournament):
    url = reverse("desk:new", args=[tournament.slug])
    form = {"last_name": "Sommer", "first_name": "Ina", FIELD: new_form_key()}

    answers = [desk.post(url, form) for _time in range(4)]

    assert {(answer.status_code, answer["Location"]) for answer in answers} == {
        (302, answers[0]["Location"])
    }
    assert Person.objects.filter(last_name="Sommer").count() == 1
    assert [registration.number for registration in Registration.objects.all()] == [1]
    assert Receipt.objects.count() == 1


def test_a_repeated_booking_gets_the_same_message(desk: Client, tournament: Tournament):
    key = new_form_key()

    pages = [book(desk, tournament, key).content.decode() for _time in range(2)]

    assert ["Beleg 1 gebucht." in page for page in pages] == [True, True]
    assert Receipt.objects.count() == 1


def test_extra_time_resent_by_a_script_is_added_once(client: Client, tournament: Tournament):
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    serie = make_seated_serie(tournament)
    serie.time_limit_minutes = 60
    serie.save()
    url = reverse("hall:extra_time", args=[tournament.slug, serie.number])
    form = {"minutes": "5", "table": "1", FIELD: new_form_key()}

    first = client.post(url, form, headers={"HX-Request": "true"})
    again = client.post(url, form, headers={"HX-Request": "true"})

    assert 'id="work"' in first.content.decode()
    assert again["HX-Redirect"] == reverse("hall:room", args=[tournament.slug, serie.number])
    assert Spielliste.objects.get().extra_minutes == 5


@pytest.mark.parametrize(
    ("content", "status", "kept"),
    [
        pytest.param(b"Nachname;Vorname\nBerg;Karl", 302, 1, id="a list"),
        pytest.param(b"\x00", 422, 0, id="a picture"),
    ],
)
def test_a_repeated_file_is_stored_once(client: Client, content: bytes, status: int, kept: int):
    client.force_login(make_user(is_admin=True))
    key = new_form_key()

    answers = {
        (answer.status_code, answer.get("Location"))
        for _time in range(2)
        for file in [SimpleUploadedFile("personen.csv", content)]
        for answer in [client.post(reverse("people:import"), {"file": file, FIELD: key})]
    }

    assert [code for code, _address in answers] == [status]
    assert PersonImport.objects.count() == kept


def test_a_form_key_with_different_content_is_refused(desk: Client, tournament: Tournament):
    key = new_form_key()
    book(desk, tournament, key)

    answer = book(desk, tournament, key, amount_cents="7")

    assert answer.status_code == 409
    assert "kam schon etwas anderes an" in answer.content.decode()
    assert Receipt.objects.count() == 1


def test_a_key_of_another_account_is_refused(
    desk: Client, second_desk: Client, tournament: Tournament
):
    key = new_form_key()
    book(desk, tournament, key)

    assert book(second_desk, tournament, key).status_code == 409


def test_a_script_with_a_refused_key_reloads_the_page(desk: Client, tournament: Tournament):
    url = reverse("desk:new", args=[tournament.slug])

    answer = desk.post(url, {FIELD: ""}, headers={"HX-Request": "true"})

    assert (answer.status_code, answer["HX-Refresh"]) == (409, "true")
    assert OLD in desk.get(reverse("desk:desk", args=[tournament.slug])).content.decode()


def test_a_refused_form_is_checked_again(desk: Client, tournament: Tournament):
    key = new_form_key()
    refused = book(desk, tournament, key, kind="withdrawal")
    book(desk, tournament, new_form_key(), kind="opening")

    done = book(desk, tournament, key, kind="withdrawal")

    assert "nur 0,00" in refused.content.decode()
    assert "Beleg 2 gebucht." in done.content.decode()


def test_a_redirecting_refusal_is_checked_again(desk: Client, tournament: Tournament):
    registration = make_registration(tournament)
    url = reverse("cash:kaution", args=[tournament.slug, registration.pk])

    desk.post(url)

    assert not Submission.objects.exists()


def test_act_and_key_are_stored_together_or_not_at_all(
    desk: Client, tournament: Tournament, monkeypatch: pytest.MonkeyPatch
):
    desk.raise_request_exception = False
    monkeypatch.setattr(Submission.objects, "create", _fail)

    answer = book(desk, tournament, new_form_key())

    assert answer.status_code == 500
    assert not Receipt.objects.exists()


def _fail(**_fields: object) -> None:
    raise RuntimeError


def test_stored_responses_contain_no_access_token(client: Client, tournament: Tournament):
    user = make_member(tournament, Role.VERANSTALTER)
    client.force_login(user)
    roles = reverse("account:roles", args=[tournament.slug])
    form = {"role_": "kasse", "name_": "Bernd", FIELD: new_form_key()}

    link = client.post(roles, form).context["link"]
    again = client.post(roles, form, follow=True)

    assert link.rsplit("/", 2)[1] not in str(Submission.objects.get().answer)
    assert tournament.invitations.count() == 1
    assert "Bernd ist eingeladen." in again.content.decode()


def test_a_page_token_is_not_stored_but_redirects_again(client: Client):
    token = send_one(make_open_tournament(), email="alt@verein.example").token
    form = {"email": "neu@verein.example", FIELD: new_form_key()}

    answers = [client.post(reverse("entry:email", args=[token]), form) for _time in range(2)]

    page = reverse("entry:registration", args=[token])
    assert [answer["Location"] for answer in answers] == [page, page]
    assert token not in str(Submission.objects.get().answer)


def test_anonymising_deletes_stored_responses(client: Client):
    person = make_person("Karl", "Berg")
    client.force_login(make_user(is_admin=True))
    client.post(
        reverse("people:ban", args=[make_person("Ida", "Tal").pk]),
        {"reason": "Tätlichkeit", "starts_on": "2026-01-01"},
    )
    assert "Ida Tal" in str(Submission.objects.get().answer)

    client.post(reverse("people:anonymise", args=[person.pk]), {"typed_name": "Karl Berg"})

    assert "Tal" not in "".join(str(submission.answer) for submission in Submission.objects.all())


def test_stored_responses_are_deleted_after_a_day(desk: Client, tournament: Tournament):
    book(desk, tournament, new_form_key())
    long_ago = timezone.now() - FORMS_KEPT_FOR - timedelta(minutes=1)
    Submission.objects.update(created_at=long_ago)

    book(desk, tournament, new_form_key(), text="Tee")

    assert Submission.objects.filter(created_at__lt=timezone.now() - FORMS_KEPT_FOR).count() == 0
    assert Submission.objects.count() == 1


# --- Two people, two laptops --------------------------------------------------------------------


def new_person(client: Client, tournament: Tournament, **fields: str):
    form = {"last_name": "Kühn", "first_name": "Ina", **fields}
    return client.post(reverse("desk:new", args=[tournament.slug]), form)


def test_equal_acts_of_two_accounts_count_once_with_a_notice(
    desk: Client, second_desk: Client, tournament: Tournament
):
    mine, theirs = new_form_key(), new_form_key()
    new_person(second_desk, tournament, **{FIELD: theirs})

    answer = new_person(desk, tournament, **{FIELD: mine})

    page = desk.get(answer["Location"]).content.decode()
    assert "Das hat Anna Kühn schon getan, " in page
    assert Registration.objects.count() == 1


def test_equal_acts_of_two_windows_count_once(desk: Client, tournament: Tournament):
    first, second = new_form_key(), new_form_key()
    new_person(desk, tournament, **{FIELD: second})

    answer = new_person(desk, tournament, **{FIELD: first})

    assert "Das haben Sie schon getan, " in desk.get(answer["Location"]).content.decode()
    assert Registration.objects.count() == 1


def test_similar_new_persons_of_two_desks_need_a_confirmation(
    desk: Client, second_desk: Client, tournament: Tournament
):
    new_person(second_desk, tournament, last_name="Kuehn", club_name="SC Gera")

    asked = new_person(desk, tournament)
    still_one = Person.objects.filter(first_name="Ina").count()
    new_person(desk, tournament, is_other="on")

    assert asked.status_code == 409
    assert "Ina Kuehn ist schon gemeldet, von Anna Kühn." in asked.content.decode()
    assert 'name="is_other"' in asked.content.decode()
    assert still_one == 1
    assert [registration.number for registration in Registration.objects.order_by("number")] == [
        1,
        2,
    ]


def test_another_year_of_birth_is_another_person(desk: Client, tournament: Tournament):
    new_person(desk, tournament, birth_year="1960")

    assert new_person(desk, tournament, birth_year="1990").status_code == 302


def pay(client: Client, registration: Registration, amount: str, seen_open_cents: int):
    url = reverse("desk:payment", args=[registration.tournament.slug, registration.pk])
    form = {"amount_cents": amount, "method_": "cash", "seen_open_cents": seen_open_cents}
    return client.post(url, form)


def test_a_part_paid_at_another_desk_is_not_taken_again(
    desk: Client, second_desk: Client, tournament: Tournament
):
    registration = make_registration(tournament)
    pay(second_desk, registration, "5", 1500)

    refused = pay(desk, registration, "5,00", 1500)
    page = refused.content.decode()
    taken = pay(desk, registration, "5,00", 1000)

    assert (refused.status_code, taken.status_code) == (409, 302)
    assert "sind inzwischen 10,00" in page
    assert "ist von Anna Kühn." in page
    assert 'name="seen_open_cents" value="1000"' in page
    assert Receipt.objects.count() == 2
