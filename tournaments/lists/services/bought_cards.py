"""Cards that players buy during a list; they fill a pot that is settled with it.

Only some rule sets allow it (Progressives Rommé). The numbers are not points: they change no
line, and signatures stay valid.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, Refused, WrongStatus
from tournaments.common.locks import lock_spielliste
from tournaments.common.rules import rule_set_of
from tournaments.journal import services as journal
from tournaments.models import Seat, Spielliste


@transaction.atomic
def note_bought(
    *,
    spielliste_id: int,
    bought: Sequence[int],
    actor: Actor,
    at_control: bool = False,
    seen: Sequence[int] | None = None,
) -> Spielliste:
    """Store how many cards each seat has bought so far, seat 1 first.

    Args:
        spielliste_id: key of the list.
        bought: one number for each seat.
        actor: the table's device, or an account of the Spielleitung.
        at_control: whether the Spielleitung enters the numbers: for a list on paper this is
            possible after signing, too.
        seen: the stored numbers that the actor saw; None to skip the comparison.

    Raises:
        Conflict: if the stored numbers differ from *seen*.
        Refused: if the rule set has no buying, a seat is missing, or a number is invalid.
        WrongStatus: if the table has signed the list or control has checked it (§ 2.2.5), or
            the Serie is closed.
    """
    spielliste = lock_spielliste(spielliste_id)
    if not (at_control or spielliste.is_at_the_table):
        raise WrongStatus(
            _("{table}: Die Liste ist schon „{status}“.").format(
                table=spielliste.table, status=spielliste.get_status_display()
            )
        )
    if spielliste.status == Spielliste.Status.VERIFIED:
        raise WrongStatus(
            _(
                "{table}: Die Liste ist schon geprüft. Zum Ändern der gekauften Karten bitte erst "
                "die Prüfung mit einem Grund zurücknehmen."
            ).format(table=spielliste.table)
        )
    tournament = spielliste.table.serie.tournament
    most = rule_set_of(tournament).purchases
    if not most:
        raise Refused.at("bought", _("Nach diesem Regelwerk werden keine Karten gekauft."))
    if len(bought) != Seat.objects.filter(table=spielliste.table_id).count():
        raise Refused.at("bought", _("Es fehlt, wie viele Karten ein Platz gekauft hat."))
    for seat, cards in enumerate(bought, start=1):
        if not 0 <= cards <= most:
            raise Refused.at(
                f"bought[{seat - 1}]",
                _(
                    "Platz {seat}: In einer Liste kann niemand mehr als {most} Karten kaufen."
                ).format(seat=seat, most=most),
            )
    before = spielliste.bought_cards
    if seen is not None and list(seen) != before:
        raise Conflict(
            _(
                "{table}: Die gekauften Karten hat inzwischen jemand anderes eingetragen. Bitte "
                "ansehen, was jetzt dort steht."
            ).format(table=spielliste.table)
        )
    spielliste.bought_cards = list(bought)
    spielliste.save(update_fields=["bought_cards"])
    journal.record(
        tournament,
        actor,
        "cards_bought",
        spielliste,
        before={"cards": before},
        after={"cards": list(bought)},
    )
    return spielliste
