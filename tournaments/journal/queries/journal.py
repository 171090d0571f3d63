"""The journal in words: pages of entries, and the history of a single row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.money import euro
from tournaments.journal.queries.facts import Reader, label
from tournaments.journal.queries.names import DASH
from tournaments.journal.queries.texts import TEXTS, WITH_ALL_DATA, actions_of
from tournaments.machine.hashes import in_groups
from tournaments.models import (
    ArchivedJournal,
    Case,
    Correction,
    JournalEntry,
    Notice,
    Organiser,
    Receipt,
    Registration,
    Spielliste,
    Tournament,
    User,
)

BEFORE_PREFIX = "before_"
MOST_NAMES = 3  # in one sentence; the facts have them all
# Labels of ``Actor`` as sealed, with their translations.
ACTOR_LABELS = {
    r"Tisch (?P<table>\d+), Serie (?P<serie>\d+)": _("Tisch {table}, Serie {serie}"),
    r"Nr\. (?P<number>\d+)": _("Nr. {number}"),
    "standby_code|second_folder|password_link|restored|taken_over": _("Kommandozeile"),
}
# Technical facts that are not shown.
HIDDEN_FACTS = frozenset({"content_hash", "slug"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One fact, before and after the act."""

    label: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryInWords:
    """One entry of the journal in words."""

    number: int
    at: datetime
    who: str
    action: str
    area: str
    sentence: str
    reason: str
    facts: tuple[Fact, ...]
    hash: str

    @property
    def hash_in_groups(self) -> str:
        """The hash in groups, as printed."""
        return in_groups(self.hash)

    @property
    def has_before(self) -> bool:
        """Whether there is a value before."""
        return any(fact.before for fact in self.facts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which entries are shown; empty for all."""

    area: str = ""  # of Area
    account: int | None = None
    kind_of_actor: str = ""  # of JournalEntry.ActorKind
    spielliste: Spielliste | None = None
    registration: Registration | None = None
    since: datetime | None = None
    until: datetime | None = None  # inclusive


def entries(
    owner: Tournament | Organiser, selection: Filter | None = None
) -> QuerySet[JournalEntry]:
    """Return the entries of a tournament or an organiser, the newest first."""
    chain = "chain__owner" if isinstance(owner, Organiser) else "chain__tournament"
    queryset = JournalEntry.objects.filter(**{chain: owner}).select_related("actor")
    selection = selection or Filter()
    if selection.area:
        queryset = queryset.filter(action__in=actions_of(selection.area))
    if selection.account is not None:
        queryset = queryset.filter(actor=selection.account)
    if selection.kind_of_actor:
        queryset = queryset.filter(actor_kind=selection.kind_of_actor)
    if selection.spielliste is not None:
        queryset = queryset.filter(of_list(selection.spielliste))
    if selection.registration is not None:
        queryset = queryset.filter(of_registration(selection.registration))
    if selection.since is not None:
        queryset = queryset.filter(at__gte=selection.since)
    if selection.until is not None:
        queryset = queryset.filter(at__lte=selection.until)
    return queryset.order_by("-number")


def of_operator(since: datetime) -> list[EntryInWords]:
    """Return the entries on the data of all organisers since a time, the newest first."""
    of_installation = JournalEntry.objects.filter(chain__owner=None, chain__tournament=None)
    queryset = of_installation.filter(action__in=WITH_ALL_DATA, at__gte=since)
    return rows(list(queryset.select_related("actor").order_by("-number")))


# --- The history of one row -----------------------------------------------------------------


def _about(subject_type: str, keys: Iterable[int] | QuerySet[Any, Any]) -> Q:
    return Q(subject_type=subject_type, subject_id__in=keys)


def of_list(spielliste: Spielliste) -> Q:
    """Return the condition for entries about a list; *spielliste* has its table and Serie."""
    table = spielliste.table
    corrections = Correction.touching(spielliste).order_by()
    return (
        _about("spielliste", [spielliste.pk])
        | _about("table", [table.pk])
        | _about("correction", corrections.values("pk"))
        | _about("notice", Notice.objects.filter(correction__in=corrections).values("pk"))
        | _about("case", Case.objects.filter(spielliste=spielliste).values("pk"))
        | _about("call", table.calls.values("pk"))
        | Q(
            subject_type="serie",
            subject_id=table.serie_id,
            after__tables__has_key=str(table.number),
        )
    )


def of_receipt(receipt: Receipt) -> Q:
    """Return the condition for entries about a receipt."""
    concerned = [receipt.pk, *([receipt.reverses_id] if receipt.reverses_id else [])]
    reversal = Receipt.objects.filter(reverses=receipt).values("pk")
    lists = receipt.bussgeld_bookings.values("bussgeld__spielliste")
    return (
        _about("receipt", concerned)
        | _about("receipt", reversal)
        | Q(subject_type="banktransaction", after__receipt=receipt.number)
        | Q(subject_type="spielliste", subject_id__in=lists, after__receipt=receipt.number)
    )


def of_registration(registration: Registration) -> Q:
    """Return the condition for entries about a registration, without seats and points."""
    return (
        _about("registration", [registration.pk])
        | _about("receipt", registration.cash_entries.values("receipt"))
        | _about("notice", registration.notices.values("pk"))
        | _about("case", registration.cases.values("pk"))
        | _about("entryline", registration.entry_lines.values("pk"))
        | Q(after__registration=registration.pk)
        | Q(before__registration=registration.pk)
    )


def history(tournament: Tournament, about: Q, *, most: int = 100) -> list[EntryInWords]:
    """Return the entries about one row, the newest first; *about* comes from ``of_…``.

    For ``components/history.html``. The number of queries is fixed.
    """
    queryset = entries(tournament).filter(about)[:most]
    return rows(list(queryset))


# --- In words -------------------------------------------------------------------------------


def rows(entries: Sequence[JournalEntry]) -> list[EntryInWords]:
    """Return entries in words; their ``actor`` must be fetched."""
    reader = Reader(entries)
    return [_row(entry, reader) for entry in entries]


def archived_rows(
    archived: ArchivedJournal, entries: Iterable[Mapping[str, Any]]
) -> list[EntryInWords]:
    """Return the entries of an imported chain in words; one query.

    Accounts are named. Other keys belong to the installation of origin and are unknown here: each
    is a dash.
    """
    users = User.objects.in_bulk(archived.accounts.values())
    nobody_known = Reader([])
    return [_row(_unsaved(facts, archived, users), nobody_known) for facts in entries]


def _unsaved(
    facts: Mapping[str, Any], archived: ArchivedJournal, users: Mapping[int, User]
) -> JournalEntry:
    return JournalEntry(
        number=facts["number"],
        at=datetime.fromisoformat(facts["at"]),
        actor_kind=facts["actor_kind"],
        actor=users.get(archived.accounts.get(str(facts["actor"]), 0)),
        actor_label=facts["actor_label"],
        action=facts["action"],
        subject_type=facts["subject_type"],
        before=facts["before"],
        after=facts["after"],
        reason=facts["reason"],
        hash=facts["hash"],
    )


def who(entry: JournalEntry) -> str:
    """Return the name of the actor."""
    if entry.actor is not None:
        return str(entry.actor)
    for label_of, sentence in ACTOR_LABELS.items():
        match = re.fullmatch(label_of, entry.actor_label)
        if match:
            return str(sentence).format(**match.groupdict())
    return entry.actor_label or str(entry.get_actor_kind_display())


def _row(entry: JournalEntry, reader: Reader) -> EntryInWords:
    area, sentence = TEXTS.get(entry.action, (None, ""))
    names = [name for name in {**entry.before, **entry.after} if name not in HIDDEN_FACTS]
    return EntryInWords(
        number=entry.number,
        at=entry.at,
        who=who(entry),
        action=entry.action,
        area=str(area.label) if area else "",
        # An entry of a later version, for instance from an archive, is shown by its name.
        sentence=str(sentence).format_map(_SentenceValues(entry, reader)) if area else entry.action,
        reason=entry.reason,
        facts=tuple(
            Fact(
                label=label(name, entry.subject_type),
                before=_fact_text(entry.before, name, entry, reader),
                after=_fact_text(entry.after, name, entry, reader),
            )
            for name in names
        ),
        hash=entry.hash,
    )


def _fact_text(facts: dict[str, Any], name: str, entry: JournalEntry, reader: Reader) -> str:
    return reader.value(name, facts[name], entry.subject_type) if name in facts else ""


class _SentenceValues(dict[str, str]):
    """The values of the placeholders of a sentence."""

    def __init__(self, entry: JournalEntry, reader: Reader) -> None:
        super().__init__()
        self.entry, self.reader = entry, reader

    def __missing__(self, name: str) -> str:
        entry, reader = self.entry, self.reader
        if name == "subject":
            return reader.subject(entry)
        if name == "place":
            return reader.place(entry)
        if name == "total_cents":
            return euro(sum(line[1] for line in entry.after.get("lines", ())))
        if name == "whose":
            keys = {line[2] for line in entry.after.get("lines", ()) if line[2] is not None}
            names = [reader.names.name(Registration, key) for key in sorted(keys)]
            return "".join(f", {name}" for name in names[:MOST_NAMES])
        if name == "tables_named":
            return ", ".join(entry.after.get("tables", {})) or DASH
        if name.startswith(BEFORE_PREFIX):
            name = name.removeprefix(BEFORE_PREFIX)
            facts = entry.before
        else:
            facts = entry.after if name in entry.after else entry.before
        return reader.value(name, facts.get(name), entry.subject_type)


CSV_HEAD = (
    _("Nummer"),
    _("Datum"),
    _("Uhrzeit"),
    _("wer"),
    _("Bereich"),
    _("was"),
    _("Grund"),
    _("vorher"),
    _("nachher"),
    _("Prüfzahl"),
)


def csv_rows(rows: Iterable[EntryInWords]) -> Iterator[tuple[str | int, ...]]:
    """Yield ``CSV_HEAD``, then one row for each entry, in that order."""
    yield tuple(map(str, CSV_HEAD))
    for row in rows:
        at = timezone.localtime(row.at)
        yield (
            row.number,
            at.strftime("%d.%m.%Y"),
            at.strftime("%H:%M:%S"),
            row.who,
            row.area,
            row.sentence,
            row.reason,
            _joined((fact.label, fact.before) for fact in row.facts),
            _joined((fact.label, fact.after) for fact in row.facts),
            row.hash,
        )


def _joined(facts: Iterable[tuple[str, str]]) -> str:
    return "; ".join(f"{name}: {value}" for name, value in facts if value)
