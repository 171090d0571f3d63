"""The same as :mod:`benchmarks.standby` with a database as it is after years.

make bench ONLY=standby_large
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks import standby
from benchmarks.results import Place, Row

MEGABYTES = 200


def rows(place: Place) -> Iterator[Row]:
    """Give the rows of a hall whose first laptop dies."""
    return standby.rows(place, MEGABYTES)
