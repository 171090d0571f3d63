"""What a table's device may do, each act by its name and what goes with it.

Scripts send them as JSON, forms as fields; here both are read, the device's right is
checked, and the act is done once however often it arrives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from scoring.strict_json import Node
from tournaments.common.actors import Actor
from tournaments.common.errors import NotAllowed, Refused
from tournaments.common.submissions import Answer, once
from tournaments.lists.services import bought_cards, signing, spiellisten
from tournaments.models import TableAccess, TableDevice
from tournaments.table.services import calls, cases, devices

LARGEST_VERSION = 1_000_000


class NotTheKeeper(NotAllowed):
    """The device only looks on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sent:
    """What arrived, and from where."""

    access: TableAccess
    device: TableDevice
    actor: Actor
    fields: Mapping[str, Node]

    @property
    def spielliste_id(self) -> int:
        return self.access.table.spielliste.pk

    def number(self, name: str, *, maximum: int = 99) -> int:
        return self.fields[name].whole_number(minimum=0, maximum=maximum) or 0

    def version(self) -> int:
        return self.number("version", maximum=LARGEST_VERSION)

    def flag(self, name: str) -> bool:
        return name in self.fields and bool(self.fields[name].boolean())

    def text(self, name: str) -> str:
        value = self.fields[name].value
        if not isinstance(value, str):
            self.fields[name].refuse(_("Hier muss ein Text stehen."))
            return ""
        return value

    def line(self) -> Mapping[str, Any]:
        node = self.fields["line"]
        if not isinstance(node.value, dict):
            node.refuse(_("Hier muss ein Spiel stehen."))
            return {}
        return node.value

    def seats(self, name: str) -> list[int]:
        nodes = self.fields[name].items() if name in self.fields else None
        return [node.whole_number(minimum=1, maximum=99) or 0 for node in nodes or ()]


# Each reads what it needs and returns what does it: nothing is done before all was read.
Act = Callable[[], object]


def _game(sent: _Sent) -> Act:
    number, version = sent.number("number"), sent.version()
    line, confirmed = sent.line(), sent.flag("confirmed")
    return lambda: spiellisten.enter_game(
        spielliste_id=sent.spielliste_id,
        number=number,
        line=line,
        version=version,
        confirmed=confirmed,
        actor=sent.actor,
    )


def _change(sent: _Sent) -> Act:
    number, version = sent.number("number"), sent.version()
    line = None if sent.fields["line"].is_null else sent.line()
    consents, confirmed = sent.seats("consents"), sent.flag("confirmed")
    return lambda: spiellisten.change_game(
        spielliste_id=sent.spielliste_id,
        number=number,
        line=line,
        version=version,
        consents=consents,
        confirmed=confirmed,
        actor=sent.actor,
    )


def _keeper(sent: _Sent) -> Act:
    seat = sent.number("seat")
    return lambda: spiellisten.set_listenfuehrer(
        spielliste_id=sent.spielliste_id, seat=seat, actor=sent.actor
    )


def _paper(sent: _Sent) -> Act:
    on_paper = sent.flag("on_paper")
    return lambda: spiellisten.keep_on_paper(
        spielliste_id=sent.spielliste_id, on_paper=on_paper, actor=sent.actor
    )


def _bought(sent: _Sent) -> Act:
    nodes = sent.fields["bought"].items() if "bought" in sent.fields else None
    bought = [node.whole_number(minimum=0) or 0 for node in nodes or ()]
    return lambda: bought_cards.note_bought(
        spielliste_id=sent.spielliste_id, bought=bought, actor=sent.actor
    )


def _sign(sent: _Sent) -> Act:
    seat, version, drawing = sent.number("seat"), sent.version(), sent.text("drawing")
    return lambda: signing.sign(
        spielliste_id=sent.spielliste_id,
        seat=seat,
        version=version,
        drawing=drawing,
        actor=sent.actor,
    )


def _sign_paper(sent: _Sent) -> Act:
    version = sent.version()
    return lambda: signing.sign_on_paper(
        spielliste_id=sent.spielliste_id, version=version, actor=sent.actor
    )


def _call(sent: _Sent) -> Act:
    kind = sent.text("call_kind")
    return lambda: calls.call(table_id=sent.access.table_id, kind=kind, actor=sent.actor)


def _case(sent: _Sent) -> Act:
    about_a_game = "game" in sent.fields and not sent.fields["game"].is_null
    game = sent.number("game") if about_a_game else None
    text = sent.text("text")
    return lambda: cases.ask_for_correction(
        spielliste_id=sent.spielliste_id, game=game, text=text, actor=sent.actor
    )


def _take_over(sent: _Sent) -> Act:
    return lambda: devices.take_over(device_id=sent.device.pk, actor=sent.actor)


def _release(sent: _Sent) -> Act:
    return lambda: devices.release(device_id=sent.device.pk, actor=sent.actor)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    read: Callable[[_Sent], Act]
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    for_the_keeper: bool = True


KINDS: Mapping[str, _Kind] = {
    "game": _Kind(read=_game, required=("version", "number", "line"), optional=("confirmed",)),
    "change": _Kind(
        read=_change,
        required=("version", "number", "line"),
        optional=("consents", "confirmed"),
    ),
    "keeper": _Kind(read=_keeper, required=("seat",)),
    "paper": _Kind(read=_paper, required=("on_paper",)),
    "bought": _Kind(read=_bought, required=("bought",)),
    "sign": _Kind(read=_sign, required=("version", "seat", "drawing")),
    "sign_paper": _Kind(read=_sign_paper, required=("version",)),
    "release": _Kind(read=_release),
    # Whoever looks on may call for help, ask for a correction, and take a list that nobody keeps.
    "take_over": _Kind(read=_take_over, for_the_keeper=False),
    "call": _Kind(read=_call, required=("call_kind",), for_the_keeper=False),
    "case": _Kind(read=_case, required=("text",), optional=("game",), for_the_keeper=False),
}


def carry_out(
    *, access: TableAccess, device: TableDevice, kind: str, key: str, body: Mapping[str, Any]
) -> Answer:
    """Do what a device sent, or find that it was done; return the answer for that key.

    Args:
        access: by which the device came, from ``devices.find_access``.
        device: that sends.
        kind: name of the act, one of ``KINDS``.
        key: made by the device for this act alone.
        body: what goes with it, by name; JSON values, not to be trusted.

    Raises:
        Refused: if something is missing or wrong in it, or the act refuses it.
        NotTheKeeper: if the device only looks on.
        TournamentError: what the act itself refuses with.
    """
    node = Node(dict(body), "", [])
    wanted = KINDS.get(kind)
    if wanted is None:
        node.refuse(_("„{kind}“ gibt es hier nicht.").format(kind=kind[:40]))
        raise Refused(node.problems)
    optional = {*wanted.optional, "version"} - set(wanted.required)
    fields = node.fields(required=wanted.required, optional=sorted(optional))
    if node.problems:
        raise Refused(node.problems)
    sent = _Sent(access=access, device=device, actor=Actor.table(access.table), fields=fields)
    act = wanted.read(sent)
    if node.problems:
        raise Refused(node.problems)

    def done() -> Answer:
        if wanted.for_the_keeper:
            _demand_keeper(device)
        act()
        return {"ok": True}

    return once(
        spielliste=access.table.spielliste,
        key=key,
        kind=kind,
        payload=body,
        device=device,
        act=done,
    )


def _demand_keeper(device: TableDevice) -> None:
    now = TableDevice.objects.filter(pk=device.pk, withdrawn_at__isnull=True)
    if not now.filter(is_keeper=True).exists():
        raise NotTheKeeper(
            _(
                "Dieses Gerät führt die Liste nicht. Zum Eintragen bitte zuerst die Liste "
                "übernehmen."
            )
        )
