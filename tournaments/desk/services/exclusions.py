"""Excluding a person (§ 1.4): before the first draw, and later as part of a correction."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.cash.services.dues import update_paid_status
from tournaments.common.errors import WrongStatus
from tournaments.common.roles import MAY_LEAD
from tournaments.common.states import TAKES_PART
from tournaments.desk.queries.registrations import is_drawn
from tournaments.desk.services.changes import STATUS, Status, change_status
from tournaments.journal.acts import Act, Acts
from tournaments.models import Registration, Tournament

acts = Acts(MAY_LEAD, TAKES_PART)


@acts.on(
    Registration,
    "exclude",
    entry=STATUS,
    reason=gettext_lazy("Ein Ausschluss braucht einen Grund (§ 1.4)."),
)
def exclude(act: Act[Registration]) -> Registration:
    """Exclude a person for gross misconduct: no refund, games stay, no rank (§ 1.4)."""
    return change_status(act, act.row, Status.EXCLUDED, act.reason)


@acts.on(
    Registration,
    "take_back_exclusion",
    when=TAKES_PART.with_states(Status.EXCLUDED).with_refusal(
        gettext_lazy("{name} ist nicht ausgeschlossen.")
    ),
    entry=STATUS,
    reason=gettext_lazy("Die Rücknahme eines Ausschlusses braucht einen Grund."),
)
def take_back_exclusion(act: Act[Registration]) -> Registration:
    """Take back the exclusion of a person."""
    change_status(act, act.row, Status.REGISTERED, act.reason)
    update_paid_status(act, act.row)
    return act.row


@acts.on(Registration, "exclude_undrawn", when=exclude.rule.when)
def exclude_undrawn(act: Act[Registration]) -> Registration:
    """Exclude a person before the first draw, without a preview of effects.

    Raises:
        WrongStatus: if there are tables.
        TournamentError: if no reason is given.
    """
    _demand_undrawn(act.tournament)
    return exclude(act, act.row.pk, reason=act.reason)


@acts.on(Registration, "take_back_undrawn", when=take_back_exclusion.rule.when)
def take_back_undrawn(act: Act[Registration]) -> Registration:
    """Take back an exclusion before the first draw; raises as :func:`exclude_undrawn`."""
    _demand_undrawn(act.tournament)
    return take_back_exclusion(act, act.row.pk, reason=act.reason)


def _demand_undrawn(tournament: Tournament) -> None:
    # Under the lock: a person drawn at the same moment must not vanish from the tables.
    if is_drawn(tournament):
        raise WrongStatus(
            _(
                "Es ist schon ausgelost: Ausschließen und Zurücknehmen geht jetzt in der "
                "„Prüfung“, mit Vorschau und Mitteilung."
            )
        )
