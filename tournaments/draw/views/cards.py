"""Drawn Startkarten at the desk: typed, scanned, or drawn by the program."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.common.errors import TournamentError
from tournaments.draw.forms import CardEntry, CardForm
from tournaments.draw.services import cards as draw_cards
from tournaments.draw.views.page import lead_act, page, page_act, required_draft
from tournaments.models import Draw, Registration, Serie, Tournament
from tournaments.results.services import player_access
from tournaments.web.access import StaffRequest, own
from tournaments.web.acting import form_data


@page_act
def card(request: StaffRequest, tournament: Tournament, number: int) -> str | HttpResponse:
    """Enter drawn cards, or ask for the card of the player that was named or scanned."""
    serie = own(tournament, Serie, number=number)
    entered: CardEntry = form_data(request, CardForm(request.POST), "card_form")["entered"]
    player = _named_registration(tournament, entered)
    cards = entered.cards
    if player is not None and entered.card is not None:
        cards = {player.number or 0: entered.card}
    if not cards:
        awaited = CardForm(initial={"number": player.number if player else None})
        return page(request, tournament, serie.number, card_form=awaited, awaited=player)
    draft = required_draft(tournament, number)
    draw_cards.enter_cards(request.actor, draft.pk, cards=cards)
    return _stored_message(tournament, cards)


def _named_registration(tournament: Tournament, entered: CardEntry) -> Registration | None:
    """Return the registration that was scanned or named without its card, or None."""
    if entered.token:
        scanned = player_access.find_registration(entered.token)
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


def _stored_message(tournament: Tournament, cards: dict[int, tuple[int, int]]) -> str:
    if len(cards) > 1:
        return ngettext(
            "{count} Karte eingetragen.", "{count} Karten eingetragen.", len(cards)
        ).format(count=len(cards))
    ((number, (table, seat)),) = cards.items()
    player = tournament.registrations.select_related("person").get(number=number)
    return _("{name}: Tisch {table}, Platz {seat}").format(name=player, table=table, seat=seat)


@lead_act(of=required_draft)
def fill_up(request: StaffRequest, draft: Draw) -> str:
    """Draw the missing cards."""
    draw_cards.fill_up(request.actor, draft.pk)
    return ""
