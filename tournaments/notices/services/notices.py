"""Telling players of a correction (§ 2.2.5), and their answers.

A notice is made with its correction, one for each player concerned. It is told by the
player's own page, by mail, with a slip or by word of mouth; then the player may
acknowledge it, or object within the time the tournament allows. An objection is a case
that the Spielleitung decides (§ 1.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, TournamentError, WrongStatus
from tournaments.common.locks import lock_tournament
from tournaments.journal import services as journal
from tournaments.models import (
    Case,
    Correction,
    JournalEntry,
    Notice,
    Registration,
    Tournament,
    User,
)
from tournaments.models import WayOfTelling as Way
from tournaments.notices.queries.notices import object_until
from tournaments.notices.services import cases
from tournaments.notices.services.telling import LONGEST_TEXT, check_by_hand


@transaction.atomic
def make(*, correction: Correction, registrations: Iterable[Registration]) -> list[Notice]:
    """Create the notices of a correction; part of the correction's act.

    Each registration gets one notice, even if named several times; an existing one is kept.
    Returns the new ones by start number.

    Raises:
        WrongStatus: if the correction is not carried out but only proposed.
    """
    if correction.status != Correction.Status.CARRIED_OUT:
        raise WrongStatus(_("Mitgeteilt wird eine Berichtigung erst, wenn sie ausgeführt ist."))
    known = set(correction.notices.values_list("registration", flat=True))
    concerned = {one.pk: one for one in registrations if one.pk not in known}
    in_order = sorted(concerned.values(), key=lambda one: (one.number or 0, one.pk))
    return Notice.objects.bulk_create(
        Notice(correction=correction, registration=registration) for registration in in_order
    )


@transaction.atomic
def tell(*, notice_id: int, how: str, by: User, now: datetime | None = None) -> Notice:
    """Record that a player was told, or that a mail was sent.

    A mail may follow any other channel; every other channel is recorded once.

    Raises:
        TournamentError: if the channel cannot be recorded by hand.
        Conflict: if the player has been told already.
    """
    check_by_hand(how)
    tournament, notice = _locked(notice_id)
    at = now or timezone.now()
    if notice.told_at is not None and how != Way.MAIL:
        raise Conflict(
            _("Nr. {number} weiß es schon: mitgeteilt {how} um {time} Uhr.").format(
                number=notice.registration.number,
                how=notice.get_told_how_display(),
                time=timezone.localtime(notice.told_at).strftime("%H:%M"),
            )
        )
    changed = []
    if how == Way.MAIL:
        notice.mailed_at = at
        changed.append("mailed_at")
    if notice.told_at is None:
        changed += _mark_told(notice, how, by, at)
    notice.save(update_fields=changed)
    _record(tournament, notice, Actor.account(by), {"how": how}, action="notice_told")
    return notice


@transaction.atomic
def tell_several(
    *, notice_ids: Iterable[int], how: str, by: User, now: datetime | None = None
) -> int:
    """Record the same channel for several notices; return how many were not told before.

    Notices that were told meanwhile stay as they are, so that a stack of slips can be
    recorded as a whole.
    """
    wanted = set(notice_ids)
    fresh = Notice.objects.filter(pk__in=wanted, told_at__isnull=True).order_by("pk")
    told = 0
    for pk in list(fresh.values_list("pk", flat=True)):
        try:
            tell(notice_id=pk, how=how, by=by, now=now)
        except Conflict:
            continue
        told += 1
    return told


@transaction.atomic
def opened_on_page(
    *, registration_id: int, actor: Actor, now: datetime | None = None
) -> Sequence[Notice]:
    """Record that a player has opened the own page, and so was told its content.

    That is every notice, and every decision of an objection. Returns the notices that were
    new; two queries if there are none. Records nothing in a closed tournament.
    """
    notices = Notice.objects.filter(registration=registration_id, told_at__isnull=True)
    decisions = Case.objects.filter(
        registration=registration_id, decided_at__isnull=False, told_at__isnull=True
    )
    if not (notices.exists() or decisions.exists()):
        return []
    found = Registration.objects.only("tournament_id").get(pk=registration_id)
    tournament = lock_tournament(found.tournament_id, allow_closed=True)
    if tournament.is_read_only:
        return []
    at = now or timezone.now()
    told = list(notices.select_related("correction", "registration"))
    for notice in told:
        notice.save(update_fields=_mark_told(notice, Way.PAGE, None, at))
        _record(tournament, notice, actor, {"how": Way.PAGE.value}, action="notice_told")
    for case in decisions:
        cases.mark_told(tournament, case, how=Way.PAGE, actor=actor, now=at)
    return told


@transaction.atomic
def respond(
    *,
    notice_id: int,
    acknowledged: bool,
    text: str = "",
    actor: Actor,
    now: datetime | None = None,
) -> Notice:
    """Record a player's answer to a notice: an acknowledgement, or an objection with its text.

    An answer implies telling: by the own page for a player, else by word of mouth. After an
    acknowledgement the player may still object in time. The Spielleitung may accept a late
    objection (§ 1.2).

    Raises:
        TournamentError: if an objection is empty, too long or too late.
        Conflict: if the player has objected already.
    """
    tournament, notice = _locked(notice_id)
    at = now or timezone.now()
    if notice.response == Notice.Response.OBJECTED:
        raise Conflict(_("Zu dieser Berichtigung liegt der Spielleitung schon ein Einspruch vor."))
    text = text.strip()
    if not acknowledged:
        _check_objection(notice, text, actor, at)
    if notice.told_at is None:
        way = Way.PAGE if actor.kind == JournalEntry.ActorKind.PLAYER else Way.ORAL
        _mark_told(notice, way, actor.user, at)
    before = {"response": notice.response}
    notice.response = Notice.Response.ACKNOWLEDGED if acknowledged else Notice.Response.OBJECTED
    notice.response_at = at
    if not acknowledged:
        notice.case = Case.objects.create(
            tournament=tournament,
            spielliste=notice.correction.spielliste,
            kind=Case.Kind.OBJECTION,
            game=notice.correction.game,
            text=text,
            registration=notice.registration,
        )
    notice.save()
    _record(
        tournament,
        notice,
        actor,
        {"response": notice.response, "case": notice.case_id},
        before=before,
        action="notice_acknowledged" if acknowledged else "notice_objected",
    )
    return notice


def _check_objection(notice: Notice, text: str, actor: Actor, at: datetime) -> None:
    if not text:
        raise TournamentError(_("Bitte schreiben, was an der Berichtigung nicht stimmt und warum."))
    if len(text) > LONGEST_TEXT:
        raise TournamentError(
            _("Der Einspruch hat {length} Zeichen; möglich sind {most}. Bitte kürzen.").format(
                length=len(text), most=LONGEST_TEXT
            )
        )
    until = object_until(notice)
    is_staff = actor.kind == JournalEntry.ActorKind.ACCOUNT
    if until is not None and at > until and not is_staff:
        raise TournamentError(
            _(
                "Die Frist für einen Einspruch endete um {time} Uhr. Bitte mit der Spielleitung "
                "sprechen; sie kann ihn noch annehmen."
            ).format(time=timezone.localtime(until).strftime("%H:%M"))
        )


def _locked(notice_id: int) -> tuple[Tournament, Notice]:
    found = Notice.objects.select_related("correction").only("correction__tournament")
    tournament = lock_tournament(found.get(pk=notice_id).correction.tournament_id)
    notice = Notice.objects.select_related(
        "correction__tournament", "correction__spielliste", "registration", "case"
    ).get(pk=notice_id)
    return tournament, notice


def _mark_told(notice: Notice, how: str, by: User | None, at: datetime) -> list[str]:
    notice.told_at, notice.told_how, notice.told_by = at, how, by
    return ["told_at", "told_how", "told_by"]


def _record(
    tournament: Tournament,
    notice: Notice,
    actor: Actor,
    after: journal.Facts,
    *,
    action: str,
    before: journal.Facts | None = None,
) -> None:
    # The player's text is stored in the case only, because it may name persons.
    journal.record(
        tournament,
        actor,
        action,
        notice,
        before=before,
        after={
            "correction": notice.correction.number,
            "registration": notice.registration_id,
            **after,
        },
    )
