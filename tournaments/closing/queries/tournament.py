"""The open items of the tournament besides its Serien: ties, money, registrations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.money import euro
from scoring.payments.prizes import Recipient, TieRule
from scoring.standings import open_ties
from tournaments.cash.queries.balances import kautionen
from tournaments.cash.queries.report import counts
from tournaments.closing.queries.closing import (
    NO_SERIE,
    Kind,
    OpenItem,
    OpenItemPart,
    part_labels,
    start_number,
)
from tournaments.common.formats import listed
from tournaments.desk.queries.earlier_tournament import points_moves
from tournaments.desk.queries.ranking_members import open_questions
from tournaments.hall.queries import handing_in
from tournaments.lists.queries.data import ListData
from tournaments.models import BankTransaction, Receipt, Registration, Serie, Tournament
from tournaments.prizes.queries.prizes import PrizeSheet
from tournaments.results.queries.rankings import OVERALL


def of_tournament(
    tournament: Tournament, inside: Mapping[int, Sequence[OpenItem]]
) -> list[OpenItem]:
    """Return the open items of the tournament; *inside* are those of its Serien.

    Items of a Serie that is not closed are shown with it, and those without a Serie as well.
    """
    sheet = PrizeSheet(tournament)
    serien = list(tournament.serien.annotate(tables_count=Count("tables")).order_by("number"))
    closed = [serie.number for serie in serien if serie.closed_at is not None]
    if not any(serie.closed_at is None and serie.tables_count for serie in serien):
        closed = [NO_SERIE, *closed]
    return [
        *_serien(serien),
        *(_with_serie(number, item) for number in closed for item in inside.get(number, [])),
        *_registrations(tournament),
        *_members(tournament),
        *_points(tournament),
        *_ties(sheet),
        *_bussgeld(tournament, sheet.rankings.lists),
        *_prizes(sheet),
        *_kaution(tournament),
        *_transfers(tournament),
        *_till(tournament),
    ]


def _with_serie(serie: int, item: OpenItem) -> OpenItem:
    """Return an open item with the name of its Serie in the sentence."""
    if serie == NO_SERIE:
        return item
    sentence = _("Serie {number}: {sentence}").format(number=serie, sentence=item.sentence)
    return replace(item, sentence=sentence)


def _serien(serien: Sequence[Serie]) -> Iterator[OpenItem]:
    open_ = [
        OpenItemPart(label=str(serie), serie=serie.number)
        for serie in serien
        if serie.closed_at is None and serie.tables_count  # type: ignore[attr-defined]
    ]
    if open_:
        yield OpenItem(
            kind=Kind.SERIEN,
            sentence=ngettext(
                "{serien} ist noch nicht abgeschlossen.",
                "{serien} sind noch nicht abgeschlossen.",
                len(open_),
            ).format(serien=part_labels(open_)),
            parts=tuple(open_),
        )
    unseated = [str(serie) for serie in serien if not serie.tables_count]  # type: ignore[attr-defined]
    if unseated:
        yield OpenItem(
            kind=Kind.SERIEN,
            sentence=ngettext(
                "{serien} ist nicht ausgelost. Wird sie nicht gespielt, bitte „Entfällt“.",
                "{serien} sind nicht ausgelost. Werden sie nicht gespielt, bitte „Entfällt“.",
                len(unseated),
            ).format(serien=listed(unseated)),
            # If no player was ever seated, no result misses a Serie.
            blocks=len(unseated) < len(serien),
        )


def _registrations(tournament: Tournament) -> Iterator[OpenItem]:
    rows = (
        tournament.registrations.filter(status=Registration.Status.REGISTERED)
        .order_by("number")
        .values_list("pk", "number")
    )
    parts = tuple(OpenItemPart(label=start_number(number), key=pk) for pk, number in rows)
    if parts:
        yield OpenItem(
            kind=Kind.REGISTRATIONS,
            sentence=_(
                "Gemeldet und nicht bezahlt: {who}. Bitte kassieren, abmelden oder als nicht "
                "erschienen eintragen."
            ).format(who=part_labels(parts)),
            parts=parts,
        )


def _members(tournament: Tournament) -> Iterator[OpenItem]:
    for question in open_questions(tournament):
        parts = tuple(
            OpenItemPart(label=start_number(registration.number), key=registration.pk)
            for registration in question.registrations
        )
        yield OpenItem(
            kind=Kind.REGISTRATIONS,
            sentence=f"{question.lead} {part_labels(parts)}.",
            parts=parts,
            blocks=False,
        )


def _points(tournament: Tournament) -> Iterator[OpenItem]:
    if moves := points_moves(tournament):
        parts = [OpenItemPart(label=start_number(move.registration.number)) for move in moves]
        yield OpenItem(
            kind=Kind.POINTS,
            sentence=_("Punkte der Vorrunde, die dort anders stehen: {who}.").format(
                who=part_labels(parts)
            ),
            blocks=False,
        )


def _ties(sheet: PrizeSheet) -> Iterator[OpenItem]:
    """Yield the ties that § 1.5 requires to be played off: for first place and for prizes.

    If equal players share prizes by the prize plan, only the title is open, and the
    Spielleitung decides whether there is an Entscheidungsspiel.
    """
    standings = sheet.rankings.standings(OVERALL)
    ties = {(playoff.ranking, playoff.rank): playoff.numbers for playoff in sheet.playoffs}
    shared = not ties and any(
        pot.plan.ties is TieRule.SHARE and line.ranking == OVERALL
        for pot in sheet.pots
        for line in pot.plan.lines
    )
    for tie in open_ties(standings, 1):
        ties.setdefault((OVERALL, 1), tie.numbers)
    for (ranking, rank), numbers in ties.items():
        of_teams = ranking.recipient is not Recipient.PLAYER
        names = _teams(sheet, numbers) if of_teams else [start_number(number) for number in numbers]
        sentence = (
            _("{ranking}: Platz {rank} teilen sich {numbers}; nach dem Preisplan den Preis auch.")
            if shared
            else _("{ranking}: Platz {rank} teilen sich {numbers}. Es fehlt das Los.")
            if sheet.tournament.ties_by_lot
            else _(
                "{ranking}: Platz {rank} teilen sich {numbers}. Es fehlt ein Entscheidungsspiel "
                "(§ 1.5)."
            )
        )
        yield OpenItem(
            kind=Kind.TIES,
            sentence=sentence.format(ranking=ranking.describe(), rank=rank, numbers=listed(names)),
            blocks=not shared,
        )


def _teams(sheet: PrizeSheet, keys: Sequence[int]) -> list[str]:
    names = {team.pk: team.name for each in sheet.rankings.teams.values() for team in each}
    return [names[key] for key in keys]


def _prizes(sheet: PrizeSheet) -> Iterator[OpenItem]:
    for pot in sheet.pots:
        if pot.refusal:
            yield OpenItem(kind=Kind.PRIZES, sentence=f"{pot.label}: {pot.refusal}", blocks=False)
    for sentence in sheet.untaken:
        yield OpenItem(kind=Kind.PRIZES, sentence=sentence, blocks=False)
    corrected = [f"{row.recipient_name}, {row.correction}" for row in sheet.rows if row.correction]
    if corrected:
        yield OpenItem(
            kind=Kind.PRIZES,
            sentence=_("Nach der Auszahlung geändert und offen: {who}.").format(
                who="; ".join(corrected)
            ),
            blocks=False,
        )
    if sheet.choosing and sheet.choosing.now:
        waiting_ones = len(list(sheet.choosing.waiting_choosers))
        yield OpenItem(
            kind=Kind.PRIZES,
            sentence=ngettext(
                "{number} Person hat noch keinen Sachpreis gewählt.",
                "{number} haben noch keinen Sachpreis gewählt.",
                waiting_ones,
            ).format(number=waiting_ones),
            blocks=False,
        )
    if sheet.has_lottery and not (sheet.lottery and sheet.lottery.drawn_at):
        yield OpenItem(
            kind=Kind.PRIZES, sentence=_("Die Verlosung ist noch nicht gezogen."), blocks=False
        )
    wrong = [row for row in sheet.rows if row.goods_are_wrong]
    if wrong:
        yield OpenItem(
            kind=Kind.PRIZES,
            sentence=_("Anders ausgegeben, als die Rangliste jetzt ergibt: {who}.").format(
                who=listed(list(dict.fromkeys(row.recipient_name for row in wrong)))
            ),
            blocks=False,
        )
    waiting = [
        row for row in sheet.rows if row.goods_are_open or (row.open_cents and not row.correction)
    ]
    if waiting:
        yield OpenItem(
            kind=Kind.PRIZES,
            sentence=_("Noch nicht ausgegeben sind Preise über {amount}: {who}.").format(
                amount=euro(sum(row.open_cents for row in waiting if not row.correction)),
                who=listed(list(dict.fromkeys(row.recipient_name for row in waiting))),
            ),
            blocks=False,
        )


def _transfers(tournament: Tournament) -> Iterator[OpenItem]:
    waiting = BankTransaction.objects.filter(
        tournament=tournament, receipt__isnull=True, set_aside_reason="", amount_cents__gt=0
    ).count()
    if waiting:
        yield OpenItem(
            kind=Kind.TRANSFERS,
            sentence=ngettext(
                "{number} Überweisung ist noch nicht zugeordnet.",
                "{number} Überweisungen sind noch nicht zugeordnet.",
                waiting,
            ).format(number=waiting),
            blocks=False,
        )


def _bussgeld(tournament: Tournament, lists: Sequence[ListData]) -> Iterator[OpenItem]:
    where = {data.pk: data for data in lists}
    debts = [
        (where[pk], debt)
        for pk, rows in handing_in.bussgelder(tournament, lists).items()
        for debt in rows
        if debt.open_cents
    ]
    parts = tuple(
        OpenItemPart(label=start_number(debt.registration.number), key=data.table, serie=data.serie)
        for data, debt in debts
    )
    if parts:
        yield OpenItem(
            kind=Kind.BUSSGELD,
            sentence=_(
                "Bußgeld ist offen, zusammen {amount}: {who}. Bitte kassieren, auszahlen oder "
                "erlassen."
            ).format(
                amount=euro(sum(debt.open_cents for _data, debt in debts)), who=part_labels(parts)
            ),
            parts=parts,
        )


def _kaution(tournament: Tournament) -> Iterator[OpenItem]:
    held = kautionen(tournament)
    parts = tuple(OpenItemPart(label=start_number(number), key=pk) for pk, number, _cents in held)
    if parts:
        yield OpenItem(
            kind=Kind.KAUTION,
            sentence=_("Kaution ist noch in der Kasse, zusammen {amount}: {who}.").format(
                amount=euro(sum(cents for _pk, _number, cents in held)),
                who=part_labels(parts),
            ),
            parts=parts,
            blocks=False,
        )


def _till(tournament: Tournament) -> Iterator[OpenItem]:
    """Yield an item for cash movements after the last count, or an unbooked difference."""
    count = counts(tournament).first()
    if count is None or count.is_outdated:
        if not tournament.receipts.filter(method=Receipt.Method.CASH).exists():
            return
        sentence = _("Die Kasse ist seit dem letzten Beleg nicht gezählt.")
    elif count.difference_cents and count.booked is None:
        sentence = _("Gezählt sind {counted}, im Kassenbuch stehen {expected}.").format(
            counted=euro(count.counted_cents), expected=euro(count.expected_cents)
        )
    else:
        return
    yield OpenItem(kind=Kind.TILL, sentence=sentence, blocks=False)
