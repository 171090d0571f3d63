"""Full copies of the versions of a Spielliste, stored since its signing.

A printed list shows the short hash of its version, so that paper and screen can be compared.
Players are stored by start number, never by name.
"""

from __future__ import annotations

from typing import Any

from tournaments.machine.hashes import hash_of
from tournaments.models import ListVersion, Penalty, Spielliste


def content(spielliste: Spielliste) -> dict[str, Any]:
    """Return the current content of the list as JSON values; 5 queries.

    ``seats``, ``spans`` (games of a player who no longer sits there), ``games`` with their
    lines in the interchange format, ``penalties`` that were given, and everything else that
    points depend on; ``ended`` only if the Spielleitung ended the list early.
    """
    seats = spielliste.table.seats.order_by("number")
    penalties = spielliste.penalties.filter(status=Penalty.Status.GIVEN).order_by("pk")
    ended = {
        "games": spielliste.ended_games,
        "counts": spielliste.ended_counts,
        "left": spielliste.ended_left,
        "reason": spielliste.ended_reason,
    }
    return {
        "serie": spielliste.table.serie.number,
        "table": spielliste.table.number,
        "version": spielliste.version,
        "status": spielliste.status,
        "listenfuehrer": spielliste.listenfuehrer,
        "bonus_size": spielliste.bonus_size,
        **({"ended": ended} if spielliste.is_ended else {}),
        "seats": [
            {"seat": seat, "registration": registration, "number": number}
            for seat, registration, number in seats.values_list(
                "number", "registration", "registration__number"
            )
        ],
        "spans": [
            {"seat": seat, "last_game": last_game, "registration": registration, "number": number}
            for seat, last_game, registration, number in spielliste.spans.order_by(
                "seat", "last_game"
            ).values_list("seat", "last_game", "registration", "registration__number")
        ],
        "games": [
            {"number": number, "line": line, "overridden": overridden}
            for number, line, overridden in spielliste.games.order_by("number").values_list(
                "number", "line", "overridden"
            )
        ],
        "penalties": [
            {
                "registration": registration,
                "number": number,
                "points": points,
                "reason": reason,
                "paragraph": paragraph,
            }
            for registration, number, points, reason, paragraph in penalties.values_list(
                "registration", "registration__number", "points", "reason", "paragraph"
            )
        ],
    }


def keep(spielliste: Spielliste) -> ListVersion:
    """Store the content of the list at its current version; idempotent for a version.

    The calling act must have written everything else.
    """
    version = ListVersion.objects.filter(spielliste=spielliste, version=spielliste.version).first()
    if version is not None:
        return version
    stored = content(spielliste)
    # The calling act touches it.
    return ListVersion.objects.create(
        spielliste=spielliste,
        version=spielliste.version,
        content=stored,
        content_hash=hash_of(stored),
    )


def short_hash(version: ListVersion) -> str:
    """Return the part of a version's hash that people compare.

    >>> short_hash(ListVersion(content_hash="ab12cd34" + "0" * 56))
    'ab12 cd34'
    """
    return f"{version.content_hash[:4]} {version.content_hash[4:8]}"
