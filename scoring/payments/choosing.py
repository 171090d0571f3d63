"""Things that are chosen in order of rank, or drawn for: a part of a prize plan."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from scoring.errors import Problem
from scoring.payments.rankings import OVERALL, PrizeRanking
from scoring.reading.records import Record, Text
from scoring.texts import _

Things = tuple[Annotated[str, Text(200)], ...]


class AbsentChooser(StrEnum):
    """The treatment of persons who are absent when called up to choose."""

    LATER = "later"  # they are called again after all others
    PASSED = "passed"  # they get nothing; the next person chooses


@dataclass(frozen=True, slots=True, kw_only=True)
class ThingsToChoose(Record):
    """Things that are chosen in order of rank, by as many as there are things or by everybody."""

    ranking: PrizeRanking = OVERALL
    things: Things = ()
    for_all: bool = False
    gone: AbsentChooser = AbsentChooser.LATER

    def contradictions(self) -> Iterator[Problem]:
        if not (self.things or self.for_all):
            yield Problem(
                "things",
                _("Es ist nichts zum Wählen genannt: eine Sache je Zeile, oder „für alle“."),
            )
