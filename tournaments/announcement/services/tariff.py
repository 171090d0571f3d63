"""The tariff: the Startgeld by category, Kartengeld, Kaution and stakes.

An amount that a person has paid is fixed. Other amounts may change, which updates the dues of
all unpaid registrations.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from django.db.models import Q, Sum
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.announcement.queries.tournaments import CHANGE_ENTRY
from tournaments.announcement.services.edit import acts, changing, store_row
from tournaments.announcement.services.sections import FIELDS
from tournaments.cash.queries import balances
from tournaments.cash.services.dues import due_cents, update_paid_status
from tournaments.common.errors import TournamentError
from tournaments.desk.queries.missed_serien import due_share, late_startgeld_cents
from tournaments.desk.queries.ranking_members import undecided_rankings
from tournaments.desk.services import ranking_members
from tournaments.journal.acts import Act
from tournaments.models import CashEntry, Category, Ranking, Registration, Tournament
from tournaments.models.tournament import Section


@dataclass(frozen=True, slots=True, kw_only=True)
class Tariff:
    """All amounts for taking part, and the number of places."""

    categories: Sequence[Category]  # in the order in which they are shown; new without a key
    kartengeld_cents: int = 0
    kaution_cents: int = 0
    refund_until: datetime | None = None
    late_startgeld: str = Tournament.LateStartgeld.FULL
    day_startgeld: bool = False
    places: int | None = None


@acts.on(Tournament, "change_startgeld", entry=CHANGE_ENTRY)
def change_startgeld(act: Act[Tournament], *, seen: str, tariff: Tariff) -> None:
    """Store the tariff, and update the dues of unpaid registrations.

    Raises:
        TournamentError: as :func:`changing` does, if a line is not valid, a line with
            registrations is removed, or an amount changes that was paid.
    """
    _check_lines(tariff)
    if tariff.refund_until is not None and tariff.refund_until > act.row.starts_at:
        raise TournamentError(
            _("Die Frist für Rückzahlungen liegt nach dem Beginn. Bitte früher enden lassen.")
        )
    with changing(act, Section.STARTGELD, seen, act.reason):
        _check_unpaid_extras(act.row, tariff)
        for name in FIELDS[Section.STARTGELD]:
            setattr(act.row, name, getattr(tariff, name))
        shares = _late_shares(act.row)
        _store_categories(act, tariff.categories)
        owing = _change_dues(act, shares)
    for registration in owing:
        update_paid_status(act, registration)


@acts.on(Tournament, "change_rankings", entry=CHANGE_ENTRY)
def change_rankings(act: Act[Tournament], *, seen: str, lines: Sequence[Ranking]) -> None:
    """Store the rankings, and update the dues of unpaid registrations.

    Rankings without a stake include all who fit now; one that gets a stake begins empty.

    Raises:
        TournamentError: as :func:`changing` does, if the single ranking is missing, a ranking
            is dropped although people or teams are in it, or one changes that was paid for.
    """
    kinds = [line.kind for line in lines]
    if Ranking.Kind.SINGLE not in kinds:
        raise TournamentError(
            _("Die Einzelwertung wird immer geführt: Auf ihr beruhen alle anderen (§ 1.5).")
        )
    for line in lines:
        _check_years(line.get_kind_display(), line.born_from, line.born_until)
    with changing(act, Section.RANKINGS, seen, act.reason):
        existing = {ranking.kind: ranking for ranking in act.row.rankings.all()}
        for kind in existing.keys() - set(kinds):
            _check_ranking_is_empty(existing[kind])
            ranking_members.clear_ranking(act, existing[kind])
            act.remove(existing[kind])
        for line in lines:
            ranking = existing.get(line.kind) or Ranking(tournament=act.row, kind=line.kind)
            _store_ranking(act, ranking, line)
        ranking_members.follow_all(act)
        owing = _change_dues(act)
    for registration in owing:
        update_paid_status(act, registration)


def paid_registrations(tournament: Tournament, wanted: Q) -> int:
    """Return how many of the registrations in *wanted* have paid any amount.

    A registration with everything refunded does not count.
    """
    paid = (
        CashEntry.objects.filter(registration__tournament=tournament, kind__in=balances.DUES)
        .values("registration")
        .annotate(paid=Sum("amount_cents"))
        .filter(paid__gt=0)
        .values("registration")
    )
    return tournament.registrations.filter(wanted, pk__in=paid).count()


def _check_lines(tariff: Tariff) -> None:
    if not tariff.categories:
        raise TournamentError(
            _(
                "Es braucht mindestens eine Startgeldgruppe; wird kein Startgeld erhoben, "
                "eine mit 0,00 €."
            )
        )
    names = [line.name.strip().casefold() for line in tariff.categories]
    for line, name in zip(tariff.categories, names, strict=True):
        if names.count(name) > 1:
            raise TournamentError(
                _("Die Startgeldgruppe „{name}“ steht zweimal da.").format(name=line.name.strip())
            )
        _check_years(line.name, line.born_from, line.born_until)


def _check_years(name: str, born_from: int | None, born_until: int | None) -> None:
    if born_from is not None and born_until is not None and born_from > born_until:
        raise TournamentError(
            _(
                "„{name}“: Niemand ist ab {first} und zugleich bis {last} geboren. Bitte die "
                "Jahrgänge tauschen."
            ).format(name=name, first=born_from, last=born_until)
        )


def _check_unpaid_extras(tournament: Tournament, tariff: Tariff) -> None:
    if tariff.kartengeld_cents != tournament.kartengeld_cents:
        _check_unpaid(tournament, Q(), str(_("Das Kartengeld")))
    if tariff.kaution_cents != tournament.kaution_cents:
        deposits = CashEntry.objects.filter(
            receipt__tournament=tournament, kind=CashEntry.Kind.KAUTION
        )
        if (deposits.aggregate(total=Sum("amount_cents"))["total"] or 0) > 0:
            raise TournamentError(
                _(
                    "In der Kasse liegt schon Kaution. Sie kann sich erst ändern, wenn alle "
                    "zurückgezahlt ist."
                )
            )


def _check_unpaid(tournament: Tournament, wanted: Q, what: str) -> None:
    paid = paid_registrations(tournament, wanted)
    if paid:
        raise TournamentError(
            ngettext(
                "{what} kann sich nicht mehr ändern: {number} Person hat schon bezahlt.",
                "{what} kann sich nicht mehr ändern: {number} Personen haben schon bezahlt.",
                paid,
            ).format(what=what, number=paid)
        )


def _store_categories(act: Act[Tournament], lines: Sequence[Category]) -> None:
    existing = {category.pk: category for category in act.row.categories.all()}
    names = {line.pk: line.name.strip() for line in lines}
    for category in existing.values():
        if category.pk not in names:
            _check_category_is_empty(category)
            act.remove(category)
        elif category.name != names[category.pk]:
            # Two lines may swap their names, and names are unique at any moment.
            category.name = f"#{category.pk}"
            act.store(category)
    for position, line in enumerate(lines):
        category = existing.get(line.pk) or Category(tournament=act.row)
        if category.pk and category.startgeld_cents != line.startgeld_cents:
            _check_unpaid(
                act.row,
                Q(category=category),
                _("Das Startgeld für „{name}“").format(name=line.name.strip()),
            )
        category.name = line.name.strip()
        category.startgeld_cents = line.startgeld_cents
        category.born_from = line.born_from
        category.born_until = line.born_until
        category.position = position
        store_row(act, category)


def _check_category_is_empty(category: Category) -> None:
    registered = category.registrations.count()
    if registered:
        raise TournamentError(
            ngettext(
                "Die Startgeldgruppe „{name}“ kann nicht wegfallen: {number} Person ist darin "
                "gemeldet.",
                "Die Startgeldgruppe „{name}“ kann nicht wegfallen: {number} Personen sind "
                "darin gemeldet.",
                registered,
            ).format(name=category.name, number=registered)
        )


def _check_ranking_is_empty(ranking: Ranking) -> None:
    if (ranking.registrations.exists() and not _fills_itself(ranking)) or ranking.teams.exists():
        raise TournamentError(
            _(
                "Die Wertung „{name}“ kann nicht wegfallen: Für sie sind schon Personen oder "
                "Mannschaften gemeldet."
            ).format(name=ranking)
        )


def _fills_itself(ranking: Ranking) -> bool:
    """Whether no person has joined it, and it has given out no prize."""
    return ranking.takes_all and ranking in undecided_rankings(ranking.tournament)


def _store_ranking(act: Act[Tournament], ranking: Ranking, line: Ranking) -> None:
    if ranking.pk and line.stake_cents and _fills_itself(ranking):
        ranking_members.clear_ranking(act, ranking)  # it has no members yet
    if ranking.pk and ranking.stake_cents != line.stake_cents:
        _check_unpaid(
            act.row,
            Q(rankings=ranking),
            _("Der Einsatz für „{name}“").format(name=ranking),
        )
    if ranking.pk and ranking.size != line.size and ranking.teams.exists():
        raise TournamentError(
            _("Es gibt schon Mannschaften; ihre Größe kann sich nicht mehr ändern.")
        )
    for name in ("size", "born_from", "born_until", "stake_cents"):
        setattr(ranking, name, getattr(line, name))
    store_row(act, ranking)


def _late_shares(tournament: Tournament) -> dict[int, Fraction | None]:
    """Return the part of the Startgeld that each latecomer owes, by registration."""
    late = tournament.registrations.filter(late_startgeld_cents__isnull=False)
    return {
        registration.pk: due_share(registration)
        for registration in late.select_related("category", "tournament")
    }


def _change_dues(
    act: Act[Tournament], shares: Mapping[int, Fraction | None] | None = None
) -> list[Registration]:
    """Store the dues of all registrations with a place; return those whose dues changed.

    *shares* are the parts of the Startgeld that latecomers owe; they stay the same for a new
    Startgeld.
    """
    coming = (
        act.row.registrations.filter(status__in=Registration.COMING)
        .select_related("category", "person")
        .prefetch_related("rankings")
    )
    changed: dict[tuple[int, int | None], list[Registration]] = defaultdict(list)
    for registration in coming:
        registration.tournament = act.row  # with the current Kartengeld
        if shares and registration.pk in shares:
            registration.late_startgeld_cents = late_startgeld_cents(
                registration.category, shares[registration.pk]
            )
        cents = due_cents(registration)
        if cents != registration.due_cents:
            registration.due_cents = cents
            registration.remember(["due_cents", "late_startgeld_cents"])
            changed[cents, registration.late_startgeld_cents].append(registration)
    for (cents, late_cents), some in changed.items():
        keys = [registration.pk for registration in some]
        rows = Registration.objects.filter(pk__in=keys)
        act.change_all(rows, due_cents=cents, late_startgeld_cents=late_cents)
    return [registration for some in changed.values() for registration in some]
