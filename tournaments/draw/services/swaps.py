"""Swaps of published seats at tables that have not started."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.common.roles import MAY_LEAD
from tournaments.common.states import TAKES_PEOPLE
from tournaments.draw.queries import report
from tournaments.draw.services.rows import check_seated, started_tables, write_rows
from tournaments.draw.services.seat_mails import queue_seat_mails
from tournaments.journal.acts import Act, Acts
from tournaments.models import Seat, Serie

acts = Acts(MAY_LEAD, TAKES_PEOPLE)


class PromiseBroken(TournamentError):
    """The swap breaks a fixed table or a separation; may be overridden."""


@acts.on(
    Serie,
    "swap_seats",
    entry="seats_swapped",
    reason=gettext_lazy("Ein Tausch nach der Bekanntgabe braucht einen Grund."),
)
def swap_seats(
    act: Act[Serie], *, first_id: int, second_id: int, override: bool = False
) -> tuple[Seat, Seat]:
    """Swap the published seats of two players; return their new seats.

    Args:
        override: swap although that breaks a fixed table or a separation.

    Raises:
        PromiseBroken: if the swap breaks a promise and that is not overridden.
        WrongStatus: if a list of theirs is not empty; ``corrections.services.moves`` asks to
            whom the games belong.
        TournamentError: if one of them has no seat, or both are the same.
    """
    serie = act.row
    check_seated(serie)
    before = _rows_of_both(serie, first_id, second_id)
    started = sorted(set(before) & set(started_tables(serie)))
    if started:
        raise WrongStatus(
            _(
                "An Tisch {table} ist schon gespielt. Plätze ändert dort „Plätze berichtigen“, wo "
                "auch entschieden wird, wem die Spiele gehören."
            ).format(table=started[0])
        )
    after = report.swapped(before, first_id, second_id)
    judge = report.SeatingReview(serie)
    broken = judge.findings(after).broken - judge.findings(before).broken
    if broken and not override:
        raise PromiseBroken(
            _(
                "Der Tausch bricht einen festen Tisch oder „nicht zusammen“. Soll er trotzdem "
                "sein, bitte ausdrücklich bestätigen."
            )
        )
    write_rows(act, serie, after)
    queue_seat_mails(act, serie, (first_id, second_id))
    act.note(
        before={"tables": {str(number): row for number, row in before.items()}},
        tables={str(number): row for number, row in after.items()},
        broken=len(broken),
    )
    seats = Seat.objects.filter(serie=serie).select_related("table")
    return seats.get(registration=first_id), seats.get(registration=second_id)


def _rows_of_both(serie: Serie, first_id: int, second_id: int) -> dict[int, list[int]]:
    both = {first_id, second_id}
    rows = {number: row for number, row in report.published_rows(serie).items() if both & set(row)}
    if len(both) != 2 or not both <= {key for row in rows.values() for key in row}:
        raise TournamentError(_("Tauschen können zwei verschiedene Personen mit Platz."))
    return rows
