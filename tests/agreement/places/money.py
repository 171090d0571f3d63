"""Places that show money and prizes."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress

from tests.agreement.look import Facts, Look, place, places
from tests.agreement.reading import number, rows_with, start_number, text
from tournaments.common.errors import TournamentError
from tournaments.models import CashEntry, Receipt
from tournaments.prizes.queries.prizes import PrizeSheet

EURO = r"(−?[\d.]+,\d\d €)"
OF_DUES = ("startgeld", "kartengeld", "stake", "credit", "refund")


def _cents(shown: str) -> int:
    """Return a sum in cents; none for an empty cell or text like „Guthaben 5,00 €“."""
    return number(shown) or 0 if re.fullmatch(f"{EURO}|-?[\\d.]+,\\d\\d", shown) else 0


def _dues(html: str) -> Facts:
    """Yield the amounts in tables of persons."""
    for row in rows_with(html, "Nr.", "bezahlt"):
        for what in {"zu zahlen", "bezahlt", "offen"} & row.keys():
            if row["Nr."].isdigit():
                yield what, int(row["Nr."]), _cents(row[what])


@place("money")
def stored_money(look: Look) -> Facts:
    """Return the sums of the stored rows, without any query of the program."""
    paid, receipts, till = Counter[int](), Counter[int](), 0
    entries = CashEntry.objects.filter(receipt__tournament=look.tournament)
    for entry in entries.select_related("receipt", "registration"):
        receipts[entry.receipt.number] += entry.amount_cents
        till += entry.amount_cents * (entry.receipt.method == Receipt.Method.CASH)
        if entry.registration and entry.kind in OF_DUES:
            paid[entry.registration.number or 0] += entry.amount_cents
    yield from (("bezahlt", who, paid[who]) for who in look.people)
    yield from (("Beleg", receipt, cents) for receipt, cents in receipts.items())
    yield "Bestand bar", 0, till


@place("money", "desk:registration")
def registration_pages(look: Look) -> Facts:
    for who, registration in look.people.items():
        page = text(look.page("desk:registration", registration.pk))
        pattern = rf"Zu zahlen {EURO}, bezahlt {EURO}\.(?: {EURO} offen)?"
        if match := re.search(pattern, page):
            names = ("zu zahlen", "bezahlt", "offen")
            yield from (
                (what, who, _cents(shown))
                for what, shown in zip(names, match.groups(""), strict=True)
            )


@place("money", "Papier: teilnehmerliste")
def printed_participants(look: Look) -> Facts:
    with suppress(TournamentError):  # no registrations
        yield from _dues(look.html("Papier: teilnehmerliste"))


@places("money", "cash:report", "Papier: kassenbericht")
def reports(look: Look, name: str) -> Facts:
    html = look.html(name)
    yield from _dues(html)
    for row in rows_with(html, "Art", "bar"):
        if row["Art"] == "Bestand":
            yield "Bestand bar", 0, _cents(row["bar"])


@place("money", "cash:book")
def cash_book(look: Look) -> Facts:
    rows = rows_with(look.page("cash:book"), "Beleg", "Betrag", "Kasse")
    yield from (("Beleg", number(row["Beleg"]) or 0, _cents(row["Betrag"])) for row in rows)
    yield from (("Bestand bar", 0, _cents(row["Kasse"])) for row in rows[:1])


@place("money", "cash:csv")
def cash_file(look: Look) -> Facts:
    sums = Counter[int]()
    for row in look.csv("cash:csv"):
        if (row["Beleg"] or "").isdigit():
            sums[int(row["Beleg"])] += _cents(row["Einnahme"]) - _cents(row["Ausgabe"])
    yield from (("Beleg", receipt, cents) for receipt, cents in sums.items())


@places("money", "cash:receipt", "Papier: quittung")
def receipts(look: Look, name: str) -> Facts:
    for receipt in look.tournament.receipts.order_by("-number").values_list("number", flat=True)[
        :4
    ]:
        rows = rows_with(look.html(name, receipt=receipt), "Posten", "Betrag")
        yield from (("Beleg", receipt, _cents(row["Betrag"])) for row in rows[-1:])


@place("money", "desk:list")
def list_of_registrations(look: Look) -> Facts:
    page = text(look.page("desk:list"))
    for who, registration in look.people.items():
        name = re.escape(registration.person.list_name)
        if match := re.search(rf"\b{who} {name}(?: (?!\d+ )\S+)*? {EURO} offen", page):
            yield "offen", who, _cents(match[1])


@place("money")
def stored_prizes(look: Look) -> Facts:
    """Return the prize of each person by the receipts."""
    entries = CashEntry.objects.filter(receipt__tournament=look.tournament, kind="prize")
    for who, registration in look.people.items():
        paid = entries.filter(registration=registration).values_list("amount_cents", flat=True)
        yield "Preis gezahlt", who, -sum(paid)


@place("money")
def prizes_by_query(look: Look) -> Facts:
    for winner in PrizeSheet(look.tournament).recipients:
        yield f"Preis {' '.join([winner.name, *winner.members])}", winner.number or 0, winner.cents
        if winner.number:
            paid = sum(row.paid_cents for row in winner.rows)
            yield "Preis gezahlt", winner.number, paid


@places("money", "prizes:prizes", "Papier: preisliste")
def prizes(look: Look, name: str) -> Facts:
    won = PrizeSheet(look.tournament).recipients  # paper without a single prize is refused
    for row in rows_with(look.html(name), "Wer", "Betrag") if won else ():
        match = re.fullmatch(r"(?:(\d+) · )?(.+?)(?: Nr\. (\d+))?", row["Wer"])
        if match and match[2] != "zusammen":
            who, said = match[1] or match[3] or 0, match[2].replace(",", "")
            yield f"Preis {said}", int(who), _cents(row["Betrag"])


@place("money")
def stored_choices(look: Look) -> Facts:
    """Return the chosen things by the payouts of players who still have a place."""
    choosing = PrizeSheet(look.tournament).choosing
    ranked = {chooser.row.registration for chooser in choosing.ranked} if choosing else set()
    chosen = look.tournament.prize_payouts.filter(pot="auswahl").select_related("registration")
    for payout in chosen.exclude(goods=""):
        if payout.registration in ranked:
            yield "gewählt", payout.registration.number, payout.goods


@places("money", "prizes:choosing", "Papier: wahlliste")
def choices(look: Look, name: str) -> Facts:
    if PrizeSheet(look.tournament).choosing is None:  # there is no such page, and no paper
        return
    for row in rows_with(look.html(name), "Wer", "gewählt"):
        thing = row["gewählt"].strip("☐☒ ")
        if thing not in {"", "–", "übergangen"}:
            yield "gewählt", start_number(row["Wer"]), thing
