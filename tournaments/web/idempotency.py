"""Middleware that makes every POST idempotent.

Each form has a key of its own (``templatetags/form_keys.py``). View, key and answer are one
transaction, and the same key again gets the same answer; see ``common/submissions.py``. So does
another form with the same content that was made before the act, because its sender did not know
of the act; acts that may happen twice are identified by the key alone. A view is an act if it
redirects or answers with :class:`StoredAnswer`; other answers are not stored.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any, cast

from django.contrib import messages
from django.contrib.messages import get_messages
from django.contrib.messages.storage.base import BaseStorage
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.html import format_html
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect, HttpResponseClientRefresh, reswap, retarget

from tournaments.common import submissions
from tournaments.common.errors import InvalidInput
from tournaments.common.formats import clock
from tournaments.common.submissions import Answer, RepeatedSubmission
from tournaments.models import User
from tournaments.web.access import VIEW_ATTRIBUTE

FIELD, AGAIN = "form_key", "again"
KEY_ARGUMENT = "token"  # names of the secrets in addresses without an account
_ROUND_SUM = re.compile(r"^(\d+)(?:[,.]00?)?\s*€?$")  # „5,00 €“ is no other sum than „5“
_UNNAMED = "{token}"  # its placeholder in stored answers

# Views that are no acts, by the name of their address, with the reason.
EXCEPTIONS: Mapping[str, str] = {
    "account:login": "a wrong password is counted although it is refused",
    "account:logout": "whoever is out stays out",
    "archive:export": "writes into a file what is there now",
    "backup:code": "shows a new code, and the one before is worthless",
    "backup:let_in": "its code counts once",
    "backup:save": "saves what is there now",
    "backup:second": "stores nothing in the database, and the same folder is the same",
    "backup:shut_out": "whoever is out stays out",
    "backup:state": "a question, which changes nothing",
    "demo:look": "is a log-in: whoever is out comes in again by the same button",
    "desk:import_carry_out": "stores a file in parts, each once by what is left of the file",
    "draw:judge": "shows what a swap would come to",
    "entry:door": "a wrong code is counted although it is refused",
    "entry:register": "its key is part of the link that it answers with",
    "journal:verify": "reads the whole journal and writes nothing",
    "notices:tell": "waits for the mail server: who was not reached was not told",
    "operator:end": "ends the program, and stores nothing in the database",
    "operator:first_account": "its link counts once, and the one before is worthless",
    "operator:try_mail": "waits for the mail server, and stores nothing",
    "people:export": "hands out a file, and each is in the journal",
    "printing:start": "prints what is there now",
    "table:act": "counts by the same key on its list, as what devices send does",
    "table:code": "a wrong code is counted although it is refused",
    "table:code_of": "a wrong code is counted although it is refused",
    "table:send": "counts by the key of the device, as docs/formats.md has it",
}
READ_ONLY = "feed"  # namespace of the addresses for other programs, which are read only
# Views that only show something if one of these fields is sent.
PREVIEW_FIELDS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(
        ("checking:bonus_size", "checking:invalid", "checking:line", "checking:valid"),
        frozenset({"preview"}),
    ),
    **dict.fromkeys(("setup:custom_rules", "setup:section"), frozenset({"add_row", "preview"})),
}
# Views that add amounts: an identical form within this time needs a confirmation.
CONFIRMED_REPEATS = frozenset({"cash:book_free", "cash:move_credit", "hall:extra_time"})
ASKED_AGAIN_FOR = timedelta(minutes=1)
# Views identified by the key alone. Besides those that ask, they book money, and their services
# refuse outdated and repeated forms.
KEY_ONLY = CONFIRMED_REPEATS | {
    "cash:book_clear",
    "cash:book_difference",
    "cash:book_transfer",
    "cash:count",
    "cash:kaution",
    "cash:refund",
    "cash:refund_all",
    "cash:refund_credit",
    "cash:return_all_kautionen",
    "cash:reverse",
    "desk:pay",
    "desk:payment",
    "desk:register",
    "desk:take_back",
    "desk:withdraw",
    "hall:hand_in_act",
    "prizes:pay",
    "prizes:pay_all",
}
# Views that read a file, or compute a plan, before they write: they call ``run_once``
# themselves, so that the database is not locked meanwhile.
SELF_IDEMPOTENT = frozenset(
    {"cash:take_in"}
    | {"desk:import", "desk:import_preview", "people:import", "people:import_preview"}
)


class StoredAnswer(HttpResponse):
    """The answer to an act without a redirect: its page is made when the act is stored.

    Slow work and mails belong into *page*, which runs outside the transaction. If the form
    is sent again, it is answered by a redirect to *to* with *message*.
    """

    def __init__(self, page: Callable[[], HttpResponse], *, to: str, message: str = "") -> None:
        super().__init__()
        self._page, self.to, self.message = page, to, message

    def render(self) -> HttpResponse:
        """Return the page; Django calls it after the view, outside its transaction."""
        page = self._page()
        for name, value in self.items():
            page.headers.setdefault(name, value)
        page.cookies.update(self.cookies)
        return page


class IdempotencyMiddleware:
    """Middleware: passes every POST that is no exception to :func:`run_once`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass the request on; ``process_view`` has the view."""
        return self._get_response(request)

    def process_view(
        self,
        request: HttpRequest,
        view: Callable[..., HttpResponse],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> HttpResponse | None:
        """Answer a POST that is an act; pass on other requests."""
        if request.method != "POST" or not _is_act(request):
            return None
        access = getattr(view, VIEW_ATTRIBUTE, None)
        if access and access.kind != "public" and not request.user.is_authenticated:
            return None  # the view redirects to the log-in, and does nothing
        if submissions.form_created_at(request.POST.get(FIELD, "")) is None:
            return _refusal(
                request,
                _(
                    "Dieses Formular ist veraltet. Bitte die Seite neu laden und noch einmal "
                    "senden."
                ),
            )
        if _name(request) in SELF_IDEMPOTENT:
            return None
        return run_once(request, lambda: view(request, *args, **kwargs))


def key_field() -> SafeString:
    """Return the hidden field with the key of a new form."""
    # Firefox would fill in the earlier key when a page is reloaded.
    return format_html(
        '<input type="hidden" name="{}" value="{}" autocomplete="off">',
        FIELD,
        submissions.new_form_key(),
    )


def _is_act(request: HttpRequest) -> bool:
    name = _name(request)
    if name.partition(":")[0] == READ_ONLY:
        return False
    return name not in EXCEPTIONS and not PREVIEW_FIELDS.get(name, frozenset()) & set(request.POST)


def _name(request: HttpRequest) -> str:
    return request.resolver_match.view_name if request.resolver_match else ""


def run_once(request: HttpRequest, act: Callable[[], HttpResponse]) -> HttpResponse:
    """Return the answer of *act*, or its earlier answer to the same form."""
    response = HttpResponse()
    storage = cast(BaseStorage, get_messages(request))
    waiting = len(storage)  # messages from before the act; the next page shows them with its own

    def carry_out() -> Answer | None:
        nonlocal response
        response = act()
        new_messages = [
            [message.level, str(message.message)] for message in list(storage)[waiting:]
        ]
        storage.used = False  # the next page shows them
        return _answer_to_store(request, response, new_messages)

    user = request.user if isinstance(request.user, User) else None
    try:
        earlier = submissions.run_form_act(
            key=request.POST[FIELD],
            content=_content(request),
            by=user,
            since=_same_since(request),
            act=carry_out,
        )
    except InvalidInput as refusal:
        return _refusal(request, str(refusal))
    if earlier is None:
        return response
    if earlier.is_other and _name(request) in CONFIRMED_REPEATS:
        return _question(request, earlier)
    return _earlier_answer(request, earlier)


def _same_since(request: HttpRequest) -> datetime | None:
    """Return from when on another form with the same content was the same act, if any."""
    name = _name(request)
    if name in CONFIRMED_REPEATS and AGAIN not in request.POST:
        return timezone.now() - ASKED_AGAIN_FOR
    return None if name in KEY_ONLY else submissions.form_created_at(request.POST[FIELD])


def _content(request: HttpRequest) -> object:
    """Return the content of an act: address, fields, and the content of files."""
    sent = sorted(
        (name, [_ROUND_SUM.sub(r"\1", value.strip()) for value in values])
        for name, values in request.POST.lists()
        if name not in {FIELD, AGAIN, "csrfmiddlewaretoken"}
    )
    return [request.get_full_path(), sent, sorted(map(_digest, request.FILES.items()))]


def _digest(uploaded: tuple[str, Any]) -> tuple[str, str]:
    name, file = uploaded
    digest = hashlib.sha256()
    for chunk in file.chunks():
        digest.update(chunk)
    file.seek(0)
    return name, digest.hexdigest()


def _secret(request: HttpRequest) -> str:
    """Return the secret that opens the address without an account; it is not stored."""
    match = request.resolver_match
    return str(match.kwargs.get(KEY_ARGUMENT, "")) if match else ""


def _answer_to_store(
    request: HttpRequest, response: HttpResponse, new_messages: list[list[Any]]
) -> Answer | None:
    """Return the part of the answer that is stored; None if it was no act, or was refused."""
    if any(level >= messages.ERROR for level, _said in new_messages):
        return None
    if isinstance(response, StoredAnswer):
        own = [[messages.SUCCESS, response.message]] if response.message else []
        return {"to": _without(_secret(request), response.to), "said": [*new_messages, *own]}
    if HTTPStatus.MULTIPLE_CHOICES <= response.status_code < HTTPStatus.BAD_REQUEST:
        return {"to": _without(_secret(request), response["Location"]), "said": new_messages}
    if isinstance(response, JsonResponse) and response.status_code == HTTPStatus.OK:
        return {"json": response.content.decode()}
    return None


def _without(secret: str, address: str) -> str:
    return address.replace(secret, _UNNAMED) if secret else address


def _earlier_answer(request: HttpRequest, earlier: RepeatedSubmission) -> HttpResponse:
    answer = earlier.answer
    if "json" in answer:
        return HttpResponse(answer["json"], content_type="application/json")
    if earlier.is_other:
        messages.info(request, _earlier_sentence(request, earlier))
    else:
        for level, sentence in answer["said"]:
            messages.add_message(request, level, sentence)
    address = answer["to"].replace(_UNNAMED, _secret(request))
    # A part of a page is not shown again: its content may have changed since.
    return HttpResponseClientRedirect(address) if _is_part(request) else redirect(address)


def _question(request: HttpRequest, earlier: RepeatedSubmission) -> HttpResponse:
    """Ask whether to repeat the act that another form has just done; nothing was done."""
    sent = [
        (name, value)
        for name, values in request.POST.lists()
        if name not in {FIELD, "csrfmiddlewaretoken"}
        for value in values
    ]
    context = {
        "told": _earlier_sentence(request, earlier),
        "sent": sent,
        "back_url": _page_of_form(request),
    }
    answer = render(request, "ask_again.html", context, status=HTTPStatus.CONFLICT)
    return retarget(reswap(answer, "innerHTML"), "body") if _is_part(request) else answer


def _is_part(request: HttpRequest) -> bool:
    """Whether the answer replaces a part of a page."""
    return bool(getattr(request, "htmx", False))


def _earlier_sentence(request: HttpRequest, earlier: RepeatedSubmission) -> str:
    """Answer by whom the same was done, when, and with which result."""
    if earlier.by is None:
        sentence = _("Das ist schon geschehen, {time}.")
    elif earlier.by == request.user:
        sentence = _("Das haben Sie schon getan, {time}.")
    else:
        sentence = _("Das hat {name} schon getan, {time}.")
    sentence = sentence.format(name=earlier.by and earlier.by.name, time=clock(earlier.at))
    return " ".join([sentence, *(text for _level, text in earlier.answer["said"])])


def _refusal(request: HttpRequest, sentence: str) -> HttpResponse:
    """Answer that the form is outdated; nothing was done."""
    if _is_part(request):
        messages.error(request, sentence)
        answer = HttpResponseClientRefresh()
        answer.status_code = HTTPStatus.CONFLICT
        return answer
    context = {"sentence": sentence, "back_url": _page_of_form(request)}
    return render(request, "old_form.html", context, status=HTTPStatus.CONFLICT)


def _page_of_form(request: HttpRequest) -> str:
    """Return the page of the form, or the start page."""
    came_from = request.headers.get("Referer", "")
    is_ours = url_has_allowed_host_and_scheme(came_from, allowed_hosts={request.get_host()})
    return came_from if is_ours else "/"
