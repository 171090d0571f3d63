"""Circulars: their audience, their ways, sending once, and suggested ones after changes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from tests.clients import Client, at
from tests.factories import COMMAND, make_member, make_person, make_tournament
from tests.tournaments.desk.online.helpers import make_open_tournament, send_one, text_of, wanted
from tests.tournaments.printing.helpers import words
from tests.worlds import world
from tournaments.announcement.services import edit, tournaments
from tournaments.announcement.services.sections import fingerprint
from tournaments.common.access_keys import player_path
from tournaments.common.actors import Actor
from tournaments.common.errors import NotAllowed, TournamentError, WrongStatus
from tournaments.common.submissions import new_form_key
from tournaments.desk.services.changes import withdraw
from tournaments.desk.services.registrations import Payment, pay, register
from tournaments.machine import jobs, mails
from tournaments.models import (
    Circular,
    Entry,
    Job,
    JournalEntry,
    Person,
    Registration,
    Role,
    Tournament,
)
from tournaments.models.tournament import Section
from tournaments.notices.queries import circulars as queries
from tournaments.notices.services.circulars import send
from tournaments.results.services import player_access
from tournaments.web.idempotency import FIELD

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("with_mail")]
TEXT = "Wir spielen im Saal nebenan.\nBitte den Hof benutzen."
DESK = "notices:circulars"


def registered() -> Tournament:
    """Register two by one entry, one of them paid, an address in capitals, a leaver, one without
    mail.
    """
    tournament = make_open_tournament(name="Herbstturnier", slug="herbst", venue="Altes Rathaus")
    both = [wanted("Anna", "Kühn"), wanted("Bernd", "Voß")]
    send_one(tournament, *both, email="anna@verein.example")
    pay(COMMAND, named(tournament, "Kühn").pk, payment=Payment(amount_cents=1500))
    clara = make_person("Clara", "Sommer", email="Clara@Verein.example")
    register(COMMAND, tournament.pk, person_id=clara.pk)
    send_one(tournament, wanted("Dora", "Fort"), form_key="2", email="dora@verein.example")
    withdraw(COMMAND, named(tournament, "Fort").pk)
    register(COMMAND, tournament.pk, person_id=make_person("Emil", "Ohne").pk)
    return tournament


tournament = world(registered)


def named(tournament: Tournament, name: str) -> Registration:
    return tournament.registrations.get(person__last_name=name)


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "spawn", jobs.run)


@pytest.fixture
def leading(client: Client, tournament: Tournament) -> Client:
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    return client


@pytest.fixture
def sending(django_capture_on_commit_callbacks: Any) -> Callable[..., Circular]:
    def done(tournament: Tournament, audience: str = queries.ALL, text: str = TEXT) -> Circular:
        with django_capture_on_commit_callbacks(execute=True):
            return send(COMMAND, tournament.pk, audience=audience, text=text)

    return done


def groups(tournament: Tournament) -> dict[str, list[str]]:
    return {
        name: [
            str(receiver.person.last_name if isinstance(receiver, Registration) else receiver)
            for receiver in audience
        ]
        for name, audience in queries.Audiences(tournament).receivers().items()
    }


def test_groups_are_by_status_and_serie(tournament: Tournament):
    everybody = ["Kühn", "Voß", "Sommer", "Ohne"]

    audiences = groups(tournament)

    assert audiences.pop("all") == everybody
    assert audiences.pop("paid") == ["Kühn"]
    assert audiences.pop("registered") == ["Voß", "Sommer", "Ohne"]
    # An unseated Serie addresses all players of its day.
    assert set(audiences) == {f"serie-{serie.number}" for serie in tournament.serien.all()}
    assert all(audience == everybody for audience in audiences.values())


def test_groups_are_by_day():
    tomorrow = {"day": 1, "time": "10:00", "serie": 2}
    soon = timezone.now() + timedelta(days=3)
    tournament = make_tournament(serien=2, schedule=[tomorrow], starts_at=soon)
    for name, days in (("Eins", "1"), ("Zwei", "2"), ("Beide", "")):
        registration = register(COMMAND, tournament.pk, person_id=make_person("A", name).pk)
        Registration.objects.filter(pk=registration.pk).update(plays_on=days)

    audiences = groups(tournament)

    assert audiences["day-1"] == audiences["serie-1"] == ["Eins", "Beide"]
    assert audiences["day-2"] == audiences["serie-2"] == ["Zwei", "Beide"]


def test_each_address_gets_one_mail_that_shows_no_other(tournament: Tournament, sending: Any):
    again = make_person("Carl", "Sommer", email="clara@verein.example")
    register(COMMAND, tournament.pk, person_id=again.pk)

    sending(tournament)

    assert [message.to for message in mail.outbox] == [
        ["anna@verein.example"],
        ["Clara@Verein.example"],
    ]
    first, second = (str(message.body) for message in mail.outbox)
    assert f"Guten Tag,\n\n{TEXT}\n\nDas betrifft:\n\n* Anna Kühn\n* Bernd Voß\n" in first
    assert "* Clara Sommer\n* Carl Sommer\n" in second
    for other in ("lara@", "Ohne", "Fort", "Sommer"):
        assert other not in mail.outbox[0].message().as_string()
    assert mail.outbox[0].subject == "Nachricht: Herbstturnier"
    assert Job.objects.get().result == {"sent": 2, "failed": []}


def test_the_words_around_the_text_are_in_the_language_of_the_tournament(
    tournament: Tournament, sending: Any
):
    Tournament.objects.filter(pk=tournament.pk).update(language="en")

    sending(tournament, "paid")

    assert mail.outbox[0].subject == "Message: Herbstturnier"
    assert TEXT in str(mail.outbox[0].body)


def test_only_own_pages_of_the_audience_show_a_circular(
    client: Client, tournament: Tournament, sending: Any
):
    sending(tournament, "paid", "Nur für <b>Anna</b>")
    player_access.store_tokens(tournament)

    shown = {
        name: "Nachricht der Spielleitung"
        in text_of(client.get(player_path(named(tournament, name))))
        for name in ("Kühn", "Voß", "Ohne")
    }

    assert shown == {"Kühn": True, "Voß": False, "Ohne": False}
    page = client.get(player_path(named(tournament, "Kühn"))).content.decode()
    assert "Nur für &lt;b&gt;Anna&lt;/b&gt;" in page


def test_unsettled_entries_get_a_circular(client: Client, sending: Any):
    tournament = make_open_tournament(name="Herbstturnier", slug="herbst")
    by_link = send_one(tournament, wanted("Anna", "Kühn"), email="anna@verein.example")
    line = tournament.entries.get().lines.get()
    registration, line.registration, line.status = line.registration, None, "open"
    line.save()
    withdraw(COMMAND, registration.pk)

    sending(tournament)

    assert groups(tournament)["waiting"] == ["Kühn, Anna"]
    assert [message.to for message in mail.outbox] == [["anna@verein.example"]]
    assert "im Saal nebenan" in text_of(client.get(at("entry:registration", by_link.token)))


def test_people_without_a_delivered_mail_are_on_the_sheet(
    tournament: Tournament, sending: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(
        "tournaments.notices.services.circulars.deliver",
        lambda _tournament, address, **_more: address.startswith("anna"),
    )

    circular = sending(tournament)

    assert Job.objects.get().result["sent"] == 1
    said = words(tournament, "nachricht", circular=circular.pk)
    assert "Wir spielen im Saal nebenan." in said
    assert "Sommer, Clara" in said
    assert "Ohne, Emil" in said
    assert "Kühn" not in said
    assert "@" not in said


def test_the_sheet_lists_everyone_without_mail(tournament: Tournament, sending: Any, settings: Any):
    settings.HAS_EMAIL = False

    circular = sending(tournament)

    assert not Job.objects.exists()
    assert len(queries.without_mail(circular)) == 4


def test_the_sheet_lists_everyone_after_an_interrupted_mailing(
    tournament: Tournament, sending: Any
):
    circular = sending(tournament)
    assert queries.without_mail(circular) == [named(tournament, "Ohne")]

    Job.objects.update(status=Job.Status.FAILED, result={})

    assert len(queries.without_mail(circular)) == 4


def test_a_restarted_mail_job_mails_no_one_twice(
    tournament: Tournament, sending: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(jobs, "spawn", lambda _job: None)
    sending(tournament)
    Job.objects.update(done=1)  # of two

    jobs.run(Job.objects.get().pk)

    assert [message.to for message in mail.outbox] == [["Clara@Verein.example"]]


def test_a_circular_is_journalled_by_number_without_its_text(tournament: Tournament, sending: Any):
    sending(tournament)

    entry = JournalEntry.objects.get(action="circular_sent")
    assert entry.after == {"persons": 4}
    assert "nebenan" not in str(vars(entry))


def test_the_sheet_of_another_tournament_is_not_printed(tournament: Tournament, sending: Any):
    circular = sending(tournament)

    with pytest.raises(TournamentError, match="gibt es nicht"):
        words(make_open_tournament(slug="anderes"), "nachricht", circular=circular.pk)


# --- Refused ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("audience", "text", "why"),
    [
        ("all", " \n ", "Bitte die Nachricht schreiben"),
        ("all", "x" * 2_001, "hat 2001 Zeichen; möglich sind 2000"),
        ("waiting", TEXT, "niemand"),
        ("serie-9", TEXT, "niemand"),
        ("unsinn", TEXT, "niemand"),
    ],
)
def test_a_circular_needs_recipients_and_a_text(
    tournament: Tournament, audience: str, text: str, why: str
):
    with pytest.raises(TournamentError, match=why):
        send(COMMAND, tournament.pk, audience=audience, text=text)

    assert not Circular.objects.exists()


@pytest.mark.parametrize("role", [Role.KASSE, Role.SCHIEDSRICHTER])
def test_only_the_spielleitung_sends_a_circular(tournament: Tournament, role: Role):
    with pytest.raises(NotAllowed):
        send(Actor.account(make_member(tournament, role)), tournament.pk, audience="all", text=TEXT)


@pytest.mark.parametrize("status", ["draft", "closed"])
def test_circulars_are_sent_in_the_right_states_only(
    leading: Client, tournament: Tournament, status: str
):
    Tournament.objects.filter(pk=tournament.pk).update(status=status)

    with pytest.raises(WrongStatus):
        send(COMMAND, tournament.pk, audience="all", text=TEXT)
    assert "<textarea" not in leading.read(at(DESK, "herbst"))


def test_a_called_off_tournament_can_send_a_circular(tournament: Tournament, sending: Any):
    tournaments.call_off(COMMAND, tournament.pk, reason="Sturm")

    assert sending(tournament).registrations.count() == 4


# --- The page -----------------------------------------------------------------------------------


def test_the_page_counts_sends_once_and_lists_unreached_people(
    leading: Client, tournament: Tournament, django_capture_on_commit_callbacks: Any
):
    page = leading.read(at(DESK, "herbst"))
    assert "alle: 4, mit E-Mail: 3" in page
    form = {"audience": "all", "text": TEXT, FIELD: new_form_key()}

    with django_capture_on_commit_callbacks(execute=True):
        answers = [
            leading.post(at("notices:send_circular", "herbst"), form, follow=True) for _i in "ab"
        ]

    assert Circular.objects.count() == 1
    assert len(mail.outbox) == 2
    assert "geht an 2 Adressen hinaus" in text_of(answers[0])
    said = text_of(leading.get(at(DESK, "herbst")))
    assert "2 E-Mails gingen hinaus." in said
    assert "1 Person hat keine E-Mail bekommen." in said


def test_a_refused_circular_keeps_its_text(leading: Client, tournament: Tournament):
    answer = leading.post(
        at("notices:send_circular", "herbst"), {"audience": "waiting", "text": "Bitte warten"}
    )

    assert answer.status_code == 422
    assert "Bitte warten" in answer.content.decode()


# --- Suggested circulars ------------------------------------------------------------------------


def change(tournament: Tournament, **values: Any) -> None:
    tournament.refresh_from_db()
    section = Section.SERIEN if "schedule" in values else Section.GENERAL
    seen = fingerprint(tournament, section)
    edit.change_fields(COMMAND, tournament.pk, seen=seen, section=section, values=values)
    tournament.refresh_from_db()


def changed(tournament: Tournament) -> list[tuple[str, str, str]]:
    return [
        (change.what, change.before, change.now) for change in queries.untold_changes(tournament)
    ]


def test_a_moved_tournament_suggests_a_circular_with_its_addresses(
    leading: Client, tournament: Tournament
):
    assert "mitteilen?" not in leading.read(at("setup:tournament", "herbst"))

    change(tournament, venue="Stadthalle")

    page = text_of(leading.get(at("setup:tournament", "herbst")))
    assert "Noch nicht mitgeteilt: Spielort." in page
    assert "3 Personen haben eine E-Mail-Adresse: mitteilen?" in page
    written = leading.read(at(DESK, "herbst"))
    assert "„Herbstturnier“ hat sich geändert:" in written
    assert "Spielort\nbisher: Altes Rathaus" in written
    assert "jetzt: Stadthalle" in written

    Entry.objects.update(email="")
    Person.objects.update(email="")
    page = text_of(leading.get(at("setup:tournament", "herbst")))
    assert "Niemand hat eine E-Mail-Adresse" in page
    assert "0 Personen" not in page


def test_changes_are_accumulated_and_reverted_ones_dropped(tournament: Tournament, sending: Any):
    starts_at = tournament.starts_at
    change(tournament, venue="Stadthalle")
    change(tournament, venue="Turnhalle", starts_at=starts_at + timedelta(days=7))
    change(tournament, starts_at=starts_at)

    assert changed(tournament) == [("Spielort", "Altes Rathaus", "Turnhalle")]
    sending(tournament)
    assert changed(tournament) == []
    change(tournament, venue="Stadthalle")
    assert changed(tournament) == [("Spielort", "Turnhalle", "Stadthalle")]


def test_a_change_can_be_dismissed_without_a_circular(leading: Client, tournament: Tournament):
    change(tournament, venue="Altes Rathaus ")
    assert changed(tournament) == []
    change(tournament, venue="Altes Rathaus, 1. Stock")
    put_away = at("notices:leave_untold", "herbst")

    leading.post(put_away)

    assert "mitteilen?" not in leading.read(at("setup:tournament", "herbst"))
    assert leading.post(put_away).status_code == 409
    change(tournament, venue="Stadthalle")
    assert changed(tournament) == [("Spielort", "Altes Rathaus, 1. Stock", "Stadthalle")]


def test_a_changed_time_and_plan_suggest_a_circular(tournament: Tournament):
    local = timezone.localtime(tournament.starts_at)
    change(tournament, schedule=[{"day": 1, "time": "10:00", "serie": 2}])
    change(tournament, starts_at=tournament.starts_at + timedelta(days=7))

    told = {what: (before, now) for what, before, now in changed(tournament)}

    assert f"{local.day}." in told["Beginn"][0]
    assert told["Zeitplan"][0] == "–"
    assert "10:00 Uhr Serie 2" in told["Zeitplan"][1].replace("\xa0", " ")


def test_other_and_early_changes_suggest_no_circular():
    tournament = make_open_tournament(name="Herbstturnier", slug="herbst", venue="Altes Rathaus")
    change(tournament, venue="Stadthalle")
    assert changed(tournament) == []
    send_one(tournament, wanted("Anna", "Kühn"), email="anna@verein.example")

    change(tournament, contact="Ina Frage")

    assert changed(tournament) == []


def test_saving_leads_to_the_suggested_circular(leading: Client, tournament: Tournament):
    name = at("setup:section", "herbst", Section.GENERAL.value)
    form = leading.get(name).context["form"]
    sent = {field.html_name: field.value() for field in form if field.value() not in (None, False)}
    sent |= {"venue": "Stadthalle", "fingerprint": fingerprint(tournament, Section.GENERAL)}

    answer = leading.post(name, sent)

    assert answer.status_code == 302, answer.context["form"].errors
    assert answer["Location"].endswith("/herbst/#mitteilen")


def test_the_page_agrees_with_the_mail_setting(
    leading: Client, tournament: Tournament, settings: Any
):
    settings.HAS_EMAIL = False
    assert not mails.can_mail()

    assert "Alle stehen auf dem Blatt zum Drucken." in leading.read(at(DESK, "herbst"))
