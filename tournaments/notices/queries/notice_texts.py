"""Notices of corrections in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.money import euro
from scoring.reading.validation import from_json
from tournaments.announcement.queries.publication import is_whole_ranking_public
from tournaments.common.formats import short_date
from tournaments.lists.queries.changes import CellChange, changes
from tournaments.lists.queries.seat_history import Sitter, Sitters, earlier_sitters, is_substituted
from tournaments.models import Correction, Notice, Registration, Spielliste
from tournaments.notices.queries.effects import Effects, PersonEffect
from tournaments.notices.queries.objections import objection_deadline

MINUS = "\N{MINUS SIGN}"


Pair = tuple[int | None, int | None]  # before and after


RELATED = (
    "correction__tournament",
    "correction__spielliste__table__serie",
    "correction__created_by",
    "correction__decided_by",
    "registration__person",
    "told_by",
    "case__decided_by",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeText:
    """A notice in words for the player; plain sentences, without mark-up."""

    notice: Notice
    heading: str
    changes: tuple[CellChange, ...]
    reason: str
    effects: tuple[str, ...]  # on this player's points, rank and prizes
    rests: tuple[str, ...]  # facts that depend on the old result
    decided: str
    objecting: str
    sitter: Sitter | None = None  # the player before a substitute took over the start number

    @property
    def registration(self) -> Registration:
        """The registration that receives the notice."""
        return self.notice.registration

    @property
    def correction(self) -> Correction:
        """The correction that the notice is about."""
        return self.notice.correction


def place_of(spielliste: Spielliste) -> str:
    """Return table and Serie of a list: „Tisch 3, Serie 1“."""
    return _("{table}, {serie}").format(table=spielliste.table, serie=spielliste.table.serie)


def _heading(correction: Correction) -> str:
    spielliste = correction.spielliste
    if spielliste is None:
        return _("Entscheidung der Spielleitung: {kind}").format(kind=correction.get_kind_display())
    if correction.game is not None:
        return _("{place}: Spiel {game} wurde berichtigt").format(
            place=place_of(spielliste), game=correction.game
        )
    return _("{place}: {kind}").format(
        place=place_of(spielliste), kind=correction.get_kind_display()
    )


def _points(value: int | None) -> str:
    return _("kein Ergebnis") if value is None else str(value).replace("-", MINUS)


def _rank(value: int | None) -> str:
    return _("kein Platz") if value is None else _("Platz {rank}").format(rank=value)


def _effects(effects: Effects, effect: PersonEffect | None, *, with_rank: bool) -> Iterator[str]:
    """Yield the effects for a person; without the rank while the ranking is not public.

    Total and rank are those after the same Serie; an incomplete Serie counts in neither.
    """
    serie, upto = effects.serie, effects.upto
    is_to_count = upto is not None and serie is not None and not effects.is_counted
    if effect is None:
        return
    if not effect.changes and not is_to_count:
        yield _("An Ihren Punkten und Ihrem Platz ändert sich nichts.")
        return
    if serie is not None:
        points = _before_after(effect.points, _points)
        yield _("Ihre Punkte in Serie {serie}: {points}.").format(serie=serie, points=points)
        if effect.augen != (None, None):
            augen = _before_after(effect.augen, _points)
            yield _("Ihre Augen in Serie {serie}: {augen}.").format(serie=serie, augen=augen)
    if is_to_count:
        yield _("In der Rangliste zählt Serie {serie}, sobald alle ihre Listen da sind.").format(
            serie=serie
        )
        return
    if effect.total != effect.points:
        yield _total_after(upto).format(serie=upto, points=_before_after(effect.total, _points))
    if with_rank and effect.rank != (None, None):
        yield _rank_after(upto).format(serie=upto, rank=_before_after(effect.rank, _rank))


def _total_after(upto: int | None) -> str:
    if upto is None:
        return _("Ihre Punkte insgesamt: {points}.")
    return _("Ihre Punkte nach Serie {serie}: {points}.")


def _rank_after(upto: int | None) -> str:
    if upto is None:
        return _("In der Rangliste: {rank}.")
    return _("In der Rangliste nach Serie {serie}: {rank}.")


def _rank_of_other(effects: Effects, number: int | None, *, with_rank: bool) -> Iterator[str]:
    """Yield the changed rank of a player whose points do not change."""
    for move in effects.others if with_rank else ():
        if move.number == number:
            moved = _before_after(move.rank, _rank)
            yield _rank_after(effects.upto).format(serie=effects.upto, rank=moved)


def _prizes(effects: Effects, number: int | None, *, with_rank: bool) -> Iterator[str]:
    """Yield the changed prizes of a player, with the amount to be paid.

    While the ranking is not public, unpaid amounts are left out.
    """
    for move in effects.prizes:
        if move.number != number:
            continue
        if not with_rank and not move.paid_cents:
            yield _("Ihr Preis ändert sich; wie, sagt die Spielleitung.")
            continue
        before, after = map(_prize_text, move.cents, move.goods)
        if move.is_undecided:
            after = _("offen, bis der Gleichstand entschieden ist")
        sentence = (
            _("Preis Ihrer Mannschaft: vorher {before}, jetzt {after}.")
            if move.is_of_team
            else _("Ihr Preis: vorher {before}, jetzt {after}.")
        )
        yield sentence.format(before=before, after=after)
        if move.open_cents:
            sentence = (
                _("Ausgezahlt sind {paid}; zurückzugeben sind {sum}.")
                if move.open_cents < 0
                else _("Ausgezahlt sind {paid}; dazu kommen {sum}.")
            )
            yield sentence.format(paid=euro(move.paid_cents), sum=euro(abs(move.open_cents)))


def _prize_text(cents: int, goods: str) -> str:
    return " + ".join(filter(None, (euro(cents) if cents else "", goods))) or _("kein Preis")


def _before_after(values: Pair, say: Callable[[int | None], str]) -> str:
    before, after = (say(value) for value in values)
    if before == after:
        return _("unverändert {value}").format(value=after)
    return _("vorher {before}, jetzt {after}").format(before=before, after=after)


def _decision_note(correction: Correction) -> str:
    decider = correction.decided_by or correction.created_by
    at = timezone.localtime(correction.decided_at or correction.created_at)
    return _("Entschieden hat {who}, {day} um {time} Uhr.").format(
        who=decider or _("die Spielleitung"), day=short_date(at), time=at.strftime("%H:%M")
    )


def _objection_note(notice: Notice) -> str:
    until = objection_deadline(notice)
    minutes = notice.correction.tournament.protest_minutes
    if until is None:
        when = ngettext(
            "innerhalb von {minutes} Minute nach dieser Mitteilung",
            "innerhalb von {minutes} Minuten nach dieser Mitteilung",
            minutes,
        ).format(minutes=minutes)
    else:
        when = _("bis {time} Uhr").format(time=timezone.localtime(until).strftime("%H:%M"))
    return _(
        "Sind Sie nicht einverstanden? Einspruch ist {when} möglich: auf Ihrer eigenen Seite "
        "(Code auf der Startkarte) oder bei der Spielleitung."
    ).format(when=when)


def with_relations(notices: QuerySet[Notice]) -> QuerySet[Notice]:
    """Return notices with the related rows that :func:`texts` reads."""
    is_taken_over = is_substituted("registration")
    return notices.select_related(*RELATED).annotate(is_taken_over=is_taken_over)


def _sitter(notice: Notice, sitters_of: dict[int, Mapping[int, Sitters]]) -> Sitter | None:
    """Return the earlier player if a substitute took over the start number later."""
    spielliste, tournament = notice.correction.spielliste, notice.correction.tournament
    if spielliste is None or not getattr(notice, "is_taken_over", True):
        return None
    if tournament.pk not in sitters_of:
        sitters_of[tournament.pk] = earlier_sitters(tournament)
    sitters = sitters_of[tournament.pk].get(spielliste.table.serie.number, {})
    return sitters.get(notice.registration_id)


def _sitter_note(correction: Correction, sitter: Sitter | None) -> Iterator[str]:
    if sitter is not None and correction.spielliste is not None:
        yield _(
            "In {serie} hat {name} unter dieser Startnummer gespielt; die Mitteilung gilt beiden."
        ).format(serie=correction.spielliste.table.serie, name=sitter.person.full_name)


def texts(notices: Iterable[Notice]) -> list[NoticeText]:
    """Return notices in words; changes and effects are read once for each correction."""
    content_of: dict[int, tuple[tuple[CellChange, ...], Effects]] = {}
    sitters: dict[int, Mapping[int, Sitters]] = {}
    notice_texts = []
    for notice in notices:
        correction, sitter = notice.correction, _sitter(notice, sitters)
        if correction.pk not in content_of:
            effects = from_json(correction.effects, Effects)
            content_of[correction.pk] = (tuple(changes(correction)), effects)
        differences, effects = content_of[correction.pk]
        own = next(
            (effect for effect in effects.persons if effect.registration == notice.registration_id),
            None,
        )
        with_rank = is_whole_ranking_public(correction.tournament)
        paragraph = f" (§ {correction.paragraph})" if correction.paragraph else ""
        notice_texts.append(
            NoticeText(
                notice=notice,
                heading=_heading(correction),
                changes=differences,
                reason=f"{correction.reason}{paragraph}",
                effects=(
                    *_sitter_note(correction, sitter),
                    *_effects(effects, own, with_rank=with_rank),
                    *(effects.notes if own is not None else ()),
                    *_rank_of_other(effects, notice.registration.number, with_rank=with_rank),
                    *_prizes(effects, notice.registration.number, with_rank=with_rank),
                ),
                rests=effects.rests if own is not None else (),
                decided=_decision_note(correction),
                objecting=_objection_note(notice),
                sitter=sitter,
            )
        )
    return notice_texts
