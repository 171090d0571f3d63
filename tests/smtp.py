"""A mail server for tests: takes mails by SMTP (RFC 5321) on this machine and keeps them."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import cast


@dataclass(frozen=True, slots=True)
class ReceivedMail:
    """A mail, with the addresses of its envelope."""

    sender: str
    receivers: list[str]
    content: bytes

    @property
    def message(self) -> EmailMessage:
        """The mail as a program of mails reads it."""
        return message_from_bytes(self.content, policy=policy.default)


class _Talk(socketserver.StreamRequestHandler):
    """A connection: one command a line, each answered by a line with a number."""

    def handle(self) -> None:
        sender, receivers = "", list[str]()
        self.say("220 test")
        for line in self.rfile:
            command, _colon, argument = line.decode("ascii").strip().partition(":")
            address = argument.partition(">")[0].strip(" <")
            match command.upper().split():
                case ["MAIL", "FROM"]:
                    sender, receivers = address, []
                case ["RCPT", "TO"] if "unbekannt" in address:
                    self.say("550 No such user here")
                    continue
                case ["RCPT", "TO"]:
                    receivers.append(address)
                case ["DATA"]:
                    self.say("354 Go on")
                    cast(MailServer, self.server).taken.append(
                        ReceivedMail(sender, receivers, self.content())
                    )
                case ["QUIT"]:
                    self.say("221 Bye")
                    return
            self.say("250 OK")

    def say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())

    def content(self) -> bytes:
        """Read up to the line of one dot; others that begin with one were sent with two."""
        lines = list(iter(self.rfile.readline, b".\r\n"))
        return b"".join(line.removeprefix(b".") for line in lines)


class MailServer(socketserver.ThreadingTCPServer):
    """Listens on a free port of this machine."""

    daemon_threads = True
    taken: list[ReceivedMail]


@contextmanager
def mail_server() -> Iterator[MailServer]:
    """Give a running server, with the mails it has taken in ``taken``."""
    with MailServer(("127.0.0.1", 0), _Talk) as server:
        server.taken = []
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
