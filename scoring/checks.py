"""Checks of a Spielliste: every problem of a list and every doubt about it.

A problem is a reason to refuse; a warning is shown and must be confirmed once. Places are those
of the interchange format (``games[2].minus[1]``), sentences count from 1. Which hands are
possible and which are doubtful is decided in :mod:`scoring.plausibility`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from scoring import plausibility
from scoring.ambiguity import AmbiguousLine, alternatives, unclear_entries
from scoring.list_findings import UNREADABLE, Frame, ListFindings, readings_at, with_minus
from scoring.ruleset import RuleSet
from scoring.spielliste import Adjustment, Penalty
from scoring.texts import _


def check_list(
    lines: Sequence[AmbiguousLine],
    *,
    rule_set: RuleSet,
    seats: int,
    penalties: Iterable[Penalty] = (),
    where: str = "",
) -> ListFindings:
    """Return every problem of a whole list and every doubt about it.

    Args:
        lines: the games so far, in order.
        seats: number of people at the table.
        where: place of the list, put before the places in it.
    """
    findings = ListFindings()
    frame = Frame(rule_set=rule_set, seats=seats)
    inside = f"{where}." if where else ""
    check_size(rule_set, seats, f"{inside}players", findings)
    check_games(lines, frame, f"{inside}games", findings)
    for index, penalty in enumerate(penalties):
        check_penalty(penalty, f"{inside}penalties[{index}]", frame, findings)
    return findings


def check_line(
    line: AmbiguousLine,
    *,
    rule_set: RuleSet,
    seats: int,
    number: int,
    earlier: Sequence[AmbiguousLine] = (),
) -> ListFindings:
    """Return every problem of one line and every doubt about it.

    Args:
        seats: number of people at the table.
        number: which game of the list it is, counted from 1.
        earlier: the lines before this one; repetitions raise doubts.
    """
    findings = ListFindings()
    frame = Frame(rule_set=rule_set, seats=seats)
    check_parsed_line(
        line, frame, findings, number=number, where=f"games[{number - 1}]", earlier=earlier
    )
    return findings


def check_parsed_line(
    line: AmbiguousLine,
    frame: Frame,
    findings: ListFindings,
    *,
    number: int,
    where: str,
    earlier: Sequence[AmbiguousLine] = (),
) -> None:
    """Check one line as far as it could be read; *earlier* are those before it."""
    _LineCheck(line, number, where, frame, findings).run(earlier)


def has_hands_of_players(line: AmbiguousLine, number: int, frame: Frame) -> bool:
    """Return whether exactly the seats that play the game have a hand in its *line*."""
    sits_out = frame.sits_out(number)
    return all(bool(hand) == (seat != sits_out) for seat, hand in enumerate(line.minus, start=1))


# --- The list as a whole ----------------------------------------------------------------


def check_size(rule_set: RuleSet, seats: int, where: str, findings: ListFindings) -> None:
    """Check that the rule set allows this number of players at one table."""
    if seats not in rule_set.table_sizes:
        sizes = [str(size) for size in sorted(rule_set.table_sizes)]
        findings.refuse(
            where,
            _("Nach „{rules}“ sitzen {sizes} Personen an einem Tisch, nicht {seats}.").format(
                rules=rule_set.name, sizes=alternatives(sizes), seats=seats
            ),
        )


def check_games(
    lines: Iterable[AmbiguousLine], frame: Frame, where: str, findings: ListFindings
) -> tuple[AmbiguousLine, ...]:
    """Check every line, and their number against the rule set; return them."""
    checked: list[AmbiguousLine] = []
    for index, line in enumerate(lines):
        at = f"{where}[{index}]"
        check_parsed_line(line, frame, findings, number=index + 1, where=at, earlier=checked)
        checked.append(line)
    if frame.rule_set is None:
        return tuple(checked)
    limit = frame.rule_set.games_at(frame.seats or 0)
    if len(checked) > limit:
        findings.refuse(
            f"{where}[{limit}]",
            _("Die Liste hat {games} Spiele, nach „{rules}“ sind es höchstens {limit}.").format(
                games=len(checked), rules=frame.rule_set.name, limit=limit
            ),
        )
    return tuple(checked)


def check_penalty(penalty: Penalty, where: str, frame: Frame, findings: ListFindings) -> None:
    """Check Strafpunkte: above 0, for an existing seat, with a reason (§ 8.3)."""
    for place, message in _seat_and_reason(penalty, where, frame):
        findings.refuse(place, message)
    points, rule_set = penalty.points, frame.rule_set
    if points is UNREADABLE:
        return
    if points <= 0:
        findings.refuse(
            f"{where}.points",
            _("Strafpunkte müssen mehr als 0 sein, nicht {points}.").format(
                points=with_minus(points)
            ),
        )
    elif rule_set is not None and rule_set.penalties and points not in rule_set.penalties:
        findings.warn(
            f"{where}.points",
            _("Ungewöhnlich: „{rules}“ nennt {usual} Strafpunkte, nicht {points}.").format(
                rules=rule_set.name,
                usual=alternatives([str(usual) for usual in rule_set.penalties]),
                points=points,
            ),
        )


def _seat_and_reason(
    points: Penalty | Adjustment, where: str, frame: Frame
) -> Iterator[tuple[str, str]]:
    problem = None if points.seat is UNREADABLE else frame.seat_problem(points.seat)
    if problem is not None:
        yield f"{where}.seat", problem
    if points.reason is not UNREADABLE and not points.reason.strip():
        yield f"{where}.reason", _("Es fehlt die Begründung.")


# --- One line ---------------------------------------------------------------------------


class _LineCheck:
    """The checks of one line: who finished, how, each hand, and the hands together."""

    def __init__(
        self, line: AmbiguousLine, number: int, where: str, frame: Frame, findings: ListFindings
    ) -> None:
        self.line = line
        self.number = number
        self.where = where
        self.frame = frame
        self.findings = findings
        entries: tuple[tuple[object, ...], ...] = (line.finisher, line.handromme, *line.minus)
        self.is_sound = all(UNREADABLE not in entry for entry in entries)  # no problem so far
        self.finishers = set(line.finisher)
        # The hands are compared with the finisher only if it is readable: otherwise correct
        # hands would be refused.
        self.knows_finishers = UNREADABLE not in line.finisher
        self.surely_handromme = UNREADABLE not in line.handromme and all(line.handromme)

    def run(self, earlier: Sequence[AmbiguousLine]) -> None:
        """Run all checks; *earlier* are the lines of the list before this one."""
        self.finisher()
        self.handromme()
        self.number_of_entries()
        self.who_plays()
        rule_set = self.frame.rule_set
        if rule_set is not None and self.number <= rule_set.games_at(self.frame.seats or 0):
            hands = _HandCheck(self, rule_set)
            hands.alone()
            if self.is_sound:
                hands.together()
                hands.doubts(earlier)
        self.adjustments()

    def refuse(self, where: str, message: str) -> None:
        self.is_sound = False
        self.findings.refuse(where, self._of_this_game(message))

    def warn(self, where: str, message: str) -> None:
        self.findings.warn(where, self._of_this_game(message))

    def _of_this_game(self, message: str) -> str:
        return _("Spiel {number}: {message}").format(number=self.number, message=message)

    def finisher(self) -> None:
        for where, seat in readings_at(f"{self.where}.finisher", self.line.finisher):
            problem = self._no_finisher_problem() if seat is None else self.frame.seat_problem(seat)
            if problem is not None:
                self.knows_finishers = False
                self.refuse(where, problem)

    def _no_finisher_problem(self) -> str | None:
        rule_set = self.frame.rule_set
        if rule_set is None:
            return None
        if not rule_set.ends_without_finisher:
            return _(
                "Es fehlt, wer das Spiel beendet hat; das gibt es nach „{rules}“ immer."
            ).format(rules=rule_set.name)
        if self.surely_handromme and rule_set.handromme is not None:
            return _("Ein Handrommé hat immer jemand gespielt; es fehlt, wer.")
        return None

    def handromme(self) -> None:
        rule_set = self.frame.rule_set
        for where, handromme in readings_at(f"{self.where}.handromme", self.line.handromme):
            if not handromme or rule_set is None:
                continue
            if rule_set.handromme is None:
                message = _("„{rules}“ kennt kein Handrommé.").format(rules=rule_set.name)
                self.refuse(where, message)
            elif self.finishers == {None} and not self.surely_handromme:
                self.refuse(where, _("Ein Handrommé hat immer jemand gespielt; es fehlt, wer."))

    def number_of_entries(self) -> None:
        minus, seats = self.line.minus, self.frame.seats
        if seats is not None and len(minus) != seats:
            self.refuse(
                f"{self.where}.minus",
                _("Am Tisch sind {seats} Plätze, eingetragen sind {entries}.").format(
                    seats=seats, entries=len(minus)
                ),
            )

    def who_plays(self) -> None:
        """Refuse a hand or a finish of a seat that sits out, and a missing hand."""
        sits_out = self.frame.sits_out(self.number)
        for where, seat in readings_at(f"{self.where}.finisher", self.line.finisher):
            if seat is not None and seat == sits_out:
                message = _(
                    "Platz {seat} gibt dieses Spiel und setzt aus; beendet hat jemand anders."
                )
                self.refuse(where, message.format(seat=seat))
        for seat, entry in enumerate(self.line.minus[: self.frame.seats], start=1):
            where = f"{self.where}.minus[{seat - 1}]"
            if entry and seat == sits_out:
                message = _("Platz {seat} gibt dieses Spiel und setzt aus; da steht keine Hand.")
                self.refuse(where, message.format(seat=seat))
            elif not entry and seat != sits_out:
                self.refuse(where, _of_seat(seat, _("Die Punkte fehlen.")))

    def adjustments(self) -> None:
        seen = set()
        for index, adjustment in enumerate(self.line.adjustments):
            at = f"{self.where}.adjustments[{index}]"
            problems = list(_seat_and_reason(adjustment, at, self.frame))
            if adjustment.points == 0:
                problems.append((f"{at}.points", _("0 Punkte ändern nichts.")))
            for where, message in problems:
                self.refuse(where, message)
            if problems or UNREADABLE in (adjustment.seat, adjustment.points):
                continue
            if (adjustment.seat, adjustment.points) in seen:
                self.warn(at, _("Dieselben Punkte stehen schon einmal da."))
            elif doubt := self._grant_doubt(adjustment.seat, adjustment.points):
                say = self.refuse if self._is_grant_of_other_seat(adjustment.points) else self.warn
                say(at, doubt)
            seen.add((adjustment.seat, adjustment.points))

    def _is_grant_of_other_seat(self, points: int) -> bool:
        """Whether the rules grant exactly these *points* to another seat."""
        rule_set = self.frame.rule_set
        return rule_set is not None and any(grant.points == points for grant in rule_set.grants)

    def _grant_doubt(self, seat: int, points: int) -> str | None:
        """Return why this seat is unlikely to get these points by the rules, or None."""
        rule_set, seats = self.frame.rule_set, self.frame.seats
        if rule_set is None or seats is None:
            return None
        granted = {
            (rule_set.receiver(grant, self.number, seats), grant.points): grant.name
            for grant in rule_set.grants
        }
        if (seat, points) in granted:
            return None
        if not granted:
            return _(
                "„{rules}“ nennt keine Punkte, die neben der Hand zählen. Bitte prüfen."
            ).format(rules=rule_set.name)
        listed = [
            _("Platz {seat} {points} ({reason})").format(
                seat=receiver, points=with_minus(points), reason=_(name)
            )
            for (receiver, points), name in granted.items()
        ]
        return _("„{rules}“ gibt in diesem Spiel nur {listed}. Bitte prüfen.").format(
            rules=rule_set.name, listed=alternatives(listed)
        )


class _HandCheck:
    """The checks of the hands of one line; the number of its game is valid."""

    def __init__(self, check: _LineCheck, rule_set: RuleSet) -> None:
        self.check = check
        self.line = check.line
        self.entries = check.line.minus[: check.frame.seats]
        # If the number of players is invalid, the nearest table size is used for the hands.
        seats = check.frame.seats or len(self.entries)
        players = min(rule_set.table_sizes, key=lambda size: abs(size - seats))
        self.game = plausibility.LineContext(
            rule_set=rule_set, players=players, number=check.number
        )

    def alone(self) -> None:
        """Refuse each reading that is impossible in every course of the game."""
        seats = range(1, len(self.entries) + 1)
        line = AmbiguousLine(
            finisher=self.line.finisher if self.check.knows_finishers else tuple(seats),
            handromme=(self.check.surely_handromme,),
            minus=tuple(
                tuple(points for points in entry if points is not UNREADABLE)
                for entry in self.entries
            ),
        )
        for seat, points, objection in plausibility.impossible_readings(line, self.game):
            places = readings_at(self._place(seat), self.entries[seat - 1])
            where = next(where for where, reading in places if reading == points)
            self.check.refuse(where, _of_seat(seat, objection))

    def _place(self, seat: int) -> str:
        return f"{self.check.where}.minus[{seat - 1}]"

    def together(self) -> None:
        """Refuse hands that are possible one by one but not in the same game."""
        if len(self._without_hand()) > 1:
            return  # several may have finished: nothing to compare
        if objection := plausibility.misfit(self.line, self.game):
            self.check.refuse(f"{self.check.where}.minus", objection)

    def _without_hand(self) -> list[int]:
        """Return the seats that may or may not have finished and have only 0 points."""
        if len(self.check.finishers) == 1:
            return []
        return [
            seat for seat, entry in enumerate(self.entries, start=1) if entry and not any(entry)
        ]

    def doubts(self, earlier: Sequence[AmbiguousLine]) -> None:
        """Warn about unclear, missing and improbable entries."""
        if not self.line.is_clear:
            self.check.warn(
                self.check.where,
                _(
                    "Nicht eindeutig: {unclear}. Für alle am Tisch zählt, "
                    "was für sie am ungünstigsten ist (§ 2.2.6)."
                ).format(unclear=unclear_entries(self.line, self.game.unreadable(self.line))),
            )
        for seat in self._without_hand():
            self.check.warn(
                self._place(seat),
                _(
                    "Platz {seat} hat das Spiel vielleicht nicht beendet, es fehlt aber, "
                    "was dann in der Hand war. Bis dahin zählt 0."
                ).format(seat=seat),
            )
        doubts = plausibility.doubts(self.line, self.game, earlier)
        seats = {f"minus[{index}]": index + 1 for index in range(len(self.entries))}
        for doubt in doubts:
            seat_of = seats.get(doubt.where)
            message = doubt.message if seat_of is None else _of_seat(seat_of, doubt.message)
            where = f"{self.check.where}.{doubt.where}" if doubt.where else self.check.where
            self.check.warn(where, message)


def _of_seat(seat: int, message: str) -> str:
    return _("Platz {seat}: {message}").format(seat=seat, message=message)
