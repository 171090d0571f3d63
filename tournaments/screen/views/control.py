"""Pages for setting the beamers, and for announcements in the hall."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common.access_keys import screen_key
from tournaments.common.roles import MAY_CHECK
from tournaments.machine.addresses import absolute
from tournaments.models import Screen, Tournament
from tournaments.notices.services import words
from tournaments.people.queries.naming import count_unnamed_in_hall
from tournaments.screen import services
from tournaments.screen.forms import ScreenForm, WordsForm, pages_for
from tournaments.web.access import StaffRequest, own, roles_required
from tournaments.web.acting import act, form_data

TEMPLATE = "tournaments/screen/control.html"
FOLLOWS = "screen:control_one"


def path_of(tournament: Tournament, number: int) -> str:
    """Return the path of a beamer, on the internet with a key."""
    if not settings.IS_IN_THE_HALL:
        key = screen_key(tournament.pk, number)
        return reverse("screen:keyed", args=[tournament.slug, number, key])
    if number == 1:
        return reverse("screen:screen", args=[tournament.slug])
    return reverse("screen:numbered", args=[tournament.slug, number])


def page(
    request: StaffRequest,
    tournament: Tournament,
    number: int = 1,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    """Show the beamers, and the settings of one of them."""
    screens = {screen.number: screen for screen in tournament.screens.select_related("serie")}
    screens.setdefault(1, Screen(tournament=tournament))
    screen = screens.get(number) or own(tournament, Screen, number=number)
    now = timezone.now()
    context = {
        "tournament": tournament,
        "screens": [
            {"screen": screens[each], "path": path_of(tournament, each)} for each in sorted(screens)
        ],
        "screen": screen,
        "path": path_of(tournament, number),
        "address": absolute(request, path_of(tournament, number)),
        "choices": [
            {"page": page, "label": label, "is_current": screen.pages == [page]}
            for page, label in pages_for(tournament)
        ],
        "form": ScreenForm(None, tournament=tournament, screen=screen),
        "words_form": WordsForm(),
        "has_words": tournament.words
        and (tournament.words_until is None or tournament.words_until > now),
        "may_add": len(screens) < services.MOST,
        "unnamed": count_unnamed_in_hall(tournament),
        "is_leading": request.is_leading,
        **more,
    }
    return render(request, TEMPLATE, context, status=status)


control = roles_required(MAY_CHECK)(page)


def _screen(tournament: Tournament, number: int) -> Screen:
    """Return a beamer of this tournament; the first one is a default if it is not stored."""
    if number == 1 and not tournament.screens.filter(number=1).exists():
        return Screen(tournament=tournament)
    return own(tournament, Screen, number=number)


@act(MAY_CHECK, page, to=FOLLOWS, keys=("number",), of=_screen)
def store(request: StaffRequest, screen: Screen) -> str:
    """Set the pages that a beamer shows in turn."""
    form = ScreenForm(request.POST, tournament=request.tournament, screen=screen)
    services.show(
        request.actor, request.tournament.pk, number=screen.number, **form_data(request, form)
    )
    return _("Die Leinwand zeigt es in wenigen Sekunden.")


@act(MAY_CHECK, page, to=FOLLOWS, keys=("number",), of=_screen)
def turn(request: StaffRequest, screen: Screen) -> str:
    """Let a beamer show one page, by one click on its picture."""
    services.turn_to(
        request.actor,
        request.tournament.pk,
        number=screen.number,
        page=request.POST.get("page", ""),
    )
    return _("Die Leinwand zeigt es in wenigen Sekunden.")


@act(MAY_CHECK, page)
def add(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Add a beamer."""
    screen = services.add(request.actor, tournament.pk, name=request.POST.get("name_", ""))
    return redirect(FOLLOWS, tournament.slug, screen.number)


@act(MAY_CHECK, page, to="screen:control", of=_screen)
def remove(request: StaffRequest, screen: Screen) -> str:
    """Remove a beamer."""
    services.remove(request.actor, request.tournament.pk, number=screen.number)
    return _("Die Leinwand ist entfernt.")


@act(MAY_CHECK, page, to="screen:control")
def say(request: StaffRequest, tournament: Tournament) -> str:
    """Show an announcement in the hall."""
    data = form_data(request, WordsForm(request.POST), "words_form")
    words.say(request.actor, tournament.pk, **data)
    return _("Die Durchsage steht auf allen Leinwänden, Tischgeräten und eigenen Seiten.")


@act(MAY_CHECK, page, to="screen:control")
def be_silent(request: StaffRequest, tournament: Tournament) -> str:
    """End the announcement."""
    words.take_back(request.actor, tournament.pk)
    return _("Die Durchsage ist beendet.")
