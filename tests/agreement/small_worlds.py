"""The small tournaments in which walks take place, each made from its seed.

All have 6 to 14 people of two clubs, some of a family, eligible for a category or not, and a second
organiser with a tournament of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from random import Random

from scoring.payments.bussgeld import PerGame, PerList
from scoring.payments.choosing import ThingsToChoose
from scoring.payments.prizes import PrizeLine, PrizeRanking, suggest_plan, winner_takes_all
from scoring.payments.prizes import RankingCategory as PrizeCategory
from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.ruleset import RuleSet
from scoring.rulesets import ruleset
from tests.agreement.act_weights import (
    CHECKING,
    DRAWING,
    ENDING,
    MONEY,
    PAYING,
    PEOPLE,
    PLAYING,
    QUEUE,
    RARE,
)
from tests.agreement.game_lines import line_of, sitting_out, without, won_by
from tests.factories import (
    START,
    make_club,
    make_head,
    make_member,
    make_organiser,
    make_person,
    make_registration,
    make_tournament,
    make_user,
)
from tests.factories_lists import list_of, write_games
from tournaments.common.actors import Actor
from tournaments.desk.services import registrations, teams
from tournaments.draw.services import draws
from tournaments.journal import proof
from tournaments.models import (
    Category,
    Closing,
    Draw,
    Person,
    Ranking,
    Role,
    Season,
    Serie,
    Tournament,
    User,
)

GAMES = 4  # a list: short, so that Serien come to an end
SIZES = (6, 7, 8, 9, 10, 11, 12, 13, 14)
Weights = Mapping[str, int]
FOLLOWING_ANOTHER = 0.6  # how often a closed tournament does
APPROVED = {"admission": Tournament.Admission.APPROVAL}


@dataclass(slots=True, kw_only=True)
class World:
    """A tournament with its staff, and one of another organiser."""

    tournament: Tournament
    staff: dict[Role, User]
    second: User  # a second Spielleitung for four eyes
    other: Tournament
    other_head: User
    chance: Random
    persons: list[Person] = field(default_factory=list)

    @property
    def head(self) -> Actor:
        return Actor.account(self.staff[Role.SPIELLEITUNG])


CHOOSING = ThingsToChoose(things=("Schinken", "Sekt", "Kaffee", "Sekt"))


def _rules(chance: Random, rules: RuleSet) -> RuleSet:
    """Return the rules of a walk; in some, the dealer at a table of four sits out."""
    if chance.random() < 0.75:
        return replace(rules, games_free=True).with_games(GAMES)
    return replace(rules, games_free=False, games=GAMES - 1, dealer_sits_out={4: GAMES})


def _tournament(chance: Random, terms: Random, rules: RuleSet) -> Tournament:
    plan = suggest_plan(8)
    flowers = PrizeLine(ranking=PrizeRanking(category=PrizeCategory.WOMEN), place=1, goods="Blumen")
    plan = replace(plan, lines=(*plan.lines, flowers))
    tandem = winner_takes_all(PrizeRanking(category=PrizeCategory.TANDEM))
    tournament = make_tournament(
        slug="walk",
        name="Walk",
        venue="Vereinsheim",
        organiser="SC Altenburg",
        contact_phone="0365 1234",
        starts_at=START,
        **chance.choice([{}, {}, {"is_open": False, "closed_circle": "Kreis", **APPROVED}]),
        refund_until=START - timedelta(minutes=30),
        rule_set=ruleset_to_dict(rules),
        online_registration=True,
        self_check_in=True,
        four_eyes=chance.random() < 0.3,
        ended_lists=chance.choice(Tournament.EndedLists.values),
        late_startgeld=chance.choice(Tournament.LateStartgeld.values),
        kartengeld_cents=chance.choice([0, 100]),
        kaution_cents=chance.choice([0, 500]),
        offer_hours=chance.choice([None, 2]),
        best_serien=terms.choice([None, None, 2]),
        only_whole=terms.random() < 0.3,
        ties_by_lot=terms.random() < 0.3,
        bussgeld=chance.choice([PerGame(cents=10), PerList(cents=50)]).to_dict(),
        prize_plan={"startgeld": plan.to_dict(), "tandem": tandem.to_dict()},
    )
    if tournament.kartengeld_cents:  # as clubs announce it: Startgeld, Serienpreise, Kartengeld
        plan = replace(plan, serie_cents=250, serie_shares=(600, 400), choosing=CHOOSING)
        plan = replace(plan, lottery=("Fahrrad", "Korb"))
        tournament.prize_plan["startgeld"] = plan.to_dict()
        tournament.save()
    limit = chance.choice([None, 60, 60])
    tournament.serien.update(seating=Serie.Seating.ELECTRONIC, time_limit_minutes=limit)
    young = {"name": "Jugend", "startgeld_cents": 800, "born_from": 2008}
    Category.objects.create(tournament=tournament, position=1, **young)
    kinds = Ranking.Kind
    for kind, limits_of in (
        (kinds.TEAM, {"size": 3}),
        (kinds.TANDEM, {"size": 2, "stake_cents": 300}),
        (kinds.MIXED, {"size": 2}),
        (kinds.WOMEN, {}),
        (kinds.JUNIORS, {"born_from": 2005}),
        (kinds.SENIORS, {"born_until": 1966, "stake_cents": 200}),
    ):
        Ranking.objects.create(tournament=tournament, kind=kind, **limits_of)
    season = {"owner": tournament.owner, "slug": "saison", "name": "Saison"}
    Season.objects.create(**season, created_by=make_user()).tournaments.add(tournament)
    return tournament


def _persons(chance: Random, number: int) -> list[Person]:
    clubs = [make_club("SC Altenburg"), make_club("TSV Gera"), None]
    return [
        make_person(
            f"{chance.choice(['Ida', 'Rolf', 'Uwe', 'Gisela'])} {chr(65 + place)}",
            "Berg" if place < 3 else f"Name{place:02}",  # a family
            club=chance.choice(clubs),
            gender=chance.choice(["f", "m", ""]),
            birth_year=chance.choice([1950, 1960, 1980, 1990, 2009, None]),
            publish_consent=chance.random() < 0.7,
        )
        for place in range(number)
    ]


def _registered(world: World, number: int) -> None:
    """Register this number of people, paid and present, with a team and a tandem."""
    tournament, chance = world.tournament, world.chance
    kept = {ranking.kind: ranking for ranking in tournament.rankings.all()}
    single = [kept[kind] for kind in ("women", "juniors", "seniors")]
    keys = []
    for person in world.persons[:number]:
        fits = [each for each in single if each.suits(person.birth_year, person.gender)]
        registration = registrations.register(
            world.head,
            tournament.pk,
            person_id=person.pk,
            category=tournament.categories.get(position=(person.birth_year or 0) >= 2008),
            rankings=[each for each in fits if chance.random() < 0.5],
            payment=registrations.Payment(),
            is_here=True,
            late_reason="kam später",
            admission_reason="eingeladen",
        )
        keys.append(registration.pk)
    three_or_two = chance.choice([3, 2])
    teams.create_team(
        world.head, kept["team"].pk, name="Asse", registration_ids=keys[:three_or_two]
    )
    teams.create_team(world.head, kept["tandem"].pk, registration_ids=keys[3:5])


def seat(world: World, number: int) -> Serie:
    """Draw a Serie by chance and publish it."""
    serie = world.tournament.serien.get(number=number)
    draw = draws.begin(world.head, serie.pk, method=Serie.Seating.ELECTRONIC)
    draws.store_plan(world.head, draw.pk, plan=shuffled_plan(draw, world.chance))
    draws.publish(world.head, draw.pk, reason="so gezogen")
    return serie


def shuffled_plan(draw: Draw, chance: Random) -> dict[str, object]:
    """Return a random plan of seats; the search would take hours."""
    numbers = [player["id"] for player in draw.task["players"]]
    chance.shuffle(numbers)
    threes = -len(numbers) % 4
    sizes = [4] * ((len(numbers) - 3 * threes) // 4) + [3] * threes
    series = [[numbers.pop() for _seat in range(size)] for size in sizes]
    return {"series": [series], "metrics": {}, "starts": 1}


def _follow(world: World) -> None:
    """Let a closed tournament follow one in which all but two persons have a complete result.

    Its points are carried; the points carried before this day have changed since.
    """
    this, played, persons = world.tournament, [], world.persons[:14]
    earlier = make_tournament(
        slug="before", name="Vorher", owner=this.owner, serien=1, rule_set=this.rule_set
    )
    for place, person in enumerate(persons, start=1):
        make_registration(earlier, person, number=place)
        played.append({"number": place, "rank": place, "total": 37 * place - 100})
    content = {"rankings": {"einzel": played, "serie-1": played[:-2]}, "prizes": []}
    Closing.objects.create(tournament=earlier, number=1, closed_at=START, content=content)
    following = {"copied_from": earlier, "carries_points": True}
    named = "\n".join(person.list_name for person in persons)
    Tournament.objects.filter(pk=this.pk).update(**following, circle_persons=named)
    this.refresh_from_db()


def _drafted(world: World) -> None:
    """Make a draft of an Ausschreibung without registrations."""
    Tournament.objects.filter(pk=world.tournament.pk).update(status=Tournament.Status.DRAFT)
    proof.baseline_proof(world.tournament)


def _full(world: World) -> None:
    """All places are taken; people pay before the day."""
    limited = {"places": 6, "offer_hours": 2, "is_open": True, "admission": ""}
    Tournament.objects.filter(pk=world.tournament.pk).update(**limited)
    proof.baseline_proof(world.tournament)
    _registered(world, 6)


def _begun(world: World) -> None:
    """Make a tournament with present and paid people without seats."""
    _registered(world, world.chance.choice(SIZES))


def _seated(world: World) -> None:
    """The first Serie is seated and begins."""
    _begun(world)
    seat(world, 1)


def _begun_or_seated(world: World) -> None:
    (_seated if world.chance.random() < 0.4 else _begun)(world)


def _played(world: World) -> None:
    """Play and check Serien; prizes and corrections are left.

    In some worlds, players at a table of four in all Serien share a rank, the last Serie is not
    closed, or games cost nothing.
    """
    _begun(world)
    shared, is_closed, is_free = (world.chance.random() < 0.5 for _each in range(3))
    if is_closed and is_free:
        Tournament.objects.filter(pk=world.tournament.pk).update(bussgeld={})
    last = world.chance.choice([1, 3, 3])
    for number in range(1, last + 1):
        serie = seat(world, number)
        for table in serie.tables.all():
            size = table.seats.count()
            sits_out = sitting_out(world.tournament, size)
            lines = [line_of(size, world.chance) for _game in sits_out]
            if shared:
                lines = [won_by(game % size + 1, size) for game in range(len(sits_out))]
            lines = [without(seat, line) for seat, line in zip(sits_out, lines, strict=True)]
            checked = write_games(list_of(serie, table.number), lines, status="verified")
            checked.verified_by, checked.verified_at = world.staff[Role.SPIELLEITUNG], START
            checked.save()
        if number < last or is_closed:
            Serie.objects.filter(pk=serie.pk).update(closed_at=START)
    proof.baseline_proof(world.tournament)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of world: its initial state and the frequency of its acts."""

    begin: Callable[[World], None]
    steps: int
    weights: Weights  # by the name of an act; others have the rest
    rest: float  # of acts that are not named
    starts: timedelta = timedelta()  # time since the start


WORLDS: dict[str, Kind] = {
    "draft": Kind(
        begin=_drafted,
        steps=25,
        weights={"announce": 8, "back_to_draft": 4, "register": 4, "send": 4},
        rest=0.5,
        starts=timedelta(days=-2),
    ),
    "queue": Kind(
        begin=_full,
        steps=40,
        weights={**QUEUE, "withdraw": 6, "register": 6, "send": 4, "offer_places": 12},
        rest=0.3,
        starts=timedelta(days=-2),
    ),
    "desk": Kind(
        begin=lambda world: _registered(world, 5),
        steps=40,
        weights={**MONEY, **PEOPLE, **RARE},
        rest=1,
        starts=timedelta(hours=-2),
    ),
    "draw": Kind(begin=_begun_or_seated, steps=40, weights={**DRAWING, **PEOPLE, **RARE}, rest=0.3),
    "lists": Kind(
        begin=_seated,
        steps=45,
        weights={**PLAYING, **CHECKING, "move_at_the_tables": 5, **RARE},
        rest=0.2,
        starts=timedelta(minutes=5),
    ),
    "prizes": Kind(begin=_played, steps=30, weights={**PAYING, **RARE}, rest=0.2),
    "day": Kind(
        begin=_begun,
        steps=120,
        weights={**PLAYING, **CHECKING, **DRAWING, **PEOPLE, **ENDING, **RARE},
        rest=0.3,
    ),
}


def make_world(kind: str, seed: int) -> World:
    """Make the world of a walk."""
    chance = Random(f"{kind}:{seed}")
    organiser = make_organiser("Die anderen")
    other = make_tournament(owner=organiser, slug="other", starts_at=START)
    of_walk = f"{kind}:{seed}"
    is_valued = Random(f"augen:{of_walk}").random() < 0.3
    base = ruleset("wertpunkte" if is_valued else "rommeordnung")
    rules = _rules(Random(f"rules:{of_walk}"), base)
    tournament = _tournament(chance, Random(f"terms:{of_walk}"), rules)
    world = World(
        tournament=tournament,
        staff={role: make_member(tournament, role) for role in Role},
        second=make_member(tournament, Role.SPIELLEITUNG),
        other=other,
        other_head=make_head(organiser),
        chance=chance,
        persons=_persons(chance, max(SIZES) + 4),
    )
    if tournament.admission and Random(f"follows:{kind}:{seed}").random() < FOLLOWING_ANOTHER:
        _follow(world)
    proof.baseline_proof(tournament)  # made past the journal
    WORLDS[kind].begin(world)
    if tournament.carries_points:
        tournament.registrations.filter(number__in=(2, 3)).update(carried_points=77)
        proof.baseline_proof(tournament)
    tournament.refresh_from_db()
    return world
