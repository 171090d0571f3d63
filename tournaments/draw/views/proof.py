"""The proof of a draw: the hash before the draw, the file to repeat it afterwards."""

from __future__ import annotations

import json

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.announcement.views.public import find_tournament
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.draw.queries import seating as queries
from tournaments.draw.queries.task import task_file
from tournaments.models import Draw, Serie, Tournament
from tournaments.web.access import StaffRequest, own, public, roles_required
from tournaments.web.downloads import download


@roles_required(MAY_TAKE_MONEY)
def poster(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show the hash of the draw, to be printed and put up before the draw."""
    serie = own(tournament, Serie, number=number)
    draw = serie.draws.exclude(status=Draw.Status.DISCARDED).order_by("-number").first()
    if draw is None or not draw.seed_hash or draw.method == Serie.Seating.CARDS:
        raise Http404
    context = {
        "serie": serie,
        "draw": draw,
        "groups": [draw.seed_hash[at : at + 8] for at in range(0, len(draw.seed_hash), 8)],
        "players": len(draw.task["players"]),
        "proof": queries.proof_of(draw),
    }
    return render(request, "tournaments/draw/poster.html", context)


@roles_required(MAY_TAKE_MONEY)
def task(_request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Return the file with which ``plan_seating`` repeats a published draw."""
    return _file(own(tournament, Serie, number=number))


@public
def public_task(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Return the same file to the public, unless it contains separations.

    It determines the seat of every start number, so it is as public as the seats.
    """
    tournament = find_tournament(request, slug)
    return _file(own(tournament, Serie, number=number), is_public=True)


def _file(serie: Serie, *, is_public: bool = False) -> HttpResponse:
    draw = serie.draws.filter(status=Draw.Status.PUBLISHED).first()
    proof = None if draw is None else queries.proof_of(draw)
    if draw is None or proof is None or not proof.is_repeatable:
        raise Http404
    if is_public and (proof.is_private or not serie.tournament.public_seating):
        raise Http404
    task = json.dumps(task_file(draw.task, draw.seed), ensure_ascii=False, indent=1)
    return download(task, f"auslosung-serie-{serie.number}.json")
