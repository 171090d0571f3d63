"""The JSON API of a table's page."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from http import HTTPStatus
from typing import Annotated, Any, Concatenate

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from scoring.errors import Problem, ScoringError
from scoring.reading.records import Text, json_text
from scoring.reading.strict_json import parse, problems_to_json
from scoring.reading.validation import read
from tournaments.common.actors import Actor
from tournaments.common.errors import (
    Conflict,
    DoubtfulInput,
    InvalidInput,
    NotAllowed,
    TournamentError,
    WrongStatus,
)
from tournaments.common.tokens import hash_token
from tournaments.lists.queries.sheet import sheet_at
from tournaments.table.queries import news, state
from tournaments.table.services import devices
from tournaments.table.services.acts import Visitor
from tournaments.table.services.devices import UnknownCode
from tournaments.table.views.device_acts import carry_out
from tournaments.table.views.table_access import COOKIE, set_device_cookies, visit_of
from tournaments.web.access import public
from tournaments.web.cached_answers import cached
from tournaments.web.polling import polled

POLL_KEY = "romme.seen"  # of the poll in the META of a request
TABLE_STATE = "table"  # first part of the cache key of a state
LONGEST_BODY = 64 * 1024  # bytes; a signature has 20,000 characters at most

Words: Any = Annotated[str, Text()]

_View = Callable[Concatenate[HttpRequest, str, ...], HttpResponse]


def _json_refusals(view: _View) -> _View:
    """Return the view with refusals of access as JSON."""

    @wraps(view)
    def guarded(request: HttpRequest, token: str, *args: Any) -> HttpResponse:
        try:
            return view(request, token, *args)
        except UnknownCode as refusal:
            return _refusal(refusal, HTTPStatus.NOT_FOUND)
        except NotAllowed as refusal:
            return _refusal(refusal, HTTPStatus.FORBIDDEN)

    return cache_control(no_store=True)(guarded)


def _refusal(refusal: TournamentError, status: HTTPStatus) -> HttpResponse:
    return JsonResponse({"ok": False, "refused": str(refusal)}, status=status)


def _poll(request: HttpRequest, token: str) -> news.TablePoll | None:
    """Return the poll of a request, cached on it, and record that its device was seen."""
    poll: news.TablePoll | None = request.META.get(POLL_KEY)
    if poll is None:
        poll = news.poll_of(hash_token(token), hash_token(request.COOKIES.get(COOKIE, "")))
        request.META[POLL_KEY] = poll
        if poll is not None and poll.device_id is not None and poll.seen_at is not None:
            devices.note_seen(poll.device_id, poll.seen_at, timezone.now())
    return poll


def _is_page_current(request: HttpRequest, token: str) -> bool:
    """Whether no later revision than the one on the page concerned the list."""
    poll = _poll(request, token)
    if poll is None:
        return False
    shown = news.shown_revision(poll, request.GET.get("since", ""))
    return shown is not None and news.version(poll) <= shown


@polled(_is_page_current)
@public
@require_GET
@_json_refusals
def current(request: HttpRequest, token: str) -> HttpResponse:
    """Return the state of the list; ``?since=<since>`` is the state that the page shows."""
    poll = _poll(request, token)
    version = poll and news.version(poll)  # must be read before the state
    if poll is None or news.shown_revision(poll, request.GET.get("since", "")) is None:
        visit = visit_of(request, token)
        return _json(state.state(visit.access.table_id, device=visit.device_id))
    table = poll.table_id
    shared = cached((TABLE_STATE, table), version, lambda: state.state(table))
    return _json(state.for_device(shared, is_keeper=poll.is_keeper))


@csrf_exempt  # the address is a secret, and no form of another site can send JSON
@public
@require_POST
@_json_refusals
def send(request: HttpRequest, token: str) -> HttpResponse:
    """Carry out an act of a device: ``{"key": …, "kind": …, …}``, see ``services.acts``."""
    visitor = _visitor(request, token)
    try:
        key, kind, body = _read(request)
        answer, sheet = carry_out(visitor, kind=kind, key=key, body=body)
    except DoubtfulInput as doubt:
        return _invalid("ask", doubt.problems)
    except InvalidInput as refusal:
        return _invalid("problems", refusal.problems)
    except (Conflict, WrongStatus) as conflict:
        shown = state.state(visitor.table_id, device=visitor.device_id)
        content = {"ok": False, "conflict": str(conflict), "state": shown}
        return _json(content, HTTPStatus.CONFLICT)
    except NotAllowed:
        raise
    except TournamentError as refusal:
        return _invalid("problems", [Problem("", str(refusal))])
    sheet = sheet or sheet_at(visitor.table_id)
    # The other pages of the table will request the same state.
    place, version = (TABLE_STATE, visitor.table_id), sheet.tournament.revision
    shared = cached(place, version, lambda: state.state_of(sheet))
    shown = state.for_device(shared, is_keeper=sheet.keeper == visitor.device_id)
    return set_device_cookies(_json({**answer, "state": shown}), request.COOKIES[COOKIE], token)


def _visitor(request: HttpRequest, token: str) -> Visitor:
    """Return the device that sends; 1 query, more for the reason of a refusal."""
    poll = _poll(request, token)
    if poll is None or poll.device_id is None:
        return visit_of(request, token).visitor()
    actor = Actor.at_table(poll.table, poll.serie)
    return Visitor(poll.device_id, poll.table_id, poll.spielliste_id, actor)


def _json(content: object, status: HTTPStatus = HTTPStatus.OK) -> HttpResponse:
    return HttpResponse(json_text(content), content_type="application/json", status=status)


def _invalid(name: str, problems: Iterable[Problem]) -> HttpResponse:
    return JsonResponse(
        {"ok": False, name: problems_to_json(problems)}, status=HTTPStatus.UNPROCESSABLE_ENTITY
    )


def _read(request: HttpRequest) -> tuple[str, str, dict[str, object]]:
    """Return key, kind and fields of the submitted act.

    Raises:
        InvalidInput: if the body is not an object with a key and a kind.
    """
    if request.content_type != "application/json":
        raise InvalidInput.at("", _("Gesendet wird JSON, mit „Content-Type: application/json“."))
    if len(request.body) > LONGEST_BODY:
        raise InvalidInput.at("", _("Das ist zu lang."))
    try:
        root = parse(request.body)
        body = read(root, dict[str, Any]) or {}
        root.raise_problems()
        key, kind = read(root.field("key"), Words) or "", read(root.field("kind"), Words) or ""
        root.raise_problems()
    except ScoringError as error:
        raise InvalidInput(error.problems) from None
    return key, kind, {name: body[name] for name in body if name not in {"key", "kind"}}
