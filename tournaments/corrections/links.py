"""Addresses and breadcrumbs of the pages about one list."""

from __future__ import annotations

from urllib.parse import urlencode

from django.urls import reverse

from tournaments.common.digits import number_in
from tournaments.models import Spielliste
from tournaments.web.access import StaffRequest


def list_url(spielliste: Spielliste, name: str = "list", **query: str) -> str:
    """Return the address of a list's page."""
    serie = spielliste.table.serie
    url = reverse(
        f"checking:{name}", args=[serie.tournament.slug, serie.number, spielliste.table.number]
    )
    return f"{url}?{urlencode(query)}" if query else url


def named_case(request: StaffRequest) -> int | None:
    """Return the key of the case in the address, which a correction will decide."""
    return number_in(request.GET.get("fall"))


def crumbs_of(spielliste: Spielliste, *further: tuple[str, str]) -> list[tuple[str, str]]:
    """Return the breadcrumbs of a list's page and the pages below it."""
    serie = spielliste.table.serie
    slug = serie.tournament.slug
    return [
        (str(serie), reverse("checking:serie", args=[slug, serie.number])),
        (str(spielliste.table), list_url(spielliste)),
        *further,
    ]
