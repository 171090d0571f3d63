"""The problems that the planning refuses, as sentences.

Places are those of the interchange format and of the arguments of
:func:`scoring.seating.plan.plan`, counted from 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, combinations

from scoring.errors import Problem, ScoringError
from scoring.seating.metrics import Player, Round
from scoring.seating.sizes import LARGEST_TABLE, problems_of_sizes, table_sizes
from scoring.seating.task import Rounds
from scoring.texts import _

MOST_PLAYERS = 5_000
MOST_SERIES = 100


def find_problems(
    players: Sequence[Player] | None,
    series: int | None,
    allowed: Sequence[int] | None,
    history: Sequence[Round] | None,
    *,
    fixed_tables: Mapping[int, int] | None,
    apart: Sequence[tuple[int, int]] | None,
) -> list[Problem]:
    """Return the problems of the arguments of the planning; ``None`` is not checked."""
    problems: list[Problem] = []
    if players is not None:
        problems += _of_players(players)
    if series is not None and not 1 <= series <= MOST_SERIES:
        sentence = _("Geplant werden können 1 bis {most} Serien, nicht {series}.")
        problems.append(Problem("series", sentence.format(most=MOST_SERIES, series=series)))
    if allowed is not None:
        problems += problems_of_sizes(allowed)
    if history is not None:
        problems += _of_history(history)
    if players is not None and fixed_tables is not None and apart is not None:
        problems += _of_wishes(players, fixed_tables, apart)
    if not problems and players is not None and allowed is not None:
        problems += _of_tables(len(players), allowed, fixed_tables or {}, apart or ())
    return problems


def duplicate_id(id_: int) -> str:
    """Return the sentence for an id that two players have."""
    sentence = _("Die Nummer {id} kommt mehrfach vor; jede Person braucht eine eigene.")
    return sentence.format(id=id_)


def _of_players(players: Sequence[Player]) -> list[Problem]:
    problems = []
    if len(players) > MOST_PLAYERS:
        sentence = _("Mehr als {most} Personen können nicht auf einmal gesetzt werden.")
        problems.append(Problem("players", sentence.format(most=MOST_PLAYERS)))
    seen: set[int] = set()
    for index, player in enumerate(players):
        if player.id in seen:
            problems.append(Problem(f"players[{index}].id", duplicate_id(player.id)))
        seen.add(player.id)
    return problems


def _of_history(history: Sequence[Round]) -> list[Problem]:
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


def _of_wishes(
    players: Sequence[Player], fixed_tables: Mapping[int, int], apart: Sequence[tuple[int, int]]
) -> list[Problem]:
    ids = {player.id for player in players}
    unknown = _("Nummer {id} ist nicht unter denen, die gesetzt werden.")
    problems = [
        Problem(f"fixed_tables[{index}]", unknown.format(id=id_))
        for index, id_ in enumerate(fixed_tables)
        if id_ not in ids
    ]
    for index, pair in enumerate(apart):
        problems += [
            Problem(f"apart[{index}]", unknown.format(id=id_)) for id_ in pair if id_ not in ids
        ]
        if pair[0] == pair[1]:
            sentence = _("Nummer {id} kann nicht von sich selbst getrennt sitzen.")
            problems.append(Problem(f"apart[{index}]", sentence.format(id=pair[0])))
    return problems


def _of_tables(
    players: int,
    allowed: Sequence[int],
    fixed_tables: Mapping[int, int],
    apart: Sequence[tuple[int, int]],
) -> list[Problem]:
    """Return players who cannot be seated, and fixed tables that are invalid or join a pair."""
    try:
        sizes = table_sizes(players, allowed)
    except ScoringError as refusal:
        return list(refusal.problems)
    problems = []
    seats_taken = Counter(fixed_tables.values())
    for index, number in enumerate(fixed_tables.values()):
        if not 1 <= number <= len(sizes):
            sentence = _("Tisch {number} gibt es nicht; die Tische gehen von 1 bis {tables}.")
            message = sentence.format(number=number, tables=len(sizes))
        elif seats_taken[number] > sizes[number - 1]:
            sentence = _("Tisch {number} hat {seats} Plätze, fest dorthin sollen {people}.")
            message = sentence.format(
                number=number, seats=sizes[number - 1], people=seats_taken[number]
            )
        else:
            continue
        problems.append(Problem(f"fixed_tables[{index}]", message))
    for index, (player, other) in enumerate(apart):
        if player in fixed_tables and fixed_tables[player] == fixed_tables.get(other):
            sentence = _("{player} und {other} sollen getrennt und beide an Tisch {number} sitzen.")
            message = sentence.format(player=player, other=other, number=fixed_tables[player])
            problems.append(Problem(f"apart[{index}]", message))
    return problems


def check_apart(
    rounds: Rounds, order: Sequence[Player], foes: Mapping[int, frozenset[int]]
) -> None:
    """Refuse a plan in which players sit together who are to be kept apart."""
    together = sorted(
        {
            tuple(sorted((order[player].id, order[other].id)))
            for table in chain.from_iterable(rounds)
            for player, other in combinations(table, 2)
            if other in foes.get(player, ())
        }
    )
    if together:
        pairs = ", ".join(f"{player}–{other}" for player, other in together)
        sentence = _(
            "So viele Paare lassen sich nicht auseinander halten; zusammen säßen noch: {pairs}. "
            "Nimm eine der Bedingungen zurück."
        )
        raise ScoringError([Problem("apart", sentence.format(pairs=pairs))])
