"""The lines below the games of a Spielliste, the same on a screen and on paper (§ 3.2)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.ruleset import RuleSet
from scoring.spielliste import SeatResult
from tournaments.common.formats import MINUS, NOTHING, points


@dataclass(frozen=True, slots=True, kw_only=True)
class FootLine:
    """One of the lines A, B, C, …; subtracted values are shown without a sign."""

    letter: str
    label: str
    values: tuple[str, ...]  # seat 1 first; none on a blank list


_VALUES: dict[str, Callable[[SeatResult], int]] = {
    "A": lambda result: result.minus,
    "B": lambda result: result.games_won,
    "C": lambda result: abs(result.bonus),
    "D": lambda result: result.handromme,
    "E": lambda result: abs(result.handromme_bonus),
    "F": lambda result: result.penalty,
    "G": lambda result: result.adjustment,
    "H": lambda result: result.added,
    # With Wertpunkten only
    "I": lambda result: result.steps or 0,
    "J": lambda result: result.penalty_cost,
    "K": lambda result: result.added_augen,
    "L": lambda result: result.augen or 0,
}
_TERMS = {"A": "+", "F": "+", "C": MINUS, "E": MINUS, "G": "+", "H": "+"}
_TERMS_OF_WERTPUNKTE = {"C": "+", "E": "+", "I": "+", "J": MINUS, "H": "+"}


def foot_lines(
    rule_set: RuleSet,
    *,
    size: int,
    results: Sequence[SeatResult] = (),
    extrapolated_from: int | None = None,
) -> tuple[FootLine, ...]:
    """Return the lines from which the result of each seat follows by :func:`formula`.

    Args:
        rule_set: determines the lines and their rates.
        size: the table size that counts for the bonus (§ 3.2.1).
        results: the result of each seat; empty for a blank list.
        extrapolated_from: number of games played, if all are scaled by it. Line H has no factor
            if a player changed tables or sat out more often, and so has another number of games.
    """
    labels = _labels(rule_set, size, results)
    whole = rule_set.own_games(len(results))
    own = {
        rule_set.own_games(len(results), seat=result.seat, games=extrapolated_from)
        for result in results
    }
    if extrapolated_from is not None and len(own) == 1:
        (played,) = own
        # × 12 ÷ 8 − 1 is × 4 ÷ 8: the addition is rounded to whole points like the result.
        labels["H"] = _("({terms}) × {missing} ÷ {played}").format(
            terms=_terms(labels.keys() - {"F", "J"}),
            missing=whole - played,
            played=played,
        )
    elif any(result.added or result.added_augen for result in results):
        labels["H"] = _("auf {games} Spiele umgerechnet").format(games=whole)
    if rule_set.valuation:
        labels |= _of_augen(labels, results)
    return tuple(
        FootLine(
            letter=letter,
            label=label,
            values=tuple(_or_dash(letter, _VALUES[letter](result)) for result in results),
        )
        for letter, label in labels.items()
    )


def formula(lines: Collection[FootLine]) -> str:
    """Return how the result follows from the lines: „A + F − C − E“."""
    return _terms({line.letter for line in lines})


def _terms(letters: Collection[str]) -> str:
    signs = _TERMS_OF_WERTPUNKTE if "I" in letters else _TERMS
    terms = " ".join(f"{sign} {letter}" for letter, sign in signs.items() if letter in letters)
    return terms.removeprefix("+ ")


def _of_augen(letters: Collection[str], results: Sequence[SeatResult]) -> dict[str, str]:
    """Return the lines of the Augen, if they are more than those counted in the hands."""
    if all(result.augen == result.minus for result in results):
        return {}
    has_added = any(result.added_augen for result in results)
    added = {"K": _("Augen dazu")} if has_added else {}
    terms = [letter for letter in ("A", "F", "G", "K") if letter in {*letters, *added}]
    return {**added, "L": _("Augen: {terms}").format(terms=" + ".join(terms))}


def _labels(rule_set: RuleSet, size: int, results: Sequence[SeatResult]) -> dict[str, str]:
    bonus, for_handromme = map(abs, rule_set.rates(size))
    valuation = rule_set.valuation
    labels = {"A": _("Augen") if valuation else _("Minuspunkte"), "B": _("beendete Spiele")}
    if bonus:
        labels["C"] = _("B × {bonus}").format(bonus=bonus)
    if rule_set.handromme:
        labels["D"] = _("Handrommé")
        if for_handromme:
            labels["E"] = _("D × {bonus}").format(bonus=for_handromme)
    if valuation:
        labels["I"] = _("Wertpunkte für Augen")
    labels["F"] = _("Strafpunkte")
    if valuation and valuation.penalty_per:
        labels["J"] = _("F ÷ {points}, aufgerundet").format(points=valuation.penalty_per)
    if rule_set.grants or any(result.adjustment for result in results):
        labels["G"] = _("Gutschriften")
    return labels


def _or_dash(letter: str, value: int) -> str:
    # A dash shows that there are no Strafpunkte or Gutschriften.
    return NOTHING if letter in "FGJ" and not value else points(value)
