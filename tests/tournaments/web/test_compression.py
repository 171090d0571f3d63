"""Public pages are compressed; pages with a secret of one browser never are."""

from __future__ import annotations

import gzip
import json
from unittest.mock import ANY

import pytest

from tests.clients import Client, at, logged_in
from tests.factories import COMMAND, make_member, make_players, make_tournament
from tests.factories_lists import list_of, make_seated_serie, write_games
from tests.worlds import world
from tournaments.common.access_keys import player_token
from tournaments.models import Role, Spielliste, Tournament
from tournaments.notices.services import words
from tournaments.results.services import player_access
from tournaments.web import cached_answers

pytestmark = [pytest.mark.django_db, pytest.mark.once]
GZIP = {"Accept-Encoding": "gzip, deflate"}
POLL = {"HX-Request": "true"}


@world
def tournament() -> Tournament:
    created = make_tournament(status=Tournament.Status.RUNNING)
    rows = [make_players(created, 4) for _table in range(2)]
    write_games(list_of(make_seated_serie(created, rows)), status=Spielliste.Status.VERIFIED)
    player_access.store_tokens(created)
    return created


def ranking_of(tournament: Tournament) -> str:
    return at("results_public:overall", tournament)


@pytest.mark.parametrize(
    "page", ["public:tournament", "results_public:overall", "results_public:statistics"]
)
def test_an_opened_public_page_is_the_same_compressed(tournament: Tournament, page: str):
    url = at(page, tournament)

    plain, packed = Client().get(url), Client().get(url, headers=GZIP)

    assert "Content-Encoding" not in plain.headers
    assert packed["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed["Vary"]
    assert int(packed["Content-Length"]) == len(packed.content) < len(plain.content) / 2
    assert gzip.decompress(packed.content) == plain.content


@pytest.mark.parametrize("page", ["results_public:overall", "seating:serie"])
def test_polled_changes_are_compressed_once(tournament: Tournament, page: str, monkeypatch):
    url = at(page, tournament, *([1] if page == "seating:serie" else []))
    compress, times = gzip.compress, []

    def counted(content: bytes, *, mtime: int) -> bytes:
        times.append(1)
        return compress(content, mtime=mtime)

    monkeypatch.setattr(gzip, "compress", counted)

    answers = [
        Client().get(url, {"since": "-1"}, headers={**POLL, **GZIP}),
        Client().get(url, {"since": "-1"}, headers={**POLL, **GZIP}),
        Client().get(url, {"since": "-1"}, headers=POLL),
    ]

    assert [answer.get("Content-Encoding") for answer in answers] == ["gzip", "gzip", None]
    assert {answer["Vary"].count("Accept-Encoding") for answer in answers} == {1}
    assert gzip.decompress(answers[0].content) == answers[2].content
    assert len(times) == 1


def test_a_page_with_a_form_is_never_compressed(tournament: Tournament):
    page = Client().get(at("account:login"), headers=GZIP)
    code = Client().get(at("table:code"), headers=GZIP)

    for answer in (page, code):
        assert "csrfmiddlewaretoken" in answer.content.decode()
        assert "Content-Encoding" not in answer.headers


def test_a_page_of_an_account_is_never_compressed(tournament: Tournament):
    staff = logged_in(make_member(tournament, Role.SPIELLEITUNG))

    for url in (ranking_of(tournament), at("results:ranking", tournament)):
        assert "Content-Encoding" not in staff.get(url, headers=GZIP).headers


def test_polled_ranking_lines_are_compressed_and_contain_no_token(
    tournament: Tournament,
):
    url = at("results:ranking", tournament)
    desk, leading = (
        logged_in(make_member(tournament, role))
        for role in (Role.SCHIEDSRICHTER, Role.SPIELLEITUNG)
    )

    packed = leading.get(url, {"since": "-1"}, headers={**POLL, **GZIP})
    plain = desk.get(url, {"since": "-1"}, headers=POLL)

    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert "csrf" not in plain.content.decode()
    known = {**POLL, "X-Known": plain["X-Version"]}
    nothing = desk.get(url, {"since": "-1"}, headers=known)
    assert json.loads(nothing.content) == ["\n    ", [2, ANY]]  # all lines are those it has
    stranger = Client().get(url, {"since": "-1"}, headers=known)
    assert stranger.status_code == 302


def test_a_page_with_a_secret_url_is_never_compressed(tournament: Tournament):
    player = tournament.registrations.order_by("number")[0]
    url = at("player:page", player_token(player))

    answer = Client().get(url, headers=GZIP)

    assert answer.status_code == 200
    assert "Content-Encoding" not in answer.headers


def test_other_content_is_not_compressed():
    assert Client().get("/gibt-es-nicht/", headers=GZIP).status_code == 404


def put_together(old: str, pieces: list[list[int] | str]) -> str:
    """Apply a diff as static/js/answer_diff.js does."""
    lines = old.split("\n")
    return "\n".join(
        piece if isinstance(piece, str) else "\n".join(lines[slice(*piece)]) for piece in pieces
    )


def test_a_page_with_an_answer_gets_changes_only(tournament: Tournament):
    url, phone = ranking_of(tournament), Client()
    first = phone.get(url, {"since": "-1"}, headers=POLL)
    words.say(COMMAND, tournament.pk, words="Pause")

    known = {**POLL, "X-Known": first["X-Version"]}
    whole = phone.get(url, {"since": "0"}, headers=POLL)
    part = phone.get(url, {"since": "0"}, headers=known)
    packed = phone.get(url, {"since": "0"}, headers={**known, **GZIP})

    assert (part["X-Known"], part["X-Version"]) == (first["X-Version"], whole["X-Version"])
    assert first["X-Version"] != whole["X-Version"]
    assert len(part.content) < len(whole.content) / 3
    assert gzip.decompress(packed.content) == part.content
    together = put_together(first.content.decode(), json.loads(part.content))
    assert together == whole.content.decode()


@pytest.mark.parametrize("known", ["", "0123456789abcdef", "ä"])
def test_a_page_with_an_expired_answer_gets_everything(tournament: Tournament, known: str):
    answer = Client().get(
        ranking_of(tournament), {"since": "-1"}, headers={**POLL, "X-Known": known}
    )

    assert "X-Known" not in answer.headers
    assert "<table" in answer.content.decode()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("a", ""),
        ("", "a\n"),
        ("a\nb\nc\n", "b\nc\na\n"),
        ("a\nb\n\nb\na", "\na\nb\nb\n\na\n"),
        ("a\r\nb\u2028c", "b\u2028c\nx"),
    ],
)
def test_pieces_make_the_new_answer(old: str, new: str):
    pieces = json.loads(json.dumps(cached_answers.changes(old, new)))

    assert put_together(old, pieces) == new


def test_reordered_lines_are_not_sent_again():
    old = [f"player {number}\nsame" for number in range(500)]

    pieces = cached_answers.changes("\n".join(old), "\n".join(reversed(old)))

    assert len(pieces) == len(old)
    assert not any(isinstance(piece, str) for piece in pieces)
