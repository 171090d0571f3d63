"""Permitted states and roles of every act: as docs/states.md lists them, row by row."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.db.models import QuerySet
from django.urls import get_resolver

from tests.factories import COMMAND, make_user
from tests.tournaments.archive.full_tournament import everything
from tournaments.common.actors import Actor
from tournaments.common.errors import NotAllowed, WrongStatus
from tournaments.common.roles import (
    AT_TABLE,
    MAY_APPOINT,
    MAY_CHECK,
    MAY_LEAD,
    MAY_SEE,
    MAY_TAKE_MONEY,
    ONLINE,
)
from tournaments.common.states import OF_TOURNAMENT, SerieState
from tournaments.journal.acts import ACTS, ActFunction, Rule
from tournaments.models import JournalEntry, Registration, Role, Serie, Spielliste, Tournament

STATES = Path(__file__).parents[3] / "docs" / "states.md"
WHO = {
    "organiser": MAY_APPOINT,
    "lead": MAY_LEAD,
    "money": MAY_TAKE_MONEY,
    "check": MAY_CHECK,
    "any role": MAY_SEE,
    "online": ONLINE,
    "table": AT_TABLE,
    "player": frozenset({JournalEntry.ActorKind.PLAYER}),
    "program": frozenset({JournalEntry.ActorKind.COMMAND}),
}
get_resolver().url_patterns  # noqa: B018 - loads the views, and with them all acts


def all_acts() -> dict[str, ActFunction[Any, Any]]:
    """The acts of the program; modules of tests add some of their own."""
    return {name: act for name, act in ACTS.items() if act.__module__.startswith("tournaments.")}


def written() -> dict[str, str]:
    """The rows of the table in the docs, by act."""
    rows = re.findall(r"^\| `(\w+)` (\|.*\|)$", STATES.read_text(), flags=re.MULTILINE)
    assert len(rows) == len(dict(rows))
    return {name: re.sub(r" +", " ", row) for name, row in rows}


def row_of(rule: Rule) -> str:
    """An act as a row of the table."""
    marks = ["×" if state in rule.when.tournament else "" for state in Tournament.Status]
    cells = [rule.on.__name__, *marks, further(rule), who(rule.by)]
    return f"| {' | '.join([*cells, 'reason' if rule.needs_reason else ''])} |".replace("  ", " ")


def further(rule: Rule) -> str:
    """Return the states of the subject of an act that differ from the default."""
    when = rule.when
    asked: list[tuple[Collection[Any], Collection[Any], Iterable[Any]]] = [
        (when.serie, {SerieState.OPEN}, SerieState),
        (when.registration, set(Registration.Status), Registration.Status),
        (when.spielliste, set(Spielliste.Status), Spielliste.Status),
    ]
    return "; ".join(
        ", ".join(state.value for state in order if state in states)
        for states, usual, order in asked
        if states != usual
    )


def who(by: frozenset[Any]) -> str:
    """Return the names of sets of roles that may perform an act, the largest first."""
    roles = []
    for name, members in sorted(WHO.items(), key=lambda tournament: -len(tournament[1])):
        if members <= by:
            roles.append(name)
            by -= members
    assert not by, by
    return ", ".join(roles)


def test_every_act_is_in_the_table_of_states():
    acts = {name: row_of(act.rule) for name, act in all_acts().items()}

    assert {name: acts.get(name) for name in written() | acts} == {
        name: written().get(name) for name in written() | acts
    }


@pytest.mark.once
@pytest.mark.django_db
def test_every_act_is_refused_in_states_and_roles_without_a_mark():
    """Each act gets only its row: an allowed one fails on missing arguments."""
    everything()
    of_tournament = {str(sentence) for sentence in OF_TOURNAMENT.values()}
    wrong: list[str] = []
    lacking, user = set(), make_user()
    for name, act in all_acts().items():
        marks = written()[name].split("|")[2:]
        rows: QuerySet[Any] = QuerySet(act.rule.on)
        row = rows.first()
        if row is None:
            lacking.add(act.rule.on.__name__)
            continue
        allowed = [
            bussgeld
            for bussgeld, mark in zip(Tournament.Status, marks, strict=False)
            if "×" in mark
        ]
        for state in Tournament.Status:
            why = "Hochwasser" if state == Tournament.Status.CALLED_OFF else ""
            Tournament.objects.update(status=state, called_off_reason=why)
            if (state in allowed) == (str(refusal_of(act, row, COMMAND)) in of_tournament):
                wrong.append(f"{name}: {state}")
            for role in Role if [state] == allowed[:1] else ():
                refusal = refusal_of(act, row, Actor.account(user, frozenset({role})))
                if isinstance(refusal, NotAllowed) == (role in act.rule.by):
                    # A list or a registration in another state is refused before.
                    wrong += [f"{name}: {role}"] * (not isinstance(refusal, WrongStatus))

    assert wrong == []
    assert lacking == set()


@pytest.mark.once
@pytest.mark.django_db
def test_every_act_of_a_serie_is_refused_when_it_is_struck_out():
    everything()
    QuerySet(Serie).update(struck_out="Die Halle schließt")
    said: dict[str, str] = {}
    for name, act in all_acts().items():
        if act.rule.on is not Serie and "serie" not in act.rule.on.within:
            continue
        rows: QuerySet[Any] = QuerySet(act.rule.on)
        refusal = refusal_of(act, rows.first(), COMMAND)
        if not isinstance(refusal, WrongStatus) or "entfällt" not in str(refusal):
            said[name] = repr(refusal)

    assert said == {"reinstate": "None"}


def refusal_of(act: ActFunction[Any, Any], row: Any, actor: Actor) -> Exception | None:
    """Return the error of an act, and undo the act."""
    with transaction.atomic():
        try:
            act(actor, row.pk)
        except Exception as refusal:  # noqa: BLE001 - allowed acts lack their arguments
            return refusal
        finally:
            transaction.set_rollback(True)
    return None
