"""Two desks register 27 new people and take the Startgeld.

Two people and a family of three paying together are typed in the browser; equal requests for the
others are sent without one. One pays by transfer, and four are absent at the start.
"""

from __future__ import annotations

from http import HTTPStatus

from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.e2e.day.hall import Hall, go, told
from tests.e2e.day.plan import (
    BY_TRANSFER,
    CLUBS,
    FAMILY,
    LATE,
    LEAVES,
    NAMES,
    NEVER_THERE,
    PLAYERS,
    SUBSTITUTE,
    SUBSTITUTED,
    TANDEM,
    TEAM,
    TIED,
)
from tournaments.cash.queries import balances
from tournaments.models import Receipt, Registration

USERS = ("kurt", "petra")
TYPED = 2  # at the beginning
UNPAID = (BY_TRANSFER, LATE, *NEVER_THERE)
OF_THE_LATE = "Gothaer Karten"
STATEMENT = """<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">
<BkToCstmrStmt><Stmt><Ntry><Amt Ccy="EUR">15.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>
<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>{day}</Dt></BookgDt>
<NtryDtls><TxDtls><RltdPties><Dbtr><Pty><Nm>Familie {name}</Nm></Pty></Dbtr></RltdPties>
<RmtInf><Ustrd>Startgeld Romme Anna {name}</Ustrd></RmtInf></TxDtls></NtryDtls>
</Ntry></Stmt></BkToCstmrStmt></Document>"""


def register_all(hall: Hall) -> None:
    """Both desks work at the same time, in turn."""
    desks = [hall.page_of(user) for user in USERS]
    for desk in desks:
        go(desk, "Meldungen & Kasse")
    for number, name in enumerate(NAMES, start=1):
        if number <= TYPED or number in FAMILY:
            _register(desks[number % 2 if number <= TYPED else 0], number, name)
        else:
            _send(hall, USERS[number % 2], number, name)
    together = Receipt.objects.get(payer__contains=",")
    assert together.entries.count() == len(FAMILY)

    # Each desk sees acts of the other without a reload.
    for desk in desks:
        expect(desk.locator("#counters .card-number").first).to_have_text(str(PLAYERS[0] - 1))
        expect(desk.locator("#counters")).to_contain_text("330,00 €")
        expect(desk.locator("#recent")).to_contain_text("Voß, Anna")
    assert balances.till_cents(hall.tournament) == (PLAYERS[0] - 1) * 1500
    hall.leave(desks[1])  # one desk is enough from now on


def _register(desk: Page, number: int, name: str) -> None:
    typed = f"{name}, Anna, {CLUBS[number % 3]}".rstrip(", ")
    expect(desk.locator("#q")).to_be_focused()
    desk.keyboard.type(typed)
    expect(desk.locator("#found .new")).to_contain_text(f"„{typed}“")
    desk.keyboard.press("F2")
    expect(desk.locator("#id_last_name")).to_be_focused()
    # Players without consent have initials on public pages.
    if number != PLAYERS[0]:
        desk.get_by_label("Name darf auch im Internet stehen").check()
    if number in FAMILY[:-1]:
        desk.locator("#id_last_name").press("F9")
        expect(desk.locator("#pay-together")).to_be_visible()
        expect(desk.locator(".desk-together")).to_contain_text(name)
        return
    desk.locator("#id_last_name").press("Enter")
    expect(desk.locator(".desk-number")).to_contain_text(str(number))
    expect(desk.locator(".desk-done")).to_contain_text(f"{name}, Anna")


def _send(hall: Hall, user: str, number: int, name: str) -> None:
    sent = {"last_name": name, "first_name": "Anna", "publish_consent": "on"}
    sent["club_name"] = CLUBS[number % 3]
    if number == LATE:  # as the desk asks about the second of one name
        sent |= {"club_name": OF_THE_LATE, "is_other": "on"}
    if number in UNPAID:
        sent["unpaid"] = "on"
    url = reverse("desk:new", args=[hall.tournament.slug])
    answer = hall.without_a_screen(user).post(url, sent)
    assert "?fertig=" in answer["Location"]


def book_transfer(hall: Hall) -> None:
    """The statement has a name and no start number: proposed, and booked by one press."""
    page = hall.page_of("kurt")
    go(page, "Meldungen & Kasse")
    page.get_by_role("link", name="Zum Kassenbuch").click()
    page.get_by_role("link", name="Überweisungen").click()
    name = NAMES[BY_TRANSFER - 1]
    statement = STATEMENT.format(day=timezone.localdate(), name=name)
    page.get_by_role("button", name="Kontoauszug").set_input_files(
        {"name": "umsatz.xml", "mimeType": "application/xml", "buffer": statement.encode()}
    )
    page.get_by_role("button", name="Einlesen").click()
    told(page, "1 neue Überweisung")
    page.get_by_role("button", name="Diese Überweisung buchen").click()
    told(page, "1 Überweisung gebucht.")
    assert Registration.objects.filter(status="paid").count() == PLAYERS[0]


def form_teams(hall: Hall) -> None:
    """A tandem with a stake, which is taken, and a team of three."""
    page = hall.page_of("kurt")
    go(page, "Meldungen & Kasse")
    page.get_by_role("link", name="Mannschaften").click()
    for kind, numbers in (("Neues Tandem", TANDEM), ("Neue Mannschaft", TEAM)):
        form = page.locator("form", has=page.get_by_role("heading", name=kind))
        for place, number in enumerate(numbers):
            form.locator("input[list]").nth(place).fill(f"{number}")
        form.get_by_role("button", name="Anlegen").click()
        expect(page.locator("article.card", has_text=NAMES[numbers[0] - 1])).to_be_visible()
    expect(page.locator("#teams")).to_contain_text("2,00 € offen")


def _open(hall: Hall, user: str, number: int) -> Page:
    """Open the page of a registration from the list of all."""
    page = hall.page_of(user)
    go(page, "Meldungen & Kasse")
    page.get_by_role("link", name="Alle Meldungen").click()
    page.locator(f"#main a[href$='/{hall.registration(number).pk}/']").click()
    return page


def four_people_are_absent(hall: Hall) -> None:
    """Say so of the first on the page, and send it for the others."""
    page = _open(hall, "kurt", LATE)
    page.locator("summary", has_text="Nicht erschienen").click()
    page.get_by_role("button", name="Als nicht erschienen vermerken").click()
    told(page, "Als nicht erschienen vermerkt.")
    for number in NEVER_THERE:
        _send_to(hall, "desk:no_show", number)


def _send_to(hall: Hall, name: str, number: int, **sent: str) -> None:
    url = reverse(name, args=[hall.tournament.slug, hall.registration(number).pk])
    assert hall.without_a_screen("kurt").post(url, sent).status_code == HTTPStatus.FOUND


def a_latecomer_registers(hall: Hall) -> None:
    """Register a latecomer for the second Serie; the club distinguishes two namesakes."""
    page = hall.page_of("kurt")
    go(page, "Meldungen & Kasse")
    page.locator("#q").fill(NAMES[LATE - 1])
    expect(page.locator("#found")).to_contain_text(OF_THE_LATE)
    page = _open(hall, "kurt", LATE)
    page.get_by_role("button", name="Wieder dabei").click()
    told(page, "Wieder dabei.")
    page.get_by_role("button", name="Buchen").click()
    told(page, "Gebucht.")


def a_player_leaves(hall: Hall) -> None:
    """Record that a person leaves after two Serien."""
    page = _open(hall, "kurt", LEAVES)
    page.locator("summary", has_text="Abmelden").click()
    page.locator("form[action$='/abmelden/']").get_by_role("button").click()
    told(page, "Abgemeldet.")


def a_player_is_substituted(hall: Hall) -> None:
    """Substitute an unregistered person for a start number."""
    client = hall.without_a_screen("kurt")
    person = {"last_name": SUBSTITUTE, "first_name": "Anna", "publish_consent": "on"}
    assert client.post(reverse("people:new"), person).status_code == HTTPStatus.FOUND
    page = _open(hall, "kurt", SUBSTITUTED)
    page.locator("summary", has_text="Einwechseln").click()
    page.get_by_label("Wer spielt weiter?").fill(SUBSTITUTE)
    page.get_by_role("button", name="Suchen").click()
    page.locator("#substitute_reason").fill("krank geworden")
    page.get_by_role("button", name="Einwechseln").click()
    told(page, f"{SUBSTITUTE}, Anna spielt weiter.")


def keep_apart(hall: Hall) -> None:
    """Separate the two future equals, members of one household."""
    page = hall.page_of("karla")
    go(page, "Meldungen & Kasse")
    first, second = (hall.registration(number) for number in TIED)
    page.locator("#q").fill(f"{first.number}")
    page.locator("#found").get_by_role("link", name="Engel, Anna").click()
    page.locator("summary", has_text="Nicht an einem Tisch").click()
    apart = page.locator("form[action$='/trennung/']")
    apart.get_by_label("Startnummer").fill(f"{second.number}")
    apart.locator("[name=reason]").fill("wohnen zusammen")
    apart.get_by_role("button", name="Trennen").click()
    expect(page.locator(".page-aside")).to_contain_text("Neumann, Anna")
