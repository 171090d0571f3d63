"""Each look-up is scoped by an organiser or by a tournament: read from the syntax tree.

A look-up of an owned model is filtered by its organiser or passed to ``get_reachable``. A look-up
of rows of a tournament is filtered by the tournament or by another row of it, or passed to ``own``.
All others are listed in ``WITHOUT``, with the reason why they reveal no foreign rows. Tournaments
are not checked: their pages need a role or are public (``test_other_tournament.py``).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from django.apps import apps

from tournaments.models import Tournament

ROOMS = Path(__file__).resolve().parents[1] / "tournaments"
OWNED = {"Club", "Person", "PersonImport", "Season"}
# Of the installation, although some of them name a tournament.
NO_ROWS = {"CodeGuess", "Invitation", "Job", "JournalChain"}
ROWS = {
    model
    for model in apps.get_app_config("tournaments").get_models()
    if getattr(model, "within", ())
    or any(field.name == "tournament" for field in model._meta.fields)
    if model.__name__ not in OWNED | NO_ROWS
}
# Fields whose value scopes a look-up, by model.
SCOPING = {model: {"owner", "owner_id"} for model in OWNED} | {
    model.__name__: {
        field.name
        for field in model._meta.get_fields()
        if field.related_model in ROWS | {Tournament}
    }
    for model in ROWS
}
SCOPES = {name for names in SCOPING.values() for name in names}
SAME = {"in", "pk"}  # after a field: still the value of the field
LOOKED_UP_BY = {"QuerySet", "get_list_or_404", "get_object_or_404"}
NARROWED_BY = {"Q", "create", "filter", "get", "get_or_create", *LOOKED_UP_BY}
SCOPED_BY = {"own", "get_reachable", "Prefetch"}  # a look-up passed to these is scoped
NO_LOOK_UP = {"bulk_create", "bulk_update", "none"}  # of rows at hand, or of none

LOCKS = "locks a row that its caller has found"
AT_HAND = "reads what belongs to rows at hand"
PUBLIC = "a season is public"
WITHOUT = {
    "archive/importing.py: import_archive: Season": "those of the tournament that is replaced",
    "archive/persons.py: get_or_create_persons: Club": "the clubs of rows that were just stored",
    "board/views/public.py: tournament_page: Season": PUBLIC,
    "desk/online/queries/entries.py: suggested_clubs: Person": "of clubs that are the organiser's",
    "desk/online/services/entry.py: change_consent: Person": "locks the person of a registration",
    "desk/services/approval.py: forget_listed: Season": "of the tournaments that the person played",
    "desk/services/approval.py: forget_listed: Person": "asks whose the persons are",
    "desk/services/changes.py: substitute: Person": "locks; check_not_registered asks whose",
    "desk/services/files.py: register_part: PersonImport": "those of a tournament",
    "desk/services/files.py: take_back_file: PersonImport": "those of a tournament",
    "desk/services/registrations.py: register: Person": "locks; check_not_registered asks whose",
    "operator/queries.py: organiser_sizes: Person": "counts, for who runs the program",
    "people/access.py: all_persons: Person": "the rows that get_reachable() chooses from",
    "people/queries/people.py: persons_by_keys: Person": "shows persons that a search has found",
    "people/services/anonymise.py: anonymise_person: Person": "those merged into one at hand",
    "people/services/bans.py: _lock: Person": LOCKS,
    "people/services/clubs.py: _lock_tournaments_and_persons: Club": "asks whose the clubs are",
    "people/services/clubs.py: _lock_tournaments_and_persons: Person": AT_HAND,
    "people/services/clubs.py: merge_clubs: Club": LOCKS,
    "people/services/clubs.py: merge_clubs: Person": AT_HAND,
    "people/services/clubs.py: rename_club: Club": LOCKS,
    "people/services/clubs.py: renew_search_keys: Person": AT_HAND,
    "people/services/importing.py: delete_old_files: PersonImport": "tidies up, and shows nothing",
    "people/services/people.py: lock_persons: Person": LOCKS,
    "people/views/importing.py: importable_drafts: PersonImport": "narrowed by its callers",
    "printing/results.py: seasons: Season": PUBLIC,
    "results/queries/history.py: seasons_of: Season": PUBLIC,
    "seasons/queries.py: standing: Person": AT_HAND,
    "seasons/services.py: change_season: Season": LOCKS,
    "seasons/services.py: create_season: Season": "short names are unique among all",
    "seasons/services.py: offer: Season": "public; offerable_tournaments() checks the tournament",
    "seasons/views.py: edit: Season": "may_change() asks who made it",
    "seasons/views.py: file: Season": PUBLIC,
    "seasons/views.py: invite: Season": "public; target_of() asks whose the tournament is",
    "seasons/views.py: offer: Season": PUBLIC,
    "seasons/views.py: season: Season": PUBLIC,
    "seasons/views.py: table_of_honour: Season": PUBLIC,
    **dict.fromkeys(
        (
            "people/queries/people.py: persons_by_keys: Registration",
            "people/services/anonymise.py: _forget_reasons: Registration",
            "people/services/anonymise.py: _forget_reasons: Separation",
            "people/services/anonymise.py: _forget_reasons: Substitution",
            "people/services/anonymise.py: open_tournament_of: Substitution",
            "people/services/clubs.py: _lock_tournaments_and_persons: Registration",
            "people/services/clubs.py: merge_clubs: Registration",
            "people/services/merge.py: _move_substitutions: Substitution",
            "people/services/merge.py: _substituted_in: Substitution",
            "people/services/people.py: tournament_keys_of: Registration",
            "people/services/people.py: tournament_keys_of: Substitution",
            "printing/disclosure.py: disclosure: Substitution",
            "accounts/proposals.py: _person_hindrance: Registration",
            "cash/bank/services/bank.py: forget_remitters: BankTransaction",
            "cash/bank/services/bank.py: forget_remitters: Registration",
            "desk/online/services/desk.py: forget_persons: Entry",
            "desk/online/services/desk.py: forget_persons: EntryLine",
            "desk/online/services/entry.py: change_consent: Registration",
            "desk/services/ranking_members.py: forget_reasons: RankingChoice",
            "desk/services/teams.py: forget_in_names: Registration",
            "results/queries/history.py: history: Registration",
            "lists/services/signing.py: forget_drawings: Signature",
        ),
        "reads rows of persons or clubs at hand, in every tournament of theirs",
    ),
    **dict.fromkeys(
        (
            "corrections/services/base.py: load_list: Spielliste",
            "corrections/services/four_eyes.py: reject: Penalty",
            "corrections/services/four_eyes.py: reject: Spielliste",
            "corrections/services/moves.py: _own_games: Registration",
            "corrections/services/plans.py: _plan_exclusion: Registration",
            "corrections/services/plans.py: _plan_penalty: Penalty",
            "corrections/services/plans.py: _plan_withdrawal: Penalty",
            "corrections/services/writing.py: _write_penalty: Penalty",
            "corrections/services/writing.py: touched_lists: Spielliste",
            "corrections/views.py: people_of: Registration",
            "lists/queries/changes.py: _seat_changes: Registration",
            "lists/queries/changes.py: describe: Registration",
            "notices/views/cases.py: _given_penalty: Penalty",
        ),
        "reads by the facts of a correction, which is of the tournament",
    ),
    **dict.fromkeys(
        (
            "desk/online/services/changes.py: find_entry: Entry",
            "desk/online/services/naming.py: find: EntryLine",
            "draw/views/table.py: _find: Draw",
            "results/services/player_access.py: find_registration: Registration",
            "table/services/devices.py: check_not_withdrawn: TableDevice",
            "table/services/devices.py: find_by_code: TableDevice",
            "table/services/devices.py: note_seen: TableDevice",
        ),
        "reads by a secret, which names the tournament",
    ),
    **dict.fromkeys(
        (
            "draw/services/draws.py: _carry_out_job: Draw",
            "notices/services/circulars.py: mail_circular: Circular",
            "printing/views.py: progress: PrintedDocument",
        ),
        "reads by the result or the parameters of a job",
    ),
    **dict.fromkeys(
        (
            "backup/saving.py: _closings: Closing",
            "accounts/queries.py: demo_accounts: Membership",
            "operator/queries.py: due_persons: Registration",
            "operator/queries.py: due_persons: Substitution",
            "backup/saving.py: _closings: Serie",
            "backup/restoring.py: _note: TableDevice",
            "common/organisers.py: tournaments_with: Membership",
            "journal/services.py: first_breaks: ArchivedJournal",
            "printing/store.py: _delete_files: PrintedDocument",
            "printing/store.py: _tidy: PrintedDocument",
            "table/views/code.py: _with_open_tables: Serie",
        ),
        "of the whole installation, and shown to nobody",
    ),
    **dict.fromkeys(
        (
            "practice/demo/removal.py: _all_of: Registration",
            "practice/demo/removal.py: _all_of: Person",
            "practice/trial/steps.py: : Draw",
        ),
        "the practice tournament, or the trial run on a database of its own",
    ),
    **dict.fromkeys(
        (
            "announcement/services/tariff.py: _change_dues: Registration",
            "cash/bank/services/bank.py: book_clear: BankTransaction",
            "checking/queries.py: sheet: Registration",
            "checking/views/people.py: _player_choices: Registration",
            "corrections/services/writing.py: _update_departures: Seat",
            "desk/queries/files.py: removal_obstacles: CashEntry",
            "desk/queries/files.py: removal_obstacles: Seat",
            "desk/services/teams.py: take_wish: Team",
            "draw/services/changes.py: _seated_hall: Registration",
            "draw/services/draws.py: _field_changes: Registration",
            "draw/views/swaps.py: _effects: Registration",
            "draw/views/table.py: _places: Registration",
            "hall/queries/handing_in.py: bussgelder: Registration",
            "hall/queries/handing_in.py: rows_of: Spielliste",
            "hall/views/grid.py: _page: Registration",
            "lists/queries/loading.py: read_lists: Spielliste",
            "notices/queries/cases.py: sheet_of: Registration",
            "notices/queries/recipients.py: addresses_of: Registration",
            "printing/played_lists.py: __init__: Registration",
            "table/queries/state.py: _moves: Registration",
        ),
        AT_HAND,
    ),
}


def looked_up(node: ast.AST) -> str:
    """Return the scoped model of a look-up starting at *node*, or nothing."""
    match node:
        case ast.Attribute(value=ast.Name(id=model), attr="objects") if model in SCOPING:
            return model
        case ast.Call(func=ast.Name(id=by), args=[ast.Name(id=model), *_]) if model in SCOPING:
            return model if by in LOOKED_UP_BY else ""
    return ""


def called(node: ast.AST | None) -> str:
    """Return the last name of a called expression."""
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name
    return ""


def scopes(condition: str, model: str) -> bool:
    """Whether a condition leads from *model* to a row that scopes, and compares this row."""
    path = condition.split("__")
    while path and path[-1] in SAME:
        path.pop()
    return not SCOPING[model].isdisjoint(path) and path[-1] in SCOPES


def narrows(call: ast.AST, model: str) -> bool:
    """Whether a call narrows rows by a field that scopes, by itself or in a condition within."""
    return any(
        called(inner) in NARROWED_BY
        and any(scopes(word.arg or "", model) for word in inner.keywords)
        for inner in ast.walk(call)
        if isinstance(inner, ast.Call)
    )


def chain_from(node: ast.AST, around: dict[ast.AST, ast.AST]) -> tuple[ast.AST, list[str]]:
    """Return *node* with all that is called on it in turn, and the names of these methods."""
    methods = []
    while isinstance(around.get(node), ast.Attribute) or (
        isinstance(call := around.get(node), ast.Call) and call.func is node
    ):
        node = around[node]
        methods.append(called(node))
    return node, methods


def is_scoped(node: ast.AST, model: str, around: dict[ast.AST, ast.AST]) -> bool:
    """Whether the look-up that begins at *node* is scoped, or each use of its variable."""
    chain, methods = chain_from(node, around)
    user = around.get(chain)
    if not NO_LOOK_UP.isdisjoint(methods) or narrows(chain, model) or called(user) in SCOPED_BY:
        return True
    match user:
        case ast.keyword(arg="of" | "queryset"):  # of an act, which asks ``own``; of a Prefetch
            return True
        case ast.Call() if called(user) in LOOKED_UP_BY:
            return narrows(user, model)
        case ast.Assign(targets=[ast.Name(id=variable)]):
            if isinstance(node, ast.Name) and node.id == variable:
                return True  # its other uses are asked
            uses = [
                other
                for other in around
                if isinstance(other, ast.Name)
                and other.id == variable
                and isinstance(other.ctx, ast.Load)
            ]
            return bool(uses) and all(is_scoped(use, model, around) for use in uses)
    return False


def functions(tree: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    """Yield the outermost functions of a module with their names, and the module level."""
    outside = ast.Module(body=[], type_ignores=[])
    for node in tree.body:
        parts = node.body if isinstance(node, ast.ClassDef) else [node]
        for part in parts:
            if isinstance(part, ast.FunctionDef):
                yield part.name, part
            else:
                outside.body.append(part)
    yield "", outside


def unscoped(source: str) -> list[str]:
    """Return function and model of each look-up that is not scoped."""
    places = []
    tree = ast.parse(source)
    for name, function in functions(tree):
        scope = function if name else tree  # in which a variable is used
        around = {inner: node for node in ast.walk(scope) for inner in ast.iter_child_nodes(node)}
        places += [
            f"{name}: {model}"
            for node in ast.walk(function)
            if (model := looked_up(node)) and not is_scoped(node, model, around)
        ]
    return places


def test_every_look_up_is_scoped_or_has_a_reason():
    places = {
        f"{file.relative_to(ROOMS).as_posix()}: {look_up}"
        for file in sorted(ROOMS.rglob("*.py"))
        if file.relative_to(ROOMS).parts[0] not in {"migrations", "models"}
        for look_up in unscoped(file.read_text(encoding="utf-8"))
    }

    assert places - WITHOUT.keys() == set(), "filter by organiser or tournament, or say why not"
    assert WITHOUT.keys() - places == set(), "these are scoped by now, or are no more"


def test_an_unscoped_look_up_is_found_beside_other_names():
    forgets = "def page(pk):\n    return get_object_or_404(Person, pk=pk)\n"
    hidden = "class Plan:\n    def clubs(self):\n        return list(Club.objects.all())\n"
    outside = "EVERYBODY = Person.objects.all()\n"
    named = (
        "def page(owner, pk):  # filtered by owner\n"
        "    get_reachable = owner.organiser\n"
        "    Club.objects.filter(owner=owner)\n"
        "    return Season.objects.exclude(owner=None).get(pk=pk)\n"
    )
    by_key = "def act(tournament, pk):\n    return Penalty.objects.select_related().get(pk=pk)\n"
    by_id = "def act(key):\n    Seat.objects.filter(registration_id=key)\n"
    by_number = "def act(number):\n    Seat.objects.filter(table__number=number)\n"
    of_a_person = "def act(person):\n    Registration.objects.filter(person=person)\n"
    variable = (
        "def page(tournament, pk):\n"
        "    tables = Table.objects.order_by('number')\n"
        "    own(tournament, tables, pk=pk)\n"
        "    return tables.get(pk=pk)\n"
    )
    constant = "TABLES = Table.objects.all()\ndef page(pk):\n    return TABLES.get(pk=pk)\n"

    assert unscoped(forgets) == ["page: Person"]
    assert unscoped(hidden) == ["clubs: Club"]
    assert unscoped(outside) == [": Person"]
    assert unscoped(named) == ["page: Season"]
    assert unscoped(by_key) == ["act: Penalty"]
    assert unscoped(by_id) == ["act: Seat"]
    assert unscoped(by_number) == ["act: Seat"]
    assert unscoped(of_a_person) == ["act: Registration"]
    assert unscoped(variable) == ["page: Table"]
    assert unscoped(constant) == [": Table"]


def test_a_scoped_look_up_is_accepted():
    source = """
@act(of=Team.objects.select_related("ranking"))
def page(request, own, pk):
    Season.objects.filter(owner=own, pk=pk)
    Club.objects.order_by("pk").filter(Q(owner__in=own) | Q(pk=pk))
    get_object_or_404(Person, owner_id=own, pk=pk)
    get_reachable(request, Club.objects.all(), pk=pk)
    Person.objects.bulk_update(own, ["sort_key"])
    Seat.objects.filter(table=table)
    Spielliste.objects.filter(table__serie__tournament=tournament).get(pk=pk)
    tables = Table.objects.order_by("number")
    own(tournament, tables, pk=pk)
    get_object_or_404(tables, serie=serie)
"""
    assert unscoped(source) == []
