"""A signed list is a document (§ 2.2.4): devices cannot change it."""

from __future__ import annotations

import pytest

from tests.factories_lists import FOUR, write_games
from tests.tournaments.lists.helpers import Device, game
from tests.tournaments.table.test_page import first_game, submit
from tournaments.models import Case, ListVersion, Spielliste

pytestmark = pytest.mark.django_db


@pytest.fixture
def signed(keeper: Device, spielliste: Spielliste) -> Spielliste:
    """Four have signed on the device, one after the other."""
    write_games(spielliste, FOUR, status="complete")
    for seat in (1, 2, 3, 4):
        keeper.send("sign", version=12, seat=seat, drawing="M1,1L9,9")
    spielliste.refresh_from_db()
    assert spielliste.status == Spielliste.Status.SIGNED
    return spielliste


def lines(spielliste: Spielliste) -> list[object]:
    return list(spielliste.games.order_by("number").values_list("line", flat=True))


OTHER = {"finisher": 1, "handromme": False, "minus": [0, 32, 45, 12]}


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        pytest.param("change", {**game(1, 12, OTHER), "consents": [1, 2, 3, 4]}, id="a line"),
        pytest.param(
            "change",
            {"number": 12, "version": 12, "line": None, "consents": [1, 2, 3, 4]},
            id="the last line",
        ),
        pytest.param("game", game(13, 12), id="one more"),
        pytest.param("sign", {"version": 12, "seat": 1, "drawing": "M2,2L8,8"}, id="a signature"),
        pytest.param("paper", {"on_paper": True}, id="paper instead"),
    ],
)
def test_a_signed_list_refuses_changes_even_with_all_consents(
    keeper: Device, signed: Spielliste, kind: str, body: dict[str, object]
):
    before = lines(signed)

    answer = keeper.send(kind, **body)

    assert answer.status_code == 409
    assert answer.json()["conflict"]
    assert lines(signed) == before
    signed.refresh_from_db()
    assert (signed.status, signed.version, signed.signatures.count()) == ("signed", 12, 4)
    assert ListVersion.objects.filter(spielliste=signed).count() == 1


def test_a_signed_list_has_only_a_form_for_a_correction_request(keeper: Device, signed: Spielliste):
    page = keeper.client.get(keeper.path).content.decode()
    before = lines(signed)

    refused = submit(keeper, "change", **first_game(minus_2="32"), consents=["1", "2", "3", "4"])
    asked = submit(keeper, "case", game="1", text="Platz 2 hatte 32")

    assert 'value="sign_paper"' not in page
    assert refused.status_code == 409
    assert lines(signed) == before
    assert asked.status_code == 302
    assert Case.objects.get().game == 1
