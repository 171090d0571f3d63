"""Whoever looks up what belongs to an organiser says whose: found in the source.

A look-up of an owned model has to be filtered by its organiser, or handed to ``reached``, which
does that, or stands in ``WITHOUT``, with the reason why it cannot give anybody what is another's.
Names and comments beside it do not count. Tournaments are left out: their pages are entered by a
role or are public, which ``test_other_tournament.py`` asks.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOMS = Path(__file__).resolve().parents[1] / "tournaments"
OWNED = {"Club", "Person", "PersonImport", "Season"}
LOOKED_UP_BY = {"QuerySet", "get_list_or_404", "get_object_or_404"}
NARROWED_BY = {"Q", "create", "filter", "get", "get_or_create", *LOOKED_UP_BY}
NO_LOOK_UP = {"bulk_create", "bulk_update", "none"}  # of rows at hand, or of none

LOCKS = "locks a row that its caller has found"
AT_HAND = "reads what belongs to rows at hand"
PUBLIC = "a season is public"
WITHOUT = {
    "archive/importing.py: import_archive: Season": "those of the tournament that is replaced",
    "archive/persons.py: find_or_make_persons: Club": "the clubs of rows that were just stored",
    "board/views/public.py: tournament_page: Season": PUBLIC,
    "desk/online/queries/sendings.py: suggested_clubs: Person": "of clubs that are the organiser's",
    "desk/online/services/entry.py: change_consent: Person": "locks the person of a registration",
    "desk/services/approval.py: forget_listed: Season": "of the tournaments that the person played",
    "desk/services/approval.py: forget_listed: Person": "asks whose the persons are",
    "desk/services/changes.py: substitute: Person": "locks; check_not_registered asks whose",
    "desk/services/files.py: register_part: PersonImport": "those of a tournament",
    "desk/services/files.py: take_back_file: PersonImport": "those of a tournament",
    "desk/services/registrations.py: register: Person": "locks; check_not_registered asks whose",
    "operator/queries.py: sizes: Person": "counts, for who runs the program",
    "people/access.py: every_person: Person": "the rows that reached() chooses from",
    "people/queries/people.py: persons_by_keys: Person": "shows persons that a search has found",
    "people/services/anonymise.py: anonymise_person: Person": "those merged into one at hand",
    "people/services/bans.py: _lock: Person": LOCKS,
    "people/services/clubs.py: _lock_tournaments_and_persons: Club": "asks whose the clubs are",
    "people/services/clubs.py: _lock_tournaments_and_persons: Person": AT_HAND,
    "people/services/clubs.py: merge_clubs: Club": LOCKS,
    "people/services/clubs.py: merge_clubs: Person": AT_HAND,
    "people/services/clubs.py: rename_club: Club": LOCKS,
    "people/services/clubs.py: renew_search_keys: Person": AT_HAND,
    "people/services/importing.py: forget_old_files: PersonImport": "tidies up, and shows nothing",
    "people/services/people.py: lock_persons: Person": LOCKS,
    "people/views/importing.py: young_drafts: PersonImport": "narrowed by its callers",
    "printing/results.py: seasons: Season": PUBLIC,
    "results/queries/history.py: seasons_of: Season": PUBLIC,
    "seasons/queries.py: standing: Person": AT_HAND,
    "seasons/services.py: change_season: Season": LOCKS,
    "seasons/services.py: create_season: Season": "short names are unique among all",
    "seasons/services.py: offer: Season": "public; offerable() asks whose the tournament is",
    "seasons/views.py: edit: Season": "may_change() asks who made it",
    "seasons/views.py: file: Season": PUBLIC,
    "seasons/views.py: invite: Season": "public; target_of() asks whose the tournament is",
    "seasons/views.py: offer: Season": PUBLIC,
    "seasons/views.py: season: Season": PUBLIC,
    "seasons/views.py: table_of_honour: Season": PUBLIC,
}


def looked_up(node: ast.AST) -> str:
    """Return the owned model that *node* begins a look-up of, or nothing."""
    match node:
        case ast.Attribute(value=ast.Name(id=model), attr="objects") if model in OWNED:
            return model
        case ast.Call(func=ast.Name(id=by), args=[ast.Name(id=model), *_]) if model in OWNED:
            return model if by in LOOKED_UP_BY else ""
    return ""


def called(node: ast.AST) -> str:
    """Return the last name of what is called."""
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name
    return ""


def says_whose(call: ast.AST) -> bool:
    """Whether a call narrows rows by their organiser, by itself or in a condition within."""
    return any(
        called(inner) in NARROWED_BY
        and any(
            "owner" in (word.arg or "").removesuffix("_id").split("__") for word in inner.keywords
        )
        for inner in ast.walk(call)
        if isinstance(inner, ast.Call)
    )


def functions(source: str) -> Iterator[tuple[str, ast.AST]]:
    """Yield the outermost functions of a module with their names, and what stands outside."""
    tree = ast.parse(source)
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
    """Return function and model of each look-up that does not say whose."""
    found = []
    for name, function in functions(source):
        around = {
            inner: node for node in ast.walk(function) for inner in ast.iter_child_nodes(node)
        }
        for node in ast.walk(function):
            if not (model := looked_up(node)):
                continue
            chain, methods = node, []  # Model.objects, and all that is called on it in turn
            while isinstance(around.get(chain), ast.Attribute) or (
                isinstance(call := around.get(chain), ast.Call) and call.func is chain
            ):
                chain = around[chain]
                methods.append(called(chain))
            is_given_over = called(around[chain]) == "reached" if chain in around else False
            is_of_rows_at_hand = not NO_LOOK_UP.isdisjoint(methods)
            if not (says_whose(chain) or is_given_over or is_of_rows_at_hand):
                found.append(f"{name}: {model}")
    return found


def test_every_look_up_of_what_is_owned_says_whose_or_why_not():
    found = {
        f"{file.relative_to(ROOMS).as_posix()}: {look_up}"
        for file in sorted(ROOMS.rglob("*.py"))
        if file.relative_to(ROOMS).parts[0] not in {"migrations", "models"}
        for look_up in unscoped(file.read_text(encoding="utf-8"))
    }

    assert found - WITHOUT.keys() == set(), "filter by the organiser, or say why it need not be"
    assert WITHOUT.keys() - found == set(), "these say whose by now, or are no more"


def test_a_look_up_that_forgets_the_organiser_is_found_whatever_is_named_beside_it():
    forgets = "def page(pk):\n    return get_object_or_404(Person, pk=pk)\n"
    hidden = "class Plan:\n    def clubs(self):\n        return list(Club.objects.all())\n"
    outside = "EVERYBODY = Person.objects.all()\n"
    named = (
        "def page(owner, pk):  # filtered by owner\n"
        "    reached = owner.organiser\n"
        "    Club.objects.filter(owner=owner)\n"
        "    return Season.objects.exclude(owner=None).get(pk=pk)\n"
    )

    assert unscoped(forgets) == ["page: Person"]
    assert unscoped(hidden) == ["clubs: Club"]
    assert unscoped(outside) == [": Person"]
    assert unscoped(named) == ["page: Season"]


def test_a_look_up_that_says_whose_is_none():
    source = """
def page(request, own, pk):
    Season.objects.filter(owner=own, pk=pk)
    Club.objects.order_by("pk").filter(Q(owner__in=own) | Q(pk=pk))
    get_object_or_404(Person, owner_id=own, pk=pk)
    reached(request, Club.objects.all(), pk=pk)
    Person.objects.bulk_update(own, ["sort_key"])
"""
    assert unscoped(source) == []
