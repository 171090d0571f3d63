"""The plan of an import: new, known and undecided rows.

Each view of the file makes a plan from its rows, the decisions and the stored persons. It changes
nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import QuerySet, TextChoices
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.common import names
from tournaments.common.club_names import club_key
from tournaments.common.person_names import bare, person_key
from tournaments.common.typing_errors import differ_by_typo
from tournaments.machine.hashes import SHORT, hash_of
from tournaments.models import Person, PersonImport
from tournaments.people.queries import people
from tournaments.people.services.columns import TARGETS
from tournaments.people.services.rows import CellError, ParsedRow, parse_row

SKIP, OTHER = "skip", "other"
# Answers about a doubtful row: it is one person, or two.
AS_IT_IS, SPLIT = "as_it_is", "split"
# Stored names stay, because lists often have capitals and no umlauts.
KEPT_FIELDS = ("last_name", "first_name")


class KnownPersons(TextChoices):
    """The treatment of stored persons that the file contains."""

    UPDATE = "update", _("Angaben aus der Datei übernehmen (Namen bleiben, wie sie sind)")
    LEAVE = "leave", _("lassen, wie sie sind")


class RowState(TextChoices):
    """The state of a row."""

    NEW = "new", _("wird angelegt")
    UPDATED = "updated", _("wird ergänzt")
    SAME = "same", _("bleibt, wie sie ist")
    QUESTION = "question", _("zu entscheiden")
    BAD = "bad", _("fehlerhaft")
    SKIPPED = "skipped", _("ausgelassen")
    STORED = "stored", _("gemeldet")  # in an earlier part of a file of registrations


OPEN_STATES = frozenset({RowState.QUESTION, RowState.BAD})
DONE_STATES = frozenset({RowState.SKIPPED, RowState.STORED})


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """A row with its state; candidates are the stored persons it may name."""

    row: ParsedRow
    state: RowState
    person: Person | None = None
    candidates: list[Person] = field(default_factory=list)
    repeats: int | None = None  # number of an earlier row that seems to be the same person
    decision: str = ""
    is_doubtful: bool = False  # the question is whether it is a person
    hints: list[str] = field(default_factory=list)  # sentences that do not stop the row
    labels: Mapping[str, str | Promise] = field(default_factory=lambda: TARGETS)

    @property
    def number(self) -> int:
        return self.row.number

    @property
    def is_known_number(self) -> bool:
        """Whether a person with its number is stored."""
        number = _number(self.row)
        return any(
            number and names.sort_key(person.member_number) == number for person in self.candidates
        )

    @property
    def bad_cells(self) -> list[dict[str, str]]:
        """The invalid cells with their contents."""
        cells: dict[str, dict[str, str]] = {}
        for error in self.row.errors:
            cell = {
                "target": error.target,
                "label": str(self.labels.get(error.target, "")),
                "cell": self.row.cells.get(error.target, ""),
                "sentence": error.sentence,
            }
            cells.setdefault(error.target, cell)
        return list(cells.values())


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """The effects of an import."""

    rows: list[PlannedRow]
    known: KnownPersons

    @property
    def counts(self) -> dict[str, int]:
        """Return the number of rows by state."""
        counter = Counter(row.state for row in self.rows)
        return {
            state.value: counter[state] for state in RowState if counter[state] or state != "stored"
        }

    @property
    def open_rows(self) -> list[PlannedRow]:
        """Return the rows that prevent the import."""
        return [row for row in self.rows if row.state in OPEN_STATES]

    @property
    def fingerprint(self) -> str:
        """Return a hash of the plan, to detect changes."""
        facts = [
            [row.number, row.state, row.person and row.person.pk, str(row.row.values), row.hints]
            for row in self.rows
        ]
        return hash_of(facts)[:SHORT]


def make_plan(
    draft: PersonImport,
    persons: Iterable[Person] | None = None,
    *,
    asks_slips: bool = False,
) -> ImportPlan:
    """Return the plan of an import by the present data.

    Args:
        draft: the rows, and the decisions about them.
        persons: the living persons with their clubs, if they are loaded already.
        asks_slips: whether a name with one different letter may be a stored person.
    """
    choices = draft.choices
    known = KnownPersons(choices.get("known", KnownPersons.UPDATE))
    if persons is None:
        persons = living_persons(draft)
    planner = _Planner(
        known,
        persons,
        choices.get("decisions", {}),
        stored=choices.get("stored", {}),
        as_they_are=choices.get("as_they_are", []),
        asks_slips=asks_slips,
    )
    mended, club = choices.get("mended", {}), choices.get("club", "")
    rows = [
        parse_row(number, cells, choices["columns"], mended.get(str(number), {}), club=club)
        for number, cells in draft.rows
        if number > choices["heading_row"]
    ]
    return ImportPlan([planner.plan(row) for row in rows], known)


def living_persons(draft: PersonImport) -> QuerySet[Person]:
    """Return the persons that a file may name, with their clubs."""
    persons = people.living_persons(draft.owner_id)
    return persons.select_related("club").order_by("pk")


def loose_key(*parts: str) -> str:
    """Return a key that is the same for names in any order and with any umlauts.

    >>> loose_key("Kühn", "Anna") == loose_key("Anna", "Kuhn") == loose_key("Anna Kuehn")
    True
    """
    words = names.sort_key(" ".join(map(bare, parts))).split()
    plain = (word.replace("ae", "a").replace("oe", "o").replace("ue", "u") for word in words)
    return " ".join(sorted(plain))


class _Planner:
    """Plans the rows in order, and remembers the persons of earlier rows."""

    def __init__(
        self,
        known: KnownPersons,
        persons: Iterable[Person],
        decisions: Mapping[str, str],
        *,
        stored: Collection[str],  # numbers of rows
        as_they_are: Collection[int],  # numbers of doubtful rows that are persons
        asks_slips: bool,
    ) -> None:
        self.known = known
        self.stored = stored
        self.as_they_are = as_they_are
        self.decisions = decisions
        self.by_name: dict[str, list[Person]] = defaultdict(list)
        self.by_mate: dict[str | int, list[Person]] = defaultdict(list)  # by club, by birth year
        self.by_number: dict[str, list[Person]] = defaultdict(list)
        for person in persons:
            self.by_name[loose_key(person.last_name, person.first_name)].append(person)
            if person.member_number:
                self.by_number[names.sort_key(person.member_number)].append(person)
            if asks_slips and person.club is not None:
                self.by_mate[club_key(person.club.name)].append(person)
            if asks_slips and person.birth_year is not None:
                self.by_mate[person.birth_year].append(person)
        self.rows_by_name: dict[str, list[ParsedRow]] = defaultdict(list)
        self.row_of_person: dict[int, int] = {}
        self.row_of_number: dict[str, int] = {}

    def plan(self, row: ParsedRow) -> PlannedRow:
        decision = self.decisions.get(str(row.number), "")
        is_stored = str(row.number) in self.stored
        if decision == SKIP and not is_stored:
            return PlannedRow(row, RowState.SKIPPED, decision=decision)
        if row.errors:
            return PlannedRow(row, RowState.BAD)
        if row.doubt and row.number not in self.as_they_are:
            return PlannedRow(row, RowState.QUESTION, is_doubtful=True)
        key = loose_key(row.values["last_name"], row.values.get("first_name", ""))
        if is_stored:
            self.rows_by_name[key].append(row)
            return PlannedRow(row, RowState.STORED)
        planned = self._check_number(self._match(row, key, decision))
        self.rows_by_name[key].append(row)
        if planned.person is not None:
            self.row_of_person[planned.person.pk] = row.number
        return planned

    def _check_number(self, planned: PlannedRow) -> PlannedRow:
        """Return the row, or a bad one if another person has its number, stored or in the file."""
        row, person, key = planned.row, planned.person, _number(planned.row)
        if not key or planned.state not in {RowState.NEW, RowState.UPDATED, RowState.SAME}:
            return planned
        earlier = self.row_of_number.setdefault(key, row.number)
        holder = next(
            (
                other
                for other in self.by_number[key]
                if person is None or (other != person and other.owner_id == person.owner_id)
            ),
            None,
        )
        if planned.state is RowState.SAME or (holder is None and earlier == row.number):
            return planned
        if holder is not None:
            template = _("„{number}“ gehört schon zu {name}. Bitte berichtigen oder auslassen.")
        else:
            template = _("„{number}“ steht schon in Zeile {n}. Bitte berichtigen oder auslassen.")
        sentence = template.format(number=row.values["member_number"], name=holder, n=earlier)
        row.errors.append(CellError("member_number", sentence))
        return PlannedRow(row, RowState.BAD)

    def _match(self, row: ParsedRow, key: str, decision: str) -> PlannedRow:
        alike = self.by_name[key] or self._similar_persons(row)
        persons = {person.pk: person for person in [*alike, *self.by_number[_number(row)]]}
        possible = [person for person in persons.values() if not _has_other_birth_year(row, person)]
        possible.sort(key=lambda person: -_evidence(row, person))
        repeats = next(
            (
                earlier.number
                for earlier in self.rows_by_name[key]
                if not _are_different(earlier, row)
            ),
            None,
        )
        if decision == OTHER:
            return PlannedRow(row, RowState.NEW, candidates=possible, decision=decision)
        chosen = next((person for person in possible if str(person.pk) == decision), None)
        if chosen is None:
            chosen = _certain_match(row, possible)
        if chosen is not None:  # then only a row of the same person repeats it
            repeats = self.row_of_person.get(chosen.pk)
        if repeats is not None or (possible and chosen is None):
            return PlannedRow(row, RowState.QUESTION, candidates=possible, repeats=repeats)
        if chosen is None:
            return PlannedRow(row, RowState.NEW)
        is_update = self.known is KnownPersons.UPDATE and _differs(row, chosen)
        return PlannedRow(
            row,
            RowState.UPDATED if is_update else RowState.SAME,
            person=chosen,
            candidates=possible,
            decision=decision if decision == str(chosen.pk) else "",
        )

    def _similar_persons(self, row: ParsedRow) -> list[Person]:
        """Return persons of the same club or year whose name differs by one letter."""
        club, year = club_key(row.values.get("club", "")), row.values.get("birth_year", "")
        mates = {
            person.pk: person for key in (club, year) if key for person in self.by_mate.get(key, [])
        }
        name = person_key(row.values["last_name"], row.values.get("first_name", ""))
        return [person for person in mates.values() if differ_by_typo(name, person.sort_key)]


def _has_other_birth_year(row: ParsedRow, person: Person) -> bool:
    year = row.values.get("birth_year")
    return None not in {year, person.birth_year} and year != person.birth_year


def _number(row: ParsedRow) -> str:
    return names.sort_key(row.values.get("member_number", ""))


def _certain_match(row: ParsedRow, possible: Sequence[Person]) -> Person | None:
    """Return the person with the most matching facts, at least one besides the name, or None.

    If persons have numbers, only one with the number of the row is certain.
    """
    number = _number(row)
    holders = [
        person for person in possible if number and names.sort_key(person.member_number) == number
    ]
    possible = holders or [person for person in possible if not number or not person.member_number]
    evidence = [_evidence(row, person) for person in possible]
    best = max(evidence, default=0)
    return possible[evidence.index(best)] if best and evidence.count(best) == 1 else None


def _evidence(row: ParsedRow, person: Person) -> int:
    """Return the number of matching facts besides the name; 0 if the name differs."""
    values = row.values
    if person_key(values["last_name"], values.get("first_name", "")) != person.sort_key:
        return 0
    club = club_key(values.get("club", ""))
    facts = (
        person.club is not None and club == club_key(person.club.name),
        values.get("birth_year", 0) == person.birth_year,
        values.get("email", "-").lower() == person.email.lower(),
        _number(row) != "" and _number(row) == names.sort_key(person.member_number),
    )
    return sum(facts)


def _are_different(first: ParsedRow, second: ParsedRow) -> bool:
    """Whether two rows with similar names are certainly different persons."""

    def differ(target: str) -> bool:
        key = club_key if target == "club" else names.sort_key
        values = (first.values.get(target), second.values.get(target))
        return None not in values and key(str(values[0])) != key(str(values[1]))

    return differ("birth_year") or differ("club") or differ("member_number")


def _differs(row: ParsedRow, person: Person) -> bool:
    return any(
        club_key(value) != (club_key(person.club.name) if person.club else "")
        if name == "club"
        else value != getattr(person, name)
        for name, value in row.values.items()
        if name not in KEPT_FIELDS
    )
