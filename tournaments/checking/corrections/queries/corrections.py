"""Which corrections concern a list: those made on it, and those of a move that touches it."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from tournaments.models import Correction, Spielliste


def touching(spielliste: Spielliste) -> QuerySet[Correction]:
    """Return what was corrected on a list or is proposed, by number.

    People moved between two tables change both lists; the correction stands with one of
    them and names the versions of all.
    """
    own = Correction.objects.filter(tournament__serien__tables__spielliste=spielliste)
    return own.filter(
        Q(spielliste=spielliste) | Q(before__versions__has_key=str(spielliste.pk))
    ).order_by("number")


def touched(correction: Correction) -> set[int]:
    """Return the keys of the lists that a correction touches; none for an exclusion."""
    found = {int(key) for key in correction.before.get("versions", {})}
    return found if correction.spielliste_id is None else {*found, correction.spielliste_id}
