"""Entscheidungsspiele: recording the outcome, and striking out a wrong one (§ 1.5)."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.errors import ScoringError
from scoring.payments.prizes import PrizeRanking, Recipient
from scoring.playoffs import check_playoffs, lot_order
from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.common.ranking_names import slug_of
from tournaments.common.roles import MAY_LEAD
from tournaments.common.states import TAKES_PEOPLE
from tournaments.journal.acts import Act, Acts
from tournaments.models import Playoff, Tournament
from tournaments.results.queries.rankings import OVERALL, Rankings

acts = Acts(MAY_LEAD, TAKES_PEOPLE)


@acts.on(Tournament, "record_playoff", entry="playoff_recorded")
def record(
    act: Act[Tournament],
    *,
    order: Sequence[int],
    ranking: PrizeRanking = OVERALL,
    note: str = "",
    by_program: bool = False,
) -> Playoff:
    """Record the outcome of an Entscheidungsspiel between equal players or teams, best first.

    If the Ausschreibung has a lot instead, it is that of a lot, drawn by hand or by the program.

    Args:
        order: start numbers, or keys of teams in a ranking of teams. Some of those who share
            a rank may be left out; one that did not come to play is last.
        ranking: the ranking in which they are equal. Between players it counts in every ranking
            of all Serien; one for a single Serie counts only there.
        note: the kind of decision, for instance a game of three deals.
        by_program: draw the order by a seed, which is published.

    Raises:
        WrongStatus: if lists are missing or unchecked.
        TournamentError: if they are not equal, or the order contradicts an earlier one.
    """
    rankings, by_lot = Rankings(act.row), act.row.ties_by_lot
    if by_program and not by_lot:
        raise TournamentError(
            _("Gelost wird nur, wenn es die Ausschreibung sagt; sonst wird gespielt (§ 1.5).")
        )
    if not rankings.has(ranking):
        raise TournamentError(_("Diese Wertung gibt es in diesem Turnier nicht."))
    if not rankings.is_settled(ranking):
        raise WrongStatus(
            _(
                "Es sind noch nicht alle Listen geprüft. Wer gleich ist, steht erst fest, wenn "
                "keine mehr fehlt."
            )
        )
    _check_order(rankings, ranking, order)
    seed = secrets.token_hex(8) if by_program else ""
    if by_program:
        order = lot_order(rankings.lot_names(ranking, order), seed)
        _check_order(rankings, ranking, order)
    playoff = Playoff(
        tournament=act.row,
        ranking=None
        if ranking.recipient is Recipient.PLAYER
        else rankings.stored_rankings[ranking.category],
        serie=act.row.serien.get(number=ranking.serie) if ranking.serie else None,
        order=list(order),
        note=note.strip(),
        seed=seed,
        created_by=act.actor.user,
    )
    with act.entry("lot_recorded" if by_lot else "playoff_recorded", act.row):
        act.add(playoff)
        act.note(ranking=slug_of(ranking), order=playoff.order, note=playoff.note)
        if seed:
            act.note(seed=seed)
    return playoff


def _check_order(rankings: Rankings, ranking: PrizeRanking, order: Sequence[int]) -> None:
    """Refuse an order of players or teams that are not equal, or that contradicts earlier ones."""
    earlier = rankings.orders(ranking)
    try:
        check_playoffs([*earlier, list(order)])
    except ScoringError as error:
        raise TournamentError(" ".join(problem.message for problem in error.problems)) from None
    ranks = {line.number: line.rank for line in rankings.standings(ranking) if line.has_place}
    for number in order:
        if number not in ranks:
            raise TournamentError(
                _("{who} hat in dieser Wertung keinen Platz.").format(
                    who=_called(rankings, ranking, number)
                )
            )
    if len({ranks[number] for number in order}) > 1:
        first = order[0]
        other = next(number for number in order if ranks[number] != ranks[first])
        raise TournamentError(
            _(
                "{first} steht auf Platz {rank}, {other} auf Platz {other_rank}. Zu entscheiden "
                "ist nur zwischen Gleichen (§ 1.5)."
            ).format(
                first=_called(rankings, ranking, first),
                rank=ranks[first],
                other=_called(rankings, ranking, other),
                other_rank=ranks[other],
            )
        )


def _called(rankings: Rankings, ranking: PrizeRanking, number: int) -> str:
    if ranking.recipient is Recipient.PLAYER:
        return _("Nr. {number}").format(number=number)
    stored = rankings.stored_rankings[ranking.category]
    names = {team.pk: team.name for team in rankings.teams[stored.pk]}
    return _("„{team}“").format(team=names.get(number, number))


@acts.on(
    Playoff,
    "withdraw_playoff",
    entry="playoff_withdrawn",
    reason=gettext_lazy("Bitte angeben, warum das gestrichen wird."),
)
def withdraw(act: Act[Playoff]) -> Playoff:
    """Strike out an Entscheidungsspiel; it stays visible, with the reason.

    Raises:
        WrongStatus: if it was struck out already.
    """
    if act.row.withdrawn_at is not None:
        raise WrongStatus(_("Das ist schon gestrichen."))
    by_lot = act.tournament.ties_by_lot
    with act.entry("lot_withdrawn" if by_lot else "playoff_withdrawn", act.row, act.reason):
        act.note(before={"order": act.row.order})
        act.row.withdrawn_at, act.row.withdrawn_reason = timezone.now(), act.reason
        return act.store(act.row)
