"""No address opens or names a thing of another organiser.

The addresses come from the URL resolver: whatever names a thing and no tournament has to stand in
``THINGS`` or in ``OF_ALL``. Those of tournaments are asked for by :mod:`test_other_tournament`, and
by the head of another organiser in :mod:`test_access`.
"""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.urls import reverse

from tests.clients import Client
from tests.factories import (
    COMMAND,
    make_club,
    make_head,
    make_organiser,
    make_person,
    make_registration,
    make_tournament,
)
from tests.tournaments.access_matrix import ADDRESSES, Address, refusals_not_drawn
from tests.worlds import world
from tournaments.accounts.organisers import invite
from tournaments.common.organisers import home
from tournaments.models import (
    Ban,
    Job,
    Organiser,
    PersonImport,
    Proposal,
    Right,
    Season,
    Tournament,
    User,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]

NAMED = {one.name: one for one in ADDRESSES if one.access and one.access.kind == "account"}
LISTS = [one for one in ADDRESSES if one.access and one.access.kind != "roles" and not one.keys]
# What each address names, in the order of its keys.
THINGS = {
    **dict.fromkeys(
        (
            f"account:{name}"
            for name in ("organiser", "change_organiser", "hand_over", "journal", "journal_csv")
        ),
        ("organiser",),
    ),
    "account:give_right": ("organiser", "account"),
    "account:proposal": ("organiser", "proposal"),
    "account:withdraw_right": ("organiser", "invitation"),
    "archive:import_wait": ("job",),
    **dict.fromkeys(
        (f"people:{name}" for name in ("person", "edit", "ban", "anonymise", "merge_choose")),
        ("person",),
    ),
    "people:lift_ban": ("ban",),
    "people:merge": ("person", "mate"),
    **dict.fromkeys(("people:club", "people:merge_clubs"), ("club",)),
    **dict.fromkeys(
        (f"people:import_{step}" for step in ("columns", "preview", "carry_out", "discard")),
        ("file",),
    ),
    "seasons:edit": ("season",),
    "setup:new_from_copy": ("tournament",),
}
OF_ALL = {
    **dict.fromkeys(("seasons:offer", "seasons:invite"), "a season, which is public"),
    "setup:new_from_rules": "a rule set",
}
NOT_TAKEN, NOT_THERE = 405, {403, 404}
# Where the file is not there, these lead back to the page that takes one.
LEADS_BACK = dict.fromkeys(("people:import_carry_out", "people:import_discard"), 302)
NAME = "Fremd"  # in the name of everything that the other organiser has


class Theirs:
    """Another organiser with one of everything, and its head; all are named alike."""

    def __init__(self) -> None:
        self.organiser: Organiser = make_organiser("Anderswo")
        self.head: User = make_head(self.organiser, name="Paul Lang")
        self.club = make_club(f"{NAME}dorf", owner=self.organiser)
        person, mate = (make_person(name, NAME, club=self.club) for name in ("Anna", "Clara"))
        self.tournament: Tournament = make_tournament(name=f"{NAME}-Cup", owner=self.organiser)
        make_registration(self.tournament, person)
        season = Season.objects.create(
            owner=self.organiser, name=f"{NAME}e Saison", slug="fremd", created_by=self.head
        )
        season.tournaments.add(self.tournament)
        self.keys: dict[str, Any] = {
            "account": self.organiser.accounts.get().pk,
            "ban": Ban.objects.create(
                person=person, reason=NAME, starts_on=date(2026, 1, 1), created_by=self.head
            ).pk,
            "club": self.club.pk,
            "file": PersonImport.objects.create(
                owner=self.organiser,
                created_by=self.head,
                file_name=f"{NAME}.csv",
                rows=[[1, ["Nachname"]], [2, [NAME]]],
                choices={"heading_row": 1, "columns": ["last_name"]},
            ).pk,
            "invitation": invite(self.organiser, right=Right.MONEY, name=NAME, actor=COMMAND)[0].pk,
            "job": Job.objects.create(kind="archive_import", created_by=self.head, params={}).pk,
            "mate": mate.pk,
            "organiser": self.organiser.pk,
            "person": person.pk,
            "proposal": Proposal.objects.create(giver=self.organiser, taker=make_organiser()).pk,
            "season": season.slug,
            "tournament": self.tournament.slug,
        }

    def url(self, name: str) -> str:
        return reverse(name, args=[self.keys[thing] for thing in THINGS[name]])


theirs = world(Theirs)


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_every_address_says_what_it_names():
    with_keys = {name for name, one in NAMED.items() if one.keys}

    assert with_keys == THINGS.keys() | OF_ALL.keys(), f"say in {__file__} what they name"


@pytest.mark.parametrize("name", THINGS)
def test_no_address_opens_a_thing_of_another_organiser(name: str, theirs: Theirs):
    url, stranger = theirs.url(name), logged_in(make_head(home(), is_admin=True))
    refused = NOT_THERE | {LEADS_BACK.get(name, 404)}

    with refusals_not_drawn():
        answers = {method: getattr(stranger, method)(url) for method in ("get", "post")}
    for answer in answers.values():
        assert answer.status_code in refused | {NOT_TAKEN}
        assert NAME not in answer.content.decode()
    method = "post" if answers["get"].status_code == NOT_TAKEN else "get"
    own = getattr(logged_in(theirs.head), method)(url)
    assert own.status_code not in NOT_THERE, "its own head does not get in"


@pytest.mark.parametrize(
    "one",
    [one for one in LISTS if one.access and one.access.kind != "public"],
    ids=lambda one: one.name,
)
def test_no_list_names_a_thing_of_another_organiser(one: Address, theirs: Theirs):
    stranger = logged_in(make_head(home(), is_admin=True))

    for typed in ("", NAME.lower()):
        page = stranger.get(reverse(one.name.removeprefix(":")), {"q": typed}).content.decode()
        assert NAME not in page


def test_the_other_organiser_sees_its_own(theirs: Theirs):
    head = logged_in(theirs.head)

    for name in ("people:persons", "people:clubs", "seasons:overview", "setup:tournaments"):
        assert NAME in head.get(reverse(name)).content.decode(), name
