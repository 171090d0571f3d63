"""The content of a ranking: its lines, the reasons for their order, and missing lists."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.ordering import Order
from scoring.payments import prizes
from scoring.standings import Criterion, Standing
from tournaments.announcement.queries.publication import team_name
from tournaments.common.formats import listed, rounding
from tournaments.common.formats import points as signed
from tournaments.lists.queries import data as list_data
from tournaments.lists.queries.data import ListData
from tournaments.models import Registration, Spielliste, Team
from tournaments.people.queries.naming import Readers

# The reason why a player has no points in a Serie, by the status of the list.
_WITHOUT_POINTS = {
    Spielliste.Status.INVALID: gettext_lazy("ungültig"),
    Spielliste.Status.OPEN: gettext_lazy("läuft"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ListsState:
    """The state of the lists of a Serie."""

    number: int
    tables: int
    settled: int  # verified or invalid
    counted: int  # with results
    running: tuple[int, ...]  # tables with an unfinished list
    unchecked: tuple[int, ...]  # tables whose list counts and is not verified yet

    @property
    def is_settled(self) -> bool:
        """Whether all lists are settled; then only a correction changes them."""
        return self.tables > 0 and self.settled == self.tables

    @property
    def sentence(self) -> str:
        """Return the numbers of lists that exist and are missing; "" if everything is settled."""
        if not self.tables:
            return _("Serie {number} ist noch nicht ausgelost.").format(number=self.number)
        parts = []
        if self.running:
            parts.append(
                ngettext(
                    "{missing} von {tables} Listen fehlt (Tisch {which})",
                    "{missing} von {tables} Listen fehlen (Tische {which})",
                    len(self.running),
                ).format(tables=self.tables, missing=len(self.running), which=listed(self.running))
            )
        if self.unchecked:
            parts.append(
                ngettext(
                    "{number} Liste ist noch nicht geprüft (Tisch {which})",
                    "{number} Listen sind noch nicht geprüft (Tische {which})",
                    len(self.unchecked),
                ).format(number=len(self.unchecked), which=listed(self.unchecked))
            )
        if not parts:
            return ""
        return _("Serie {number}: {parts}.").format(number=self.number, parts=", ".join(parts))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A Serie in a line: the points, or the reason why there are none."""

    serie: int  # 0: carried points
    label: str  # "Serie 2"
    points: int | None
    note: str = ""  # German, if the points need an explanation
    scaled: int = 0  # own games that the points were scaled from; 0: not scaled
    is_struck: bool = False  # does not count, because the best Serien do


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedLine:
    """One line of a ranking as a page shows it."""

    standing: Standing
    name: str
    club: str
    cells: tuple[Cell, ...]
    decided: str  # German: the criterion against the line before; "" if the points decided
    registration: Registration | None  # None in rankings of teams
    team: Team | None = None
    members: tuple[Registration, ...] = ()
    moved: int = 0  # ranks gained since the Serie before; negative if lost

    @property
    def lost(self) -> int:
        """Ranks lost since the Serie before."""
        return max(-self.moved, 0)

    @property
    def so_far(self) -> str:
        """Return the number of games as a text; "" if whole Serien count."""
        games = self.standing.games
        if games is None:
            return ""
        if self.team is not None:
            return ngettext(
                "nach zusammen {games} Spiel", "nach zusammen {games} Spielen", games
            ).format(games=games)
        return _("nach Spiel {games}").format(games=games) if games else _("vor Spiel 1")

    @property
    def scaled(self) -> str:
        """Return the scaled results with their own games, in words; "" if there are none."""
        return "; ".join(f"{cell.label} {cell.note}" for cell in self.cells if cell.scaled)

    @property
    def compared(self) -> int:
        """The points with the allowance for missing games, rounded half up."""
        compared = self.standing.compared
        if isinstance(compared, int):
            return compared
        return (2 * compared.numerator + compared.denominator) // (2 * compared.denominator)

    @property
    def has_result(self) -> bool:
        """Whether it has any result."""
        return self.standing.results > 0

    @property
    def has_place(self) -> bool:
        """Whether its rank is shown; the Ausschreibung may exclude players who missed a Serie."""
        return self.standing.has_place

    @property
    def serien_cells(self) -> tuple[Cell, ...]:
        """The cells of Serien, without the carried points."""
        return tuple(cell for cell in self.cells if cell.serie)

    @property
    def carried(self) -> str:
        """Return the carried points in words; "" if there are none."""
        points = self.standing.carried
        return "" if points is None else _("davon Vorrunde {points}").format(points=signed(points))

    @property
    def struck(self) -> str:
        """Return the struck Serien in words; "" if all count."""
        return ", ".join(cell.label for cell in self.cells if cell.is_struck)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingTable:
    """A ranking with all data for a page, a file or a document."""

    ranking: prizes.PrizeRanking
    title: str  # German: "Zwischenstand nach Serie 2"
    upto: int  # Serien counted
    lines: tuple[RankedLine, ...]
    serien: tuple[ListsState, ...]  # those counted
    is_final: bool  # only a correction can change it
    compares: bool  # numbers of games differ, so an allowance is added
    moved_since: int = 0  # the Serie since which moves are counted; 0: unknown
    columns: tuple[str, ...] = ()  # the labels of the cells
    terms: tuple[str, ...] = ()  # German: the departures of the Ausschreibung from § 1.5
    counts_all: bool = True  # all Serien count, as in § 1.5; missing one leaves the place
    order: Order = Order.FEWEST  # of its points; with the most first, lines also have Augen

    @property
    def has_struck(self) -> bool:
        """Whether a result in it is struck."""
        return any(line.standing.struck for line in self.lines)

    @property
    def has_results(self) -> bool:
        """Whether a line has a result."""
        return any(line.has_result for line in self.lines)

    @property
    def is_left_empty(self) -> bool:
        """Whether no line has a result, although no list of its Serien is missing."""
        is_whole = all(state.tables and not state.running for state in self.serien)
        return bool(self.serien) and is_whole and not self.has_results

    @property
    def scaled_sentence(self) -> str:
        """Return the explanation of „aus … Spielen“ (§ 2.2.1); "" without scaled results."""
        if not any(cell.scaled for line in self.lines for cell in line.cells):
            return ""
        return _(
            "„aus … Spielen“: Wer in einer Serie mehr oder weniger eigene Spiele hat als eine "
            "ganze Liste, dessen Ergebnis ist einmal auf sie umgerechnet und {rounded} (§ 2.2.1)."
        ).format(rounded=rounding(self.order))

    @property
    def open_points(self) -> list[str]:
        """Return the missing lists of a final ranking, one sentence for each Serie."""
        return [sentence for state in self.serien if (sentence := state.sentence)]

    @property
    def gaps(self) -> tuple[int | None, ...]:
        """The distance of each line to the first, in points; None with fewer Serien than it."""
        return tuple(
            line.standing.order.behind(line.compared, self.lines[0].compared)
            if line.has_result and line.standing.lacks == self.lines[0].standing.lacks
            else None
            for line in self.lines
        )

    @property
    def ties(self) -> tuple[tuple[RankedLine, ...], ...]:
        """The groups that share a rank and can have an Entscheidungsspiel, best first."""
        return tied_lines(self.lines)


def title_of(ranking: prizes.PrizeRanking, counted: int, *, whole: int, is_end: bool) -> str:
    """Return the title of a ranking, which names its stand.

    Args:
        ranking: of all Serien, or of a single one or day.
        counted: the last Serie that counts; 0 if none does.
        whole: the last Serie with all its lists.
        is_end: whether all Serien count and are settled.
    """
    if ranking.is_of_part:
        return _("{part} allein").format(part=ranking.describe())
    if not counted:
        return _("Stand vor der ersten Serie")
    if counted > whole:
        return _("Stand mit Serie {number}").format(number=counted)
    if is_end:
        return _("Endstand")
    return _("Zwischenstand nach Serie {number}").format(number=counted)


def tied_lines(lines: Iterable[RankedLine]) -> tuple[tuple[RankedLine, ...], ...]:
    """Return the groups of lines that share a rank and have results."""
    groups: dict[int, list[RankedLine]] = defaultdict(list)
    for line in lines:
        if line.standing.tie is not None and line.standing.tie.needs_playoff:
            groups[line.standing.rank].append(line)
    return tuple(tuple(group) for group in groups.values())


def state_of(number: int, lists: Sequence[ListData]) -> ListsState:
    """Return the state of the lists of a Serie."""
    return ListsState(
        number=number,
        tables=len(lists),
        settled=sum(data.status in Spielliste.SETTLED for data in lists),
        counted=sum(data.status in list_data.COMPLETE for data in lists),
        running=tuple(data.table for data in lists if data.status == Spielliste.Status.OPEN),
        unchecked=tuple(
            data.table
            for data in lists
            if data.status in list_data.COMPLETE and data.status not in Spielliste.SETTLED
        ),
    )


def cells_of(
    standing: Standing,
    labels: Mapping[int, str],
    statuses: Mapping[int, str],
    scaled: Mapping[int, int],
) -> tuple[Cell, ...]:
    """Return the cells of a line.

    Args:
        standing: the line.
        labels: of the Serien; at 0 of the carried points, if the tournament has such.
        statuses: of its lists, by Serie.
        scaled: the own games of Serien whose result is scaled.
    """
    carries = 0 in labels
    totals = (standing.carried, *standing.series_totals) if carries else standing.series_totals
    cells = [
        Cell(serie=serie, label=label, points=points, note=_note(points, statuses.get(serie)))
        if points is None or serie not in scaled
        else Cell(
            serie=serie,
            label=label,
            points=points,
            note=scaled_note(scaled[serie]),
            scaled=scaled[serie],
        )
        for (serie, label), points in zip(labels.items(), totals, strict=True)
    ]
    for at in standing.struck:
        cells[at + carries] = replace(cells[at + carries], is_struck=True)
    return tuple(cells)


def scaled_note(games: int) -> str:
    """Return the mark of a result that is scaled from *games* own games."""
    return ngettext("aus {games} Spiel", "aus {games} Spielen", games).format(games=games)


def _note(points: int | None, status: str | None) -> str:
    if status is None or (points is not None and status != Spielliste.Status.OPEN):
        return ""
    return str(_WITHOUT_POINTS.get(Spielliste.Status(status), ""))


def decided_sentence(
    ahead: Standing | None, standing: Standing, *, by_lot: bool = False, carries: bool = False
) -> str:
    """Return the criterion that put a line behind the one before it; "" for the points (§ 1.5).

    A line with missing results is behind all others, so the sentence has their number; if the
    ranking *carries* points, a line without any has a missing result.
    """
    parts = []
    lacks_carried = carries and standing.carried is None
    if standing.results and standing.lacks:
        missing = standing.lacks - lacks_carried
        needed = standing.results + missing
        played = _("{mine} von {serien} Serien").format(mine=standing.results, serien=needed)
        lacking = ", ".join(
            [*([played] if missing else []), *([_("ohne Vorrunde")] if lacks_carried else [])]
        )
        parts.append(lacking)
        if not standing.has_place:
            return _("{lacking}, darum kein Platz").format(lacking=lacking)
    match standing.decided_by:
        case Criterion.AUGEN if ahead is not None:
            more = _("gleich viele Wertpunkte, mehr Augen ({mine} statt {theirs})")
            parts.append(more.format(mine=standing.augen, theirs=ahead.augen))
        case Criterion.GAMES if ahead is not None:
            fewer = _("gleiche Punkte, weniger Spiele beendet ({mine} statt {theirs})")
            parts.append(fewer.format(mine=standing.games_won, theirs=ahead.games_won))
        case Criterion.HANDROMME if ahead is not None:
            fewer = _("gleiche Punkte und Spiele, weniger Handrommés ({mine} statt {theirs})")
            parts.append(fewer.format(mine=standing.handromme, theirs=ahead.handromme))
        case Criterion.BEST_SERIE:
            parts.append(
                _("gleich, aber die beste Serie hat weniger Wertpunkte")
                if standing.order.most_first
                else _("gleich, aber die beste Serie hat mehr Punkte")
            )
        case Criterion.LAST_SERIE:
            parts.append(
                _("gleich, aber die letzte Serie hat weniger Wertpunkte")
                if standing.order.most_first
                else _("gleich, aber die letzte Serie hat mehr Punkte")
            )
        case Criterion.PLAYOFF:
            parts.append(_("durch Los") if by_lot else _("durch Entscheidungsspiel"))
        case Criterion.SHARED if standing.results:
            parts.append(_("in allem gleich"))
    return ", ".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownLine:
    """A line of a ranking with the names for its readers."""

    line: RankedLine
    name: str
    beside: str  # start number and club, or the members of a team
    club: str = ""  # of a named player


def shown_lines(table: RankingTable, readers: Readers) -> Iterable[ShownLine]:
    """Yield the lines of a ranking with the names that *readers* may see."""
    of_teams = readers.among(
        member for line in table.lines if line.registration is None for member in line.members
    )
    for line in table.lines:
        if line.registration is None:
            name = team_name(line.name, line.members, of_teams)
            members = ", ".join(of_teams.of(member) for member in line.members)
            yield ShownLine(line=line, name=name, beside=members if name == line.name else "")
        elif readers.names(line.registration):
            number = _("Nr. {number}").format(number=line.standing.number)
            beside = " · ".join(filter(None, [number, line.club]))
            yield ShownLine(line=line, name=line.name, beside=beside, club=line.club)
        else:
            yield ShownLine(line=line, name=readers.listed(line.registration), beside="")
