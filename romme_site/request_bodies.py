"""Reading the bodies of requests, with limits of size, progress and share.

Small bodies are in memory and bounded by the number of connections, so requests of tables never
wait for uploads. Large bodies are files; their number is limited, in all and for each address.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING

from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from granian.rsgi import HTTPProtocol, Scope  # type: ignore[attr-defined]

PATIENCE = float(os.environ.get("PATIENCE") or 20)  # seconds
SMALL = 64 * 1024  # bytes; most for requests of tables and forms without files
MOST_BYTES = 80 * 2**20  # archives have at most 64 MB, and a page refuses larger ones
LEAST = 50_000 * PATIENCE  # fewest bytes in each interval of PATIENCE seconds
MOST_UPLOADS = 6  # at the same time
SHARE = 2  # of these, for one address


class RefusedError(Exception):
    """A request that is refused; the message is shown."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class UnexpectedBodyError(RefusedError):
    """A request that is refused before its body is read."""


class HungUpError(Exception):
    """The device disconnected before its request was complete, so no answer is sent."""


class Uploads:
    """The large bodies that are being received or answered."""

    def __init__(self) -> None:
        self.from_address: Counter[str] = Counter()

    @contextmanager
    def place_for(self, address: str) -> Iterator[None]:
        """Count an upload until it is answered.

        Raises:
            UnexpectedBodyError: if there are too many uploads, in all or from the address.
        """
        uploads = self.from_address
        if uploads[address] >= SHARE or uploads.total() >= MOST_UPLOADS:
            raise UnexpectedBodyError(
                503,
                _(
                    "Gerade wird von vielen auf einmal zu viel gesendet. Bitte in einer Minute "
                    "noch einmal versuchen."
                ),
            )
        uploads[address] += 1
        try:
            yield
        finally:
            uploads -= Counter([address])


def announced_length(scope: Scope) -> int:
    """Return the length of the body in the headers of a request.

    Raises:
        RefusedError: if they have none.
    """
    length = scope.headers.get("content-length", "0")
    if "transfer-encoding" in scope.headers or not (length.isascii() and length.isdigit()):
        raise RefusedError(411, _("Der Anfrage fehlt die Angabe, wie lang sie ist."))
    return int(length)


def too_large(most: int) -> UnexpectedBodyError:
    """Return the refusal of a body with more than *most* bytes."""
    number, unit = (most // 2**20, "MB") if most >= 2**20 else (most // 2**10, "KB")
    sentence = _("Das ist zu groß: Mehr als {most} {unit} nimmt das Programm hier nicht an.")
    return UnexpectedBodyError(413, sentence.format(most=number, unit=unit))


async def read(sent: HTTPProtocol, announced: int, into: IO[bytes]) -> None:
    """Read the body of a request to its end.

    Raises:
        RefusedError: if too little of it arrives in an interval.
        HungUpError: if it ends before the announced length.
    """
    length, demanded = 0, LEAST
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(PATIENCE) as interval:
            async for piece in sent:
                into.write(piece)
                length += len(piece)
                if length >= demanded:
                    demanded = length + LEAST
                    interval.reschedule(loop.time() + PATIENCE)
    except TimeoutError:
        raise RefusedError(
            408,
            _(
                "Die Anfrage kam nicht vollständig an, vielleicht ist das Netz zu langsam. "
                "Es wurde nichts gespeichert; bitte noch einmal versuchen."
            ),
        ) from None
    if length != announced:
        raise HungUpError
    into.seek(0)


async def read_past(sent: HTTPProtocol) -> None:
    """Read and discard a body, because browsers read the answer only after sending."""
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            async for _piece in sent:
                pass
