"""Requests of the scripts of a table's page; every answer is JSON."""

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
from tournaments.table.views.table_access import COOKIE, come_in, remember
from tournaments.web.access import public
from tournaments.web.cached_answers import cached
from tournaments.web.polling import polled

SEEN = "romme.seen"  # key of what the token of a request opens
OF_TABLE = "table"  # kind of the states that are made once
LONGEST_BODY = 64 * 1024  # a signature has 20,000 characters at most

Words: Any = Annotated[str, Text()]

_View = Callable[Concatenate[HttpRequest, str, ...], HttpResponse]


def _answers_at_the_door(view: _View) -> _View:
    """Answer refusals of access with JSON."""

    @wraps(view)
    def guarded(request: HttpRequest, token: str, *args: Any) -> HttpResponse:
        try:
            return view(request, token, *args)
        except UnknownCode as refusal:
            return _refused(refusal, HTTPStatus.NOT_FOUND)
        except NotAllowed as refusal:
            return _refused(refusal, HTTPStatus.FORBIDDEN)

    return cache_control(no_store=True)(guarded)


def _refused(refusal: TournamentError, status: HTTPStatus) -> HttpResponse:
    return JsonResponse({"ok": False, "refused": str(refusal)}, status=status)


def _asked(request: HttpRequest, token: str) -> news.TablePoll | None:
    """Return what the code opens, queried once for each request; its device is seen."""
    poll: news.TablePoll | None = request.META.get(SEEN)
    if poll is None:
        poll = news.asked(hash_token(token), hash_token(request.COOKIES.get(COOKIE, "")))
        request.META[SEEN] = poll
        if poll is not None and poll.device_id is not None and poll.seen_at is not None:
            devices.note_seen(poll.device_id, poll.seen_at, timezone.now())
    return poll


def _shows_the_newest(request: HttpRequest, token: str) -> bool:
    """Whether nothing has concerned the list since the revision that the page shows."""
    poll = _asked(request, token)
    if poll is None:
        return False
    shown = news.known(poll, request.GET.get("since", ""))
    return shown is not None and news.version(poll) <= shown


@polled(_shows_the_newest)
@public
@require_GET
@_answers_at_the_door
def current(request: HttpRequest, token: str) -> HttpResponse:
    """Return the state of the list; ``?since=<since>`` names what the page shows."""
    poll = _asked(request, token)
    version = poll and news.version(poll)  # must be read before the state
    if poll is None or news.known(poll, request.GET.get("since", "")) is None:
        visit = come_in(request, token)
        return _json(state.state(visit.access.table_id, device=visit.device_id))
    table = poll.table_id
    shared = cached((OF_TABLE, table), version, lambda: state.state(table))
    return _json(state.for_device(shared, is_keeper=poll.is_keeper))


@csrf_exempt  # the address is a secret, and no form of another site can send JSON
@public
@require_POST
@_answers_at_the_door
def send(request: HttpRequest, token: str) -> HttpResponse:
    """Carry out an act of a device: ``{"key": …, "kind": …, …}``, see ``services.acts``."""
    visitor = _visitor(request, token)
    try:
        key, kind, body = _read(request)
        answer, sheet = carry_out(visitor, kind=kind, key=key, body=body)
    except DoubtfulInput as doubt:
        return _unfit("ask", doubt.problems)
    except InvalidInput as refusal:
        return _unfit("problems", refusal.problems)
    except (Conflict, WrongStatus) as conflict:
        shown = state.state(visitor.table_id, device=visitor.device_id)
        content = {"ok": False, "conflict": str(conflict), "state": shown}
        return _json(content, HTTPStatus.CONFLICT)
    except NotAllowed:
        raise
    except TournamentError as refusal:
        return _unfit("problems", [Problem("", str(refusal))])
    sheet = sheet or sheet_at(visitor.table_id)
    # The other pages of the table will ask for the same.
    place, version = (OF_TABLE, visitor.table_id), sheet.tournament.revision
    shared = cached(place, version, lambda: state.state_of(sheet))
    shown = state.for_device(shared, is_keeper=sheet.keeper == visitor.device_id)
    return remember(_json({**answer, "state": shown}), request.COOKIES[COOKIE], token)


def _visitor(request: HttpRequest, token: str) -> Visitor:
    """Return the device that sends; 1 query, more to name the reason of a refusal."""
    poll = _asked(request, token)
    if poll is None or poll.device_id is None:
        return come_in(request, token).visitor()
    actor = Actor.at_table(poll.table, poll.serie)
    return Visitor(poll.device_id, poll.table_id, poll.spielliste_id, actor)


def _json(content: object, status: HTTPStatus = HTTPStatus.OK) -> HttpResponse:
    return HttpResponse(json_text(content), content_type="application/json", status=status)


def _unfit(name: str, problems: Iterable[Problem]) -> HttpResponse:
    return JsonResponse(
        {"ok": False, name: problems_to_json(problems)}, status=HTTPStatus.UNPROCESSABLE_ENTITY
    )


def _read(request: HttpRequest) -> tuple[str, str, dict[str, object]]:
    """Return key, kind and fields of the act that was sent.

    Raises:
        Refused: if it is not an object with a key and a kind.
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
