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
    "C": lambda one: -one.bonus,
    "D": lambda one: one.handromme,
    "E": lambda one: -one.handromme_bonus,
    "F": lambda one: one.penalty,
    "G": lambda one: one.adjustment,
    "H": lambda one: one.added,
}


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
        extrapolated_from: number of games played, if all are scaled by it. Who changed tables
            has another number of games, so line H says no factor then.
    """
    labels = _labels(rule_set, size, results)
    if extrapolated_from is not None:
        # × 12 ÷ 8 − 1 is × 4 ÷ 8: the addition is rounded to whole points like the result.
        labels["H"] = _("({terms}) × {missing} ÷ {played}").format(
            terms=_terms("A", labels),
            missing=rule_set.games - extrapolated_from,
            played=extrapolated_from,
        )
    elif any(one.added for one in results):
        labels["H"] = _("auf {games} Spiele umgerechnet").format(games=rule_set.games)
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
    return _terms("A + F", {line.letter for line in lines})


def _terms(first: str, letters: Collection[str]) -> str:
    signs = {"C": MINUS, "E": MINUS, "G": "+", "H": "+"}
    return " ".join([first, *(f"{signs[one]} {one}" for one in signs if one in letters)])


def _labels(rule_set: RuleSet, size: int, results: Sequence[SeatResult]) -> dict[str, str]:
    bonus = rule_set.bonus_per_game.get(size, 0)
    found = {"A": _("Minuspunkte"), "B": _("beendete Spiele")}
    if bonus:
        found["C"] = _("B × {bonus}").format(bonus=bonus)
    if rule_set.handromme:
        found["D"] = _("Handrommé")
        if rule_set.handromme.bonus:
            found["E"] = _("D × {bonus}").format(bonus=rule_set.handromme.bonus)
    found["F"] = _("Strafpunkte")
    if rule_set.grants or any(one.adjustment for one in results):
        found["G"] = _("Gutschriften")
    return found


def _or_dash(letter: str, value: int) -> str:
    # A dash shows that there are no Strafpunkte or Gutschriften.
    return NOTHING if letter in "FG" and not value else points(value)
