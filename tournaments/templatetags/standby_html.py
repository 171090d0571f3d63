"""The sign at desk and till that the laptop that stands by lags behind."""

from __future__ import annotations

from typing import Any

from django import template

from tournaments.backup.standby import lag

register = template.Library()


@register.inclusion_tag("tournaments/backup/behind.html")
def standby_sign() -> dict[str, Any]:
    """Show how far the other laptop is behind; nothing if there is none, or it is up to date."""
    return lag()
