"""At control: lists, cards and Bußgeld are handed in, every list is checked, one is corrected."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence

import zxingcpp
from django.urls import reverse
from PIL import Image
from playwright.sync_api import Page, expect

from tests.e2e.day.hall import Hall, ask_again, go, states, told
from tests.e2e.day.plan import GAMES, games_of
from tests.e2e.table_device import PHONE
from tournaments.common.access_keys import player_path
from tournaments.models import Case, Serie, Spielliste

REASON = "Die Zehn ist nicht mitgezählt."
OBJECTION = "Es waren wirklich zehn weniger, die Zehn lag schon."
PENALTY = "Falsch ausgelegt."
DECISION = "Es bleibt dabei: Zwei am Tisch haben die Zehn gesehen."


def hand_in(hall: Hall, serie: int, who: str, *, typed: Sequence[int]) -> None:
    """Hand in the list, cards and 50 cents for each unfinished game of every table.

    The numbers of the tables in *typed* are typed in the browser; equal requests for the others are
    sent before.
    """
    page = hall.page_of(who)
    rows = dict(enumerate(hall.rows(serie), start=1))
    client = hall.without_a_screen(who)
    for table in rows.keys() - set(typed):
        url = reverse("hall:hand_in_act", args=[hall.tournament.slug, serie, table])
        cents = 50 * (GAMES * len(rows[table]) - GAMES)
        answer = client.post(url, {"act": "all", "cents": f"{cents}"})
        # Were anything missing, the address would name the table.
        assert answer["Location"].endswith("/abgabe/")
    go(page, "Spiellisten")
    if page.locator("#tab-room").count():
        page.locator("#tab-hand-in").click()
    for table in typed:
        row = rows[table]
        expect(page.locator("#tisch")).to_be_focused()
        page.keyboard.type(f"{table}")
        page.keyboard.press("Enter")
        # Each of 12 games is finished by one: 12 × 4 − 12 = 36 are paid for, at three 24.
        amount = "18,00 €" if len(row) == 4 else "12,00 €"
        expect(page.get_by_role("button", name=f"Alles da, {amount} bar")).to_be_focused()
        page.keyboard.press("Enter")
        told(page, f"Tisch {table} hat alles abgegeben.")
    nothing_waits = re.compile("Kein Tisch wartet auf die Abgabe|Alle Listen sind abgegeben")
    expect(page.get_by_text(nothing_waits)).to_be_visible()


def check(
    hall: Hall,
    serie: int,
    *,
    at_screen: Sequence[int],
    on_paper: int,
    corrected: int | None = None,
) -> None:
    """Compare each list with the sums of its paper, if any, and verify it.

    *at_screen* are the tables checked in the browser; the other lists are verified before.
    """
    page = hall.page_of("sina")
    client = hall.without_a_screen("sina")
    lists = Spielliste.objects.filter(table__serie__number=serie)
    for spielliste in lists.exclude(table__number__in=at_screen).select_related("table"):
        at_table = [hall.tournament.slug, serie, spielliste.table.number]
        client.post(reverse("checking:verify", args=at_table), {"version": f"{spielliste.version}"})
    go(page, "Prüfung")
    page.get_by_role("link", name=f"Mit Tisch {at_screen[0]} beginnen").click()
    for table in at_screen:
        expect(page.get_by_role("heading", name=f"Tisch {table}", exact=True)).to_be_visible()
        expect(page.locator("#id_command")).to_be_focused()
        if table == on_paper:
            _sums_are_right(page, hall, serie, table)
        if table == corrected:
            # Game 4, seat 3 was counted ten too low.
            right = games_of(hall.rows(serie)[table - 1], serie)[3]["minus"][2]
            correct(page, hall.rows(serie)[table - 1], game=4, seat=3, points=right)
            expect(page.locator("#id_command")).to_be_focused()
        page.keyboard.press("F2")
    told(page, "Alle Listen dieser Serie sind geprüft")
    assert set(lists.values_list("status", flat=True)) == {Spielliste.Status.VERIFIED}


def _sums_are_right(page: Page, hall: Hall, serie: int, table: int) -> None:
    """Check that the typed sums of the paper are shown beside the computed ones."""
    row = hall.rows(serie)[table - 1]
    games = games_of(row, serie)
    for seat in range(len(row)):
        total = sum(game["minus"][seat] for game in games)
        expect(page.locator(f"#id_sum_{seat + 1}")).to_have_value(f"{total}")
        expect(page.locator("[data-verdict]").nth(seat)).to_have_text("✓")
    # Enter goes to the next sum, which is typed over and not added to.
    page.locator("#id_sum_1").press("Enter")
    page.keyboard.type(f"{sum(game['minus'][1] for game in games)}")
    expect(page.locator("[data-verdict]").nth(1)).to_have_text("✓")


def correct(page: Page, row: Sequence[int], *, game: int, seat: int, points: int) -> None:
    """Correct a hand of a list that is open at control, by the keyboard."""
    page.keyboard.type(f"{game} {seat} {points}")
    page.keyboard.press("Enter")
    expect(page.locator("#effects table.effects")).to_contain_text(f"{row[seat - 1]} · Anna")
    expect(page.locator("#id_reason")).to_be_focused()
    page.keyboard.type(REASON)
    page.keyboard.press("Enter")
    told(page, re.compile(r"Berichtigung \d+ ist gespeichert"))


# --- The own page, and an objection with its decision --------------------------------------


def send_an_objection_on_the_own_page(hall: Hall, number: int) -> Page:
    """Scan the Startkarte that the desk shows, read the correction, and object to it."""
    desk = hall.page_of("kurt")
    go(desk, "Auslosung")
    desk.locator("#main").get_by_role("link", name="Startkarten").click()
    desk.get_by_label("Startnummer").fill(f"{number}")
    desk.get_by_role("button", name="Zeigen").click()
    expect(desk.locator(".startkarte")).to_have_count(1)
    shot = desk.locator(".startkarte-code").screenshot(scale="device")
    (code,) = zxingcpp.read_barcodes(Image.open(io.BytesIO(shot)))

    phone = hall.new_context(viewport=PHONE).new_page()
    phone.goto(code.text)
    expect(phone.get_by_role("heading", level=1)).to_have_text("Anna Groß")
    _object(phone, REASON, OBJECTION)
    return phone


def _object(phone: Page, reason: str, objection: str) -> None:
    notice = phone.locator(".notice-card", has_text=reason)
    notice.get_by_text("Einspruch erheben").click()
    notice.get_by_label("Was stimmt nicht, und warum?").fill(objection)
    notice.get_by_role("button", name="Einspruch senden").click()
    told(phone, "Einspruch liegt der Spielleitung vor")


def withdraw_the_objected_penalty(hall: Hall, serie: int, table: int) -> None:
    """Give Strafpunkte at a table, and withdraw them after the objection."""
    number = hall.rows(serie)[table - 1][0]
    page = hall.page_of("sina")
    page.goto(hall.url + reverse("checking:penalties", args=[hall.tournament.slug, serie, table]))
    page.get_by_role("radio", name=re.compile(f"^{number} · ")).check()  # two have the same name
    page.get_by_label("100: hatte schon ausgelegt").check()
    page.get_by_label("Grund").last.fill(PENALTY)
    page.get_by_role("button", name="Wirkung zeigen").click()
    page.get_by_role("button", name="Erteilen").click()
    told(page, "Strafpunkte")
    phone = hall.new_context(viewport=PHONE).new_page()
    phone.goto(hall.url + player_path(hall.registration(number)))
    _object(phone, PENALTY, "Es war nicht mein Platz.")
    hall.leave(phone)

    page.get_by_role("banner").get_by_role("link", name="Mitteilungen").click()
    page.get_by_role("link", name="Fälle 1 offen").click()
    page.get_by_role("link", name="Ansehen").click()
    page.locator("#withdraw_reason").fill("Verwechselt.")
    page.get_by_role("button", name="100 Strafpunkte zurücknehmen").click()
    told(page, "ist gespeichert")
    assert not Case.objects.filter(decided_at=None).exists()
    tell_the_others(hall)


def a_case_keeps_the_serie_open(hall: Hall, serie: int) -> None:
    """Check that the closing names the open case and links to it."""
    page = hall.page_of("sina")
    go(page, "Abschluss")
    section = page.locator(f"#serie-{serie}")
    expect(section).to_contain_text("1 Fall ist nicht entschieden")
    expect(section.get_by_role("button", name=f"Serie {serie} abschließen")).to_have_count(0)


def decide(hall: Hall, phone: Page) -> None:
    """Decide the objection; its author reads the decision on the own page."""
    page = hall.page_of("sina")
    page.get_by_role("banner").get_by_role("link", name="Mitteilungen").click()
    page.get_by_role("link", name="Fälle 1 offen").click()
    page.get_by_role("link", name="Ansehen").click()
    expect(page.locator("#main")).to_contain_text(OBJECTION)
    page.get_by_label("Entscheidung und Grund").fill(DECISION)
    page.get_by_role("button", name="Entscheiden").click()
    ask_again(phone, "#own")
    expect(phone.locator(".notice-card")).to_contain_text(DECISION)
    phone.reload()
    expect(phone.locator(".notice-card")).to_contain_text(DECISION)
    assert Case.objects.get().decision == DECISION
    hall.leave(phone)


def tell_the_others(hall: Hall) -> None:
    """Print slips for all people who have not read the notice, and hand them out."""
    page = hall.page_of("sina")
    with page.expect_navigation():
        page.get_by_role("banner").get_by_role("link", name="Mitteilungen").click()
    if page.get_by_text("alles mitgeteilt").count():
        return
    page.get_by_role("link", name="Alle Zettel").click()
    page.get_by_role("button", name="Alle ausgehändigt").click()
    told(page, "alles mitgeteilt")


def close_serie(hall: Hall, serie: int) -> None:
    """Nothing is open any more."""
    page = hall.page_of("sina")
    go(page, "Abschluss")
    page.get_by_role("button", name=f"Serie {serie} abschließen").click()
    told(page, f"Serie {serie} ist abgeschlossen.")
    go(page, "Abschluss")
    expect(page.locator(f"#serie-{serie}")).to_contain_text("abgeschlossen um")
    assert Serie.objects.get(number=serie).closed_at is not None
    assert states(page)["Ausschreibung"] == "done"
