"""The places that show facts of a tournament: each reads them in one small function.

A fact is what is said of a person, as ``("Serie 2", 7)`` for the points of Nr. 7 in Serie 2. Places
that show the same fact must agree. Each place names the addresses and documents that it covers.
"""

from __future__ import annotations

from tests.agreement.look import PLACES, disagreements
from tests.agreement.places import members, money, points, seats

__all__ = ["PLACES", "disagreements", "members", "money", "points", "seats"]
