"""Drawn Startkarten at the desk: typed or scanned one after another, the rest drawn."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from tournaments.common.access import StaffRequest, roles_required
from tournaments.common.errors import TournamentError
from tournaments.common.roles import MAY_LEAD, MAY_TAKE_MONEY
from tournaments.draw.forms import CardForm, Entered
from tournaments.draw.services import cards as draw_cards
from tournaments.draw.views.page import act, find_serie, page, required_draft
from tournaments.models import Registration, Tournament
from tournaments.results.services import player_access


@require_POST
@roles_required(MAY_TAKE_MONEY)
def card(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Write down cards that were drawn, or ask for the card of who was named or scanned."""
    found = find_serie(tournament, number)
    form = CardForm(request.POST)
    if not form.is_valid():
        return page(request, found, status=422, card_form=form)
    entered: Entered = form.cleaned_data["entered"]
    try:
        whose = _whose(tournament, entered)
        cards = entered.cards
        if whose is not None and entered.card is not None:
            cards = {whose.number or 0: entered.card}
        if not cards:
            awaited = CardForm(initial={"number": whose.number if whose else None})
            return page(request, found, card_form=awaited, awaited=whose)
        draw_cards.enter_cards(draw_id=required_draft(found).pk, cards=cards, actor=request.actor)
    except TournamentError as refusal:
        return page(request, found, status=409, card_form=form, error=str(refusal))
    messages.success(request, _done(tournament, cards))
    return redirect("draw:serie", tournament.slug, found.number)


def _whose(tournament: Tournament, entered: Entered) -> Registration | None:
    """Return who was scanned or named without a card, if anybody was."""
    if entered.token:
        scanned = player_access.find(entered.token)
        if scanned is None or scanned.tournament_id != tournament.pk:
            raise TournamentError(_("Diese Startkarte gehört nicht zu diesem Turnier."))
        return scanned
    if entered.number is None:
        return None
    named = tournament.registrations.select_related("person").filter(number=entered.number).first()
    if named is None:
        raise TournamentError(
            _("Die Startnummer {number} ist nicht vergeben.").format(number=entered.number)
        )
    return named


def _done(tournament: Tournament, cards: dict[int, tuple[int, int]]) -> str:
    if len(cards) > 1:
        return ngettext(
            "{count} Karte eingetragen.", "{count} Karten eingetragen.", len(cards)
        ).format(count=len(cards))
    ((number, (table, seat)),) = cards.items()
    one = tournament.registrations.select_related("person").get(number=number)
    return _("{name}: Tisch {table}, Platz {seat}").format(name=one, table=table, seat=seat)


@require_POST
@roles_required(MAY_LEAD)
def fill_up(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Draw the cards that are missing."""
    found = find_serie(tournament, number)
    return act(
        request,
        found,
        lambda _data: draw_cards.fill_up(draw_id=required_draft(found).pk, actor=request.actor),
    )
