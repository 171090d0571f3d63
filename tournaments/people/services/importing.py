"""Importing a file of persons: all of it or nothing.

A file is stored as a draft (:class:`PersonImport`) while its owner assigns the columns and
decides about rows. Only a plan without open rows is carried out, in one transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import islice, zip_longest
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from tournaments.common.actors import Actor
from tournaments.common.club_names import club_key
from tournaments.common.errors import Conflict, TournamentError
from tournaments.common.short_texts import clean_line
from tournaments.journal import services as journal
from tournaments.machine import sheets
from tournaments.machine.columns import duplicate_target, headings_of
from tournaments.machine.encodings import reinterpret as read_cell
from tournaments.machine.optional_writes import write_if_possible
from tournaments.models import Club, Organiser, Person, PersonImport, Tournament, User
from tournaments.people.services import columns as people_columns
from tournaments.people.services.columns import FIRST_LAST, LAST_FIRST, PERSONS, Columns
from tournaments.people.services.people import (
    FIELDS,
    RANKING_FIELDS,
    PersonDataChange,
    apply_fields,
    clubs_by_key,
    follow_club,
    owner_of,
    raise_revisions,
    run_change_hooks,
    tournament_keys_of,
)
from tournaments.people.services.plan import (
    AS_IT_IS,
    KEPT_FIELDS,
    SPLIT,
    ImportPlan,
    KnownPersons,
    PlannedRow,
    RowState,
    living_persons,
    make_plan,
)
from tournaments.people.services.rows import parse_row

BATCH = 500
READINGS = 5  # example cells of each encoding


def store_rows(
    *,
    rows: list[sheets.Row],
    file_name: str,
    user: User,
    within: Tournament | Organiser,
    columns: Columns = PERSONS,
    encodings: Sequence[str] = (),
) -> PersonImport:
    """Store the rows of a file as a draft; within a tournament, as a file of registrations.

    *encodings* are the possible ones, that of the rows first.
    """
    delete_old_files()
    rows = people_columns.join_headings(rows, columns)
    choices = _guess(rows, columns) | ({"encodings": list(encodings)} if encodings else {})
    limit = PersonImport._meta.get_field("file_name").max_length
    return PersonImport.objects.create(
        owner_id=owner_of(within),
        tournament=within if isinstance(within, Tournament) else None,
        holds_registrations=isinstance(within, Tournament),
        created_by=user,
        file_name=file_name[-(limit or 0) :],
        rows=rows,
        choices=choices,
    )


def _guess(rows: Sequence[sheets.Row], columns: Columns) -> dict[str, Any]:
    heading_row = people_columns.heading_row(rows, columns)
    return {"heading_row": heading_row, "columns": guess_columns(rows, heading_row, columns)}


def readings(draft: PersonImport) -> list[tuple[str, str]]:
    """Return the possible encodings, that of the rows first, each with example cells."""
    encodings = draft.choices.get("encodings", [])
    cells = dict.fromkeys(cell for _number, row in draft.rows for cell in row if not cell.isascii())
    return [
        (
            encoding,
            " · ".join(read_cell(cell, encodings[0], encoding) for cell in islice(cells, READINGS)),
        )
        for encoding in encodings
    ]


def read_again(draft: PersonImport, encoding: str, columns: Columns = PERSONS) -> None:
    """Store the rows decoded by another encoding; decisions about rows are reset."""
    encodings: list[str] = draft.choices["encodings"]
    draft.rows = [
        [number, [clean_line(read_cell(cell, encodings[0], encoding)) for cell in row]]
        for number, row in draft.rows
    ]
    others = [other for other in encodings if other != encoding]
    kept = {"stored": stored} if (stored := draft.choices.get("stored")) else {}
    draft.choices = {**_guess(draft.rows, columns), "encodings": [encoding, *others], **kept}
    draft.save(update_fields=["rows", "choices"])


def delete_old_files() -> None:
    """Delete files not imported within a day: they contain personal data."""
    old = PersonImport.objects.filter(created_at__lt=timezone.now() - PersonImport.KEPT_FOR)
    write_if_possible(old.delete)


def guess_columns(
    rows: Sequence[sheets.Row], heading_row: int, columns: Columns = PERSONS
) -> list[str]:
    """Return the target of each column by its heading, "" for unknown ones."""
    headings = headings_of(rows, heading_row)
    return people_columns.guess(headings, columns) if heading_row else [""] * len(headings)


def choose_columns(
    *,
    draft: PersonImport,
    heading_row: int,
    columns: Sequence[str],
    club: str = "",
    known: KnownPersons,
    targets: Mapping[str, str | Promise] = people_columns.TARGETS,
) -> None:
    """Store the targets of the columns. Decisions about rows are reset.

    Raises:
        TournamentError: if no column has the last name, or two columns have the same target.
    """
    targets_chosen = [target for target in columns if target]
    if target := duplicate_target(targets_chosen):
        raise TournamentError(
            _("„{target}“ ist für zwei Spalten gewählt. Bitte nur eine davon auswählen.").format(
                target=targets[target]
            )
        )
    of_names = [target for target in targets_chosen if target in people_columns.NAMES]
    if len(of_names) != 1 or (of_names != ["last_name"] and "first_name" in targets_chosen):
        raise TournamentError(
            _(
                "Es braucht entweder die Spalten „Nachname“ und, wenn vorhanden, „Vorname“, oder "
                "eine einzige Spalte mit beiden Namen."
            )
        )
    kept = {name: draft.choices[name] for name in ("encodings", "stored") if name in draft.choices}
    chosen = {"heading_row": heading_row, "columns": list(columns), "club": club, "known": known}
    draft.choices = kept | chosen
    draft.save(update_fields=["choices"])


def decide(
    *,
    draft: PersonImport,
    known: KnownPersons,
    decisions: Mapping[int, str],
    mended: Mapping[int, Mapping[str, str]],
) -> None:
    """Store decisions about rows, and cells corrected on the page.

    A decision is "skip", "other" (not a stored person), the key of the stored person, or "" for
    none; other rows keep theirs. For a doubtful row it is "skip", "as_it_is", or "split", which
    gives its second person a row of its own.
    """
    before = draft.choices
    kept: dict[str, str] = dict(before.get("decisions", {}))
    as_they_are = {number for number, decision in decisions.items() if decision == AS_IT_IS}
    parted = {number for number, decision in decisions.items() if decision == SPLIT}
    for number, decision in decisions.items():
        kept[str(number)] = "" if number in as_they_are | parted else decision
    cells: dict[str, dict[str, str]] = dict(before.get("mended", {}))
    for number, of_row in mended.items():
        cells[str(number)] = {**cells.get(str(number), {}), **of_row}
    draft.choices = {
        **before,
        "known": known,
        "decisions": {number: decision for number, decision in kept.items() if decision},
        "mended": cells,
        "as_they_are": sorted(as_they_are.union(before.get("as_they_are", []))),
    }
    _split(draft, parted)
    draft.save(update_fields=["rows", "choices"])


def _split(draft: PersonImport, numbers: Collection[int]) -> None:
    """Give each person of these rows a row; the further rows have only club and name."""
    columns: list[str] = draft.choices["columns"]
    last = max((number for number, _cells in draft.rows), default=0)
    rows: list[Any] = []
    further: list[Any] = []
    for number, cells in draft.rows:
        couple = parse_row(number, cells, columns, {}).couple if number in numbers else []
        if len(couple) < 2:
            rows.append([number, cells])
            continue
        for at, names in enumerate(couple):
            new_cells = [
                _cell(cell, target, names, keeps_all=at == 0)
                for cell, target in zip_longest(cells, columns[: len(cells)], fillvalue="")
            ]
            (rows if at == 0 else further).append([number if at == 0 else last + 1, new_cells])
            last += at > 0
    draft.rows = [*rows, *further]


def _cell(cell: str, target: str, names: tuple[str, str], *, keeps_all: bool) -> str:
    """Return a cell of a split row: the name of its person, or a shared value."""
    last_name, first_name = names
    by_target = {
        "last_name": last_name,
        "first_name": first_name,
        LAST_FIRST: f"{last_name}, {first_name}",
        FIRST_LAST: f"{last_name}, {first_name}",  # a comma sets the order
    }
    return by_target.get(target, cell if keeps_all or target == "club" else "")


@transaction.atomic
def carry_out(
    owner: Organiser, *, draft_id: int, fingerprint: str, actor: Actor
) -> Mapping[str, int]:
    """Carry out the plan of a file of *owner*, and return the number of rows by state.

    Raises:
        Conflict: if the file was imported already, or the plan differs from the one with
            *fingerprint* that the page showed.
        TournamentError: if a row is wrong or undecided, with its number.
    """
    tournaments = list(
        Tournament.objects.select_for_update()
        .filter(owner=owner)
        .exclude(status=Tournament.Status.CLOSED)
        .order_by("pk")
    )
    # Locks all files: two imports at once would each create the same person.
    drafts = PersonImport.objects.filter(owner=owner)
    list(drafts.select_for_update().order_by("pk").values_list("pk", flat=True))
    draft = drafts.filter(pk=draft_id).first()
    if draft is None:
        raise Conflict(_("Diese Datei ist schon übernommen oder verworfen worden."))
    plan = make_plan(draft, living_persons(draft).select_for_update(of=("self",)))
    check_plan(plan, fingerprint)
    if not any(row.state in {RowState.NEW, RowState.UPDATED} for row in plan.rows):
        raise TournamentError(
            _("In dieser Datei ist niemand neu und nichts geändert: Es gibt nichts zu speichern.")
        )
    clubs, new_clubs = _clubs(plan, owner)
    created = _create([row for row in plan.rows if row.state is RowState.NEW], clubs, owner)
    updated = _update(
        [row for row in plan.rows if row.state is RowState.UPDATED], clubs, tournaments, actor
    )
    draft.delete()
    journal.record(
        owner,
        actor,
        "persons_imported",
        after={
            "counts": plan.counts,
            "created": [person.pk for person in created],
            "updated": [person.pk for person in updated],
            "clubs": new_clubs,
        },
    )
    return plan.counts


def check_plan(plan: ImportPlan, fingerprint: str) -> None:
    """Refuse a plan with open rows, or one that differs from the page.

    Raises:
        TournamentError: with the number of the first open row.
        Conflict: if the plan differs from the one with *fingerprint*.
    """
    still_open = plan.open_rows
    if still_open:
        raise TournamentError(
            _(
                "Zu klären sind {n} Zeilen, zuerst Zeile {number}. Bitte berichtigen, "
                "entscheiden oder auslassen."
            ).format(n=len(still_open), number=still_open[0].number)
        )
    if plan.fingerprint != fingerprint:
        raise Conflict(
            _(
                "Inzwischen hat jemand Personen geändert, und aus der Datei würde etwas anderes. "
                "Bitte die Vorschau noch einmal ansehen."
            )
        )


def _clubs(plan: ImportPlan, owner: Organiser) -> tuple[dict[str, Club], list[int]]:
    """Return the clubs that the rows name, by key, and the keys of new ones."""
    clubs_of_rows: dict[str, Club] = {}
    for row in plan.rows:
        name = row.row.values.get("club")
        if name and row.state in {RowState.NEW, RowState.UPDATED}:
            club = Club(owner=owner, name=name)
            club.tidy()
            clubs_of_rows.setdefault(club_key(club.name), club)
    known = clubs_by_key(owner.pk)
    missing = [club for key, club in clubs_of_rows.items() if key not in known]
    # A desk may store the same club at this moment; then the stored club is used.
    Club.objects.bulk_create(missing, batch_size=BATCH, ignore_conflicts=True)
    clubs = clubs_by_key(owner.pk) if missing else known
    return clubs, sorted(clubs[club_key(club.name)].pk for club in missing)


def _fields(row: PlannedRow, clubs: Mapping[str, Club]) -> dict[str, Any]:
    values = dict(row.row.values)
    if "club" in values:
        values["club"] = clubs[club_key(values["club"])]
    return values


def _create(
    rows: Sequence[PlannedRow], clubs: Mapping[str, Club], owner: Organiser
) -> list[Person]:
    now = timezone.now()
    persons = []
    for row in rows:
        person = Person(owner=owner)
        apply_fields(person, _fields(row, clubs), now=now)
        persons.append(person)
    return Person.objects.bulk_create(persons, batch_size=BATCH)


def _update(
    rows: Sequence[PlannedRow],
    clubs: Mapping[str, Club],
    tournaments: Sequence[Tournament],
    actor: Actor,
) -> list[Person]:
    now = timezone.now()
    persons, old_clubs, decided = [], {}, []
    for person, row in ((row.person, row) for row in rows if row.person is not None):
        old_clubs[person.pk] = person.club_id
        fields = _fields(row, clubs)
        if any(fields[name] != getattr(person, name) for name in RANKING_FIELDS & fields.keys()):
            decided.append(person.pk)
        apply_fields(
            person, {name: fields[name] for name in fields if name not in KEPT_FIELDS}, now=now
        )
        persons.append(person)
    Person.objects.bulk_update(
        persons, [*FIELDS, "publish_consent_at", "sort_key", "search_key"], batch_size=BATCH
    )
    moved = {
        person.pk: old_clubs[person.pk]
        for person in persons
        if person.club_id != old_clubs[person.pk]
    }
    follow_club(tournaments, moved, actor=actor)
    run_change_hooks(PersonDataChange(persons=decided, tournaments=tournaments, actor=actor))
    # Includes closed tournaments and those of other organisers, which are not locked.
    played = Tournament.objects.filter(pk__in=tournament_keys_of(old_clubs))
    transaction.on_commit(lambda: raise_revisions(played))
    return persons
