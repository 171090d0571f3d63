"""Filters for numbers, money and times."""

from __future__ import annotations

from django import template

from tournaments.common.formats import ago, clock, euro, long_date, points, quoted, short_date

register = template.Library()
for written in (points, euro, long_date, short_date, clock, ago, quoted):
    register.filter(written)
