"""What a table's device sends counts once, however often it arrives.

A device makes a key for each thing that it sends and keeps it until it has an answer; when
the network fails in between, nobody knows whether the first one arrived. Sent again under
the same key, it is answered like the first time and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.common.errors import Refused
from tournaments.common.hashes import hash_of
from tournaments.models import Spielliste, Submission, TableDevice, Tournament

SHORTEST_KEY, LONGEST_KEY = 8, 64

Answer = dict[str, Any]


@transaction.atomic
def once(
    *,
    spielliste: Spielliste,
    key: str,
    kind: str,
    payload: Mapping[str, Any],
    device: TableDevice | None,
    act: Callable[[], Answer],
) -> Answer:
    """Do *act* unless it was done under this key, and return its answer, then or now.

    The answer is stored in the same transaction as what was done. A refusal is not stored:
    it changed nothing, and sent again it is judged again.

    Args:
        spielliste: the list that it is about.
        key: made by whoever sends, unique for the list.
        kind: what is to be done.
        payload: with what; JSON values.
        device: that sends it; None for a page without a device.
        act: does it and returns JSON values.

    Raises:
        Refused: if something else came under the same key.
    """
    if not SHORTEST_KEY <= len(key) <= LONGEST_KEY:
        raise Refused.at(
            "key",
            _("Der Schlüssel der Sendung muss {least} bis {most} Zeichen haben.").format(
                least=SHORTEST_KEY, most=LONGEST_KEY
            ),
        )
    # Two arrivals at once: the second waits here, and finds the first one's answer below.
    Tournament.objects.select_for_update(of=("self",)).only("pk").get(
        serien__tables__spielliste=spielliste
    )
    digest = hash_of([kind, dict(payload)])
    known = Submission.objects.filter(spielliste=spielliste, key=key).first()
    if known is not None:
        if known.digest != digest:
            raise Refused.at(
                "key",
                _(
                    "Unter diesem Schlüssel kam schon etwas anderes an. Bitte die Seite "
                    "neu laden und noch einmal eintragen."
                ),
            )
        return dict(known.answer)
    answer = act()
    Submission.objects.create(
        spielliste=spielliste, key=key, device=device, kind=kind, digest=digest, answer=answer
    )
    return answer
