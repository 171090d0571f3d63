"""Places that show points and ranks."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import openpyxl

from scoring.payments.prizes import OVERALL
from tests.agreement.look import LIVE, NOW, Facts, Look, place, places, states_of_tables
from tests.agreement.reading import number, rows_with, start_number, tables, text
from tests.clients import at
from tests.js.node import ask_node
from tournaments.common.ranking_names import SLUGS
from tournaments.common.rules import rule_set_of
from tournaments.lists.queries.data import COMPLETE
from tournaments.models import Penalty, Registration, Team
from tournaments.results.queries.rankings import Rankings
from tournaments.table.queries.rules import table_rules

MEANT = {"Platz": "Rang", "rank": "Rang", "points": "Punkte"}  # columns of other headings
MEANT |= {"Wertpunkte": "Punkte", "augen": "Augen"}


def _ranking(rows: Iterable[Mapping[str, Any]], stand: str, who: str = "Name") -> Facts:
    """Yield the values of each person in a ranking, by the headings of its columns."""
    for row in rows:
        for heading, shown in row.items() if start_number(row[who]) else ():
            what = MEANT.get(heading, heading)
            if what in {"Rang", "Punkte", "Augen"}:
                yield f"{what} {stand}", start_number(row[who]) or 0, number(shown)
            elif what == "Vorrunde" or (what.startswith("Serie ") and "laufend" not in stand):
                yield what, start_number(row[who]) or 0, number(shown)


@place("points")
def service(look: Look) -> Facts:
    """Return the computed ranking after the last complete Serie and during a running one."""
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
    """Return the results that the walk computes itself."""
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


@place("points", "table:state", "table:page", "table:code", "table:code_of")
def phones(look: Look) -> Facts:
    for serie, _table, spielliste, state in states_of_tables(look):
        numbers = {player["seat"]: player["number"] for player in state["players"]}
        for total in state["totals"] if spielliste.status in COMPLETE else ():
            shown = total["total"] if total["place"] else None  # leavers have none, as on the page
            yield f"Liste {serie}", numbers[total["seat"]], shown


@place("points", "table:page")
def scripts_ofstates_of_tables(look: Look) -> Facts:
    """Return the results computed by the page scripts, in one Node process for all tables."""
    asked, whose, rules = [], [], rule_set_of(look.tournament)
    parted = {data.pk for data in Rankings(look.tournament).lists if data.has_parts}
    for serie, _table, spielliste, state in states_of_tables(look):
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
    """Return the sums of members, for teams with a result of each member in each Serie."""
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
    """Return the carried points of a person: a season counts them in their own tournament."""
    return (registration.carried_points or 0) if look.tournament.carries_points else 0
