"""The Startkarten on the screen, to be scanned with a phone or printed by the browser."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render

from tournaments.common.access_keys import player_path
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.draw.queries import cards as queries
from tournaments.machine.addresses import absolute
from tournaments.machine.qr_codes import in_page
from tournaments.models import Tournament
from tournaments.results.services import player_access
from tournaments.web.access import StaffRequest, roles_required

CARDS_PER_PAGE = 24


@roles_required(MAY_TAKE_MONEY)
def cards(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the cards of all players who have paid, or the one of a start number."""
    player_access.store_tokens(tournament)
    everybody = queries.registrations_with_card(tournament)
    typed = request.GET.get("nr", "").strip()
    chosen = [player for player in everybody if str(player.number) == typed] if typed else everybody
    page = Paginator(chosen, CARDS_PER_PAGE).get_page(request.GET.get("page"))
    context: dict[str, Any] = {
        "tournament": tournament,
        "page_obj": page,
        "cards": [
            {
                "registration": player,
                "cells": cells,
                "code": in_page(absolute(request, player_path(player))),
            }
            for player, cells in queries.cards(tournament, list(page.object_list))
        ],
        "typed": typed,
        "everybody": len(everybody),
    }
    return render(request, "tournaments/draw/cards.html", context)
