"""What staff and everybody else see of a ranking alike: links to others, the frame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from scoring.payments.prizes import Recipient
from tournaments.common.rules import rule_set_of
from tournaments.lists.queries.concerned import heard
from tournaments.models import Tournament
from tournaments.results.forms import Choice
from tournaments.results.queries.rankings import Rankings
from tournaments.results.queries.tables import Table
from tournaments.rulebook.queries.rule_set_text import tie_breaks
from tournaments.web.shared import made_once


def counted_rankings(tournament: Tournament, *, with_lists: bool = True) -> tuple[Rankings, object]:
    """Return what rankings are made of, and the version of all that is drawn of them.

    Lists count as they are: an act that changes none of their points brings no new version.
    Who takes part is not read again until something happens that concerns more than a list.
    """
    # What happened since *tournament* was read may not show in it, so it is none of this version.
    happened = min(heard(tournament.pk).all_lists, tournament.revision)
    rankings = Rankings(tournament)
    if with_lists:
        rankings.registrations = made_once(
            ("registrations", tournament.pk), happened, lambda: rankings.registrations
        )
    return rankings, (happened, rankings.lists if with_lists else None)


def ranking_context(
    rankings: Rankings, choice: Choice, table: Table, keep: Mapping[str, str]
) -> dict[str, Any]:
    """Return what the parts of a ranking's page need, but for names and other rankings.

    Args:
        rankings: of the tournament.
        choice: what is shown.
        table: the ranking that was chosen.
        keep: what the query of links to another stand of it has to say too.
    """
    return {
        "table": table,
        "choice": choice,
        "stands": _stands(rankings, choice, keep),
        "is_of_teams": choice.ranking.recipient is not Recipient.PLAYER,
        "tie_breaks": tie_breaks(rule_set_of(rankings.tournament)),
        "revision": rankings.tournament.revision,
    }


def _stands(rankings: Rankings, choice: Choice, keep: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return links to each stand that compares equals, the newest first."""
    if choice.ranking.serie:
        return []
    found: list[tuple[str, dict[str, int], bool]] = []
    if rankings.stand(most=choice.most, live=True).running:
        found.append((_("mit laufenden Spielen"), {"laufend": 1}, choice.running))
    for number in range(min(rankings.last_whole, choice.most), 0, -1):
        is_end = number == rankings.serien
        label = _("Endstand") if is_end else _("nach Serie {number}").format(number=number)
        is_current = choice.upto == number and not choice.running
        found.append((label, {"nach": number}, is_current))
    return [
        {"label": label, "url": f"?{urlencode({**keep, **query})}", "is_current": is_current}
        for label, query, is_current in found
    ]
