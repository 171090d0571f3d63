"""Invariants that hold after every walk; places may agree on a wrong value."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

from django.db import transaction

from tests.agreement.walk import Disagreement, Walk
from tests.clients import Client, at, logged_in
from tests.factories import COMMAND, make_user
from tournaments.archive import seal
from tournaments.archive.importing import import_archive
from tournaments.archive.writing import archive_text
from tournaments.cash.services import till
from tournaments.common.access_keys import player_path
from tournaments.journal import proof
from tournaments.journal import services as journal
from tournaments.models import CashEntry, Draw, Receipt, Registration, Tournament
from tournaments.results.services import player_access

Status = Registration.Status
PLACES_OUTSIDE = re.compile(
    r"/(handbuch|konto|regelwerk|static|sicherungen|personen|impressum)|/datenschutz"
)
MOST_PAGES = 60


def seats_of_players(walk: Walk) -> Iterator[str]:
    """Check that leavers have no seat and that present paid players have one."""
    fresh = Draw.objects.filter(serie__tournament=walk.tournament, status=Draw.Status.PUBLISHED)
    if not walk.steps or walk.steps[-1].act != "publish_draw":
        return
    serie = fresh.latest("published_at").serie
    for seat in serie.seats.select_related("registration"):
        if seat.registration.status != Status.PAID or seat.registration.is_gone:
            yield f"{seat} is seated and {seat.registration.get_status_display()}"
    made = walk.last_made.get("without", ())
    left = Registration.objects.filter(
        tournament=walk.tournament, status=Status.PAID, present_at__isnull=False
    ).exclude(seats__serie=serie)
    for registration in left.exclude(pk__in=made):
        if registration.plays(serie.day) and not registration.is_gone:
            yield f"{registration} paid, is here and has no seat in {serie}"


def receipts_without_gaps(walk: Walk) -> Iterator[str]:
    numbers = list(walk.tournament.receipts.order_by("number").values_list("number", flat=True))
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"receipts {numbers}"
    total = 0
    for receipt in walk.tournament.receipts.order_by("number").prefetch_related("entries"):
        if receipt.method == Receipt.Method.CASH:
            total += sum(entry.amount_cents for entry in receipt.entries.all())
        if total < 0:
            yield f"the till has {total} after receipt {receipt.number}"


def proof_of_journal(walk: Walk) -> Iterator[str]:
    for gap in [*journal.first_breaks(), *proof.of_tournament(walk.tournament)]:
        yield f"{gap.scope}: {gap.sentence}"


def one_seat_in_a_serie(walk: Walk) -> Iterator[str]:
    for serie in walk.tournament.serien.all():
        seats = list(serie.seats.values_list("registration", flat=True))
        if len(seats) != len(set(seats)):
            yield f"somebody sits twice in {serie}"
        for table in serie.tables.all():
            row = sorted(table.seats.values_list("number", flat=True))
            if row != list(range(1, len(row) + 1)) or len(row) not in {3, 4}:
                yield f"{serie}, {table} has the places {row}"


def links(walk: Walk) -> Iterator[str]:
    """Check that every link of every page works for staff and two players."""
    player_access.store_tokens(walk.tournament)
    memberships = walk.tournament.memberships.filter(user__is_active=True).order_by("pk")
    member = memberships[(walk.seed + len(walk.steps)) % len(memberships)]
    staff = logged_in(member.user)
    yield from _follow(staff, member.role, [at("setup:tournament", walk.tournament.slug)])
    numbered = Registration.objects.filter(tournament=walk.tournament, number__isnull=False)
    own = [player_path(who) for who in numbered.order_by("number")[:2]]
    yield from _follow(Client(), "a player", [*own, at("public:tournament", walk.tournament.slug)])


def _follow(client: Client, who: str, begin: list[str]) -> Iterator[str]:
    waiting, known = [(address, "") for address in begin], set(begin)
    for address, source in waiting:
        answer = client.get(address)
        if answer.status_code >= 400:
            yield f"{who} gets {answer.status_code} for {address} on {source}"
        if "text/html" not in answer.get("Content-Type", ""):
            continue
        for link in re.findall(r'<a [^>]*?href="(/[^"#?]*)', answer.content.decode()):
            if link not in known and not PLACES_OUTSIDE.match(link) and len(known) < MOST_PAGES:
                known.add(link)
                waiting.append((link, address))


Holds = Callable[[Walk], Iterator[str]]
INVARIANTS: dict[str, Holds] = {
    holds.__name__: holds
    for holds in (seats_of_players, receipts_without_gaps, proof_of_journal, one_seat_in_a_serie)
}


def broken(walk: Walk, invariants: Mapping[str, Holds]) -> Iterator[Disagreement]:
    """Yield the broken invariants, the first of each kind."""
    for name, holds in invariants.items():
        yield from (Disagreement(name, detail, name) for detail in islice(holds(walk), 1))


# --- Archives -----------------------------------------------------------------------------------


def _facts(text: str) -> dict[str, Any]:
    """Return the content of an archive without the signatures of each installation."""
    return {name: value for name, value in json.loads(text).items() if name != seal.NAME}


def archives(text: str) -> Iterator[Disagreement]:
    """Import an archive into a second and a third installation, which export it unchanged."""
    for number in (2, 3):
        with transaction.atomic():
            for _other in range(number):
                make_user()  # its keys differ
            try:
                tournament = import_archive(text.encode(), actor=COMMAND)
            except Exception as refusal:
                transaction.set_rollback(True)
                yield Disagreement("archive refused", f"by {number}: {refusal}", "archive")
                return
            first, again = _facts(text), _facts(archive_text(tournament))
            parts = [name for name in first | again if first.get(name) != again.get(name)]
            if parts:
                yield Disagreement("archive differs", f"from {number}: {parts}", "archive")
            for gap in proof.of_tournament(tournament):
                yield Disagreement("archive proves nothing", gap.sentence, "archive")
            if not tournament.is_read_only:
                gift = {"kind": CashEntry.Kind.OTHER, "amount_cents": 250, "text": "Spende"}
                till.book_free(COMMAND, tournament.pk, **gift)
            text = archive_text(Tournament.objects.get(pk=tournament.pk))
            transaction.set_rollback(True)
