"""Results of an act: a redirect after success, its page again after a refusal."""

# ruff: noqa: TID251 - fields as Django has them

from __future__ import annotations

from typing import Any

import pytest
from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.test import RequestFactory

from tests.factories import make_member, make_tournament
from tests.worlds import world
from tournaments.common.errors import Conflict
from tournaments.common.roles import MAY_LEAD
from tournaments.models import Role, Tournament
from tournaments.web.acting import FormStorage, InvalidForm, act, form_data


def refuse() -> None:
    raise Conflict("Den Namen gibt es schon.")


class NameForm(forms.Form):
    name = forms.CharField()


def page(_request: HttpRequest, _tournament: Tournament, *, status: int, **more: Any):
    form = more.pop("form", None)
    typed = {"typed": form.data.get("name", "")} if form else {}
    return JsonResponse({**more, **typed}, status=status)


def answer(view: Any, tournament: Tournament, method: str = "post", **data: str) -> HttpResponse:
    request = getattr(RequestFactory(), method)("/", data)
    request.user = make_member(tournament, Role.SPIELLEITUNG)
    return act(MAY_LEAD, page, to="desk:desk")(view)(request, slug=tournament.slug)


@world
def tournament() -> Tournament:
    return make_tournament()


def test_an_act_without_a_message_redirects(tournament: Tournament):
    done = answer(lambda *_args: "", tournament)

    assert (done.status_code, done["Location"]) == (302, f"/turniere/{tournament.slug}/meldungen/")


def test_a_get_request_performs_no_act(tournament: Tournament):
    assert answer(lambda *_args: "", tournament, "get").status_code == 405


def test_a_refused_act_keeps_its_message_and_input(tournament: Tournament):
    def view(request: Any, _tournament: Tournament) -> str:
        form_data(request, NameForm(request.POST))
        raise Conflict("Jemand war schneller.")

    refused = answer(view, tournament, name="Asse")

    assert refused.status_code == 409
    assert refused.content == b'{"error": "Jemand war schneller.", "typed": "Asse"}'


@pytest.mark.parametrize(
    ("refusal", "shown"),
    [
        pytest.param(InvalidForm(), b"{}", id="the form says it"),
        pytest.param(
            InvalidForm("Der Name fehlt."), b'{"error": "Der Name fehlt."}', id="a sentence"
        ),
        pytest.param(
            ValidationError(["Zu lang.", "Zu alt."]), b'{"error": "Zu lang. Zu alt."}', id="a model"
        ),
    ],
)
def test_invalid_input_is_answered_with_422(tournament: Tournament, refusal: Any, shown: bytes):
    def view(*_args: Any) -> str:
        raise refusal

    unfit = answer(view, tournament)

    assert (unfit.status_code, unfit.content) == (422, shown)


def test_a_separate_form_page_shows_the_refusal():
    form = NameForm({"name": "Asse"})

    storing = FormStorage(form, "name")
    before = storing.status
    with storing:
        refuse()

    assert before == 422
    assert storing.status == 409
    assert form.errors == {"name": ["Den Namen gibt es schon."]}


def test_a_bug_is_not_a_refusal():
    with pytest.raises(ZeroDivisionError), FormStorage(NameForm()):
        raise ZeroDivisionError
