"""Impressum and Datenschutz, and deleting expired data."""

from __future__ import annotations

from datetime import date, timedelta
from smtplib import SMTPException

import pytest
from axes.models import AccessLog
from django.core import mail
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import DatabaseError, transaction
from django.urls import reverse
from django.utils import timezone, translation

from tests.clients import Client, at, logged_in
from tests.factories import (
    make_head,
    make_organiser,
    make_person,
    make_registration,
    make_tournament,
    make_user,
)
from tests.factories_lists import list_of, make_seated_serie, write_games
from tournaments.common import texts
from tournaments.common.organisers import add_account, first_organiser
from tournaments.models import (
    BankTransaction,
    Game,
    Job,
    JournalEntry,
    LegalText,
    Person,
    Receipt,
    Right,
    Signature,
)
from tournaments.operator.queries import due_tournaments

pytestmark = pytest.mark.django_db
DUE = "/aufbewahrung/"


@pytest.fixture
def admin(client: Client) -> Client:
    client.force_login(make_user(is_admin=True))
    return client


@pytest.mark.parametrize("name", ["impressum", "datenschutz"])
def test_the_operator_writes_the_pages_linked_in_footers(admin: Client, name: str):
    start = Client().read(reverse("public:start"))
    before = Client().read(f"/{name}/")
    form = admin.read(f"/{name}/bearbeiten/")
    stored = admin.post(f"/{name}/bearbeiten/", {"text": "Karla Otto\n\n<b>Gera</b>"})
    after = Client().read(f"/{name}/")

    assert f'href="/{name}/"' in start
    assert "noch nichts eingetragen" in before
    assert "[Name" in form
    assert stored.status_code == 302
    assert "<p>Karla Otto</p>\n\n<p>&lt;b&gt;Gera" in after
    assert "bearbeiten" not in after
    assert JournalEntry.objects.get().after == {"page": name}


def test_the_operator_page_lists_unwritten_pages(admin: Client):
    def warned() -> str:
        return admin.read(reverse("operator:requests"))

    assert warned().count("noch leer") == 2
    beginning = admin.get("/impressum/bearbeiten/").context["form"].initial["text"]
    admin.post("/impressum/bearbeiten/", {"text": beginning})
    LegalText.objects.create(name="datenschutz", text="Verantwortlich: Karla Otto, [Anschrift]")

    said = warned()

    assert "1 Stelle ist noch auszufüllen: [Anschrift]" in said
    assert "Stellen sind noch auszufüllen, zuerst [Name des Vereins" in said
    LegalText.objects.update(text="Karla Otto, Gera")
    assert "auszufüllen" not in warned()


@pytest.mark.parametrize("language", ["de", "en"])
def test_the_templates_contain_the_facts_required_by_law(admin: Client, language: str):
    def beginning(name: str) -> str:
        with translation.override(language):
            return texts.read_unparsed("operator", name)

    privacy, imprint = beginning("datenschutz"), beginning("impressum")

    for article in ("Art. 6", "Art. 15", "Art. 17", "Art. 21", "Art. 28", "Art. 77", "16"):
        assert article in privacy
    assert "VR …" in imprint
    assert len(privacy) < 20_000
    assert LegalText(text=privacy).gaps
    assert LegalText(text=imprint).gaps


def test_the_privacy_page_names_data_and_retention(client: Client, settings):
    settings.SESSION_COOKIE_AGE = 5 * 24 * 3600

    said = client.read("/datenschutz/")

    assert "183 Tage nach Abschluss des Turniers" in said
    assert "5 Tage" in said
    assert "10 Minuten" in said


def closed_with_everything(name: str, days: int):
    """A tournament that was closed so many days ago, with all that is due some day."""
    tournament = make_tournament(name=name, status="closed")
    serie = make_seated_serie(tournament)
    spielliste = write_games(list_of(serie))
    registration = tournament.registrations.order_by("number").first()
    registration.late_reason = "Zug verpasst"
    registration.save()
    Signature.objects.create(
        spielliste=spielliste,
        registration=registration,
        version=1,
        method=Signature.Method.DEVICE,
        drawing="M40 120L90 60",
        signed_at=timezone.now(),
    )
    BankTransaction.objects.create(
        tournament=tournament,
        fingerprint="1",
        booked_on=date(2026, 1, 2),
        amount_cents=500,
        remitter="Anna",
        purpose="Nr. 1",
    )
    file = default_storage.save("archives/due.json", ContentFile(b"Anna"))
    Job.objects.create(kind="archive_export", tournament=tournament, result={"file": file})
    tournament.closings.create(
        number=1, closed_at=timezone.now() - timedelta(days=days), content={}, content_hash=""
    )
    return tournament, file


def test_expired_data_are_deleted_by_one_click_and_points_stay(
    admin: Client, django_capture_on_commit_callbacks
):
    old, old_file = closed_with_everything("Frühjahrsturnier", 184)
    new, new_file = closed_with_everything("Herbstturnier", 182)
    long_ago = timezone.now() - timedelta(days=4 * 365)
    AccessLog.objects.create(username="karla", ip_address="192.0.2.7")
    AccessLog.objects.filter(username="karla").update(
        attempt_time=timezone.now() - timedelta(days=184)
    )
    gone, here = make_person("Anna", "Kühn"), make_person("Karl", "Lang")
    Person.objects.filter(pk__in=[gone.pk, here.pk]).update(created_at=long_ago)
    make_registration(new, here)

    page = admin.get(DUE)
    shown = page.content.decode()
    stale = admin.post(DUE, {"digest": "of another day"})
    with django_capture_on_commit_callbacks(execute=True):
        done = admin.post(DUE, {"digest": page.context["digest"]}, follow=True).content.decode()

    assert "Frühjahrsturnier" in shown
    assert "1 Unterschrift, 1 Angabe, 1 Überweisung, 1 Datei" in shown
    assert "Kühn, Anna wird anonymisiert" in shown
    assert "1 Anmeldung der Turnierleitung" in shown
    assert "Herbstturnier" not in shown
    assert "Lang, Karl" not in shown
    assert stale.status_code == 409
    assert "Zurzeit ist nichts fällig." in done
    for tournament, kept in ((old, False), (new, True)):
        registration = tournament.registrations.order_by("number").first()
        transfer = tournament.bank_transactions.get()
        signature = Signature.objects.get(registration=registration)
        assert (registration.late_reason == "Zug verpasst") == kept
        assert (transfer.remitter == "Anna") == kept
        assert (signature.drawing != Signature.REMOVED) == kept
        assert Game.objects.filter(spielliste=signature.spielliste).count() == 12
    assert not default_storage.exists(old_file)
    assert default_storage.exists(new_file)
    default_storage.delete(new_file)
    gone.refresh_from_db()
    assert gone.anonymised_at is not None
    assert JournalEntry.objects.get(action="due_deleted").chain.tournament == old


def test_a_head_deletes_expired_data_of_its_organiser_only():
    gera, jena = make_organiser("SC Gera"), make_organiser("SC Jena")
    long_ago = timezone.now() - timedelta(days=4 * 365)
    ours, theirs = make_person("Anna", "Kühn", owner=gera), make_person("Karl", "Lang", owner=jena)
    Person.objects.update(created_at=long_ago)
    AccessLog.objects.create(username="karla", ip_address="192.0.2.7")
    AccessLog.objects.update(attempt_time=long_ago)
    head, helper = logged_in(make_head(gera)), make_user()
    add_account(helper, gera, Right.MONEY)

    start = head.read(at("setup:tournaments"))
    page = head.get(DUE)
    stale = head.post(DUE, {"digest": ""})
    done = head.post(DUE, {"digest": page.context["digest"]})
    refused = logged_in(helper).get(DUE)

    assert f'href="{DUE}"' in start
    assert "Kühn, Anna" in page.content.decode()
    assert "Lang" not in page.content.decode()
    assert "mit Netzadresse" not in page.content.decode()
    assert (stale.status_code, done.status_code, refused.status_code) == (409, 302, 403)
    ours.refresh_from_db()
    theirs.refresh_from_db()
    assert (ours.anonymised_at is None, theirs.anonymised_at is None) == (False, True)
    assert AccessLog.objects.filter(username="karla").exists()


def test_many_tournaments_take_as_many_statements_as_one(django_assert_num_queries):
    owners = [first_organiser()]
    for number in range(3):
        closed_with_everything(f"Abend {number}", 184)

        with django_assert_num_queries(8):
            due = due_tournaments(timezone.now(), owners)

        lines = ["1 Unterschrift", "1 Angabe", "1 Überweisung", "1 Datei"]
        assert [deletion.lines for deletion in due] == [lines] * (number + 1)


@pytest.mark.usefixtures("with_mail")
def test_the_operator_sends_a_test_mail(admin: Client):
    form = admin.read("/betrieb/anfragen/")
    sent = admin.post("/betrieb/probemail/", {"address": "anna@verein.example"}, follow=True)

    assert 'action="/betrieb/probemail/"' in form
    assert "ist unterwegs" in sent.content.decode()
    assert [message.to for message in mail.outbox] == [["anna@verein.example"]]
    assert "https://romme.example" in mail.outbox[0].body


@pytest.mark.usefixtures("with_mail")
def test_the_answer_of_the_mail_server_is_shown_at_the_address(
    admin: Client, monkeypatch: pytest.MonkeyPatch
):
    def refuse(_mail: object) -> int:
        raise SMTPException("550 relay not permitted")

    monkeypatch.setattr(mail.EmailMessage, "send", refuse)

    answer = admin.post("/betrieb/probemail/", {"address": "anna@verein.example"})

    assert answer.status_code == 422
    assert "550 relay not permitted" in answer.content.decode()


def test_a_test_mail_needs_a_mail_server(admin: Client):
    assert "fehlt EMAIL_URL" in admin.read("/betrieb/anfragen/")
    answer = admin.post("/betrieb/probemail/", {"address": "anna@verein.example"})
    assert (answer.status_code, mail.outbox) == (422, [])


def test_names_on_receipts_are_kept_for_eight_years(admin: Client):
    now = timezone.now()
    tournament = make_tournament(status="closed")
    last_year_kept = timezone.localtime(now).replace(year=now.year - 8, month=1, day=1, hour=0)
    kept, due, unnamed = (
        Receipt.objects.create(
            tournament=tournament,
            number=number,
            method="cash",
            payer=payer,
            text="für Anna",
            created_at=made,
        )
        for number, payer, made in (
            (1, "Anna Kühn", last_year_kept),
            (2, "Anna Kühn", last_year_kept - timedelta(days=1)),
            (3, "", last_year_kept - timedelta(days=1)),
        )
    )

    page = admin.get(DUE)
    admin.post(DUE, {"digest": page.context["digest"]})

    assert "Namen und Texte von 2 Belegen" in " ".join(page.content.decode().split())
    kept.refresh_from_db()
    due.refresh_from_db()
    assert (kept.payer, kept.text) == ("Anna Kühn", "für Anna")
    unnamed.refresh_from_db()
    assert (due.payer, due.text, due.number) == ("gelöscht", "", 2)
    assert unnamed.text == ""
    (entry,) = JournalEntry.objects.filter(action="receipt_names_deleted")
    assert entry.after == {"receipts": 2}
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Receipt.objects.filter(pk=due.pk).update(payer="Berta")
    assert "nichts fällig" in admin.read(DUE)


def test_the_text_of_receipts_is_not_a_page(admin: Client):
    form = admin.get("/belege/bearbeiten/")
    stored = admin.post("/belege/bearbeiten/", {"text": "Markt 1, [Ort]"})

    assert "§ 19 UStG" in form.context["form"].initial["text"]
    assert stored["Location"] == at("operator:requests")
    assert "1 Stelle ist noch auszufüllen: [Ort]" in admin.read(stored["Location"])
    assert Client().get("/belege/").status_code == 404
