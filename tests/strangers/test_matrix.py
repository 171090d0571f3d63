"""No organiser reads or changes objects of another, by any address.

All addresses × every visitor without a right at organiser A × GET and POST: with all keys of A,
with B's tournament or secret and keys of A, and as B's own pages with valid forms that name objects
of A. Every answer is searched for A's texts. All rows of A are compared before and after, and new
rows are searched for keys into them. ``STRANGERS=all`` adds public and own pages for every visitor,
and other methods.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import pytest
from django import forms
from django.db import connection, transaction

from tests.clients import Client, logged_in
from tests.factories import (
    COMMAND,
    make_head,
    make_member,
    make_operator,
    make_organiser,
    make_tournament,
    make_user,
)
from tests.strangers import marks
from tests.strangers.halls import Hall
from tests.tournaments.access_matrix import ADDRESSES, SERVER_ERROR, Address, refusals_not_drawn
from tests.tournaments.fuzz_values import Door, FormReads
from tests.tournaments.test_no_server_error import doors_of
from tournaments.accounts.organisers import give_right
from tournaments.common.organisers import add_account
from tournaments.machine import jobs
from tournaments.models import Right, Role, Tournament, User

pytestmark = pytest.mark.once
ALL = os.environ.get("STRANGERS") == "all"
NOT_TAKEN, NOT_THERE = 405, {403, 404}
# Public pages say the same to most: these are asked.
OF_PUBLIC_PAGES = {"stranger", "former head of A, now of B", "child", "parent", "operator of none"}
# Intended access, by visitor and address.
MAY_READ = {
    "child": {marks.LENT},  # by name and club
    "operator of none": {marks.ACCOUNT},
    "operator of B": {marks.ACCOUNT},
}
# Addresses that also refuse the head of A: of an operator, or of missing objects.
SHUT = {
    *(":print_manual_page", ":print_manual_pdf", "account:password_link", "account:set_active"),
    *("checking:line", "desk:register", "desk:substitute", "entry:attach", "entry:door"),
    *("entry:joint_qr_code", "entry:naming", "entry:offer", "entry:qr_code"),
    *("operator:end", "operator:first_account", "operator:here"),
    *("prizes:choose", "prizes:choosing", "prizes:pass_over", "prizes:undo_choice"),
    *(
        "public:players",
        "results:press_file",
        "results:settlement",
        "seasons:offer",
        "table:send",
        "trial:panel",
    ),
    *("trial:play_rest", "trial:remove"),
}
MAY_WRITE = {
    "account:password_link": "the journal of the account's organiser tells of it",
    "account:set_active": "an operator locks accounts",
    "table:code_of": "wrong codes are counted by tournament",
}


def named_of_a(name: str, door: Door) -> str | None:
    """Return the key of an object of A for a field that refers to one."""
    field, shown = door.read.get(name), door.shown.get(name, [])
    if isinstance(field, forms.ModelChoiceField):
        thing = field.queryset.model._base_manager.filter(pk__gte=marks.FIRST).first()
        return thing and str(getattr(thing, field.to_field_name or "pk"))
    if isinstance(field, forms.ChoiceField):
        choices: Any = field.choices
        shown = [str(key) for key, _label in choices]
    elif field and not isinstance(field.widget, forms.HiddenInput):
        return None
    return None if shown and not any(map(str.isdigit, shown)) else str(marks.FIRST)


def bodies(door: Door) -> Iterator[dict[str, str]]:
    """Yield valid values of a form, with objects of A in all such fields, and in each alone."""
    fits = {name: door.fitting(name) for name in door.names}
    named = {name: thing for name in door.names if (thing := named_of_a(name, door))}
    named |= {"q": marks.LENT[:-1]} if "q" in door.names else {}  # which finds by their names
    yield fits | named
    yield from (fits | {name: thing} for name, thing in named.items() if len(named) > 1)


class Server:
    """Organisers A and B, a parent and a child of A, and all visitors."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.b = b = Hall()
        parent, child = make_organiser("Verband"), make_organiser("Kind")
        self.child = Hall(child)
        former = make_head(b.owner)
        rights = {right: make_user() for right in (Right.ALL, Right.PERSONS, Right.MONEY)}
        for right, user in rights.items():
            add_account(user, b.owner, right)
        self.clients: dict[str, Client] = {
            "stranger": Client(),
            "account without anything": logged_in(make_user()),
            **{str(role): logged_in(make_member(b.world.tournament, role)) for role in Role},
            **{str(right): logged_in(user) for right, user in rights.items()},
            "device": b.phone.client,
            "operator of B": b.client,
            "operator of none": logged_in(make_operator()),
            "former head of A, now of B": logged_in(former),
            "child": logged_in(self.child.head),
            "parent": logged_in(make_head(parent)),
        }
        doors = doors_of(b, FormReads(monkeypatch))
        self.doors = {(door.method, door.url): door for door in doors}
        marks.number_from_here()
        owner = make_organiser("A", parent=parent, shares_members=True)
        type(child).objects.filter(pk=child.pk).update(parent=owner)
        self.a = a = Hall(owner)
        self.draft = make_tournament(
            owner=owner, status=Tournament.Status.DRAFT, name=marks.PRIVATE
        )
        add_account(former, owner, Right.ALL)
        User.objects.filter(pk=former.pk).update(at_hand=owner)
        give_right(owner, owner.accounts.get(user=former).pk, "", actor=COMMAND)
        marks.put_marks()
        self.clients["head of A"] = logged_in(a.head)
        self.cookies = {
            who: {name: cookie.value for name, cookie in client.cookies.items()}
            for who, client in self.clients.items()
        }
        self.rows = marks.Rows()
        self.asked: Counter[int] = Counter()

    def ask(self, who: str, method: str, url: str, sent: dict[str, str]) -> tuple[int, list[str]]:
        """Send a request and undo it; return the status, and the data of A that it revealed or
        changed.
        """
        client, written = self.clients[who], set[str]()
        client.cookies.clear()
        client.cookies.load(self.cookies[who])

        def note(execute: Any, sql: str, *more: Any) -> Any:
            written.update(marks.WRITTEN.findall(sql))
            return execute(sql, *more)

        client.raise_request_exception = False
        before = transaction.savepoint()
        with connection.execute_wrapper(note):
            answer = getattr(client, method)(url, sent)
        says = marks.everything(answer)
        did = [mark for mark in marks.MARKS if mark in says and mark not in MAY_READ.get(who, ())]
        did += self.rows.changed(written)
        transaction.savepoint_rollback(before)
        self.asked[answer.status_code] += 1
        return answer.status_code, did

    def ask_as_head(self) -> tuple[set[str], int, int]:
        """Request A's objects as its head: return missing ones, and the numbers read and done."""
        shut, read, done = set(), 0, 0
        for address in ADDRESSES:
            url, body = self.a.url(address), {"reason": "Grund"}
            status, did = self.ask("head of A", "get", url, {})
            if status == NOT_TAKEN:
                status, did = self.ask("head of A", "post", url, body)
            if status in NOT_THERE and address.keys:
                shut.add(address.name)
            read += not {marks.PRIVATE, marks.LENT}.isdisjoint(did)
            done += any(what not in marks.MARKS for what in did)
        return shut, read, done

    def attack(self, address: Address) -> Iterator[str]:
        """Request an address in all ways that may lead to A, as every visitor; return findings."""
        own, of_a = self.b.url(address), self.a.url(address)
        urls = {of_a, self.b.url(address, self.a), *([own] if ALL else ())}
        people = self.clients.keys() - {"head of A"}
        if address.access and address.access.kind == "public":
            urls.add(of_a.replace(f"/{self.a.world.tournament.slug}/", f"/{self.draft.slug}/"))
            people = people if ALL else people & OF_PUBLIC_PAGES
        for method in ("get", "post"):
            of_b = list(bodies(self.doors.get((method, own), Door(own, method))))
            asked = [(str(Right.ALL), own, body) for body in of_b]
            if method == "post":
                asked.append(("child", self.child.url(address), of_b[0]))
            asked += [(who, url, of_b[0]) for who in sorted(people) for url in sorted(urls)]
            for who, url, body in asked:
                status, did = self.ask(who, method, url, body)
                if address.name in MAY_WRITE:
                    did = [what for what in did if what in marks.MARKS]
                if did or status >= SERVER_ERROR:
                    yield f"{who}: {method} {url} ({address.name}): {status} {did}"
                if status == NOT_TAKEN and not ALL:
                    break  # public information

    def lose_secrets(self) -> None:
        """Let A's secrets be guessed from here on."""
        for secrets in (self.a.tokens, self.a.world.tokens):
            secrets.update(dict.fromkeys(secrets, str(marks.FIRST)))
        self.a.things["password token"] = "x"


@pytest.fixture
def server(db, own_files, settings, tmp_path, monkeypatch) -> Server:
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(jobs, "spawn", lambda _job_id: None)
    return Server(monkeypatch)


def test_organisers_are_isolated_from_each_other(server: Server):
    with nullcontext() if ALL else refusals_not_drawn():
        shut, read, done = server.ask_as_head()
        server.lose_secrets()
        wrong = [line for address in ADDRESSES for line in server.attack(address)]

    assert shut == SHUT, "whoever may does not come to A's things either"
    assert read > 100, "the marks stand where few look"
    assert done > 30, "what is written to A is not noticed"
    assert server.asked.total() > 10_000
    assert wrong == []
