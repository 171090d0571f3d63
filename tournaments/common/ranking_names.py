"""The names of rankings in addresses, files and links."""

from __future__ import annotations

from scoring.payments import prizes
from scoring.payments.prizes import RankingCategory
from tournaments.common.digits import number_in
from tournaments.models import Ranking

SLUGS = {
    RankingCategory.OVERALL: "einzel",
    RankingCategory.TEAM: "mannschaft",
    RankingCategory.TANDEM: "tandem",
    RankingCategory.MIXED: "gemischt",
    RankingCategory.WOMEN: "damen",
    RankingCategory.JUNIORS: "junioren",
    RankingCategory.SENIORS: "senioren",
}
_FROM_LAST = "-letzte"  # of prizes only: no page shows a ranking from its end
_PARTS = {"serie": RankingCategory.SERIE, "tag": RankingCategory.DAY}
_MOST_SERIEN = 999  # beyond any tournament, also one that an archive brings


def slug_of(ranking: prizes.PrizeRanking) -> str:
    """Return the name of a ranking in addresses and files: "einzel", "serie-2", …"""
    if ranking.day:
        return f"tag-{ranking.day}"
    if ranking.serie:
        return f"serie-{ranking.serie}"
    return SLUGS[ranking.category] + _FROM_LAST * ranking.from_last


def ranking_of(slug: str) -> prizes.PrizeRanking | None:
    """Return the ranking for a name in an address; None if there is none."""
    part, dash, rest = slug.partition("-")
    if dash and part in _PARTS:
        number = number_in(rest)
        if number is None or not 1 <= number <= _MOST_SERIEN:
            return None
        return part_of(_PARTS[part], number)
    name = slug.removesuffix(_FROM_LAST)
    category = next((category for category, slug_name in SLUGS.items() if slug_name == name), None)
    if category is None or (name != slug and not can_count_from_last(category)):
        return None
    return prizes.PrizeRanking(category=category, from_last=name != slug)


def can_count_from_last(category: RankingCategory) -> bool:
    """Whether there may be prizes for the last of a ranking."""
    ranking = None if category in _PARTS.values() else prizes.PrizeRanking(category=category)
    return ranking is not None and ranking.recipient is prizes.Recipient.PLAYER


def part_of(category: RankingCategory, number: int) -> prizes.PrizeRanking:
    """Return the ranking of a single Serie or day."""
    if category is RankingCategory.DAY:
        return prizes.PrizeRanking(category=category, day=number)
    return prizes.PrizeRanking(category=category, serie=number)


def label_of(ranking: prizes.PrizeRanking) -> str:
    """Return the name of a ranking for a link."""
    if ranking.is_of_part:
        return ranking.describe()
    return next(str(kind.label) for kind in Ranking.Kind if kind.category is ranking.category)
