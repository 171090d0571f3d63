"""Public pages: the start page, the Ausschreibung, its rules and its calendar file."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import icalendar
import pytest
from django.urls import reverse
from django.utils import timezone

from scoring.payments.bussgeld import Destination, PerGame
from scoring.payments.prizes import suggest_plan
from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.rulesets import all_rulesets
from tests.clients import Client, at
from tests.factories import COMMAND, START, make_member, make_tournament, make_user
from tests.tournaments.announcement.helpers import make_complete
from tests.worlds import world
from tournaments.announcement.queries.calendar import calendar_file
from tournaments.announcement.services.edit import change_fields
from tournaments.announcement.services.sections import fingerprint
from tournaments.common.organisers import first_organiser
from tournaments.models import Ranking, Role, Season, Serie, Tournament
from tournaments.models.tournament import Section

pytestmark = pytest.mark.django_db
Status = Tournament.Status


def page(client: Client, name: str, *args: str) -> str:
    answer = client.get(reverse(name, args=args))
    assert answer.status_code == 200
    return answer.content.decode()


def in_days(days: int, **fields: Any) -> Tournament:
    return make_tournament(starts_at=timezone.now() + timedelta(days=days), **fields)


def test_a_program_without_accounts_explains_the_setup_link(client: Client):
    before = page(client, "public:start")
    make_user()
    after = page(client, "public:start")

    assert "in dem Fenster, mit dem" in before
    assert "in dem Fenster, mit dem" not in after


def test_the_start_page_lists_running_then_future_then_past_tournaments(client: Client):
    in_days(-1, name="Läuft", slug="saal", status=Status.RUNNING)
    in_days(-1, name="Zum Ansehen", status=Status.RUNNING, is_demo=True)
    in_days(20, name="Später")
    in_days(10, name="Bald")
    in_days(-10, name="Vorbei", status=Status.CLOSED)
    in_days(-20, name="Ausgefallen")
    in_days(5, name="Geheim", status=Status.DRAFT)

    answer = client.get(at("public:start"))

    assert [each.name for each, _url in answer.context["first"]] == ["Läuft"]
    assert [each.name for each in answer.context["later"]] == ["Bald", "Später", "Zum Ansehen"]
    for url in ("seating:latest", "results_public:overall"):
        assert f'href="{at(url, "saal")}"' in answer.content.decode()
    assert f'href="{at("table:code_of", "saal")}"' in answer.content.decode()
    assert [each.name for each in answer.context["page_obj"]] == ["Vorbei", "Ausgefallen"]
    assert "Geheim" not in answer.content.decode()


def test_the_start_page_starts_with_the_current_tournament(client: Client):
    in_days(5, name="Ausgefallen", status=Status.CALLED_OFF, called_off_reason="Hochwasser")
    in_days(10, name="Bald")

    current = client.get(at("public:start")).context

    assert [each.name for each, _url in current["first"]] == ["Bald"]
    assert [each.name for each in current["later"]] == ["Ausgefallen"]


def test_a_tournament_of_today_is_not_past(client: Client):
    in_days(0, name="Heute")

    answer = client.get(at("public:start"))

    assert [each.name for each, _url in answer.context["first"]] == ["Heute"]
    assert "Als Nächstes" in answer.content.decode()


def test_past_tournaments_are_shown_in_pages_at_a_fixed_cost(
    client: Client, django_assert_num_queries: Any
):
    for days in range(1, 24):
        in_days(-days, status=Status.CLOSED, name=f"Vor {days} Tagen")

    # its version; count and page of the past, running and coming, whether there is an account
    with django_assert_num_queries(6):
        first = client.get(at("public:start"))
    second = client.get(at("public:start") + "?page=2")

    assert len(first.context["page_obj"].object_list) == 20
    assert [each.name for each in second.context["page_obj"]] == [
        "Vor 21 Tagen",
        "Vor 22 Tagen",
        "Vor 23 Tagen",
    ]


def test_the_start_page_links_to_the_log_in_or_own_tournaments(client: Client):
    stranger = page(client, "public:start")
    client.force_login(make_user())
    known = page(client, "public:start")

    assert at("account:login") in stranger
    assert at("setup:tournaments") in known


@world
def announced() -> Tournament:
    """Return a tournament with a complete Ausschreibung."""
    tournament = make_complete(
        status=Status.ANNOUNCED,
        slug="herbst",
        name="Herbstturnier",
        venue_address="Markt 1, 04600 Altenburg",
        contact="Karla Otto",
        contact_phone="03447 1234",
        text="Mit Kaffee.\n\nUnd <b>Kuchen</b>.",
        places=80,
        kartengeld_cents=100,
        bussgeld=PerGame(cents=50, destination=Destination.PRIZES).to_dict(),
        prize_plan={"startgeld": suggest_plan(14).to_dict()},
        account_holder="SC Altenburg",
        iban="DE02120300000000202051",
    )
    tournament.categories.create(name="Junioren", startgeld_cents=800, born_from=2008, position=1)
    tournament.rankings.create(kind=Ranking.Kind.SENIORS, born_until=1960, stake_cents=200)
    Serie.objects.filter(tournament=tournament, number=3).update(
        seating=Serie.Seating.RANKING, time_limit_minutes=90
    )
    return tournament


def test_the_ausschreibung_contains_the_facts_required_by_the_order(
    client: Client, announced: Tournament
):
    text = page(client, "public:tournament", "herbst").replace("\N{NO-BREAK SPACE}", " ")

    for fact in (
        "SC Altenburg lädt ein",
        "3. Oktober 2026",
        "14:00 Uhr",
        "Meldeschluss um 13:45 Uhr",  # § 1.3
        "Markt 1, 04600 Altenburg",
        "Offen für alle",  # § 1.1
        "80 Plätze",
        "Erwachsene",
        "15,00 €",
        "Junioren (Jahrgang 2008 und jünger)",
        "8,00 €",
        "dazu Kartengeld 1,00 €",
        "Bußgeld je nicht beendetem Spiel: 0,50 €. Es wird als Preis ausgespielt.",
        "Romméordnung",
        "12 Spiele an Tischen zu 4, ausnahmsweise 3",
        "gesetzt nach Rangliste, höchstens 90 Minuten",
        "Senioren (Jahrgang 1960 und älter)",
        "Einsatz 2,00 € je Person",
        "1. Platz: 50 % des Startgelds",
        "Einspruch gegen Berichtigungen: 15 Minuten.",
        "Karla Otto",
        "DE02 1203 0000 0000 2020 51",
    ):
        assert fact in text, fact


def test_user_input_is_escaped(client: Client, announced: Tournament):
    text = page(client, "public:tournament", "herbst")

    assert "<p>Mit Kaffee.</p>" in text
    assert "&lt;b&gt;Kuchen&lt;/b&gt;" in text


def test_a_deadline_on_another_day_is_named_with_its_day(client: Client):
    make_complete(
        status=Status.ANNOUNCED, slug="herbst", registration_deadline=START - timedelta(days=2)
    )

    text = page(client, "public:tournament", "herbst").replace("\N{NO-BREAK SPACE}", " ")

    assert "Meldeschluss am 1. Oktober 2026, 14:00 Uhr" in text


@pytest.mark.parametrize("name", ["tournament", "rules", "calendar"])
def test_a_draft_is_visible_to_its_roles_only(client: Client, name: str):
    draft = make_complete(slug="herbst")
    url = at(f"public:{name}", "herbst")

    assert client.get(url).status_code == 404
    client.force_login(make_member(make_tournament(), Role.VERANSTALTER))
    assert client.get(url).status_code == 404
    client.force_login(make_member(draft, Role.KASSE))
    assert client.get(url).status_code == 200


def test_the_preview_of_a_draft_is_marked_as_such(client: Client):
    draft = make_complete(slug="herbst")
    client.force_login(make_member(draft, Role.SPIELLEITUNG))

    assert "noch nicht öffentlich" in page(client, "public:tournament", "herbst")


def test_the_ausschreibung_costs_a_fixed_number_of_queries(
    client: Client, announced: Tournament, django_assert_num_queries: Any
):
    # its version; the tournament with groups, rankings and Serien, and the seasons
    with django_assert_num_queries(7):
        client.get(at("public:tournament", "herbst"))
    with django_assert_num_queries(2):
        client.get(at("public:tournament", "herbst"))


def test_the_ausschreibung_links_to_the_season(client: Client, announced: Tournament):
    season = Season.objects.create(
        owner=first_organiser(), slug="pokal", name="Pokal 2026", created_by=make_user()
    )
    season.tournaments.add(announced)

    text = page(client, "public:tournament", "herbst")

    assert at("seasons:season", "pokal") in text
    assert "Zählt für: Pokal 2026" in text


@pytest.mark.parametrize("rules", all_rulesets(), ids=lambda rules: rules.id)
def test_every_rule_set_is_described_in_words(client: Client, rules: Any):
    make_tournament(slug="herbst", rule_set=ruleset_to_dict(rules))

    text = page(client, "public:rules", "herbst")

    assert f"{rules.games} Spiele an Tischen zu 4" in text
    assert text.count("<dt>Spiel ") == (len(rules.rounds) if len(rules.rounds) > 1 else 0)


def _event(answer_content: bytes) -> Any:
    calendar = icalendar.Calendar.from_ical(answer_content)
    (event,) = calendar.walk("VEVENT")
    return event


def test_the_calendar_file_has_day_place_and_link(client: Client, announced: Tournament):
    answer = client.get(at("public:calendar", "herbst"))

    event = _event(answer.content)
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="herbst.ics"'
    assert str(event["SUMMARY"]) == "Herbstturnier"
    assert event.decoded("DTSTART") == START
    assert str(event["LOCATION"]) == "Bürgerhaus, Markt 1, 04600 Altenburg"
    assert str(event["URL"]) == "http://testserver/t/herbst/"
    assert "Meldeschluss: 3. Oktober 2026, 13:45 Uhr" in str(event["DESCRIPTION"])
    by_number = client.get(at("public:calendar", "herbst"), headers={"host": "[::1]"})
    assert event["UID"] == _event(by_number.content)["UID"]
    assert len(str(event["UID"])) == 36
    assert "DTEND" not in event  # two Serien have no time limit
    assert "STATUS" not in event


def test_a_calendar_entry_keeps_its_id_and_raises_its_sequence(
    client: Client, announced: Tournament
):
    url = at("public:calendar", "herbst")
    before = _event(client.get(url).content)
    seen = fingerprint(announced, Section.GENERAL)
    change_fields(
        COMMAND, announced.pk, seen=seen, section=Section.GENERAL, values={"venue": "Rathaus"}
    )

    after = _event(client.get(url).content)

    assert after["UID"] == before["UID"]
    assert after["SEQUENCE"] > before["SEQUENCE"]


def test_links_in_the_calendar_are_those_of_the_public_address(
    client: Client, announced: Tournament, settings: Any
):
    settings.PUBLIC_URL = "https://romme.example"

    event = _event(client.get(at("public:calendar", "herbst")).content)

    assert str(event["URL"]) == "https://romme.example/t/herbst/"


def _lines(**fields: Any) -> list[bytes]:
    tournament = make_complete(**fields)
    content = calendar_file(
        [tournament],
        url=lambda _tournament: "https://romme.example/t/herbst/",
        now=datetime(2026, 9, 1, tzinfo=UTC),
    )
    assert content.endswith(b"END:VCALENDAR\r\n")
    return content.split(b"\r\n")


def test_the_calendar_file_follows_rfc_5545():
    lines = _lines(name="Turnier, groß; und\\schön", venue="Haus des Gastes " * 12)

    text = b"\r\n".join(lines).replace(b"\r\n ", b"").decode()
    assert all(len(line) <= 75 for line in lines)
    assert all(b"\n" not in line for line in lines)
    assert r"SUMMARY:Turnier\, groß\; und\\schön" in text
    assert "DTSTART:20261003T120000Z" in text
    assert "DTSTAMP:20260901T000000Z" in text
    assert r"Uhr\nhttps://romme.example/t/herbst/" in text


def test_one_file_has_all_announced_tournaments(client: Client):
    later = timezone.now() + timedelta(days=9)
    there = [make_tournament(), make_tournament(status=Status.CLOSED, starts_at=later)]
    make_tournament(status=Status.DRAFT)
    make_tournament(is_demo=True)
    make_tournament(replaced_at=later)

    answer = client.get("/kalender.ics")

    events = icalendar.Calendar.from_ical(answer.content).walk("VEVENT")
    assert [str(event["SUMMARY"]) for event in events] == [shown.name for shown in there[::-1]]
    assert len({str(event["UID"]) for event in events}) == 2
    for shown in there:
        alone = client.get(at("public:calendar", shown)).content
        assert _event(alone)["UID"] in {event["UID"] for event in events}


def test_an_empty_calendar_contains_a_time_zone(client: Client):
    calendar = icalendar.Calendar.from_ical(client.get("/kalender.ics").content)

    assert [subcomponent.name for subcomponent in calendar.subcomponents] == ["VTIMEZONE"]


def test_a_tournament_without_a_place_has_none_in_the_calendar():
    assert not any(line.startswith(b"LOCATION") for line in _lines(venue=""))


def test_a_home_screen_shortcut_has_name_and_icon_and_opens_its_page(client: Client):
    start = page(client, "public:start")
    answer = client.get(at("public:manifest"))
    manifest = answer.json()

    assert f'rel="manifest" href="{at("public:manifest")}"' in start
    assert answer["Content-Type"] == "application/manifest+json"
    assert (manifest["name"], manifest["short_name"]) == ("Rommé-Turnier", "Rommé")
    sizes = [icon["sizes"] for icon in manifest["icons"]]
    assert sizes == ["any", "192x192", "512x512"]
    assert 'rel="apple-touch-icon"' in start
    assert "start_url" not in manifest
