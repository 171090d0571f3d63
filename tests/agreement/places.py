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
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from typing import Any, NamedTuple

import openpyxl

from scoring.payments.prizes import OVERALL
from tests.agreement.reading import number, rows_with, start_number, tables, text
from tests.agreement.walk import Disagreement, Walk
from tests.clients import Client, at, logged_in
from tests.factories import COMMAND
from tests.js.node import ask_node
from tests.tournaments.lists.helpers import Device
from tests.tournaments.printing.helpers import written
from tournaments.common.access_keys import player_path
from tournaments.common.errors import TournamentError
from tournaments.common.ranking_names import SLUGS
from tournaments.common.rules import rule_set_of
from tournaments.lists.queries.data import COMPLETE
from tournaments.models import CashEntry, Penalty, Receipt, Registration, Role, Spielliste, Team
from tournaments.prizes.queries.prizes import PrizeSheet
from tournaments.results.queries.rankings import Rankings
from tournaments.results.services import player_access
from tournaments.screen import services as screens
from tournaments.table.queries.rules import table_rules
from tournaments.table.services.devices import AccessEnded

EURO = r"(−?[\d.]+,\d\d €)"
OF_SOME = ("women", "juniors", "seniors")
OF_DUES = ("startgeld", "kartengeld", "stake", "credit", "refund")
STATUSES = "|".join(str(label) for label in Registration.Status.labels) + "|zahlt später|gegangen"
NOW, LIVE = "", "?laufend=1"  # the rankings that are asked for
MEANT = {"Platz": "Rang", "rank": "Rang", "points": "Punkte"}  # columns of other headings
MEANT |= {"Wertpunkte": "Punkte", "augen": "Augen"}
PAPER, PUBLIC = "Papier: ", ("results_public:", "feed:", "seating:")
Facts = Iterator[tuple[str, int, Any]]


class Look:
    """A tournament as it stands, with browsers of those who look at it."""

    def __init__(self, walk: Walk) -> None:
        self.walk, self.tournament = walk, walk.tournament
        self.staff, self.anybody = logged_in(walk.world.staff[Role.VERANSTALTER]), Client()
        self.pages: dict[str, str] = {}
        player_access.provide(self.tournament)
        numbered = self.tournament.registrations.exclude(number=None).order_by("number")
        self.people = {who.number: who for who in numbered.select_related("person")}
        # The own pages of four people are looked at; of others the next time.
        self.some = dict(list(self.people.items())[len(walk.steps) % 4 :: 4][:4])
        self.serien = list(self.tournament.serien.filter(seats__isnull=False).distinct())

    @cached_property
    def lists(self) -> list[tuple[int, int, Spielliste]]:
        """All lists, with the numbers of their Serie and table."""
        lists = Spielliste.objects.filter(table__serie__tournament=self.tournament)
        ordered = lists.select_related("table__serie").order_by("table__serie", "table")
        return [(each.table.serie.number, each.table.number, each) for each in ordered]

    @cached_property
    def points(self) -> str:
        """How the points of a ranking are called."""
        return "Wertpunkte" if rule_set_of(self.tournament).order.most_first else "Punkte"

    @cached_property
    def is_ranked(self) -> bool:
        return any(spielliste.games.exists() for _serie, _table, spielliste in self.lists)

    def is_whole(self, serie: int) -> bool:
        return all(each.status in COMPLETE for of, _table, each in self.lists if of == serie)

    def stand(self, query: str = NOW) -> str:
        """Return of which stand a ranking is, as part of the name of a fact."""
        stand = Rankings(self.tournament).stand(live=query == LIVE)
        return f"laufend nach {stand.upto}" if stand.running else f"nach {stand.upto}"

    def page(self, name: str, *keys: Any, query: str = "") -> str:
        """Return a page as its readers see it; nothing if it is refused."""
        address = at(name, self.tournament, *keys) + query
        if address not in self.pages:
            answer = (self.anybody if name.startswith(PUBLIC) else self.staff).get(address)
            self.pages[address] = answer.content.decode() if answer.status_code == 200 else ""
        return self.pages[address]

    def own_page(self, who: Registration) -> str:
        return text(self.anybody.read(player_path(who)))

    def csv(self, name: str, *keys: str) -> Iterator[dict[str, str]]:
        return csv.DictReader(io.StringIO(self.page(name, *keys).lstrip("\ufeff")), delimiter=";")

    def wall(self, shows: str) -> str:
        """Return what a beamer shows."""
        screens.show(COMMAND, self.tournament.pk, shows=shows)
        return text(self.anybody.read(at("screen:screen", self.tournament)))

    def html(self, name: str, **asked: Any) -> str:
        """Return a page, or what a document is printed from."""
        if not name.startswith(PAPER):
            return self.page(name, *asked.values())
        pieces = written(self.tournament, name.removeprefix(PAPER), **asked).prepared.pieces
        return " ".join(piece.html for piece in pieces)


class Place(NamedTuple):
    """Where facts are read."""

    about: str
    read: Callable[[Look], Facts]
    covers: tuple[str, ...]  # names of addresses, and of documents as „Papier: rangliste“


PLACES: dict[str, Place] = {}


def place(about: str, *covers: str) -> Callable[[Callable[[Look], Facts]], Callable[[Look], Facts]]:
    """Make a function the reader of a place that shows facts *about* something."""

    def decorate(read: Callable[[Look], Facts]) -> Callable[[Look], Facts]:
        PLACES[read.__name__] = Place(about, read, covers)
        return read

    return decorate


def places(about: str, *names: str) -> Callable[[Callable[[Look, str], Facts]], None]:
    """Make a function the reader of several places, each by its name."""

    def decorate(read: Callable[[Look, str], Facts]) -> None:
        def here(name: str) -> Callable[[Look], Facts]:
            return lambda look: read(look, name)

        PLACES.update({name: Place(about, here(name), (name,)) for name in names})

    return decorate


def disagreements(walk: Walk, about: str, told: Counter[str]) -> Iterator[Disagreement]:
    """Yield what two places disagree on, once for each kind of fact; count what each has *told*."""
    look = Look(walk)
    said: dict[tuple[str, int], tuple[str, Any]] = {}
    wrong: dict[str, Disagreement] = {}
    for name, here in PLACES.items():
        for what, who, value in here.read(look) if here.about == about else ():
            told[name] += 1
            first, known = said.setdefault((what, who), (name, value))
            if known != value:
                kind = f"{what}: {first} / {name}"
                detail = f"{what}, Nr. {who}: {first} says {known!r}, {name} {value!r}"
                wrong.setdefault(kind, Disagreement(kind, detail, about))
    yield from wrong.values()


# --- Points -------------------------------------------------------------------------------------


def _ranking(rows: Iterable[Mapping[str, Any]], stand: str, who: str = "Name") -> Facts:
    """Yield what a ranking says of each person, by the headings of its columns."""
    for row in rows:
        for heading, shown in row.items() if start_number(row[who]) else ():
            what = MEANT.get(heading, heading)
            if what in {"Rang", "Punkte", "Augen"}:
                yield f"{what} {stand}", start_number(row[who]) or 0, number(shown)
            elif what == "Vorrunde" or (what.startswith("Serie ") and "laufend" not in stand):
                yield what, start_number(row[who]) or 0, number(shown)


@place("points")
def service(look: Look) -> Facts:
    """The ranking as it is reckoned, after the last whole Serie and while one runs."""
    for query in (NOW, LIVE):
        rankings, stand = Rankings(look.tournament), look.stand(query)
        upto, running = rankings.stand(live=query == LIVE)
        for line in rankings.standings(OVERALL, upto=upto, running=running) if upto else ():
            yield f"Rang {stand}", line.number, line.rank if line.has_place else None
            yield f"Punkte {stand}", line.number, line.total if line.results else None
            if look.tournament.carries_points:
                yield "Vorrunde", line.number, line.carried
            if look.points == "Wertpunkte":
                yield f"Augen {stand}", line.number, line.augen if line.results else None
            for serie, total in enumerate(() if running else line.series_totals, start=1):
                yield f"Serie {serie}", line.number, total


@place("points")
def shadow(look: Look) -> Facts:
    """What the walk itself reckons."""
    numbers = {who.pk: nr for nr, who in look.people.items()}
    whole = Rankings(look.tournament).last_whole
    ranked = {who for what, who, _value in service(look) if what == "Serie 1"}
    for (serie, owner), points in look.walk.shadow.points().items():
        who = numbers.get(owner)
        if serie <= whole and who in ranked:
            yield f"Serie {serie}", who, points
            if not look.walk.shadow.has_moved():
                yield f"Liste {serie}", who, points
    for who, came in look.walk.shadow.best(whole).items():
        if numbers.get(who) in ranked:
            yield f"Punkte nach {whole}", numbers[who], came
    if look.points == "Wertpunkte" and look.tournament.best_serien is None:
        for who, augen in look.walk.shadow.augen(whole).items():
            if numbers.get(who) in ranked:
                yield f"Augen nach {whole}", numbers[who], augen


@places("points", "results:ranking", "results_public:overall")
def rankings(look: Look, name: str) -> Facts:
    for query in (NOW, LIVE):
        rows = rows_with(look.page(name, query=query), "Rang", look.points)
        yield from _ranking(rows, look.stand(query))


@place("points", "feed:overall", "feed:ranking")
def feed_ranking(look: Look) -> Facts:
    for query in (NOW, LIVE):
        answer = json.loads(look.page("feed:overall", query=query))
        yield from _ranking(answer["lines"], look.stand(query), "number")


@places("points", "Papier: rangliste", "Papier: rangliste-aushang")
def printed_rankings(look: Look, name: str) -> Facts:
    whole = Rankings(look.tournament).last_whole
    # Paper without a single result is refused.
    if whole and any(value for what, _who, value in service(look) if what == f"Rang nach {whole}"):
        yield from _ranking(rows_with(look.html(name), "Platz", look.points), f"nach {whole}")


@place("points", "results:file")
def csv_ranking(look: Look) -> Facts:
    if look.is_ranked:
        yield from _ranking(look.csv("results:file", "csv"), look.stand(), "Startnummer")


@place("points", "results:file")
def excel_ranking(look: Look) -> Facts:
    if look.is_ranked:
        answer = look.staff.get(at("results:file", look.tournament, "xlsx"))
        head, *rows = openpyxl.load_workbook(io.BytesIO(answer.content)).active.values
        by_heading = [dict(zip(head, row, strict=True)) for row in rows]
        yield from _ranking(by_heading, look.stand(), "Startnummer")


def _results(serie: int, html: str) -> Facts:
    """Yield the result of each person from tables that are lists, by their last lines."""
    people: list[int | None] = []
    for row in (row for rows in tables(html) for row in rows):
        if row[:2] == ["Spiel", "Geber"]:
            people = list(dict.fromkeys(map(start_number, row[2:])))
        elif row and row[0] == "Ergebnis":
            shown = row[1:] if len(row) == len(people) + 1 else row[2::2]
            for who, cell in zip(people, shown, strict=False):
                if who:
                    yield f"Liste {serie}", who, number(cell)


@places("points", "checking:list", "hall:table", "Papier: spiellisten-gespielt")
def lists(look: Look, name: str) -> Facts:
    for serie, table, spielliste in look.lists:
        if spielliste.status in COMPLETE:
            yield from _results(serie, look.html(name, serie=serie, table=table))


def _phones(look: Look) -> Iterator[tuple[int, int, Spielliste, dict[str, Any]]]:
    """Yield what a phone at each table is told."""
    for serie, table, spielliste in look.lists:
        with suppress(AccessEnded):  # its Serie is closed, or its code withdrawn
            yield serie, table, spielliste, Device(spielliste).state().json()


@place("points", "table:state", "table:page", "table:code", "table:code_of")
def phones(look: Look) -> Facts:
    for serie, _table, spielliste, state in _phones(look):
        numbers = {player["seat"]: player["number"] for player in state["players"]}
        for total in state["totals"] if spielliste.status in COMPLETE else ():
            shown = total["total"] if total["place"] else None  # who left has none, as on the page
            yield f"Liste {serie}", numbers[total["seat"]], shown


@place("points", "table:page")
def scripts_of_phones(look: Look) -> Facts:
    """What the page reckons by itself from the lines, in one process of Node for all tables."""
    asked, whose, rules = [], [], rule_set_of(look.tournament)
    parted = {data.pk for data in Rankings(look.tournament).lists if data.has_parts}
    for serie, _table, spielliste, state in _phones(look):
        if spielliste.status not in COMPLETE or spielliste.is_ended or spielliste.pk in parted:
            continue
        given = Counter[int]()
        for penalty in spielliste.penalties.filter(status=Penalty.Status.GIVEN):
            given[penalty.registration.number or 0] += penalty.points
        numbers = [player["number"] for player in state["players"]]
        lines = [game["line"] for game in state["games"]]
        size = {"players": len(numbers), "bonus_size": spielliste.bonus_size}
        played = {"lines": lines, "penalties": [given[who] for who in numbers]}
        asked.append({"rules": table_rules(rules, **size), "lists": [played]})
        whose.append((serie, numbers))
    answers = ask_node("reckon.js", {"most": 1, "tables": asked}) if asked else []
    for (serie, numbers), answer in zip(whose, answers, strict=True):
        for who, total in zip(numbers, answer["lists"][0]["totals"], strict=True):
            yield f"Liste {serie}", who, total["total"]


@place("points", "player:page", "player:history")
def own_pages_points(look: Look) -> Facts:
    stand, rank = look.stand(), r"Rang (\d+)(?: mit \d+)? von \d+ (−?[\d.]+) (?:Wertp|P)unkte"
    for who, registration in look.some.items():
        page = look.own_page(registration)
        if match := re.search(rank, page):
            yield f"Rang {stand}", who, number(match[1])
            yield f"Punkte {stand}", who, number(match[2])
        for part in re.split(r"(?=Serie \d, Tisch \d+ )", page)[1:]:
            seat = registration.seats.get(serie__number=part[6])
            result = rf"Platz {seat.number}: mit den Spielen .*? zusammen (−?\d+)"
            points = re.search(result, part) or re.search(r"Ergebnis (−?\d+)", part)
            is_here = part.startswith(f"Serie {part[6]}, Tisch {seat.table.number} ")
            if points and is_here and look.is_whole(int(part[6])):
                yield f"Serie {part[6]}", who, number(points[1])


@place("points", "results:player")
def pages_of_players(look: Look) -> Facts:
    for who in look.some if look.is_ranked else ():
        for part in re.split(r"(?=Serie \d, Tisch \d)", look.page("results:player", who))[1:]:
            serie = int(part[6])
            if look.is_whole(serie):
                yield from (fact for fact in _results(serie, part) if fact[1] == who)


@place("points", "screen:screen", "screen:numbered", "screen:keyed")
def wall_ranking(look: Look) -> Facts:
    if not look.is_ranked or "laufend" in look.stand():
        return
    page, stand = look.wall("ranking"), look.stand()
    for who, registration in look.people.items():
        name = re.escape(registration.person.list_name)
        if match := re.search(rf"(\d+) {name}[^−\d]* (−?\d[\d.]*)(?= |$)", page):
            yield f"Rang {stand}", who, number(match[1])
            yield f"Punkte {stand}", who, number(match[2])


@place("points", "results:statistics", "results_public:statistics")
def statistics(look: Look) -> Facts:
    best = text(look.page("results:statistics")).partition("Knappste")[0] if look.is_ranked else ""
    for who, registration in look.people.items():
        name = re.escape(registration.person.full_name)
        for points, serie in re.findall(rf"(−?\d+) {name} Serie (\d), Tisch \d", best):
            yield f"Liste {serie}", who, number(points)


@place("points")
def sums_of_teams(look: Look) -> Facts:
    """What the members of a team come to, where all have a result in each Serie."""
    of_serie = {(what, who): total for what, who, total in service(look) if what[:5] == "Serie"}
    carried = {(what, who): total for what, who, total in service(look) if what == "Vorrunde"}
    serien = range(1, Rankings(look.tournament).last_whole + 1)
    for team in _teams(look):
        members = team.members.values_list("registration__number", flat=True)
        rows = [[of_serie.get((f"Serie {serie}", who)) for who in members] for serie in serien]
        if (
            rows
            and members
            and not any(None in row for row in rows)
            and len(members) == team.ranking.size
        ):
            in_order = sorted(map(sum, rows), reverse=look.points == "Wertpunkte")
            best = in_order[: look.tournament.best_serien]
            taken = [carried.get(("Vorrunde", who)) for who in members]
            along = 0 if None in taken else sum(taken)
            yield f"Punkte von {team.name}", 0, sum(best) + along


@place("points", "results_public:ranking")
def rankings_of_teams(look: Look) -> Facts:
    known = {what for what, _who, _sum in sums_of_teams(look)}
    for team in _teams(look):
        what, slug = f"Punkte von {team.name}", SLUGS[team.ranking.category]
        if what not in known:  # paper without a single result is refused
            continue
        page = look.page("results:ranking", query=f"?wertung={slug}")
        public = look.page("results_public:ranking", slug)
        for html in (page, public, look.html("Papier: rangliste", ranking=slug)):
            for row in rows_with(html, "Mannschaft", look.points):
                if re.match(rf"{re.escape(team.name)}(?= |$)", row["Mannschaft"]):
                    yield what, 0, number(row[look.points])


def _teams(look: Look) -> Iterator[Team]:
    teams = Team.objects.filter(ranking__tournament=look.tournament)
    yield from teams.select_related("ranking").order_by("pk")


@place("points", "seasons:season")
def season(look: Look) -> Facts:
    rows = rows_with(look.anybody.read(at("seasons:season", "saison")), "Name", "Ergebnis")
    stand = f"nach {look.tournament.serien.count()}"
    for who, registration in look.people.items():
        name = re.compile(re.escape(registration.person.list_name) + r"(?= |$)")
        yield from (
            (f"Punkte {stand}", who, number(row["Ergebnis"]) + _carried(look, registration))
            for row in rows
            if name.match(row["Name"])
        )


def _carried(look: Look, registration: Registration) -> int:
    """Return what a person took along: a season counts it where it was played."""
    return (registration.carried_points or 0) if look.tournament.carries_points else 0


# --- Seats and names ----------------------------------------------------------------------------


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
def seats_on_phones(look: Look) -> Facts:
    for serie, table, _spielliste, state in _phones(look):
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


# --- Money --------------------------------------------------------------------------------------


def _cents(shown: str) -> int:
    """Return a sum in cents; none where nothing or a word stands, as „Guthaben 5,00 €“."""
    return number(shown) or 0 if re.fullmatch(f"{EURO}|-?[\\d.]+,\\d\\d", shown) else 0


def _dues(html: str) -> Facts:
    """Yield what tables of people say of their money."""
    for row in rows_with(html, "Nr.", "bezahlt"):
        for what in {"zu zahlen", "bezahlt", "offen"} & row.keys():
            if row["Nr."].isdigit():
                yield what, int(row["Nr."]), _cents(row[what])


@place("money")
def stored_money(look: Look) -> Facts:
    """What the rows come to, without any query of the program."""
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
    with suppress(TournamentError):  # nobody is registered
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
    """What the receipts say that each person won."""
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
    """Who has chosen which thing, by the payouts of who still has a place."""
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


# --- Who counts where ---------------------------------------------------------------------------


@place("groups")
def who_fits(look: Look) -> Facts:
    """Who is in by the data of the person, where no stake, nobody and no prize has a say in it."""
    given = set(look.tournament.prize_payouts.values_list("ranking", flat=True))
    for kept in look.tournament.rankings.filter(stake_cents=0, kind__in=OF_SOME):
        if SLUGS[kept.category] in given:  # asked again until a prize of it is given out
            continue
        is_of_women = kept.kind == "women"
        for nr, who in look.people.items():
            born, gender = who.person.birth_year, who.person.gender
            is_asked = who.ranking_choices.filter(ranking=kept).exists()
            if (gender if is_of_women else born) and who.takes_part and not is_asked:
                in_years = (kept.born_from or 0) <= (born or 0) <= (kept.born_until or 9999)
                fits = (in_years or not (kept.born_from or kept.born_until)) and (
                    gender == "f" or not is_of_women
                )
                yield f"in {kept.kind}", nr, fits


@place("groups")
def stored_members(look: Look) -> Facts:
    for kept in look.tournament.rankings.filter(kind__in=OF_SOME):
        members = set(kept.registrations.values_list("pk", flat=True))
        yield from ((f"in {kept.kind}", who, row.pk in members) for who, row in look.people.items())


@place("groups", "results:ranking")
def ranked_members(look: Look) -> Facts:
    if not Rankings(look.tournament).last_whole:
        return
    ranked = {who for what, who, value in service(look) if "Rang nach" in what and value}
    for kept in look.tournament.rankings.filter(kind__in=OF_SOME):
        page = look.page("results:ranking", query=f"?wertung={SLUGS[kept.category]}")
        members = {start_number(row["Name"]) for row in rows_with(page, "Rang", look.points)}
        yield from ((f"in {kept.kind}", who, who in members) for who in ranked)
