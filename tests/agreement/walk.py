"""A walk: random acts in a small world, one after the other.

A step names the act, the label of its object and a seed for all other choices. So a walk can be
replayed with some of its steps.
"""

from __future__ import annotations

import hashlib
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.urls import get_resolver
from django.utils import timezone

from tests.agreement.act_weights import FOLLOWING
from tests.agreement.arguments import NothingSensible, label, tampered
from tests.agreement.makers import make_arguments
from tests.agreement.shadow import Shadow
from tests.agreement.signatures import acts_of_the_program
from tests.agreement.small_worlds import WORLDS, World, make_world
from tests.factories import START
from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError
from tournaments.journal.acts import Rule
from tournaments.models import (
    JournalEntry,
    NotedRequest,
    Registration,
    Table,
    TableDevice,
    Tournament,
    User,
)
from tournaments.table.services.devices import open_device
from tournaments.web.cached_answers import clear

_ = get_resolver().url_patterns  # loads all rooms, and so all acts
Kinds = JournalEntry.ActorKind
REFUSED = (TournamentError, ValidationError)
REFUSED_ON_PURPOSE = 0.1
PREFERRED, PREFERENCE = 12, 12  # acts that a walk does more often, so that each comes in some
FOLLOWS = 0.3  # how often an act comes that needs the one before
TRIES = 8  # of an act, with other rows and arguments
WAYS_TO_BE_REFUSED = ("role", "state", "stale")


class Step(NamedTuple):
    """An act, the label of its object, a seed, and the reason for an expected refusal."""

    act: str
    about: str
    seed: int
    wrong: str = ""

    def __str__(self) -> str:
        return "|".join(map(str, self))

    @classmethod
    def read(cls, printed: str) -> Step:
        """Return the step that was printed so."""
        act, about, seed, wrong = printed.split("|")
        return cls(act, about, int(seed), wrong)


class Disagreement(NamedTuple):
    """A disagreement: its kind, by which it is identified, and the values read."""

    kind: str
    detail: str
    about: str = ""  # the facts in which it was found


class Clock(datetime):
    """The time of the walk that is played: a minute passes with each step."""

    moment: datetime = START

    @classmethod
    def now(cls, tz: Any = None) -> Any:
        return cls.moment.astimezone(tz)


@dataclass(slots=True)
class Walk:
    """A world in which steps are done."""

    kind: str
    seed: int
    world: World
    tournament: Tournament
    shadow: Shadow
    steps: list[Step] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    wrong: list[Disagreement] = field(default_factory=list)
    last_made: dict[str, Any] = field(default_factory=dict)  # the arguments of the last step

    # --- Objects of acts ------------------------------------------------------------------

    def rows(self, model: Any) -> dict[str, Any]:
        """Return the rows of a model in the tournament by label."""
        if model is Tournament:
            return {"": Tournament.objects.get(pk=self.tournament.pk)}
        if model is TableDevice:
            return {name: _device_at(table) for name, table in self.rows(Table).items()}
        along = [*model.along, *(["__".join(model.within)] if model.within else [])]
        path = "__".join([*model.within, "tournament"])
        here: QuerySet[Any] = QuerySet(model).filter(**{path: self.tournament})
        rows: dict[str, Any] = {}
        namesakes: Counter[str] = Counter()
        for row in here.select_related(*along, path).order_by("pk"):
            name = label(row).replace("|", " ").replace("/", " ")
            namesakes[name] += 1
            rows[name if namesakes[name] == 1 else f"{name} ({namesakes[name]})"] = row
        return rows

    def actor(self, rule: Rule, row: Any, chance: Random, wrong: str) -> Actor:
        """Return an actor who may perform the act, or who may not if *wrong*."""
        kinds = sorted(rule.by & set(Kinds))
        users: dict[bool, list[User]] = {True: [], False: [self.world.other_head]}
        for member in self.tournament.memberships.select_related("user").order_by("pk"):
            users[member.role in rule.by].append(member.user)
        if wrong == "role":
            return Actor.account(chance.choice(users[False]))
        if users[True] and (chance.random() < 0.9 or not kinds):
            return Actor.account(chance.choice(users[True]))
        match chance.choice(kinds or [Kinds.COMMAND]):
            case Kinds.TABLE:
                table = getattr(row, "table", row)
                return Actor.table(table) if isinstance(table, Table) else Actor.at_table(1, 1)
            case Kinds.PLAYER:
                mine = getattr(row, "registration", row)
                return Actor.player(mine) if isinstance(mine, Registration) else Actor.public()
            case Kinds.PUBLIC:
                return Actor.public()
        return Actor.command("walk")

    # --- Choosing and doing ---------------------------------------------------------------

    def chosen(self) -> Iterator[Step]:
        """Yield steps that could be done next, until the walk is long enough."""
        chance, kind = Random(f"steps:{self.kind}:{self.seed}"), WORLDS[self.kind]
        acts = acts_of_the_program()
        names = sorted(acts)
        preferred = chance.sample(names, PREFERRED)
        weights = [
            kind.weights.get(name, kind.rest) + PREFERENCE * (name in preferred) for name in names
        ]
        for _try in range(kind.steps * 20):
            following = FOLLOWING.get(self.steps[-1].act, []) if self.steps else []
            is_next = following and chance.random() < FOLLOWS
            name = chance.choice(following) if is_next else chance.choices(names, weights)[0]
            doing, wrong = acts[name], ""
            if chance.random() < REFUSED_ON_PURPOSE:
                wrong = chance.choice(WAYS_TO_BE_REFUSED)
            rows = self.rows(doing.rule.on).items()
            is_state = wrong == "state"
            fitting = [called for called, row in rows if bool(doing.refusal(row)) == is_state]
            done = len(self.steps)
            some = chance.sample(fitting, min(TRIES, len(fitting)))
            for called in (some * TRIES)[:TRIES]:
                yield Step(name, called, chance.randrange(10**6), wrong)
                if len(self.steps) > done:
                    break
            if len(self.steps) >= kind.steps:
                return

    def do(self, step: Step) -> bool:
        """Perform a step; return whether it was done. A violation is a disagreement."""
        Clock.moment += timedelta(minutes=1)
        doing = acts_of_the_program()[step.act]
        row = self.rows(doing.rule.on).get(step.about)
        if row is None:
            return False
        try:
            if row.pk is None:
                row, _secret = open_device(row.table.access)
            made = make_arguments(self.world, doing, row, step.seed)
            if step.wrong == "stale":
                made = tampered(made, needs_reason=doing.rule.needs_reason)
        except (NothingSensible, *REFUSED):
            return False
        actor = self.actor(doing.rule, row, Random(step.seed), step.wrong)
        why = step.wrong or ("state" if doing.refusal(row) else "")
        before = self._mark()
        try:
            with self.given_chance(step.seed), transaction.atomic():
                doing(actor, row.pk, **made)
        except REFUSED:
            self.refused += 1
            return self._mark() != before and self._is_wrong("a refusal stored something", step)
        except Exception:
            return self._is_wrong(f"{step.act} failed", step, traceback.format_exc(limit=-6))
        if why and self._mark() != before:
            return self._is_wrong(f"{step.act} was not refused ({why})", step, made)
        self.done[step.act] += 1
        self.steps.append(step)
        self.last_made = made
        self.shadow.look(step.act, made)
        return True

    def _is_wrong(self, kind: str, step: Step, detail: object = "") -> bool:
        self.wrong.append(Disagreement(kind, f"{step} {detail}"))
        self.steps.append(step)
        return True

    def _mark(self) -> tuple[int, int, int]:
        """Return the values that every act raises, also those of the other organiser."""
        revisions = dict(Tournament.objects.values_list("pk", "revision"))
        there = revisions[self.world.other.pk]
        return JournalEntry.objects.count(), revisions[self.tournament.pk], there

    @contextmanager
    def given_chance(self, seed: int) -> Iterator[None]:
        """Let the program draw by the seed of the step."""
        tokens = iter(range(10**6))

        def token_hex(nbytes: int = 32) -> str:
            drawn = f"{self.kind}:{self.seed}:{seed}:{next(tokens)}"
            return hashlib.sha256(drawn.encode()).hexdigest()[: 2 * nbytes]

        with patch("secrets.token_hex", token_hex):
            yield


def _device_at(table: Table) -> TableDevice:
    """Return the device of a table; one that was never opened has no key yet."""
    opened = table.devices.filter(withdrawn_at__isnull=True).order_by("pk").last()
    return opened or TableDevice(table=table)


@contextmanager
def begun(kind: str, seed: int) -> Iterator[Walk]:
    """Give a walk in a new world, which is gone afterwards."""
    Clock.moment = START + WORLDS[kind].starts
    quiet = patch.object(NotedRequest, "SLOW_SECONDS", 3600)  # nothing is noted of a busy machine
    with quiet, patch.object(timezone, "datetime", Clock), transaction.atomic():
        clear()  # keys and revisions of a walk before come again
        world = make_world(kind, seed)
        yield Walk(kind, seed, world, world.tournament, Shadow(world.tournament))
        transaction.set_rollback(True)
