"""The open items of a Serie, which block its closing or are only warnings.

Each item is a sentence with its parts, which link to the pages where they are settled.
The number of queries does not depend on the size of the tournament.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.common.formats import listed
from tournaments.desk.queries.earlier_tournament import followers
from tournaments.models import (
    Call,
    Correction,
    Draw,
    Notice,
    Penalty,
    Playoff,
    Serie,
    Spielliste,
    Table,
    Tournament,
)
from tournaments.notices.queries.objections import objection_deadline, open_to_objection
from tournaments.prizes.queries.rows import key_of, valid_payouts

NO_SERIE = 0  # for items that belong to no list, such as an exclusion


class Kind(StrEnum):
    """The kind of an open item; it determines the page where the item is settled."""

    LISTS = "lists"
    CORRECTIONS = "corrections"
    PENALTIES = "penalties"
    NOTICES = "notices"
    CASES = "cases"
    DECISIONS = "decisions"
    CALLS = "calls"
    PROTESTS = "protests"
    SERIEN = "serien"
    REGISTRATIONS = "registrations"
    POINTS = "points"
    TIES = "ties"
    BUSSGELD = "bussgeld"
    PRIZES = "prizes"
    KAUTION = "kaution"
    TRANSFERS = "transfers"
    TILL = "till"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenItemPart:
    """One part of an open item, with its key for addresses."""

    label: str
    key: int = 0
    serie: int = NO_SERIE


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenItem:
    """An item that is not settled; it blocks the closing, or is only a warning."""

    kind: Kind
    sentence: str
    parts: tuple[OpenItemPart, ...] = ()
    blocks: bool = True


def blocking(items: Iterable[OpenItem]) -> list[OpenItem]:
    """Return the items that block the closing."""
    return [item for item in items if item.blocks]


def part_labels(parts: Iterable[OpenItemPart]) -> str:
    """Return the first parts by their labels."""
    return listed([part.label for part in parts])


def start_number(number: int | None) -> str:
    return _("Nr. {number}").format(number=number)


def of_serien(tournament: Tournament, now: datetime | None = None) -> dict[int, list[OpenItem]]:
    """Return the open items by number of the Serie, or ``NO_SERIE``."""
    items: dict[int, list[OpenItem]] = defaultdict(list)
    for step in (_lists, _proposals, _open_notices, _open_cases, _open_calls):
        for serie, item in step(tournament):
            items[serie].append(item)
    for serie, item in _protests(tournament, now or timezone.now()):
        items[serie].append(item)
    return items


def cases_after_closing(items_by_serie: Mapping[int, Iterable[OpenItem]]) -> list[OpenItem]:
    """Return the cases reported after the closing; they block a reopened tournament."""
    return [
        item for inside in items_by_serie.values() for item in inside if item.kind == Kind.CASES
    ]


def of_serie(serie: Serie, now: datetime | None = None) -> list[OpenItem]:
    """Return the open items of one Serie, and those that belong to no list."""
    items = of_serien(serie.tournament, now)
    return [*items.get(serie.number, []), *items.get(NO_SERIE, [])]


def _by_serie(
    kind: Kind, parts: Iterable[OpenItemPart], say: Callable[[int], str], *, blocks: bool = True
) -> Iterator[tuple[int, OpenItem]]:
    """Yield the open item of *kind* in each Serie; *say* returns the sentence for its parts."""
    groups: dict[int, list[OpenItemPart]] = defaultdict(list)
    for part in parts:
        groups[part.serie].append(part)
    for serie, group in groups.items():
        sentence = say(len(group)).format(number=len(group), parts=part_labels(group))
        yield serie, OpenItem(kind=kind, sentence=sentence, parts=tuple(group), blocks=blocks)


def _lists(tournament: Tournament) -> Iterator[tuple[int, OpenItem]]:
    rows = (
        Table.objects.filter(serie__tournament=tournament)
        .exclude(spielliste__status__in=Spielliste.SETTLED)
        .order_by("serie__number", "number")
        .values_list("serie__number", "number", "spielliste__status")
    )
    parts = (
        OpenItemPart(
            label=_("Tisch {number} ({status})").format(
                number=number, status=Spielliste.Status(status or "open").label
            ),
            key=number,
            serie=serie,
        )
        for serie, number, status in rows
    )
    return _by_serie(
        Kind.LISTS,
        parts,
        lambda number: ngettext(
            "{number} Liste ist weder geprüft noch ungültig (§ 2.2.5): {parts}.",
            "{number} Listen sind weder geprüft noch ungültig (§ 2.2.5): {parts}.",
            number,
        ),
    )


def _proposals(tournament: Tournament) -> Iterator[tuple[int, OpenItem]]:
    corrections = tournament.corrections.filter(status=Correction.Status.PROPOSED)
    corrections = corrections.select_related("spielliste__table__serie").order_by("number")
    yield from _by_serie(
        Kind.CORRECTIONS,
        (
            OpenItemPart(
                label=_("Berichtigung {number}").format(number=correction.number),
                key=correction.number,
                serie=_serie_of(correction.spielliste),
            )
            for correction in corrections
        ),
        lambda number: ngettext(
            "{parts} wartet auf die zweite Person.", "{parts} warten auf die zweite Person.", number
        ),
    )
    penalties = Penalty.objects.filter(
        spielliste__table__serie__tournament=tournament, status=Penalty.Status.PROPOSED
    ).select_related("spielliste__table__serie", "registration")
    yield from _by_serie(
        Kind.PENALTIES,
        (
            OpenItemPart(
                label=start_number(penalty.registration.number),
                key=penalty.spielliste.table.number,
                serie=_serie_of(penalty.spielliste),
            )
            for penalty in penalties.order_by("pk")
        ),
        lambda _number: _("Über vorgeschlagene Strafpunkte ist nicht entschieden: {parts}."),
    )


def _serie_of(spielliste: Spielliste | None) -> int:
    return spielliste.table.serie.number if spielliste is not None else NO_SERIE


def _open_notices(tournament: Tournament) -> Iterator[tuple[int, OpenItem]]:
    notices = Notice.objects.filter(correction__tournament=tournament, told_at__isnull=True)
    parts = (
        OpenItemPart(
            label=_("{who} von Berichtigung {number}").format(
                who=start_number(notice.registration.number), number=notice.correction.number
            ),
            key=notice.registration_id,
            serie=_serie_of(notice.correction.spielliste),
        )
        for notice in notices.select_related(
            "correction__spielliste__table__serie", "registration"
        ).order_by("registration__number", "pk")
    )
    return _by_serie(
        Kind.NOTICES, parts, lambda _number: _("Noch nicht mitgeteilt (§ 2.2.5): {parts}.")
    )


def _open_cases(tournament: Tournament) -> Iterator[tuple[int, OpenItem]]:
    rows = (
        tournament.cases.filter(Q(decided_at__isnull=True) | Q(told_at__isnull=True))
        .select_related("spielliste__table__serie", "registration")
        .order_by("pk")
    )
    waiting: list[OpenItemPart] = []
    unheard: list[OpenItemPart] = []
    for case in rows:
        where = str(case.spielliste.table) if case.spielliste else ""
        player = start_number(case.registration.number) if case.registration else ""
        part = OpenItemPart(
            label=", ".join(filter(None, (where, player))) or str(case.get_kind_display()),
            key=case.pk,
            serie=_serie_of(case.spielliste),
        )
        (waiting if case.decided_at is None else unheard).append(part)
    yield from _by_serie(
        Kind.CASES,
        waiting,
        lambda number: ngettext(
            "{number} Fall ist nicht entschieden: {parts}.",
            "{number} Fälle sind nicht entschieden: {parts}.",
            number,
        ),
    )
    yield from _by_serie(
        Kind.DECISIONS,
        unheard,
        lambda _number: _("Die Entscheidung ist noch nicht mitgeteilt: {parts}."),
    )


def _open_calls(tournament: Tournament) -> Iterator[tuple[int, OpenItem]]:
    calls = Call.objects.filter(table__serie__tournament=tournament, done_at__isnull=True)
    parts = (
        OpenItemPart(label=_("Tisch {number}").format(number=number), key=number, serie=serie)
        for serie, number in calls.order_by("pk").values_list(
            "table__serie__number", "table__number"
        )
    )
    return _by_serie(
        Kind.CALLS,
        parts,
        lambda _number: _("Nach dem Schiedsrichter gerufen und nicht erledigt: {parts}."),
        blocks=False,
    )


def _protests(tournament: Tournament, now: datetime) -> Iterator[tuple[int, OpenItem]]:
    """Yield the Serien with a running period for objections to a list or a correction."""
    lists = Spielliste.objects.filter(table__serie__tournament=tournament, protest_until__gte=now)
    ends: dict[int, list[datetime]] = defaultdict(list)
    objectors: dict[int, list[str]] = defaultdict(list)
    for spielliste in lists.select_related("table__serie").order_by("table__number"):
        if spielliste.protest_until is not None:
            ends[spielliste.table.serie.number].append(spielliste.protest_until)
            objectors[spielliste.table.serie.number].append(str(spielliste.table))
    notices = open_to_objection(tournament, now).order_by("registration__number", "pk")
    for notice in notices.select_related("correction__spielliste__table__serie", "registration"):
        if (end := objection_deadline(notice)) is not None:
            serie = _serie_of(notice.correction.spielliste)
            ends[serie].append(end)
            objectors[serie].append(start_number(notice.registration.number))
    for serie, until in ends.items():
        sentence = _("Bis {time} Uhr kann noch Einspruch erheben: {who}.").format(
            time=timezone.localtime(max(until)).strftime("%H:%M"),
            who=listed(list(dict.fromkeys(objectors[serie]))),
        )
        yield serie, OpenItem(kind=Kind.PROTESTS, sentence=sentence, blocks=False)


# --- Dependents of a closed Serie -------------------------------------------------------------


def reopening_warnings(tournament: Tournament, serie: Serie | None = None) -> list[str]:
    """Return warnings to show before *serie*, or the tournament, is reopened.

    They do not block the reopening, because each correction shows its effects.
    """
    return list(_reopening_warnings(tournament, serie))


def _reopening_warnings(tournament: Tournament, serie: Serie | None) -> Iterator[str]:
    if serie is not None:
        later = tournament.serien.filter(number__gt=serie.number).order_by("number")
        for follower in later.filter(
            draws__status=Draw.Status.PUBLISHED, draws__method=Serie.Seating.RANKING
        ):
            yield _("{serie} ist nach der Rangliste gesetzt; ihre Plätze bleiben.").format(
                serie=follower
            )
        for follower in later.filter(closed_at__isnull=False):
            yield _("{serie} ist auch schon abgeschlossen und bleibt es.").format(serie=follower)
    playoffs = Playoff.objects.filter(tournament=tournament, withdrawn_at__isnull=True).count()
    if playoffs and tournament.ties_by_lot:
        yield ngettext(
            "{number} Los ist eingetragen.", "{number} Lose sind eingetragen.", playoffs
        ).format(number=playoffs)
    elif playoffs:
        yield ngettext(
            "{number} Entscheidungsspiel ist eingetragen.",
            "{number} Entscheidungsspiele sind eingetragen.",
            playoffs,
        ).format(number=playoffs)
    if serie is None:
        for final in followers(tournament):
            yield _(
                "„{name}“ hat die Punkte dieser Rangliste mitgenommen. Dort ändern sie sich nicht "
                "von selbst: Nach dem Abschluss stehen unter „Meldungen“ die anderen, und die "
                "Spielleitung übernimmt sie für alle, mit einem Grund."
            ).format(name=final)
    prizes = len({key_of(payout) for payout in valid_payouts(tournament)})
    if prizes:
        yield ngettext(
            "{number} Preis ist schon ausgegeben. Was eine Berichtigung daran ändert, steht als "
            "Rückforderung oder Nachzahlung unter „Preise“.",
            "{number} Preise sind schon ausgegeben. Was eine Berichtigung daran ändert, steht als "
            "Rückforderung oder Nachzahlung unter „Preise“.",
            prizes,
        ).format(number=prizes)
