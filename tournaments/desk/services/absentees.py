"""Settling registrations that are paid and not ticked off, before a draw."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import TextChoices
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.common.errors import TournamentError
from tournaments.common.formats import listed
from tournaments.desk.queries import presence
from tournaments.desk.services.changes import mark_no_show
from tournaments.desk.services.leaving import leave
from tournaments.desk.services.presence import set_present
from tournaments.desk.services.tariff_changes import DAYS_SET
from tournaments.journal.acts import Act
from tournaments.models import Serie


class AbsenteeAnswers(TextChoices):
    """The answers to the question of the draw."""

    DRAW = "draw", gettext_lazy("mit ihnen auslosen")
    TICK = "tick", gettext_lazy("abhaken und auslosen")
    LEAVE_OUT = "leave_out", gettext_lazy("ohne sie auslosen")


class NotTicked(TournamentError):
    """A registration is not ticked off, and there is no answer for it."""


def settle(
    act: Act[Serie], answer: AbsenteeAnswers | None, asked: Collection[int]
) -> list[int | None]:
    """Tick off or leave out registrations that are not ticked off, by *answer*.

    Left out, a person who has played has left. If further days follow, another person is left out
    on the day of the Serie only.

    Returns the start numbers that are drawn without a tick.

    Raises:
        NotTicked: if there is no answer, or a registration that is not in *asked*.
    """
    absent = list(presence.absentees(act.tournament, act.row.day))
    if absent and (answer is None or {registration.pk for registration in absent} - set(asked)):
        raise NotTicked(
            _(
                "Bezahlt, aber nicht abgehakt: {names}. Bitte sagen, ob mit ihnen oder ohne sie "
                "ausgelost wird."
            ).format(names=listed(absent, between="; "))
        )
    if answer == AbsenteeAnswers.DRAW:
        return [registration.number for registration in absent]
    if answer == AbsenteeAnswers.TICK:
        set_present(act, absent)
    else:
        for registration in absent:
            if registration.seats.played().exists():
                leave(act, registration.pk)
                continue
            days = registration.plays_on or "".join(map(str, act.tournament.days.numbers))
            if remaining := days.replace(str(act.row.day), ""):
                with act.entry(DAYS_SET, registration):  # the dues stay
                    registration.plays_on = remaining
                    act.store(registration)
            else:
                mark_no_show(act, registration.pk, reason=_("bei der Auslosung nicht abgehakt"))
    return []
