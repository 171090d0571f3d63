"""Whether the document that the day needs next has been printed already."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Exists, OuterRef

from tournaments.models import Draw, Job, Serie, Tournament
from tournaments.printing.base import Document


def was_printed(tournament: Tournament, document: Document, last: Serie | None) -> bool:
    """Return whether all of *document* was printed since the day needs it.

    A bundle is printed if each of its documents is.

    Args:
        document: the one that the day needs.
        last: the last Serie whose seats are known.
    """
    prints = Job.objects.filter(
        tournament=tournament,
        kind="print",
        status=Job.Status.DONE,
        params__document__in=[document.name, *document.bundle],
    )
    if last is not None:
        later = Draw.objects.filter(serie=last, published_at__gt=OuterRef("created_at"))
        prints = prints.exclude(Exists(later))
        if last.closed_at is not None:
            prints = prints.filter(created_at__gte=last.closed_at)
    printed = {
        params["document"]
        for params in prints.values_list("params", flat=True)
        if _covers_all(params.get("asked", {}), last)
    }
    parts = set(document.bundle)
    return document.name in printed or (bool(parts) and parts <= printed)


def _covers_all(params: Mapping[str, object], last: Serie | None) -> bool:
    """Return whether a print was of everything, and not of an earlier Serie."""
    if params.keys() & {"table", "number"}:
        return False
    serien = {params[name] for name in ("serie", "upto") if name in params}
    return serien <= {last.number if last else None}
