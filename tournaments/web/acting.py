"""Answers to acts: a redirect when done; the same page with the reason when refused.

There are two kinds of pages. Many have buttons and small forms: each view of one is an
:func:`act` on that page. Others are one form: they store its data within :class:`FormStorage`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from http import HTTPStatus
from inspect import unwrap
from types import TracebackType
from typing import Any, Concatenate

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, resolve_url
from django.views.decorators.http import require_POST

from tournaments.common.errors import TournamentError
from tournaments.models import Role, Tournament
from tournaments.web.access import StaffRequest, own, roles_required
from tournaments.web.idempotency import StoredAnswer

OK, CONFLICT, UNFIT = HTTPStatus.OK, HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY

# A view of an act returns a sentence on its result, or an answer of its own.
_Act = Callable[Concatenate[StaffRequest, Any, ...], str | HttpResponse]
# The model or rows that an act is about, or a function that finds the row by the address.
_Kind = type[Model] | QuerySet[Any] | Callable[..., object]


class InvalidForm(TournamentError):
    """The data of a form are invalid; the form or the message has the reason."""


def form_data(
    request: StaffRequest, form: BaseForm, name: str = "form", **more: Any
) -> dict[str, Any]:
    """Return the data sent in a form; the page of a refusal shows it again as *name*.

    Args:
        request: of the act.
        form: bound to the sent data.
        name: under which the template knows the form.
        more: further context of the page if the act is refused.

    Raises:
        InvalidForm: if the form is not valid.
    """
    request.shown = {name: form, **more}
    if not form.is_valid():
        raise InvalidForm
    return form.cleaned_data


def refused_on(
    page: Callable[..., HttpResponse],
    *,
    to: str = "",
    keys: tuple[str, ...] = (),
    in_place: bool = False,
    of: _Kind | None = None,
) -> Callable[[_Act], Callable[..., HttpResponse]]:
    """Show *page* again when an act is refused; else add a message and redirect.

    Args:
        page: takes the arguments of the address, with ``status``, ``error`` and the data sent; a
            view is unwrapped, because the act checks the access itself.
        to: name of the address to redirect to.
        keys: of the view's address that this one has beside the tournament.
        in_place: whether htmx gets the page with ``redirect_done`` instead of a redirect.
        of: the object that the view gets instead of the tournament: a model, whose object the
            address names by ``number`` or by its key; or a function that finds it by the address.
    """

    its_function: Callable[..., HttpResponse] = unwrap(page)

    def decorate(view: _Act) -> Callable[..., HttpResponse]:
        @wraps(view)
        def acting(request: StaffRequest, tournament: Tournament, **kwargs: Any) -> HttpResponse:
            request.shown = {}
            show = partial(its_function, request, tournament, **kwargs)
            try:
                if of is None:
                    answer = view(request, tournament, **kwargs)
                else:
                    answer = view(request, _row_of(of, tournament, kwargs))
            except (InvalidForm, ValidationError) as unfit:
                sentences = unfit.messages if isinstance(unfit, ValidationError) else unfit.args
                shown = (
                    {**request.shown, "error": " ".join(sentences)} if sentences else request.shown
                )
                return show(status=UNFIT, **shown)
            except TournamentError as refusal:
                # The data may have been changed meanwhile: the page shows the current state.
                tournament.refresh_from_db()
                return show(status=CONFLICT, **{**request.shown, "error": str(refusal)})
            if isinstance(answer, HttpResponse):
                return answer
            follows = resolve_url(to, tournament.slug, *(kwargs[key] for key in keys))
            if in_place and request.htmx:
                return stored_in_place(tournament, partial(show, done=answer), follows, answer)
            if answer:
                messages.success(request, answer)
            return redirect(follows)

        return acting

    return decorate


def _row_of(of: _Kind, tournament: Tournament, keys: dict[str, Any]) -> object:
    if not isinstance(of, type | QuerySet):
        return of(tournament, *keys.values())
    ((name, key),) = keys.items()
    return own(tournament, of, **{"number" if name == "number" else "pk": key})


def stored_in_place(
    tournament: Tournament, page: Callable[[], HttpResponse], to: str, message: str = ""
) -> StoredAnswer:
    """Answer htmx with *page* after the act; *to* is the same page for other browsers."""

    def shown() -> HttpResponse:
        tournament.refresh_from_db()
        return page()

    return StoredAnswer(shown, to=to, message=message)


def act(
    roles: frozenset[Role],
    page: Callable[..., HttpResponse],
    *,
    to: str = "",
    keys: tuple[str, ...] = (),
    in_place: bool = False,
    of: _Kind | None = None,
) -> Callable[[_Act], Callable[..., HttpResponse]]:
    """Make a view the act of a button on *page*: sent by POST, for *roles*, refused there."""

    def decorate(view: _Act) -> Callable[..., HttpResponse]:
        refused = refused_on(page, to=to, keys=keys, in_place=in_place, of=of)
        return require_POST(roles_required(roles)(refused(view)))

    return decorate


def posted(request: HttpRequest) -> QueryDict | None:
    """Return the POST data of a form; None for a request by GET.

    The data of an empty form is returned as well.
    """
    return request.POST if request.method == "POST" else None


def redirect_done(request: HttpRequest, sentence: str, to: str, *keys: object) -> HttpResponse:
    """Redirect to a page that shows the *sentence* on the result."""
    messages.success(request, sentence)
    return redirect(to, *keys)


class FormStorage:
    """Stores the data of the one form of a page; a refusal is added to the form.

    The code after the block shows the page: nothing was sent, or it was refused.
    """

    def __init__(
        self, form: BaseForm, field: str | None = None, *, refused: HTTPStatus = CONFLICT
    ) -> None:
        self.form, self.field, self.refused = form, field, refused
        self.status = UNFIT if form.is_bound else OK

    def __enter__(self) -> FormStorage:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _trace: TracebackType | None,
    ) -> bool:
        if isinstance(error, ValidationError):
            self.form.add_error(self.field, error.messages)
        elif isinstance(error, TournamentError):
            self.form.add_error(self.field, str(error))
            self.status = self.refused
        return isinstance(error, (ValidationError, TournamentError))
