"""The form of each section: stored values, refusals and stale forms."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from scoring.payments.bussgeld import PerGame, PerList
from scoring.payments.prizes import suggest_plan
from tests.factories import START, make_registration
from tests.tournaments.announcement.helpers import Desk, as_sent
from tournaments.common.rules import bussgeld_tariff
from tournaments.models import JournalEntry, Tournament
from tournaments.models.tournament import Section

pytestmark = pytest.mark.django_db
Status = Tournament.Status


@pytest.mark.parametrize("section", list(Section), ids=lambda section: section.value)
def test_an_unchanged_form_changes_nothing(make_desk: Callable[..., Desk], section: Section):
    desk = make_desk(
        bussgeld=PerGame(cents=50, first_games=3, first_cents=20).to_dict(),
        prize_plan={"startgeld": suggest_plan(40).to_dict()},
        rules="hausregel",
        refund_until=START - timedelta(days=1),
    )
    before = Tournament.objects.filter(pk=desk.tournament.pk).values().get()

    answer = desk.send(section, {})

    assert answer.status_code == 302
    assert answer["Location"].endswith(f"#{section.value}")
    assert Tournament.objects.filter(pk=desk.tournament.pk).values().get() == before
    assert not JournalEntry.objects.exists()


def test_general_facts_are_stored(desk: Desk):
    desk.send(
        Section.GENERAL,
        {
            "name_": "Herbst in Altenburg",
            "slug": "",
            "start_day": "2027-01-16",
            "start_time": "13:30",
            "venue": "Aula",
            "is_open": "False",
            "closed_circle": "Mitglieder",
            "circle_clubs": "SC Altenburg",
            "admission": "listed",
        },
    )

    now = desk.now()
    assert now.slug == "herbst-in-altenburg"
    assert timezone.localtime(now.starts_at).isoformat() == "2027-01-16T13:30:00+01:00"
    assert now.starts_at - now.registration_deadline == timedelta(minutes=15)
    assert (now.venue, now.is_open, now.closed_circle) == ("Aula", False, "Mitglieder")


@pytest.mark.parametrize(
    ("change", "deadline"),
    [
        pytest.param({}, "2026-10-03T13:45:00+02:00", id="§ 1.3 unless changed"),
        ({"deadline_time": "12:00"}, "2026-10-03T12:00:00+02:00"),
        (
            {"deadline_day": "2026-10-01", "deadline_time": "20:00"},
            "2026-10-01T20:00:00+02:00",
        ),
    ],
)
def test_the_deadline_is_fifteen_minutes_before_unless_set(
    desk: Desk, change: dict[str, str], deadline: str
):
    desk.send(Section.GENERAL, change)

    stored = desk.now().registration_deadline
    assert timezone.localtime(stored).isoformat() == deadline


def test_a_set_deadline_stays_when_the_start_moves(make_desk: Callable[..., Desk]):
    desk = make_desk(registration_deadline=START - timedelta(days=1))

    desk.send(Section.GENERAL, {"start_time": "15:00"})

    assert desk.now().registration_deadline == START - timedelta(days=1)


@pytest.mark.parametrize(
    ("section", "change", "sentence"),
    [
        (Section.GENERAL, {"name_": ""}, "zwingend"),
        (Section.GENERAL, {"slug": "neu"}, "braucht das Programm selbst"),
        (Section.GENERAL, {"slug": "Herbst 26"}, "gültiges Kürzel"),
        (
            Section.GENERAL,
            {"is_open": "False"},
            "für wen das geschlossene Turnier gedacht ist",
        ),
        (Section.GENERAL, {"deadline_time": "14:01"}, "Der Meldeschluss liegt nach dem Beginn"),
        (Section.GENERAL, {"deadline_day": "2026-10-01"}, "auch die Uhrzeit des Meldeschlusses"),
        (
            Section.GENERAL,
            {"start_day": "2026-10-25", "start_time": "02:30"},
            "wird um diese Zeit die Uhr umgestellt",
        ),
        (Section.BANK, {"account_holder": "SC"}, "fehlt die IBAN"),
        (Section.BANK, {"iban": "DE02 1203 0000 0000 2020 51"}, "wem das Konto gehört"),
        (
            Section.BANK,
            {"account_holder": "SC", "iban": "DE02 1203 0000 0000 2020 52"},
            "Diese IBAN gibt es nicht",
        ),
        (Section.BANK, {"bic": "BYLADEM"}, "8 oder 11"),
        (Section.PROCEDURE, {"protest_minutes": "1441"}, "kleiner oder gleich 1440"),
        (Section.STARTGELD, {"refund_day": "2026-10-01"}, "Bitte Tag und Uhrzeit angeben"),
        (
            Section.STARTGELD,
            {"refund_day": "2026-03-29", "refund_time": "02:30"},
            "wird um diese Zeit die Uhr umgestellt",
        ),
        (Section.STARTGELD, {"gruppen-1-name": "Junioren"}, "zwingend"),
        (Section.STARTGELD, {"gruppen-0-startgeld_cents": "viel"}, "zum Beispiel 12,50"),
        (Section.STARTGELD, {"places": "2"}, "größer oder gleich 3"),
        (Section.RANKINGS, {"team": "on"}, "Für diese Wertung muss das angegeben sein"),
        (Section.RANKINGS, {"seniors": "on"}, "Für diese Wertung muss das angegeben sein"),
        (Section.SERIEN, {"number": "0"}, "größer oder gleich 1"),
        (Section.SERIEN, {"seating_1": "ranking"}, "gültige Auswahl"),
        (
            Section.PRIZES,
            {"preise-0-place": "1"},
            "Es fehlt ein Anteil, ein fester Betrag oder ein Sachpreis",
        ),
        (Section.PRIZES, {"preise-0-share_permille": "101"}, "0 bis 100 Prozent"),
        (
            Section.PRIZES,
            {"kept_cents": "10", "kept_permille": "10"},
            "entweder ein fester Betrag oder ein Anteil",
        ),
    ],
)
def test_errors_are_shown_at_their_fields(
    desk: Desk, section: Section, change: dict[str, str], sentence: str
):
    answer = desk.send(section, change)

    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not JournalEntry.objects.exists()


def test_a_refused_name_does_not_appear_in_the_page_header(desk: Desk):
    answer = desk.send(Section.GENERAL, {"name": "Falsch", "start_day": "gestern"})

    assert answer.context["tournament"].name == desk.tournament.name


def test_the_address_of_an_announced_tournament_cannot_be_typed(
    make_desk: Callable[..., Desk],
):
    desk = make_desk(status=Status.ANNOUNCED, slug="herbst")

    desk.send(Section.GENERAL, {"slug": "winter", "venue": "Aula"})

    assert (desk.now().slug, desk.now().venue) == ("herbst", "Aula")


def test_a_refusal_of_the_service_keeps_the_typed_values(make_desk: Callable[..., Desk]):
    desk = make_desk(status=Status.ANNOUNCED)

    answer = desk.send(Section.GENERAL, {"venue": "", "organiser": "RC Kahla"})

    assert answer.status_code == 409
    assert "Der Spielort fehlt." in answer.content.decode()
    assert 'value="RC Kahla"' in answer.content.decode()


def test_a_stale_form_shows_the_new_values_and_can_be_resent(desk: Desk):
    stale = desk.form(Section.GENERAL)
    desk.send(Section.GENERAL, {"venue": "Stadthalle"})

    answer = desk.client.post(desk.url(Section.GENERAL), {**stale, "venue": "Aula"})

    page = answer.content.decode()
    assert answer.status_code == 409
    assert "wurde inzwischen von jemand anderem geändert" in page
    assert "Stadthalle" in page
    assert 'value="Aula"' in page
    again = {**stale, "venue": "Aula", "fingerprint": answer.context["fingerprint"]}
    assert desk.client.post(desk.url(Section.GENERAL), again).status_code == 302
    assert desk.now().venue == "Aula"


@pytest.mark.parametrize(
    ("section", "change"),
    [
        pytest.param(Section.STARTGELD, {"add_row": "1"}, id="one more row"),
        pytest.param(Section.BUSSGELD, {"preview": "1"}, id="an example"),
        pytest.param(Section.STARTGELD, {"places": "eins"}, id="a mistake mended"),
    ],
)
def test_a_refused_form_stays_stale(desk: Desk, section: Section, change: dict[str, str]):
    stale = desk.form(section)
    bussgeld = PerList(cents=100).to_dict()
    Tournament.objects.filter(pk=desk.tournament.pk).update(places=50, bussgeld=bussgeld)

    came_back = desk.client.post(desk.url(section), {**stale, **change})
    answer = desk.client.post(desk.url(section), {**as_sent(came_back), "places": "60"})

    assert answer.status_code == 409
    assert desk.now().places == 50
    assert bussgeld_tariff(desk.now()) == PerList(cents=100)


def test_a_reason_is_requested_only_on_saving(make_desk: Callable[..., Desk]):
    desk = make_desk(status=Status.RUNNING)
    data = {**desk.form(Section.STARTGELD), "add_row": "1"}

    without = desk.client.post(desk.url(Section.STARTGELD), data).content.decode()
    begun = desk.client.post(desk.url(Section.STARTGELD), {**data, "reason": "Irrtum"})

    assert "zwingend" not in without
    assert 'value="Irrtum"' in begun.content.decode()


def test_a_running_tournament_asks_for_a_reason(make_desk: Callable[..., Desk]):
    desk = make_desk(status=Status.RUNNING)

    without = desk.send(Section.TEXT, {"text": "Es gibt Suppe."})
    desk.send(Section.TEXT, {"text": "Es gibt Suppe.", "reason": "Küche"})

    assert without.status_code == 422
    assert desk.now().text == "Es gibt Suppe."
    assert JournalEntry.objects.get().reason == "Küche"


@pytest.mark.parametrize(
    ("status", "section", "sentence"),
    [
        (Status.RUNNING, Section.RULE_SET, "Sein Regelwerk steht fest"),
        (Status.CLOSED, Section.TEXT, "Das Turnier ist abgeschlossen"),
    ],
)
def test_a_fixed_section_has_no_save_button_and_is_refused(
    make_desk: Callable[..., Desk], status: str, section: Section, sentence: str
):
    desk = make_desk(status=status)

    page = desk.client.read(desk.url(section))
    answer = desk.send(section, {"text": "Neu", "preset": "contract"})

    assert sentence in page
    assert "Speichern" not in page
    assert answer.status_code == 409
    assert sentence in answer.content.decode()


def test_new_serien_copy_the_last_one_and_are_dropped_from_the_end(desk: Desk):
    desk.send(Section.SERIEN, {"seating_3": "ranking", "minutes_3": "90", "number": "4"})
    four = list(desk.tournament.serien.values_list("seating", "time_limit_minutes"))
    desk.send(Section.SERIEN, {"number": "2"})

    assert four == [("cards", None), ("cards", None), ("ranking", 90), ("ranking", 90)]
    assert desk.tournament.serien.count() == 2


def test_a_tariff_is_stored_with_added_and_removed_rows(desk: Desk):
    desk.send(
        Section.STARTGELD,
        {
            "gruppen-1-name": "Junioren",
            "gruppen-1-startgeld_cents": "8",
            "gruppen-1-born_from": "2008",
            "kartengeld_cents": "1,00 €",
            "kaution_cents": "5",
            "refund_day": "2026-10-01",
            "refund_time": "20:00",
            "places": "80",
        },
    )
    two = list(desk.tournament.categories.values_list("name", "startgeld_cents", "born_from"))
    desk.send(Section.STARTGELD, {"gruppen-0-DELETE": "on"})

    now = desk.now()
    assert two == [("Erwachsene", 1500, None), ("Junioren", 800, 2008)]
    assert [each.name for each in now.categories.all()] == ["Junioren"]
    assert (now.kartengeld_cents, now.kaution_cents, now.places) == (100, 500, 80)
    assert now.refund_until is not None
    assert timezone.localtime(now.refund_until).isoformat() == "2026-10-01T20:00:00+02:00"


@pytest.mark.parametrize("section", [Section.STARTGELD, Section.PRIZES])
def test_adding_a_row_shows_no_errors(desk: Desk, section: Section):
    data = {**desk.form(section), "add_row": "1"}

    once = desk.client.post(desk.url(section), data)
    twice = desk.client.post(desk.url(section), {**as_sent(once), "add_row": "1"})

    for answer in (once, twice):
        assert answer.status_code == 200
        assert "field-errors" not in answer.content.decode()
        assert "aria-invalid" not in answer.content.decode()
    assert len(twice.context["form"].rows.forms) == len(once.context["form"].rows.forms) + 1


@pytest.mark.parametrize(("total", "rows"), [("300", 300), ("9" * 5000, 300), ("x", 2)])
def test_the_number_of_rows_is_limited(desk: Desk, total: str, rows: int):
    data = {**desk.form(Section.PRIZES), "preise-TOTAL_FORMS": total, "add_row": "1"}

    answer = desk.client.post(desk.url(Section.PRIZES), data)

    assert answer.status_code == 200
    assert len(answer.context["form"].rows.forms) in {1, rows}


def test_changing_a_paid_tariff_is_refused_with_a_message(make_desk: Callable[..., Desk]):
    desk = make_desk(status=Status.ANNOUNCED)
    make_registration(desk.tournament)

    answer = desk.send(
        Section.STARTGELD,
        {
            "gruppen-0-DELETE": "on",
            "gruppen-1-name": "Alle",
            "gruppen-1-startgeld_cents": "10",
        },
    )

    assert answer.status_code == 409
    assert "kann nicht wegfallen: 1 Person ist darin gemeldet" in answer.content.decode()


def test_rankings_are_switched_on_and_off(desk: Desk):
    desk.send(
        Section.RANKINGS,
        {
            "team": "on",
            "team_size": "4",
            "team_stake_cents": "2",
            "tandem": "on",
            "women": "on",
            "juniors": "on",
            "juniors_born_from": "2008",
        },
    )
    rows = list(desk.tournament.rankings.values_list("kind", "size", "born_from", "stake_cents"))
    desk.send(Section.RANKINGS, {"women": None})

    assert rows == [
        ("single", None, None, 0),
        ("team", 4, None, 200),
        ("tandem", 2, None, 0),
        ("women", None, None, 0),
        ("juniors", None, 2008, 0),
    ]
    assert not desk.tournament.rankings.filter(kind="women").exists()
