"""The table page in every state: its look, watching devices and questions."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, expect

from tests.e2e.browser import check_look
from tests.e2e.table_device import PHONE, TableDevice, a_device, kept, make_table, opened, path_of
from tests.factories import COMMAND, make_person, make_registration, make_user
from tests.factories_lists import FOUR, write_games
from tournaments.common.actors import Actor
from tournaments.draw.services import changes as seat_changes
from tournaments.hall.services import serie_time
from tournaments.lists.services import spiellisten
from tournaments.models import Call, Case, Role, Serie, Signature, Spielliste
from tournaments.table.services import calls
from tournaments.table.services.devices import withdraw_access

pytestmark = pytest.mark.django_db(transaction=True)


# --- How it looks -----------------------------------------------------------------------


def test_the_page_looks_right_everywhere(browser: Browser, live_server):
    spielliste = write_games(make_table(), FOUR[:5])
    wrong = []

    with a_device(browser) as device:

        def look(state: str) -> None:
            try:
                check_look(device.page, strong=True, least=44)
            except AssertionError as fault:
                wrong.append(f"{state}: {fault}")
            device.page.set_viewport_size(PHONE)

        def leave() -> None:
            device.page.keyboard.press("Escape")
            expect(device.page.get_by_role("dialog")).to_have_count(0)

        kept(device, live_server, make_table())
        look("first game")
        kept(device, live_server, spielliste)
        look("in the middle")
        device.tap(device.button("Schiedsrichter"))
        look("call")
        leave()
        device.tap(device.button("Mehr"))
        device.page.get_by_text("Kartenwerte und Regeln").tap()
        look("menu")
        leave()
        device.tap(device.row(2).get_by_role("button"))
        look("change")
        device.tap(device.button("Zurück"))
        device.tap(device.button("Abbrechen"))
        device.choose(2)
        device.key("0")
        look("refused")
        device.tap(device.button("Löschen"))
        device.key("4")
        look("points")
        device.tap(device.button("Löschen"))
        device.key("count")
        device.tap(device.page.locator('[data-rank="K"]'))
        look("cards")
    assert not wrong, "\n\n".join(wrong)


def test_greeting_signing_and_correction_request_fit_every_width(browser: Browser, live_server):
    spielliste = write_games(make_table(), FOUR, status=Spielliste.Status.COMPLETE)

    with a_device(browser) as device:
        opened(device, live_server, spielliste)
        check_look(device.page)
        device.page.set_viewport_size(PHONE)
        device.tap(device.button("Die Liste auf diesem Gerät führen"))
        expect(device.button("Anna Kühn unterschreibt")).to_be_visible()
        check_look(device.page)
        device.page.set_viewport_size(PHONE)
        device.tap(device.button("Anna Kühn unterschreibt"))
        check_look(device.page, strong=True)
        device.page.set_viewport_size(PHONE)
        device.page.keyboard.press("Escape")
        paper_is_signed_instead(device, spielliste)

        Spielliste.objects.filter(pk=spielliste.pk).update(
            protest_until=timezone.now() + timedelta(minutes=15)
        )
        device.page.reload()
        a_correction_is_requested_in_time(device)

    asked = Case.objects.get(spielliste=spielliste)
    assert (asked.game, asked.text) == (4, "52 statt 25, nachgezählt")


def paper_is_signed_instead(device: TableDevice, spielliste: Spielliste) -> None:
    expect(device.page.get_by_role("dialog")).to_have_count(0)
    device.tap(device.button("Auf Papier unterschreiben"))
    device.tap(device.button("Ja, auf Papier"))
    expect(device.page.get_by_role("heading", name="Die Liste ist unterschrieben")).to_be_visible()
    methods = Signature.objects.filter(spielliste=spielliste).values_list("method", flat=True)
    expect(device.pill()).to_have_text("gespeichert")
    assert list(methods) == [Signature.Method.PAPER] * 4


def a_correction_is_requested_in_time(device: TableDevice) -> None:
    expect(device.page.get_by_text("Berichtigung verlangen: noch 14:")).to_be_visible()
    check_look(device.page)
    device.page.set_viewport_size(PHONE)
    device.tap(device.button("Um Berichtigung bitten"))
    check_look(device.page, widths=[360])
    device.page.get_by_label("Welche Zeile?").select_option("Spiel 4")
    device.page.get_by_label("Was ist falsch, und warum?").fill("52 statt 25, nachgezählt")
    device.tap(device.button("An die Spielleitung senden"))
    expect(device.page.get_by_text("liegt bei der Spielleitung", exact=True)).to_be_visible()
    expect(device.pill()).to_have_text("gespeichert")


OTHER_RULE_SETS = {"hausregel": 6, "liverpool": 5, "progressiv": 3, "traditionell": 2}


def test_other_rule_sets_fit_the_page(browser: Browser, live_server):
    wrong = []

    with a_device(browser) as device:
        for rule_set, players in OTHER_RULE_SETS.items():
            device.page.set_viewport_size(PHONE)
            kept(device, live_server, make_table(rule_set, players=players))
            if rule_set == "progressiv":  # the keeper may record bought cards at once
                device.page.get_by_text("Gekaufte Karten", exact=True).tap()
                expect(device.button("Gekaufte Karten speichern")).to_be_visible()
            try:
                check_look(device.page, least=44)
                device.page.set_viewport_size(PHONE)
                device.choose(1)
                check_look(device.page)
            except AssertionError as fault:
                wrong.append(f"{rule_set}: {fault}")
    assert not wrong, "\n\n".join(wrong)


# --- Others at the table ----------------------------------------------------------------


def test_a_second_device_takes_over_after_the_first_is_released(browser: Browser, live_server):
    spielliste = write_games(make_table(), FOUR[:2])

    with a_device(browser) as first, a_device(browser) as second:
        kept(first, live_server, spielliste)
        opened(second, live_server, spielliste)
        expect(second.page.locator(".watching")).to_be_visible()
        check_look(second.page, widths=[360])
        second.tap(second.button("Liste hier führen"))
        expect(second.page.get_by_role("dialog")).to_contain_text("führt schon ein anderes Gerät")
        # A watching device can request the release of a dead keeper.
        second.tap(second.button("Spielleitung bitten: Gerät freigeben"))
        expect(second.page.get_by_role("dialog")).to_have_count(0)
        expect(second.page.locator(".call-part")).to_contain_text("Gerät freigeben")
        expect(second.pill()).to_have_text("gespeichert")
        assert Call.objects.get().kind == Call.Kind.DEVICE
        first.enter(FOUR[2])
        expect(second.row(3)).to_be_visible()  # it follows by itself

        first.tap(first.button("Mehr"))
        first.tap(first.button("Dieses Gerät freigeben"))
        first.tap(first.button("Freigeben"))
        expect(first.button("Die Liste auf diesem Gerät führen")).to_be_visible()
        second.tap(second.button("Die Liste auf diesem Gerät führen"))
        second.enter(FOUR[3])
        expect(second.pill()).to_have_text("gespeichert")
        expect(second.row(4)).to_be_visible()

    assert spielliste.games.count() == 4


def test_a_list_changes_keeper_calls_shows_time_and_is_withdrawn(browser: Browser, live_server):
    spielliste = make_table()
    serie = spielliste.table.serie
    serie.time_limit_minutes = 90
    serie.started_at = timezone.now() - timedelta(minutes=45)
    serie.save()

    with a_device(browser) as device:
        opened(device, live_server, spielliste)
        the_list_moves_to_another_seat_paper_and_back(device, spielliste)
        the_clock_includes_extra_time(device, serie)
        a_called_schiedsrichter_is_announced_at_the_table(device, spielliste)
        a_withdrawn_device_shows_the_way_on(device, spielliste)


def the_list_moves_to_another_seat_paper_and_back(
    device: TableDevice, spielliste: Spielliste
) -> None:
    device.tap(device.page.locator(".seat-option", has_text="Clara"))
    device.tap(device.button("Die Liste auf diesem Gerät führen"))
    heading = device.page.locator("thead th", has_text="Clara")
    expect(heading.locator(".keeper-mark")).to_be_visible()
    expect(device.pill()).to_have_text("gespeichert")
    spielliste.refresh_from_db()
    assert spielliste.listenfuehrer == 3

    device.tap(device.button("Mehr"))
    device.tap(device.button("Auf Papier weiterführen"))
    device.tap(device.button("Auf Papier"))
    device.tap(device.button("Auf dem Gerät weiterführen"))
    expect(device.page.locator(".is-asking")).to_be_visible()


def the_clock_includes_extra_time(device: TableDevice, serie: Serie) -> None:
    head = device.page.locator("#table-progress")
    expect(head).to_contain_text(re.compile("Spiel 1 von 12 · noch 4[0-4]:"))
    serie_time.give_extra(COMMAND, serie.pk, minutes=30, tables=[1])
    expect(head).to_contain_text(re.compile("Spiel 1 von 12 · noch 1:1[0-4] h"))


def a_called_schiedsrichter_is_announced_at_the_table(
    device: TableDevice, spielliste: Spielliste
) -> None:
    device.tap(device.button("Schiedsrichter"))
    device.tap(device.button("Nachzählen"))
    expect(device.page.get_by_text("Der Schiedsrichter ist gerufen")).to_be_visible()
    expect(device.pill()).to_have_text("gespeichert")
    made = Call.objects.get(table=spielliste.table_id)
    calls.take(Actor.account(make_user(), frozenset({Role.SCHIEDSRICHTER})), made.pk)
    device.tap(device.button("Gelesen"))
    expect(device.page.get_by_text("Der Schiedsrichter kommt")).to_be_visible()
    check_look(device.page, widths=[360])
    assert made.kind == Call.Kind.COUNTING


def a_withdrawn_device_shows_the_way_on(device: TableDevice, spielliste: Spielliste) -> None:
    withdraw_access(COMMAND, spielliste.table_id)
    device.page.set_viewport_size(PHONE)
    expect(device.page.get_by_text("bei der Spielleitung den neuen Code holen")).to_be_visible()
    # No entry gets lost, and the next step is visible.
    expect(device.page.locator(".entry")).to_have_count(0)
    expect(device.page.get_by_role("link", name="Code eingeben")).to_be_in_viewport()
    expect(device.button("Noch einmal nachfragen")).to_be_in_viewport()
    check_look(device.page, widths=[360])


def test_changes_of_others_appear_without_disturbing_an_entry(browser: Browser, live_server):
    three, four = make_table(players=3), make_table()

    with a_device(browser) as device:
        kept(device, live_server, three)
        changes_of_the_spielleitung_appear_live(device, three)
        # Without https the page would not open again.
        device.context.add_init_script(
            "Object.defineProperty(window, 'isSecureContext', { value: false })"
        )
        kept(device, live_server, four)
        a_call_of_another_device_is_shown(device, four)

    assert [game.line for game in three.games.all()] == list(FOUR[:2])
    assert Call.objects.count() == 1


def changes_of_the_spielleitung_appear_live(device: TableDevice, spielliste: Spielliste) -> None:
    serie = spielliste.table.serie
    late = make_registration(serie.tournament, make_person("Dieter", "Lang"))
    seat_changes.carry_out(COMMAND, serie.pk, key=f"join-{late.pk}-1")
    expect(device.page.locator(".who-option")).to_have_count(4)
    spielliste.refresh_from_db()
    spiellisten.enter_game(
        COMMAND, spielliste.pk, number=1, line=FOUR[0], version=spielliste.version
    )
    expect(device.row(1)).to_be_visible()
    expect(device.page.locator(".dealer-now h2")).to_have_text("Bernd gibt")
    device.enter(FOUR[1])  # with four hands, though the page was opened for three
    expect(device.pill()).to_have_text("gespeichert")


def a_call_of_another_device_is_shown(device: TableDevice, spielliste: Spielliste) -> None:
    device.context.set_offline(True)
    device.tap(device.button("Schiedsrichter"))
    device.tap(device.button("Streitfall"))
    expect(device.page.get_by_text("Bitte die Hand heben")).to_be_visible()
    expect(device.page.get_by_text("Bitte diese Seite offen lassen")).to_be_visible()
    calls.call(COMMAND, spielliste.table_id, kind=Call.Kind.OTHER)
    device.context.set_offline(False)
    expect(device.page.get_by_text("Der Schiedsrichter ist gerufen")).to_be_visible()
    expect(device.pill()).to_have_text("gespeichert")


def test_without_scripts_the_page_is_plain_forms(browser: Browser, live_server):
    with a_device(browser, java_script_enabled=False) as device:
        for games in (0, 5, 12):
            spielliste = make_table()
            if games:
                status = Spielliste.Status.COMPLETE if games == 12 else ""
                write_games(spielliste, FOUR[:games], status=status)
            device.page.goto(live_server.url + path_of(spielliste))
            device.tap(device.button("Die Liste auf diesem Gerät führen"))
            if games == 12:
                device.tap(device.button("Auf Papier unterschreiben"))
            else:
                enter_by_a_plain_form(device)
            now = min(games + 1, 12)
            expect(device.page.locator("tbody tr")).to_have_count(now)
            assert spielliste.games.count() == now


def enter_by_a_plain_form(device: TableDevice) -> None:
    form = device.page.locator("form.entry")
    form.locator('[name="finisher"][value="3"]').tap()
    for seat, points in ((1, 27), (2, 35), (4, 22)):
        form.locator(f'[name="minus_{seat}"]').fill(str(points))
    device.tap(form.get_by_role("button", name="Speichern"))


def test_the_plain_forms_look_right(browser: Browser, live_server, page):
    """Without scripts axe cannot look; so the scripts of the table alone are kept away."""
    spielliste = write_games(make_table(), FOUR[:5])
    page.route(
        "**/js/table/*.js", lambda route: route.fulfill(body="", content_type="text/javascript")
    )
    page.goto(live_server.url + path_of(spielliste))
    page.get_by_role("button", name="Die Liste auf diesem Gerät führen").click()
    expect(page.locator("form.entry")).to_be_visible()
    page.evaluate("document.querySelectorAll('#main details').forEach((one) => one.open = true)")

    check_look(page)
