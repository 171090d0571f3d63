"""The draws of a Serie, and whether it may be redrawn."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.models import Draw, Seat, Serie, Spielliste

Method = Serie.Seating
Status = Draw.Status


@dataclass(frozen=True, slots=True, kw_only=True)
class SerieDraws:
    """The draws of a Serie that are relevant now."""

    is_seated: bool
    draft: Draw | None
    published: Draw | None  # whose seats hold; None also for seats without a draw
    replaced: Draw | None  # the last published draw that is void

    @property
    def needs_reason(self) -> bool:
        """Whether a new draw is a redraw: cards are drawn, or seats are published."""
        rows = self.draft.seats if self.draft is not None else ()
        return self.is_seated or any(key is not None for row in rows for key in row)

    @property
    def redraw_method(self) -> Serie.Seating | None:
        """The only method by which published seats may be redrawn; None before publication.

        A ranking stays a ranking. Every lot is replaced by an electronic draw with a hash of its
        own, so that no result can be selected by redrawing.
        """
        if not self.is_seated:
            return None
        by_ranking = self.published is not None and self.published.method == Method.RANKING
        return Method.RANKING if by_ranking else Method.ELECTRONIC

    @property
    def coming(self) -> Draw | None:
        """The draft of an electronic draw that will replace published seats."""
        is_by_lot = self.draft is not None and self.draft.method == Method.ELECTRONIC
        return self.draft if self.is_seated and is_by_lot else None


def draws_of(serie: Serie, *, is_seated: bool | None = None) -> SerieDraws:
    """Return the draws of a Serie; one query, two if *is_seated* is None."""
    draws = list(serie.draws.order_by("-number"))
    void = [draw for draw in draws if draw.status == Status.DISCARDED and draw.published_at]
    return SerieDraws(
        is_seated=serie.seats.exists() if is_seated is None else is_seated,
        draft=next((draw for draw in draws if draw.status == Status.DRAFT), None),
        published=next((draw for draw in draws if draw.status == Status.PUBLISHED), None),
        replaced=void[0] if void else None,
    )


def redraw_refusal(serie: Serie) -> str:
    """Return why published seats cannot be redrawn, or ""."""
    later = Seat.objects.filter(
        serie__tournament=serie.tournament_id, serie__number__gt=serie.number
    )
    if serie.closed_at is not None or later.exists():
        return _("Nach {serie} geht es schon weiter; ihre Plätze bleiben.").format(serie=serie)
    table = first_started_table(serie)
    if table is not None:
        return _(
            "In der Liste von Tisch {table} steht schon etwas; {serie} wird deshalb nicht mehr neu "
            "gesetzt. Einzelne Plätze ändern „Zwei Plätze tauschen“ und „Plätze berichtigen“."
        ).format(table=table, serie=serie)
    return ""


def first_started_table(serie: Serie) -> int | None:
    """Return the number of the first table whose list is not empty; one query."""
    lists = Spielliste.objects.filter(table__serie=serie)
    begun = (
        lists.filter(games__isnull=False)
        | lists.filter(penalties__isnull=False)
        | lists.exclude(status=Spielliste.Status.OPEN)
    )
    return begun.order_by("table__number").values_list("table__number", flat=True).first()
