"""The types of documents: name, roles, parameters, and content."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from tournaments.common.errors import TournamentError
from tournaments.common.roles import MAY_SEE
from tournaments.models import Serie, Tournament

MOST_COPIES = 200
STRIP = "80"


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintRequest:
    """The parameters of a print; those that a document does not use stay empty."""

    tournament: Tournament
    base_url: str = ""  # address in QR codes, as „http://192.168.0.7:8000“
    serie: int | None = None
    table: int | None = None  # None: all
    number: int | None = None  # a start number; None: all
    receipt: int | None = None
    circular: int | None = None  # by its key
    size: int | None = None  # players at the table
    copies: int | None = None
    ranking: str = ""  # by its name in addresses, as "einzel"
    upto: int | None = None  # Serien that count; None: all
    places: int | None = None  # number of places with a certificate
    paper: str = ""  # "80": strips of a receipt printer, 80 mm wide; else A4

    @property
    def on_strip(self) -> bool:
        """Whether it is printed on strips of 80 mm."""
        return self.paper == STRIP

    def found_serie(self) -> Serie:
        """Return the requested Serie.

        Raises:
            TournamentError: if there is no such Serie.
        """
        serie = Serie.objects.filter(tournament=self.tournament, number=self.serie or 0).first()
        if serie is None:
            raise TournamentError(_("Die Serie {number} gibt es nicht.").format(number=self.serie))
        serie.tournament = self.tournament
        return serie


@dataclass(frozen=True, slots=True, kw_only=True)
class Printable:
    """One document ready for its template.

    Each of the ``sheets`` is a page of its own, so that they can be rendered in pieces, as can
    the ``rows`` of one long table; other documents flow over as many pages as they need.
    """

    title: str
    context: Mapping[str, Any] = field(default_factory=dict)
    sheets: Sequence[Any] | None = None
    copies: int = 1  # of the sheets
    rows: Sequence[Any] | None = None
    template: str = ""  # if different from the document's


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One entry of the table of documents."""

    name: str  # in addresses, and of the template print/<name>.html
    label: str | Promise
    purpose: str | Promise  # its purpose, in a sentence
    place: str  # the step of the day, a key of ``documents.PLACES``
    context: Callable[[PrintRequest], Printable]
    roles: frozenset[str] = MAY_SEE
    asks: tuple[str, ...] = ()  # fields of PrintRequest that the form offers
    archival: bool = False  # PDF/A, for signed and announced documents (§ 2.3.5)
    bundle: tuple[str, ...] = ()  # names of the documents it consists of
    for_everybody: bool = False  # independent of tournaments, and available without one
    if_called_off: bool = False  # offered only for tournaments that are called off

    @property
    def template(self) -> str:
        """The template's name."""
        return f"print/{self.name.replace('-', '_')}.html"

    @property
    def variant(self) -> str:
        """The kind of PDF: accessible (PDF/UA), or also for archiving (PDF/A)."""
        return "pdf/a-3a" if self.archival else "pdf/ua-1"
