"""Rankings in the format of other programs (``docs/formats.md`` 4)."""

from __future__ import annotations

from typing import Any

from scoring.payments import prizes
from tournaments.common.ranking_names import slug_of
from tournaments.results.queries.rankings import OVERALL, Rankings
from tournaments.results.queries.tables import RankedLine


def line_json(line: RankedLine) -> dict[str, Any]:
    """Return a line in the format of other programs (``docs/formats.md`` 4)."""
    standing = line.standing
    return {
        "rank": standing.rank if standing.has_place or not standing.results else None,
        "number": standing.number,
        "name": line.registration.person.full_name if line.registration else line.name,
        "club": line.club or None,
        "total": standing.total,
        **({} if standing.augen is None else {"augen": standing.augen}),
        "games_won": standing.games_won,
        "handromme": standing.handromme,
        **({} if standing.carried is None else {"carried": standing.carried}),
        "series_totals": list(standing.series_totals),
        **({"struck": struck} if (struck := struck_json(line)) else {}),
        **({"scaled": scaled} if (scaled := scaled_json(line)) else {}),
        "tie": {
            "numbers": list(standing.tie.numbers),
            "needs_playoff": standing.tie.needs_playoff,
        }
        if standing.tie
        else None,
    }


def scaled_json(line: RankedLine) -> list[dict[str, int]]:
    """Return the Serien of a line whose result is scaled, with the own games."""
    return [{"series": cell.serie, "games": cell.scaled} for cell in line.cells if cell.scaled]


def struck_json(line: RankedLine) -> list[int]:
    """Return the struck Serien of a line."""
    return [cell.serie for cell in line.cells if cell.is_struck]


def standings_json(rankings: Rankings, ranking: prizes.PrizeRanking, upto: int) -> dict[str, Any]:
    """Return a ranking in the format of other programs (``docs/formats.md`` 4)."""
    table = rankings.table(ranking, upto=upto)
    data: dict[str, Any] = {"tournament": rankings.tournament.slug}
    if ranking != OVERALL:
        data["ranking"] = slug_of(ranking)
    return {
        **data,
        "series_counted": len(table.serien),
        "standings": [line_json(line) for line in table.lines],
    }
