"""The acts of a table's device; submitting an act is idempotent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any, ClassVar, NamedTuple

from django.utils.translation import gettext as _

from scoring.reading.records import LARGEST, Text, WholeNumber
from tournaments.common.actors import Actor
from tournaments.common.errors import NotAllowed
from tournaments.common.submissions import Answer, earlier_answer
from tournaments.journal.acts import ActFunction
from tournaments.lists.queries.sheet import Sheet
from tournaments.lists.services import bought_cards, signing, spiellisten
from tournaments.machine.hashes import hash_of
from tournaments.models import Spielliste, Submission, Table, TableDevice
from tournaments.models.rows import Row
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

    def key_of(self, model: type[Row]) -> int:
        """Return the key of the row of a model: the device, its table or its list."""
        keys = {TableDevice: self.device_id, Table: self.table_id, Spielliste: self.spielliste_id}
        return keys[model]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceAct:
    """An act of a device; its fields are read from the request."""

    kind: ClassVar[str]
    does: ClassVar[ActFunction[..., Any]]
    for_the_keeper: ClassVar[bool] = True
    version: Version = 0  # of the list as the device showed it

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of the act."""
        names = [field.name for field in fields(self) if field.name != "version"]
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True, kw_only=True)
class OnVersion(DeviceAct):
    """An act on the lines that the device showed, with their version."""

    version: Version

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of the act, with the version."""
        return {**DeviceAct.arguments(self), "version": self.version}


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterGame(OnVersion):
    kind: ClassVar[str] = "game"
    does: ClassVar[ActFunction[..., Any]] = spiellisten.enter_game
    number: Number
    line: Line
    confirmed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeGame(OnVersion):
    kind: ClassVar[str] = "change"
    does: ClassVar[ActFunction[..., Any]] = spiellisten.change_game
    number: Number
    line: Line | None
    consents: tuple[Seat, ...] = ()
    confirmed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SetKeeper(DeviceAct):
    kind: ClassVar[str] = "keeper"
    does: ClassVar[ActFunction[..., Any]] = spiellisten.set_listenfuehrer
    seat: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepOnPaper(DeviceAct):
    kind: ClassVar[str] = "paper"
    does: ClassVar[ActFunction[..., Any]] = spiellisten.keep_on_paper
    on_paper: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteBought(DeviceAct):
    kind: ClassVar[str] = "bought"
    does: ClassVar[ActFunction[..., Any]] = bought_cards.note_bought
    bought: tuple[Cards, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign(OnVersion):
    kind: ClassVar[str] = "sign"
    does: ClassVar[ActFunction[..., Any]] = signing.sign
    seat: Number
    drawing: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class SignOnPaper(OnVersion):
    kind: ClassVar[str] = "sign_paper"
    does: ClassVar[ActFunction[..., Any]] = signing.sign_on_paper


@dataclass(frozen=True, slots=True, kw_only=True)
class Release(DeviceAct):
    kind: ClassVar[str] = "release"
    does: ClassVar[ActFunction[..., Any]] = devices.release


# Any device may call for help, ask for a correction, and take over a list without a keeper.


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeOver(DeviceAct):
    kind: ClassVar[str] = "take_over"
    does: ClassVar[ActFunction[..., Any]] = devices.take_over
    for_the_keeper: ClassVar[bool] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CallForHelp(DeviceAct):
    kind: ClassVar[str] = "call"
    does: ClassVar[ActFunction[..., Any]] = calls.call
    for_the_keeper: ClassVar[bool] = False
    call_kind: Words

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of the act; „kind“ names the act itself in a request."""
        return {"kind": self.call_kind}


@dataclass(frozen=True, slots=True, kw_only=True)
class AskForCorrection(DeviceAct):
    kind: ClassVar[str] = "case"
    does: ClassVar[ActFunction[..., Any]] = cases.ask_for_correction
    for_the_keeper: ClassVar[bool] = False
    text: Words
    game: Number | None = None


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
    """Carry out an act of a device once; return the answer for its key.

    If the act returns its list, the list is returned with the answer.

    Args:
        act: the act as read from the request.
        visitor: the device that sends.
        key: created by the device for this act only.
        payload: the submitted act, to recognise a repetition.

    Raises:
        NotTheKeeper: if the device does not keep the list.
        TournamentError: if the act itself refuses.
    """
    submission = Submission(
        spielliste_id=visitor.spielliste_id,
        device_id=visitor.device_id,
        key=key,
        kind=act.kind,
        digest=hash_of([act.kind, dict(payload)]),
        answer={"ok": True},
    )
    with act.does.locked(visitor.actor, visitor.key_of(act.does.rule.on)) as locked:
        keeper, answer = earlier_answer(submission)
        if answer is not None:
            return answer, None
        if act.for_the_keeper and keeper != visitor.device_id:
            raise NotTheKeeper(
                _(
                    "Dieses Gerät führt die Liste nicht. Zum Eintragen bitte zuerst die Liste "
                    "übernehmen."
                )
            )
        done = act.does.run(locked, **act.arguments())
        submission.save(force_insert=True)
    return submission.answer, done if isinstance(done, Sheet) else None
