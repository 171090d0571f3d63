"""Whoever looks up what belongs to an organiser says whose: found in the source.

A look-up of an owned model has to stand in a function that names the organiser, or in
``WITHOUT``, with the reason why it cannot give anybody what is another's. Tournaments are left
out: their pages are entered by a role or are public, which ``test_other_tournament.py`` asks.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOMS = Path(__file__).resolve().parents[1] / "tournaments"
OWNED = {"Club", "Person", "PersonImport", "Season"}
LOOKED_UP_BY = {"QuerySet", "get_list_or_404", "get_object_or_404"}
SAYS_WHOSE = ("owner", "organiser", "reached", "lending_to")

WITHOUT = {
    "announcement/views/public.py: tournament_page": "the seasons of a tournament, for everybody",
    "desk/online/services/entry.py: change_consent": "locks the person of a registration",
    "desk/services/changes.py: substitute": "locks; check_not_registered asks whose",
    "desk/services/files.py: register_from_file": "locks a file that the view has found",
    "desk/services/registrations.py: register": "locks; check_not_registered asks whose",
    "people/access.py: every_person": "the rows that reached() chooses from",
    "people/forms/people.py: ": "none, until the form knows the club",
    "people/queries/people.py: persons_by_keys": "shows persons that a search has found",
    "people/services/clubs.py: renew_search_keys": "the persons of a club at hand",
    "people/services/importing.py: _update": "the persons of a plan at hand",
    "people/services/importing.py: forget_old_files": "tidies up, and shows nothing",
    "people/views/importing.py: young_drafts": "narrowed to account and organiser by its callers",
    "results/queries/history.py: seasons_of": "the seasons of tournaments that the person played",
    "seasons/queries.py: standing": "the persons of results at hand",
    "seasons/services.py: offer": "a public season; offerable() asks whose the tournament is",
    "seasons/views.py: file": "public",
    "seasons/views.py: invite": "a public season; target_of() asks whose the tournament is",
    "seasons/views.py: offer": "a public season",
}


def is_look_up(node: ast.AST) -> bool:
    """Whether *node* begins a look-up of an owned model."""
    match node:
        case ast.Attribute(value=ast.Name(id=model), attr="objects"):
            return model in OWNED
        case ast.Call(func=ast.Name(id=by), args=[ast.Name(id=model), *_]):
            return by in LOOKED_UP_BY and model in OWNED
    return False


def words(node: ast.AST) -> Iterator[str]:
    """Yield the names in a piece of source, and the texts of one word, which may be keys."""
    for one in ast.walk(node):
        for name in ("id", "attr", "arg", "value"):
            word = getattr(one, name, None)
            if isinstance(word, str) and " " not in word:
                yield word


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
    """Return the functions with a look-up that does not say whose."""
    return [
        name
        for name, node in functions(source)
        if any(map(is_look_up, ast.walk(node)))
        and not any(said in word for word in words(node) for said in SAYS_WHOSE)
    ]


def test_every_look_up_of_what_is_owned_says_whose_or_why_not():
    found = {
        f"{file.relative_to(ROOMS).as_posix()}: {name}"
        for file in sorted(ROOMS.rglob("*.py"))
        if file.relative_to(ROOMS).parts[0] not in {"migrations", "models"}
        for name in unscoped(file.read_text(encoding="utf-8"))
    }

    assert found - WITHOUT.keys() == set(), "filter by the organiser, or say why it need not be"
    assert WITHOUT.keys() - found == set(), "these say whose by now, or are no more"


def test_a_look_up_that_forgets_the_organiser_is_found():
    forgets = "def page(pk):\n    return get_object_or_404(Person, pk=pk)\n"
    hidden = "class Plan:\n    def clubs(self):\n        return list(Club.objects.all())\n"
    scoped = "def page(pk, own):\n    return Season.objects.filter(owner=own, pk=pk)\n"
    outside = "EVERYBODY = Person.objects.all()\n"

    assert unscoped(forgets) == ["page"]
    assert unscoped(hidden) == ["clubs"]
    assert unscoped(scoped) == []
    assert unscoped(outside) == [""]
