"""What a document is: a name, who may print it, what it asks, and what stands in it."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What somebody asked to print; what a document does not ask for stays empty."""

    tournament: Tournament
    base_url: str = ""  # where the QR codes lead, as „http://192.168.0.7:8000“
    serie: int | None = None
    table: int | None = None  # None: all
    number: int | None = None  # a start number; None: all
    receipt: int | None = None
    size: int | None = None  # players at the table
    copies: int | None = None
    ranking: str = ""  # by its name in addresses, as "einzel"
    upto: int | None = None  # Serien that count; None: all
    places: int | None = None  # how many get a certificate

    def found_serie(self) -> Serie:
        """Return the Serie that was asked for.

        Raises:
            TournamentError: if there is no such Serie.
        """
        found = Serie.objects.filter(tournament=self.tournament, number=self.serie or 0).first()
        if found is None:
            raise TournamentError(_("Die Serie {number} gibt es nicht.").format(number=self.serie))
        found.tournament = self.tournament
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Printable:
    """One document ready for its template.

    Of a document with ``sheets`` each one is a page of its own, so that many can be
    rendered in pieces, and so can the ``rows`` of one long table; the others flow over as
    many pages as they need.
    """

    title: str
    context: Mapping[str, Any] = field(default_factory=dict)
    sheets: Sequence[Any] | None = None
    copies: int = 1  # of the sheets
    rows: Sequence[Any] | None = None
    template: str = ""  # where it is not the document's own


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One line in the table of documents."""

    name: str  # in addresses, and of the template print/<name>.html
    label: str | Promise
    purpose: str | Promise  # what it is for, in a sentence
    place: str  # the step of the day, a key of ``documents.PLACES``
    context: Callable[[Wanted], Printable]
    roles: frozenset[str] = MAY_SEE
    asks: tuple[str, ...] = ()  # fields of Wanted that somebody has to fill in
    archival: bool = False  # PDF/A: what is signed or announced is kept (§ 2.3.5)
    bundle: tuple[str, ...] = ()  # names of the documents it consists of
    for_everybody: bool = False  # it says nothing of a tournament, and is had without one too

    @property
    def template(self) -> str:
        """The template's name."""
        return f"print/{self.name.replace('-', '_')}.html"

    @property
    def variant(self) -> str:
        """The kind of PDF: for everybody to read (PDF/UA), or also to keep (PDF/A)."""
        return "pdf/a-3a" if self.archival else "pdf/ua-1"
