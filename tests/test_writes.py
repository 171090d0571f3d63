"""Only acts write rows of a tournament, so that states, roles and the journal apply.

Read from the source of each room: every write outside ``acts.Act`` is listed in ``WITHOUT`` with
its function and its reason, and every listed write still exists.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from django.apps import apps
from django.db.models.fields.related_descriptors import ReverseManyToOneDescriptor

ROOMS = Path(__file__).parents[1] / "tournaments"
# Rooms whose rows belong to the installation or to a device, and the modules of acts.
NO_TOURNAMENT = {
    *("accounts", "archive", "backup", "common", "journal", "machine", "operator", "people"),
    *("practice", "printing", "seasons", "models", "migrations", "management"),
}
WRITES = {
    *("save", "delete", "create", "bulk_create", "bulk_update"),
    *("get_or_create", "update_or_create"),
}
MANY = {"add", "clear", "remove", "set"}  # methods of many-to-many managers
SETS = {
    name
    for model in apps.get_app_config("tournaments").get_models()
    for name in dir(model)
    if isinstance(getattr(model, name, None), ReverseManyToOneDescriptor)  # or to many
}
WITHOUT: dict[str, str] = {
    **dict.fromkeys(
        ("cash/bank/services/tables.py: _add: statement.accounts.add",),
        "no row of the database",
    ),
    **dict.fromkeys(
        (
            "cash/bank/services/tables.py: store_draft: PersonImport.objects.create",
            "cash/bank/views.py: columns: draft.save",
            "cash/bank/views.py: columns: draft.delete",
            "desk/services/files.py: register_part: draft.delete",
            "desk/services/files.py: register_part: draft.save",
            "desk/services/files.py: take_back_file: PersonImport.objects.filter.delete",
        ),
        "a file that is being read in, which nothing is reckoned from",
    ),
    **dict.fromkeys(
        (
            "desk/services/ranking_members.py: take_into_ranking: act.row.rankings.add",
            "desk/services/ranking_members.py: clear_ranking: ranking.registrations.clear",
            "desk/services/ranking_members.py: take_in_fitting: act.row.registrations.add",
            "desk/services/ranking_members.py: choose: registration.rankings.set",
            "desk/services/ranking_members.py: follow: registration.rankings.set",
            "desk/services/ranking_members.py: follow_substitute: registration.rankings.set",
            "desk/services/teams.py: dissolve_team: members.delete",
            "draw/services/rows.py: write_rows: old.delete",
            "draw/services/rows.py: write_rows: Table.objects.get_or_create",
            "lists/services/opening.py: open_lists: Spielliste.objects.bulk_create",
            "notices/services/circulars.py: send: circular.registrations.set",
            "notices/services/circulars.py: send: circular.lines.set",
            "lists/services/versions.py: keep: ListVersion.objects.create",
        ),
        "the act it is part of touches the rows",
    ),
    **dict.fromkeys(
        (
            "closing/services.py: close: tournament.entries.all.delete",
            "desk/online/services/changes.py: change_line: line.rankings.set",
            "desk/online/services/changes.py: change_line: line.declined.set",
            "desk/online/services/changes.py: withdraw_line: line.wishes.all.delete",
            "desk/online/services/desk.py: dismiss: act.row.wishes.all.delete",
            "desk/online/services/desk.py: discard: act.row.lines.filter.update",
            "desk/online/services/desk.py: discard: TeamWish.objects.filter.delete",
            "desk/online/services/entry.py: submit_entry: Entry.objects.create",
            (
                "desk/online/services/entry_limits.py: check_limits: "
                "tournament.entries.filter.exclude.update"
            ),
            "desk/online/services/entry.py: _store: line.save",
            "desk/online/services/entry.py: _store: line.rankings.set",
            "desk/online/services/entry.py: _store: line.declined.set",
            "desk/online/services/entry.py: store_wishes: line.wishes.all.delete",
            "desk/online/services/entry.py: store_wishes: TeamWish.objects.bulk_create",
            "desk/services/teams.py: _join: TeamWish.objects.filter.delete",
        ),
        "what was typed on the internet: part of an act, and in no proof",
    ),
    **dict.fromkeys(
        (
            "cash/bank/services/bank.py: forget_remitters: mine.update",
            "cash/bank/services/bank.py: forget_remitters: mine.exclude.update",
            "desk/online/services/desk.py: forget_persons: lines.delete",
            "desk/online/services/desk.py: forget_persons: Entry.objects.filter.delete",
            "desk/services/approval.py: forget_listed: Tournament.objects.filter.update",
            "desk/services/ranking_members.py: forget_reasons: choices.exclude.update",
            "lists/services/signing.py: forget_drawings: Signature.objects.filter.update",
        ),
        "forgets a person: free texts and names, which are not proved",
    ),
    **dict.fromkeys(
        (
            "closing/services.py: _end_access: TableAccess.objects.filter.update",
            "closing/services.py: _end_access: TableDevice.objects.filter.update",
            "lists/services/opening.py: _give_access: TableAccess.objects.bulk_create",
            "results/services/player_access.py: store_tokens: Registration.objects.bulk_update",
            "table/services/devices.py: open_device: TableDevice.objects.create",
            "table/services/devices.py: note_seen: rows.update",
        ),
        "codes and devices, which open a list and change nothing of it",
    ),
    **dict.fromkeys(
        (
            "lists/services/spiellisten.py: write_games: Game.objects.bulk_create",
            "lists/services/spiellisten.py: write_games: spielliste.save",
            "lists/services/spiellisten.py: change_game: spielliste.save",
            "lists/services/spiellisten.py: _start_serie: serie.save",
        ),
        "the entry of the act has other facts of a game, and few statements store it",
    ),
    **dict.fromkeys(
        (
            "draw/services/draws.py: _carry_out_job: jobs.update",
            "draw/services/draws.py: end_search: transaction.atomic",
            "draw/services/draws.py: end_search: job.save",
        ),
        "a job, which is no row of a tournament",
    ),
    **dict.fromkeys(
        (
            "announcement/services/tournaments.py: creating: transaction.atomic",
            "results/services/quota.py: make_final: transaction.atomic",
            "announcement/services/tournaments.py: _store_new: tournament.save",
        ),
        "there is no tournament to lock yet",
    ),
    "cash/bank/services/tables.py: read_by_columns: KnownColumns.objects.update_or_create": (
        "how this installation reads the tables of banks"
    ),
    "desk/online/services/entry.py: change_consent: person.save": "of the organiser",
    "desk/online/services/entry.py: change_consent: journal.record": "about a person",
    "table/services/acts.py: carry_out: submission.save": "for repetitions of an act, in no proof",
    "lists/services/opening.py: withdraw_list: Call.objects.filter.delete": "in no proof",
}


def is_write(node: ast.AST) -> bool:
    """Whether a piece of source writes rows, an entry of the journal, or begins a transaction."""
    match node:
        case ast.Attribute(value=ast.Name(id="transaction"), attr="atomic"):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id="journal"), attr="record" | "append")):
            return True
        case ast.Call(func=ast.Attribute(attr="update"), args=[], keywords=[_, *_]):
            return True  # dict.update() has an argument
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr=several), attr=method)):
            return method in WRITES or (method in MANY and several in SETS)
        case ast.Call(func=ast.Attribute(attr=method)):
            return method in WRITES
    return False


def functions(source: str) -> Iterator[tuple[str, ast.AST]]:
    """Yield the outermost functions of a module and of its classes, and the module level."""
    for node in ast.parse(source).body:
        parts = node.body if isinstance(node, ast.ClassDef) else [node]
        for part in parts:
            yield (part.name if isinstance(part, ast.FunctionDef) else ""), part


def names(node: ast.AST) -> tuple[str, ...]:
    """Return the names of a chain of attributes and calls, without arguments."""
    match node:
        case ast.Attribute(value=before, attr=last):
            return (*names(before), last)
        case ast.Call(func=before):
            return names(before)
        case ast.Name(id=first):
            return (first,)
    return ()


def writes(source: str) -> Iterator[str]:
    """Yield each writing call with its function."""
    for name, function in functions(source):
        for node in ast.walk(function):
            if is_write(node):
                yield f"{name}: {'.'.join(names(node))}"


def test_writes_outside_acts_have_a_reason():
    places = {
        f"{file.relative_to(ROOMS).as_posix()}: {write}"
        for file in sorted(ROOMS.rglob("*.py"))
        if file.relative_to(ROOMS).parts[0] not in NO_TOURNAMENT
        for write in writes(file.read_text(encoding="utf-8"))
    }

    assert places - WITHOUT.keys() == set(), "store by an act, or say why not"
    assert WITHOUT.keys() - places == set(), "these are no more"


def test_a_write_is_found_beside_comments():
    source = """
def act(row, table):  # transaction
    # no act: a reason
    row.save(update_fields=["status"])  # few statements
    Seat.objects.filter(table=table).delete()  # its key is kept
    Game.objects.filter(table=table).update(overridden=True)
    row.rankings.set([])
    with transaction.atomic():
        journal.record(row)
"""
    assert sorted(writes(source)) == [
        "act: Game.objects.filter.update",
        "act: Seat.objects.filter.delete",
        "act: journal.record",
        "act: row.rankings.set",
        "act: row.save",
        "act: transaction.atomic",
    ]


def test_other_calls_are_not_writes():
    source = """
def act(act, row, found):
    act.store(row)
    found.update({1: 2})
    found.add(1)
"""

    assert list(writes(source)) == []
