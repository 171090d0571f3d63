"""The rights of each role in a tournament as a table, read from the acts and the views."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.urls import resolve, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.journal.acts import ACTS
from tournaments.models import Role, Tournament
from tournaments.web.access import VIEW_ATTRIBUTE, Access

# Tasks in the order of the day, each with an act or the URL name of a page.
_TASKS: tuple[tuple[Promise, str], ...] = (
    (_("die Ausschreibung ändern"), "change_fields"),
    (_("das Regelwerk wählen"), "change_rule_set"),
    (_("das Turnier absagen"), "call_off"),
    (_("melden, kassieren, das Kassenbuch führen"), "register"),
    (_("auslosen und bekannt geben"), "publish_draw"),
    (_("gezogene Startkarten eintragen"), "enter_cards"),
    (_("eine Serie beginnen, Zeit zugeben"), "start_serie"),
    (_("im Saal: Tische sehen, Rufe annehmen"), "take_call"),
    (_("Listen annehmen"), "take_all"),
    (_("Listen ansehen, Strafpunkte vorschlagen"), "propose_penalty"),
    (_("Listen prüfen und berichtigen"), "verify"),
    (_("mitteilen, was berichtigt ist"), "tell_notice"),
    (_("die Rangliste sehen, drucken"), "results:ranking"),
    (_("Preise auszahlen"), "pay_prize"),
    (_("eine Serie, das Turnier abschließen"), "close"),
    (_("das Turnier wieder öffnen"), "reopen"),
    (_("nach einer Absage zurückzahlen"), "refund_all"),
    (_("das Protokoll lesen"), "journal:page"),
    (_("Rollen vergeben"), "invite"),
    (_("das Archiv schreiben"), "archive:export"),
)


# Each role in a few words; the sets of roles are in common/roles.py.
ROLE_DUTIES = {
    Role.VERANSTALTER: _("ernennt alle anderen und darf, was sie dürfen"),
    Role.SPIELLEITUNG: _("leitet das Turnier, von der Ausschreibung bis zum Abschluss"),
    Role.SCHIEDSRICHTER: _("arbeitet im Saal: Rufe, Spiellisten, Prüfung, Mitteilungen"),
    Role.KASSE: _("nimmt Meldungen und Geld an und gibt Startkarten aus"),
}


@cache
def _rights() -> tuple[tuple[Promise, frozenset[Any], frozenset[Any]], ...]:
    return tuple((does, *_by_and_when(name)) for does, name in _TASKS)


def rights() -> list[tuple[Promise, list[bool], str]]:
    """Return the tasks in a tournament, each with the right of each role, and the states."""
    return [(does, [role in by for role in Role], _in_words(when)) for does, by, when in _rights()]


def _by_and_when(name: str) -> tuple[frozenset[Any], frozenset[Any]]:
    if name in ACTS:
        rule = ACTS[name].rule
        return rule.by, rule.when.tournament
    access: Access = getattr(resolve(reverse(name, args=["x"])).func, VIEW_ATTRIBUTE)
    return access.roles, frozenset(Tournament.Status)


def _in_words(states: frozenset[Any]) -> str:
    if states == set(Tournament.Status):
        return gettext("immer")
    return ", ".join(str(status.label) for status in Tournament.Status if status in states)
