"""One Spielliste on paper: the content of each cell, blank or filled, page by page."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.list_rows import PlayedRow
from scoring.ruleset import RuleSet
from scoring.spielliste import SeatResult
from tournaments.common.formats import NOTHING, points, table_word
from tournaments.lists.queries.foot import FootLine, foot_lines, formula
from tournaments.printing.sheet_pages import Measures, PageOfGames, SheetHead, SheetSeat, pages_for
from tournaments.rulebook.queries import rule_set_text

Total = tuple[str, tuple[str, ...], bool]  # label, values, and whether it is the result


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedRow:
    """One game."""

    number: int
    dealer: int
    sits_out: int | None  # seat whose cell is struck out
    ends_round: bool
    played: PlayedRow | None  # None: to be filled in by hand
    contract: str  # the contract, if the rules have contracts
    is_before_move: bool  # players changed seats after it


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedListData:
    """The data of a list that was played."""

    rows: Sequence[PlayedRow] = ()
    results: Sequence[SeatResult] = ()
    ranks: Sequence[int | None] = ()  # at the table
    bussgeld: Sequence[str] = ()
    bought: Sequence[int] = ()  # cards, if the rules have bought cards
    left: Collection[int] = ()  # seats without a result
    finished: int = 0  # games finished by a player, including players who sit elsewhere now
    moved_after: Collection[int] = ()  # games after which players changed seats
    extrapolated_from: int | None = None  # games, if they count for a whole list


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedSheet:
    """One page of a list; only the last one has the sums and the lines to sign on."""

    head: SheetHead
    seats: tuple[SheetSeat, ...]
    rows: tuple[PrintedRow, ...]
    page: PageOfGames
    is_blank: bool  # the names are written by hand
    has_contracts: bool
    totals: Sequence[Total]
    formula: str
    check: str
    most_first: bool = False  # Wertpunkte beside the Augen
    continues: str = ""  # text in place of the sums on a page before the last


def sheets(
    rule_set: RuleSet,
    head: SheetHead,
    seats: Sequence[SheetSeat],
    *,
    played: PlayedListData | None = None,
    bonus_size: int | None = None,
    has_bussgeld: bool,
) -> list[PrintedSheet]:
    """Return the pages of a list, nearly always one; without *played* to be filled in by hand.

    Args:
        rule_set: for the games and the lines below them.
        head: texts above and below them.
        seats: seat 1 first; blank ones have a number only.
        played: the data of the list, if it was played.
        bonus_size: the size of table that counts for the bonus, if not the number of seats.
        has_bussgeld: whether the tournament takes a Bußgeld.
    """
    size = bonus_size or len(seats)
    foot = foot_lines(
        rule_set,
        size=size,
        results=played.results if played else (),
        extrapolated_from=played.extrapolated_from if played else None,
    )
    totals = _totals(foot, len(seats), played, has_bussgeld)
    if rule_set.purchases:
        bought = map(str, played.bought) if played else ()
        totals += (_total(_("Gekaufte Karten"), bought, len(seats)),)
    rows = _rows(rule_set, len(seats), played)
    has_contracts = any(row.contract for row in rows)
    measures = Measures(head=head, seats=seats, totals=len(totals), has_contracts=has_contracts)
    games = rule_set.games_at(len(seats))
    pages = pages_for(measures, games)
    agreed = replace(head, remarks=(*head.remarks, *_option_lines(rule_set)))
    with_agreed = pages_for(replace(measures, head=agreed), games)
    # The options are printed in the rules as well, so they may be left out to stay on one page.
    if len(with_agreed) == len(pages):
        pages, head = with_agreed, agreed
    printed = []
    for page in pages:
        is_last = page is pages[-1]
        printed.append(
            PrintedSheet(
                head=head if is_last else replace(head, remarks=(), version="", verified=""),
                seats=tuple(seats),
                rows=rows[page.start : page.end],
                page=page,
                is_blank=measures.is_blank,
                has_contracts=has_contracts,
                totals=totals if is_last else (),
                formula=_formula(rule_set, foot, by_lot=head.by_lot) if is_last else "",
                check=_check(rule_set, games, played) if is_last else "",
                most_first=rule_set.order.most_first,
                continues="" if is_last else _("Summen und Unterschriften auf dem nächsten Blatt."),
            )
        )
    return printed


def size_details(rule_set: RuleSet, size: int) -> str:
    """Return the size of the table and its effect: „Vierertisch (20 je beendetem Spiel)“."""
    bonus = abs(rule_set.rates(size)[0])
    if not bonus:
        return table_word(size)
    return _("{table} ({bonus} je beendetem Spiel)").format(table=table_word(size), bonus=bonus)


def _formula(rule_set: RuleSet, foot: Collection[FootLine], *, by_lot: bool) -> str:
    """Return the formula of the result, and who wins (§§ 1.5, 3.2)."""
    text = (
        _("Ergebnis = {terms}. Die meisten Wertpunkte gewinnen; bei Gleichstand {decides}.")
        if rule_set.order.most_first
        else _("Ergebnis = {terms}. Die wenigsten Punkte gewinnen; bei Gleichstand {decides}.")
    )
    return text.format(
        terms=formula(foot), decides=rule_set_text.tie_breaks(rule_set, by_lot=by_lot)
    )


def short_formula(rule_set: RuleSet) -> str:
    """Return the formula of a result in one sentence, for tables of every size (§ 3.2)."""
    if rule_set.valuation:
        valued = "; ".join(rule_set_text.valuation(rule_set))
        return _("Wertpunkte: {valued}; die meisten gewinnen.").format(valued=valued)
    sizes_by_bonus: dict[int, list[int]] = {}
    for size in rule_set.table_sizes:
        sizes_by_bonus.setdefault(rule_set.bonus_per_game.get(size, 0), []).append(size)
    parts = [
        _("{points} je beendetem Spiel am Tisch zu {sizes}").format(
            points=points, sizes=rule_set_text.listed(map(str, sizes))
        )
        for points, sizes in sizes_by_bonus.items()
        if points
    ]
    if rule_set.handromme and rule_set.handromme.bonus:
        parts.append(_("{points} je Handrommé").format(points=rule_set.handromme.bonus))
    if rule_set.grants:
        parts.append(_("Gutschriften"))
    if not parts:
        return _("Ergebnis = Minuspunkte + Strafpunkte; die wenigsten Punkte gewinnen.")
    return _(
        "Ergebnis = Minuspunkte + Strafpunkte, weniger {bonus}; die wenigsten Punkte gewinnen."
    ).format(bonus=", ".join(parts))


def _totals(
    foot: Collection[FootLine], players: int, played: PlayedListData | None, has_bussgeld: bool
) -> list[Total]:
    line = partial(_total, players=players)
    results = played.results if played else ()
    totals = [
        line(f"{foot_line.letter}  {foot_line.label}", foot_line.values) for foot_line in foot
    ]
    left = played.left if played else ()
    totals.append(
        line(
            _("Ergebnis"),
            (NOTHING if result.seat in left else points(result.total) for result in results),
            is_result=True,
        )
    )
    places = (f"{rank}." if rank else NOTHING for rank in (played.ranks if played else ()))
    totals.append(line(_("Platz am Tisch"), places))
    if has_bussgeld:
        totals.append(line(_("Bußgeld"), played.bussgeld if played else ()))
    return totals


def _total(label: str, values: Iterable[str], players: int, *, is_result: bool = False) -> Total:
    """Return a line below the games; without values it is filled in by hand."""
    return label, tuple(values) or ("",) * players, is_result


def _rows(rule_set: RuleSet, players: int, played: PlayedListData | None) -> tuple[PrintedRow, ...]:
    rows = dict(enumerate(played.rows if played else (), start=1))
    return tuple(
        PrintedRow(
            number=game,
            dealer=rule_set.dealer(game, players),
            sits_out=rule_set.sits_out(game, players),
            ends_round=rule_set.ends_round(game, players),
            contract=_contract(rule_set, game),
            played=rows.get(game),
            is_before_move=played is not None and game in played.moved_after,
        )
        for game in range(1, rule_set.games_at(players) + 1)
    )


def _contract(rule_set: RuleSet, game: int) -> str:
    """Return the contract of a game: „2 Sätze zu 3“, with the cards dealt if these vary."""
    this = rule_set.round(game)
    if this.contract is None:
        return ""
    text = rule_set_text.contract(this.contract)
    if len({game_round.cards_dealt for game_round in rule_set.rounds}) == 1:
        return text
    return _("{contract} · {cards} Karten").format(contract=text, cards=this.cards_dealt)


def _option_lines(rule_set: RuleSet) -> list[str]:
    """Return the options that the organiser chose, besides the number of games."""
    lines = []
    if variants := rule_set_text.variants(rule_set):
        lines.append(_("Varianten: {variants}.").format(variants="; ".join(variants)))
    if bought := rule_set_text.buying(rule_set):
        lines.append(_("Gekaufte Karten: {bought}.").format(bought="; ".join(bought)))
    if rule_set.settlement is not None:
        lines.append(_("Abrechnung: {rule}").format(rule=rule_set.settlement.describe()))
    return lines


def _check(rule_set: RuleSet, games: int, played: PlayedListData | None) -> str:
    """Return the check of the sums: every game was finished by exactly one player."""
    if played is None:
        if rule_set.ends_without_finisher:
            return _("Probe: Summe B ist höchstens {games}.").format(games=games)
        return _("Probe: Summe B = ______, muss {games} sein.").format(games=games)
    finished, games = played.finished, len(played.rows)
    if finished != sum(result.games_won for result in played.results):
        return _("Beendete Spiele zusammen: {finished} von {games}.").format(
            finished=finished, games=games
        )
    if finished == games:
        return _("Probe: Summe B = {finished}, wie gespielt.").format(finished=finished)
    return ngettext(
        "Probe: Summe B = {finished} bei {games} Spiel.",
        "Probe: Summe B = {finished} bei {games} Spielen.",
        games,
    ).format(finished=finished, games=games)
