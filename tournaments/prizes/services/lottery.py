"""The lottery: first the participants and the seed's hash, then the winners (as in a draw)."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.announcement.queries.tournaments import STARTGELD_POT
from tournaments.common.errors import Conflict, TournamentError, WrongStatus
from tournaments.common.roles import MAY_LEAD
from tournaments.common.rules import prize_plans
from tournaments.common.states import TAKES_PEOPLE
from tournaments.journal.acts import Act, Acts
from tournaments.models import Lottery, Tournament
from tournaments.prizes.queries.lottery import LOTTERY, current_lottery, participants

acts = Acts(MAY_LEAD, TAKES_PEOPLE)


@acts.on(Tournament, "begin_lottery", entry="lottery_begun")
def begin(act: Act[Tournament], *, expected: Sequence[int]) -> Lottery:
    """Fix the participants and the hash of the seed before the draw.

    Args:
        expected: the start numbers that the page showed.

    Raises:
        Conflict: if the participants differ from *expected*.
        TournamentError: if there are none, or the tournament has no lottery.
        WrongStatus: if there is a lottery already.
    """
    plan = prize_plans(act.row).get(STARTGELD_POT)
    if plan is None or not plan.lottery:
        raise TournamentError(_("In diesem Turnier wird nichts verlost."))
    if current_lottery(act.row) is not None:
        raise WrongStatus(_("Es gibt schon eine Verlosung."))
    field = [registration.number for registration in participants(act.row)]
    if not field:
        raise TournamentError(_("Es ist niemand da: Bitte zuerst abhaken, wer im Saal ist."))
    if field != sorted(expected):
        raise Conflict(_("Inzwischen sind andere da. Bitte die Liste noch einmal ansehen."))
    seed = secrets.token_hex(16)
    lottery = act.add(
        Lottery(
            tournament=act.row,
            seed=seed,
            seed_hash=hashlib.sha256(seed.encode()).hexdigest(),
            field=field,
            things=list(plan.lottery),
            created_by=act.actor.user,
        )
    )
    act.note(seed_hash=lottery.seed_hash, players=len(field))
    return lottery


@acts.on(Lottery, "draw_lottery", entry="lottery_drawn")
def draw(act: Act[Lottery]) -> Lottery:
    """Draw: publish the seed, which determines the winners.

    Raises:
        WrongStatus: if it was drawn or withdrawn before.
    """
    if act.row.drawn_at or act.row.withdrawn_at:
        raise WrongStatus(_("Hier ist schon verlost."))
    act.row.drawn_at = timezone.now()
    act.note(seed=act.row.seed, winners=[number for number, _thing in act.row.winners])
    return act.store(act.row)


@acts.on(
    Lottery,
    "withdraw_lottery",
    entry="lottery_withdrawn",
    reason=gettext_lazy("Bitte angeben, warum die Verlosung zurückgenommen wird."),
)
def withdraw(act: Act[Lottery]) -> Lottery:
    """Withdraw a lottery; it stays visible, with the reason.

    Raises:
        WrongStatus: if it was withdrawn already, or a prize of it was handed over.
    """
    if act.row.withdrawn_at:
        raise WrongStatus(_("Diese Verlosung ist schon zurückgenommen."))
    payouts = act.row.tournament.prize_payouts.filter(pot=LOTTERY, handed_over_at__isnull=False)
    if payouts.exists():
        raise WrongStatus(
            _("Daraus sind schon Preise übergeben. Bitte das zuerst unter „Preise“ zurücknehmen.")
        )
    act.row.withdrawn_at, act.row.withdrawn_reason = timezone.now(), act.reason
    return act.store(act.row)
