"""No address opens an object of another tournament, for any reader.

The addresses come from the URL resolver: every one with a tournament and a further key must be in
``THINGS`` or in ``NO_THINGS``, so a new address needs a declaration.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage, storages
from django.db import transaction
from django.http import Http404
from django.test import RequestFactory
from django.urls import resolve, reverse
from django.utils import timezone
from django_htmx.middleware import HtmxDetails

from tests.clients import Client
from tests.factories import COMMAND, make_member, make_person, make_players, make_tournament
from tests.factories_lists import list_of, make_seated_serie, write_games
from tests.factories_results import make_team
from tests.tournaments.access_matrix import ADDRESSES
from tests.tournaments.notices.helpers import make_case, make_correction, make_notice
from tournaments.accounts.services import invite
from tournaments.archive.archive_job import EXPORT
from tournaments.common.access_keys import draw_table_token, player_token, screen_key
from tournaments.common.tokens import hash_token
from tournaments.desk.queries.files import STORED
from tournaments.journal.services import record
from tournaments.machine import jobs
from tournaments.models import (
    ArchivedJournal,
    BankTransaction,
    Call,
    CashCount,
    Draw,
    Entry,
    EntryLine,
    Job,
    Lottery,
    Membership,
    Penalty,
    PersonImport,
    Playoff,
    PrintedDocument,
    Ranking,
    Receipt,
    Registration,
    Role,
    Separation,
    Serie,
    TeamWish,
    Tournament,
    User,
)
from tournaments.people.services.importing import store_rows
from tournaments.results.services import player_access
from tournaments.screen import services as screens

# Objects in an address besides the tournament, in the order of its keys.
_NAMING = {
    "archive": {"archive": "download export_wait"},
    "archived journal": {"journal": "archived"},
    "call": {"hall": "finish_call take_call"},
    "case": {"notices": "case decide tell_case"},
    "correction": {"checking": "approve correction reject"},
    "count": {"cash": "book_difference"},
    "drafted serie": {"draw": "table_codes"},
    "draw and table": {"seating": "at_table"},
    "entry": {"entry": "discard renew_link"},
    "entry line": {"entry": "attach consent dismiss register_as_new"},
    "file of registrations": {
        "desk": "import_carry_out import_columns import_discard import_preview",
    },
    "invitation": {"account": "withdraw"},
    "list": {
        "checking": (
            "bonus_size end go_on history invalid line list penalties unverify valid verify "
            "versions"
        ),
        "hall": (
            "access allow_take_over grid hand_in_act note_bought on_paper table table_since "
            "withdraw_access"
        ),
    },
    "membership": {"account": "remove_role"},
    "notice": {"notices": "notice respond", "player": "answer"},
    "penalty": {"checking": "give reject_penalty withdraw"},
    "lottery": {"prizes": "draw_lottery withdraw_lottery"},
    "playoff": {"prizes": "withdraw"},
    "position": {"entry": "change check_in qr_code withdraw"},
    "print job": {"printing": "cancel progress"},
    "printed document": {"printing": "pdf"},
    "printed page": {"printing": "page"},
    "ranking": {"desk": "take_in_fitting", "teams": "create"},
    "receipt": {"cash": "receipt reverse", "journal": "of_receipt"},
    "registration": {
        "cash": "kaution refund refund_credit",
        "desk": (
            "admit approve arrive come_back days end_offer exclude fixed_table in_ranking include "
            "leave no_show pay payment refuse registration rejoin separate substitute take_back "
            "take_into tariff tick untick withdraw"
        ),
        "journal": "of_registration",
        "notices": "tell",
    },
    "screen": {"screen": "control_one numbered remove store turn"},
    "screen and key": {"screen": "keyed"},
    "separation": {"desk": "unseparate"},
    "serie": {
        "checking": "end_all move serie",
        "closing": "close_serie reinstate reopen_serie strike_out",
        "draw": (
            "begin card carry_out change_seats crossing drop fill_up give_seat judge "
            "poster publish serie swap swap_seats take task"
        ),
        "feed": "seats_of",
        "hall": "cards extra_time hand_in hand_in_since room since start take_back_start",
        "seating": "serie task",
    },
    "start number": {"checking": "exclusion", "results": "player"},
    "statement": {"cash": "columns"},
    "stored file": {"desk": "import_take_back"},
    "team": {"results": "team", "teams": "add dissolve rename"},
    "team member": {"teams": "remove"},
    "transfer": {"cash": "book_transfer bring_back set_aside"},
    "wish": {"teams": "drop_wish take_wish"},
}
THINGS = {
    f"{room}:{name}": thing
    for thing, rooms in _NAMING.items()
    for room, names in rooms.items()
    for name in names.split()
}
# Keys with the same meaning in every tournament.
NO_THINGS = {
    "account:set_password": "an account",
    "feed:ranking": "a kind of ranking",
    "printing:start": "a kind of document",
    "prizes:record": "a rank of a ranking",
    "results:file": "a kind of file",
    "seasons:file": "a kind of file",
    "seasons:honours_file": "a kind of file",
    "results_public:ranking": "a kind of ranking",
    "setup:section": "a part of the Ausschreibung",
}
QUERIES = {"checking:line": "?spiel=1"}
DOORS = {"slug", "token"}  # the keys of the tournament
NOT_TAKEN = 405
NAMED = {
    address.name: address
    for address in ADDRESSES
    if DOORS & set(address.keys) and len(address.keys) > 1
}


def test_every_url_with_a_key_declares_its_model():
    unknown = [
        f"Say in {Path(__file__).name} what the keys {address.keys[1:]} of {name} name: a thing of "
        "the tournament stands in THINGS, anything else in NO_THINGS."
        for name, address in NAMED.items()
        if name not in THINGS and name not in NO_THINGS
    ]
    gone = (THINGS.keys() | NO_THINGS.keys()) - NAMED.keys()

    assert unknown == []
    assert gone == set(), "these addresses are no more"


@dataclass(frozen=True, kw_only=True)
class World:
    """A tournament, the secrets that open something of it, and the keys of its things."""

    tournament: Tournament
    tokens: dict[str, str]  # by the room that is entered by one
    keys: dict[str, tuple[Any, ...]]
    sent: dict[str, int]  # objects named by the forms of this tournament

    def url(self, name: str, things: World) -> str:
        """The address of a page of this tournament that names a thing of *things*."""
        room, keys = name.split(":", maxsplit=1)[0], NAMED[name].keys
        door = {"slug": self.tournament.slug, "token": self.tokens.get(room)}
        rest = [key for key in keys if key not in door]
        of = dict(zip(rest, things.keys[THINGS[name]], strict=True))
        url = reverse(name, kwargs={key: door[key] if key in door else of[key] for key in keys})
        return url + QUERIES.get(name, "")


PAGE = (
    b'<html data-tournament="Cup" data-made="heute" data-page="Seite" data-of="von"><body></body>'
)


def make_world(*, serien: int, tables: int, things: bool, **fields: Any) -> World:
    """A tournament with its first Serie seated and the last one being drawn from cards."""
    tournament = make_tournament(
        serien=serien, status=Tournament.Status.RUNNING, iban="DE89370400440532013000", **fields
    )
    rows = [make_players(tournament, 4) for _table in range(tables)]
    make_seated_serie(tournament, rows)
    draft = Draw.objects.create(
        serie=tournament.serien.last(),
        number=1,
        method=Serie.Seating.CARDS,
        seats=[[None] * 4] * tables,
    )
    entry = Entry.objects.create(tournament=tournament, token_hash=hash_token(tournament.slug))
    for position, player in enumerate([player for row in rows for player in row], start=1):
        EntryLine.objects.create(
            entry=entry,
            position=position,
            status=EntryLine.Status.REGISTERED,
            registration=player,
            first_name=player.person.first_name,
            last_name=player.person.last_name,
        )
    player_access.store_tokens(tournament)
    return World(
        tournament=tournament,
        tokens={
            "entry": tournament.slug,
            "player": player_token(rows[-1][1]),
            "seating": draw_table_token(draft.pk, 1),
        },
        keys=make_things(tournament, entry, rows, draft) if things else {},
        sent={"person": make_person(owner=tournament.owner).pk, "registration": rows[0][0].pk},
    )


def make_things(
    tournament: Tournament, entry: Entry, rows: list[list[Registration]], draft: Draw
) -> dict[str, tuple[Any, ...]]:
    """One of everything that an address may name, and its keys."""
    account = make_member(tournament, Role.KASSE)
    player, mate = rows[-1][:2]
    spielliste = write_games(list_of(tournament.serien.get(number=1), len(rows)), status="verified")
    seated = make_seated_serie(tournament, rows, number=draft.serie.number - 1)
    Draw.objects.create(
        serie=seated,
        number=1,
        method=Serie.Seating.ELECTRONIC,
        status=Draw.Status.PUBLISHED,
        published_at=timezone.now(),
        seed="11",
        seed_hash="ab" * 32,
        task={"players": []},
    )
    ranking = Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.TANDEM, size=2)
    team = make_team(ranking, "Asse", [player, mate])
    line = entry.lines.last()
    receipt = Receipt.objects.create(tournament=tournament, number=7, method=Receipt.Method.CASH)
    printed = PrintedDocument.objects.create(
        tournament=tournament,
        name="kassenbericht",
        title="Kassenbericht",
        key="ab" * 32,
        pages=1,
        created_at=timezone.now(),
    )
    storages["print"].save(printed.stored_name, ContentFile(b"%PDF-1.7"))
    page = PrintedDocument.objects.create(
        tournament=tournament,
        name="preisliste",
        title="Preisliste",
        key="cd" * 32,
        pages=0,
        created_at=timezone.now(),
    )
    storages["print"].save(page.stored_name, ContentFile(PAGE))
    print_job = Job.objects.create(
        kind="print", tournament=tournament, params={"document": printed.name}, status="failed"
    )
    archive = Job.objects.create(
        kind=EXPORT,
        tournament=tournament,
        status=Job.Status.DONE,
        result={"file": default_storage.save("archiv.json", ContentFile(b"{}"))},
    )
    screen = screens.add(COMMAND, tournament.pk, name="Foyer")
    one_each = {
        "archive": archive,
        "archived journal": ArchivedJournal.objects.create(
            tournament=tournament, scope="turnier-1", entries=[]
        ),
        "call": Call.objects.create(table=spielliste.table, kind=Call.Kind.OTHER),
        "case": make_case(spielliste),
        "count": CashCount.objects.create(
            tournament=tournament, expected_cents=0, counted_cents=0, created_by=account
        ),
        "entry": entry,
        "entry line": line,
        "file of registrations": store_rows(
            rows=[(1, ["Nachname"]), (2, ["Berg"])],
            file_name="meldungen.csv",
            user=account,
            within=tournament,
        ),
        "invitation": invite(COMMAND, tournament.pk, role=Role.KASSE, name="Karl")[0],
        "membership": account.memberships.get(),
        "notice": make_notice(spielliste, correction=make_correction(spielliste, number=7)),
        "penalty": Penalty.objects.create(
            spielliste=spielliste, registration=player, points=10, reason="Verspätung"
        ),
        "lottery": Lottery.objects.create(
            tournament=tournament, seed="2026", seed_hash="ab" * 32, field=[1], things=["Rad"]
        ),
        "playoff": Playoff.objects.create(tournament=tournament, order=[1, 2]),
        "print job": print_job,
        "ranking": ranking,
        "registration": player,
        "separation": Separation.objects.create(
            tournament=tournament, first=player, second=mate, reason="Wunsch"
        ),
        "statement": PersonImport.objects.create(
            owner=tournament.owner,
            tournament=tournament,
            created_by=account,
            file_name="bank.csv",
            rows=[[1, ["Wann", "Wer", "Was"]]],
            choices={"heading_row": 1, "columns": ["", "", ""]},
        ),
        "stored file": record(
            tournament, COMMAND, STORED, after={"registrations": [], "teams": []}
        ),
        "team": team,
        "team member": team.members.get(registration=player),
        "transfer": BankTransaction.objects.create(
            tournament=tournament, fingerprint="1", booked_on="2026-09-28", amount_cents=1500
        ),
        "wish": TeamWish.objects.create(line=line, ranking=ranking, text="mit Anna"),
    }
    return {name: (row.pk,) for name, row in one_each.items()} | {
        "correction": (7,),
        "draw and table": (draft.pk, 1),
        "drafted serie": (draft.serie.number,),
        "list": (1, len(rows)),
        "position": (line.position,),
        "printed document": (printed.pk, "kassenbericht.pdf"),
        "printed page": (page.pk,),
        "receipt": (receipt.number,),
        "screen": (screen.number,),
        "screen and key": (screen.number, screen_key(tournament.pk, screen.number)),
        "serie": (seated.number,),
        "start number": (player.number,),
    }


@pytest.fixture
def worlds(db, own_files, settings, tmp_path, monkeypatch) -> tuple[World, World]:
    """Return two tournaments with all objects; numbered ones have different numbers."""
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(jobs, "spawn", lambda _job_id: None)
    return (
        make_world(serien=2, tables=1, things=False),
        make_world(serien=4, tables=2, things=True),
    )


def status_of(user: User, method: str, url: str, sent: dict[str, int]) -> int:
    """The status with which a view answers an account, without the page that shows it."""
    request = getattr(RequestFactory(), method)(url, sent if method == "post" else None)
    request.user = user
    request.htmx = HtmxDetails(request)
    view = resolve(request.path)
    try:
        return int(view.func(request, *view.args, **view.kwargs).status_code)
    except Http404:
        return 404
    except PermissionDenied:
        return 403


def opens(client: Client, method: str, url: str, sent: dict[str, int]) -> bool:
    """Return whether a page exists; changes by the request are undone."""
    with transaction.atomic():
        status = getattr(client, method)(url, sent if method == "post" else None).status_code
        transaction.set_rollback(True)
    return status not in {404, 500}


@pytest.mark.once
def test_no_url_opens_an_object_of_another_tournament(worlds: tuple[World, World]):
    mine, other = worlds
    people = [(role, make_member(mine.tournament, role)) for role in Role]
    of_both = make_member(mine.tournament, Role.VERANSTALTER)
    Membership.objects.create(tournament=other.tournament, user=of_both, role=Role.VERANSTALTER)
    people.append((Role.VERANSTALTER, of_both))
    client = Client()
    client.force_login(of_both)

    wrong = []
    for name in THINGS:
        here, there, access = mine.url(name, other), other.url(name, other), NAMED[name].access
        methods = [
            method
            for method in ("get", "post")
            if status_of(of_both, method, here, mine.sent) != NOT_TAKEN
        ]
        # Where its own tournament does not open it either, a 404 would say nothing.
        if not methods or not opens(client, methods[0], there, other.sent):
            wrong.append(f"{there} ({name}) does not open its own thing")
        for role, user in people:
            expected = 404 if access.kind == "public" or role.value in access.roles else 403
            answers = {method: status_of(user, method, here, mine.sent) for method in methods}
            if set(answers.values()) - {expected}:
                wrong.append(f"{here} ({name}) answers {role.label} with {answers}")

    assert not wrong, "\n".join(wrong)
