"""One Spielliste as a page of paper: what stands in each cell, blank or filled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import ceil

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.ruleset import RuleSet
from scoring.spielliste import SeatCount, SeatResult, running_minus

MINUS = "\N{MINUS SIGN}"

# Heights in mm, to share out what is left of the page among the rows of games. They follow
# print_spielliste.css, and the width of letters is what German names need on average.
PAGE_HEIGHT = 273.0
PAGE_WIDTH = 184.0
HIGHEST_ROW = 10.2
LOWEST_ROW = 5.6
TIGHT_ROW = 7.6
WIDTH_BESIDE = 22.0  # columns of game and dealer
WIDTH_BESIDE_FIVE = 19.0  # the same at tables of five and more
LETTER = 1.95  # bold 10.5 pt
SMALL_LETTER = 1.75


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetSeat:
    """Who sits at a seat; empty on a blank list."""

    number: int
    name: str = ""
    about: str = ""  # start number and club
    signed: str = ""  # a drawn signature, as a picture's address
    sign_here: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetCell:
    """What one game brings to one seat."""

    points: str = ""
    running: str = ""
    finished: bool = False
    handromme: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRow:
    """One game."""

    number: int
    dealer: int
    ends_round: bool
    cells: tuple[SheetCell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetTotal:
    """One line below the games."""

    label: str
    values: tuple[str, ...]
    is_result: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What was written into a list."""

    counts: Sequence[Sequence[SeatCount]] = ()  # a row for each game
    results: Sequence[SeatResult] = ()
    ranks: Sequence[int] = ()  # at the table
    bussgeld: Sequence[str] = ()
    noted: Sequence[Sequence[bool]] = ()  # by game and seat: explained below the list


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One page."""

    label: str  # „Blatt 3 von 62“
    heading: str
    details: str
    seats: tuple[SheetSeat, ...]
    rows: tuple[SheetRow, ...]
    totals: tuple[SheetTotal, ...]
    formula: str
    check: str
    row_height: str
    is_tight: bool
    note: str = ""
    qr: str = ""
    qr_alt: str = ""
    code: str = ""  # to type instead of the QR code
    code_hint: str = ""
    remarks: tuple[str, ...] = ()
    verified: str = ""
    version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetHead:
    """What a sheet says beside its games."""

    label: str
    heading: str
    where: str
    details: str
    note: str = ""
    qr: str = ""
    code: str = ""
    remarks: tuple[str, ...] = field(default=())
    verified: str = ""
    version: str = ""


def sheet(
    rule_set: RuleSet,
    head: SheetHead,
    seats: Sequence[SheetSeat],
    *,
    played: Played | None = None,
    bonus_size: int | None = None,
    has_bussgeld: bool,
) -> Sheet:
    """Return the page of a list; without *played* it is to be filled in by hand.

    Args:
        rule_set: what the games and the lines below them are.
        head: what stands above and below them.
        seats: seat 1 first; blank ones have a number only.
        played: what was written into the list, if anything.
        bonus_size: the size of table that counts for the bonus, if not the number of seats.
        has_bussgeld: whether the tournament takes a Bußgeld.
    """
    size = bonus_size or len(seats)
    totals = _totals(rule_set, len(seats), size, played, has_bussgeld)
    row = _row_height(rule_set.games, head, seats, len(totals))
    return Sheet(
        label=head.label,
        heading=head.heading,
        details=head.details,
        note=head.note,
        qr=head.qr,
        qr_alt=_("QR-Code: diese Liste am Handy führen") if head.qr else "",
        code=head.code,
        code_hint=_("Am Handy führen:") if head.code else "",
        seats=tuple(seats),
        rows=_rows(rule_set, len(seats), played),
        totals=totals,
        formula=formula(rule_set, size),
        check=_check(rule_set, played),
        remarks=head.remarks,
        verified=head.verified,
        version=head.version,
        row_height=f"{row:.1f}mm",
        is_tight=row < TIGHT_ROW,
    )


def table_word(size: int) -> str:
    """Return what a table of *size* is called."""
    words = {
        2: _("Zweiertisch"),
        3: _("Dreiertisch"),
        4: _("Vierertisch"),
        5: _("Fünfertisch"),
        6: _("Sechsertisch"),
    }
    return words.get(size) or _("Tisch zu {size}").format(size=size)


def size_details(rule_set: RuleSet, size: int) -> str:
    """Say what the size of the table means: „Vierertisch (20 je beendetem Spiel)“."""
    bonus = rule_set.bonus_per_game.get(size, 0)
    if not bonus:
        return table_word(size)
    return _("{table} ({bonus} je beendetem Spiel)").format(table=table_word(size), bonus=bonus)


def formula(rule_set: RuleSet, size: int) -> str:
    """Say how the result follows from the lines, and who wins (§§ 1.5, 3.2)."""
    letters = _letters(rule_set, size)
    terms = [_("A + F")]
    terms += [f"{MINUS} {letter}" for letter in ("C", "E") if letter in letters]
    terms += ["+ G"] if "G" in letters else []
    ties = [_("mehr beendete Spiele")]
    ties += [_("mehr Handrommés")] if rule_set.handromme else []
    return _(
        "Ergebnis = {terms}. Die wenigsten Punkte gewinnen; bei Gleichstand {ties},"
        " dann das Entscheidungsspiel (§ 1.5)."
    ).format(terms=" ".join(terms), ties=_(", dann ").join(ties))


def short_formula(rule_set: RuleSet) -> str:
    """Say in one sentence how a result comes about, for tables of every size (§ 3.2)."""
    parts = [
        _("{points} je beendetem Spiel am Tisch zu {size}").format(
            points=rule_set.bonus_per_game[size], size=size
        )
        for size in rule_set.table_sizes
        if rule_set.bonus_per_game.get(size)
    ]
    if rule_set.handromme and rule_set.handromme.bonus:
        parts.append(_("{points} je Handrommé").format(points=rule_set.handromme.bonus))
    if not parts:
        return _("Ergebnis = Minuspunkte + Strafpunkte; die wenigsten Punkte gewinnen.")
    return _(
        "Ergebnis = Minuspunkte + Strafpunkte, weniger {bonus}; die wenigsten Punkte gewinnen."
    ).format(bonus=", ".join(parts))


def _letters(rule_set: RuleSet, size: int) -> dict[str, str]:
    """Return the lines below the games: their letters and what they are."""
    bonus = rule_set.bonus_per_game.get(size, 0)
    found = {"A": _("A  Minuspunkte"), "B": _("B  beendete Spiele")}
    if bonus:
        found["C"] = _("C  B × {bonus}").format(bonus=bonus)
    if rule_set.handromme:
        found["D"] = _("D  Handrommé")
        if rule_set.handromme.bonus:
            found["E"] = _("E  D × {bonus}").format(bonus=rule_set.handromme.bonus)
    found["F"] = _("F  Strafpunkte")
    if rule_set.grants:
        found["G"] = _("G  Gutschriften")
    return found


_VALUES: dict[str, Callable[[SeatResult], int]] = {
    "A": lambda one: one.minus,
    "B": lambda one: one.games_won,
    "C": lambda one: -one.bonus,
    "D": lambda one: one.handromme,
    "E": lambda one: -one.handromme_bonus,
    "F": lambda one: one.penalty,
    "G": lambda one: one.adjustment,
}


def _totals(
    rule_set: RuleSet, players: int, size: int, played: Played | None, has_bussgeld: bool
) -> tuple[SheetTotal, ...]:
    nothing = ("",) * players
    totals = [
        SheetTotal(
            label=label,
            values=tuple(_or_dash(letter, _VALUES[letter](one)) for one in played.results)
            if played
            else nothing,
        )
        for letter, label in _letters(rule_set, size).items()
    ]
    results = tuple(signed(one.total) for one in played.results) if played else nothing
    totals.append(SheetTotal(label=_("Ergebnis"), values=results or nothing, is_result=True))
    ranks = tuple(f"{rank}." for rank in played.ranks) if played else nothing
    totals.append(SheetTotal(label=_("Platz am Tisch"), values=ranks or nothing))
    if has_bussgeld:
        amounts = tuple(played.bussgeld) if played else nothing
        totals.append(SheetTotal(label=_("Bußgeld"), values=amounts or nothing))
    return tuple(totals)


def _or_dash(letter: str, value: int) -> str:
    # Strafpunkte are seldom; a dash says that nobody forgot them.
    return "–" if letter in "FG" and not value else signed(value)


def signed(points: int) -> str:
    """Write points with a true minus."""
    return f"{MINUS}{-points}" if points < 0 else str(points)


def _rows(rule_set: RuleSet, players: int, played: Played | None) -> tuple[SheetRow, ...]:
    counts = played.counts if played else ()
    running = running_minus(counts)
    return tuple(
        SheetRow(
            number=game,
            dealer=rule_set.dealer(game, players),
            ends_round=game % players == 0 or game == rule_set.games,
            cells=_cells(played, game, running[game - 1])
            if played and game <= len(counts)
            else (SheetCell(),) * players,
        )
        for game in range(1, rule_set.games + 1)
    )


def _cells(played: Played, game: int, running: Sequence[int]) -> tuple[SheetCell, ...]:
    marks = played.noted[game - 1] if played.noted else (False,) * len(running)
    return tuple(
        SheetCell(
            points=f"{count.minus}*" if marked else str(count.minus),
            running=str(total),
            finished=count.finished,
            handromme=count.handromme,
        )
        for count, total, marked in zip(played.counts[game - 1], running, marks, strict=True)
    )


def _check(rule_set: RuleSet, played: Played | None) -> str:
    """Return the check of the sums: every game was finished by somebody, once."""
    if played is None:
        if rule_set.ends_without_finisher:
            return _("Probe: Summe B ist höchstens {games}.").format(games=rule_set.games)
        return _("Probe: Summe B = ______, muss {games} sein.").format(games=rule_set.games)
    finished = sum(result.games_won for result in played.results)
    games = len(played.counts)
    if finished == games:
        return _("Probe: Summe B = {finished}, wie gespielt.").format(finished=finished)
    return ngettext(
        "Probe: Summe B = {finished} bei {games} Spiel.",
        "Probe: Summe B = {finished} bei {games} Spielen.",
        games,
    ).format(finished=finished, games=games)


def _lines(text: str, letter: float, width: float) -> int:
    return max(1, ceil(len(text) * letter / width)) if text else 0


def _row_height(games: int, head: SheetHead, seats: Sequence[SheetSeat], totals: int) -> float:
    """Return the height of a row in mm: as high as the page allows, to write in by hand."""
    beside = WIDTH_BESIDE if len(seats) <= 4 else WIDTH_BESIDE_FIVE
    column = (PAGE_WIDTH - beside) / len(seats) - 1.5
    beside_title = PAGE_WIDTH - (32 if head.qr else 0) - (30 if head.code else 0)
    title = (
        8.2 * _lines(head.heading, 3.9, beside_title)
        + 4.5 * _lines(head.where, SMALL_LETTER, beside_title)
        + 4.5 * _lines(head.details, SMALL_LETTER, beside_title)
        + 4.5 * _lines(head.note, LETTER, beside_title)
        + 3
    )
    small = len(seats) > 4
    names = max(
        _lines(f"{seat.number} · {seat.name}", LETTER * (0.88 if small else 1), column) * 4.2
        + _lines(seat.about, SMALL_LETTER * (0.88 if small else 1), column) * 3.7
        for seat in seats
    )
    below = (
        3 + totals * 6.1
        + 11  # formula and check
        + sum(1.6 + 4.1 * _lines(remark, 1.65, PAGE_WIDTH) for remark in head.remarks)
        + 13 + 4 * max(_lines(seat.sign_here, 1.6, PAGE_WIDTH / len(seats) - 5) for seat in seats)
        + 11
    )  # fmt: skip
    left = PAGE_HEIGHT - 3 - max(27, title) - 2.5 - names - 2 - 5.8 - below
    return min(HIGHEST_ROW, max(LOWEST_ROW, left / games))
