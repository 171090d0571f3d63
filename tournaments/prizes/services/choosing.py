"""Choosing things in order of rank, and passing over absent persons."""

from __future__ import annotations

from dataclasses import replace

from django.utils import timezone, translation
from django.utils.translation import gettext as _

from scoring.payments.choosing import AbsentChooser
from tournaments.common.errors import Conflict, TournamentError, WrongStatus
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.common.states import TAKES_PEOPLE
from tournaments.journal.acts import Act, Acts
from tournaments.models import PrizePayout, Tournament
from tournaments.prizes.queries.choosing import Chooser, ChoosingState
from tournaments.prizes.services.prizes import check_members, sheet_to_book, store_payout

acts = Acts(MAY_TAKE_MONEY, TAKES_PEOPLE)


@acts.on(Tournament, "choose_thing")
def choose(act: Act[Tournament], *, recipient: str, thing: int) -> PrizePayout:
    """Record the thing that a person has chosen, also out of turn.

    Args:
        recipient: ``Chooser.key``.
        thing: its number in the list; 0 for one not on the list, if all choose.

    Raises:
        WrongStatus: if there is nothing to choose, or not yet.
        Conflict: if the thing is gone, or the person has chosen or gets nothing.
    """
    choosing, chooser = _chooser(act.row, recipient)
    if chooser.thing:
        raise Conflict(
            _("{who} hat schon gewählt: {thing}.").format(who=chooser.called(), thing=chooser.thing)
        )
    if chooser.is_passed and choosing.plan.gone is AbsentChooser.PASSED:
        raise Conflict(
            _("{who} ist übergangen. Bitte das zuerst zurücknehmen.").format(who=chooser.called())
        )
    goods = _goods(choosing, thing, act.row.document_language)
    check_members(act.row, {chooser.row.ranking})
    row = replace(chooser.row, goods=goods, label=f"{chooser.row.label}: {goods}")
    with act.entry("thing_chosen", row.payouts[0] if row.payouts else None):
        payout = store_payout(
            act,
            row,
            goods=goods,
            handed_over_at=timezone.now(),
            handed_over_by=act.actor.user,
            passed_at=None,
        )
        _note(act, payout)
    return payout


def _goods(choosing: ChoosingState, number: int, language: str) -> str:
    if not number and choosing.is_unnamed:
        with translation.override(language):
            return _("selbst gewählt")
    thing = next((each for each in choosing.things if each.number == number), None)
    if thing is None:
        raise TournamentError(
            _("Eine Sache mit der Nummer {number} gibt es nicht.").format(number=number)
            if number
            else _("Bitte die Nummer der Sache eingeben oder auf sie drücken.")
        )
    if not thing.is_left:
        raise Conflict(_("„{thing}“ ist schon weg.").format(thing=thing.name))
    return thing.name


@acts.on(Tournament, "pass_over")
def pass_over(act: Act[Tournament], *, recipient: str) -> PrizePayout:
    """Record that a person was absent when called up.

    Raises:
        WrongStatus: if there is nothing to choose, or not yet.
        Conflict: if the person has chosen, or was passed over before.
    """
    _choosing, chooser = _chooser(act.row, recipient)
    if chooser.thing or chooser.is_passed:
        raise Conflict(_("{who} wartet nicht mehr auf den Aufruf.").format(who=chooser.called()))
    row = chooser.row
    with act.entry("passed_over", row.payouts[0] if row.payouts else None):
        payout = store_payout(act, row, goods="", passed_at=timezone.now())
        _note(act, payout)
    return payout


@acts.on(Tournament, "call_again")
def call_again(act: Act[Tournament], *, recipient: str) -> PrizePayout:
    """Undo passing a person over.

    Raises:
        WrongStatus: if there is nothing to choose, or not yet.
        Conflict: if the person is not passed over.
    """
    _choosing, chooser = _chooser(act.row, recipient)
    if not chooser.is_passed:
        raise Conflict(_("{who} ist nicht übergangen.").format(who=chooser.called()))
    [payout] = chooser.row.payouts
    with act.entry("called_again", payout):
        payout.passed_at = None
        _note(act, payout)
        return act.store(payout)


def _note(act: Act[Tournament], payout: PrizePayout) -> None:
    act.note(
        ranking=payout.ranking,
        registration=payout.registration_id,
        team=payout.team_id,
        goods=payout.goods,
    )


def _chooser(tournament: Tournament, recipient: str) -> tuple[ChoosingState, Chooser]:
    choosing = sheet_to_book(tournament).choosing
    if choosing is None:
        raise WrongStatus(_("In diesem Turnier gibt es nichts zum Wählen."))
    if not choosing.is_settled:
        raise WrongStatus(_("Gewählt wird, sobald alle Listen der Wertung geprüft sind."))
    chooser = next((each for each in choosing.choosers if each.key == recipient), None)
    if chooser is None:
        raise Conflict(_("Diese Person ist hier nicht zum Wählen aufgerufen."))
    return choosing, chooser
