"""How a request gets in at a table: the token in its address, the device in its cookie."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from tournaments.common.actors import Actor
from tournaments.common.errors import NotAllowed
from tournaments.models import TableAccess, TableDevice
from tournaments.table.services import devices
from tournaments.table.services.acts import Visitor

COOKIE = "tischgeraet"
COOKIE_LASTS = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """A request at a table: what its code opens, and which device asks."""

    access: TableAccess
    device: TableDevice | None
    secret: str = ""  # of the device, for its cookie

    @property
    def device_id(self) -> int | None:
        """Key of the device that asks."""
        return self.device.pk if self.device else None

    def visitor(self) -> Visitor:
        """Return the device that asks, as acts know it.

        Raises:
            NotAllowed: if it is none of the table.
        """
        table = self.access.table
        if self.device is None:
            raise NotAllowed(
                _("Dieses Gerät ist an dem Tisch nicht bekannt. Bitte die Seite neu laden.")
            )
        return Visitor(self.device.pk, table.pk, table.spielliste.pk, Actor.table(table))


def come_in(request: HttpRequest, token: str) -> Visit:
    """Return what a request may see; 1 query, and 1 for the device that it names.

    Raises:
        UnknownCode: if the address belongs to no table.
        AccessEnded: if it did, and opens nothing now.
    """
    secret = request.COOKIES.get(COOKIE, "")
    try:
        access = devices.find_access(token)
    except devices.UnknownCode:
        devices.demand_not_withdrawn(secret)
        raise
    devices.demand_open(access)
    device = devices.find_device(access, secret)
    return Visit(access=access, device=device, secret=secret if device else "")


def come_in_with_device(request: HttpRequest, token: str) -> Visit:
    """Return what a request may see, having made its device known to the table.

    The answer must go through :func:`remember`.

    Raises:
        UnknownCode: if the address belongs to no table.
        AccessEnded: if it did, and opens nothing now.
    """
    visit = come_in(request, token)
    opened = devices.open_device(visit.access, secret=visit.secret)
    return replace(visit, device=opened.device, secret=opened.secret)


def remember(response: HttpResponse, secret: str, token: str) -> HttpResponse:
    """Put the device's secret into its cookie, for this table alone and one more day."""
    if secret:
        response.set_cookie(
            COOKIE,
            secret,
            max_age=COOKIE_LASTS,
            path=f"/tisch/{token}/",
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return response
