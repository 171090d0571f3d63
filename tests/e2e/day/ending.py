"""The end of the day: the winners, the Entscheidungsspiel, the prizes and the archive."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.database_reset import empty_all
from tests.e2e.day import control
from tests.e2e.day.hall import STEPS, Hall, ask_again, confirm, go, states, told
from tests.e2e.day.office import make_first_account
from tests.e2e.day.plan import (
    CORRECTED,
    CORRECTED_TOTALS,
    NAMES,
    PLACES,
    PLAYERS,
    SIXTH,
    TIED,
    TIED_AT_LAST_PRIZE,
    TOTALS,
    games_of,
)
from tournaments.common.access_keys import player_path
from tournaments.journal import proof
from tournaments.models import CashEntry, PrizePayout, Registration, Tournament

# 24 × 15 € less 20 % = 288 €, of which 40, 30, 20 and 10 %, in whole euros as is preset.
PRIZES_CENTS = (11500, 8600, 5700, 2800)
RANKED = PLAYERS[0] + 1  # players of the first Serie, and those who joined the second


def watch_in_public(hall: Hall) -> Page:
    """Open the public ranking, coming from the tournament's own page."""
    page = hall.new_context().new_page()
    page.goto(f"{hall.url}/t/{hall.tournament.slug}/")
    page.locator("#main").get_by_role("link", name="Rangliste").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Rangliste")
    return page


def public_says(page: Page, says: str) -> None:
    """Check that results appear on a page that was open all the time."""
    ask_again(page, "#ranking")
    expect(page.locator("#ranking .pill").first).to_have_text(says)


def two_players_are_equal(hall: Hall) -> None:
    """Two are first and two fourth; the third is so by games finished (§ 1.5)."""
    page = hall.page_of("sina")
    go(page, "Rangliste & Preise")
    rows = page.locator(".ranking tbody tr")
    expect(rows).to_have_count(RANKED)
    expect(page.get_by_text("alle Listen geprüft")).to_be_visible()
    alike = (*sorted(TIED), PLACES[2], *TIED_AT_LAST_PRIZE)
    for row, (number, total) in enumerate(zip(alike, TOTALS, strict=True)):
        expect(rows.nth(row)).to_contain_text(f"Nr. {number}")
        expect(rows.nth(row).locator(".total")).to_have_text(str(total))
    expect(rows.nth(0).locator(".rank")).to_have_text("1.")
    expect(rows.nth(1).locator(".rank")).to_have_text("1.")
    expect(rows.nth(2).locator(".rank")).to_have_text("3.")
    expect(rows.nth(1)).to_contain_text("in allem gleich")
    expect(rows.nth(3)).to_contain_text("gleiche Punkte, weniger Spiele beendet")
    expect(rows.nth(4).locator(".rank")).to_have_text("4.")
    expect(rows.nth(5)).to_contain_text(f"Nr. {SIXTH[0]}")
    expect(rows.nth(5).locator(".total")).to_have_text(str(SIXTH[1]))


def decide_the_ties(hall: Hall) -> None:
    """The prizes wait for them, and lead to where they are recorded."""
    page = hall.page_of("sina")
    page.get_by_role("link", name="Preise", exact=True).click()
    page.locator("#main").get_by_role("link", name="Eintragen").first.click()
    for numbers in (PLACES[:2], PLACES[3:]):
        tie = page.locator("form.tie", has_text=NAMES[numbers[0] - 1])
        expect(tie).to_contain_text("muss entschieden werden")
        for place, number in enumerate(numbers, start=1):
            tie.get_by_label(re.compile(NAMES[number - 1])).fill(f"{place}")
        with page.expect_navigation():
            tie.get_by_role("button", name="Eintragen").click()
        told(page, "Das Entscheidungsspiel ist eingetragen.")
    go(page, "Rangliste & Preise")
    rows = page.locator(".ranking tbody tr")
    for row, number in enumerate(PLACES):
        expect(rows.nth(row).locator(".rank")).to_have_text(f"{row + 1}.")
        expect(rows.nth(row)).to_contain_text(f"Nr. {number}")


def pay_prizes(hall: Hall) -> None:
    """Pay the first prize alone, and all others at once."""
    page = hall.page_of("sina")
    go(page, "Rangliste & Preise")
    page.get_by_role("link", name="Preise", exact=True).click()
    first = page.locator(".payouts tbody tr", has_text=NAMES[PLACES[0] - 1])
    expect(first).to_contain_text("115,00 €")
    first.get_by_role("button", name="auszahlen").click()
    expect(first.locator(".pill.felt")).to_contain_text("ausgezahlt")
    page.get_by_role("button", name="Alle auszahlen: 171,00 €").click()
    confirm(page, "Auszahlen")
    expect(page.get_by_role("button", name="Alle auszahlen")).to_have_count(0)
    number_of = dict(Registration.objects.values_list("pk", "number"))
    payouts = PrizePayout.objects.all()
    paid = {number_of[payout.registration_id]: payout.amount_cents for payout in payouts}
    assert paid == dict(zip(PLACES, PRIZES_CENTS, strict=False))


def correct_after_the_payout(hall: Hall) -> None:
    """Correct the fourth by ten: the prize moves to the fifth, with a receipt each."""
    fourth, fifth = PLACES[3:]
    page = hall.page_of("sina")
    go(page, "Abschluss")
    section = page.locator("#serie-3")
    section.locator("summary", has_text="Wieder öffnen").click()
    section.get_by_label("Grund").fill("Am Tisch verzählt")
    section.get_by_role("button", name="Serie 3 wieder öffnen").click()
    told(page, "Serie 3 ist wieder offen.")
    rows = hall.rows(3)
    table = next(at for at, row in enumerate(rows, start=1) if fourth in row)
    seat = rows[table - 1].index(fourth) + 1
    hands = [game["minus"][seat - 1] for game in games_of(rows[table - 1], 3)]
    largest = max(hands)
    page.goto(f"{hall.url}/turniere/{hall.tournament.slug}/pruefung/3/{table}/")
    page.locator("#id_command").click()
    game = hands.index(largest) + 1
    control.correct(page, rows[table - 1], game=game, seat=seat, points=largest + 10)
    control.tell_the_others(hall)
    control.close_serie(hall, 3)

    go(page, "Rangliste & Preise")
    page.get_by_role("link", name="Preise", exact=True).click()
    for number, what, button in (
        (fourth, "Rückforderung 28,00 €, offen", "28,00 € zurückerhalten"),
        (fifth, "28,00 €", "auszahlen"),
    ):
        row = page.locator(".payouts tbody tr", has_text=NAMES[number - 1])
        expect(row).to_contain_text(what)
        row.get_by_role("button", name=button).click()
        expect(row.locator(".pill.amber")).to_have_count(0)
    assert CashEntry.objects.filter(kind="prize", registration__number=fifth).count() == 1


def close(hall: Hall) -> None:
    """Close the tournament; every step is done then."""
    page = hall.page_of("sina")
    go(page, "Abschluss")
    page.get_by_role("button", name="Turnier abschließen").click()
    confirm(page, "Abschließen")
    told(page, "Das Turnier ist abgeschlossen.")
    page.locator(".header-own summary").click()
    page.get_by_role("link", name="Protokoll", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Protokoll")
    assert set(states(page).values()) == {"done"}
    assert tuple(states(page)) == STEPS
    assert hall.tournament.is_read_only


def the_winners_are_public(hall: Hall) -> None:
    """Check that the public ranking and the winner's own page are final."""
    page = watch_in_public(hall)
    expect(page.locator("#ranking .pill").first).to_have_text("endgültig")
    rows = page.locator(".ranking tbody tr")
    expect(rows).to_have_count(RANKED)
    for row, (number, total) in enumerate(zip(CORRECTED, CORRECTED_TOTALS, strict=True)):
        expect(rows.nth(row).locator("td").first).to_have_text(f"{row + 1}.")
        expect(rows.nth(row)).to_contain_text(NAMES[number - 1])
        expect(rows.nth(row).locator("td.total")).to_have_text(f"{total}")
    # Nr. 23 did not consent to be named.
    expect(page.locator("#ranking")).not_to_contain_text(NAMES[PLAYERS[0] - 1])
    page.goto(hall.url + player_path(hall.registration(PLACES[0])))
    expect(page.locator(".own-rank")).to_contain_text(f"Rang 1 von {RANKED}")
    hall.leave(page)


def save_archive(hall: Hall) -> bytes:
    """Have the archive written, and take the file along; all that was done holds."""
    assert list(proof.of_installation()) == []
    page = hall.page_of("karla")
    go(page, "Ausschreibung")
    page.get_by_role("link", name="Als Archiv sichern").click()
    return _write_and_download(page)


def _write_and_download(page: Page) -> bytes:
    page.get_by_role("button", name="Archiv schreiben").click()
    told(page, "Das Archiv ist geschrieben")
    with page.expect_download() as download:
        page.get_by_role("link", name="Herunterladen").click()
    return Path(download.value.path()).read_bytes()


def into_an_empty_program(hall: Hall, archive: bytes) -> None:
    """Import the archive into an empty installation and compare it byte for byte."""
    empty_all()
    assert not Tournament.objects.exists()
    page = hall.new_context().new_page()
    make_first_account(page, hall.url)
    page.get_by_role("link", name="Ein Turnier aus einem Archiv einlesen").click()
    page.locator("input[type=file]").set_input_files(
        {"name": "herbstturnier-2026.json", "mimeType": "application/json", "buffer": archive}
    )
    page.get_by_role("button", name="Einlesen").click()
    told(page, "Das Turnier ist eingelesen.")
    page.get_by_role("link", name="Zum Turnier").click()
    go(page, "Rangliste & Preise")
    rows = page.locator(".ranking tbody tr")
    for row, (number, total) in enumerate(zip(CORRECTED, CORRECTED_TOTALS, strict=True)):
        expect(rows.nth(row)).to_contain_text(f"Nr. {number}")
        expect(rows.nth(row).locator(".total")).to_have_text(str(total))
    go(page, "Ausschreibung")
    page.get_by_role("link", name="Als Archiv sichern").click()
    assert _write_and_download(page) == archive
