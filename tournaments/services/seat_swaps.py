"""Two people change places that everybody knows already, also in the middle of a list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from django.db import transaction
from django.db.models import Count
from django.utils.translation import gettext as _

from tournaments.actors import Actor
from tournaments.errors import TournamentError, WrongStatus
from tournaments.models import Seat, SeatSpan, Serie, Spielliste
from tournaments.queries import draw_report
from tournaments.services import journal
from tournaments.services.seat_rows import lock_seated, started_tables, write_rows


class GamesStay(StrEnum):
    """Whose the games are that were entered before two people changed places."""

    PERSON = "person"  # they sat there and played them
    PLACE = "place"  # they were written down at the wrong place


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
    games: GamesStay | None = None,
) -> tuple[Seat, Seat]:
    """Let two people change their published places; returns their new seats.

    Args:
        override: do it even if a fixed table or a separation is broken by it.
        games: whose the games entered so far are, needed where there are any.

    Raises:
        PromiseBroken: if the swap breaks what was promised and that is not overridden.
        WrongStatus: if a list of theirs is signed already.
        TournamentError: if one of them has no seat, both are the same, the reason is
            missing, or it is not said whose the games are.
    """
    tournament, serie = lock_seated(serie_id)
    if not reason.strip():
        raise TournamentError(_("Ein Tausch nach der Bekanntgabe braucht einen Grund."))
    before = _rows_of_both(serie, first_id, second_id)
    after = draw_report.swapped(before, first_id, second_id)
    judge = draw_report.Judge(serie)
    broken = judge.findings(after).broken - judge.findings(before).broken
    if broken and not override:
        raise PromiseBroken(
            _(
                "Der Tausch bricht einen festen Tisch oder „nicht zusammen“. Soll er trotzdem "
                "sein, bitte ausdrücklich bestätigen."
            )
        )
    lists = _started(serie, before)
    if lists and games is None:
        raise TournamentError(
            _(
                "Es stehen schon Spiele in der Liste. Bitte wählen, ob sie bei der Person oder "
                "beim Platz bleiben."
            )
        )
    if games == GamesStay.PERSON:
        _keep_games(lists, before, {first_id, second_id})
    write_rows(serie, after)
    journal.record(
        tournament=tournament,
        actor=actor,
        action="seats_swapped",
        subject=serie,
        before={"tables": {str(number): row for number, row in before.items()}},
        after={
            "tables": {str(number): row for number, row in after.items()},
            "broken": len(broken),
            **({"games": games} if lists and games else {}),
        },
        reason=reason,
    )
    seats = Seat.objects.filter(serie=serie).select_related("table")
    return seats.get(registration=first_id), seats.get(registration=second_id)


def _rows_of_both(serie: Serie, first_id: int, second_id: int) -> dict[int, list[int]]:
    wanted = {first_id, second_id}
    rows = {
        number: row
        for number, row in draw_report.published_rows(serie).items()
        if wanted & set(row)
    }
    if len(wanted) != 2 or not wanted <= {key for row in rows.values() for key in row}:
        raise TournamentError(_("Tauschen können zwei verschiedene Personen mit Platz."))
    return rows


def _started(serie: Serie, tables: Iterable[int]) -> dict[int, Spielliste]:
    started = started_tables(serie)
    lists = {number: started[number] for number in tables if number in started}
    for number, found in lists.items():
        if not found.is_at_the_table:
            raise WrongStatus(
                _(
                    "Die Liste von Tisch {table} ist {status}. Plätze ändert dort nur noch eine "
                    "Berichtigung der Liste."
                ).format(table=number, status=found.get_status_display())
            )
    return lists


def _keep_games(
    lists: Mapping[int, Spielliste], rows: Mapping[int, list[int]], movers: set[int]
) -> None:
    """Note that the games so far belong to who played them at the seat they leave."""
    played = dict(
        Spielliste.objects.filter(pk__in=[found.pk for found in lists.values()])
        .annotate(played=Count("games"))
        .values_list("pk", "played")
    )
    for number, found in lists.items():
        for seat, key in enumerate(rows[number], start=1):
            # Without a game since the last change of this seat, what was noted then holds.
            if key in movers and played[found.pk]:
                SeatSpan.objects.get_or_create(
                    spielliste=found,
                    seat=seat,
                    last_game=played[found.pk],
                    defaults={"registration_id": key},
                )
