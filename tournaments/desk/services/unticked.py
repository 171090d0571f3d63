"""What becomes of those who have paid and are not ticked off, before a Serie is drawn."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db.models import TextChoices
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.common.errors import TournamentError
from tournaments.desk.queries import presence
from tournaments.desk.services.changes import mark_no_show
from tournaments.desk.services.presence import set_present
from tournaments.journal.acts import Act


class Unticked(TextChoices):
    """The answers to the question of the draw."""

    DRAW = "draw", gettext_lazy("mit ihnen auslosen")
    TICK = "tick", gettext_lazy("abhaken und auslosen")
    LEAVE_OUT = "leave_out", gettext_lazy("ohne sie auslosen")


class NotTicked(TournamentError):
    """Somebody is not ticked off, and nobody has said what is to become of them."""


def settle(act: Act[Any], answer: Unticked | None, asked: Collection[int]) -> list[int | None]:
    """Tick off or leave out who is not ticked off, as was answered.

    Returns the start numbers of those who are drawn nevertheless.

    Raises:
        NotTicked: if there is somebody for whom nobody was asked, or no answer.
    """
    absent = list(presence.unticked(act.tournament))
    if absent and (answer is None or {one.pk for one in absent} - set(asked)):
        raise NotTicked(
            _(
                "Bezahlt, aber nicht abgehakt: {names}. Bitte sagen, ob mit ihnen oder ohne sie "
                "ausgelost wird."
            ).format(names="; ".join(map(str, absent)))
        )
    if answer == Unticked.DRAW:
        return [one.number for one in absent]
    if answer == Unticked.TICK:
        set_present(act, absent)
    else:
        for one in absent:
            mark_no_show(act, one.pk, reason=_("bei der Auslosung nicht abgehakt"))
    return []
