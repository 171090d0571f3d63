"""Cards that players buy during a list; the money goes into a pot that is settled with it.

Only some rule sets allow it (Progressives Rommé). The numbers are not points: they change no
line, and signatures stay valid.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.common.errors import Conflict, InvalidInput
from tournaments.common.roles import AT_TABLE, MAY_LEAD
from tournaments.common.rules import rule_set_of
from tournaments.common.states import TAKES_PEOPLE
from tournaments.journal.acts import Act, Acts
from tournaments.models import Seat, Spielliste

Status = Spielliste.Status

acts = Acts(
    AT_TABLE,
    TAKES_PEOPLE.with_states(*Spielliste.AT_THE_TABLE).with_refusal(
        gettext_lazy("{table}: Die Liste ist schon „{status}“.")
    ),
)
# The numbers of a list on paper are also copied after signing.
UNCHECKED = TAKES_PEOPLE.with_states(
    *Spielliste.AT_THE_TABLE, Status.SIGNED, Status.HANDED_IN, Status.INVALID
).with_refusal(
    gettext_lazy(
        "{table}: Die Liste ist schon geprüft. Zum Ändern der gekauften Karten bitte erst die "
        "Prüfung mit einem Grund zurücknehmen."
    )
)


@acts.on(Spielliste, "note_bought", entry="cards_bought")
def note_bought(act: Act[Spielliste], *, bought: Sequence[int]) -> Spielliste:
    """Store how many cards each seat has bought so far, seat 1 first.

    Raises:
        InvalidInput: if the rule set has no buying, a seat is missing, or a number is invalid.
    """
    return _note(act, bought)


@acts.on(Spielliste, "copy_bought", entry="cards_bought", by=MAY_LEAD, when=UNCHECKED)
def copy_bought(act: Act[Spielliste], *, bought: Sequence[int], seen: Sequence[int]) -> Spielliste:
    """Store the numbers of a paper list at control; *seen* are those stored when it was shown.

    Raises:
        Conflict: if the stored numbers differ from *seen*.
        InvalidInput: as :func:`note_bought` does.
    """
    if list(seen) != act.row.bought_cards:
        raise Conflict(
            _(
                "{table}: Die gekauften Karten hat inzwischen jemand anderes eingetragen. Bitte "
                "ansehen, was jetzt dort steht."
            ).format(table=act.row.table)
        )
    return _note(act, bought)


def _note(act: Act[Spielliste], bought: Sequence[int]) -> Spielliste:
    most = rule_set_of(act.tournament).purchases
    if not most:
        raise InvalidInput.at("bought", _("Nach diesem Regelwerk werden keine Karten gekauft."))
    if len(bought) != Seat.objects.filter(table=act.row.table_id).count():
        raise InvalidInput.at("bought", _("Es fehlt, wie viele Karten ein Platz gekauft hat."))
    for seat, cards in enumerate(bought, start=1):
        if not 0 <= cards <= most:
            raise InvalidInput.at(
                f"bought[{seat - 1}]",
                _(
                    "Platz {seat}: In einer Liste kann niemand mehr als {most} Karten kaufen."
                ).format(seat=seat, most=most),
            )
    act.note(before={"cards": act.row.bought_cards}, cards=list(bought))
    act.row.bought_cards = list(bought)
    return act.store(act.row)
