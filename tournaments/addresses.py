"""Where a request comes from, on a laptop and behind the proxy of a server."""

from __future__ import annotations

from ipaddress import ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

# Whoever has one address of version 6 has 2⁶⁴ of them.
_OWN_PREFIX = 64


def client_address(request: HttpRequest) -> str:
    """Return the address of the device that sent the request.

    Behind the proxy that a server has in front, its last entry counts: what stands before
    it was sent along and may be made up.
    """
    address = str(request.META.get("REMOTE_ADDR", ""))
    if settings.SECURE_PROXY_SSL_HEADER:
        forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip()
        address = forwarded or address
    return address


def network_address(request: HttpRequest) -> str:
    """Return the address as far as one person or household goes."""
    address = client_address(request)
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return str(found)
    return str(ip_network((found, _OWN_PREFIX), strict=False))
