"""The state of each table of a Serie.

The number of queries does not depend on the number of tables.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from functools import lru_cache

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from scoring.checks import check_list
from scoring.errors import Problem
from scoring.reading.interchange import line_from_json
from scoring.reading.ruleset_json import ruleset_from_dict
from tournaments.common.formats import clock, day_in_words, table_word
from tournaments.hall.queries.handing_in import TableToHandIn, rows
from tournaments.models import (
    Call,
    Case,
    Correction,
    Penalty,
    Serie,
    Spielliste,
    Table,
    TableDevice,
    Tournament,
)

Status = Spielliste.Status
SILENT_AFTER = timedelta(minutes=20)  # since the last game entered
EARLY_START = timedelta(hours=1)  # before the time of the Zeitplan
AWAY_AFTER = timedelta(minutes=3)  # since the last request; an awake device polls continually


class Tone(StrEnum):
    """The colour that marks a table; the page has the same information in words."""

    PLAIN = ""
    DONE = "felt"
    WAITS = "amber"
    ALARM = "red"


@dataclass(slots=True, kw_only=True)
class TableCard:
    """One table of the control room."""

    row: TableToHandIn
    now: datetime
    ends_at: datetime | None
    size: int
    usual_size: int
    call: Call | None = None
    cases: list[Case] = field(default_factory=list)
    proposals: int = 0  # number of undecided corrections and Strafpunkte
    keeper_seen_at: datetime | None = None
    devices: int = 0
    doubts: tuple[Problem, ...] = ()

    @property
    def number(self) -> int:
        """Number of the table."""
        return self.row.number

    @property
    def spielliste(self) -> Spielliste:
        """The list of the table."""
        return self.row.spielliste

    @property
    def is_playing(self) -> bool:
        """Whether the table has games to play."""
        return self.spielliste.status == Status.OPEN

    @property
    def is_overdue(self) -> bool:
        """Whether the time is up and games are missing."""
        return self.is_playing and self.ends_at is not None and self.ends_at <= self.now

    @property
    def is_silent(self) -> bool:
        """Whether no game was entered for ``SILENT_AFTER``."""
        last = self.spielliste.last_entry_at
        return (
            self.is_playing
            and not self.spielliste.on_paper
            and last is not None
            and self.now - last >= SILENT_AFTER
        )

    @property
    def is_away(self) -> bool:
        """Whether the device that keeps the list sent no request for ``AWAY_AFTER``."""
        seen_at = self.keeper_seen_at
        return self.is_playing and seen_at is not None and self.now - seen_at >= AWAY_AFTER

    @property
    def tone(self) -> Tone:
        """The colour by urgency: alarm, waiting, done or plain."""
        if (self.call and self.call.taken_at is None) or self.cases or self.is_overdue:
            return Tone.ALARM
        if self.spielliste.status == Status.INVALID or self.row.is_done:
            return Tone.DONE
        waits = self.call or self.proposals or self.is_silent or not self.is_playing
        return Tone.WAITS if waits else Tone.PLAIN

    @property
    def state(self) -> str:
        """The state of the table in a few words; "" if the page shows the time of the last game."""
        if self.call:
            return _("Schiedsrichter") if self.call.taken_at is None else _("Schiedsrichter da")
        if self.cases:
            return self.cases[0].get_kind_display()
        if self.is_overdue:
            return _("Zeit abgelaufen")
        return self._playing_state() if self.is_playing else _done_state(self.row)

    def _playing_state(self) -> str:
        if self.spielliste.on_paper:
            return _("auf Papier")
        if self.spielliste.last_entry_at is None:
            return _("Gerät bereit") if self.devices else _("noch kein Gerät")
        return ""

    @property
    def notes(self) -> list[str]:
        """Further facts about the table."""
        notes = []
        if self.size != self.usual_size:
            notes.append(table_word(self.size))
        if self.spielliste.extra_minutes:
            notes.append(_("+{number} min").format(number=self.spielliste.extra_minutes))
        if self.doubts:
            notes.append(
                ngettext("{number} Hinweis", "{number} Hinweise", len(self.doubts)).format(
                    number=len(self.doubts)
                )
            )
        # Keep number and word on one line on a narrow card.
        return [note.replace(" ", "\N{NO-BREAK SPACE}") for note in notes]


def _done_state(row: TableToHandIn) -> str:
    spielliste = row.spielliste
    if spielliste.status == Status.COMPLETE:
        if spielliste.on_paper:
            return _("vollständig, auf Papier")
        return _("vollständig, {signed} von {seats} unterschrieben").format(
            signed=row.signed, seats=row.seats
        )
    return str(spielliste.get_status_display())


def sizes_in_words(sizes: Iterable[int]) -> str:
    """Return the number of tables of each size, the larger ones first.

    >>> sizes_in_words([4, 3, 4])
    '2 Vierertische · 1 Dreiertisch'
    """
    return " · ".join(
        f"{number} {table_word(size, number)}"
        for size, number in sorted(Counter(sizes).items(), reverse=True)
    )


def current_serie(tournament: Tournament) -> Serie | None:
    """Return the current Serie: the seated one that is not closed, else the last one seated."""
    seated = list(tournament.serien.filter(tables__isnull=False).order_by("number").distinct())
    unclosed = [serie for serie in seated if serie.closed_at is None]
    return next(iter(unclosed or seated[-1:]), None)


def question_before_start(serie: Serie, now: datetime) -> str:
    """Return the question to ask before a Serie starts too early by the Zeitplan, or "".

    The first Serie has the tournament's time if it has no time of its own. A Probelauf has no
    such question.
    """
    tournament = serie.tournament
    opens = tournament.starts_at if serie.number == 1 else None
    planned = tournament.days.begins(serie.number) or opens
    if planned is None or planned - now < EARLY_START or tournament.is_trial_run:
        return ""
    if timezone.localdate(planned) == timezone.localdate(now):
        question = _("{serie} ist erst für {clock} geplant. Trotzdem jetzt beginnen?")
    else:
        question = _("{serie} ist erst für {day}, {clock} geplant. Trotzdem jetzt beginnen?")
    return question.format(serie=serie, day=day_in_words(planned), clock=clock(planned))


def card(serie: Serie, table: int, now: datetime) -> TableCard | None:
    """Return one table of a Serie, or None if there is no such table."""
    return next(iter(_cards(serie, table, now)), None)


def cards(serie: Serie, now: datetime) -> list[TableCard]:
    """Return all tables of a Serie in their order; *serie* has its tournament."""
    return list(_cards(serie, None, now))


def _cards(serie: Serie, table: int | None, now: datetime) -> Iterator[TableCard]:
    """Yield the card of one table, or of all."""
    tables = serie.tables.all() if table is None else serie.tables.filter(number=table)
    open_calls = Call.objects.filter(table__in=tables, done_at__isnull=True)
    calls = {call.table_id: call for call in open_calls.select_related("taken_by")}
    cases: dict[int | None, list[Case]] = defaultdict(list)
    for case in Case.objects.filter(spielliste__table__in=tables, decided_at__isnull=True):
        cases[case.spielliste_id].append(case)
    devices: dict[int, list[TableDevice]] = defaultdict(list)
    for device in TableDevice.objects.filter(table__in=tables, withdrawn_at__isnull=True):
        devices[device.table_id].append(device)
    proposals = _proposals(serie.tournament, tables)
    usual = serie.tournament.rule_set["table_sizes"][0]
    rules = json.dumps(serie.tournament.rule_set, sort_keys=True)
    for row in rows(serie, table=table):
        spielliste = row.spielliste
        table_devices = devices[spielliste.table_id]
        yield TableCard(
            row=row,
            now=now,
            ends_at=serie.ends_at(spielliste.extra_minutes),
            size=row.seats,
            usual_size=usual,
            call=calls.get(spielliste.table_id),
            cases=cases[spielliste.pk],
            proposals=proposals[spielliste.pk],
            keeper_seen_at=next(
                (device.last_seen_at for device in table_devices if device.is_keeper), None
            ),
            devices=len(table_devices),
            doubts=doubts(row.data.texts, seats=row.seats, rules=rules),
        )


def _proposals(tournament: Tournament, tables: QuerySet[Table]) -> Counter[int]:
    """Return the number of undecided Strafpunkte and corrections, by key of the list."""
    penalties = Penalty.objects.filter(spielliste__table__in=tables, status=Penalty.Status.PROPOSED)
    counts = Counter(penalties.values_list("spielliste", flat=True))
    # A move between tables counts at each of them.
    for correction in tournament.corrections.filter(status=Correction.Status.PROPOSED):
        counts.update(correction.touched_lists())
    return counts


def doubts(games: tuple[str, ...], *, seats: int, rules: str) -> tuple[Problem, ...]:
    """Return the doubts of the lines of a list: unlikely or unclear entries.

    Args:
        games: the stored lines in JSON, game 1 first.
        seats: number of players at the table.
        rules: the rule set as JSON, the same text for the same rules.
    """
    # After each act all lists are requested again, most of them unchanged: the result is
    # cached by the lines.
    return _doubts(games, seats, rules, get_language() or "")


@lru_cache(maxsize=2048)
def _doubts(games: tuple[str, ...], seats: int, rules: str, _language: str) -> tuple[Problem, ...]:
    lines = [line_from_json(json.loads(game)) for game in games]
    rule_set = ruleset_from_dict(json.loads(rules))
    return tuple(check_list(lines, rule_set=rule_set, seats=seats).warnings)
