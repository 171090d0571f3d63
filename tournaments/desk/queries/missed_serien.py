"""The Serien that a latecomer misses, and the part of the Startgeld that is due."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from tournaments.models import Category, Registration, Table, Tournament

Late = Tournament.LateStartgeld
_ROUND_CENTS = 10  # a share of the Startgeld is rounded down to it
_DUE = {
    Tournament.LateStartgeld.FULL: _("Das Startgeld ist trotzdem voll fällig."),
    Tournament.LateStartgeld.SHARE: _(
        "Vom Startgeld ist der Anteil der Serien fällig, die noch kommen."
    ),
    Tournament.LateStartgeld.NONE: _("Startgeld ist nicht mehr fällig."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedSerien:
    """The Serien that a person registered now misses, by number."""

    over: list[int]
    drawn: list[int]  # with seats, and not over
    late_startgeld: str = Tournament.LateStartgeld.FULL

    @property
    def in_words(self) -> str:
        """The message for a person registered now; "" before the first draw."""
        over, drawn = (", ".join(map(str, numbers)) for numbers in (self.over, self.drawn))
        sentences = []
        if over:
            sentences.append(
                ngettext(
                    "Serie {over} ist vorbei und für Nachzügler verloren.",
                    "Serien {over} sind vorbei und für Nachzügler verloren.",
                    len(self.over),
                ).format(over=over)
            )
        if drawn:
            sentences.append(
                ngettext(
                    "Serie {drawn} ist ausgelost: Wer jetzt kommt, hat dort noch keinen Platz.",
                    "Serien {drawn} sind ausgelost: Wer jetzt kommt, hat dort noch keinen Platz.",
                    len(self.drawn),
                ).format(drawn=drawn)
            )
        if sentences:
            kind = self.late_startgeld if over else Tournament.LateStartgeld.FULL
            sentences.append(str(_DUE[Tournament.LateStartgeld(kind)]))
        return " ".join(sentences)


def missed_serien(tournament: Tournament) -> MissedSerien:
    """Return the Serien that are over or drawn; one query."""
    serien = list(
        tournament.serien.annotate(has_tables=Exists(Table.objects.filter(serie=OuterRef("pk"))))
        .order_by("number")
        .values_list("number", "closed_at", "has_tables")
    )
    return MissedSerien(
        over=[number for number, closed_at, _drawn in serien if closed_at],
        drawn=[number for number, closed_at, is_drawn in serien if is_drawn and not closed_at],
        late_startgeld=tournament.late_startgeld,
    )


def late_share(
    tournament: Tournament, plays_on: str = "", seated: Collection[int] = ()
) -> Fraction | None:
    """Return the part of the Startgeld that is due from a person who registers now.

    None if it is due as a whole. One query, or none.

    Args:
        tournament: that the person plays in.
        plays_on: the days, as of the registration.
        seated: numbers of Serien in which the person has a seat already.
    """
    kind, days = tournament.late_startgeld, tournament.days
    by_day = tournament.day_startgeld and plays_on
    if kind == Late.FULL and not by_day:
        return None
    serien = list(tournament.serien.values_list("number", "closed_at"))
    own = [serie for serie in serien if not by_day or str(days.of_serie(serie[0])) in plays_on]
    to_come = [number for number, closed_at in own if not closed_at or number in seated]
    if kind == Late.NONE and len(to_come) < len(own):
        return Fraction(0)
    due = to_come if kind == Late.SHARE else own
    return None if len(due) == len(serien) else Fraction(len(due), len(serien))


def late_startgeld_cents(category: Category, share: Fraction | None) -> int | None:
    """Return *share* of the Startgeld of *category* in cents, rounded down; None for the whole."""
    if share is None:
        return None
    cents = int(category.startgeld_cents * share)
    return cents - cents % _ROUND_CENTS


def due_share(registration: Registration) -> Fraction | None:
    """Return the part of the Startgeld that was due from a person; None for the whole.

    The part is a number of Serien of all Serien, because the stored cents are rounded. One query
    at most.
    """
    cents, whole = registration.late_startgeld_cents, registration.category.startgeld_cents
    if cents is None:
        return None
    if not whole:  # the part is unknown, so the present one counts
        return late_share(registration.tournament, registration.plays_on)
    serien = registration.tournament.serien.count()
    shares = (Fraction(part, serien) for part in range(serien + 1))
    exact = [s for s in shares if late_startgeld_cents(registration.category, s) == cents]
    return exact[0] if exact else Fraction(cents, whole)
