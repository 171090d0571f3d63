"""The complete proof: chains are unbroken, and the data agree with them.

Besides the hashes of a chain this checks that it begins at its first entry, that imported chains
are unchanged, and that lists, money and registrations agree with the entries. Nothing is locked,
and acts may go on meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.reading.ruleset_json import ruleset_from_dict
from tournaments.common.errors import TournamentError
from tournaments.common.formats import short_date
from tournaments.journal import services as journal
from tournaments.journal.queries import present, replay
from tournaments.journal.queries.present import State
from tournaments.journal.queries.replay import Difference, Hall, Replay
from tournaments.journal.queries.seals import import_of, seals_of
from tournaments.journal.services import Break
from tournaments.machine.hashes import hash_of
from tournaments.models import (
    ArchivedJournal,
    JournalChain,
    JournalEntry,
    Origin,
    Serie,
    Spielliste,
    Tournament,
)
from tournaments.models.journal import GENESIS

BEGINNING = "tournament_created"
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
    found = journal.break_of(chain) if chain is not None else None
    if found is not None:
        yield found
    yield from _of_data(tournament)


def _of_data(tournament: Tournament) -> Iterator[Break]:
    scope = journal.scope_of(tournament)
    imported = import_of(tournament)
    origin = Origin.objects.filter(tournament=tournament).first()
    if imported is not None or origin is not None:
        yield from _of_import(scope, imported, origin, tournament)
    said, there, is_whole = _said_and_there(tournament, origin, is_imported=imported is not None)
    if imported is None and not is_whole and any(there.values()):
        yield Break(
            scope=scope, number=1, sentence=_("Der Anfang mit dem Anlegen des Turniers fehlt.")
        )
    yield from in_words(tournament, replay.differences(said, there, is_whole=is_whole), scope)


# --- What came with an archive ------------------------------------------------------------------


def ends_of(chains: Iterable[ArchivedJournal]) -> list[list[Any]]:
    """Return scope, number and hash of the last entry of chains that came with an archive."""
    return [
        [one.scope, len(one.entries), one.entries[-1]["hash"] if one.entries else GENESIS]
        for one in chains
    ]


def hash_of_origin(origin: Origin) -> str:
    """Return the hash of a tournament's origin, as stored in the installation's journal."""
    return hash_of(origin.facts)


def _of_import(
    scope: str, imported: JournalEntry | None, origin: Origin | None, tournament: Tournament
) -> Iterator[Break]:
    after: Mapping[str, Any] = imported.after if imported is not None else {}
    # Entries of earlier versions have no origin.
    if origin is None and "origin" not in after:
        return
    if origin is None or after.get("origin") != hash_of_origin(origin):
        yield Break(
            scope=scope,
            number=0,
            sentence=_("Was das Turnier beim Einlesen war, wurde nachträglich geändert."),
        )
    chains = ArchivedJournal.objects.filter(tournament=tournament).order_by("pk")
    if after.get("chains") != ends_of(chains):
        yield Break(scope=scope, number=0, sentence=_brought_is_another())


def of_brought(archived: ArchivedJournal) -> Break | None:
    """Return the first break of a chain that came with an archive, or None."""
    found = journal.first_break(archived.scope, archived.entries)
    if found is not None:
        return found
    imported = import_of(archived.tournament)
    ends = imported.after.get("chains") if imported is not None else None
    if ends is None or ends_of([archived])[0] in ends:
        return None
    return Break(scope=archived.scope, number=0, sentence=_brought_is_another())


def _brought_is_another() -> str:
    return _("Das mitgebrachte Protokoll ist nicht mehr das, das eingelesen wurde.")


# --- Data and journal ---------------------------------------------------------------------------


def of_archive(tournament: Tournament) -> list[Break]:
    """Return where a tournament just imported contradicts the journals in its archive.

    Journals of older versions do not map their keys, and are not compared.
    """
    chains = list(ArchivedJournal.objects.filter(tournament=tournament).order_by("pk"))
    if not chains or not all(chain.keys for chain in chains):
        return []
    found = Replay(_hall(tournament))
    for chain in chains:

        def to(model: str, key: int, keys: Mapping[str, Any] = chain.keys) -> int | None:
            found: int | None = keys.get(model, {}).get(str(key))
            return found

        for entry in chain.entries:
            found.follow(entry, to)
    is_whole = bool(chains[0].entries) and chains[0].entries[0]["action"] == BEGINNING
    there = present.facts(tournament)
    return list(in_words(tournament, replay.differences(found.said, there, is_whole=is_whole), ""))


def _said_and_there(
    tournament: Tournament, origin: Origin | None, *, is_imported: bool
) -> tuple[State, State, bool]:
    """Return the facts by the journal and the stored facts, both of the same moment.

    An act changes both in one transaction. If no entry was added while the data were read,
    they match; else the new entries are replayed, and the data are read again.

    Raises:
        TournamentError: if entries are added too fast for that.
    """
    found = Replay(_hall(tournament), origin.facts if origin is not None else None)
    chain = JournalChain.objects.filter(tournament=tournament).first()
    is_whole, seen = origin is not None, 0
    for _try in range(TRIES):
        entries = chain.entries.filter(number__gt=seen).order_by("number") if chain else ()
        for entry in entries:
            if entry.number == 1 and not is_imported:
                is_whole = entry.action == BEGINNING
            found.follow(journal.facts_of(entry))
            seen = entry.number
        there = present.facts(tournament)
        if chain is None or not chain.entries.filter(number__gt=seen).exists():
            return found.said, there, is_whole
        found.hall = _hall(tournament)
    raise TournamentError(
        _("Im Turnier wird gerade zu viel eingetragen. Bitte in einer Minute noch einmal prüfen.")
    )


def _hall(tournament: Tournament) -> Hall:
    lists = Spielliste.objects.filter(table__serie__tournament=tournament)
    return Hall(
        games=ruleset_from_dict(tournament.rule_set).games,
        place_of={
            key: (serie, table)
            for key, serie, table in lists.values_list(
                "pk", "table__serie__number", "table__number"
            )
        },
        serien=dict(Serie.every.filter(tournament=tournament).values_list("pk", "number")),
    )


# --- In words -----------------------------------------------------------------------------------


def in_words(tournament: Tournament, found: Iterable[Difference], scope: str) -> Iterator[Break]:
    """Yield a sentence for each of the first differences, and one for all others."""
    differences = list(found)
    if not differences:
        return
    names = _Names(tournament)
    for kind, key, name in differences[:MOST]:
        yield Break(scope=scope, number=0, sentence=names.sentence(kind, key, name))
    more = len(differences) - MOST
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


class _Names:
    """The names of rows that differ; read only if there is a difference."""

    def __init__(self, tournament: Tournament) -> None:
        self.lists = {str(key): where for key, where in _hall(tournament).place_of.items()}
        self.numbers = dict(tournament.registrations.values_list("pk", "number"))

    def sentence(self, kind: str, key: str, name: str) -> str:
        what = self._what(kind, key, name)
        if name == "":
            return _("{what}: steht nur im Protokoll oder nur in den Daten.").format(what=what)
        return _("{what}: steht anders in den Daten als im Protokoll.").format(what=what)

    def _what(self, kind: str, key: str, name: str) -> str:
        if kind == present.LIST:
            serie, table = self.lists.get(key, ("–", "–"))
            where = _("Serie {serie}, Tisch {table}").format(serie=serie, table=table)
            if name.isdigit():
                return _("{where}, Spiel {number}").format(where=where, number=name)
            words = {
                "status": _("Stand der Liste"),
                "bonus_size": _("Tischgröße für den Bonus"),
                "bought_cards": _("gekaufte Karten"),
            }
            return ", ".join([where, words.get(name, _("Liste"))])
        if kind == present.TABLE:
            serie, _slash, table = key.partition("/")
            return _("Serie {serie}, Tisch {table}, Plätze").format(serie=serie, table=table)
        if kind == present.REGISTRATION:
            number = self.numbers.get(int(key)) or "–"
            words = {
                "number": _("Startnummer"),
                "status": _("Stand"),
                "person": _("Person"),
                "present": _("da"),
            }
            parts = [_("Meldung Nr. {number}").format(number=number), words.get(name, "")]
            return ", ".join(filter(None, parts))
        kinds = {
            present.PENALTY: _("Strafpunkte {key}"),
            present.RECEIPT: _("Beleg {key}"),
            present.COUNT: _("Kassensturz {key}"),
            present.PLAYOFF: _("Entscheidungsspiel {key}"),
        }
        return kinds.get(kind, "{key}").format(key=key)


# --- Counting -----------------------------------------------------------------------------------


def counted() -> list[str]:
    """Return in sentences how many entries and data were checked."""
    entries, chains = JournalEntry.objects.count(), JournalChain.objects.count()
    found = [
        _("Protokoll vollständig: {entries} in {chains}.").format(
            entries=ngettext("{n} Eintrag", "{n} Einträge", entries).format(n=entries),
            chains=ngettext("{n} Kette", "{n} Ketten", chains).format(n=chains),
        )
    ]
    for act in JournalEntry.objects.filter(action=journal.RESEALED).order_by("number"):
        day = short_date(act.at)
        words = _("Am {day} neu versiegelt ({reason}): Ob davor etwas fehlt, zeigen nur Anker.")
        found.append(words.format(day=day, reason=act.reason))
    for tournament in Tournament.objects.order_by("pk"):
        seals = seals_of(tournament)
        brought = ArchivedJournal.objects.filter(tournament=tournament)
        number = sum(len(one.entries) for one in brought)
        if number:
            ending = _("ob am Ende etwas fehlt, zeigt kein Siegel") if None in seals else _("ganz")
            found.append(
                ngettext(
                    "„{name}“: {number} mitgebrachter Eintrag, {ending}.",
                    "„{name}“: {number} mitgebrachte Einträge, {ending}.",
                    number,
                ).format(name=tournament.name, number=number, ending=ending)
            )
        found += origin_sentences(tournament)
    return found


def origin_sentences(tournament: Tournament) -> list[str]:
    """Return in sentences which installations sealed a tournament, if it was imported."""
    unsealed = _("„{name}“ kam aus einer Datei ohne Siegel: Was davor war, ist nicht bewiesen.")
    theirs = _(
        "„{name}“ kam mit dem Siegel {seal}; dasselbe steht auf dem Ausdruck, wenn es echt ist."
    )
    return [
        (unsealed if seal is None else theirs).format(name=tournament.name, seal=seal)
        for seal in seals_of(tournament)
    ]
