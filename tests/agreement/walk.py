"""A walk: acts chosen by chance, done one after the other, and the facts compared after them.

A step says what is done and to what, by what that is called, and a seed for the rest. So a walk
can be played again with some of its steps, until the shortest sequence is left in which places
still disagree.
"""

from __future__ import annotations

import hashlib
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any
from unittest.mock import patch

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.urls import get_resolver
from django.utils import timezone

from tests.agreement.arguments import (
    Arguments,
    NothingSensible,
    acts_of_the_program,
    label,
    tampered,
)
from tests.agreement.shadow import Shadow
from tests.agreement.small_worlds import START, WORLDS, Kind, World, make_world
from tournaments.archive.writing import archive_text
from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError
from tournaments.journal.acts import Doing
from tournaments.models import (
    JournalEntry,
    NotedRequest,
    Registration,
    Role,
    Table,
    TableDevice,
    Tournament,
)
from tournaments.table.services.devices import open_device
from tournaments.web.shared import forget

_ = get_resolver().url_patterns  # loads all rooms, and so all acts
Kinds = JournalEntry.ActorKind
REFUSED = (TournamentError, ValidationError)
SEPARATOR = " / "
REFUSED_ON_PURPOSE = 0.1
MOST_REPLAYS = 150  # while the shortest sequence is sought
WAYS_TO_BE_REFUSED = ("role", "state", "stale")


@dataclass(frozen=True, slots=True)
class Step:
    """An act, what it is about by what that is called, a seed, and why it must be refused."""

    act: str
    about: str
    seed: int
    wrong: str = ""

    def __str__(self) -> str:
        return f"{self.act}|{self.about}|{self.seed}|{self.wrong}"

    @classmethod
    def read(cls, text: str) -> Step:
        """Return the step that was printed as *text*."""
        act, about, seed, wrong = text.split("|")
        return cls(act, about, int(seed), wrong)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """What does not fit: a kind, by which it is known again, and what was read."""

    kind: str
    detail: str
    about: str = ""  # the facts in which it was found


@dataclass(slots=True)
class Walk:
    """A world in which steps are done."""

    kind: str
    seed: int
    world: World
    clock: Clock
    shadow: Shadow
    steps: list[Step] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    wrong: list[Disagreement] = field(default_factory=list)
    last_made: dict[str, Any] = field(default_factory=dict)  # the arguments of the last step

    @property
    def tournament(self) -> Tournament:
        return self.world.tournament

    # --- Finding what acts are about ------------------------------------------------------

    def rows(self, model: Any) -> dict[str, Any]:
        """Return the rows of a model in the tournament by what they are called."""
        if model is Tournament:
            return {"": Tournament.objects.get(pk=self.tournament.pk)}
        if model is TableDevice:
            return {name: self.device_at(table) for name, table in self.rows(Table).items()}
        along = [*model.along, *(["__".join(model.within)] if model.within else [])]
        path = "__".join([*model.within, "tournament"])
        found: QuerySet[Any] = QuerySet(model).filter(**{path: self.tournament})
        rows: dict[str, Any] = {}
        seen: Counter[str] = Counter()
        for row in found.select_related(*along, path).order_by("pk"):
            name = label(row).replace("|", " ").replace("/", " ")
            seen[name] += 1
            rows[name if seen[name] == 1 else f"{name} ({seen[name]})"] = row
        return rows

    def device_at(self, table: Table) -> TableDevice:
        """Return the device of a table; one that was never opened has no key yet."""
        known = table.devices.filter(withdrawn_at__isnull=True).order_by("pk").last()
        return known or TableDevice(table=table)

    def actor(self, doing: Doing[Any, Any], row: Any, chance: Random, wrong: str) -> Actor:
        """Return somebody who may do the act; or, if *wrong*, somebody who may not."""
        by, staff = doing.rule.by, self.world.staff
        roles = [role for role in Role if role in by]
        if wrong == "role":
            others = [user for role, user in staff.items() if role not in by]
            return Actor.account(chance.choice([*others, self.world.other_head]))
        if roles and chance.random() < 0.9:
            users = [staff[role] for role in roles]
            users += [self.world.second] if Role.SPIELLEITUNG in by else []
            return Actor.account(chance.choice(users))
        kinds = sorted(by & set(Kinds)) or ([Kinds.COMMAND] if not roles else [])
        if not kinds:
            return Actor.account(staff[roles[0]])
        match kinds[0]:
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

    def choose(self, chance: Random) -> Step | None:
        """Return a next step, or nothing if the act could not be done with anything now."""
        kind = WORLDS[self.kind]
        acts = acts_of_the_program()
        names = sorted(acts)
        weights = [kind.weights.get(name, kind.rest) for name in names]
        name = chance.choices(names, weights)[0]
        doing, wrong = acts[name], ""
        if chance.random() < REFUSED_ON_PURPOSE:
            wrong = chance.choice(WAYS_TO_BE_REFUSED)
        rows = self.rows(doing.rule.on)
        fitting = [
            called for called, row in rows.items() if bool(doing.refusal(row)) == (wrong == "state")
        ]
        if not fitting:
            return None
        return Step(name, chance.choice(fitting), chance.randrange(10**6), wrong)

    def do(self, step: Step) -> bool:
        """Do a step; return whether anything was tried. What must not be is a disagreement."""
        self.clock.forward()
        doing = acts_of_the_program()[step.act]
        row = self.rows(doing.rule.on).get(step.about)
        if row is None:
            return False
        if row.pk is None:
            row, _secret = open_device(row.table.access)
        chance = Random(step.seed)
        try:
            made = Arguments(self.world, doing, row, step.seed).made()
        except (NothingSensible, *REFUSED):
            return False
        if step.wrong == "stale":
            changed = tampered(made, needs_reason=doing.rule.needs_reason)
            if changed is None:
                return False
            made = changed
        must_be_refused = bool(step.wrong) or bool(doing.refusal(row))
        before = self._mark()
        with self.given_chance(step.seed):
            try:
                with transaction.atomic():
                    doing(self.actor(doing, row, chance, step.wrong), row.pk, **made)
            except REFUSED:
                self.refused[step.act] += 1
                if self._mark() != before:
                    self.note("a refusal stored something", step, made)
                return True
            except Exception:
                self.note(f"{step.act} failed", step, traceback.format_exc(limit=-6))
                return True
        if must_be_refused and self._mark() != before:
            self.note(f"{step.act} was not refused ({step.wrong or 'state'})", step, made)
        self.done[step.act] += 1
        self.steps.append(step)
        self.last_made = made
        self.shadow.look(step.act, made)
        return True

    def note(self, kind: str, step: Step, detail: object) -> None:
        self.wrong.append(Disagreement(kind, f"{step} {detail}"))
        self.steps.append(step)

    def _mark(self) -> tuple[int, int, int]:
        """Return what every act raises, also that of the other organiser's tournament."""
        entries = JournalEntry.objects.count()
        of = dict(Tournament.objects.values_list("pk", "revision"))
        return entries, of[self.tournament.pk], of[self.world.other.pk]

    @contextmanager
    def given_chance(self, seed: int) -> Iterator[None]:
        """Let the program draw by the seed of the step."""
        made = iter(range(10**6))

        def token_hex(nbytes: int = 32) -> str:
            text = f"{self.kind}:{self.seed}:{seed}:{next(made)}"
            return hashlib.sha256(text.encode()).hexdigest()[: 2 * nbytes]

        with patch("secrets.token_hex", token_hex):
            yield


@dataclass(frozen=True, slots=True)
class Checks:
    """What is asked: after each step, every so many steps, and of the archive at the end."""

    each: Callable[[Walk], Iterable[Disagreement]]
    often: Callable[[Walk, str], Iterable[Disagreement]]  # of some facts only, if they are named
    last: Callable[[Walk, str], Iterable[Disagreement]]
    archive: Callable[[str], Iterable[Disagreement]]


class Clock:
    """The time of a walk: a minute passes with each step."""

    def __init__(self, start: datetime) -> None:
        self.now = start

    def forward(self) -> None:
        self.now += timedelta(minutes=1)


@contextmanager
def begun(kind: str, seed: int) -> Iterator[Walk]:
    """Give a walk in a new world, which is gone afterwards."""
    how: Kind = WORLDS[kind]
    clock = Clock(START + how.starts)

    class FixedTime(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return clock.now.astimezone(tz)

    quiet = patch.object(NotedRequest, "SLOW_SECONDS", 3600)  # nothing is noted of a busy machine
    with quiet, patch.object(timezone, "datetime", FixedTime), transaction.atomic():
        forget()  # keys and revisions of a walk before come again
        world = make_world(kind, seed)
        yield Walk(kind, seed, world, clock, Shadow(world.tournament))
        transaction.set_rollback(True)


def play(
    kind: str,
    seed: int,
    checks: Checks,
    *,
    every: int = 15,
    told: Callable[[Walk], None] | None = None,
) -> list[Disagreement]:
    """Play a walk, and check every so many steps; return the first that disagrees."""
    chance = Random(f"steps:{kind}:{seed}")
    with begun(kind, seed) as walk:
        for _try in range(WORLDS[kind].steps * 20):
            step = walk.choose(chance)
            if step is None or not walk.do(step):
                continue
            walk.wrong += checks.each(walk)
            if walk.wrong or len(walk.steps) >= WORLDS[kind].steps:
                break
            if walk.steps and walk.steps[-1] is step and len(walk.steps) % every == 0:
                walk.wrong += checks.often(walk, "")
        wrong = _at_the_end(walk, checks, "")
        if told:
            told(walk)
        text, steps = archive_text(walk.rows(Tournament)[""]), walk.steps
    wrong = wrong or list(checks.archive(text))
    return [_explained(kind, seed, found, steps, checks) for found in wrong[:1]]


def replay(
    kind: str, seed: int, steps: Sequence[Step], checks: Checks, about: str = ""
) -> list[Disagreement]:
    """Do these steps in the same world, and check at the end."""
    with begun(kind, seed) as walk:
        for step in steps:
            walk.do(step)
            walk.wrong += checks.each(walk)
        wrong = _at_the_end(walk, checks, about)
        text = archive_text(walk.rows(Tournament)[""]) if about in {"", "archive"} else ""
    return wrong or (list(checks.archive(text)) if text else [])


def _at_the_end(walk: Walk, checks: Checks, about: str) -> list[Disagreement]:
    return walk.wrong or [*checks.often(walk, about), *checks.last(walk, about)]


def _explained(
    kind: str, seed: int, found: Disagreement, steps: Sequence[Step], checks: Checks
) -> Disagreement:
    """Return the disagreement with the shortest sequence of steps that leads to it."""

    left = iter(range(MOST_REPLAYS))

    def still(some: Sequence[Step]) -> bool:
        if next(left, None) is None:
            return False
        again = replay(kind, seed, some, checks, found.about)
        return found.kind in {one.kind for one in again}

    steps = shortest(list(steps), still)
    again = f"{kind}:{seed}{SEPARATOR}{SEPARATOR.join(map(str, steps))}"
    command = f".venv/bin/python -m scripts.days --again {again!r}"
    listed = "\n".join(f"  {number}. {step}" for number, step in enumerate(steps, start=1))
    return Disagreement(found.kind, f"{found.detail}\nShortest sequence:\n{listed}\n{command}")


def shortest(steps: list[Step], still: Callable[[Sequence[Step]], bool]) -> list[Step]:
    """Leave out steps, first many at once, while it is *still* so."""
    size = len(steps) // 2
    while size >= 1:
        at = 0
        while at < len(steps):
            without = steps[:at] + steps[at + size :]
            if still(without):
                steps = without
            else:
                at += size
        size //= 2
    return steps
