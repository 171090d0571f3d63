"""The names of rankings in addresses, files and links."""

from __future__ import annotations

from django.utils.translation import gettext as _

from scoring.payments import prizes
from scoring.payments.prizes import Category
from tournaments.common.digits import number_in
from tournaments.models import Ranking

SLUGS = {
    Category.OVERALL: "einzel",
    Category.TEAM: "mannschaft",
    Category.TANDEM: "tandem",
    Category.WOMEN: "damen",
    Category.JUNIORS: "junioren",
    Category.SENIORS: "senioren",
}
_SERIE = "serie-"
_MOST_SERIEN = 999  # beyond any tournament, also one that an archive brings


def slug_of(ranking: prizes.Ranking) -> str:
    """Return the name of a ranking in addresses and files: "einzel", "serie-2", …"""
    return f"{_SERIE}{ranking.serie}" if ranking.serie else SLUGS[ranking.category]


def ranking_of(slug: str) -> prizes.Ranking | None:
    """Return the ranking for a name in an address; None if there is none."""
    if slug.startswith(_SERIE):
        number = number_in(slug.removeprefix(_SERIE))
        if number is None or not 1 <= number <= _MOST_SERIEN:
            return None
        return prizes.Ranking(category=Category.SERIE, serie=number)
    found = next((category for category, name in SLUGS.items() if name == slug), None)
    return prizes.Ranking(category=found) if found else None


def label_of(ranking: prizes.Ranking) -> str:
    """Return the name of a ranking for a link."""
    if ranking.serie:
        return _("Serie {number}").format(number=ranking.serie)
    return next(str(kind.label) for kind in Ranking.Kind if kind.category is ranking.category)
