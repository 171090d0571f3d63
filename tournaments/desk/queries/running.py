"""What a person misses who comes after the first Serie has begun."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.models import Table, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """The Serien that a person registered now misses, by number."""

    over: list[int]
    drawn: list[int]  # with seats, and not over

    @property
    def in_words(self) -> str:
        """The message for a person registered now; "" before the first draw."""
        over, drawn = (", ".join(map(str, numbers)) for numbers in (self.over, self.drawn))
        said = []
        if over:
            said.append(
                ngettext(
                    "Serie {over} ist vorbei.", "Serien {over} sind vorbei.", len(self.over)
                ).format(over=over)
            )
        if drawn:
            said.append(
                ngettext(
                    "Serie {drawn} ist ausgelost: Wer jetzt kommt, hat dort noch keinen Platz.",
                    "Serien {drawn} sind ausgelost: Wer jetzt kommt, hat dort noch keinen Platz.",
                    len(self.drawn),
                ).format(drawn=drawn)
            )
        return " ".join([*said, _("Das Startgeld ist trotzdem voll fällig.")] if said else said)


def running(tournament: Tournament) -> Running:
    """Return the Serien that are over or drawn; one query."""
    found = list(
        tournament.serien.annotate(has_tables=Exists(Table.objects.filter(serie=OuterRef("pk"))))
        .order_by("number")
        .values_list("number", "closed_at", "has_tables")
    )
    return Running(
        over=[number for number, closed_at, _drawn in found if closed_at],
        drawn=[number for number, closed_at, is_drawn in found if is_drawn and not closed_at],
    )
