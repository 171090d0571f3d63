"""Typed and imported texts contain no invisible characters."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from io import BytesIO

import pytest
from defusedxml.ElementTree import fromstring
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db.models import F, Value
from django.db.models.functions import Concat, Left
from django.http import HttpResponse
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from tests.clients import Client
from tests.factories import (
    COMMAND,
    make_club,
    make_member,
    make_person,
    make_registration,
    make_tournament,
)
from tests.tournaments.access_matrix import ADDRESSES
from tournaments.common.names import sort_key
from tournaments.common.short_texts import clean_line, clean_lines
from tournaments.models import Club, Person, Role, Tournament
from tournaments.models.rows import CleanTextModel, text_fields
from tournaments.people.services.people import create_person
from tournaments.web.fields import TextField

UNSEEN = "\x07\x1b\x7f\u200b\u202e\u2066\ufeff\uffff\ud800"

# Their texts are keys, hashes and words of the program, or were cleaned where they came in.
OF_THE_PROGRAM = {
    *("Job", "JournalChain", "JournalEntry", "ArchivedJournal", "KnownColumns", "NotedRequest"),
    *("PrintedDocument", "StoredFile", "Submission", "CodeGuess"),
}
MODELS = [model for model in apps.get_app_config("tournaments").get_models() if text_fields(model)]


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        pytest.param(f"E{UNSEEN}va", "Eva", id="control, format and half characters"),
        pytest.param("Bell\x07Cup", "BellCup", id="a bell"),
        pytest.param(" Anna \t\r\n Maria ", "Anna Maria", id="whitespace of all kinds"),
        pytest.param("Anna\u00a0Maria\u2003K", "Anna Maria K", id="fixed and wide spaces"),
        pytest.param("Ku\u0308hn", "Kühn", id="letters and accents in NFC"),
        pytest.param("می\u200cخواهم", "می\u200cخواهم", id="a joiner within a word"),
        pytest.param("\u200d \u200c", "", id="joiners that join nothing"),
        pytest.param("Kühn – „Wolle“ 🃏", "Kühn – „Wolle“ 🃏", id="what can be seen"),
    ],
)
def test_a_line_is_stored_without_invisible_characters(typed: str, stored: str):
    assert clean_line(typed) == stored
    assert TextField(required=False).clean(typed) == stored


@given(st.text())
def test_cleaning_is_idempotent(text: str):
    assert clean_line(clean_line(text)) == clean_line(text)
    assert clean_lines(clean_lines(text)) == clean_lines(text)


def test_several_lines_keep_their_breaks():
    assert clean_lines("eins\r\n\r\n  zwei\x0b\u2028drei \n") == "eins\n\n  zwei\ndrei"


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_typed_text_of_a_model_is_cleaned_before_it_is_checked(model):
    if model.__name__ in OF_THE_PROGRAM:
        assert not issubclass(model, CleanTextModel)
        return
    texts = [field.name for field in text_fields(model)]
    row = model(**dict.fromkeys(texts, f"a{UNSEEN}  b"))

    with suppress(ValidationError):  # „a b“ is no address for mails, nor part of one of a page
        row.clean_fields(
            exclude=[field.name for field in model._meta.fields if field.name not in texts]
        )

    assert {getattr(row, name) for name in texts} == {"a b"}


@pytest.mark.django_db
def test_a_name_loses_its_invisible_characters():
    tournament = make_tournament()

    person = create_person(
        actor=COMMAND, within=tournament, last_name="Ku\u200bhn\x07", first_name="\u202eEva\x1b"
    )

    person.refresh_from_db()
    assert (person.last_name, person.first_name) == ("Kuhn", "Eva")
    assert person.sort_key == sort_key("Kuhn", "Eva")


@pytest.mark.django_db
def test_a_name_of_invisible_characters_only_is_missing():
    with pytest.raises(ValidationError, match="last_name"):
        create_person(actor=COMMAND, within=make_tournament(), last_name="\u200b\x07")


@pytest.mark.django_db
def test_imported_texts_are_shown_on_pages_exports_and_feeds(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    tournament = make_tournament()
    make_registration(tournament)
    make_person(club=make_club())
    head = make_member(tournament, Role.VERANSTALTER, is_admin=True)
    kept = {"slug", "iban", "bic", "words", "member_number", "email", "contact_email"}
    for model in (Tournament, Person, Club):  # past all checks, as rows of an archive come
        for field in text_fields(model):
            if field.name not in kept:
                begins = Left(F(field.name), (field.max_length or 100) - 4)
                model.objects.update(**{field.name: Concat(begins, Value("\x1b\u202e\x07<"))})
    client = Client(raise_request_exception=False)
    client.force_login(head)
    pages = [address for address in ADDRESSES if set(address.keys) <= {"slug"}]

    answers = []
    for page in pages:
        named = {"slug": tournament.slug} if page.keys else {}
        answers.append(client.get(reverse(page.name.removeprefix(":"), kwargs=named)))
    answers += [client.post(reverse("people:export"), {"format": kind}) for kind in ("xlsx", "csv")]

    assert [answer.request["PATH_INFO"] for answer in answers if answer.status_code >= 500] == []
    opened = Counter(_opened(answer) for answer in answers if answer.status_code == 200)
    assert opened["xml"] >= 1
    assert opened["spreadsheet"] >= 1


def _opened(answer: HttpResponse) -> str:
    """Parse a feed or a workbook by the rules of its format."""
    kind = answer["Content-Type"]
    if "xml" in kind and "spreadsheet" not in kind:
        fromstring(answer.content)
        return "xml"
    if "spreadsheet" in kind:
        load_workbook(BytesIO(answer.content))
        return "spreadsheet"
    return ""
