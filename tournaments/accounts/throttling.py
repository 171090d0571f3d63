"""Limits on wrong passwords: by account and device, and by network address.

The limit by address holds across all log-in names. The counts are in the database and
hold for all processes of the server.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from axes.attempts import get_cool_off_threshold
from axes.handlers.database import AxesDatabaseHandler
from axes.models import AccessAttempt, AccessLog
from django.db.models import QuerySet, Sum
from django.http import HttpRequest
from django.utils import timezone

from tournaments.accounts.forms import attempted_username

MOST_FROM_ADDRESS = 30  # wrong passwords within AXES_COOLOFF_TIME


class TriedRequest(HttpRequest):
    """A request with the attributes set here and by axes."""

    axes_ip_address: str
    address_is_paused: bool


class PausedByAddress(AxesDatabaseHandler):  # type: ignore[misc]  # axes has no types
    """Pauses a network address, in addition to the pauses of accounts."""

    def is_locked(self, request: TriedRequest, credentials: dict[str, Any] | None = None) -> bool:
        """Whether the password is not checked; marks a request of a paused address."""
        # If the clock was set back, a pause must not become longer.
        later = timezone.now() + timedelta(minutes=1)
        ahead = AccessAttempt.objects.filter(attempt_time__gt=later)
        if ahead.exists():  # deleting nothing would still wait for the lock of writers
            ahead.delete()
        if super().is_locked(request, credentials):
            return True
        request.address_is_paused = _is_paused(request, credentials)
        return request.address_is_paused


def _is_paused(request: TriedRequest, credentials: dict[str, Any] | None) -> bool:
    """Whether the address is paused; not for accounts that logged in from it before."""
    here = {"ip_address": request.axes_ip_address}
    since = get_cool_off_threshold(request)
    lately = AccessAttempt.objects.filter(**here, attempt_time__gte=since)
    wrong = lately.aggregate(sum=Sum("failures_since_start"))["sum"] or 0
    if wrong < MOST_FROM_ADDRESS:
        return False
    return not was_here(request.axes_ip_address, attempted_username(request, credentials))


def was_here(address: str, name: str) -> bool:
    """Whether the account has logged in from the network address before."""
    log_ins: QuerySet[Any] = AccessLog.objects.filter(ip_address=address, username__iexact=name)
    return log_ins.exists()
