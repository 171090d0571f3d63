"""The network address of a request, on a laptop and behind the proxy of a server."""

from __future__ import annotations

from contextlib import suppress
from ipaddress import ip_address, ip_network
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from tournaments.machine.operating_system import lan_address, own_addresses
from tournaments.models import Job

# A device with one address of version 6 has 2⁶⁴ of them.
_OWN_PREFIX = 64
_OWN_NAMES = ("localhost", "127.0.0.1", "::1")
_FIRST_PORT, _UNNAMED_PORT = 8000, 80


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
        parsed = ip_address(address)
    except ValueError:
        return address
    if parsed.version == 4:
        return str(parsed)
    return str(ip_network((parsed, _OWN_PREFIX), strict=False))


def throttled_address(request: HttpRequest) -> str:
    """Return the address for which wrong passwords are counted.

    As ``network_address``, but a network is represented by its first address, because the table
    of attempts holds single addresses.
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


def is_local_request(request: HttpRequest) -> bool:
    """Whether a request was sent on the computer in the hall that serves."""
    return settings.IS_IN_THE_HALL and client_address(request) in {"127.0.0.1", lan_address()}


def moved_warning() -> str:
    """Return the sentence that printed codes lead to an earlier address; empty if they do not."""
    job = Job.objects.filter(kind="print", status=Job.Status.DONE).order_by("-pk").first()
    before = urlsplit(job.params["base_url"] if job else "")
    lan = lan_address()
    with suppress(ValueError):  # host names are not checked
        ip_address(before.hostname or "")
        is_of_now = before.hostname == lan or before.hostname in own_addresses()
        is_of_now &= (before.port or _UNNAMED_PORT) == noted_port()
        if lan and not is_of_now and not settings.PUBLIC_URL:
            return _(
                "Dieser Rechner hat jetzt die Adresse {now}. Die zuletzt gedruckten QR-Codes "
                "führen zu {before}: neu drucken, oder ihm im Router wieder die alte Nummer geben."
            ).format(now=own_address(), before=before.geturl())
    return ""


def computer_page_url() -> str:
    """Return the address of the page for the person at this computer."""
    return address_for_links() + reverse("operator:here", args=[computer_page_token()])


def computer_page_token() -> str:
    """Return the secret part of that address.

    Behind a proxy or in a container, requests of others have a local address as well.
    """
    return salted_hmac("romme.here", "").hexdigest()[:32]


def _port_file() -> Path:
    return Path(settings.DATA_DIR) / "anschluss.txt"


def note_port(port: int) -> None:
    """Store the port of the server, for commands that print its address."""
    _port_file().write_text(str(port), encoding="ascii")


def address_for_links() -> str:
    """Return the address in links that a command prints, without a slash at its end."""
    return _address_at("localhost")


def own_address() -> str:
    """Return the address under which phones reach the site, independent of a request."""
    return _address_at(lan_address() or "localhost")


def noted_port() -> int:
    """Return the port of the server, running or last."""
    with suppress(FileNotFoundError):
        return int(_port_file().read_text(encoding="ascii"))
    return _FIRST_PORT


def _address_at(host: str) -> str:
    return str(settings.PUBLIC_URL or f"http://{host}:{noted_port()}").rstrip("/")
