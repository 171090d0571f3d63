"""Replaying journal entries: the facts that result for lists, seats, money and registrations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tournaments.common.ranking_names import SLUGS, ranking_of
from tournaments.journal.queries.present import (
    COUNT,
    LIST,
    PENALTY,
    PLAYOFF,
    RECEIPT,
    REGISTRATION,
    TABLE,
    UNTOUCHED,
    State,
    booking,
    place,
)
from tournaments.models import Correction, Penalty, Registration, Spielliste

Entry = Mapping[str, Any]  # as ``services.facts_of``
# Key of a row here, by model and key in the entry; None for an unknown row.
Translate = Callable[[str, int], int | None]
Kind = Correction.Kind

# Stands for an unknown value: the entry refers to a row that is unknown here.
ANYTHING = object()
GONE = object()  # a game that was taken back


@dataclass(frozen=True, slots=True, kw_only=True)
class Hall:
    """Constant facts that are not in entries."""

    games: int  # of a whole list
    place_of: Mapping[int, tuple[int, int]]  # list -> number of the Serie, of the table
    serien: Mapping[int, int]  # key -> number


def same(_model: str, key: int) -> int:
    """Return *key* itself, for entries with keys of this installation."""
    return key


class Replay:
    """Replays entries in their order; ``said`` has the resulting facts."""

    def __init__(self, hall: Hall, beginning: State | None = None) -> None:
        self.hall = hall
        self.said: State = {
            kind: {key: dict(values) for key, values in rows.items()}
            for kind, rows in (beginning or {}).items()
        }
        self.to: Translate = same

    def follow(self, entry: Entry, to: Translate = same) -> None:
        """Apply an entry; one in an unreadable older form makes its subject unknown."""
        self.to = to
        act = _ACTS.get(entry["action"])
        subject = entry["subject_id"]
        key = to(entry["subject_type"], subject) if subject is not None else None
        try:
            if entry["subject_type"] == "spielliste" and key is not None:
                self._status(key, entry)
            if act is not None:
                act(self, key, entry["before"], entry["after"])
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            self.put(entry["subject_type"], key, unreadable=ANYTHING)

    def put(self, kind: str, key: int | str | None, **values: Any) -> None:
        """Set facts of a row; does nothing for an unknown row."""
        if key is not None:
            self.said.setdefault(kind, {}).setdefault(str(key), {}).update(values)

    def registration(self, key: int | None) -> Any:
        """Return the translated key of a registration."""
        return None if key is None else self._known("registration", key)

    def _known(self, model: str, key: int) -> Any:
        found = self.to(model, key)
        return ANYTHING if found is None else found

    def _status(self, key: int, entry: Entry) -> None:
        """Set the status of a list if the entry has it; a proposal does not change it."""
        status = entry["after"].get("status")
        is_done = entry["action"] not in {"correction_proposed", "correction_rejected"}
        if is_done and status in Spielliste.Status.values:
            self.put(LIST, key, status=status)

    # --- Registrations --------------------------------------------------------------------

    def registered(self, key: int | None, _before: Entry, after: Entry) -> None:
        person = self._known("person", after["person"])
        values = {"number": after.get("number"), "status": after["status"], "person": person}
        self.put(REGISTRATION, key, **values, present="present" in after)

    def registration_status(self, key: int | None, _before: Entry, after: Entry) -> None:
        self.put(REGISTRATION, key, **{name: after[name] for name in after if name in _OF_STATUS})
        if after.get("status") not in Registration.MAY_BE_PRESENT:
            self.put(REGISTRATION, key, present=False)

    def ticked_off(self, key: int | None, _before: Entry, _after: Entry) -> None:
        self.put(REGISTRATION, key, present=True)

    def unticked(self, key: int | None, _before: Entry, _after: Entry) -> None:
        self.put(REGISTRATION, key, present=False)

    def person(self, key: int | None, _before: Entry, after: Entry) -> None:
        self.put(REGISTRATION, key, person=self._known("person", after["person"]))

    # --- Money ----------------------------------------------------------------------------

    def receipt(self, _key: int | None, _before: Entry, after: Entry) -> None:
        lines = [(kind, cents, self.registration(one)) for kind, cents, one in after["lines"]]
        is_known = all(one is not ANYTHING for _kind, _cents, one in lines)
        said = sorted(booking(*line) for line in lines) if is_known else ANYTHING
        self.put(RECEIPT, after["number"], method=after["method"], lines=said)

    def counted(self, key: int | None, _before: Entry, after: Entry) -> None:
        self.put(COUNT, key, **{name: after[name] for name in ("expected_cents", "counted_cents")})

    # --- Seats ----------------------------------------------------------------------------

    def _row(self, serie: int, table: int, row: Sequence[int]) -> None:
        keys = [self.registration(one) for one in row]
        self.put(TABLE, place(serie, table), row=ANYTHING if ANYTHING in keys else keys)

    def published(self, _key: int | None, _before: Entry, after: Entry) -> None:
        serie = after["serie"]
        for there in self.said.get(TABLE, {}):
            if there.startswith(place(serie, 0)[:-1]):
                self.put(TABLE, there, row=[])
        for table, row in enumerate(after["seats"], start=1):
            self._row(serie, table, row)

    def tables(self, key: int | None, _before: Entry, after: Entry) -> None:
        if key is not None:
            for table, row in after["tables"].items():
                self._row(self.hall.serien[key], int(table), row)

    def moved(self, key: int | None, _before: Entry, after: Entry) -> None:
        if key is not None:
            self._row(*self.hall.place_of[key], after["row"])

    # --- Lists ----------------------------------------------------------------------------

    def entered(self, key: int | None, _before: Entry, after: Entry) -> None:
        self.put(LIST, key, **{str(after["game"]): after["line"]})
        ended = self.said[LIST][str(key)].get("ended_games") if key is not None else None
        if after["game"] == (ended or self.hall.games):
            self.put(LIST, key, status=Spielliste.Status.COMPLETE.value)

    def changed(self, key: int | None, _before: Entry, after: Entry) -> None:
        self.put(LIST, key, **{str(after["game"]): after["line"]})

    def taken_back(self, key: int | None, before: Entry, _after: Entry) -> None:
        open_again = Spielliste.Status.OPEN.value
        self.put(LIST, key, **{str(before["game"]): GONE, "status": open_again})

    def bought(self, key: int | None, _before: Entry, after: Entry) -> None:
        self.put(LIST, key, bought_cards=after["cards"])

    def proposed(self, _key: int | None, _before: Entry, after: Entry) -> None:
        self.put(
            PENALTY,
            self.to("penalty", after["penalty"]),
            registration=self.registration(after["registration"]),
            points=after["points"],
            status=Penalty.Status.PROPOSED.value,
        )

    def rejected(self, _key: int | None, _before: Entry, after: Entry) -> None:
        if "penalty" in after and after.get("kind", Kind.PENALTY) == Kind.PENALTY:
            self._penalty(after, Penalty.Status.REJECTED)

    def _penalty(self, after: Entry, status: Penalty.Status) -> None:
        self.put(PENALTY, self.to("penalty", after["penalty"]), status=status.value)

    def corrected(self, key: int | None, before: Entry, after: Entry) -> None:
        kind = after["kind"]
        if kind == Kind.LINE:
            self.changed(key, before, after)
        elif kind == Kind.BONUS_SIZE:
            self.put(LIST, key, bonus_size=after["bonus_size"])
        elif kind in {Kind.ENDED, Kind.GOES_ON}:
            ended = after["ended"] or {"games": None, "counts": "", "left": []}
            self.put(LIST, key, **{f"ended_{name}": ended[name] for name in _OF_END})
        elif kind == Kind.PENALTY:
            self._penalty(after, Penalty.Status.GIVEN)
        elif kind == Kind.PENALTY_WITHDRAWN:
            self._penalty(after, Penalty.Status.WITHDRAWN)
        elif kind == Kind.SEATS and key is not None:
            serie, _table = self.hall.place_of[key]
            rows = {int(number): list(row) for number, row in before["tables"].items()}
            for registration, (table, seat) in after["places"].items():
                rows[table][seat - 1] = int(registration)
            for table, row in rows.items():
                self._row(serie, table, row)

    # --- Results --------------------------------------------------------------------------

    def playoff(self, key: int | None, _before: Entry, after: Entry) -> None:
        ranking = ranking_of(after["ranking"])
        of_teams = ranking is not None and SLUGS.get(ranking.category) in {"mannschaft", "tandem"}
        order = [self._known("team", one) for one in after["order"]] if of_teams else after["order"]
        said = ANYTHING if ANYTHING in order else order
        self.put(PLAYOFF, key, order=said, is_withdrawn=False)

    def playoff_withdrawn(self, key: int | None, _before: Entry, _after: Entry) -> None:
        self.put(PLAYOFF, key, is_withdrawn=True)


_OF_STATUS = ("status", "number")
_OF_END = ("games", "counts", "left")
_ACTS: Mapping[str, Callable[[Replay, int | None, Entry, Entry], None]] = {
    "registered": Replay.registered,
    "registration_status": Replay.registration_status,
    "ticked_off": Replay.ticked_off,
    "unticked": Replay.unticked,
    "substituted": Replay.person,
    "registration_person_merged": Replay.person,
    "receipt_booked": Replay.receipt,
    "receipt_reversed": Replay.receipt,
    "till_counted": Replay.counted,
    "draw_published": Replay.published,
    "seats_changed": Replay.tables,
    "seats_swapped": Replay.tables,
    "persons_moved": Replay.moved,
    "game_entered": Replay.entered,
    "game_changed": Replay.changed,
    "game_taken_back": Replay.taken_back,
    "cards_bought": Replay.bought,
    "penalty_proposed": Replay.proposed,
    "penalty_rejected": Replay.rejected,
    "correction_rejected": Replay.rejected,
    "correction_done": Replay.corrected,
    "playoff_recorded": Replay.playoff,
    "playoff_withdrawn": Replay.playoff_withdrawn,
}

Difference = tuple[str, str, str]  # kind, key, name of the fact; "" for the row as a whole


def differences(said: State, there: State, *, is_whole: bool) -> Iterator[Difference]:
    """Yield the differences between journal and data; at most one for each row.

    Args:
        said: the facts by the journal.
        there: the facts by the data.
        is_whole: whether the journal is complete from the beginning, so that the data must
        have nothing else.
    """
    for kind in {**said, **there}:
        rows, stored = said.get(kind, {}), there.get(kind, {})
        for key in {**rows, **(stored if is_whole else {})}:
            name = _difference(kind, rows.get(key, {}), stored.get(key), is_whole=is_whole)
            if name is not None:
                yield kind, key, name


def _difference(
    kind: str, said: Mapping[str, Any], stored: Mapping[str, Any] | None, *, is_whole: bool
) -> str | None:
    if "unreadable" in said:
        return None
    if stored is None:
        return None if _is_nothing(kind, said) else ""
    preset = UNTOUCHED if kind == LIST and is_whole else {}
    if is_whole and not said and not preset:
        return ""
    wanted = {**preset, **said}
    for name in {**wanted, **(stored if is_whole else {})}:
        expected = wanted.get(name, GONE)
        if expected is not ANYTHING and expected != stored.get(name, GONE):
            return name
    return None


def _is_nothing(kind: str, said: Mapping[str, Any]) -> bool:
    """Whether a row may be missing: a list without lines, or a table that was given up."""
    if kind == TABLE:
        return said.get("row") in ([], ANYTHING)
    if kind == LIST:
        return all(not name.isdigit() or value is GONE for name, value in said.items())
    return False
