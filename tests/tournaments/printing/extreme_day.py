"""A played day with the longest values everywhere: printed once, read by many tests.

Fifteen people sit at two tables of six and one of three, fifteen games with a contract each.
In game *g* seat *s* counts 10·g + s points, and the seats finish in turn, so that every sum can
be worked out by hand: Σ 10·g over fifteen games is 1200, less the games finished.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scoring.payments.choosing import ThingsToChoose
from scoring.payments.prizes import PrizeLine, PrizePlan
from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.ruleset import Handromme, RuleSet
from scoring.rulesets import ruleset
from tests.factories import COMMAND, make_member, make_user
from tests.factories_lists import list_of, write_games
from tests.tournaments.printing.helpers import BASE_URL, LONG_NAME, Paper, make_day, paper
from tournaments.checking.services import checking, exclusions, penalties
from tournaments.common.access_keys import player_path, table_path
from tournaments.common.actors import Actor
from tournaments.common.organisers import first_organiser
from tournaments.corrections.services import corrections
from tournaments.desk.services import registrations
from tournaments.desk.services.registrations import Payment
from tournaments.models import (
    Circular,
    Ranking,
    Registration,
    Role,
    Season,
    Serie,
    Spielliste,
    TableAccess,
    Team,
    TeamMember,
    Tournament,
)

GAMES = 15
SIXES = (6, 6, 3)
TEAM = "Erste Rommé-Mannschaft der Bergstadt Geyer im Erzgebirge"
GOODS = "Präsentkorb mit Wurst aus dem Erzgebirge und zwei Flaschen Glühwein"
REASON = "Ein König wurde nicht mitgezählt, was beide Nachbarinnen und der Schiedsrichter sahen."
REFUNDS = "rueckzahlungen"
LAST_RECEIPT = len(range(1, sum(SIXES) + 1))

# Parameters of each document; all others print the whole tournament.
ASKED: Mapping[str, Mapping[str, Any]] = {
    "auskunft": {"number": 4},
    "quittung": {"receipt": LAST_RECEIPT},
    "druckpaket": {"serie": 1},
    "sitzplan-namen": {"serie": 1},
    "sitzplan-tische": {"serie": 1},
    "tischkarten": {"serie": 1},
    "spiellisten": {"serie": 1},
    "spiellisten-leer": {"size": 6, "copies": 1},
    "spiellisten-gespielt": {"serie": 1},
    "rangliste": {"ranking": "einzel"},
    "rangliste-aushang": {"ranking": "mannschaft"},
    "urkunden": {"ranking": "einzel", "places": 3},
}


@dataclass(frozen=True)
class NastyDay:
    """The printed documents, and the data that tests compare."""

    papers: Mapping[str, Paper]
    cards: list[str] = field(default_factory=list)  # where the codes of the Startkarten lead
    tables: list[str] = field(default_factory=list)  # and those of the tables


def rules() -> RuleSet:
    """Contracts for every game, Handrommé, bonus and grants, up to six at a table."""
    return replace(
        ruleset("hausregel"),
        games=GAMES,
        games_free=False,
        rounds=ruleset("progressiv").rounds,
        grants=ruleset("liverpool").grants,
        bonus_per_game={4: 20, 3: 15, 5: 20, 6: 20},
        table_sizes=(4, 3, 5, 6),
        packs=dict.fromkeys((4, 3, 5, 6), ruleset("hausregel").packs[4]),
        growing_at=(),
        handromme=Handromme(bonus=50, factor=2),
    )


def lines(seats: int) -> list[dict[str, Any]]:
    """The games of a table; in the fourth the dealer's right neighbour cut exactly."""
    played: list[dict[str, Any]] = []
    for game in range(1, GAMES + 1):
        finisher = (game - 1) % seats + 1
        minus = [0 if seat == finisher else 10 * game + seat for seat in range(1, seats + 1)]
        played.append({"finisher": finisher, "handromme": False, "minus": minus})
    played[3]["adjustments"] = [{"seat": 3, "points": -50, "reason": "genau abgehoben"}]
    return played


def print_everything(documents: Mapping[str, object]) -> NastyDay:
    """Make the day and print each of *documents* once."""
    tournament = make_day(sum(SIXES), size=6, nasty=True, serien=1, self_check_in=True)
    tournament.rule_set = ruleset_to_dict(rules())
    tournament.prize_plan = {
        "startgeld": PrizePlan(
            lines=(PrizeLine(place=1, fixed_cents=10000), PrizeLine(place=2, goods=GOODS)),
            choosing=ThingsToChoose(things=(GOODS, GOODS)),
        ).to_dict()
    }
    tournament.save()
    leader = Actor.account(
        make_member(tournament, Role.SPIELLEITUNG, name="Karl-Friedrich von Großenstein")
    )
    _pay(tournament)
    _play(tournament, leader)
    _make_team(tournament)
    season = Season.objects.create(
        owner=first_organiser(), name=LONG_NAME, slug="saison", created_by=make_user()
    )
    season.tournaments.add(tournament)
    circular = Circular.objects.create(
        tournament=tournament, audience="all", text=f"{REASON}\n\n{GOODS}"
    )
    circular.registrations.set(tournament.registrations.all())
    asked = {**ASKED, "nachricht": {"circular": circular.pk}}
    accesses = TableAccess.objects.order_by("table__number")
    of_the_day = [name for name in documents if name != REFUNDS]
    papers = {name: paper(tournament, name, **asked.get(name, {})) for name in of_the_day}
    # As if it were called off, with nothing played.
    tournament.status, tournament.called_off_reason = Tournament.Status.CALLED_OFF, GOODS
    papers[REFUNDS] = paper(tournament, REFUNDS)
    return NastyDay(
        papers=papers,
        cards=[
            f"{BASE_URL}{player_path(registration)}"
            for registration in tournament.registrations.order_by("number")
            if registration.status != Registration.Status.EXCLUDED
        ],
        tables=[f"{BASE_URL}{table_path(access)}" for access in accesses],
    )


def _pay(tournament: Tournament) -> None:
    tournament.registrations.update(status=Registration.Status.REGISTERED)
    for registration in tournament.registrations.order_by("number"):
        registrations.pay(COMMAND, registration.pk, payment=Payment())


def _play(tournament: Tournament, leader: Actor) -> None:
    serie = tournament.serien.get()
    for table, seats in enumerate(SIXES, start=1):
        write_games(list_of(serie, table), lines(seats), status=Spielliste.Status.HANDED_IN)
    _correct(serie, leader, game=1, minus=[0, 21, 13, 14, 15, 16])  # seat 2: 12 → 21
    _correct(serie, leader, game=5, minus=[57, 52, 53, 54, 0, 56])  # seat 1: 51 → 57
    penalty = penalties.propose(
        leader,
        list_of(serie).pk,
        registration_id=tournament.registrations.get(number=4).pk,
        points=100,
        reason="Hat nicht offen ausgelegt und trotzdem beendet.",
    )
    penalties.give(leader, penalty.pk)
    excluded = tournament.registrations.get(number=12)
    exclusions.exclude(leader, excluded.pk, reason="Grobe Unsportlichkeit")
    for table in range(1, len(SIXES) + 1):
        spielliste = list_of(serie, table)
        checking.verify(leader, spielliste.pk, version=spielliste.version)


def _correct(serie: Serie, leader: Actor, *, game: int, minus: list[int]) -> None:
    spielliste = list_of(serie)
    corrections.correct_line(
        leader,
        spielliste.pk,
        game=game,
        line={"finisher": game, "handromme": False, "minus": minus},
        reason=REASON,
        version=spielliste.version,
    )


def _make_team(tournament: Tournament) -> None:
    ranking = Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.TEAM, size=4)
    team = Team.objects.create(ranking=ranking, name=TEAM)
    for registration in tournament.registrations.filter(number__in=(1, 2, 3, 4)):
        TeamMember.objects.create(team=team, ranking=ranking, registration=registration)
