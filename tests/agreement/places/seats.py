"""Places that show seats and names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from tests.agreement.look import Facts, Look, place, states_of_tables
from tests.agreement.reading import rows_with, start_number, tables, text
from tournaments.models import Registration

STATUSES = "|".join(str(label) for label in Registration.Status.labels) + "|zahlt später|gegangen"


def _seats(serie: int, seats: Iterable[tuple[Any, Any, Any]]) -> Facts:
    """Yield where people sit in a Serie: start number, table, seat."""
    for who, table, seat in seats:
        yield f"Platz in Serie {serie}", int(who), (int(table), int(seat))


def _names(names: Iterable[tuple[int | None, str]], serie: int | None = None) -> Facts:
    """Yield names, now or in a Serie, without order and marks: „Berg, Ida“ is „Ida Berg“."""
    for who, name in names:
        bare = re.sub(r"\(.*?\)|[,.]", " ", name)
        yield f"Name in Serie {serie}" if serie else "Name", who or 0, sorted(bare.split())


def _lists(html: str) -> Iterator[list[str]]:
    """Yield the heads of the columns of the people, from tables that are lists."""
    for rows in tables(html):
        if rows and rows[0][:2] == ["Spiel", "Geber"]:
            yield list(dict.fromkeys(rows[0][2:]))


@place("seats")
def stored_seats(look: Look) -> Facts:
    for serie in look.serien:
        for seat in serie.seats.select_related("table", "registration__person"):
            who = seat.registration
            yield from _seats(serie.number, [(who.number, seat.table.number, seat.number)])
            if not who.substitutions.exists():
                yield from _names([(who.number, who.person.full_name)], serie.number)
    yield from _names((nr, who.person.full_name) for nr, who in look.people.items())


@place("seats", "feed:seats", "feed:seats_of")
def feed_seats(look: Look) -> Facts:
    for serie in look.serien:
        answer = json.loads(look.page("feed:seats_of", serie.number))
        for table in answer["tables"]:
            seats = ((seat["number"], table["table"], seat["seat"]) for seat in table["seats"])
            yield from _seats(serie.number, seats)


@place("seats", "Papier: sitzplan-namen")
def plan_by_names(look: Look) -> Facts:
    for serie in look.serien:
        html = look.html("Papier: sitzplan-namen", serie=serie.number)
        for row in rows_with(html, "Nr.", "Tisch", "Platz"):
            who = int(row["Nr."])
            yield from _seats(serie.number, [(who, row["Tisch"], row["Platz"])])
            if not look.people[who].substitutions.exists():  # else it names both
                yield from _names([(who, row["Name"])], serie.number)


@place("seats", "Papier: sitzplan-tische")
def plan_by_tables(look: Look) -> Facts:
    for serie in look.serien:
        html = look.html("Papier: sitzplan-tische", serie=serie.number)
        for table, part in re.findall(r"(?s)Tisch (\d+)(.*?)(?=Tisch \d|$)", html):
            cells = (row for rows in tables(part) for row in rows if len(row) == 3)
            seats = ((who, table, seat) for seat, _name, who in cells if seat.isdigit())
            yield from _seats(serie.number, seats)


@place("seats", "Papier: tischkarten", "Papier: druckpaket")
def table_cards(look: Look) -> Facts:
    for serie in look.serien:
        words = text(look.html("Papier: tischkarten", serie=serie.number))
        for part in words.split(f"Serie {serie.number} Tisch ")[1:]:
            seats = enumerate(re.findall(r"Nr\. (\d+)", part), start=1)
            yield from _seats(serie.number, ((who, part.split()[0], seat) for seat, who in seats))


@place("seats", "Papier: spiellisten")
def prefilled_lists(look: Look) -> Facts:
    for serie in look.serien:
        html = look.html("Papier: spiellisten", serie=serie.number)
        tables_of_it = [table for number, table, _list in look.lists if number == serie.number]
        for table, heads in zip(tables_of_it, _lists(html), strict=True):
            people = enumerate(map(start_number, heads), start=1)
            yield from _seats(serie.number, ((who or 0, table, seat) for seat, who in people))


@place("seats", "hall:table")
def heads_of_tables(look: Look) -> Facts:
    for serie, table, _spielliste in look.lists:
        for heads in _lists(look.page("hall:table", serie, table)):
            for match in filter(None, (re.match(r"(\d) · (.+?) ?Nr\. (\d+)", h) for h in heads)):
                yield from _seats(serie, [(match[3], table, match[1])])
                yield from _names([(int(match[3]), match[2])], serie)


@place("seats", "table:state")
def seats_onstates_of_tables(look: Look) -> Facts:
    for serie, table, _spielliste, state in states_of_tables(look):
        players = state["players"]
        yield from _seats(serie, ((who["number"], table, who["seat"]) for who in players))
        yield from _names(((who["number"], who["name"]) for who in players), serie)


@place("seats", "screen:screen")
def wall_seats(look: Look) -> Facts:
    if look.serien:
        seats = re.findall(r"(?<!\S)(\d+) [^\d]\S*,.*? Tisch (\d+) Platz (\d)", look.wall("names"))
        yield from _seats(max(serie.number for serie in look.serien), seats)


@place("seats", "seating:latest", "seating:serie")
def where_do_i_sit(look: Look) -> Facts:
    for serie in look.serien:
        page = text(look.page("seating:serie", serie.number))
        yield from _seats(serie.number, re.findall(r"Nr\. (\d+) Tisch (\d+) ?, Platz (\d)", page))
        for who in look.some:
            query = f"?nr={who}"
            page = text(look.page("seating:serie", serie.number, query=query))
            answer = r"Startnummer (\d+), .*? Tisch (\d+), Platz (\d)"
            yield from _seats(serie.number, re.findall(answer, page)[:1])


@place("seats", "player:page")
def own_pages_seats(look: Look) -> Facts:
    for who, registration in look.some.items():
        page = look.own_page(registration)
        for serie, table, seat in re.findall(r"Serie (\d) Tisch (\d+), Platz (\d)", page)[:1]:
            yield from _seats(int(serie), [(who, table, seat)])


@place("seats", "desk:list")
def listed_names(look: Look) -> Facts:
    for who, registration in look.people.items():
        page = text(look.page("desk:registration", registration.pk))
        if match := re.search(rf"\b{who} · (.+?) (?:{STATUSES})", page):
            yield from _names([(who, match[1])])
