"""The rights of each role in a tournament as a table, read from the views."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from django.urls import resolve, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.models import Role
from tournaments.web.access import VIEW_ATTRIBUTE, Access

_LIST = {"serie": 1, "table": 1}
# Tasks in the order of the day, each with the URL name of one view and its arguments.
_DONE: tuple[tuple[Promise, str, Mapping[str, object]], ...] = (
    (_("die Ausschreibung ändern"), "setup:section", {"name": "text"}),
    (_("melden, kassieren, das Kassenbuch führen"), "desk:desk", {}),
    (_("auslosen und bekannt geben"), "draw:publish", {"number": 1}),
    (_("gezogene Startkarten eintragen"), "draw:card", {"number": 1}),
    (_("eine Serie beginnen, Zeit zugeben"), "hall:start", {"number": 1}),
    (_("im Saal: Tische sehen, Rufe annehmen"), "hall:room", {"number": 1}),
    (_("Listen annehmen"), "hall:hand_in_act", {"number": 1, "table": 1}),
    (_("Listen ansehen, Strafpunkte vorschlagen"), "checking:penalties", _LIST),
    (_("Listen prüfen und berichtigen"), "checking:verify", _LIST),
    (_("mitteilen, was berichtigt ist"), "notices:page", {}),
    (_("die Rangliste sehen, drucken"), "results:ranking", {}),
    (_("Preise auszahlen"), "prizes:pay", {}),
    (_("Serie und Turnier abschließen"), "closing:close", {}),
    (_("das Protokoll lesen"), "journal:page", {}),
    (_("Rollen vergeben, das Archiv schreiben"), "account:roles", {}),
)


@dataclass(frozen=True, slots=True)
class Right:
    """One task, and for each role in its order whether it has the right."""

    does: Promise
    roles: tuple[bool, ...]


@cache
def rights() -> tuple[Right, ...]:
    """Return the tasks in a tournament with the roles that may do them."""
    return tuple(
        Right(does, tuple(role in _access(name, keys).roles for role in Role))
        for does, name, keys in _DONE
    )


def _access(name: str, keys: Mapping[str, object]) -> Access:
    view = resolve(reverse(name, kwargs={"slug": "x", **keys})).func
    access: Access = getattr(view, VIEW_ATTRIBUTE)
    return access
