"""Sends browsers that ask by http to the address with https."""

from __future__ import annotations

import asyncio
import socket
import threading

from romme_site.probes import ANSWERS

SECONDS = 5.0  # limit for a browser to send its request
MOST = 100  # browsers at once


def redirect(host: str, port: int, url: str) -> bool:
    """Redirect from a port to *url* in a thread; return whether the port is available."""
    try:
        listening = socket.create_server((host, port))
    except OSError:
        return False
    threading.Thread(target=lambda: asyncio.run(_serve(listening, url)), daemon=True).start()
    return True


def _answer(path: str, url: str) -> str:
    """Return the redirect from a path, or the answer to a phone that probes for the internet."""
    if probe := ANSWERS.get(path):
        head = f"HTTP/1.1 {probe.status} OK\r\nContent-Type: {probe.kind}\r\n"
        body = probe.body
    else:
        # „@elsewhere“ would turn our host name into a user name at another host.
        location = url + (path if path.startswith("/") else "/")
        head, body = f"HTTP/1.1 307 Temporary Redirect\r\nLocation: {location}\r\n", ""
    return f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}"


async def _serve(listening: socket.socket, url: str) -> None:
    places = asyncio.Semaphore(MOST)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with places, asyncio.timeout(SECONDS):
                head = await reader.readuntil(b"\r\n\r\n")
                path = head.decode("latin-1").split()[1]
                writer.write(_answer(path, url).encode("latin-1"))
                await writer.drain()
        except (OSError, EOFError, IndexError, asyncio.LimitOverrunError):
            pass  # it disconnected, is too slow, or is no browser
        finally:
            writer.close()

    async with await asyncio.start_server(answer, sock=listening) as server:
        await server.serve_forever()
