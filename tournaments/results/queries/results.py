"""The results of the lists of a tournament, per registration and Serie.

Points are computed from the raw lines each time; no result is stored.
The number of queries does not depend on the size of the tournament.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from scoring.competitors import Competitor, Result, sum_of_augen
from scoring.ruleset import RuleSet
from scoring.running_ranking import allowance, allowances, unplayed_allowance
from tournaments.common.rules import rule_set_of, terms_of
from tournaments.lists.queries.data import COMPLETE, PROVISIONAL, ListData, rank_results
from tournaments.lists.queries.loading import load_lists, with_others
from tournaments.models import Registration, Spielliste, Table, Tournament


def entries(
    tournament: Tournament,
    *,
    upto: int | None = None,
    provisional: bool = False,
    lists: Iterable[ListData] | None = None,
    of_part: bool = False,
) -> dict[int, Competitor]:
    """Return the competitors of rankings, by key of the registration.

    These are all registrations with a start number that were ever seated or have paid; excluded
    ones are marked (§ 1.4). Only complete lists count, with *provisional* also unfinished ones:
    as soon as one table of a Serie has a game, all players seated in it count with their
    games so far, so that slow tables are no disadvantage. Then results have their number of games
    and the allowance that makes them comparable (:mod:`scoring.running_ranking`), and lists that
    ended early count as played. If only the best Serien count and more have begun, the games that
    no table has played yet are also added, because the result must be comparable with a whole one;
    with *of_part* they are not, because all Serien count. Carried points count if the
    Ausschreibung allows it.
    """
    rule_set = rule_set_of(tournament)
    lists = load_lists(tournament) if lists is None else with_others(list(lists))
    begun = {data.serie for data in lists if data.text}
    serien = upto if upto is not None else tournament.serien.count()
    results: dict[int, dict[int, Result]] = defaultdict(dict)  # Serie → registration → result
    statuses = PROVISIONAL if provisional else COMPLETE
    counted = [data for data in lists if data.status in statuses and data.serie in begun]
    running = {data.serie for data in counted if data.status == Spielliste.Status.OPEN}
    for data, brought in rank_results(counted, rule_set, running=running):
        of_serie = results[data.serie]
        for owner in of_serie.keys() & brought:
            brought[owner] = _added(of_serie[owner], brought[owner])
        of_serie.update(brought)
    best = terms_of(tournament).best
    to_whole = best is not None and not of_part and max(begun, default=0) > best
    for serie in running:
        those = [data for data in counted if data.serie == serie]
        _compare_equals(results[serie], those, rule_set, to_whole=to_whole)
    ranked = (Registration.Status.PAID, Registration.Status.EXCLUDED)
    seated = set[int]().union(*results.values())
    in_order = [results[serie] for serie in range(1, serien + 1)]
    field = Registration.objects.filter(tournament=tournament, number__isnull=False)
    columns = ("pk", "number", "status", "carried_points")
    return {
        pk: Competitor(
            number=number or 0,
            results=tuple([of_serie.get(pk) for of_serie in in_order]),
            excluded=status == Registration.Status.EXCLUDED,
            carried=carried if tournament.carries_points else None,
        )
        for pk, number, status, carried in field.values_list(*columns)
        if status in ranked or pk in seated
    }


def _added(earlier: Result, result: Result) -> Result:
    """Return the sum of both parts of a player who changed tables during a Serie."""
    return Result(
        points=earlier.points + result.points,
        games_won=earlier.games_won + result.games_won,
        handromme=earlier.handromme + result.handromme,
        augen=sum_of_augen([earlier, result]),
    )


def _compare_equals(
    results: dict[int, Result], lists: Sequence[ListData], rule_set: RuleSet, *, to_whole: bool
) -> None:
    """Set the number of games and the allowance in the results of a running Serie.

    With *to_whole* the allowance is for a whole list, not only for games that a table has played.
    """
    parts = {"allowance": allowances(data.course(rule_set) for data in lists)}
    if rule_set.valuation:
        parts["augen_allowance"] = allowances(data.course(rule_set, of="augen") for data in lists)
    played = Counter[int]()
    sizes: dict[int, int] = {}
    for data in lists:
        games = data.played(rule_set)
        played.update(games)
        sizes = dict.fromkeys(games, len(data.seats)) | sizes
    for data in lists:  # for players who changed tables, the list where they sit now
        sizes.update(dict.fromkeys(data.seats.values(), len(data.seats)))
    for owner, result in results.items():
        added: dict[str, Any] = {}
        whole = rule_set.own_games(sizes[owner])
        for part, means in parts.items():
            added[part] = allowance(means, players=sizes[owner], games=played[owner])
            if to_whole:
                added[part] += unplayed_allowance(means, players=sizes[owner], games=whole)
        results[owner] = result._replace(games=played[owner], **added)


def unverified_tables(tournament: Tournament, *, upto: int) -> list[Table]:
    """Return the tables of the first *upto* Serien whose list is neither verified nor invalid."""
    return list(
        Table.objects.filter(serie__tournament=tournament, serie__number__lte=upto)
        .exclude(spielliste__status__in=Spielliste.SETTLED)
        .select_related("serie", "spielliste")
        .order_by("serie__number", "number")
    )
