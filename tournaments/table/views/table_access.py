"""Access to a table by the token in the address and the device in the cookie."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.common.actors import Actor
from tournaments.common.errors import NotAllowed
from tournaments.models import TableAccess, TableDevice
from tournaments.table.services import devices
from tournaments.table.services.acts import Visitor

COOKIE = "tischgeraet"
LAST_TABLE = "letzter-tisch"  # cookie of the page for short codes only
COOKIE_LASTS = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableVisit:
    """The access and the device of a request at a table."""

    access: TableAccess
    device: TableDevice | None
    secret: str = ""  # secret of the device, for its cookie

    @property
    def device_id(self) -> int | None:
        """Key of the device, or None."""
        return self.device.pk if self.device else None

    def visitor(self) -> Visitor:
        """Return the device as a ``Visitor`` for acts.

        Raises:
            NotAllowed: if it does not belong to the table.
        """
        table = self.access.table
        if self.device is None:
            raise NotAllowed(
                _("Dieses Gerät ist an dem Tisch nicht bekannt. Bitte die Seite neu laden.")
            )
        return Visitor(self.device.pk, table.pk, table.spielliste.pk, Actor.table(table))


def visit_of(request: HttpRequest, token: str) -> TableVisit:
    """Return access and device of a request; 1 query, 1 more for the device in the cookie.

    Raises:
        UnknownCode: if the address belongs to no table.
        AccessEnded: if the code is no longer valid.
    """
    secret = request.COOKIES.get(COOKIE, "")
    try:
        access = devices.find_access(token)
    except devices.UnknownCode:
        devices.check_not_withdrawn(secret)
        raise
    devices.check_open(access)
    device = devices.find_device(access, secret)
    return TableVisit(access=access, device=device, secret=secret if device else "")


def visit_with_device(request: HttpRequest, token: str) -> TableVisit:
    """Return access and device of a request; a new device is stored.

    The response must be passed to :func:`set_device_cookies`.

    Raises:
        UnknownCode: if the address belongs to no table.
        AccessEnded: if the code is no longer valid.
    """
    visit = visit_of(request, token)
    device, secret = devices.open_device(visit.access, secret=visit.secret)
    return replace(visit, device=device, secret=secret)


def set_device_cookies(response: HttpResponse, secret: str, token: str) -> HttpResponse:
    """Store the device's secret in a cookie for this table, valid for one more day.

    A second cookie tells the page for short codes that the device was at a table before.
    """
    if secret:
        for name, path in ((COOKIE, f"/tisch/{token}/"), (LAST_TABLE, reverse("table:code"))):
            response.set_cookie(
                name,
                secret,
                max_age=COOKIE_LASTS,
                path=path,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
    return response
