"""What the planning refuses, and how it says so.

Places are those of the interchange format and of the arguments of
:func:`scoring.seating.plan.plan`, counted from 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, combinations

from scoring.errors import Problem, ScoringError
from scoring.seating.metrics import Player, Round
from scoring.seating.sizes import LARGEST_TABLE
from scoring.seating.task import Rounds
from scoring.texts import _

MOST_PLAYERS = 5_000
MOST_SERIES = 100


def problems_of_field(players: Sequence[Player], series: int) -> list[Problem]:
    """Too many players or Serien, and ids that stand for two players."""
    problems = []
    if len(players) > MOST_PLAYERS:
        sentence = _("Mehr als {most} Personen können nicht auf einmal gesetzt werden.")
        problems.append(Problem("players", sentence.format(most=MOST_PLAYERS)))
    seen: set[int] = set()
    for index, player in enumerate(players):
        if player.id in seen:
            sentence = _("Die Nummer {id} kommt mehrfach vor; jede Person braucht eine eigene.")
            problems.append(Problem(f"players[{index}].id", sentence.format(id=player.id)))
        seen.add(player.id)
    if not 1 <= series <= MOST_SERIES:
        sentence = _("Geplant werden können 1 bis {most} Serien, nicht {series}.")
        problems.append(Problem("series", sentence.format(most=MOST_SERIES, series=series)))
    return problems


def problems_of_history(history: Sequence[Round]) -> list[Problem]:
    """Tables that cannot have been, and players who sat in two places at once."""
    problems = []
    if len(history) > MOST_SERIES:
        sentence = _("Mehr als {most} frühere Serien können nicht berücksichtigt werden.")
        problems.append(Problem("history", sentence.format(most=MOST_SERIES)))
    for index, tables in enumerate(history):
        seen: set[int] = set()
        for number, table in enumerate(tables):
            where = f"history[{index}][{number}]"
            if not 1 <= len(table) <= LARGEST_TABLE:
                sentence = _("An einem Tisch sitzen 1 bis {most} Personen, hier sind es {people}.")
                problems.append(
                    Problem(where, sentence.format(most=LARGEST_TABLE, people=len(table)))
                )
            for seat, id_ in enumerate(table):
                if id_ in seen:
                    sentence = _("Die Nummer {id} hat in Serie {series} schon einen Platz.")
                    message = sentence.format(id=id_, series=index + 1)
                    problems.append(Problem(f"{where}[{seat}]", message))
                seen.add(id_)
    return problems


def problems_of_wishes(
    players: Sequence[Player], fixed_tables: Mapping[int, int], apart: Sequence[tuple[int, int]]
) -> list[Problem]:
    """Fixed tables and pairs to be kept apart that name nobody of the field."""
    known = {player.id for player in players}
    unknown = _("Nummer {id} ist nicht unter denen, die gesetzt werden.")
    problems = [
        Problem(f"fixed_tables[{id_}]", unknown.format(id=id_))
        for id_ in fixed_tables
        if id_ not in known
    ]
    for index, pair in enumerate(apart):
        problems += [
            Problem(f"apart[{index}]", unknown.format(id=id_)) for id_ in pair if id_ not in known
        ]
        if pair[0] == pair[1]:
            sentence = _("Nummer {id} kann nicht von sich selbst getrennt sitzen.")
            problems.append(Problem(f"apart[{index}]", sentence.format(id=pair[0])))
    return problems


def problems_of_tables(
    fixed_tables: Mapping[int, int], sizes: Sequence[int], apart: Sequence[tuple[int, int]]
) -> list[Problem]:
    """Fixed tables that do not exist, are too full, or join whom *apart* parts."""
    problems = []
    for number in sorted(set(fixed_tables.values())):
        here = [id_ for id_, table in fixed_tables.items() if table == number]
        if not 1 <= number <= len(sizes):
            sentence = _("Tisch {number} gibt es nicht; die Tische gehen von 1 bis {tables}.")
            message = sentence.format(number=number, tables=len(sizes))
        elif len(here) > sizes[number - 1]:
            sentence = _("An Tisch {number} sind {seats} Plätze, fest dorthin sollen {people}.")
            message = sentence.format(number=number, seats=sizes[number - 1], people=len(here))
        else:
            continue
        problems += [Problem(f"fixed_tables[{id_}]", message) for id_ in here]
    for index, (one, other) in enumerate(apart):
        if one in fixed_tables and fixed_tables[one] == fixed_tables.get(other):
            sentence = _(
                "Nummer {one} und {other} sollen getrennt und zugleich an Tisch {table} sitzen."
            )
            message = sentence.format(one=one, other=other, table=fixed_tables[one])
            problems.append(Problem(f"apart[{index}]", message))
    return problems


def check_apart(
    rounds: Rounds, order: Sequence[Player], foes: Mapping[int, frozenset[int]]
) -> None:
    """Refuse a plan in which some sit together who must not."""
    together = sorted(
        {
            tuple(sorted((order[one].id, order[other].id)))
            for table in chain.from_iterable(rounds)
            for one, other in combinations(table, 2)
            if other in foes.get(one, ())
        }
    )
    if together:
        pairs = ", ".join(f"{one}–{other}" for one, other in together)
        sentence = _(
            "So viele Paare lassen sich nicht auseinander halten; zusammen säßen noch: {pairs}. "
            "Nimm eine der Bedingungen zurück."
        )
        raise ScoringError([Problem("apart", sentence.format(pairs=pairs))])
