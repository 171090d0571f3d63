"""Lines of a ranking with the names that its readers may see, for pages and documents."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.announcement.queries.publication import team_name
from tournaments.people.queries.naming import Readers
from tournaments.results.queries.tables import RankedLine, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownLine:
    """A line of a ranking with the names that its readers may see."""

    line: RankedLine
    name: str
    beside: str  # start number and club, or the members of a team
    club: str = ""  # of a named player


def shown_lines(table: Table, readers: Readers) -> Iterable[ShownLine]:
    """Yield the lines of a ranking with the names that *readers* may see."""
    for line in table.lines:
        if line.registration is None:
            name = team_name(line.name, line.members, readers)
            members = ", ".join(readers.of(member) for member in line.members)
            yield ShownLine(line=line, name=name, beside=members if name == line.name else "")
        elif readers.names(line.registration.person):
            number = _("Nr. {number}").format(number=line.standing.number)
            beside = " · ".join(filter(None, [number, line.club]))
            yield ShownLine(line=line, name=line.name, beside=beside, club=line.club)
        else:
            yield ShownLine(line=line, name=readers.listed(line.registration), beside="")
