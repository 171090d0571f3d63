"""The bodies of requests: their minimal speed, and the limits of each address."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack
from io import BytesIO

import pytest

from romme_site import request_bodies
from romme_site.request_bodies import HungUpError, RefusedError, UnexpectedBodyError, Uploads


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_bodies, "PATIENCE", 0.05)
    monkeypatch.setattr(request_bodies, "LEAST", 4)


def read(sent: AsyncIterator[bytes], announced: int) -> bytes:
    into = BytesIO()
    asyncio.run(request_bodies.read(sent, announced, into))
    return into.read()


async def pieces(*each: bytes, after: float = 0) -> AsyncIterator[bytes]:
    for piece in each:
        await asyncio.sleep(after)
        yield piece


def test_a_slow_body_is_accepted_while_it_advances(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(
        request_bodies, "PATIENCE", 1
    )  # a busy machine sleeps longer than requested
    sent = [b"1234"] * 6

    assert read(pieces(*sent, after=0.2), 24) == b"".join(sent)


def test_a_stalled_body_of_any_length_is_refused():
    with pytest.raises(RefusedError, match="kam nicht vollständig an") as refusal:
        read(pieces(*[b"1"] * 100, after=0.03), request_bodies.MOST_BYTES)

    assert refusal.value.status == 408


def test_a_client_that_disconnects_gets_no_answer():
    with pytest.raises(HungUpError):
        read(pieces(b"1234"), 8)


def test_uploads_of_one_address_are_limited():
    uploads = Uploads()
    with uploads.place_for("192.0.2.1"), uploads.place_for("192.0.2.1"):
        with (
            pytest.raises(UnexpectedBodyError, match="zu viel gesendet") as refusal,
            uploads.place_for("192.0.2.1"),
        ):
            pass
        with uploads.place_for("192.0.2.2"):
            pass

    assert refusal.value.status == 503
    with uploads.place_for("192.0.2.1"):
        assert uploads.from_address == {"192.0.2.1": 1}


def test_all_uploads_together_have_a_limit():
    uploads = Uploads()
    with ExitStack() as many:
        for number in range(request_bodies.MOST_UPLOADS):
            many.enter_context(uploads.place_for(f"192.0.2.{number}"))

        with pytest.raises(UnexpectedBodyError, match="zu viel gesendet"):
            many.enter_context(uploads.place_for("192.0.2.99"))
