"""The day of the practice tournament, act by act, each through its service.

The first Serie is verified with a correction and Strafpunkte. The second is running: two tables are
on paper, one calls the Schiedsrichter. The third is not drawn. The games depend on the seed only.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.payments.bussgeld import PerGame
from scoring.payments.prizes import PrizeRanking, suggest_plan, winner_takes_all
from scoring.payments.prizes import RankingCategory as PrizeCategory
from scoring.rulesets import ruleset
from tournaments.announcement.services import edit as tournament_edit
from tournaments.announcement.services import tariff, tournaments
from tournaments.announcement.services.sections import fingerprint
from tournaments.cash.services import counts as till_counts
from tournaments.checking.services import checking, penalties
from tournaments.closing import services as closing
from tournaments.common.actors import Actor
from tournaments.corrections.services import corrections
from tournaments.desk.services import registrations, teams
from tournaments.draw.services import cards as draw_cards
from tournaments.draw.services import drafts, draws
from tournaments.hall.queries.handing_in import rows_of
from tournaments.hall.services import handing_in, paper_lists, serie_time
from tournaments.journal.acts import ActFunction
from tournaments.lists.services import spiellisten
from tournaments.models import Call, Ranking, Role, Serie, Spielliste, Tournament, User
from tournaments.models.tournament import Section
from tournaments.notices.services import circulars, notices
from tournaments.people.services import people
from tournaments.practice.demo import tables
from tournaments.practice.demo.people import (
    CLUBS,
    PLAYERS,
    TANDEMS,
    account_of,
    make_accounts,
    organiser_of,
)
from tournaments.practice.demo.tables import play_list
from tournaments.table.services import calls

NAME = "Übungsturnier der Rommé-Freunde"
SEED = 1987
SERIEN = 3
GAMES = 12
CHANGE = {2000: 5, 1000: 5, 500: 10, 200: 20, 100: 20, 50: 20}
# Time since the start of the tournament.
BEGAN = timedelta(hours=5)
# Tables of the second Serie that are on paper, and the one that calls.
ON_PAPER = (3, 9)
CALLING = 5
Say = Callable[[str], None]


def next_start(now: datetime) -> datetime:
    """Return a full hour that leaves time for registrations before their deadline."""
    return (now + timedelta(hours=2)).replace(minute=0, second=0, microsecond=0)


class PracticeDay:
    """Makes the practice tournament; each method is a part of the day."""

    def __init__(self, say: Say) -> None:
        self.say = say
        self.chance = Random(SEED)  # noqa: S311 - games of a practice tournament, nothing secret
        self.command = Actor.command("demo")
        self.rule_set = ruleset("rommeordnung")

    def run(self) -> Tournament:
        """Make the whole day and return the tournament."""
        self.say(_("Das Übungsturnier wird angelegt …"))
        self.announce()
        self.say(_("47 Personen werden gemeldet und bezahlen …"))
        self.register()
        self.say(_("Serie 1 wird ausgelost, gespielt und geprüft …"))
        self.first_serie()
        self.say(_("Serie 2 läuft …"))
        self.second_serie()
        self.set_back()
        return self.tournament

    def account(self, role: Role) -> Actor:
        """Return the actor with a role."""
        return Actor.account(self.users[role])

    def set_back(self) -> None:
        """Set the start five hours back; registering needed a start in the future."""
        tournament_edit.change_fields(
            self.command,
            self.tournament.pk,
            seen=self.seen(Section.GENERAL),
            section=Section.GENERAL,
            values={
                "starts_at": self.tournament.starts_at - BEGAN,
                "registration_deadline": self.tournament.registration_deadline - BEGAN,
            },
            reason=_("Der Tag begann vor fünf Stunden."),
        )
        circulars.leave_untold(self.head, self.tournament.pk)  # no mail about this change
        self.tournament.refresh_from_db()

    # --- Ausschreibung ------------------------------------------------------------------

    def announce(self) -> None:
        self.tournament = tournaments.create_tournament(
            name=NAME,
            starts_at=next_start(timezone.now()),
            rule_set=self.rule_set,
            serien=SERIEN,
            startgeld_cents=1500,
            actor=self.command,
            owner=organiser_of(account_of("demo-leitung")),
        )
        self.users: dict[Role, User] = make_accounts(self.tournament)
        venue = {
            "venue": "Gasthof Zur Linde",
            "venue_address": "Dorfstraße 12, 04600 Altenburg",
            "organiser": "SC Altenburg",
            "contact": "Karla Otto",
            "contact_phone": "03447 000000",
        }
        general = Section.GENERAL
        self.change(tournament_edit.change_fields, general, section=general, values=venue)
        seatings = (Serie.Seating.CARDS, Serie.Seating.ELECTRONIC, Serie.Seating.RANKING)
        serien = [Serie(seating=seating, time_limit_minutes=100) for seating in seatings]
        self.change(tournament_edit.change_serien, Section.SERIEN, lines=serien)
        rankings = [
            Ranking(kind=Ranking.Kind.SINGLE),
            Ranking(kind=Ranking.Kind.TANDEM, size=2, stake_cents=300),
            Ranking(kind=Ranking.Kind.WOMEN),
        ]
        self.change(tariff.change_rankings, Section.RANKINGS, lines=rankings)
        bussgeld = PerGame(cents=20, first_games=3, first_cents=10)
        self.change(tournament_edit.change_bussgeld, Section.BUSSGELD, tariff=bussgeld)
        of_tandems = winner_takes_all(PrizeRanking(category=PrizeCategory.TANDEM))
        for pot, plan in (("startgeld", suggest_plan(len(PLAYERS))), ("tandem", of_tandems)):
            self.change(tournament_edit.change_prize_plan, Section.PRIZES, pot=pot, plan=plan)
        tournaments.announce(self.head, self.tournament.pk)

    def change(self, act: ActFunction[..., None], section: Section, /, **values: Any) -> None:
        """Change a section of the Ausschreibung."""
        act(self.head, self.tournament.pk, seen=self.seen(section), **values)

    def seen(self, section: Section) -> str:
        """Return the present fingerprint of a section."""
        self.tournament.refresh_from_db()
        return fingerprint(self.tournament, section)

    @property
    def head(self) -> Actor:
        """The account that leads the tournament."""
        return self.account(Role.SPIELLEITUNG)

    # --- Anmeldung ----------------------------------------------------------------------

    def register(self) -> None:
        desk = self.account(Role.KASSE)
        till_counts.open_till(desk, self.tournament.pk, pieces=CHANGE)
        women = self.tournament.rankings.get(kind=Ranking.Kind.WOMEN)
        tandem = self.tournament.rankings.get(kind=Ranking.Kind.TANDEM)
        clubs = [
            people.find_or_create_club(name, actor=desk, within=self.tournament) for name in CLUBS
        ]
        in_tandem = {number for pair in TANDEMS for number in pair}
        for number, (first, last, club, year, gender) in enumerate(PLAYERS, start=1):
            person = people.create_person(
                actor=desk,
                within=self.tournament,
                first_name=first,
                last_name=last,
                club=clubs[club - 1] if club else None,
                birth_year=year,
                gender=gender,
                publish_consent=number % 9 != 0,
            )
            rankings = [women] if gender == "f" else []
            registrations.register(
                desk,
                self.tournament.pk,
                person_id=person.pk,
                rankings=[*rankings, tandem] if number in in_tandem else rankings,
                payment=registrations.Payment(),
                is_here=True,
            )
        key_of = dict(self.tournament.registrations.values_list("number", "pk"))
        for pair in TANDEMS:
            teams.create_team(desk, tandem.pk, registration_ids=[key_of[number] for number in pair])
        tournaments.start(self.head, self.tournament.pk)

    # --- Serie 1 ------------------------------------------------------------------------

    def first_serie(self) -> None:
        serie = self.tournament.serien.get(number=1)
        draw = draws.begin(self.head, serie.pk, method=Serie.Seating.CARDS)
        places = [
            (table, seat)
            for table, row in enumerate(draw.seats, start=1)
            for seat in range(1, len(row) + 1)
        ]
        self.chance.shuffle(places)
        cards = dict(enumerate(places, start=1))
        draw_cards.enter_cards(self.account(Role.KASSE), draw.pk, cards=cards)
        drafts.apply_crossing(self.head, draw.pk)
        draws.publish(self.head, draw.pk)
        serie_time.start(self.head, serie.pk)
        lists = self.lists(serie)
        for spielliste in lists:
            tables.play_on(spielliste, GAMES, self.rule_set, self.chance)
            tables.sign(spielliste)
            self.hand_in(spielliste)
        self.correct(lists[3])
        self.punish(lists[6])
        for spielliste in lists:
            spielliste.refresh_from_db()
            checking.verify(self.head, spielliste.pk, version=spielliste.version)
        for notice in self.untold_notices():
            notices.tell(Actor.account(self.users[Role.SPIELLEITUNG]), notice, how="slip")
        closing.close_serie(self.head, serie.pk)

    def lists(self, serie: Serie) -> list[Spielliste]:
        """Return the lists of a Serie by table."""
        lists = Spielliste.objects.filter(table__serie=serie).select_related("table__serie")
        return list(lists.order_by("table__number"))

    def hand_in(self, spielliste: Spielliste) -> None:
        """Hand in the list with its Startkarten and the Bußgeld."""
        (row,) = rows_of(self.tournament, [spielliste])
        handing_in.take_all(self.account(Role.KASSE), spielliste.pk, expected_cents=row.open_cents)

    def correct(self, spielliste: Spielliste) -> None:
        """Correct a miscounted hand."""
        spielliste.refresh_from_db()
        game = spielliste.games.get(number=4)
        minus = list(game.line["minus"])
        seat = next(seat for seat, points in enumerate(minus) if points)
        minus[seat] += 10
        corrections.correct_line(
            self.head,
            spielliste.pk,
            game=4,
            line={**game.line, "minus": minus},
            reason="Ein König wurde nicht mitgezählt.",
            paragraph="2.2.5",
            version=spielliste.version,
        )

    def punish(self, spielliste: Spielliste) -> None:
        """Give Strafpunkte on a proposal of the Schiedsrichter."""
        seat = spielliste.table.seats.get(number=2)
        penalty = penalties.propose(
            self.account(Role.SCHIEDSRICHTER),
            spielliste.pk,
            registration_id=seat.registration_id,
            points=100,
            reason="Hat nicht offen ausgelegt und trotzdem beendet.",
        )
        penalties.give(self.head, penalty.pk)

    def untold_notices(self) -> list[int]:
        """Return the keys of the open notices."""
        waiting = self.tournament.corrections.filter(notices__told_at__isnull=True)
        return [key for key in waiting.values_list("notices", flat=True) if key is not None]

    # --- Serie 2 ------------------------------------------------------------------------

    def second_serie(self) -> None:
        serie = self.tournament.serien.get(number=2)
        draw = draws.begin(self.head, serie.pk, method=Serie.Seating.ELECTRONIC)
        draws.store_plan(self.head, draw.pk, plan=draws.plan_of(draw))
        draws.publish(self.head, draw.pk)
        serie_time.start(self.head, serie.pk)
        for spielliste in self.lists(serie):
            number = spielliste.table.number
            if number in ON_PAPER:
                self.on_paper(spielliste, games=4)
            else:
                games = GAMES if number == 1 else 3 + number % 5
                tables.play_on(spielliste, games, self.rule_set, self.chance)
            if number == 1:
                tables.sign(spielliste)
            if number == CALLING:
                calls.call(
                    Actor.table(spielliste.table), spielliste.table_id, kind=Call.Kind.DISPUTE
                )

    def on_paper(self, spielliste: Spielliste, games: int) -> None:
        """Enter the games on paper."""
        seats = spielliste.table.seats.count()
        spielliste = spiellisten.keep_on_paper(self.head, spielliste.pk, on_paper=True)
        lines = play_list(self.chance, self.rule_set, seats, games)
        paper_lists.enter_whole_list(
            self.account(Role.SCHIEDSRICHTER),
            spielliste.pk,
            lines=lines,
            version=spielliste.version,
        )
