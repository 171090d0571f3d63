"""The changes of a correction in words: cell by cell, before and after, by start numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from scoring.ambiguity import alternatives
from scoring.reading.cells import write_row
from scoring.reading.interchange import line_from_json
from tournaments.common.formats import NOTHING
from tournaments.models import Correction, Registration, Spielliste, Tournament

Kind = Correction.Kind
Facts = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class CellChange:
    """One value that a correction changes."""

    what: str
    before: str
    after: str


def changes(correction: Correction) -> list[CellChange]:
    """Return the changes of a stored correction, carried out or proposed; at most one query."""
    return describe(Kind(correction.kind), correction.before, correction.after)


def describe(kind: Correction.Kind, before: Facts, after: Facts) -> list[CellChange]:
    """Return the changes of a correction of this kind.

    Args:
        before: as stored in ``Correction.before``.
        after: as stored in ``Correction.after``.
    """
    if kind == Kind.LINE:
        return list(line_changes(before["line"], after["line"]))
    if kind == Kind.SEATS:
        return list(_seat_changes(before, after))
    if kind == Kind.BONUS_SIZE:
        return [_size_change(before, after)]
    if kind in {Kind.INVALID, Kind.VALID}:
        return [_status_change(before, after)]
    if kind in {Kind.ENDED, Kind.GOES_ON}:
        return list(_end_changes(before.get("ended"), after.get("ended")))
    number = Registration.objects.values_list("number", flat=True).get(pk=after["registration"])
    subject, old, new = _("Nr. {number}"), _("in der Rangliste"), _("ausgeschlossen")
    if kind in {Kind.PENALTY, Kind.PENALTY_WITHDRAWN}:
        subject = _("Strafpunkte für Nr. {number}")
        old, new = str(before["sum"]), str(after["sum"])
    elif kind == Kind.EXCLUSION_WITHDRAWN:
        old, new = new, old
    return [CellChange(what=subject.format(number=number), before=old, after=new)]


def _size_change(before: Facts, after: Facts) -> CellChange:
    old, new = (
        _("wie besetzt") if size is None else _("{size} Personen").format(size=size)
        for size in (before["bonus_size"], after["bonus_size"])
    )
    return CellChange(what=_("Tischgröße für den Bonus"), before=old, after=new)


def _status_change(before: Facts, after: Facts) -> CellChange:
    old, new = (str(Spielliste.Status(each["status"]).label) for each in (before, after))
    return CellChange(what=_("Die Liste"), before=old, after=new)


def _end_changes(before: Facts | None, after: Facts | None) -> Iterable[CellChange]:
    """Yield the changes if the Spielleitung ends a list early, or undoes it."""
    yield CellChange(what=_("Ende"), before=_end(before), after=_end(after))
    for seat in sorted({*(before or {}).get("left", ()), *(after or {}).get("left", ())}):
        words = [_left(seat, ended) for ended in (before, after)]
        yield CellChange(what=_("Platz {seat}").format(seat=seat), before=words[0], after=words[1])


def _end(ended: Facts | None) -> str:
    if ended is None:
        return _("nach dem letzten Spiel")
    counts = Tournament.EndedLists(ended["counts"]).label
    return _("nach Spiel {games}, {counts}").format(games=ended["games"], counts=counts)


def _left(seat: int, ended: Facts | None) -> str:
    is_gone = ended is not None and seat in ended["left"]
    return _("gegangen, ohne Ergebnis") if is_gone else _("hat ein Ergebnis")


# --- Lines ----------------------------------------------------------------------------------


def line_changes(before: Facts, after: Facts) -> Iterable[CellChange]:
    """Yield the cells in which two lines of the interchange format differ."""
    for seat, (old, new) in enumerate(zip(before["minus"], after["minus"], strict=True), start=1):
        if old != new:
            yield CellChange(
                what=_("Punkte von Platz {seat}").format(seat=seat),
                before=_points(old),
                after=_points(new),
            )
    if before["finisher"] != after["finisher"]:
        yield CellChange(
            what=_("beendet"),
            before=finisher_words(before["finisher"]),
            after=finisher_words(after["finisher"]),
        )
    old_hand, new_hand = before.get("handromme", False), after.get("handromme", False)
    if old_hand != new_hand:
        yield CellChange(what=_("Handrommé"), before=_yes_no(old_hand), after=_yes_no(new_hand))
    old_more, new_more = before.get("adjustments", []), after.get("adjustments", [])
    if old_more != new_more:
        yield CellChange(
            what=_("Weitere Punkte"), before=_adjustments(old_more), after=_adjustments(new_more)
        )


def _points(entry: int | list[int] | None) -> str:
    if entry is None:  # the seat sits out
        return NOTHING
    return (
        alternatives([str(points) for points in entry]) if isinstance(entry, list) else str(entry)
    )


def finisher_words(entry: int | list[int | None] | None) -> str:
    """Return the finishing seats as a readable text.

    >>> finisher_words([2, 4])
    'Platz 2 oder Platz 4'
    """
    seats = entry if isinstance(entry, list) else [entry]
    words = [
        _("niemand") if seat is None else _("Platz {seat}").format(seat=seat) for seat in seats
    ]
    return alternatives(words)


def _yes_no(entry: bool | list[bool]) -> str:
    if isinstance(entry, list):
        return _("unklar")
    return _("ja") if entry else _("nein")


def _adjustments(entries: Sequence[Facts]) -> str:
    if not entries:
        return "–"
    return ", ".join(
        _("Platz {seat}: {points} ({reason})").format(
            seat=entry["seat"],
            points=str(entry["points"]).replace("-", "−"),
            reason=entry["reason"],
        )
        for entry in entries
    )


# --- Seats ----------------------------------------------------------------------------------


def _seat_changes(before: Facts, after: Facts) -> Iterable[CellChange]:
    keys = {key for row in before["tables"].values() for key in row}
    numbers = dict(Registration.objects.filter(pk__in=keys).values_list("pk", "number"))
    new = {(table, seat): int(key) for key, (table, seat) in after["places"].items()}
    for table, row in sorted(before["tables"].items(), key=lambda each: int(each[0])):
        for seat, key in enumerate(row, start=1):
            comes = new.get((int(table), seat), key)
            if comes != key:
                yield CellChange(
                    what=_("Tisch {table}, Platz {seat}").format(table=table, seat=seat),
                    before=_("Nr. {number}").format(number=numbers[key]),
                    after=_("Nr. {number}").format(number=numbers[comes]),
                )
    words = {"person": _("gehen mit der Person"), "place": _("bleiben beim Platz")}
    yield CellChange(what=_("Bisherige Spiele"), before="", after=words[after["games"]])


# --- Versions -------------------------------------------------------------------------------


def version_changes(before: Facts, after: Facts) -> list[CellChange]:
    """Return the differences of two stored versions of a list (``list_versions.content``)."""
    changes: list[CellChange] = []
    games = {game["number"]: game["line"] for game in after["games"]}
    for game in before["games"]:
        new = games.get(game["number"])
        if new is not None and new != game["line"]:
            changes += [
                CellChange(
                    what=_("Spiel {number}: {what}").format(
                        number=game["number"], what=change.what
                    ),
                    before=change.before,
                    after=change.after,
                )
                for change in line_changes(game["line"], new)
            ]
    old_seats, new_seats = (
        {seat["seat"]: seat["number"] for seat in each["seats"]} for each in (before, after)
    )
    changes += [
        CellChange(
            what=_("Platz {seat}").format(seat=seat),
            before=_("Nr. {number}").format(number=old_seats.get(seat, "–")),
            after=_("Nr. {number}").format(number=number),
        )
        for seat, number in new_seats.items()
        if old_seats.get(seat) != number
    ]
    if before["bonus_size"] != after["bonus_size"]:
        changes.append(_size_change(before, after))
    if before.get("ended") != after.get("ended"):
        changes += _end_changes(before.get("ended"), after.get("ended"))
    if before["status"] != after["status"]:
        changes.append(_status_change(before, after))
    return [*changes, *_penalty_changes(before, after)]


def changed_cells(before: Facts, after: Facts) -> frozenset[tuple[int, int]]:
    """Return the cells in which two stored versions differ, as game and seat.

    A cell is that of the paper: the finisher and the way of finishing are part of it.
    """
    old, new = (
        {game["number"]: write_row(line_from_json(game["line"])) for game in each["games"]}
        for each in (before, after)
    )
    return frozenset(
        (game, seat)
        for game, row in new.items()
        for seat, (was, text) in enumerate(zip(old.get(game, ()), row, strict=False), start=1)
        if was != text
    )


def _penalty_changes(before: Facts, after: Facts) -> Iterable[CellChange]:
    old, new = (_penalty_sums(each) for each in (before, after))
    for number in sorted(old.keys() | new.keys()):
        if old.get(number, 0) != new.get(number, 0):
            yield CellChange(
                what=_("Strafpunkte für Nr. {number}").format(number=number),
                before=str(old.get(number, 0)),
                after=str(new.get(number, 0)),
            )


def _penalty_sums(content: Facts) -> dict[int, int]:
    sums: dict[int, int] = {}
    for penalty in content["penalties"]:
        sums[penalty["number"]] = sums.get(penalty["number"], 0) + penalty["points"]
    return sums
