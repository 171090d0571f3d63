"""Create the Spiellisten of a seated Serie and the codes that open them."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from tournaments.common.access_keys import set_hashes
from tournaments.common.errors import WrongStatus
from tournaments.journal.acts import Act
from tournaments.models import Call, Serie, Spielliste, Table, TableAccess, Tournament


def open_lists(serie: Serie) -> list[Spielliste]:
    """Create list and access for every table without them; return the new lists."""
    tables = Table.objects.filter(serie=serie, spielliste__isnull=True).order_by("number")
    # The calling act touches them.
    new = Spielliste.objects.bulk_create([Spielliste(table=table) for table in tables])
    _give_access(Table.objects.filter(serie=serie))
    return new


def give_access(tournament: Tournament) -> None:
    """Create the missing codes for the tables of all Serien that are not closed."""
    _give_access(Table.objects.filter(serie__tournament=tournament, serie__closed_at__isnull=True))


def _give_access(tables: QuerySet[Table]) -> None:
    missing = tables.filter(access__isnull=True).order_by("serie__number", "number")
    TableAccess.objects.bulk_create([_new_access(table) for table in missing])


def _new_access(table: Table) -> TableAccess:
    access = TableAccess(table=table)
    set_hashes(access)
    while TableAccess.objects.filter(code_hash=access.code_hash).exists():
        access.generation += 1
        set_hashes(access)
    return access


def withdraw_list(act: Act[Any], table: Table) -> None:
    """Delete an empty list because its table is removed.

    Its calls are also deleted; they stay in the journal.

    Raises:
        WrongStatus: if it has games or Strafpunkte, because then it is a record (§ 2.3.5).
    """
    spielliste = Spielliste.objects.filter(table=table).first()
    if spielliste is None:
        return
    if spielliste.games.exists() or spielliste.status != Spielliste.Status.OPEN:
        raise WrongStatus(
            _("{table} hat schon gespielt und kann nicht aufgelöst werden.").format(table=table)
        )
    if spielliste.penalties.exists():
        raise WrongStatus(
            _(
                "In der Liste von {table} stehen schon Strafpunkte; er kann nicht aufgelöst "
                "werden. Bitte einen anderen Vorschlag wählen."
            ).format(table=table)
        )
    Call.objects.filter(table=table).delete()
    act.remove(spielliste)
