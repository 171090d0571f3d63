"""Mails as a mail server gets them: text, and the same as HTML with the link as a button."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest

from tests.factories import make_tournament
from tests.smtp import MailServer, mail_server
from tests.tournaments.desk.online.helpers import make_open_tournament, send_one, wanted
from tournaments.common.errors import TournamentError
from tournaments.desk.online.services import mails as entry_mails
from tournaments.machine import mails
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def server(settings: Any) -> Iterator[MailServer]:
    with mail_server() as running:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", running.server_address[1]
        settings.HAS_EMAIL, settings.PUBLIC_URL = True, "https://romme.example"
        settings.DEFAULT_FROM_EMAIL = "Rommé-Turnier <turnier@altenburg.example>"
        yield running


def words_of(text: str) -> list[str]:
    return unescape(re.sub(r"<[^>]*>", " ", text[text.index("<body") :])).split()


def parts_of(server: MailServer) -> tuple[str, str]:
    """The text and the page of the only mail."""
    (taken,) = server.taken
    plain, html = (part.get_content() for part in taken.message.iter_parts())
    return plain.replace("\r\n", "\n"), html.replace("\r\n", "\n")


def test_a_confirmation_has_text_and_html_with_its_link_as_a_button(server: MailServer):
    tournament = make_open_tournament(name="Frühjahrsturnier „Ärmel & Söhne“")
    sent = send_one(tournament, wanted("Jürgen", "Weiß"), email="juergen@verein.example")

    assert entry_mails.send_confirmation(sent.entry, sent.token)

    (taken,) = server.taken
    mail, link = taken.message, f"https://romme.example/meldung/{sent.token}/"
    assert (taken.sender, taken.receivers) == (
        "turnier@altenburg.example",
        ["juergen@verein.example"],
    )
    assert mail["Subject"].strip() == "Meldung: Frühjahrsturnier „Ärmel & Söhne“"
    assert mail["From"].addresses[0].display_name == "Rommé-Turnier"
    assert mail["Reply-To"] == "turnier@altenburg.example"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail.get_content_type() == "multipart/alternative"
    plain, html = parts_of(server)
    assert "Weiß, Jürgen" in plain
    assert "Ihre Meldung für „Frühjahrsturnier „Ärmel & Söhne““ ist eingegangen:" in plain
    assert plain.count(link) == 1
    assert "<" not in plain
    assert f'<a href="{link}"' in html
    assert html.count(f'href="{link}"') == 1
    assert '<html lang="de">' in html
    # Everything that is in the text is in the page, in the same order; the page has its button.
    words = words_of(html)
    at = words.index(link)
    assert words[at - 2 : at] == ["Meldung", "ansehen"]
    assert words[: at - 2] + words[at:] == plain.split()


def test_user_input_in_a_mail_is_escaped(server: MailServer):
    tournament = make_open_tournament(name='<a href="https://boese.example">Preis</a>')
    sent = send_one(tournament, email="anna@verein.example")

    entry_mails.send_confirmation(sent.entry, sent.token)

    plain, html = parts_of(server)
    assert '<a href="https://boese.example">' in plain
    assert html.count("<a ") == 1
    assert "&lt;a href=" in html


def test_a_mail_without_a_link_has_no_button(server: MailServer):
    mails.send_test_mail("anna@verein.example")

    plain, html = parts_of(server)
    assert "https://romme.example geschickt" in plain
    assert "<a " not in html
    assert words_of(html) == plain.split()


def test_the_button_is_in_the_language_of_the_tournament(server: MailServer):
    tournament = make_open_tournament(language="en")
    sent = send_one(tournament, email="anna@verein.example")

    entry_mails.send_confirmation(sent.entry, sent.token)

    _plain, html = parts_of(server)
    assert '<html lang="en">' in html
    assert ">View registration</a>" in html


def test_lines_starting_with_a_dot_arrive(server: MailServer):
    off = make_tournament(status=Tournament.Status.CALLED_OFF, called_off_reason=".\n..und mehr")

    mails.deliver(
        off,
        "anna@verein.example",
        subject="{tournament}",
        template="mail/called_off.txt",
        context={"persons": []},
        about="a test",
    )

    plain, _html = parts_of(server)
    assert ".\n..und mehr\n" in plain


def test_the_message_of_a_refusing_mail_server_is_shown(server: MailServer):
    with pytest.raises(TournamentError, match="No such user here"):
        mails.send_test_mail("unbekannt@verein.example")

    assert server.taken == []
