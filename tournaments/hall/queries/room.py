"""The control room: all tables of a Serie, and the most urgent things to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import IntEnum

from django.utils.translation import gettext as _

from scoring.money import euro
from tournaments.draw.queries.floor import FloorPlan, floor_plan
from tournaments.hall.queries.control import SILENT_AFTER, TableCard, Tone, cards, sizes_in_words
from tournaments.hall.queries.handing_in import MissingItems, TableToHandIn
from tournaments.models import Call, Case, Serie, Spielliste

Status = Spielliste.Status


SHOWN_FIRST = 3  # rows above the floor plan; the others are folded


class Urgency(IntEnum):
    """The urgency of a thing to do; the lowest number comes first."""

    CALL = 1
    CASE = 2
    OVERDUE = 3
    PROPOSAL = 4
    CALL_TAKEN = 5
    HAND_IN = 6
    SILENT = 7


# Tables with the same of these urgencies share one row.
GROUPED_URGENCIES = frozenset({Urgency.OVERDUE, Urgency.HAND_IN, Urgency.SILENT})


@dataclass(frozen=True, slots=True, kw_only=True)
class Attention:
    """One thing to do, for one table or for several."""

    table: int
    urgency: Urgency
    title: str
    details: tuple[str, ...] = ()
    since: datetime | None = None
    call: Call | None = None
    case: Case | None = None
    tables: tuple[int, ...] = ()  # all table numbers, if several

    @property
    def key(self) -> str:
        """ID of the row on the page, so that it keeps the keyboard focus."""
        if self.tables:
            return self.urgency.name.lower()
        return f"{self.urgency.name.lower()}-{self.case.pk if self.case else self.table}"

    @property
    def tone(self) -> Tone:
        """The colour of the row: an alarm up to ``Urgency.OVERDUE``."""
        return Tone.ALARM if self.urgency <= Urgency.OVERDUE else Tone.WAITS

    @property
    def is_proposal(self) -> bool:
        """Whether a proposal waits for a decision."""
        return self.urgency == Urgency.PROPOSAL

    @property
    def is_handing_in(self) -> bool:
        """Whether the table is handing its list in."""
        return self.urgency == Urgency.HAND_IN


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlRoom:
    """A Serie as the control room shows it."""

    serie: Serie
    now: datetime
    ends_at: datetime | None  # without extra time of tables
    cards: Sequence[TableCard]
    attention: Sequence[Attention]

    @property
    def hall(self) -> FloorPlan[TableCard]:
        """The floor plan of the tables."""
        return floor_plan(self.serie.tournament, {card.number: card for card in self.cards})

    @property
    def players(self) -> int:
        """The number of players seated."""
        return sum(card.size for card in self.cards)

    @property
    def sizes(self) -> str:
        """The number of tables of each size, in words."""
        return sizes_in_words(card.size for card in self.cards)

    @property
    def done(self) -> int:
        """The number of tables that have handed in everything."""
        return sum(card.row.is_done for card in self.cards)

    @property
    def first(self) -> Sequence[Attention]:
        """The most urgent rows, shown above the floor plan."""
        return self.attention[:SHOWN_FIRST]

    @property
    def further(self) -> Sequence[Attention]:
        """The rows after the first ones."""
        return self.attention[SHOWN_FIRST:]

    @property
    def further_alarms(self) -> int:
        """The number of tables with an alarm in the other rows."""
        return _alarms(self.further)

    @property
    def is_untouched(self) -> bool:
        """Whether no game is entered."""
        return not any(card.row.games for card in self.cards)

    @property
    def alarms(self) -> int:
        """The number of tables with an alarm."""
        return _alarms(self.attention)


def _alarms(rows: Iterable[Attention]) -> int:
    return sum(len(attention.tables) or 1 for attention in rows if attention.tone == Tone.ALARM)


def room(serie: Serie, now: datetime) -> ControlRoom:
    """Return all tables of a Serie and the things to do.

    Args:
        serie: with its tournament.
    """
    tables = cards(serie, now)
    return ControlRoom(
        serie=serie,
        now=now,
        ends_at=serie.ends_at(),
        cards=tables,
        attention=_attention_rows(tables),
    )


# --- Things to do ---------------------------------------------------------------------------


def _attention_rows(tables: Iterable[TableCard]) -> list[Attention]:
    """Return the things to do, the most urgent first; each table has one row at most."""
    rows: list[Attention] = []
    together: dict[Urgency, list[Attention]] = {}
    for card in tables:
        waiting = sorted(_attention(card), key=lambda attention: attention.urgency)
        if not waiting:
            continue
        first, *further = waiting
        also = tuple(_("auch: {what}").format(what=attention.title) for attention in further)
        first = replace(first, details=(*first.details, *also))
        if first.urgency in GROUPED_URGENCIES and not also:
            together.setdefault(first.urgency, []).append(first)
        else:
            rows.append(first)
    for urgency, group in together.items():
        rows += group if len(group) == 1 else [_grouped(urgency, group)]
    return sorted(rows, key=lambda attention: (attention.urgency, attention.table))


def _grouped(urgency: Urgency, group: Sequence[Attention]) -> Attention:
    titles = {
        Urgency.OVERDUE: _("Zeit abgelaufen"),
        Urgency.HAND_IN: _("zur Abgabe"),
        Urgency.SILENT: _("ohne Eintrag seit {minutes} min").format(
            minutes=SILENT_AFTER // timedelta(minutes=1)
        ),
    }
    tables = tuple(attention.table for attention in group)
    return Attention(table=tables[0], tables=tables, urgency=urgency, title=titles[urgency])


def _attention(card: TableCard) -> Iterator[Attention]:
    if card.call:
        yield _call_attention(card, card.call)
    for case in card.cases:
        game = (_("Spiel {number}").format(number=case.game),) if case.game else ()
        yield Attention(
            table=card.number,
            urgency=Urgency.CASE,
            title=case.get_kind_display(),
            details=(*game, _("„{text}“").format(text=case.text)),
            since=case.created_at,
            case=case,
        )
    if card.is_overdue:
        yield Attention(
            table=card.number,
            urgency=Urgency.OVERDUE,
            title=_("Zeit abgelaufen"),
            details=(_progress(card),),
            since=card.ends_at,
        )
    if card.proposals:
        yield Attention(
            table=card.number,
            urgency=Urgency.PROPOSAL,
            title=_("Vorschlag wartet auf die Entscheidung"),
        )
    if card.row.is_begun and not card.row.is_done:
        yield _hand_in_attention(card)
    elif card.is_silent and not card.is_overdue:
        yield Attention(
            table=card.number,
            urgency=Urgency.SILENT,
            title=_("Lange kein Eintrag"),
            details=(_progress(card),),
            since=card.spielliste.last_entry_at,
        )


def _progress(card: TableCard) -> str:
    return _("{games} von {wanted} Spielen").format(
        games=card.row.games, wanted=card.row.games_wanted
    )


def _call_attention(card: TableCard, call: Call) -> Attention:
    is_taken = call.taken_at is not None
    return Attention(
        table=card.number,
        urgency=Urgency.CALL_TAKEN if is_taken else Urgency.CALL,
        title=_("Übernommen von {name}").format(name=call.taken_by)
        if is_taken
        else _("Schiedsrichter gerufen"),
        details=(call.get_kind_display(),),
        since=call.taken_at or call.created_at,
        call=call,
    )


def _hand_in_attention(card: TableCard) -> Attention:
    row = card.row
    missing = row.missing
    if MissingItems.GAMES in missing:
        title = _("Liste liegt vor, Spiele noch nicht eingetragen")
    elif card.spielliste.status == Status.COMPLETE:
        title = _("Liste vollständig")
    elif MissingItems.SIGNATURES in missing:
        title = _("Liste auf Papier unterschrieben")
    else:
        title = str(card.spielliste.get_status_display()).capitalize()
    return Attention(
        table=card.number,
        urgency=Urgency.HAND_IN,
        title=title,
        details=tuple(missing_in_words(row)),
    )


def missing_in_words(row: TableToHandIn) -> list[str]:
    """Return the missing items of a table in words."""
    words = {
        MissingItems.GAMES: _("noch {number} Spiele").format(number=row.games_wanted - row.games),
        MissingItems.SIGNATURES: _("{number} von {seats} Unterschriften").format(
            number=row.signed - row.unseen, seats=row.seats
        ),
        MissingItems.LIST: _("Liste fehlt"),
        MissingItems.CARDS: _("Startkarten fehlen"),
        MissingItems.BUSSGELD: _bussgeld_in_words(row),
    }
    return [words[item] for item in row.missing]


def _bussgeld_in_words(row: TableToHandIn) -> str:
    if row.open_cents < 0:
        return _("Bußgeld: {amount} zurückzahlen").format(amount=euro(-row.open_cents))
    if row.open_cents == 0:
        return _("Bußgeld auszugleichen")
    return _("Bußgeld {amount} offen").format(amount=euro(row.open_cents))
