"""The acts of a table's device, each carried out once even if it is sent repeatedly."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple

from django.utils.translation import gettext as _

from scoring.reading.records import LARGEST, Text, WholeNumber
from tournaments.common.actors import Actor
from tournaments.common.errors import NotAllowed
from tournaments.common.submissions import Answer, once
from tournaments.lists.queries.sheet import Sheet, sheet_of
from tournaments.lists.services import bought_cards, signing, spiellisten
from tournaments.models import Spielliste
from tournaments.table.services import calls, cases, devices

Version = Annotated[int, WholeNumber(0, 1_000_000)]
Number = Annotated[int, WholeNumber(0, 99)]
Seat = Annotated[int, WholeNumber(1, 99)]
Cards = Annotated[int, WholeNumber(0, LARGEST)]
Words = Annotated[str, Text(lines=True, may_be_empty=True)]
Line = dict[str, Any]  # in the interchange format; checked by the list


class NotTheKeeper(NotAllowed):
    """The device does not keep the list."""


class Visitor(NamedTuple):
    """An admitted device: its key, the keys of its table and list, and its actor."""

    device_id: int
    table_id: int
    spielliste_id: int
    actor: Actor


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceContext:
    """The device of an act, and the list as it is when the act begins."""

    visitor: Visitor
    sheet: Sheet

    @property
    def on_list(self) -> tuple[Actor, int]:
        """The first arguments of acts on the list."""
        return self.visitor.actor, self.visitor.spielliste_id

    @property
    def on_device(self) -> tuple[Actor, int]:
        """The first arguments of acts on the device."""
        return self.visitor.actor, self.visitor.device_id


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceAct(ABC):
    """An act of a device; its fields are read from the request."""

    kind: ClassVar[str]
    for_the_keeper: ClassVar[bool] = True
    writes_lines: ClassVar[bool] = False  # of the given sheet, and changes nothing else
    version: Version = 0  # of the list as the device showed it

    @abstractmethod
    def do(self, sender: DeviceContext) -> object:
        """Carry the act out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterGame(DeviceAct):
    kind: ClassVar[str] = "game"
    writes_lines: ClassVar[bool] = True
    version: Version
    number: Number
    line: Line
    confirmed: bool = False

    def do(self, sender: DeviceContext) -> None:
        spiellisten.write_game(
            sender.sheet,
            actor=sender.visitor.actor,
            number=self.number,
            line=self.line,
            version=self.version,
            confirmed=self.confirmed,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeGame(DeviceAct):
    kind: ClassVar[str] = "change"
    writes_lines: ClassVar[bool] = True
    version: Version
    number: Number
    line: Line | None
    consents: tuple[Seat, ...] = ()
    confirmed: bool = False

    def do(self, sender: DeviceContext) -> None:
        spiellisten.rewrite_game(
            sender.sheet,
            actor=sender.visitor.actor,
            number=self.number,
            line=self.line,
            version=self.version,
            consents=self.consents,
            confirmed=self.confirmed,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SetKeeper(DeviceAct):
    kind: ClassVar[str] = "keeper"
    seat: Number

    def do(self, sender: DeviceContext) -> object:
        return spiellisten.set_listenfuehrer(*sender.on_list, seat=self.seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepOnPaper(DeviceAct):
    kind: ClassVar[str] = "paper"
    on_paper: bool

    def do(self, sender: DeviceContext) -> object:
        return spiellisten.keep_on_paper(*sender.on_list, on_paper=self.on_paper)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteBought(DeviceAct):
    kind: ClassVar[str] = "bought"
    bought: tuple[Cards, ...]

    def do(self, sender: DeviceContext) -> object:
        return bought_cards.note_bought(*sender.on_list, bought=self.bought)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign(DeviceAct):
    kind: ClassVar[str] = "sign"
    version: Version
    seat: Number
    drawing: Words

    def do(self, sender: DeviceContext) -> object:
        return signing.sign(
            *sender.on_list, seat=self.seat, version=self.version, drawing=self.drawing
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SignOnPaper(DeviceAct):
    kind: ClassVar[str] = "sign_paper"
    version: Version

    def do(self, sender: DeviceContext) -> object:
        return signing.sign_on_paper(*sender.on_list, version=self.version)


@dataclass(frozen=True, slots=True, kw_only=True)
class Release(DeviceAct):
    kind: ClassVar[str] = "release"

    def do(self, sender: DeviceContext) -> object:
        return devices.release(*sender.on_device)


# Any device may call for help, ask for a correction, and take over a list without a keeper.


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeOver(DeviceAct):
    kind: ClassVar[str] = "take_over"
    for_the_keeper: ClassVar[bool] = False

    def do(self, sender: DeviceContext) -> object:
        return devices.take_over(*sender.on_device)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallForHelp(DeviceAct):
    kind: ClassVar[str] = "call"
    for_the_keeper: ClassVar[bool] = False
    call_kind: Words

    def do(self, sender: DeviceContext) -> object:
        return calls.call(sender.visitor.actor, sender.visitor.table_id, kind=self.call_kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskForCorrection(DeviceAct):
    kind: ClassVar[str] = "case"
    for_the_keeper: ClassVar[bool] = False
    text: Words
    game: Number | None = None

    def do(self, sender: DeviceContext) -> object:
        return cases.ask_for_correction(*sender.on_list, game=self.game, text=self.text)


ACTS: Mapping[str, type[DeviceAct]] = {
    act.kind: act
    for act in (
        EnterGame,
        ChangeGame,
        SetKeeper,
        KeepOnPaper,
        NoteBought,
        Sign,
        SignOnPaper,
        Release,
        TakeOver,
        CallForHelp,
        AskForCorrection,
    )
}


def carry_out(
    act: DeviceAct, *, visitor: Visitor, key: str, payload: Mapping[str, object]
) -> tuple[Answer, Sheet | None]:
    """Carry out an act of a device unless done already; return the answer for its key.

    With it goes the list after the act, if the act wrote lines of it.

    Args:
        act: the act as read from the request.
        visitor: the device that sends.
        key: made by the device for this act alone.
        payload: the act as sent, to recognise a repetition.

    Raises:
        NotTheKeeper: if the device does not keep the list.
        TournamentError: if the act itself refuses.
    """
    left: Sheet | None = None

    def do(spielliste: Spielliste) -> None:
        nonlocal left
        sheet = sheet_of(spielliste)
        if act.for_the_keeper and sheet.keeper != visitor.device_id:
            raise _not_the_keeper()
        act.do(DeviceContext(visitor=visitor, sheet=sheet))
        left = sheet if act.writes_lines else None

    answer = once(
        spielliste_id=visitor.spielliste_id,
        key=key,
        kind=act.kind,
        payload=payload,
        device_id=visitor.device_id,
        act=do,
    )
    return answer, left


def _not_the_keeper() -> NotTheKeeper:
    return NotTheKeeper(
        _("Dieses Gerät führt die Liste nicht. Zum Eintragen bitte zuerst die Liste übernehmen.")
    )
