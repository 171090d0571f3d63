"""What a ranking is called in addresses and files."""

from __future__ import annotations

from collections.abc import Mapping

from scoring import prizes
from scoring.prizes import Category
from scoring.prizes import Category as PrizeCategory
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
    """Return the ranking a name in an address stands for; None for none."""
    if slug.startswith(_SERIE):
        number = number_in(slug.removeprefix(_SERIE))
        if number is None or not 1 <= number <= _MOST_SERIEN:
            return None
        return prizes.Ranking(category=Category.SERIE, serie=number)
    found = next((category for category, name in SLUGS.items() if name == slug), None)
    return prizes.Ranking(category=found) if found else None


# What the prize plan calls each kind of ranking.
PRIZE_CATEGORIES: Mapping[str, PrizeCategory] = {
    Ranking.Kind.SINGLE.value: PrizeCategory.OVERALL,
    Ranking.Kind.TEAM.value: PrizeCategory.TEAM,
    Ranking.Kind.TANDEM.value: PrizeCategory.TANDEM,
    Ranking.Kind.WOMEN.value: PrizeCategory.WOMEN,
    Ranking.Kind.JUNIORS.value: PrizeCategory.JUNIORS,
    Ranking.Kind.SENIORS.value: PrizeCategory.SENIORS,
}
