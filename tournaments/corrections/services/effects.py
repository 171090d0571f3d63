"""Changes of points and ranks by a correction, and the facts that depend on the old result.

The lists are counted before and after the correction (§§ 1.5, 2.2.5); nothing is written. The
result is plain JSON, because it is stored with the correction.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from django.db.models import Sum
from django.utils.translation import gettext as _

from scoring.competitors import Competitor
from scoring.ruleset import TieBreak
from scoring.standings import Standing, Terms, rank_entries, rank_serie
from tournaments.common.rules import rule_set_of, terms_of
from tournaments.corrections.services.prize_effects import coming_prizes, prize_moves
from tournaments.lists.queries.data import ListData
from tournaments.lists.queries.loading import load_lists
from tournaments.models import CashEntry, Draw, PrizePayout, Seat, Serie, Spielliste, Tournament
from tournaments.notices.queries.effects import Effects, PersonEffect, PrizeMove, RankMove
from tournaments.prizes.queries.lottery import LOTTERY
from tournaments.results.queries import results
from tournaments.results.queries.rankings import OVERALL, Rankings


def compare(
    tournament: Tournament,
    *,
    serie: int | None,
    changed: Iterable[ListData],
    concerned: Collection[int],
    lists: Sequence[ListData] | None = None,
    excluded: Mapping[int, bool] | None = None,
) -> Effects:
    """Return the effects if the lists in *changed* replace those with the same keys.

    On the result of a list that is still open only seats can depend.

    Args:
        tournament: its ranking after the last whole Serie is compared; a Serie that the change
            makes whole is included.
        serie: number of the Serie that the lists belong to; None for an exclusion.
        changed: the lists after the correction.
        concerned: keys of the registrations to be shown one by one.
        lists: all current lists, if already loaded.
        excluded: keys of the registrations that are excluded or readmitted (§ 1.4).
    """
    before = list(lists) if lists is not None else load_lists(tournament)
    new = {data.pk: data for data in changed}
    after = [new.get(data.pk, data) for data in before]
    provisional = any(data.status == Spielliste.Status.OPEN for data in before if data.pk in new)
    old_entries = results.entries(tournament, provisional=provisional, lists=before)
    new_entries = results.entries(tournament, provisional=provisional, lists=after)
    for key, is_excluded in (excluded or {}).items():
        if key in new_entries:
            new_entries[key] = replace(new_entries[key], excluded=is_excluded)
    old_rankings = Rankings(tournament, lists=before, entries=old_entries)
    new_rankings = Rankings(tournament, lists=after, entries=new_entries)
    becomes_whole = provisional and new_rankings.last_whole > old_rankings.last_whole
    wholes = old_rankings.last_whole, new_rankings.last_whole
    whole = max(wholes) if becomes_whole else min(wholes)
    ranking = _Ranking.of(tournament, old_entries, new_entries, serie, upto=whole)
    persons = tuple(
        ranking.person(key, old_entries.get(key), new_entries.get(key))
        for key in sorted(concerned, key=lambda key: _number(key, old_entries, new_entries))
        if key in old_entries or key in new_entries
    )
    named = {person.number for person in persons}
    others = tuple(move for move in ranking.moved() if move.number not in named)
    result = Effects(serie=serie, upto=whole, persons=persons, others=others)
    if provisional:
        return replace(
            result,
            rests=tuple(_later_draws(tournament, serie)),
            coming=coming_prizes(old_rankings, new_rankings) if becomes_whole else (),
            notes=tuple(_reading_notes(new.values(), becomes_whole=becomes_whole)),
        )
    prizes = prize_moves(old_rankings, new_rankings)
    return replace(
        result,
        prizes=prizes,
        coming=coming_prizes(old_rankings, new_rankings, but=prizes),
        rests=tuple(
            list_dependents(
                tournament,
                serie=serie,
                persons=persons,
                others=others,
                excluded=[key for key, is_out in (excluded or {}).items() if is_out],
                prizes=prizes,
            )
        ),
    )


def _reading_notes(changed: Iterable[ListData], *, becomes_whole: bool) -> Iterator[str]:
    """Yield how a list that ended early counts while others play (§ 2.2.1)."""
    if becomes_whole:
        yield _(
            "„Vorher“ ist der Stand mit laufenden Spielen: Vorzeitig beendete Listen stehen dort, "
            "wie gespielt. Damit ist die Serie vollständig, und alle beendeten Listen zählen, wie "
            "es in der Ausschreibung steht."
        )
    elif any(data.is_extrapolated for data in changed):
        yield _(
            "Die Liste steht, wie gespielt, bis alle Listen der Serie da sind; dann wird sie "
            "hochgerechnet."
        )


def _number(key: int, *entries: Mapping[int, Competitor]) -> int:
    return next((competitors[key].number for competitors in entries if key in competitors), 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ranking:
    """The rankings after Serie *upto*, and of the Serie if it is whole, before and after."""

    overall: tuple[dict[int, Standing], dict[int, Standing]]
    of_serie: tuple[dict[int, Standing], dict[int, Standing]]
    serie: int | None
    total: Callable[[Competitor | None], int | None]

    @classmethod
    def of(
        cls,
        tournament: Tournament,
        old: Mapping[int, Competitor],
        new: Mapping[int, Competitor],
        serie: int | None,
        *,
        upto: int,
    ) -> _Ranking:
        playoffs = Rankings(tournament).orders(OVERALL)
        both = (old, new)
        ties, terms = rule_set_of(tournament).tie_breaks, terms_of(tournament)
        overall = [
            rank_entries(
                competitors.values(), upto=upto, playoffs=playoffs, tie_breaks=ties, terms=terms
            )
            for competitors in both
        ]
        single = [
            rank_serie(competitors.values(), serie, tie_breaks=ties)
            if serie and serie <= upto and competitors
            else ()
            for competitors in both
        ]
        return cls(
            overall=(_by_number(overall[0]), _by_number(overall[1])),
            of_serie=(_by_number(single[0]), _by_number(single[1])),
            serie=serie,
            total=partial(_total, upto=upto, tie_breaks=ties, terms=terms),
        )

    def person(self, key: int, old: Competitor | None, new: Competitor | None) -> PersonEffect:
        entry = new or old
        number = entry.number if entry is not None else 0
        before, after = (standings.get(number) for standings in self.overall)
        old_serie, new_serie = (standings.get(number) for standings in self.of_serie)
        return PersonEffect(
            registration=key,
            number=number,
            points=(self._part(old, "points"), self._part(new, "points")),
            augen=(self._part(old, "augen"), self._part(new, "augen")),
            serie_rank=(_rank(old_serie), _rank(new_serie)),
            total=(self.total(old), self.total(new)),
            rank=(_rank(before), _rank(after)),
        )

    def _part(self, entry: Competitor | None, name: str) -> int | None:
        if entry is None or self.serie is None:
            return None
        result = entry.results[self.serie - 1]
        return None if result is None else getattr(result, name)

    def moved(self) -> list[RankMove]:
        """Return the changes of overall ranks by start number."""
        before, after = self.overall
        return [
            RankMove(number=number, rank=(_rank(before.get(number)), _rank(after.get(number))))
            for number in sorted(before.keys() | after.keys())
            if _rank(before.get(number)) != _rank(after.get(number))
        ]


def _by_number(standings: Iterable[Standing]) -> dict[int, Standing]:
    return {line.number: line for line in standings}


def _rank(line: Standing | None) -> int | None:
    # Before the first result there is no rank.
    return line.rank if line is not None and line.has_place else None


def _total(
    entry: Competitor | None, *, upto: int, tie_breaks: Sequence[TieBreak], terms: Terms
) -> int | None:
    """Return the points of an entry, excluded or not."""
    alone = [replace(entry, excluded=False)] if entry is not None else []
    lines = rank_entries(alone, upto=upto, tie_breaks=tie_breaks, terms=terms)
    return next((line.total for line in lines if line.results), None)


# --- Dependents of the old result ---------------------------------------------------------


def list_dependents(
    tournament: Tournament,
    *,
    serie: int | None,
    persons: Iterable[PersonEffect],
    others: Iterable[RankMove],
    excluded: Collection[int] = (),
    prizes: Collection[PrizeMove] = (),
) -> list[str]:
    """Return a sentence for each fact that depends on the old result, except *prizes*.

    An exclusion before the first result changes no points, but the player may have a seat.
    """
    seats_left = list(_seats_of_excluded(excluded))
    changed = {person.number for person in persons if person.changes}
    if not changed:
        return seats_left
    return [
        *_later_draws(tournament, serie),
        *seats_left,
        *_handed_out_prizes(
            tournament,
            (changed | {move.number for move in others}) - {move.number for move in prizes},
        ),
        *_playoffs(tournament, changed),
        *(_closed_serien(tournament, serie) if serie is not None else ()),
    ]


def _later_draws(tournament: Tournament, serie: int | None) -> Iterable[str]:
    # Serie 1 depends on no result of this tournament.
    later = tournament.serien.filter(number__gt=serie or 1).order_by("number")
    draws = Draw.objects.filter(serie__in=later).values_list("serie", "method")
    drafted = dict(draws.filter(status=Draw.Status.DRAFT))
    published = dict(draws.filter(status=Draw.Status.PUBLISHED))
    seated = set(Seat.objects.filter(serie__in=later).values_list("serie", flat=True))
    for later_serie in later:
        by_rank = published.get(later_serie.pk, later_serie.seating) == Serie.Seating.RANKING
        if later_serie.pk in seated and by_rank:
            yield _(
                "{serie} ist nach der Rangliste mit dem alten Ergebnis gesetzt und bekannt "
                "gegeben; von selbst ändern sich ihre Plätze nicht."
            ).format(serie=later_serie)
        elif later_serie.pk in seated and serie is not None:
            yield _(
                "{serie} ist schon ausgelost; ihre Plätze hängen nicht am Ergebnis und bleiben."
            ).format(serie=later_serie)
        # A draft may be about to replace published seats.
        if drafted.get(later_serie.pk) == Serie.Seating.RANKING:
            yield _(
                "Der Entwurf für {serie} ist nach der Rangliste mit dem alten Ergebnis gesetzt; "
                "bitte verwerfen und neu setzen."
            ).format(serie=later_serie)


def _seats_of_excluded(excluded: Collection[int]) -> Iterable[str]:
    """Yield a sentence for each seat of an excluded player in a Serie that has not started."""
    seats = Seat.objects.filter(
        registration__in=excluded, serie__started_at__isnull=True, serie__closed_at__isnull=True
    )
    for seat in seats.select_related("serie", "table", "registration").order_by("serie__number"):
        yield _(
            "Nr. {number} hat in {serie} einen Platz an {table}; was daraus wird, steht unter "
            "„Auslosung“."
        ).format(number=seat.registration.number, serie=seat.serie, table=seat.table)


def _handed_out_prizes(tournament: Tournament, numbers: Collection[int]) -> Iterable[str]:
    paid = (
        CashEntry.objects.filter(
            receipt__tournament=tournament,
            kind=CashEntry.Kind.PRIZE,
            registration__number__in=numbers,
        )
        .values("registration__number")
        .annotate(cents=Sum("amount_cents"))
        .order_by("registration__number")
    )
    for row in paid:
        if row["cents"]:
            yield _(
                "An Nr. {number} ist schon ein Preis nach dem alten Ergebnis ausgezahlt."
            ).format(number=row["registration__number"])

    handed_over = (
        PrizePayout.objects.filter(
            tournament=tournament, handed_over_at__isnull=False, registration__number__in=numbers
        )
        .exclude(goods="")
        .exclude(pot=LOTTERY)  # depends on no result
    )
    for number, goods in handed_over.values_list("registration__number", "goods"):
        yield _("Nr. {number} hat nach dem alten Ergebnis schon „{goods}“ bekommen.").format(
            number=number, goods=goods
        )


def _playoffs(tournament: Tournament, numbers: Collection[int]) -> Iterable[str]:
    for order in Rankings(tournament).orders(OVERALL):
        if set(order) & set(numbers):
            needed = (
                _("Das Los zwischen {players} war nach dem alten Ergebnis nötig.")
                if tournament.ties_by_lot
                else _(
                    "Das Entscheidungsspiel zwischen {players} war nach dem alten Ergebnis nötig."
                )
            )
            yield needed.format(
                players=", ".join(_("Nr. {number}").format(number=number) for number in order)
            )


def _closed_serien(tournament: Tournament, serie: int) -> Iterable[str]:
    later = tournament.serien.filter(number__gt=serie, closed_at__isnull=False)
    for later_serie in later.order_by("number"):
        yield _("{serie} ist schon abgeschlossen.").format(serie=later_serie)
