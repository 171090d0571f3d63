"""Spiellisten with their games, for signing and archiving (§§ 2.2.4, 2.3.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from urllib.parse import quote

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.ambiguity import AmbiguousLine
from scoring.list_rows import PlayedRow
from scoring.money import euro
from tournaments.announcement.queries.ausschreibung_text import moment
from tournaments.common.errors import TournamentError
from tournaments.common.formats import points
from tournaments.common.rules import bussgeld_tariff, rule_set_of
from tournaments.lists.queries import bussgeld as list_bussgeld
from tournaments.lists.queries import changes as corrections_text
from tournaments.lists.queries.data import ListData
from tournaments.lists.queries.ended_lists import ended_sentences
from tournaments.lists.queries.loading import load_lists
from tournaments.lists.queries.seat_history import earlier_sitters
from tournaments.lists.queries.seat_moves import SeatMoves, name_lookup, seat_moves
from tournaments.lists.services import versions as list_versions
from tournaments.machine.hashes import hash_of
from tournaments.machine.qr_codes import ANY_MASK, on_paper
from tournaments.models import (
    Correction,
    ListVersion,
    Registration,
    Signature,
    Spielliste,
    Tournament,
)
from tournaments.people.queries.naming import STAFF
from tournaments.printing.base import Printable, PrintRequest
from tournaments.printing.seating import tables_of
from tournaments.printing.sheet_pages import SheetHead, SheetSeat
from tournaments.printing.sheets import PlayedListData, PrintedSheet, sheets
from tournaments.printing.spiellisten import TEMPLATE, has_bussgeld, head_of, seat_of

Status = Spielliste.Status


def played(request: PrintRequest) -> Printable:
    """Return the lists of a Serie with their games, corrections and signatures.

    Raises:
        TournamentError: if there is no such table, or no list has a game yet.
    """
    tournament, serie = request.tournament, request.found_serie()
    spiellisten = Spielliste.objects.filter(
        table__in=tables_of(serie, request.table)
    ).select_related("table__serie", "verified_by")
    lists = {
        spielliste.pk: spielliste
        for spielliste in spiellisten.prefetch_related("signatures", "versions")
    }
    written = [data for data in load_lists(tournament, only=list(lists)) if data.texts]
    if not written:
        raise TournamentError(
            _("In {serie} ist noch kein Spiel eingetragen.").format(serie=serie)
            if request.table is None
            else _("An Tisch {table} ist noch kein Spiel eingetragen.").format(table=request.table)
        )
    maker = _SheetBuilder(request, lists, written)
    return Printable(
        title=_("Gespielte Listen {serie}").format(serie=serie)
        if request.table is None
        else _("Gespielte Liste {serie}, Tisch {table}").format(serie=serie, table=request.table),
        sheets=[page for data in written for page in maker.sheets(data)],
        template=TEMPLATE,
    )


class _SheetBuilder:
    """Builds the sheets of many lists; their data are read together."""

    def __init__(
        self,
        request: PrintRequest,
        lists: Mapping[int, Spielliste],
        written: Sequence[ListData],
    ) -> None:
        self.tournament = tournament = request.tournament
        self.base_url = request.base_url
        self.lists = lists
        self.rules = rule_set_of(tournament)
        self.tariff = bussgeld_tariff(tournament)
        keys = {key for data in written for key in data.seats.values()}
        keys |= {span[2] for data in written for span in data.spans}
        self.people = Registration.objects.select_related("person", "club").in_bulk(keys)
        self.sitters = earlier_sitters(tournament).get(request.found_serie().number, {})
        self.corrections: dict[int, list[Correction]] = {}
        done = Correction.objects.filter(
            spielliste__in=lists, status=Correction.Status.CARRIED_OUT
        ).order_by("number")
        for correction in done:
            self.corrections.setdefault(correction.spielliste_id or 0, []).append(correction)

    def sheets(self, data: ListData) -> list[PrintedSheet]:
        """Return the page of one list, or its pages."""
        spielliste = self.lists[data.pk]
        rows = data.rows(self.rules)
        head = replace(
            head_of(spielliste.table, self.tournament, self.rules, size=data.size),
            note=self._note(spielliste, data),
            remarks=tuple(self._remarks(spielliste, data, rows)),
            verified=_verified(spielliste, self.tournament),
            version=_version_text(spielliste),
        )
        seats, games = self._seats(spielliste, data), self._played(data, rows)

        def pages(head: SheetHead) -> list[PrintedSheet]:
            return sheets(
                self.rules,
                head,
                seats,
                played=games,
                bonus_size=data.bonus_size,
                has_bussgeld=has_bussgeld(self.tournament),
            )

        without, with_code = pages(head), pages(self._with_code(head, spielliste))
        # The code is left out if it would need a second page or names in small letters.
        costs_nothing = [sheet.page.is_compact for sheet in with_code] == [
            sheet.page.is_compact for sheet in without
        ]
        return with_code if costs_nothing else without

    def _with_code(self, head: SheetHead, spielliste: Spielliste) -> SheetHead:
        """Add the QR code from the sheet to the stored list, for comparing the two."""
        if not self.base_url:
            return head
        table = spielliste.table
        place = [self.tournament.slug, table.serie.number, table.number]
        return replace(
            head,
            qr=on_paper(f"{self.base_url}{reverse('checking:list', args=place)}", mask=ANY_MASK),
            qr_for=_("Prüfen am Bildschirm"),
        )

    def _note(self, spielliste: Spielliste, data: ListData) -> str:
        sentences = ended_sentences(data, self.rules)
        all_games, games = self.rules.games_at(len(data.seats)), len(data.texts)
        expected = spielliste.games_wanted(all_games)
        if spielliste.status == Status.INVALID and not sentences:
            return _("Ungültig: {reason}").format(reason=spielliste.invalid_reason)
        if games < expected and spielliste.status != Status.INVALID:
            sentences.append(
                _("Noch nicht zu Ende: {games} von {all} Spielen").format(games=games, all=expected)
            )
        return " ".join(sentences)

    def _seats(self, spielliste: Spielliste, data: ListData) -> list[SheetSeat]:
        signed = spielliste.signatures.all()
        version = spielliste.signed_version(signature.version for signature in signed)
        signatures = {
            signature.registration_id: signature
            for signature in signed
            if signature.version == version
        }
        readers = STAFF.among(self.people[key] for key in data.seats.values())
        return [
            _with_signature(
                seat_of(
                    number,
                    self.people[key],
                    readers,
                    is_keeper=number == spielliste.listenfuehrer,
                    sitter=self.sitters.get(key),
                ),
                signatures.get(key),
            )
            for number, key in sorted(data.seats.items())
        ]

    def _played(self, data: ListData, rows: Sequence[PlayedRow]) -> PlayedListData:
        seats = sorted(data.seats)
        is_whole = len(rows) == (data.ended_games or self.rules.games_at(len(data.seats)))
        bussgeld = list_bussgeld.bussgeld_by_seat(data, self.rules, self.tariff) if is_whole else {}
        counted = data.counted(self.rules)
        places = list_bussgeld.places_at_table(data, self.rules)
        return PlayedListData(
            rows=rows,
            results=[counted[data.seats[seat]] for seat in seats],
            ranks=[places[seat] for seat in seats] if is_whole else [],
            bussgeld=[euro(bussgeld[seat]) for seat in seats] if bussgeld else [],
            bought=self.lists[data.pk].bought_cards,
            left=[seat for seat in seats if places[seat] is None],
            finished=sum(cell.count.finished for row in rows for cell in row.cells),
            moved_after=self._moves(data).after,
            extrapolated_from=data.extrapolated_from,
        )

    def _moves(self, data: ListData) -> SeatMoves:
        return seat_moves(data, name_lookup(self.people, self.sitters), data.counted(self.rules))

    def _remarks(
        self, spielliste: Spielliste, data: ListData, rows: Sequence[PlayedRow]
    ) -> Iterator[str]:
        yield from _readings(rows)
        yield from _grants(data.lines)
        yield from self._moves(data).sentences
        for correction in self.corrections.get(spielliste.pk, []):
            yield _correction_text(correction, self.tournament)
        yield from _superseded_signature(spielliste)


def _readings(rows: Iterable[PlayedRow]) -> Iterator[str]:
    """Yield the reading of each ambiguous line (§ 2.2.6)."""
    for row in rows:
        for cell in row.cells if row.unclear else ():
            for reason in cell.reasons:
                yield _("* Spiel {game}, Platz {seat}: {reason}").format(
                    game=row.number, seat=cell.seat, reason=reason
                )


def _grants(lines: Iterable[AmbiguousLine]) -> Iterator[str]:
    """Yield the points besides the hands, which have no column in the list."""
    for number, line in enumerate(lines, start=1):
        for adjustment in line.adjustments:
            yield _("Spiel {game}, Platz {seat}: {points} Punkte, {reason}").format(
                game=number,
                seat=adjustment.seat,
                points=points(adjustment.points),
                reason=adjustment.reason,
            )


def _clock(at: datetime, tournament: Tournament) -> str:
    """Return a time; with the date only if it is not the day of the tournament."""
    if timezone.localdate(at) != timezone.localdate(tournament.starts_at):
        return moment(at)
    return _("{time} Uhr").format(time=timezone.localtime(at).strftime("%H:%M"))


def _correction_text(correction: Correction, tournament: Tournament) -> str:
    """Return the sentence on a correction: time, changes and reason (§ 2.2.5)."""
    game = _("Spiel {game}, ").format(game=correction.game) if correction.game else ""
    changes = "; ".join(
        _("{what}: vorher {before}, jetzt {after}").format(
            what=change.what, before=change.before or "–", after=change.after or "–"
        )
        for change in corrections_text.changes(correction)
    )
    paragraph = f" (§ {correction.paragraph})" if correction.paragraph else ""
    return _("{correction}, {time}: {game}{changes}. Grund: {reason}{paragraph}").format(
        correction=correction,
        time=_clock(correction.decided_at or correction.created_at, tournament),
        game=game,
        changes=changes,
        reason=correction.reason,
        paragraph=paragraph,
    )


def _with_signature(seat: SheetSeat, signature: Signature | None) -> SheetSeat:
    if signature is None:
        return seat
    if signature.drawing not in {"", Signature.REMOVED}:
        return replace(seat, signed=_picture(signature.drawing))
    text = _("{name}, {how} unterschrieben").format(
        name=seat.sign_here, how=signature.get_method_display()
    )
    return replace(seat, sign_here=text)


def _superseded_signature(spielliste: Spielliste) -> Iterator[str]:
    """Yield the version that was signed, if the list was corrected since."""
    versions = {signature.version for signature in spielliste.signatures.all()}
    signed_versions = [
        version for version in spielliste.versions.all() if version.version in versions
    ]
    if signed_versions and spielliste.version not in versions:
        last = max(signed_versions, key=lambda version: version.version)
        yield _("Unterschrieben wurde Stand {hash}; berichtigt wurde danach.").format(
            hash=list_versions.short_hash(last)
        )


def _picture(drawing: str) -> str:
    """Return a drawn signature as a picture; its path was checked when it was stored."""
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 200">'
        f'<path d="{drawing}" fill="none" stroke="black" stroke-width="5"/></svg>'
    )
    return f"data:image/svg+xml,{quote(svg)}"


def _verified(spielliste: Spielliste, tournament: Tournament) -> str:
    if spielliste.verified_at is None:
        return ""
    return _("{who}, {time}").format(
        who=spielliste.verified_by or _("Spielleitung"),
        time=_clock(spielliste.verified_at, tournament),
    )


def _version_text(spielliste: Spielliste) -> str:
    """Return the short hash of the stored version, or of the version once it is signed.

    Signing changes only the status of the list, so a sheet that is printed to be signed has
    the hash of the signed list.
    """
    versions = {version.version: version for version in spielliste.versions.all()}
    if spielliste.version in versions:
        return _("Stand {hash}").format(hash=list_versions.short_hash(versions[spielliste.version]))
    if spielliste.status == Status.OPEN:
        return _("Stand {version}, noch offen").format(version=spielliste.version)
    if spielliste.status != Status.COMPLETE:
        return _("Stand {version}").format(version=spielliste.version)
    content = {**list_versions.content(spielliste), "status": Status.SIGNED.value}
    coming = ListVersion(content_hash=hash_of(content))
    return _("Stand {hash}").format(hash=list_versions.short_hash(coming))
