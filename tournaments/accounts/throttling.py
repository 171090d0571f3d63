"""Limits on wrong passwords: by account and address, and by network address.

Attempts of others at the same address, as behind the router of a hall, do not stop a device on
which the account has logged in. The limit by address counts all log-in names. The counts are in the
database, so that all processes share them.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from axes.attempts import get_cool_off_threshold
from axes.handlers.database import AxesDatabaseHandler
from axes.models import AccessAttempt, AccessLog
from django.conf import settings
from django.db.models import QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from tournaments.accounts.forms import attempted_username
from tournaments.models import User

MOST_FROM_ADDRESS = 30  # wrong passwords within AXES_COOLOFF_TIME
KNOWN_DEVICE = "geraet"  # cookie of a device on which an account has logged in
KNOWN_FOR = timedelta(days=180)
_DEVICE_SALT = "tournaments.known_device"


class LoginRequest(HttpRequest):
    """A request with the attributes of this module and of axes."""

    axes_ip_address: str
    address_is_paused: bool


class AddressThrottling(AxesDatabaseHandler):  # type: ignore[misc]  # axes has no types
    """Pauses a network address, in addition to the pauses of accounts."""

    def is_locked(self, request: LoginRequest, credentials: dict[str, Any] | None = None) -> bool:
        """Whether the log-in is refused unchecked; marks a request of a paused address."""
        # A clock that was set back must not prolong a pause.
        later = timezone.now() + timedelta(minutes=1)
        ahead = AccessAttempt.objects.filter(attempt_time__gt=later)
        if ahead.exists():  # an empty deletion would wait for the lock of writers
            ahead.delete()
        if super().is_locked(request, credentials):
            return not _is_known_device(request, credentials)
        request.address_is_paused = _is_paused(request, credentials)
        return request.address_is_paused


def remember_device(response: HttpResponse, user: User) -> None:
    """Set the cookie of a known device, which attempts of others at its address do not stop."""
    response.set_cookie(
        KNOWN_DEVICE,
        _proof_of_device(user),
        max_age=KNOWN_FOR,
        path=reverse("account:login"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _proof_of_device(user: User) -> str:
    return salted_hmac(_DEVICE_SALT, f"{user.pk}:{user.password}", algorithm="sha256").hexdigest()


def _is_known_device(request: LoginRequest, credentials: dict[str, Any] | None) -> bool:
    """Whether the account has logged in on this device, and the device has attempts left."""
    cookie = request.COOKIES.get(KNOWN_DEVICE, "")
    name = attempted_username(request, credentials)
    user = User.objects.filter(username__iexact=name).first() if cookie else None
    if user is None or not constant_time_compare(cookie, _proof_of_device(user)):
        return False
    # Attempts of others stop at the fifth, so further failures are of this device.
    tried = AccessAttempt.objects.filter(ip_address=request.axes_ip_address, username=name)
    since = get_cool_off_threshold(request)
    wrong = tried.filter(attempt_time__gte=since).aggregate(sum=Sum("failures_since_start"))["sum"]
    return (wrong or 0) < MOST_FROM_ADDRESS


def _is_paused(request: LoginRequest, credentials: dict[str, Any] | None) -> bool:
    """Whether the address is paused; not for accounts that logged in from it before."""
    of_address = {"ip_address": request.axes_ip_address}
    since = get_cool_off_threshold(request)
    lately = AccessAttempt.objects.filter(**of_address, attempt_time__gte=since)
    wrong = lately.aggregate(sum=Sum("failures_since_start"))["sum"] or 0
    if wrong < MOST_FROM_ADDRESS:
        return False
    return not has_logged_in_from(request.axes_ip_address, attempted_username(request, credentials))


def has_logged_in_from(address: str, name: str) -> bool:
    """Whether the account has logged in from the network address before."""
    log_ins: QuerySet[Any] = AccessLog.objects.filter(ip_address=address, username__iexact=name)
    return log_ins.exists()
