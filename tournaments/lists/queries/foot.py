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
    """One of the lines A, B, C, …; values to be subtracted are shown without a sign."""

    letter: str
    label: str
    values: tuple[str, ...]  # seat 1 first; none on a blank list


_VALUES: dict[str, Callable[[SeatResult], int]] = {
    "A": lambda one: one.minus,
    "B": lambda one: one.games_won,
    "C": lambda one: abs(one.bonus),
    "D": lambda one: one.handromme,
    "E": lambda one: abs(one.handromme_bonus),
    "F": lambda one: one.penalty,
    "G": lambda one: one.adjustment,
    "H": lambda one: one.added,
    # With Wertpunkten only
    "I": lambda one: one.steps or 0,
    "J": lambda one: one.penalty_cost,
    "K": lambda one: one.added_augen,
    "L": lambda one: one.augen or 0,
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
        rule_set: determines which lines there are, and their rates.
        size: the table size that counts for the bonus (§ 3.2.1).
        results: the result of each seat; empty for a blank list.
        extrapolated_from: number of games played, if all are scaled by it. Who changed tables,
            or sat out more often, has another number of games, so line H says no factor then.
    """
    labels = _labels(rule_set, size, results)
    whole = rule_set.own_games(len(results))
    own = {
        rule_set.own_games(len(results), seat=one.seat, games=extrapolated_from) for one in results
    }
    if extrapolated_from is not None and len(own) == 1:
        (played,) = own
        # × 12 ÷ 8 − 1 is × 4 ÷ 8: the addition is rounded to whole points like the result.
        labels["H"] = _("({terms}) × {missing} ÷ {played}").format(
            terms=_terms(labels.keys() - {"F", "J"}),
            missing=whole - played,
            played=played,
        )
    elif any(one.added or one.added_augen for one in results):
        labels["H"] = _("auf {games} Spiele umgerechnet").format(games=whole)
    if rule_set.valuation:
        labels |= _of_augen(labels, results)
    return tuple(
        FootLine(
            letter=letter,
            label=label,
            values=tuple(_or_dash(letter, _VALUES[letter](one)) for one in results),
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
    """Return the lines of the Augen, where they are more than what was counted in the hands."""
    if all(one.augen == one.minus for one in results):
        return {}
    has_added = any(one.added_augen for one in results)
    found = {"K": _("Augen dazu")} if has_added else {}
    terms = [letter for letter in ("A", "F", "G", "K") if letter in {*letters, *found}]
    return {**found, "L": _("Augen: {terms}").format(terms=" + ".join(terms))}


def _labels(rule_set: RuleSet, size: int, results: Sequence[SeatResult]) -> dict[str, str]:
    bonus, for_handromme = map(abs, rule_set.rates(size))
    valuation = rule_set.valuation
    found = {"A": _("Augen") if valuation else _("Minuspunkte"), "B": _("beendete Spiele")}
    if bonus:
        found["C"] = _("B × {bonus}").format(bonus=bonus)
    if rule_set.handromme:
        found["D"] = _("Handrommé")
        if for_handromme:
            found["E"] = _("D × {bonus}").format(bonus=for_handromme)
    if valuation:
        found["I"] = _("Wertpunkte für Augen")
    found["F"] = _("Strafpunkte")
    if valuation and valuation.penalty_per:
        found["J"] = _("F ÷ {points}, aufgerundet").format(points=valuation.penalty_per)
    if rule_set.grants or any(one.adjustment for one in results):
        found["G"] = _("Gutschriften")
    return found


def _or_dash(letter: str, value: int) -> str:
    # A dash shows that there are no Strafpunkte or Gutschriften.
    return NOTHING if letter in "FGJ" and not value else points(value)
