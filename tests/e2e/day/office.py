"""Before the day: the first account, the Ausschreibung page by page, and the helpers."""

from __future__ import annotations

import re
from datetime import timedelta

from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.e2e.day.hall import PASSWORD, STEPS, Hall, confirm, go, open_tournament, states, told
from tests.e2e.day.plan import NAMES
from tests.factories import COMMAND
from tournaments.accounts import services as accounts

HELPERS = {
    "Sina Leitner": ("Spielleitung", "sina"),
    "Kurt Kasse": ("Anmeldung und Kasse", "kurt"),
    "Petra Pult": ("Anmeldung und Kasse", "petra"),
    "Rita Richter": ("Schiedsrichter", "rita"),
}
PRIZES = (("1", "40"), ("2", "30"), ("3", "20"), ("4", "10"))


def make_first_account(page: Page, url: str) -> None:
    """Come by the link that an empty program shows when it starts."""
    page.goto(f"{url}/konto/einrichten/{accounts.make_setup_link(actor=COMMAND)}/")
    page.get_by_label("Ihr Name").fill("Karla Otto")
    _choose_account(page, "karla")
    page.get_by_role("button", name="Konto anlegen").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Meine Turniere")


def _choose_account(page: Page, username: str) -> None:
    page.get_by_label("Anmeldename").fill(username)
    page.get_by_label("Kennwort", exact=True).fill(PASSWORD)
    page.get_by_label("Kennwort wiederholen").fill(PASSWORD)


def announce(hall: Hall) -> None:
    """Make the tournament and its Ausschreibung, until it is public."""
    page = hall.new_context().new_page()
    make_first_account(page, hall.url)
    hall.keep("karla", page)
    begins = timezone.localtime(timezone.now() + timedelta(hours=2))
    page.get_by_role("link", name="Neues Turnier").click()
    page.get_by_role("link", name="Nach der Romméordnung").click()
    page.get_by_label("Name des Turniers").fill("Herbstturnier 2026")
    page.get_by_label("Tag").fill(begins.date().isoformat())
    page.get_by_label("Beginn").fill(begins.strftime("%H:%M"))
    page.get_by_label("Anzahl der Serien").fill("3")
    page.get_by_label("Startgeld in Euro").fill("15")
    page.get_by_role("button", name="Entwurf anlegen").click()
    expect(page.get_by_role("heading", name="Bis zum Ausschreiben fehlt")).to_be_visible()
    assert states(page) == dict.fromkeys(STEPS, "open") | {"Ausschreibung": "now"}

    page.get_by_label("Spielort").fill("Bürgerhaus")
    page.get_by_label("Veranstalter").fill("SC Altenburg")
    page.get_by_label("Telefon für Rückfragen").fill("03447 1234")
    page.get_by_role("button", name="Nur speichern").click()
    told(page, "Gespeichert: Allgemeines.")

    # The first Serie by cards, and the next as is chosen then; preset is the program's draw.
    page.locator("#serien").get_by_role("link").click()
    for serie in (1, 2, 3):
        page.locator(f"[name=seating_{serie}]").select_option("cards")
    page.get_by_role("button", name="Speichern").click()
    told(page, "Gespeichert: Serien.")

    page.locator("#bussgeld").get_by_role("link").click()
    page.get_by_role("link", name="je nicht beendetem Spiel").click()
    page.get_by_label("Betrag je nicht beendetem Spiel in Euro").fill("0,50")
    page.get_by_role("button", name="Speichern").click()
    expect(page.locator("#bussgeld")).to_contain_text("0,50")

    page.locator("#wertungen").get_by_role("link").click()
    page.locator("[name=tandem]").check()
    page.locator("[name=tandem_stake_cents]").fill("2")
    page.locator("[name=team]").check()
    page.locator("[name=team_size]").fill("3")
    page.get_by_role("button", name="Speichern").click()
    told(page, "Gespeichert: Wertungen.")

    _plan_prizes(page)
    page.get_by_role("button", name="Turnier ausschreiben").click()
    told(page, "Die Ausschreibung ist jetzt öffentlich.")


def _plan_prizes(page: Page) -> None:
    """Plan four prizes from the Startgeld less the fifth kept by the club."""
    page.locator("#preisplan").get_by_role("link").click()
    for row, (place, share) in enumerate(PRIZES, start=1):
        cell = page.get_by_label(f"Platz, Zeile {row}", exact=True)
        if row > 1:
            page.get_by_role("button", name="Weitere Zeile").click()
        expect(cell).to_be_visible()
        cell.fill(place)
        page.get_by_label(f"Anteil in %, Zeile {row}", exact=True).fill(share)
    page.get_by_label("oder in % des Startgelds").fill("20")
    page.get_by_label("entscheidet ein Entscheidungsspiel").check()
    page.get_by_role("button", name="Speichern").click()
    expect(page).to_have_url(re.compile("#preisplan$"))


def invite_helpers(hall: Hall) -> None:
    """Invite all helpers, who create their accounts on their own devices."""
    page = hall.page_of("karla")
    page.locator(".header-own summary").click()
    page.get_by_role("link", name="Rollen", exact=True).click()
    for name, (role, username) in HELPERS.items():
        page.get_by_label("Name").fill(name)
        page.get_by_label("Rolle", exact=True).select_option(label=role)
        page.get_by_role("button", name="Link erzeugen").click()
        expect(page.locator("#invited")).to_contain_text(name)
        link = page.get_by_label("Link der Einladung").input_value()
        guest = hall.new_context().new_page()
        guest.goto(link)
        _choose_account(guest, username)
        guest.get_by_role("button", name="Konto anlegen").click()
        open_tournament(guest)
        hall.keep(username, guest)


def begin(hall: Hall) -> None:
    """Start the tournament with all people present."""
    page = hall.page_of("karla")
    go(page, "Ausschreibung")
    expect(page.get_by_text(f"{len(NAMES)} Meldungen")).to_be_visible()
    page.get_by_role("button", name="Turnier beginnt").click()
    confirm(page, "Turnier beginnt")
    expect(page.get_by_role("heading", name="Noch keine Sitzordnung")).to_be_visible()
    done = dict.fromkeys(STEPS[:2], "done")
    go(page, "Auslosung")
    assert states(page) == dict.fromkeys(STEPS, "open") | done | {"Auslosung": "now"}
