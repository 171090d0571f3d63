"""Two people change places that everybody knows already, before a game was played there."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.draw.queries import report
from tournaments.draw.services.rows import lock_seated, started_tables, write_rows
from tournaments.journal import services as journal
from tournaments.models import Seat, Serie


class PromiseBroken(TournamentError):
    """Somebody would leave a fixed table or sit with whom they must not; may be overridden."""


@transaction.atomic
def swap_seats(
    *,
    serie_id: int,
    first_id: int,
    second_id: int,
    reason: str,
    actor: Actor,
    override: bool = False,
) -> tuple[Seat, Seat]:
    """Let two people change their published places; returns their new seats.

    Args:
        override: do it even if a fixed table or a separation is broken by it.

    Raises:
        PromiseBroken: if the swap breaks what was promised and that is not overridden.
        WrongStatus: if something stands in a list of theirs; then it has to be said whose
            the games are, which ``corrections_moves`` asks.
        TournamentError: if one of them has no seat, both are the same, or the reason is
            missing.
    """
    tournament, serie = lock_seated(serie_id)
    if not reason.strip():
        raise TournamentError(_("Ein Tausch nach der Bekanntgabe braucht einen Grund."))
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
    judge = report.Judge(serie)
    broken = judge.findings(after).broken - judge.findings(before).broken
    if broken and not override:
        raise PromiseBroken(
            _(
                "Der Tausch bricht einen festen Tisch oder „nicht zusammen“. Soll er trotzdem "
                "sein, bitte ausdrücklich bestätigen."
            )
        )
    write_rows(serie, after)
    journal.record(
        tournament,
        actor,
        "seats_swapped",
        serie,
        before={"tables": {str(number): row for number, row in before.items()}},
        after={
            "tables": {str(number): row for number, row in after.items()},
            "broken": len(broken),
        },
        reason=reason,
    )
    seats = Seat.objects.filter(serie=serie).select_related("table")
    return seats.get(registration=first_id), seats.get(registration=second_id)


def _rows_of_both(serie: Serie, first_id: int, second_id: int) -> dict[int, list[int]]:
    wanted = {first_id, second_id}
    rows = {
        number: row for number, row in report.published_rows(serie).items() if wanted & set(row)
    }
    if len(wanted) != 2 or not wanted <= {key for row in rows.values() for key in row}:
        raise TournamentError(_("Tauschen können zwei verschiedene Personen mit Platz."))
    return rows
