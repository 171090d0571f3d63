"""Copying a paper list, by the Spielleitung or a Schiedsrichter.

The paper is authoritative. The lines are checked like those of a device, typing errors are
corrected without the consent of players, and the sums on the paper are stored for comparison.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.ambiguity import AmbiguousLine
from scoring.errors import Problem
from scoring.ruleset import RuleSet
from tournaments.common.errors import DoubtfulInput, InvalidInput, WrongStatus
from tournaments.common.roles import MAY_CHECK
from tournaments.common.states import TAKES_PEOPLE
from tournaments.journal.acts import Act, Acts
from tournaments.lists.queries.sheet import Sheet, sheet_of
from tournaments.lists.services import spiellisten
from tournaments.lists.services.lines import CheckedLine, judge
from tournaments.models import Spielliste, TableDevice

Lines = Sequence[Mapping[str, Any]]

acts = Acts(
    MAY_CHECK,
    TAKES_PEOPLE.with_states(*Spielliste.AT_THE_TABLE).with_refusal(
        gettext_lazy(
            "{table}: Die Liste ist schon „{status}“. Geändert wird sie jetzt nur noch durch eine "
            "Berichtigung der Spielleitung."
        )
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyResult:
    """The result of storing lines; places are like ``games[3].minus[1]``."""

    spielliste: Spielliste
    stored: int  # number of stored games
    problems: tuple[Problem, ...] = ()
    doubts: tuple[Problem, ...] = ()


@acts.on(Spielliste, "copy_whole_list")
def enter_whole_list(
    act: Act[Spielliste],
    *,
    lines: Lines,
    version: int,
    sums: Sequence[int | None] | None = None,
    confirmed: bool = False,
    override_reason: str = "",
) -> CopyResult:
    """Store the whole list from the paper, or nothing.

    Args:
        lines: the games in the interchange format, game 1 first; further stored games are
            taken back.
        version: the version of the list that the actor saw.
        sums: the sums at the foot of the paper, seat 1 first; None if there is none.
        confirmed: the doubts were shown and confirmed.
        override_reason: why the Spielleitung accepts impossible hands.

    Raises:
        Conflict: if the list has changed since.
        InvalidInput: if lines are impossible; names every one.
        DoubtfulInput: if lines have doubts that were not confirmed; names every one.
        NotAllowed: if an actor other than the Spielleitung overrides.
        WrongStatus: if a device keeps the list.
    """
    copy = _begin(act, version, lines)
    problems, doubts = copy.problems(), copy.doubts()
    if problems and not (override_reason.strip() and copy.can_be_overridden()):
        raise InvalidInput(problems)
    if doubts and not confirmed and not problems:
        raise DoubtfulInput(doubts)
    copy.take_back_rest(act)
    copy.write(act, len(lines), override_reason)
    if sums is not None:
        _note_sums(act, list(sums))
        copy.sheet.spielliste.paper_sums = act.row.paper_sums  # may be fetched again
    return copy.result()


@acts.on(Spielliste, "copy_sound_lines")
def enter_sound_lines(act: Act[Spielliste], *, lines: Lines, version: int) -> CopyResult:
    """Store the lines before the first problem or doubt, while the list is typed.

    No game is taken back, because the user may be retyping a missing line.

    Raises:
        Conflict: if the list has changed since.
        WrongStatus: if a device keeps the list.
    """
    copy = _begin(act, version, lines)
    copy.write(act, copy.sound(), "")
    return copy.result()


@dataclass(slots=True, kw_only=True)
class _Copy:
    """A locked list and its new lines."""

    sheet: Sheet
    lines: list[Mapping[str, Any]]
    checked: list[CheckedLine]

    def is_new(self, index: int) -> bool:
        """Whether a line differs from the stored one."""
        games, checked = self.sheet.games, self.checked[index]
        return index >= len(games) or (
            checked.can_be_stored and checked.to_json() != games[index].line
        )

    def problems(self) -> list[Problem]:
        return [
            _with_index(problem, index)
            for index, checked in enumerate(self.checked)
            if self.is_new(index) or not checked.can_be_stored
            for problem in checked.problems
        ]

    def doubts(self) -> list[Problem]:
        return [
            _with_index(problem, index)
            for index, checked in enumerate(self.checked)
            if self.is_new(index)
            for problem in checked.doubts
        ]

    def can_be_overridden(self) -> bool:
        return all(checked.can_be_stored for checked in self.checked)

    def sound(self) -> int:
        """Return the number of leading lines that can be stored without a question."""
        for index, checked in enumerate(self.checked):
            if (checked.problems or checked.doubts) and (
                self.is_new(index) or not checked.can_be_stored
            ):
                return index
        return len(self.checked)

    def take_back_rest(self, act: Act[Spielliste]) -> None:
        """Take back the stored games after the last line."""
        for number in range(len(self.sheet.games), len(self.lines), -1):
            self._change(act, number, None)

    def write(self, act: Act[Spielliste], count: int, override_reason: str) -> None:
        """Write the changed and new ones of the first *count* lines."""
        reasons = [override_reason if checked.problems else "" for checked in self.checked]
        for index in range(min(count, len(self.sheet.games))):
            if self.is_new(index):
                self._change(act, index + 1, self.checked[index].to_json(), reasons[index])
        new = list(zip(self.checked, reasons, strict=True))[len(self.sheet.games) : count]
        if new:
            spiellisten.write_games(act, self.sheet, new, confirmed=True)

    def _change(
        self, act: Act[Spielliste], number: int, line: Mapping[str, Any] | None, reason: str = ""
    ) -> None:
        self.sheet = spiellisten.change_game(
            act,
            self.sheet.spielliste.pk,
            number=number,
            line=line,
            version=self.sheet.spielliste.version,
            consents=(),
            confirmed=True,
            override_reason=reason,
        )

    def result(self) -> CopyResult:
        return CopyResult(
            spielliste=self.sheet.spielliste,
            stored=len(self.sheet.games),
            problems=tuple(self.problems()),
            doubts=tuple(self.doubts()),
        )


def _begin(act: Act[Spielliste], version: int, lines: Lines) -> _Copy:
    spielliste, table = act.row, act.row.table
    spiellisten.demand_version(spielliste, version)
    if not spielliste.on_paper:
        if TableDevice.objects.filter(table=table, is_keeper=True).exists():
            raise WrongStatus(
                _(
                    "An {table} führt ein Gerät die Liste. Soll sie auf Papier weitergehen, bitte "
                    "zuerst „auf Papier weiterführen“ wählen."
                ).format(table=table)
            )
        spielliste = spiellisten.keep_on_paper(act, spielliste.pk, on_paper=True)
    sheet = sheet_of(spielliste)
    checked = _checked_lines(lines, sheet.rule_set, len(sheet.seats))
    return _Copy(sheet=sheet, lines=list(lines), checked=checked)


def _checked_lines(lines: Lines, rule_set: RuleSet, seats: int) -> list[CheckedLine]:
    checked_lines: list[CheckedLine] = []
    earlier: list[AmbiguousLine] = []
    for number, line in enumerate(lines, start=1):
        checked = judge(line, rule_set=rule_set, seats=seats, number=number, earlier=earlier)
        checked_lines.append(checked)
        earlier.append(checked.line)
    return checked_lines


def _with_index(problem: Problem, index: int) -> Problem:
    inside = f".{problem.where}" if problem.where else ""
    return Problem(f"games[{index}]{inside}", problem.message)


def _note_sums(act: Act[Spielliste], sums: list[int | None]) -> None:
    sums = [] if all(total is None for total in sums) else sums
    if act.row.paper_sums == sums:
        return
    with act.entry("paper_sums_noted"):
        act.note(before={"sums": act.row.paper_sums}, sums=sums)
        act.row.paper_sums = sums
        act.store(act.row)
