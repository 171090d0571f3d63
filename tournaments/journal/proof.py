"""The complete proof: chains are unbroken, and the rows match them.

Besides the hashes of a chain this checks that imported chains are unchanged, and that each proved
row has the newest hash in the journal. Nothing is locked: acts can run meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError
from tournaments.common.formats import short_date
from tournaments.journal import services as journal
from tournaments.journal.queries.seals import import_of, origin_of
from tournaments.journal.rows import KINDS, Hashes, all_hashes, without_new_fields
from tournaments.journal.services import Break
from tournaments.models import (
    ArchivedJournal,
    JournalChain,
    JournalEntry,
    Receipt,
    Serie,
    Table,
    Tournament,
)
from tournaments.models.journal import GENESIS

TRIES = 50  # to read without a write in between
MOST = 20  # differences that are listed


# --- All of it --------------------------------------------------------------------------------


def of_installation() -> Iterator[Break]:
    """Yield the breaks in all chains and tournaments."""
    yield from journal.first_breaks()
    for tournament in Tournament.objects.order_by("pk"):
        yield from _of_data(tournament)


def of_tournament(tournament: Tournament) -> Iterator[Break]:
    """Yield the breaks in one tournament, its own chain first."""
    chain = JournalChain.objects.filter(tournament=tournament).first()
    broken = journal.break_of(chain) if chain is not None else None
    if broken is not None:
        yield broken
    yield from _of_data(tournament)


def _of_data(tournament: Tournament) -> Iterator[Break]:
    scope = journal.scope_of(tournament)
    imported = import_of(tournament)
    if imported is not None:
        yield from _of_import(scope, imported, tournament)
    differing, is_known = _differing_rows(tournament, imported)
    if is_known:
        yield from in_words(differing, scope)
    elif differing:
        begins = _("Der Anfang mit dem Anlegen des Turniers fehlt.")
        yield Break(scope=scope, number=1, sentence=begins)


# --- What came with an archive ------------------------------------------------------------------


def ends_of(chains: Iterable[ArchivedJournal]) -> list[list[Any]]:
    """Return scope, number and hash of the last entry of imported chains."""
    return [
        [chain.scope, len(chain.entries), chain.entries[-1]["hash"] if chain.entries else GENESIS]
        for chain in chains
    ]


def _of_import(scope: str, imported: JournalEntry, tournament: Tournament) -> Iterator[Break]:
    chains = ArchivedJournal.objects.filter(tournament=tournament).order_by("pk")
    # Entries of earlier versions do not name the chains.
    if imported.after.get("chains", ends_of(chains)) != ends_of(chains):
        yield Break(scope=scope, number=0, sentence=_archived_differs())


def of_archived(archived: ArchivedJournal) -> Break | None:
    """Return the first break of an imported chain, or None."""
    broken = journal.first_break(archived.scope, archived.entries)
    if broken is not None:
        return broken
    imported = import_of(archived.tournament)
    ends = imported.after.get("chains") if imported is not None else None
    if ends is None or ends_of([archived])[0] in ends:
        return None
    return Break(scope=archived.scope, number=0, sentence=_archived_differs())


def _archived_differs() -> str:
    return _("Das mitgebrachte Protokoll ist nicht mehr das, das eingelesen wurde.")


# --- Rows and journal ---------------------------------------------------------------------------


def _differing_rows(
    tournament: Tournament, imported: JournalEntry | None
) -> tuple[list[str], bool]:
    """Return the names of rows without the newest hash of the journal, and whether it has any.

    An act changes both in one transaction. If entries were added while the rows were read, both
    are read again.

    Raises:
        TournamentError: if entries are added too fast for that.
    """
    recorded: Hashes = dict((imported.rows if imported is not None else None) or {})
    entries = JournalEntry.objects.filter(chain__tournament=tournament).order_by("number")
    last = 0
    for _try in range(TRIES):
        newer = entries.filter(number__gt=last).values_list("number", "rows")
        for number, rows in newer.iterator(chunk_size=500):
            recorded |= rows or {}
            last = number
        stored = without_new_fields(all_hashes(tournament), recorded)
        if not entries.filter(number__gt=last).exists():
            names = recorded.keys() | stored.keys()
            differing = sorted(name for name in names if recorded.get(name) != stored.get(name))
            return differing, bool(recorded)
    raise TournamentError(
        _("Im Turnier wird gerade zu viel eingetragen. Bitte in einer Minute noch einmal prüfen.")
    )


@transaction.atomic
def baseline_proof(tournament: Tournament) -> None:
    """Record the present hashes of all rows of a tournament; a migration that changes rows must."""
    locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
    actor = Actor.command("migrate")
    journal.record(locked, actor, "rows_taken", locked, hashes=all_hashes(locked))


# --- In words -----------------------------------------------------------------------------------


def in_words(names: Iterable[str], scope: str) -> Iterator[Break]:
    """Yield a sentence for each of the first differing rows, and one for the rest."""
    differing = list(names)
    for name in differing[:MOST]:
        sentence = _("{what}: steht anders in den Daten als im Protokoll.").format(what=_row(name))
        yield Break(scope=scope, number=0, sentence=sentence)
    more = len(differing) - MOST
    if more > 0:
        yield Break(
            scope=scope,
            number=0,
            sentence=ngettext(
                "{number} weitere Angabe steht anders da als im Protokoll.",
                "{number} weitere Angaben stehen anders da als im Protokoll.",
                more,
            ).format(number=more),
        )


def _row(name: str) -> str:
    """Return place, kind and words of a row, or its key if it was deleted.

    A negative key is that of another installation.
    """
    kind, key, *fields = name.split("/")
    model = KINDS[kind]
    if fields:
        field: Any = model._meta.get_field(fields[0])
        return str(field.verbose_name)
    row = QuerySet(model).filter(pk=key).first()
    path = model.within
    ends: Iterable[int] = range(len(path), 0, -1) if row else ()
    where: list[Any] = [reduce(getattr, path[:end], row) for end in ends]
    places = [str(owner) for owner in where if isinstance(owner, Serie | Table | Receipt)]
    words = str(model._meta.verbose_name)
    called = str(row) if row else _("mit dem Schlüssel {key}, gelöscht").format(key=key.lstrip("-"))
    return ", ".join([*places, called if called.startswith(words) else f"{words} {called}"])


# --- Counting -----------------------------------------------------------------------------------


def summary() -> list[str]:
    """Return sentences on the numbers of checked entries and rows."""
    entries, chains = JournalEntry.objects.count(), JournalChain.objects.count()
    sentences = [
        _("Protokoll vollständig: {entries} in {chains}.").format(
            entries=ngettext("{n} Eintrag", "{n} Einträge", entries).format(n=entries),
            chains=ngettext("{n} Kette", "{n} Ketten", chains).format(n=chains),
        )
    ]
    for act in JournalEntry.objects.filter(action=journal.RESEALED).order_by("number"):
        day = short_date(act.at)
        words = _("Am {day} neu versiegelt ({reason}): Ob davor etwas fehlt, zeigen nur Anker.")
        sentences.append(words.format(day=day, reason=act.reason))
    for tournament in Tournament.objects.order_by("pk"):
        seals = origin_of(tournament).seals
        brought = ArchivedJournal.objects.filter(tournament=tournament)
        number = sum(len(chain.entries) for chain in brought)
        if number:
            ending = _("ob am Ende etwas fehlt, zeigt kein Siegel") if None in seals else _("ganz")
            sentences.append(
                ngettext(
                    "„{name}“: {number} mitgebrachter Eintrag, {ending}.",
                    "„{name}“: {number} mitgebrachte Einträge, {ending}.",
                    number,
                ).format(name=tournament.name, number=number, ending=ending)
            )
        sentences += origin_sentences(tournament)
    return sentences


def origin_sentences(tournament: Tournament) -> list[str]:
    """Return sentences on the installations that sealed an imported tournament."""
    unsealed = _("„{name}“ kam aus einer Datei ohne Siegel: Was davor war, ist nicht bewiesen.")
    foreign = _(
        "„{name}“ kam mit dem Siegel {seal}; dasselbe steht auf dem Ausdruck, wenn es echt ist."
    )
    origin = origin_of(tournament)
    sentences = [
        (unsealed if seal is None else foreign).format(name=tournament.name, seal=seal)
        for seal in origin.seals
    ]
    if origin.has_own_seal:
        own = _("„{name}“ kam mit dem Siegel dieser Installation.")
        sentences.append(own.format(name=tournament.name))
    return sentences
