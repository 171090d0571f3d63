"""The network address of a request, on a laptop and behind the proxy of a server."""

from __future__ import annotations

from contextlib import suppress
from ipaddress import ip_address, ip_network
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest

from tournaments.machine.systems import lan_address

# A device with one address of version 6 has 2⁶⁴ of them.
_OWN_PREFIX = 64
_OWN_NAMES = ("localhost", "127.0.0.1", "::1")
_FIRST_PORT = 8000


def client_address(request: HttpRequest) -> str:
    """Return the address of the device that sent the request.

    Behind the proxy of a server, its last entry counts: earlier entries were sent by the
    client and may be forged.
    """
    address = str(request.META.get("REMOTE_ADDR", ""))
    if settings.SECURE_PROXY_SSL_HEADER:
        forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip()
        address = forwarded or address
    return address


def network_address(request: HttpRequest) -> str:
    """Return the network that one person or household has."""
    address = client_address(request)
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return str(found)
    return str(ip_network((found, _OWN_PREFIX), strict=False))


def throttled_address(request: HttpRequest) -> str:
    """Return the address for which wrong passwords are counted.

    As ``network_address``, but a network stands for itself by its first address, because
    the table of attempts holds single addresses.
    """
    return network_address(request).partition("/")[0]


def absolute(request: HttpRequest, path: str) -> str:
    """Return the whole address of *path*, for a link or QR code that leaves this device."""
    return f"{site_address(request)}{path}"


def site_address(request: HttpRequest) -> str:
    """Return the address under which phones reach the site, without a slash at its end.

    A request made on the laptop itself has the host localhost, which in a QR code would lead
    every phone to itself.
    """
    if settings.PUBLIC_URL:
        return str(settings.PUBLIC_URL).rstrip("/")
    host = request.get_host()
    parts = urlsplit(f"//{host}")
    if parts.hostname in _OWN_NAMES:
        port = f":{parts.port}" if parts.port else ""
        host = f"{lan_address() or parts.hostname}{port}"
    return f"{request.scheme}://{host}"


def _port_file() -> Path:
    return Path(settings.DATA_DIR) / "anschluss.txt"


def note_port(port: int) -> None:
    """Store on which port the program serves, for commands that print its address."""
    _port_file().write_text(str(port), encoding="ascii")


def address_for_links() -> str:
    """Return the address in links that a command prints, without a slash at its end."""
    return _address_at("localhost")


def own_address() -> str:
    """Return the address under which phones reach the site; no request has a say in it."""
    return _address_at(lan_address() or "localhost")


def _address_at(host: str) -> str:
    port = str(_FIRST_PORT)
    with suppress(FileNotFoundError):
        port = _port_file().read_text(encoding="ascii")
    return str(settings.PUBLIC_URL or f"http://{host}:{port}").rstrip("/")
