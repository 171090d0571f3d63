"""The page of a table's list; every act is also a form without script."""

from __future__ import annotations

import json
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from scoring.errors import Problem
from scoring.reading.records import to_json
from tournaments.common.errors import DoubtfulInput, InvalidInput, NotAllowed, TournamentError
from tournaments.common.rules import rule_set_of
from tournaments.models import Spielliste
from tournaments.notices.queries.signs import current_sign
from tournaments.rulebook.queries import rule_set_text
from tournaments.rulebook.queries.paragraph_links import rules_for
from tournaments.table.files import table_files
from tournaments.table.queries import state as table_state
from tournaments.table.queries.rules import table_rules
from tournaments.table.services.devices import UnknownCode
from tournaments.table.views.device_acts import carry_out
from tournaments.table.views.forms import body_of
from tournaments.table.views.no_script import bought_rows, page_context
from tournaments.table.views.table_access import TableVisit, set_device_cookies, visit_with_device
from tournaments.table.views.texts import texts
from tournaments.web.access import public
from tournaments.web.idempotency import FIELD

PAGE = "tournaments/table/page.html"
CLOSED = "tournaments/table/closed.html"
WORKER = "tournaments/table/sw.js"


@public
@never_cache
@require_GET
def page(request: HttpRequest, token: str) -> HttpResponse:
    """Show the list of a table to a device with its code."""
    try:
        visit = visit_with_device(request, token)
    except (UnknownCode, NotAllowed) as refusal:
        return _closed_page(request, refusal)
    return set_device_cookies(_page(request, visit, token), visit.secret, token)


@public
@never_cache
@require_POST
def act(request: HttpRequest, token: str) -> HttpResponse:
    """Carry out the act of a form, and show the page again."""
    try:
        visit = visit_with_device(request, token)
    except (UnknownCode, NotAllowed) as refusal:
        return _closed_page(request, refusal)
    kind = request.POST.get("kind", "")
    try:
        body = body_of(kind, request.POST, _rules(visit))
        carry_out(visit.visitor(), kind=kind, key=request.POST.get(FIELD, ""), body=body)
    except DoubtfulInput as doubt:
        return _refusal_page(request, visit, token, asks=doubt.problems)
    except InvalidInput as refusal:
        return _refusal_page(request, visit, token, problems=refusal.problems)
    except TournamentError as conflict:
        problems = [Problem("", str(conflict))]
        return _refusal_page(request, visit, token, problems=problems, status=HTTPStatus.CONFLICT)
    return set_device_cookies(redirect("table:page", token), visit.secret, token)


@public
@require_GET
def worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker, whose address must be at the root of its scope."""
    version, files = table_files()
    context = {"version": version, "files": json.dumps(files)}
    response = render(request, WORKER, context, content_type="text/javascript")
    response["Cache-Control"] = "no-cache"
    return response


def _rules(visit: TableVisit) -> dict[str, object]:
    table = visit.access.table
    spielliste = Spielliste.objects.only("bonus_size").get(table=table)
    return table_rules(
        rule_set_of(table.serie.tournament),
        players=table.seats.count(),
        bonus_size=spielliste.bonus_size,
    )


def _page(
    request: HttpRequest,
    visit: TableVisit,
    token: str,
    *,
    problems: object = (),
    asks: object = (),
    status: HTTPStatus = HTTPStatus.OK,
) -> HttpResponse:
    state = table_state.state(visit.access.table_id, device=visit.device_id)
    rules = _rules(visit)
    tournament = visit.access.table.serie.tournament
    rule_set = rule_set_of(tournament)
    context = {
        "token": token,
        "state": state,
        "state_json": to_json(state),
        "rules": rules,
        "texts": texts(most_first=rule_set.order.most_first),
        "paragraph_rules": rules_for(tournament),
        "sign": current_sign(state.signs, state.now),
        "plain": page_context(rule_set, state, rules, request.POST),
        "bought": bought_rows(rule_set, state, request.POST),
        "buying": rule_set_text.buying(rule_set),
        "problems": problems,
        "asks": asks,
        "posted": request.POST,
    }
    return render(request, PAGE, context, status=status)


def _refusal_page(
    request: HttpRequest,
    visit: TableVisit,
    token: str,
    *,
    problems: object = (),
    asks: object = (),
    status: HTTPStatus = HTTPStatus.UNPROCESSABLE_ENTITY,
) -> HttpResponse:
    response = _page(request, visit, token, problems=problems, asks=asks, status=status)
    return set_device_cookies(response, visit.secret, token)


def _closed_page(request: HttpRequest, refusal: TournamentError) -> HttpResponse:
    status = HTTPStatus.NOT_FOUND if isinstance(refusal, UnknownCode) else HTTPStatus.FORBIDDEN
    return render(request, CLOSED, {"sentence": str(refusal)}, status=status)
