"""What the scripts of a table's page ask and send; every answer is JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from http import HTTPStatus
from typing import Any, Concatenate

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from scoring.errors import Problem, ScoringError
from scoring.reading.records import to_json
from scoring.reading.strict_json import has_halves, parse, problems_to_json
from tournaments.common.access import public
from tournaments.common.errors import (
    Conflict,
    Doubtful,
    NotAllowed,
    Refused,
    TournamentError,
    WrongStatus,
)
from tournaments.common.tokens import hash_token
from tournaments.table.queries import state
from tournaments.table.services.devices import UnknownCode
from tournaments.table.views.door import Visit, come_in, remember
from tournaments.table.views.sent import carry_out

LONGEST_BODY = 64 * 1024  # a signature has 20,000 characters at most

_View = Callable[Concatenate[HttpRequest, str, ...], HttpResponse]


def _answers_at_the_door(view: _View) -> _View:
    """Let a view be let in or not by sentences in JSON."""

    @wraps(view)
    def guarded(request: HttpRequest, token: str, *args: Any) -> HttpResponse:
        try:
            return view(request, token, *args)
        except UnknownCode as refusal:
            return _refused(refusal, HTTPStatus.NOT_FOUND)
        except NotAllowed as refusal:
            return _refused(refusal, HTTPStatus.FORBIDDEN)

    return guarded


def _refused(refusal: TournamentError, status: HTTPStatus) -> HttpResponse:
    return JsonResponse({"ok": False, "refused": str(refusal)}, status=status)


@public
@never_cache
@require_GET
@_answers_at_the_door
def current(request: HttpRequest, token: str) -> HttpResponse:
    """Return the state of the list, or nothing if the page shows it: ``?since=<since>``."""
    if not state.has_news(hash_token(token), request.GET.get("since", "")):
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    visit = come_in(request, token)
    return JsonResponse(_state(visit))


@public
@never_cache
@require_POST
@_answers_at_the_door
def send(request: HttpRequest, token: str) -> HttpResponse:
    """Take what a device sends: ``{"key": …, "kind": …, …}``, as ``services.acts`` has it."""
    visit = come_in(request, token)
    try:
        key, kind, body = _read(request)
        answer = carry_out(visit, kind=kind, key=key, body=body)
    except Doubtful as doubt:
        return _unfit("ask", doubt.problems)
    except Refused as refusal:
        return _unfit("problems", refusal.problems)
    except (Conflict, WrongStatus) as conflict:
        return JsonResponse(
            {"ok": False, "conflict": str(conflict), "state": _state(visit)},
            status=HTTPStatus.CONFLICT,
        )
    except NotAllowed:
        raise
    except TournamentError as refusal:
        return _unfit("problems", [Problem("", str(refusal))])
    return remember(JsonResponse({**answer, "state": _state(visit)}), visit, token)


def _state(visit: Visit) -> dict[str, Any]:
    shown: dict[str, Any] = to_json(state.state(visit.access.table_id, device=visit.device))
    return shown


def _unfit(name: str, problems: Iterable[Problem]) -> HttpResponse:
    return JsonResponse(
        {"ok": False, name: problems_to_json(problems)}, status=HTTPStatus.UNPROCESSABLE_ENTITY
    )


def _read(request: HttpRequest) -> tuple[str, str, dict[str, object]]:
    """Return key and kind of what was sent, and what goes with it.

    Raises:
        Refused: if it is no object with a key and a kind.
    """
    if request.content_type != "application/json":
        raise Refused.at("", _("Gesendet wird JSON, mit „Content-Type: application/json“."))
    if len(request.body) > LONGEST_BODY:
        raise Refused.at("", _("Das ist zu lang."))
    try:
        root = parse(request.body)
        body = dict(root.any_object() or {})
        root.raise_problems()
        key, kind = root.field("key").text() or "", root.field("kind").text() or ""
        root.raise_problems()
    except ScoringError as error:
        raise Refused(error.problems) from None
    if has_halves(body):
        raise Refused.at("", _("Darin steht ein halbes Zeichen, das es in keinem Text gibt."))
    return key, kind, {name: body[name] for name in body if name not in {"key", "kind"}}
