"""Shared parts of public pages."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

LONGEST_SEARCH = 80


def public_frame(request: HttpRequest) -> dict[str, Any]:
    """Return the context of the header of a public page: links to start and log-in."""
    link = (
        {"label": _("Meine Turniere"), "url": reverse("setup:tournaments")}
        if request.user.is_authenticated
        else {"label": _("Login für Helfer"), "url": reverse("account:login")}
    )
    return {"home_url": reverse("public:start"), "header_links": [link]}


def searched(request: HttpRequest) -> str:
    """Return the search text of the request."""
    return request.GET.get("q", "").strip()[:LONGEST_SEARCH]
