"""The page of the transfers: reading a statement, confirming, putting aside."""

from __future__ import annotations

import re
from datetime import date, timedelta
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from tests.clients import Client, at, plain
from tests.factories import COMMAND, make_member, make_person, make_tournament
from tests.worlds import world
from tournaments.cash.bank.forms import MAX_BYTES
from tournaments.desk.services.changes import withdraw
from tournaments.desk.services.registrations import register
from tournaments.models import (
    BankTransaction,
    KnownColumns,
    PersonImport,
    Receipt,
    Registration,
    Role,
    Tournament,
)

pytestmark = pytest.mark.django_db
FILES = Path(__file__).parent / "files"
IBAN = "DE02120300000000202051"


def soon(**fields) -> Tournament:
    return make_tournament(starts_at=timezone.now() + timedelta(hours=2), **fields)


@world
def tournament() -> Tournament:
    return soon()


@pytest.fixture
def helper(client: Client, tournament: Tournament) -> Client:
    client.force_login(make_member(tournament, Role.KASSE))
    return client


def url(name: str, tournament: Tournament, *args: int) -> str:
    return at(f"cash:{name}", tournament, *args)


def enter(tournament: Tournament, first: str, last: str) -> Registration:
    return register(COMMAND, tournament.pk, person_id=make_person(first, last).pk)


def make_transfer(tournament: Tournament, **fields) -> BankTransaction:
    values = {
        "fingerprint": f"{BankTransaction.objects.count()}",
        "booked_on": date(2026, 9, 28),
        "amount_cents": 1_500,
        "remitter": "Anna Kühn",
        "purpose": "Startgeld",
        **fields,
    }
    return BankTransaction.objects.create(tournament=tournament, **values)


def upload(
    helper: Client, tournament: Tournament, content: bytes, name: str = "auszug", **pressed: str
):
    file = SimpleUploadedFile(name, content)
    return helper.post(url("take_in", tournament), {"statement": file, **pressed}, follow=True)


def test_a_statement_is_read_under_any_file_name(helper: Client, tournament):
    content = (FILES / "camt.053.001.02.xml").read_bytes()

    first = upload(helper, tournament, content, name="Auszug (3).exe").content.decode()
    second = upload(helper, tournament, content).content.decode()

    assert (
        "3 neue Überweisungen, 1 Abgang übergangen, 1 in fremder Währung übergangen, "
        "1 noch nicht gebucht."
    ) in first
    assert "0 neue Überweisungen, 3 schon bekannt" in second
    assert BankTransaction.objects.count() == 3


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        pytest.param(b"kein Auszug", "Das ist kein Kontoauszug", id="a text"),
        pytest.param(b"", "Die Datei ist leer", id="empty"),
        pytest.param(b" " * (MAX_BYTES + 1), "größer als 5 MB", id="too large"),
        pytest.param(None, "Bitte zuerst die Datei auswählen", id="nothing"),
    ],
)
def test_an_invalid_statement_is_refused_on_the_page(helper: Client, tournament, content, sentence):
    if content is None:
        answer = helper.post(url("take_in", tournament))
    else:
        answer = upload(helper, tournament, content)

    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not BankTransaction.objects.exists()


@pytest.mark.parametrize(
    ("iban", "warned"),
    [
        pytest.param("", False, id="the Ausschreibung names none"),
        pytest.param(IBAN, False, id="the same"),
        pytest.param("DE75512108001245126199", True, id="another"),
    ],
)
def test_a_statement_of_another_account_is_imported_with_a_warning(client, iban, warned):
    tournament = soon(iban=iban)
    client.force_login(make_member(tournament, Role.KASSE))

    page = upload(client, tournament, (FILES / "camt.053.001.02.xml").read_bytes())

    assert ("von einem anderen Konto" in page.content.decode()) == warned
    assert BankTransaction.objects.count() == 3


def test_the_columns_of_a_bank_are_chosen_once(helper: Client, tournament: Tournament):
    first = b"Wann;Wer;Wieviel\n28.09.2026;Anna Berg;15,00\n"
    asked = upload(helper, tournament, first, name="bank.csv")
    address = asked.redirect_chain[-1][0]
    assert "Was steht in welcher Spalte?" in asked.content.decode()
    chosen = {"heading_row": "1", "column_0": "day", "column_1": "remitter", "column_2": "-"}

    lacking = helper.post(address, chosen)
    again = helper.post(address, {**chosen, "again": "1"}, follow=True)
    done = helper.post(address, {**chosen, "column_2": "amount"}, follow=True)
    later = upload(helper, tournament, first.replace(b"28.", b"29."), name="bank.csv")

    assert lacking.status_code == 422
    assert "Es braucht Buchungstag, Betrag" in lacking.content.decode()
    assert again.status_code == 200
    assert "1 neue Überweisung" in done.content.decode()
    assert "1 neue Überweisung" in later.content.decode()
    assert BankTransaction.objects.count() == 2
    assert not PersonImport.objects.exists()
    anew = upload(helper, tournament, first, name="bank.csv", choose="1")
    assert "Was steht in welcher Spalte?" in anew.content.decode()


def test_a_table_without_headings_is_read_but_not_remembered(
    helper: Client, tournament: Tournament
):
    asked = upload(helper, tournament, b"28.09.2026;Anna Berg;15,00\n", name="bank.csv")
    address = asked.redirect_chain[-1][0]
    chosen = {"column_0": "day", "column_1": "remitter", "column_2": "amount"}

    helper.post(address, {**chosen, "heading_row": "0"})

    assert BankTransaction.objects.get().remitter == "Anna Berg"
    assert not KnownColumns.objects.exists()


def test_clear_matches_are_shown_and_booked_with_one_button(helper: Client, tournament):
    anna, karl = enter(tournament, "Anna", "Kühn"), enter(tournament, "Karl", "Voß")
    first = make_transfer(tournament, purpose=f"Nr. {anna.number}", amount_cents=2_000)
    second = make_transfer(tournament, remitter="VOSS, KARL")
    make_transfer(tournament, remitter="Verein", purpose="Beitrag", amount_cents=4_800)

    page = helper.read(url("transfers", tournament))
    done = helper.post(
        url("book_clear", tournament),
        {
            "match": [f"{first.pk}-{anna.pk}", f"{second.pk}-{karl.pk}"],
            "receipts": 2,
            "expected_cents": 3_500,
            "agreed": "1",
        },
        follow=True,
    ).content.decode()

    assert f'value="{first.pk}-{anna.pk}"' in page
    assert "5,00\xa0€ Guthaben" in page
    assert "Alle 2 buchen (35,00\xa0€)" in page
    assert "2 Überweisungen gebucht. 5,00\xa0€ davon sind mehr, als offen war" in done
    assert "Noch zuzuordnen (1)" in " ".join(done.split())
    assert set(Registration.objects.values_list("status", flat=True)) == {"paid"}


def test_a_match_not_shown_is_not_booked(helper: Client, tournament: Tournament):
    enter(tournament, "Anna", "Kühn")
    karl = enter(tournament, "Karl", "Voß")
    transfer = make_transfer(tournament)

    for sent in ([f"{transfer.pk}-{karl.pk}"], ["unsinn"], ["9" * 5000 + "-1"], []):
        answer = helper.post(url("book_clear", tournament), {"match": sent, "receipts": 1})
        assert answer.status_code == 409

    assert not Receipt.objects.exists()


def test_unclear_transfers_list_candidates_unticked(helper: Client, tournament: Tournament):
    enter(tournament, "Anna", "Kühn")
    enter(tournament, "Karl", "Kühn")
    make_transfer(tournament, remitter="Familie Kühn", amount_cents=3_000)

    page = helper.read(url("transfers", tournament))

    assert page.count('name="registrations"') == 2
    assert "checked" not in page
    assert "nur der Nachname passt" in page


@pytest.mark.parametrize(("cents", "ticked"), [(3_000, 2), (3_100, 0), (1_500, 0)])
def test_named_numbers_are_ticked_if_the_transfer_covers_their_sum(
    helper: Client, tournament: Tournament, cents: int, ticked: int
):
    enter(tournament, "Anna", "Kühn")  # 15 € each
    enter(tournament, "Karl", "Voß")
    enter(tournament, "Eva", "Voß")
    make_transfer(
        tournament, remitter="Familie Voß", purpose="Startgeld Nr. 1 und 2", amount_cents=cents
    )

    page = helper.read(url("transfers", tournament))

    assert page.count('name="registrations"') == 3
    assert page.count("checked>") == ticked


def test_a_range_of_eight_numbers_in_a_transfer_is_ticked(helper: Client, tournament: Tournament):
    for number in range(8):
        enter(tournament, "Anna", f"Kühn{number}")  # 15 € each
    make_transfer(tournament, remitter="SC Altenburg", purpose="Nr. 1-8", amount_cents=12_000)

    page = helper.read(url("transfers", tournament))

    assert page.count("checked>") == page.count('name="registrations"') == 8


def test_booking_more_than_due_reports_the_credit(helper: Client, tournament: Tournament):
    anna = enter(tournament, "Anna", "Kühn")
    first, second = (
        make_transfer(tournament, remitter="Oma", amount_cents=cents) for cents in (2_000, 1_000)
    )

    def booked(transfer: BankTransaction, **more: str) -> str:
        sent = {"registrations": [anna.pk], **more}
        answer = helper.post(url("book_transfer", tournament, transfer.pk), sent, follow=True)
        return plain(answer)

    assert "Beleg 1 gebucht. 5,00 € davon sind mehr, als offen war" in booked(first)
    asked = booked(second)
    assert f"Nichts offen: {anna.number} · Kühn, Anna. Trotzdem buchen?" in asked
    assert Receipt.objects.count() == 1
    said = booked(second, agreed="1")
    assert "Beleg 2 gebucht. 10,00 € davon sind mehr, als offen war" in said


def test_selecting_a_person_without_dues_needs_a_confirmation(
    helper: Client, tournament: Tournament
):
    anna, karl = enter(tournament, "Anna", "Kühn"), enter(tournament, "Karl", "Kühn")
    for cents, meant in ((1_500, [anna]), (3_000, [karl, anna])):
        transfer = make_transfer(tournament, remitter="Familie Kühn", amount_cents=cents)
        sent = {"numbers": ", ".join(str(each.number) for each in meant)}
        answer = helper.post(url("book_transfer", tournament, transfer.pk), sent, follow=True)

    assert f"Nichts offen: {anna.number} · Kühn, Anna. Trotzdem buchen?" in plain(answer)
    assert Receipt.objects.count() == 1


def test_a_transfer_of_a_withdrawn_person_is_refunded_not_reassigned(
    helper: Client, tournament: Tournament
):
    gone = enter(tournament, "Anna", "Kühn")
    withdraw(COMMAND, gone.pk)
    enter(tournament, "Bernd", "Voß")
    transfer = make_transfer(tournament, purpose="Startgeld Nr. 1")

    page = helper.read(url("transfers", tournament))
    assert "1 ·\n                    Kühn, Anna" in page
    assert "Voß" not in page
    reason = re.findall(r'name="reason"\s+value="([^"]*)"', page)
    assert reason == ["zurückzahlen, Nr. 1"]

    helper.post(url("set_aside", tournament, transfer.pk), {"reason": reason[0]})

    transfer.refresh_from_db()
    assert transfer.set_aside_reason == "zurückzahlen, Nr. 1"


def test_a_transfer_is_assigned_by_hand(helper: Client, tournament: Tournament):
    anna, karl = enter(tournament, "Anna", "Kühn"), enter(tournament, "Karl", "Kühn")
    transfer = make_transfer(tournament, remitter="Familie Kühn", amount_cents=3_000)

    done = helper.post(
        url("book_transfer", tournament, transfer.pk),
        {"registrations": [anna.pk], "numbers": f"{karl.number}"},
        follow=True,
    )

    assert "Beleg 1 gebucht." in done.content.decode()
    assert "Alles zugeordnet" in done.content.decode()
    for each in (anna, karl):
        each.refresh_from_db()
        assert each.status == Registration.Status.PAID


@pytest.mark.parametrize(
    ("data", "status", "sentence"),
    [
        pytest.param({}, 409, "für wen die Überweisung ist", id="nobody"),
        pytest.param({"numbers": "99"}, 409, "Startnummer 99 gibt es nicht", id="no such number"),
        pytest.param({"numbers": "Anna"}, 422, "nur Startnummern", id="a name"),
        pytest.param({"numbers": "1" * 61}, 422, "höchstens 60", id="too long"),
        pytest.param({"registrations": ["x"]}, 422, "kein gültiger Wert", id="nonsense"),
        pytest.param({"registrations": ["999"]}, 422, "nicht gemeldet", id="a stranger"),
    ],
)
def test_a_transfer_without_a_known_person_stays_open(helper, tournament, data, status, sentence):
    enter(tournament, "Anna", "Kühn")
    transfer = make_transfer(tournament)

    answer = helper.post(url("book_transfer", tournament, transfer.pk), data)

    assert answer.status_code == status
    assert sentence in answer.content.decode()
    assert not Receipt.objects.exists()


def test_a_transfer_is_set_aside_and_restored_on_the_page(helper: Client, tournament: Tournament):
    transfer = make_transfer(tournament)
    aside, back = (url(name, tournament, transfer.pk) for name in ("set_aside", "bring_back"))

    without = helper.post(aside, {"reason": ""})
    done = helper.post(aside, {"reason": "Mitgliedsbeitrag"}, follow=True).content.decode()
    again = helper.post(back, follow=True).content.decode()
    twice = helper.post(back)

    assert (without.status_code, twice.status_code) == (422, 409)
    assert "Beiseitegelegt (1)" in done
    assert "Mitgliedsbeitrag" in done
    assert "Noch zuzuordnen (1)" in again


def test_a_cancelled_transfer_names_its_receipt(helper: Client, tournament: Tournament):
    anna = enter(tournament, "Anna", "Kühn")
    transfer = make_transfer(tournament, purpose="?", amount_cents=1_400)
    helper.post(url("book_transfer", tournament, transfer.pk), {"registrations": [anna.pk]})

    helper.post(url("reverse", tournament, 1), {"reason": "falsche Person"})

    page = helper.read(url("transfers", tournament))
    assert "war Beleg 1, storniert" in page
    assert "Gebucht (" not in page


def test_the_page_needs_a_constant_number_of_queries(
    helper: Client, tournament: Tournament, django_assert_max_num_queries
):
    for n in range(25):
        enter(tournament, "Anna", f"Muster{n}")
        make_transfer(tournament, remitter=f"Anna Muster{n}")
        make_transfer(tournament, remitter="Verein", purpose=f"Beitrag {n}", amount_cents=n + 1)

    with django_assert_max_num_queries(20):
        page = helper.read(url("transfers", tournament))
    assert "Alle 25 buchen" in page
