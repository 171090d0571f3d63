"""The places that show facts of a tournament, each with a small reader function.

A fact is a value about a person, for example ``("Serie 2", 7)``: the points of Nr. 7 in Serie 2.
Places that show the same fact must agree. Each place names the addresses and documents that it
covers.
"""

from __future__ import annotations

from tests.agreement.look import PLACES, disagreements
from tests.agreement.places import members, money, points, seats

__all__ = ["PLACES", "disagreements", "members", "money", "points", "seats"]
