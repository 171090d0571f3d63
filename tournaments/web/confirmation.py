"""The confirmation of acts, by a dialog or else by a page.

``dialogs.js`` asks where scripts run, and sends ``agreed`` with the form. A form without it is
answered by a page that asks, so that the first press alone books nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render, resolve_url
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from tournaments.common.digits import number_in
from tournaments.common.formats import euro
from tournaments.models import Tournament
from tournaments.web.access import StaffRequest
from tournaments.web.acting import InvalidForm
from tournaments.web.idempotency import FIELD

AGREED = "agreed"
MISSING = _("Die Angaben fehlen. Bitte die Seite neu laden und noch einmal versuchen.")
_PAGE_FIELDS = frozenset({"csrfmiddlewaretoken", FIELD})  # each page has its own


def question_of(receipts: int, cents: int) -> str:
    """Return the question before this many receipts are booked; "" for a single one."""
    if receipts == 1:
        return ""
    return ngettext(
        "{number} Beleg über {cents} buchen?",
        "{number} Belege über zusammen {cents} buchen?",
        receipts,
    ).format(number=receipts, cents=euro(cents))


def expected_cents(request: StaffRequest) -> int:
    """Return the sum that the page showed; an act refuses another one."""
    return number_in(request.POST.get("expected_cents", "")) or 0


def ask(request: StaffRequest, question: str, *, back: str, yes: str = "") -> HttpResponse:
    """Return a page that asks, and sends the same form again if the answer is *yes*.

    Args:
        back: the address that the other answer leads to.
    """
    sent = [(name, value) for name, values in request.POST.lists() for value in values]
    context = {
        "question": question,
        "sent": [(name, value) for name, value in sent if name not in _PAGE_FIELDS],
        "back": back,
        "yes": yes,
    }
    return render(request, "components/question.html", context)


def requires_confirmation(
    to: str,
) -> Callable[[Callable[..., str | HttpResponse]], Callable[..., str | HttpResponse]]:
    """Ask before a view whose form shows ``receipts`` and ``expected_cents``.

    Args:
        to: name of the address that the question leads back to.
    """

    def decorate(view: Callable[..., str | HttpResponse]) -> Callable[..., str | HttpResponse]:
        @wraps(view)
        def asking(
            request: StaffRequest, tournament: Tournament, **more: Any
        ) -> str | HttpResponse:
            receipts = number_in(request.POST.get("receipts", ""))
            if not receipts:
                raise InvalidForm(str(MISSING))
            question = question_of(receipts, expected_cents(request))
            if AGREED in request.POST or not question:
                return view(request, tournament, **more)
            return ask(request, question, back=resolve_url(to, tournament.slug))

        return asking

    return decorate
