"""A tournament with a journal entry of every act, and a journal as in an archive."""

from __future__ import annotations

from django.utils import timezone

from scoring.rulesets import ruleset
from tests.factories import COMMAND, make_person, make_user
from tests.factories_lists import FOUR, list_of
from tournaments.announcement.services import tournaments
from tournaments.cash.services import counts
from tournaments.checking.services import checking, penalties
from tournaments.common.actors import Actor
from tournaments.common.organisers import first_organiser
from tournaments.corrections.services import corrections
from tournaments.desk.services import registrations
from tournaments.draw.services import cards, draws
from tournaments.hall.services import handing_in
from tournaments.journal import proof
from tournaments.journal import services as journal
from tournaments.lists.services import spiellisten
from tournaments.models import ArchivedJournal, Role, Serie, Spielliste, Tournament, User


def brought(tournament: Tournament) -> ArchivedJournal:
    """Return the tournament's own journal as in an archive, with other keys of accounts."""
    chain = tournament.journal_chain
    entries = [
        {**journal.facts_of(entry), "hash": entry.hash}
        for entry in chain.entries.order_by("number")
    ]
    acted = chain.entries.exclude(actor=None).values_list("actor", flat=True).distinct()
    return ArchivedJournal.objects.create(
        tournament=tournament,
        scope=chain.scope,
        accounts={str(key): make_user(name="Lotte Leitung").pk for key in acted},
        entries=entries,
    )


def correct_second_game(spielliste: Spielliste) -> None:
    """Correct it to the disadvantage of the first seat."""
    corrections.correct_line(
        COMMAND,
        spielliste.pk,
        game=2,
        line={"finisher": 2, "handromme": False, "minus": [41, 0, 18, 40]},
        reason="Ein König fehlte.",
        paragraph="2.2.5",
        version=spielliste.version,
    )


def running_tournament() -> Tournament:
    """One table of four with four games, each act by its service: paid, drawn, played."""
    tournament = tournaments.create_tournament(
        owner=first_organiser(),
        name="Sommerturnier",
        starts_at=timezone.now(),
        rule_set=ruleset("rommeordnung"),
        serien=1,
        startgeld_cents=1500,
        actor=COMMAND,
    )
    Tournament.objects.filter(pk=tournament.pk).update(status=Tournament.Status.ANNOUNCED)
    proof.baseline_proof(tournament)
    counts.open_till(desk(), tournament.pk, pieces={1000: 5})
    for _person in range(4):
        registrations.register(
            COMMAND,
            tournament.pk,
            person_id=make_person().pk,
            payment=registrations.Payment(),
            late_reason="Stau",
            is_here=True,
        )
    serie = tournament.serien.get()
    draw = draws.begin(COMMAND, serie.pk, method=Serie.Seating.CARDS)
    drawn = {number: (1, number) for number in range(1, 5)}
    cards.enter_cards(COMMAND, draw.pk, cards=drawn)
    draws.publish(COMMAND, draw.pk)
    spielliste = list_of(serie)
    for number, line in enumerate(FOUR, start=1):
        spiellisten.enter_game(
            COMMAND, spielliste.pk, number=number, line=line, version=number - 1, confirmed=True
        )
    tournament.refresh_from_db()
    return tournament


def desk() -> Actor:
    """Return an actor of the till."""
    user = User.objects.filter(name="Karl Kasse").first() or make_user(name="Karl Kasse")
    return Actor.account(user, frozenset({Role.KASSE}))


def played_tournament() -> Tournament:
    """The same table, its list handed in, corrected and verified."""
    tournament = running_tournament()
    spielliste = list_of(tournament.serien.get())
    handing_in.take_all(desk(), spielliste.pk, expected_cents=0, signatures=True)
    penalties.give_at_once(
        COMMAND,
        spielliste.pk,
        registration_id=tournament.registrations.get(number=2).pk,
        points=100,
        reason="§ 8.3",
    )
    spielliste.refresh_from_db()
    correct_second_game(spielliste)
    spielliste.refresh_from_db()
    checking.verify(COMMAND, spielliste.pk, version=spielliste.version)
    tournament.refresh_from_db()
    return tournament
