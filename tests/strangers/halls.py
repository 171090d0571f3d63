"""A hall: an organiser with one object of each kind in URLs, and the browser of its head.

The addresses come from the URL resolver. ``test_other_tournament.py`` assigns keys to objects of a
tournament, and this module all others: a new address with unassigned keys fails in every test that
uses halls.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib.auth.tokens import default_token_generator
from django.db import transaction
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from tests.clients import Client
from tests.factories import COMMAND, make_club, make_member, make_organiser, make_person
from tests.factories_lists import list_of
from tests.tournaments.access_matrix import SERVER_ERROR, Address
from tests.tournaments.lists.helpers import Device, keeper_of
from tests.tournaments.test_other_tournament import THINGS as OF_TOURNAMENT
from tests.tournaments.test_other_tournament import World, make_world
from tournaments.accounts.organisers import invite
from tournaments.common.organisers import add_account
from tournaments.models import Ban, Job, Organiser, PersonImport, Proposal, Right, Role, Season

# Objects of an organiser, not of a tournament, in the order of the keys of addresses.
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
    **dict.fromkeys(
        (f"seasons:{name}" for name in ("edit", "honours", "invite", "offer", "season")),
        ("season",),
    ),
    **dict.fromkeys((f"seasons:{name}" for name in ("file", "honours_file")), ("season", "ending")),
    "setup:new_from_copy": ("tournament",),
    "account:set_password": ("uidb64", "password token"),
    **dict.fromkeys((f"account:{name}" for name in ("set_active", "password_link")), ("user",)),
}
# Values of other keys, by name, or by address and name for an ambiguous name.
PLAIN = {
    "chapter": "anmeldung",
    "code": "de",
    "ending": "csv",
    "file_name": "handbuch.pdf",
    "rank": "1",
    "rule_set_id": "rommeordnung",
    "which": "einzel",
    "print_manual.name": "handbuch",
    "print_manual_page.pk": "1",
    "print_manual_pdf.pk": "1",
    "printing:start.name": "kassenbericht",
    "setup:section.name": "ablauf",
}


class Hall:
    """An organiser with a tournament and one object of each kind, and its head with all rights."""

    def __init__(self, owner: Organiser | None = None) -> None:
        fields = {} if owner is None else {"owner": owner}
        self.world: World = make_world(serien=4, tables=2, things=True, **fields)
        self.owner: Organiser = self.world.tournament.owner
        # At the first organiser, the head runs the program, too.
        self.head = make_member(
            self.world.tournament, Role.VERANSTALTER, is_admin=owner is None, name="Hanna Haupt"
        )
        add_account(self.head, self.owner, Right.ALL)
        self.phone: Device = keeper_of(list_of(self.world.tournament.serien.get(number=1)))
        self.client = Client()
        self.client.force_login(self.head)
        self.client.cookies.update(self.phone.client.cookies)
        self.cookies = {name: cookie.value for name, cookie in self.client.cookies.items()}
        self.things = self._things()
        self.tokens = {**self.world.tokens, "table": self.phone.path.split("/")[2]}
        invitation, secret = invite(self.owner, right=Right.MONEY, name="Neu", actor=COMMAND)
        self.tokens |= {"account": secret}
        self.things |= {"invitation": invitation.pk}

    def _things(self) -> dict[str, Any]:
        """Return the keys of the objects of the organiser."""
        club = make_club("Neudorf", owner=self.owner)
        person, mate = (make_person(name, "Neu", club=club) for name in ("Anna", "Clara"))
        season = Season.objects.create(
            owner=self.owner, name="Saison", slug=f"saison-{self.owner.pk}", created_by=self.head
        )
        season.tournaments.add(self.world.tournament)
        since = {"starts_on": date(2026, 1, 1), "created_by": self.head}
        file = PersonImport.objects.create(
            owner=self.owner,
            created_by=self.head,
            file_name="Neu.csv",
            rows=[[1, ["Nachname"]], [2, ["Neu"]]],
            choices={"heading_row": 1, "columns": ["last_name"]},
        )
        job = Job.objects.create(kind="archive_import", created_by=self.head, params={})
        return {
            "account": self.owner.accounts.get(user=self.head).pk,
            "ban": Ban.objects.create(person=person, reason="Karten gezinkt", **since).pk,
            "club": club.pk,
            "ending": "csv",
            "file": file.pk,
            "job": job.pk,
            "mate": mate.pk,
            "organiser": self.owner.pk,
            "password token": default_token_generator.make_token(self.head),
            "person": person.pk,
            "proposal": Proposal.objects.create(giver=self.owner, taker=make_organiser()).pk,
            "season": season.slug,
            "tournament": self.world.tournament.slug,
            "uidb64": urlsafe_base64_encode(force_bytes(self.head.pk)),
            "user": self.head.pk,
        }

    def url(self, address: Address, of: Hall | None = None) -> str:
        """Return an address here that names a thing of a hall, of this one by default."""
        of = of or self
        name = address.name.removeprefix(":")
        if name in OF_TOURNAMENT:
            return self.world.url(name, of.world).partition("?")[0]
        if name in THINGS:
            return reverse(name, args=[of.things[thing] for thing in THINGS[name]])
        token = self.tokens.get(name.partition(":")[0], "x")
        named = {"slug": self.world.tournament.slug, "token": token, **PLAIN}
        keys = {key: named.get(f"{name}.{key}") or named.get(key) for key in address.keys}
        assert None not in keys.values(), f"say in {__file__} what {keys} of {name} name"
        return reverse(name, kwargs=keys)

    def ask(self, method: str, url: str, sent: Any = None, **more: Any) -> Any:
        """Return the answer and undo its changes. A bug is raised."""
        self.client.cookies.load(self.cookies)  # a logged-out client logs in again
        before = transaction.savepoint()  # not atomic(): a request may need durable=True
        try:
            answer = getattr(self.client, method)(url, sent, **more)
        except Exception as problem:
            problem.add_note(f"{method} {url} {sent}")
            raise
        transaction.savepoint_rollback(before)
        assert answer.status_code < SERVER_ERROR, f"{url} answers {answer.status_code}"
        return answer
