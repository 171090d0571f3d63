"""Leaving after a Serie, and coming back; later draws leave out those who left."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.common.errors import WrongStatus
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.common.states import TAKES_PART
from tournaments.desk.services.presence import set_present
from tournaments.journal.acts import Act, Acts
from tournaments.models import Registration

acts = Acts(MAY_TAKE_MONEY, TAKES_PART)


@acts.on(
    Registration,
    "leave",
    when=TAKES_PART.with_refusal(
        gettext_lazy("{name} ist {status}. Gehen kann nur, wer mitspielt.")
    ),
    entry="person_left",
)
def leave(act: Act[Registration], *, after: int | None = None) -> Registration:
    """Note that a person left; the results so far stay, later Serien are drawn without them.

    Args:
        after: number of the Serie; by default the last one with a seat that has begun.

    Raises:
        WrongStatus: if the person has left already, or has no seat in a Serie that has begun.
    """
    registration = act.row
    if registration.is_gone:
        raise WrongStatus(
            _("{name} ist schon {status}.").format(
                name=registration.person, status=registration.get_status_display()
            )
        )
    begun = registration.seats.begun().order_by("-serie__number")
    last = after or begun.values_list("serie__number", flat=True).first()
    if last is None:
        raise WrongStatus(
            _(
                "{name} hatte noch keinen Platz in einer Serie, die begonnen hat. Wer nicht kommt, "
                "wird als „nicht erschienen“ vermerkt oder abgemeldet."
            ).format(name=registration.person)
        )
    registration.gone_after = last
    registration.present_at = registration.unticked_at = None
    return act.store(registration)


@acts.on(
    Registration,
    "come_back",
    when=TAKES_PART.with_refusal(gettext_lazy("{name} ist {status} und war nicht gegangen.")),
    entry="person_back",
)
def come_back(act: Act[Registration]) -> Registration:
    """Let a person who left take part again, ticked off as present.

    Raises:
        WrongStatus: if the person has not left.
    """
    if not act.row.is_gone:
        raise WrongStatus(
            _("{name} ist nicht als gegangen vermerkt und schon dabei.").format(name=act.row.person)
        )
    act.row.gone_after = None
    act.store(act.row)
    act.write()
    set_present(act, [act.row])
    return act.row
