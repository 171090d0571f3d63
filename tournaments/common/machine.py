"""What the machine is called in the hall, and what only it can say."""

from __future__ import annotations

import fcntl
import socket
import struct
import sys
from collections.abc import Iterator
from ipaddress import ip_address

# „Which address has this interface?“, in the number that the system gives the question.
_SIOCGIFADDR = 0xC0206921 if sys.platform == "darwin" else 0x8915
# The answer has the name of the interface, what kind of address it is, and the address.
_ANSWER = struct.Struct("16s4x4s8x")


def lan_address() -> str | None:
    """Return this machine's IPv4 address in the hall's network; None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Sends nothing: the system only looks up which way it would go. The address is
            # one kept for documentation, so there is nobody there in any case.
            probe.connect(("203.0.113.1", 9))
        except OSError:
            # A network without a way out, which is usual in a hall.
            return next(_addresses(probe), None)
        return str(probe.getsockname()[0])


def _addresses(probe: socket.socket) -> Iterator[str]:
    """Yield the addresses that others could reach, one for each interface."""
    for _index, name in socket.if_nameindex():
        asked = _ANSWER.pack(name.encode()[:15], b"")
        try:
            answer = fcntl.ioctl(probe, _SIOCGIFADDR, asked)
        except OSError:
            continue  # it has none
        address = ip_address(_ANSWER.unpack(answer)[1])
        if not (address.is_loopback or address.is_link_local):
            yield str(address)
