"""A tournament with everything in it, and its archive."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from django.db import transaction
from django.utils import timezone

from tests.factories import make_club, make_member, make_person, make_registration, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.tournaments.archive.helpers import saved
from tournaments.cash.services import till
from tournaments.common.actors import Actor
from tournaments.models import (
    BankTransaction,
    Bussgeld,
    Call,
    Case,
    CashCount,
    CashEntry,
    Circular,
    Correction,
    Draw,
    Entry,
    EntryLine,
    Invitation,
    Lottery,
    Notice,
    Penalty,
    Playoff,
    PrizePayout,
    Ranking,
    RankingChoice,
    Receipt,
    Registration,
    Role,
    SeatSpan,
    Separation,
    Serie,
    Signature,
    Spielliste,
    TableDevice,
    Team,
    TeamMember,
    TeamWish,
    Tournament,
    User,
)

Status = Spielliste.Status


def _write_to(players: list[Registration], line: EntryLine) -> None:
    tournament = players[0].tournament
    circular = Circular.objects.create(tournament=tournament, audience="all", text="Bis\nmorgen")
    circular.registrations.set(players)
    circular.lines.set([line])


def everything(tournament_status: str = Tournament.Status.RUNNING) -> Tournament:
    """A tournament with a row of nearly every kind in it."""
    now = timezone.now()
    tournament = make_tournament(serien=2)
    head = make_member(tournament, Role.SPIELLEITUNG, username="leitung")
    clubs = [make_club("SC Altenburg"), make_club("Rommé-Freunde Öd")]
    players = [
        make_registration(
            tournament,
            make_person(f"Vor{number}", f"Nachname{number}", club=clubs[number % 2]),
        )
        for number in range(1, 9)
    ]
    member = make_person(member_number="P-7", member_until=date(2026, 12, 31))
    make_registration(tournament, member, number=None, status=Registration.Status.REGISTERED)
    tandem = Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.TANDEM, size=2)
    team = Team.objects.create(ranking=tandem, name="Asse")
    for player in players[:2]:
        TeamMember.objects.create(team=team, ranking=tandem, registration=player)
        player.rankings.add(tandem)
    RankingChoice.objects.create(registration=players[0], ranking=tandem, takes_part=True)
    Separation.objects.create(tournament=tournament, first=players[2], second=players[3])
    till.book_free(
        Actor.account(head),
        tournament.pk,
        kind=CashEntry.Kind.OPENING,
        amount_cents=5000,
        method=Receipt.Method.CASH,
        text="Wechselgeld",
    )
    serie = make_seated_serie(tournament, [players[:4], players[4:]])
    Draw.objects.create(
        serie=serie,
        number=1,
        status=Draw.Status.PUBLISHED,
        method=Serie.Seating.CARDS,
        seats=[[player.pk for player in players[:4]], [player.pk for player in players[4:]]],
        crossings=[[players[0].pk, 1, 2, 1]],
        published_at=now,
        published_by=head,
    )
    first = write_games(list_of(serie, 1), status=Status.VERIFIED)
    first.verified_by = head
    first.save()
    write_games(list_of(serie, 2), FOUR[:5], status=Status.INVALID)
    game = first.games.get(number=3)
    game.line = {**game.line, "finisher": [3, 4], "minus": [27, [35, 85], 0, 22]}
    game.overridden = True
    game.save()
    Penalty.objects.create(
        spielliste=first,
        registration=players[1],
        points=100,
        reason="§ 8.3",
        status=Penalty.Status.GIVEN,
        decided_at=now,
        decided_by=head,
    )
    Penalty.objects.create(spielliste=first, registration=players[2], points=150, reason="Frage")
    Signature.objects.create(
        spielliste=first,
        registration=players[0],
        version=12,
        method=Signature.Method.PAPER,
        signed_at=now,
    )
    SeatSpan.objects.create(spielliste=first, seat=1, last_game=2, registration=players[4])
    Bussgeld.objects.create(spielliste=first, registration=players[0], due_cents=150)
    Call.objects.create(table=first.table, kind=Call.Kind.DISPUTE)
    case = Case.objects.create(
        tournament=tournament, spielliste=first, kind=Case.Kind.CORRECTION, text="Zeile 3", game=3
    )
    correction = Correction.objects.create(
        tournament=tournament,
        number=1,
        spielliste=first,
        kind=Correction.Kind.LINE,
        before={"z": 1, "a": 2},
        after={"a": 3},
        reason="verschrieben",
        case=case,
        created_by=head,
    )
    Notice.objects.create(correction=correction, registration=players[1])
    Playoff.objects.create(tournament=tournament, order=[6, 2], created_by=head)
    Playoff.objects.create(tournament=tournament, ranking=tandem, order=[team.pk])
    PrizePayout.objects.create(
        tournament=tournament,
        pot="startgeld",
        ranking="overall",
        registration=players[1],
        label="Platz 1: ein Korb",
        goods="ein Korb",
        handed_over_at=now,
        handed_over_by=head,
    )
    _move_money_and_draw_lots(tournament, head, players[6], players[2])
    Spielliste.objects.filter(pk=first.pk).update(is_late=True)
    BankTransaction.objects.create(
        tournament=tournament, fingerprint="ab" * 32, booked_on=now.date(), amount_cents=1500
    )
    TableDevice.objects.create(table=first.table, token_hash="ef" * 32, last_seen_at=now)
    Invitation.objects.create(
        tournament=tournament, role=Role.KASSE, token_hash="01" * 32, expires_at=now
    )
    entry = Entry.objects.create(tournament=tournament, token_hash="cd" * 32)
    line = EntryLine.objects.create(
        entry=entry,
        position=1,
        status=EntryLine.Status.REGISTERED,
        registration=players[0],
        first_name=players[0].person.first_name,
        last_name=players[0].person.last_name,
        member_number="P-8",
    )
    line.declined.add(tandem)
    _write_to(players[:2], line)
    TeamWish.objects.create(line=line, ranking=tandem, text="Asse")
    Registration.objects.filter(pk=players[7].pk).update(status=Registration.Status.EXCLUDED)
    Tournament.objects.filter(pk=tournament.pk).update(status=tournament_status)
    tournament.refresh_from_db()
    return tournament


def _move_money_and_draw_lots(
    tournament: Tournament, head: User, latecomer: Registration, winner: Registration
) -> None:
    """A booked difference, a card, and a prize of which some is claimed back after its payout."""
    count = CashCount.objects.create(
        tournament=tournament, expected_cents=5000, counted_cents=4900, created_by=head
    )
    booked = [
        (Receipt.Method.CASH, CashEntry.Kind.OTHER, -100, None, {"difference_of": count}),
        (Receipt.Method.CARD, CashEntry.Kind.STARTGELD, 700, latecomer, {}),
        (Receipt.Method.CASH, CashEntry.Kind.PRIZE, -900, winner, {}),
        (Receipt.Method.CASH, CashEntry.Kind.PRIZE, 300, winner, {}),
    ]
    receipts = []
    for number, (method, kind, cents, player, more) in enumerate(booked, start=2):
        receipt = Receipt.objects.create(
            tournament=tournament, number=number, method=method, created_by=head, **more
        )
        receipts.append(receipt)
        CashEntry.objects.create(
            receipt=receipt, kind=kind, amount_cents=cents, registration=player
        )
    for part, receipt in enumerate(receipts[2:], start=1):  # paid, and then some of it claimed back
        PrizePayout.objects.create(
            tournament=tournament,
            pot="startgeld",
            ranking="overall",
            registration=winner,
            label="Platz 2",
            part=part,
            amount_cents=-receipt.entries.get().amount_cents,
            receipt=receipt,
        )
    Registration.objects.filter(pk=latecomer.pk).update(late_startgeld_cents=700)
    Lottery.objects.create(
        tournament=tournament,
        seed="2026",
        seed_hash="ab" * 32,
        field=[2, 6],
        things=["Fahrrad"],
        drawn_at=timezone.now(),
        created_by=head,
    )


def exported_from_elsewhere(make: Callable[[], Tournament]) -> str:
    """Export a tournament, then undo that it ever was in this database."""
    with transaction.atomic():
        text: str = saved(make())
        transaction.set_rollback(True)
    return text
