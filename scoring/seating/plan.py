"""Planning one or more Serien: nobody meets twice, club mates apart, everything going round.

The aims, each more important than all that follow: no rematches; nobody at a table of
three again before everybody was; team and tandem mates apart; club mates apart; club mates
not side by side; nobody at place 1 again. Among plans that are equal by these it stays a
draw: the players are put into the construction at random.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from math import comb

from scoring.errors import Problem, ScoringError
from scoring.seating.board import AGAIN, AIMS, BESIDE, CLUB, REMATCH, TEAM, Board, Rounds, Task
from scoring.seating.chance import Chance
from scoring.seating.cross import least_beside
from scoring.seating.metrics import (
    TABLE_OF_THREE,
    Metrics,
    Player,
    Round,
    measure,
)
from scoring.seating.order import seat_orders
from scoring.seating.search import Progress, Search
from scoring.seating.sizes import DEFAULT_SIZES, table_sizes
from scoring.seating.start import least_again, start
from scoring.texts import _

MOST_PLAYERS = 5_000
MOST_SERIES = 100
WORK = 400_000  # swaps looked at, at most; about two seconds of one slow core


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Who sits where: for each Serie its tables, for each table the players by seat."""

    seed: str
    series: tuple[tuple[tuple[int, ...], ...], ...]
    metrics: Metrics


def plan(
    players: Sequence[Player],
    *,
    series: int,
    seed: str,
    allowed: Sequence[int] = DEFAULT_SIZES,
    history: Sequence[Round] = (),
    fixed_tables: Mapping[int, int] | None = None,
    apart: Iterable[tuple[int, int]] = (),
    progress: Progress | None = None,
    work: int = WORK,
) -> Plan:
    """Plan so many Serien; the same arguments give the same plan on every machine.

    Args:
        players: the field, with different ids.
        series: how many Serien are planned, at most :data:`MOST_SERIES`.
        seed: what all chance in the plan comes from.
        allowed: the table sizes allowed, the preferred one first.
        history: earlier Serien as played; who has left since may stand in them.
        fixed_tables: id of a player → number of the table (from 1) they always sit at.
        apart: pairs of ids that never sit at one table.
        progress: called now and then with the work done and the most there can be.
        work: how many swaps the search may look at.

    Raises:
        ScoringError: for every problem with the arguments; if the players cannot be seated
            at such tables; if what is fixed or to be kept apart cannot be had.
    """
    fixed_tables, apart = fixed_tables or {}, list(apart)
    problems = [
        *_problems_of_field(players, series),
        *_problems_of_history(history),
        *_problems_of_wishes(players, fixed_tables, apart),
    ]
    if problems:
        raise ScoringError(problems)
    sizes = table_sizes(len(players), allowed)
    _check_fixed(fixed_tables, sizes, apart)
    chance = Chance(seed)
    order = chance.shuffled(players)
    number = {player.id: index for index, player in enumerate(order)}
    past = [
        [[number[id_] for id_ in table if id_ in number] for table in tables]
        for tables in history
    ]
    fixed = {number[id_]: table - 1 for id_, table in fixed_tables.items()}
    task = Task(
        sizes=sizes,
        rounds=series,
        odd=_odd_tables(sizes, allowed),
        met=_meetings(past, len(order)),
        odd_before=_odd_before(history, number, allowed),
        teams=_labels([player.team for player in order]),
        clubs=_labels([player.club for player in order]),
        apart=_foes(apart, number),
        fixed=fixed,
    )
    board = Board(task, start(sizes, series, past, fixed, chance))
    search = Search(board, chance, floors=floors(task), work=work, progress=progress)
    rounds = search.run()
    _check_apart(rounds, order, task.apart)
    firsts = [0] * len(order)
    for table in chain.from_iterable(history):
        if table[0] in number:
            firsts[number[table[0]]] += 1
    clubs = {index: player.club for index, player in enumerate(order)}
    seated = seat_orders(rounds, clubs, firsts, chance)
    result = tuple(
        tuple(tuple(order[index].id for index in table) for table in tables) for tables in seated
    )
    return Plan(seed=seed, series=result, metrics=measure(players, result, history))


# --- What the search is told -------------------------------------------------------------


def _odd_tables(sizes: Sequence[int], allowed: Sequence[int]) -> tuple[bool, ...]:
    """For each table whether it should go round: tables of three, else all exceptions."""
    return tuple(_is_odd(size, allowed) for size in sizes)


def _is_odd(size: int, allowed: Sequence[int]) -> bool:
    return size == TABLE_OF_THREE if allowed[0] == TABLE_OF_THREE else size != allowed[0]


def _labels(names: Sequence[str | None]) -> tuple[int, ...]:
    """Number the names; ``None`` becomes −1."""
    numbers: dict[str, int] = {}
    return tuple(
        -1 if name is None else numbers.setdefault(name, len(numbers)) for name in names
    )


def _meetings(past: Rounds, players: int) -> tuple[bytes, ...]:
    rows = [bytearray(players) for _player in range(players)]
    for one, other in (
        pair for table in chain.from_iterable(past) for pair in combinations(table, 2)
    ):
        rows[one][other] += 1
        rows[other][one] += 1
    return tuple(map(bytes, rows))


def _odd_before(
    history: Sequence[Round], number: Mapping[int, int], allowed: Sequence[int]
) -> tuple[int, ...]:
    counts = [0] * len(number)
    for table in chain.from_iterable(history):
        if _is_odd(len(table), allowed):
            for id_ in table:
                if id_ in number:
                    counts[number[id_]] += 1
    return tuple(counts)


def _foes(pairs: Iterable[tuple[int, int]], number: Mapping[int, int]) -> dict[int, frozenset[int]]:
    foes: dict[int, frozenset[int]] = {}
    for pair in pairs:
        one, other = number[pair[0]], number[pair[1]]
        foes[one] = foes.get(one, frozenset()) | {other}
        foes[other] = foes.get(other, frozenset()) | {one}
    return foes


def floors(task: Task) -> tuple[int, ...]:
    """Return for each aim what no plan can get below; where it is reached, the search ends."""
    lowest = [0] * AIMS
    before = sum(map(sum, task.met)) // 2
    repeated = sum(count - 1 for row in task.met for count in row if count > 1) // 2
    meetings = task.rounds * sum(comb(size, 2) for size in task.sizes)
    tables = len(task.sizes)
    # Who sits at one table comes from as many tables as there were in the round before.
    forced = sum(_even_pairs(size, tables) for size in task.sizes)
    rounds_after = task.rounds - (0 if before else 1)
    lowest[REMATCH] = max(
        repeated, before + meetings - comb(task.players, 2), 0 if before else rounds_after * forced
    )
    odd_seats = sum(size for size, odd in zip(task.sizes, task.odd, strict=True) if odd)
    lowest[AGAIN] = least_again(task.odd_before, odd_seats, task.rounds)
    lowest[TEAM] = task.rounds * _least_pairs(task.teams, task.sizes)[0]
    lowest[CLUB], lowest[BESIDE] = (
        task.rounds * value for value in _least_pairs(task.clubs, task.sizes)
    )
    return tuple(lowest)


def _even_pairs(things: int, boxes: int) -> int:
    """Fewest pairs that share a box."""
    each, more = divmod(things, boxes)
    return boxes * comb(each, 2) + more * each


def _least_pairs(labels: Sequence[int], sizes: Sequence[int]) -> tuple[int, int]:
    """Return the fewest pairs of a group at one table, and side by side, in one round.

    Each further member at a table costs more than the one before, so the cheapest places
    are simply taken one after the other.
    """
    steps = sorted(
        (
            members - 1,
            least_beside(members, size) - least_beside(members - 1, size),
        )
        for size in sizes
        for members in range(1, size + 1)
    )
    counts = Counter(label for label in labels if label >= 0)
    taken = [step for count in counts.values() for step in steps[:count]]
    return sum(pairs for pairs, _beside in taken), sum(beside for _pairs, beside in taken)


# --- What is refused ---------------------------------------------------------------------


def _problems_of_field(players: Sequence[Player], series: int) -> list[Problem]:
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


def _problems_of_history(history: Sequence[Round]) -> list[Problem]:
    problems = []
    if len(history) > MOST_SERIES:
        sentence = _("Mehr als {most} frühere Serien können nicht berücksichtigt werden.")
        problems.append(Problem("history", sentence.format(most=MOST_SERIES)))
    for index, tables in enumerate(history):
        seen: set[int] = set()
        for number, table in enumerate(tables):
            if not table:
                problems.append(
                    Problem(f"history[{index}][{number}]", _("An diesem Tisch sitzt niemand."))
                )
            for seat, id_ in enumerate(table):
                if id_ in seen:
                    sentence = _("Nummer {id} sitzt in Serie {series} schon an einem Platz.")
                    problems.append(
                        Problem(
                            f"history[{index}][{number}][{seat}]",
                            sentence.format(id=id_, series=index + 1),
                        )
                    )
                seen.add(id_)
    return problems


def _problems_of_wishes(
    players: Sequence[Player], fixed_tables: Mapping[int, int], apart: Sequence[tuple[int, int]]
) -> list[Problem]:
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


def _check_fixed(
    fixed_tables: Mapping[int, int], sizes: Sequence[int], apart: Sequence[tuple[int, int]]
) -> None:
    """Refuse fixed tables that do not exist, are too full, or join whom *apart* parts."""
    problems = []
    for number in sorted(set(fixed_tables.values())):
        here = [id_ for id_, table in fixed_tables.items() if table == number]
        if not 1 <= number <= len(sizes):
            sentence = _("Tisch {number} gibt es nicht; die Tische gehen von 1 bis {tables}.")
            message = sentence.format(number=number, tables=len(sizes))
        elif len(here) > sizes[number - 1]:
            sentence = _("An Tisch {number} sind {seats} Plätze, fest dorthin sollen {people}.")
            message = sentence.format(
                number=number, seats=sizes[number - 1], people=len(here)
            )
        else:
            continue
        problems += [Problem(f"fixed_tables[{id_}]", message) for id_ in here]
    for index, (one, other) in enumerate(apart):
        if one in fixed_tables and fixed_tables[one] == fixed_tables.get(other):
            sentence = _("Nummer {one} und {other} sollen getrennt und zugleich an Tisch {table} sitzen.")
            message = sentence.format(one=one, other=other, table=fixed_tables[one])
            problems.append(Problem(f"apart[{index}]", message))
    if problems:
        raise ScoringError(problems)


def _check_apart(
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
