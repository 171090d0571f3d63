"""Shared parts of the pages of a ranking for staff and the public."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from scoring.payments.prizes import Recipient
from tournaments.common.rules import rule_set_of
from tournaments.lists.queries.list_revisions import revisions_of
from tournaments.models import Tournament
from tournaments.results.forms import RankingSelection
from tournaments.results.queries.rankings import Rankings
from tournaments.results.queries.tables import RankingTable
from tournaments.rulebook.queries.rule_set_text import tie_breaks
from tournaments.web.cached_answers import cached


def counted_rankings(tournament: Tournament, *, with_lists: bool = True) -> tuple[Rankings, object]:
    """Return the rankings, and the version of everything that is rendered from them.

    The version depends on the points of lists: an act that changes none of them does not change
    it. Registrations are read again only after acts that concern more than one list.
    """
    # *tournament* may lack later changes, so the version must not include them.
    happened = min(revisions_of(tournament.pk).all_lists, tournament.revision)
    rankings = Rankings(tournament)
    if with_lists:
        rankings.registrations = cached(
            ("registrations", tournament.pk), happened, lambda: rankings.registrations
        )
    return rankings, (happened, rankings.lists if with_lists else None)


def ranking_context(
    rankings: Rankings, choice: RankingSelection, table: RankingTable, keep: Mapping[str, str]
) -> dict[str, Any]:
    """Return the context of a ranking's page, except names and other rankings.

    Args:
        choice: the parameters of the page.
        table: the chosen ranking.
        keep: further parameters for links to another stand.
    """
    return {
        "table": table,
        "choice": choice,
        "stands": _stands(rankings, choice, keep),
        "is_of_teams": choice.ranking.recipient is not Recipient.PLAYER,
        "tie_breaks": tie_breaks(
            rule_set_of(rankings.tournament), by_lot=rankings.tournament.ties_by_lot
        ),
        "revision": rankings.tournament.revision,
    }


def _stands(
    rankings: Rankings, choice: RankingSelection, keep: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Return links to the running stand and those after whole Serien, the newest first."""
    if choice.ranking.is_of_part:
        return []
    stands: list[tuple[str, dict[str, int], bool]] = []
    if rankings.stand(most=choice.most, live=True).running:
        stands.append((_("mit laufenden Spielen"), {"laufend": 1}, choice.running))
    for number in range(min(rankings.last_whole, choice.most), 0, -1):
        is_end = number == rankings.serien
        label = _("Endstand") if is_end else _("nach Serie {number}").format(number=number)
        is_current = choice.upto == number and not choice.running
        stands.append((label, {"nach": number}, is_current))
    return [
        {"label": label, "url": f"?{urlencode({**keep, **query})}", "is_current": is_current}
        for label, query, is_current in stands
    ]
