"""What becomes of those who have paid and are not ticked off, before a Serie is drawn."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import TextChoices
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError
from tournaments.desk.queries import presence
from tournaments.desk.services.changes import mark_no_show
from tournaments.desk.services.presence import set_present
from tournaments.models import Tournament


class Unticked(TextChoices):
    """The answers to the question of the draw."""

    DRAW = "draw", gettext_lazy("mit ihnen auslosen")
    TICK = "tick", gettext_lazy("abhaken und auslosen")
    LEAVE_OUT = "leave_out", gettext_lazy("ohne sie auslosen")


class NotTicked(TournamentError):
    """Somebody is not ticked off, and nobody has said what is to become of them."""


def settle(
    tournament: Tournament, answer: Unticked | None, asked: Collection[int], actor: Actor
) -> list[int | None]:
    """Tick off or leave out who is not ticked off, as was answered.

    Part of a service that has locked. Returns the start numbers of who is drawn nevertheless.

    Raises:
        NotTicked: if there is somebody for whom nobody was asked, or no answer.
    """
    absent = list(presence.unticked(tournament))
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
        set_present(absent, actor)
    else:
        for one in absent:
            mark_no_show(
                registration_id=one.pk, actor=actor, reason=_("bei der Auslosung nicht abgehakt")
            )
    return []
