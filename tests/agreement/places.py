"""The places that show facts of a tournament: each reads them in one small function.

A fact is what is said of whom, as ``("Serie 2", 7)`` for the points of Nr. 7 in it. Places that
say the same fact must say the same. Which addresses and documents a place covers stands at it.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import openpyxl

from scoring.payments.prizes import OVERALL
from tests.agreement.reading import number, rows_with, tables, text
from tests.agreement.walk import Disagreement, Walk
from tests.clients import Client, at, logged_in
from tests.factories import COMMAND
from tests.js.node import ask_node
from tests.tournaments.lists.helpers import Device
from tests.tournaments.printing.helpers import written
from tournaments.common.access_keys import player_path
from tournaments.common.ranking_names import SLUGS
from tournaments.common.rules import rule_set_of
from tournaments.lists.queries.data import COMPLETE
from tournaments.models import CashEntry, Penalty, Receipt, Registration, Role, Serie, Spielliste
from tournaments.results.queries.rankings import Rankings
from tournaments.results.services import player_access
from tournaments.screen import services as screens
from tournaments.table.queries.rules import table_rules

EURO = r"(−?[\d.]+,\d\d €)"
OF_SOME = ("women", "juniors", "seniors")
OF_DUES = ("startgeld", "kartengeld", "stake", "credit", "refund")
STATUSES = "|".join(str(label) for label in Registration.Status.labels) + "|zahlt später|gegangen"
Fact = tuple[str, int]
Facts = Iterator[tuple[Fact, Any]]


@dataclass
class Look:
    """What is looked at: a walk as it stands, with browsers of those who look."""

    walk: Walk
    kept: dict[str, str] = field(default_factory=dict)

    @cached_property
    def staff(self) -> Client:
        return logged_in(self.walk.world.staff[Role.VERANSTALTER])

    @cached_property
    def anybody(self) -> Client:
        return Client()

    @cached_property
    def slug(self) -> str:
        return self.walk.tournament.slug

    @cached_property
    def registrations(self) -> list[Registration]:
        found = Registration.objects.filter(tournament=self.walk.tournament)
        player_access.provide(self.walk.tournament)
        return list(found.select_related("person").exclude(number=None).order_by("number"))

    @cached_property
    def numbers(self) -> dict[int, int]:
        return {one.pk: one.number or 0 for one in self.registrations}

    @cached_property
    def substituted(self) -> set[int | None]:
        """The start numbers that somebody else took over."""
        return {one.number for one in self.registrations if one.substitutions.exists()}

    @cached_property
    def serien(self) -> list[Serie]:
        """The Serien that are seated."""
        return list(self.walk.tournament.serien.filter(seats__isnull=False).distinct())

    @cached_property
    def lists(self) -> list[Spielliste]:
        found = Spielliste.objects.filter(table__serie__tournament=self.walk.tournament)
        return list(found.select_related("table__serie").order_by("table__serie", "table"))

    @cached_property
    def is_ranked(self) -> bool:
        return any(one.games.exists() for one in self.lists)

    def page(self, name: str, *keys: Any, query: str = "", by: Client | None = None) -> str:
        """Return a page of the staff, or of somebody else."""
        address = at(name, self.slug, *keys) + query
        known = f"{address} {by is None}"
        if known not in self.kept:
            answer = (by or self.staff).get(address)
            self.kept[known] = answer.content.decode() if answer.status_code == 200 else ""
        return self.kept[known]

    @cached_property
    def some(self) -> list[Registration]:
        """Four people whose own pages are looked at; others the next time."""
        first = len(self.walk.steps) % 4
        return self.registrations[first::4][:4]

    def is_whole(self, serie: int) -> bool:
        of_serie = [one for one in self.lists if one.table.serie.number == serie]
        return all(one.status in COMPLETE for one in of_serie)

    def wall(self, shows: str) -> str:
        """Return what a beamer shows."""
        screens.show(COMMAND, self.walk.tournament.pk, shows=shows)
        return text(self.anybody.get(at("screen:screen", self.slug)).content.decode())

    def paper(self, name: str, **asked: Any) -> str:
        """Return the HTML that a document is printed from."""
        pieces = written(self.walk.tournament, name, **asked).prepared.pieces
        return " ".join(piece.html for piece in pieces)


@dataclass(frozen=True, slots=True)
class Place:
    """Where facts are read."""

    name: str
    about: str
    read: Callable[[Look], Facts]
    covers: tuple[str, ...]  # names of addresses, and of documents as „Papier: rangliste“


PLACES: dict[str, Place] = {}


def place(about: str, *covers: str) -> Callable[[Callable[[Look], Facts]], Callable[[Look], Facts]]:
    """Make a function the reader of a place that shows facts *about* something."""

    def decorate(read: Callable[[Look], Facts]) -> Callable[[Look], Facts]:
        PLACES[read.__name__] = Place(read.__name__, about, read, covers)
        return read

    return decorate


def disagreements(
    walk: Walk, about: str, read: dict[str, int] | None = None
) -> Iterator[Disagreement]:
    """Yield each fact on which two places disagree."""
    look = Look(walk)
    said: dict[Fact, tuple[str, Any]] = {}
    told: set[tuple[str, str]] = set()
    for one in PLACES.values():
        if one.about != about:
            continue
        count = 0
        for fact, value in one.read(look):
            count += 1
            first, known = said.setdefault(fact, (one.name, value))
            if known != value and (first, one.name) not in told:
                told.add((first, one.name))
                what = f"{fact[0]}, Nr. {fact[1]}: {first} says {known!r}, {one.name} {value!r}"
                yield Disagreement(f"{fact[0]}: {first} / {one.name}", what, about)
        if read is not None:
            read[one.name] = read.get(one.name, 0) + count


def number_in(shown: str) -> int | None:
    """Return the start number in a cell: „Name03, Gisela D Nr. 4 · TSV Gera“."""
    match = re.search(r"Nr\. (\d+)", shown)
    return int(match[1]) if match else None


# --- Points -------------------------------------------------------------------------------------


def _stand(look: Look, *, live: bool = False) -> str:
    """Return of which stand the rankings are, as part of the name of a fact."""
    stand = Rankings(look.walk.tournament).stand(live=live)
    return f"laufend nach {stand.upto}" if stand.running else f"nach {stand.upto}"


def _of_rows(rows: list[dict[str, str]], rank: str, stand: str) -> Facts:
    """Yield what a table of a ranking says of each person."""
    for row in rows:
        who = number_in(row["Name"])
        if who is None:
            continue
        yield (f"Rang {stand}", who), number(row[rank])
        yield (f"Punkte {stand}", who), number(row["Punkte"])
        for name, cell in row.items():
            if name.startswith("Serie ") and "laufend" not in stand:
                yield (name, who), number(cell)


def _service(look: Look, *, live: bool) -> Facts:
    rankings = Rankings(look.walk.tournament)
    upto, running = rankings.stand(live=live)
    stand = _stand(look, live=live)
    for line in rankings.standings(OVERALL, upto=upto, running=running) if upto else ():
        yield (f"Rang {stand}", line.number), line.rank if line.results else None
        yield (f"Punkte {stand}", line.number), line.total if line.results else None
        if not running:
            for serie, total in enumerate(line.series_totals, start=1):
                yield (f"Serie {serie}", line.number), total


@place("points")
def service(look: Look) -> Facts:
    """The ranking as it is reckoned, after the last whole Serie and while one runs."""
    yield from _service(look, live=False)
    yield from _service(look, live=True)


@place("points")
def shadow(look: Look) -> Facts:
    """What the walk itself reckons."""
    whole = Rankings(look.walk.tournament).last_whole
    ranked = {who for (fact, who), _value in service(look) if fact == "Serie 1"}
    for (serie, owner), points in look.walk.shadow.points().items():
        who = look.numbers.get(owner)
        if serie <= whole and who in ranked:
            yield (f"Serie {serie}", who), points
            if not look.walk.shadow.has_moved():
                yield (f"Liste {serie}", who), points


def _ranking_page(look: Look, name: str, by: Client | None = None) -> Facts:
    for live, query in ((False, ""), (True, "?laufend=1")):
        page = look.page(name, query=query, by=by)
        yield from _of_rows(rows_with(page, "Rang", "Punkte"), "Rang", _stand(look, live=live))


@place("points", "results:ranking")
def staff_ranking(look: Look) -> Facts:
    yield from _ranking_page(look, "results:ranking")


@place("points", "results_public:overall", "results_public:ranking")
def public_ranking(look: Look) -> Facts:
    yield from _ranking_page(look, "results_public:overall", look.anybody)


@place("points", "feed:overall", "feed:ranking")
def feed_ranking(look: Look) -> Facts:
    for live, query in ((False, ""), (True, "?laufend=1")):
        stand = _stand(look, live=live)
        for line in json.loads(look.page("feed:overall", query=query, by=look.anybody))["lines"]:
            yield (f"Rang {stand}", line["number"]), line["rank"]
            yield (f"Punkte {stand}", line["number"]), line["points"]


def _printed_ranking(look: Look, name: str) -> Facts:
    rankings = Rankings(look.walk.tournament)
    whole = rankings.last_whole
    # Paper without a single result is refused.
    if whole and any(line.has_result for line in rankings.table(OVERALL, upto=whole).lines):
        rows = rows_with(look.paper(name), "Platz", "Punkte")
        yield from _of_rows(rows, "Platz", f"nach {whole}")


@place("points", "Papier: rangliste")
def printed_ranking(look: Look) -> Facts:
    yield from _printed_ranking(look, "rangliste")


@place("points", "Papier: rangliste-aushang")
def hung_up_ranking(look: Look) -> Facts:
    yield from _printed_ranking(look, "rangliste-aushang")


def _of_file(rows: list[dict[str, Any]], stand: str) -> Facts:
    for row in rows:
        who = int(row["Startnummer"])
        yield (f"Rang {stand}", who), number(str(row["Rang"] or ""))
        yield (f"Punkte {stand}", who), number(str("" if row["Punkte"] is None else row["Punkte"]))


@place("points", "results:file")
def csv_ranking(look: Look) -> Facts:
    if look.is_ranked:
        rows = csv.DictReader(io.StringIO(look.page("results:file", "csv")[1:]), delimiter=";")
        yield from _of_file(list(rows), _stand(look))


@place("points", "results:file")
def excel_ranking(look: Look) -> Facts:
    if look.is_ranked:
        answer = look.staff.get(at("results:file", look.slug, "xlsx"))
        head, *rows = openpyxl.load_workbook(io.BytesIO(answer.content)).active.values
        yield from _of_file([dict(zip(head, row, strict=True)) for row in rows], _stand(look))


def _results_of_lists(html: str) -> Iterator[tuple[int, int | None]]:
    """Yield the result of each person from tables that are lists, by their last lines."""
    people: list[int | None] = []
    for rows in tables(html):
        for row in rows:
            if row[:2] == ["Spiel", "Geber"]:
                people = list(dict.fromkeys(map(number_in, row[2:])))
            elif row and row[0] == "Ergebnis":
                shown = row[1:] if len(row) == len(people) + 1 else row[2::2]
                for who, cell in zip(people, shown, strict=False):
                    if who:
                        yield who, number(cell)


def _list_pages(look: Look, name: str) -> Facts:
    for one in look.lists:
        serie, whole = one.table.serie.number, one.status in COMPLETE
        page = look.page(name, serie, one.table.number) if whole else ""
        for who, points in _results_of_lists(page):
            yield (f"Liste {serie}", who), points


@place("points", "checking:list")
def checked_lists(look: Look) -> Facts:
    yield from _list_pages(look, "checking:list")


@place("points", "hall:table")
def hall_tables(look: Look) -> Facts:
    yield from _list_pages(look, "hall:table")


@place("points", "Papier: spiellisten-gespielt")
def printed_lists(look: Look) -> Facts:
    for one in look.lists:
        serie = one.table.serie.number
        if one.status in COMPLETE:
            html = look.paper("spiellisten-gespielt", serie=serie, table=one.table.number)
            for who, points in _results_of_lists(html):
                yield (f"Liste {serie}", who), points


def _states(look: Look) -> Iterator[tuple[Spielliste, dict[str, Any]]]:
    """Yield what a phone at each table is told."""
    for one in look.lists:
        if one.table.serie.closed_at is None:
            yield one, Device(one).state().json()


@place("points", "table:state", "table:page", "table:code", "table:code_of")
def phones(look: Look) -> Facts:
    for one, state in _states(look):
        numbers = {player["seat"]: player["number"] for player in state["players"]}
        for total in state["totals"] if one.status in COMPLETE else ():
            shown = total["total"] if total["place"] else None  # who left has none, as on the page
            yield (f"Liste {one.table.serie.number}", numbers[total["seat"]]), shown


@place("points", "table:page")
def scripts_of_phones(look: Look) -> Facts:
    """What the page reckons by itself from the lines, in one process of Node for all tables."""
    asked, whose = [], []
    for one, state in _states(look):
        if one.status not in COMPLETE or one.is_ended or one.spans.exists():
            continue
        lines = [game["line"] for game in state["games"]]
        players = state["players"]
        given = one.penalties.filter(status=Penalty.Status.GIVEN)
        points = Counter[int]()
        for seat, more in given.values_list("registration__number", "points"):
            points[seat] += more
        penalties = [points[player["number"]] for player in players]
        lists = [{"lines": lines, "penalties": penalties}]
        rules = table_rules(
            rule_set_of(look.walk.tournament), players=len(players), bonus_size=one.bonus_size
        )
        asked.append({"rules": rules, "lists": lists})
        whose.append((one.table.serie.number, players))
    for (serie, players), answer in zip(
        whose, ask_node("reckon.js", {"most": 1, "tables": asked}) if asked else (), strict=True
    ):
        for player, total in zip(players, answer["lists"][0]["totals"], strict=True):
            yield (f"Liste {serie}", player["number"]), total["total"]


@place("points", "player:page", "player:history")
def own_pages_points(look: Look) -> Facts:
    stand = _stand(look)
    for who in look.some:
        page = text(look.anybody.get(player_path(who)).content.decode())
        if found := re.search(r"Rang (\d+)(?: mit \d+)? von \d+ (−?[\d.]+) Punkte", page):
            yield (f"Rang {stand}", who.number or 0), int(found[1])
            yield (f"Punkte {stand}", who.number or 0), number(found[2])
        for serie, points in re.findall(
            r"Liste Serie (\d), Spiel für Spiel.*?Ergebnis (−?\d+)", page
        ):
            if look.is_whole(int(serie)):
                yield (f"Serie {serie}", who.number or 0), number(points)


@place("points", "results:player")
def pages_of_players(look: Look) -> Facts:
    for who in look.some if look.is_ranked else ():
        page = look.page("results:player", who.number)
        for part in re.split(r"(?=Serie \d, Tisch \d)", page)[1:]:
            serie = int(part[6])
            for number_of, points in _results_of_lists(part):
                if look.is_whole(serie) and number_of == who.number:
                    yield (f"Liste {serie}", number_of), points


@place("points", "screen:screen", "screen:numbered", "screen:keyed")
def wall_ranking(look: Look) -> Facts:
    stand = _stand(look)
    if look.is_ranked and "laufend" not in stand:
        page = look.wall("ranking")
        for who in look.registrations:
            name = who.person.list_name
            if found := re.search(rf"(\d+) {re.escape(name)}[^−\d]* (−?\d[\d.]*)(?= |$)", page):
                yield (f"Rang {stand}", who.number or 0), int(found[1])
                yield (f"Punkte {stand}", who.number or 0), number(found[2])


@place("points", "results:statistics", "results_public:statistics")
def statistics(look: Look) -> Facts:
    best = text(look.page("results:statistics")).partition("Knappste")[0] if look.is_ranked else ""
    for who in look.registrations:
        name = re.escape(who.person.full_name)
        for points, serie in re.findall(rf"(−?\d+) {name} Serie (\d), Tisch \d", best):
            yield (f"Liste {serie}", who.number or 0), number(points)


# --- Seats and names ----------------------------------------------------------------------------


def _seated(serie: int, who: int, table: object, seat: object) -> tuple[Fact, Any]:
    return (f"Platz in Serie {serie}", who), (int(str(table)), int(str(seat)))


def _named(who: int | None, name: str, serie: int | None = None) -> tuple[Fact, Any]:
    """Return a name, now or in a Serie, without order and marks: „Berg, Ida“ is „Ida Berg“."""
    bare = re.sub(r"\(.*?\)|[,.]", " ", name)
    when = f" in Serie {serie}" if serie else ""
    return (f"Name{when}", who or 0), sorted(bare.split())


@place("seats")
def stored_seats(look: Look) -> Facts:
    for serie in look.serien:
        for seat in serie.seats.select_related("table", "registration__person"):
            who = seat.registration
            yield _seated(serie.number, who.number or 0, seat.table.number, seat.number)
            if who.number not in look.substituted:
                yield _named(who.number, who.person.full_name, serie.number)
    for one in look.registrations:
        yield _named(one.number, one.person.full_name)


@place("seats", "feed:seats", "feed:seats_of")
def feed_seats(look: Look) -> Facts:
    for serie in look.serien:
        answer = json.loads(look.page("feed:seats_of", serie.number, by=look.anybody))
        for table in answer["tables"]:
            for seat in table["seats"]:
                yield _seated(serie.number, seat["number"], table["table"], seat["seat"])


@place("seats", "Papier: sitzplan-namen")
def plan_by_names(look: Look) -> Facts:
    for serie in look.serien:
        rows = rows_with(look.paper("sitzplan-namen", serie=serie.number), "Nr.", "Tisch", "Platz")
        for row in rows:
            yield _seated(serie.number, int(row["Nr."]), row["Tisch"], row["Platz"])
            if int(row["Nr."]) not in look.substituted:  # else it names both
                yield _named(int(row["Nr."]), row["Name"], serie.number)


@place("seats", "Papier: sitzplan-tische")
def plan_by_tables(look: Look) -> Facts:
    for serie in look.serien:
        parts = re.split(r"Tisch (?=\d)", look.paper("sitzplan-tische", serie=serie.number))
        for part in parts[1:]:
            table = re.match(r"\d+", part)
            for row in (row for rows in tables(part) for row in rows):
                if table and len(row) == 3 and row[0].isdigit():
                    yield _seated(serie.number, int(row[2]), table[0], row[0])


@place("seats", "Papier: tischkarten", "Papier: druckpaket")
def table_cards(look: Look) -> Facts:
    for serie in look.serien:
        said = text(look.paper("tischkarten", serie=serie.number))
        for part in re.split(rf"Serie {serie.number} Tisch ", said)[1:]:
            table = re.match(r"\d+", part)
            for seat, found in enumerate(re.finditer(r"Nr\. (\d+)", part), start=1):
                yield _seated(serie.number, int(found[1]), table[0] if table else 0, seat)


@place("seats", "Papier: spiellisten")
def prefilled_lists(look: Look) -> Facts:
    for serie in look.serien:
        for at_table, rows in enumerate(
            (
                rows
                for rows in tables(look.paper("spiellisten", serie=serie.number))
                if rows and rows[0][:2] == ["Spiel", "Geber"]
            ),
            start=1,
        ):
            for seat, cell in enumerate(dict.fromkeys(rows[0][2:]), start=1):
                yield _seated(serie.number, number_in(cell) or 0, at_table, seat)


@place("seats", "hall:table")
def heads_of_tables(look: Look) -> Facts:
    for one in look.lists:
        page = look.page("hall:table", one.table.serie.number, one.table.number)
        for rows in tables(page):
            if rows and rows[0][:2] == ["Spiel", "Geber"]:
                for cell in dict.fromkeys(rows[0][2:]):
                    found = re.match(r"(\d) · (.+?) ?Nr\. (\d+)", cell)
                    if found:
                        serie, table = one.table.serie.number, one.table.number
                        yield _seated(serie, int(found[3]), table, found[1])
                        yield _named(int(found[3]), found[2], serie)


@place("seats", "table:state")
def seats_on_phones(look: Look) -> Facts:
    for one, state in _states(look):
        for player in state["players"]:
            serie, table = one.table.serie.number, one.table.number
            yield _seated(serie, player["number"], table, player["seat"])
            yield _named(player["number"], player["name"], serie)


@place("seats", "screen:screen")
def wall_seats(look: Look) -> Facts:
    if look.serien:
        page = look.wall("names")
        serie = max(one.number for one in look.serien)
        for found in re.finditer(r"(?<!\S)(\d+) [^\d]\S*,.*? Tisch (\d+) Platz (\d)", page):
            yield _seated(serie, int(found[1]), found[2], found[3])


@place("seats", "seating:latest", "seating:serie")
def where_do_i_sit(look: Look) -> Facts:
    for serie in look.serien:
        page = text(look.page("seating:serie", serie.number, by=look.anybody))
        for found in re.finditer(r"Nr\. (\d+) Tisch (\d+) ?, Platz (\d)", page):
            yield _seated(serie.number, int(found[1]), found[2], found[3])
        for who in look.some:
            query = f"?nr={who.number}"
            page = text(look.page("seating:serie", serie.number, query=query, by=look.anybody))
            if found := re.search(r"Startnummer (\d+), .*? Tisch (\d+), Platz (\d)", page):
                yield _seated(serie.number, int(found[1]), found[2], found[3])


@place("seats", "player:page")
def own_pages_seats(look: Look) -> Facts:
    for who in look.some:
        page = text(look.anybody.get(player_path(who)).content.decode())
        if found := re.search(r"Serie (\d) Tisch (\d+), Platz (\d)", page):
            yield _seated(int(found[1]), who.number or 0, found[2], found[3])


@place("seats", "desk:list")
def listed_names(look: Look) -> Facts:
    for who in look.registrations:
        page = text(look.page("desk:registration", who.pk))
        if found := re.search(rf"\b{who.number} · (.+?) (?:{STATUSES})", page):
            yield _named(who.number, found[1])


# --- Money --------------------------------------------------------------------------------------


def _euro(shown: str | None) -> int:
    return number(shown or "") or 0


@place("money")
def stored_money(look: Look) -> Facts:
    """What the rows come to, without any query of the program."""
    entries = CashEntry.objects.filter(receipt__tournament=look.walk.tournament)
    for who in look.registrations:
        mine = entries.filter(registration=who, kind__in=OF_DUES)
        yield ("bezahlt", who.number or 0), sum(mine.values_list("amount_cents", flat=True))
    for receipt in look.walk.tournament.receipts.all():
        yield (
            ("Beleg", receipt.number),
            sum(entries.filter(receipt=receipt).values_list("amount_cents", flat=True)),
        )
    cash = entries.filter(receipt__method=Receipt.Method.CASH)
    yield ("Bestand bar", 0), sum(cash.values_list("amount_cents", flat=True))


@place("money", "desk:registration")
def registration_pages(look: Look) -> Facts:
    for who in look.registrations:
        page = text(look.page("desk:registration", who.pk))
        if found := re.search(rf"Zu zahlen {EURO}, bezahlt {EURO}\.", page):
            yield ("zu zahlen", who.number or 0), number(found[1])
            yield ("bezahlt", who.number or 0), number(found[2])
            due = re.search(rf"bezahlt {EURO}\. {EURO} offen", page)
            yield ("offen", who.number or 0), _euro(due[2]) if due else 0


@place("money", "Papier: teilnehmerliste")
def printed_participants(look: Look) -> Facts:
    for row in rows_with(look.paper("teilnehmerliste"), "Nr.", "bezahlt"):
        if row["Nr."].isdigit():
            yield ("bezahlt", int(row["Nr."])), _euro(row["bezahlt"])
            if "offen" in row:
                yield ("offen", int(row["Nr."])), _euro(row["offen"])


def _report(html: str) -> Facts:
    for row in rows_with(html, "Nr.", "zu zahlen", "bezahlt"):
        if row["Nr."].isdigit():
            yield ("zu zahlen", int(row["Nr."])), _euro(row["zu zahlen"])
            yield ("bezahlt", int(row["Nr."])), _euro(row["bezahlt"])
            owed = re.fullmatch(EURO, row.get("offen", ""))  # else with a word, as „Guthaben“
            yield ("offen", int(row["Nr."])), number(owed[1]) if owed else 0
    for row in rows_with(html, "Art", "bar"):
        if row["Art"] == "Bestand":
            yield ("Bestand bar", 0), _euro(row["bar"])


@place("money", "cash:report")
def report_page(look: Look) -> Facts:
    yield from _report(look.page("cash:report"))


@place("money", "Papier: kassenbericht")
def printed_report(look: Look) -> Facts:
    yield from _report(look.paper("kassenbericht"))


@place("money", "cash:book")
def cash_book(look: Look) -> Facts:
    rows = rows_with(look.page("cash:book"), "Beleg", "Betrag", "Kasse")
    for row in rows:
        found = number(row["Beleg"])
        yield ("Beleg", found or 0), _euro(row["Betrag"])
    if rows:
        yield ("Bestand bar", 0), _euro(rows[0]["Kasse"])


@place("money", "cash:csv")
def cash_file(look: Look) -> Facts:
    sums: dict[int, int] = {}
    rows = csv.DictReader(io.StringIO(look.page("cash:csv").lstrip("\ufeff")), delimiter=";")
    for row in rows:
        if row.get("Beleg", "").isdigit():
            found = int(row["Beleg"])
            sums[found] = sums.get(found, 0) + _euro(row["Einnahme"]) - _euro(row["Ausgabe"])
    yield from ((("Beleg", found), cents) for found, cents in sums.items())


@place("money", "cash:receipt", "Papier: quittung")
def receipts(look: Look) -> Facts:
    for receipt in list(look.walk.tournament.receipts.order_by("-number"))[:4]:
        pages = [
            look.page("cash:receipt", receipt.number),
            look.paper("quittung", receipt=receipt.number),
        ]
        for html in pages:
            rows = rows_with(html, "Posten", "Betrag")
            if rows:
                yield ("Beleg", receipt.number), _euro(rows[-1]["Betrag"])


@place("money", "desk:list")
def list_of_registrations(look: Look) -> Facts:
    page = text(look.page("desk:list"))
    for who in look.registrations:
        name = re.escape(who.person.list_name)
        if found := re.search(rf"\b{who.number} {name}(?: (?!\d+ )\S+)*? {EURO} offen", page):
            yield ("offen", who.number or 0), number(found[1])


# --- Who counts where ---------------------------------------------------------------------------


@place("groups")
def who_fits(look: Look) -> Facts:
    """Who is in by the data of the person, where no stake and nobody has a say in it."""
    for kept in look.walk.tournament.rankings.filter(stake_cents=0, kind__in=OF_SOME):
        for who in look.registrations:
            born, gender = who.person.birth_year, who.person.gender
            by_year = not (kept.born_from or kept.born_until) or (
                born and (kept.born_from or 0) <= born <= (kept.born_until or 9999)
            )
            is_known = gender if kept.kind == "women" else born
            if (
                is_known
                and who.takes_part
                and not who.ranking_choices.filter(ranking=kept).exists()
            ):
                fits = bool(by_year) and (kept.kind != "women" or gender == "f")
                yield (f"in {kept.kind}", who.number or 0), fits


@place("groups")
def stored_members(look: Look) -> Facts:
    for kept in look.walk.tournament.rankings.filter(kind__in=OF_SOME):
        members = set(kept.registrations.values_list("pk", flat=True))
        for who in look.registrations:
            yield (f"in {kept.kind}", who.number or 0), who.pk in members


@place("groups", "results:ranking")
def ranked_members(look: Look) -> Facts:
    if not Rankings(look.walk.tournament).last_whole:
        return
    ranked = {who for (fact, who), value in service(look) if "Rang nach" in fact and value}
    for kept in look.walk.tournament.rankings.filter(kind__in=OF_SOME):
        page = look.page("results:ranking", query=f"?wertung={SLUGS[kept.category]}")
        members = {number_in(row["Name"]) for row in rows_with(page, "Rang", "Punkte")}
        for who in ranked:
            yield (f"in {kept.kind}", who), who in members
