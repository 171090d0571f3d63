"""Addresses of the pages of persons and clubs."""

from __future__ import annotations

from django.urls import reverse


def url(name: str, *args: int) -> str:
    """Return the address of a page."""
    return reverse(f"people:{name}", args=args)
