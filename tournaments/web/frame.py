"""Shared parts of public pages."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

LONGEST_SEARCH = 80


def public_frame(request: HttpRequest) -> dict[str, Any]:
    """Return the context around a public page: links to start, and to one's work or log-in."""
    frame: dict[str, Any] = {"home_url": reverse("public:start")}
    if request.user.is_authenticated:
        link = {"label": _("Meine Turniere"), "url": reverse("setup:tournaments")}
        return {**frame, "header_links": [link]}
    return {**frame, "login_url": reverse("account:login")}


def search_text(request: HttpRequest) -> str:
    """Return the search text of the request."""
    return request.GET.get("q", "").strip()[:LONGEST_SEARCH]
