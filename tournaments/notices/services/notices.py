"""Notices of corrections (§ 2.2.5), and the players' answers.

A correction creates a notice for each player concerned. The player is told by the own page, by
mail, with a slip or by word of mouth, and may acknowledge the notice or object within the time
that the tournament allows. An objection is a case for the Spielleitung (§ 1.2).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, TournamentError, WrongStatus
from tournaments.common.roles import MAY_CHECK, ON_OWN_PAGE
from tournaments.common.states import TAKES_OBJECTIONS, TAKES_PEOPLE
from tournaments.journal.acts import Act, Acts
from tournaments.machine.optional_writes import write_if_possible
from tournaments.models import Case, Correction, JournalEntry, Notice, Registration, Tournament
from tournaments.models import WayOfTelling as Way
from tournaments.notices.queries.objections import may_object, objection_deadline
from tournaments.notices.services import cases
from tournaments.notices.services.cases import LONGEST_TEXT, check_manual_channel

TOLD = "notice_told"
acts = Acts(MAY_CHECK, TAKES_PEOPLE)


def create_notices(
    act: Act[Any], correction: Correction, registrations: Iterable[Registration]
) -> list[Notice]:
    """Create the notices of a correction; part of the correction's act.

    Each registration gets one notice; an existing notice is kept. Returns the new ones by start
    number.

    Raises:
        WrongStatus: if the correction is only proposed.
    """
    if correction.status != Correction.Status.CARRIED_OUT:
        raise WrongStatus(_("Mitgeteilt wird eine Berichtigung erst, wenn sie ausgeführt ist."))
    notified = set(correction.notices.values_list("registration", flat=True))
    concerned = {player.pk: player for player in registrations if player.pk not in notified}
    in_order = sorted(concerned.values(), key=lambda player: (player.number or 0, player.pk))
    return act.add_all(Notice(correction=correction, registration=player) for player in in_order)


@acts.on(Notice, "tell_notice", entry=TOLD)
def tell(act: Act[Notice], *, how: str, now: datetime | None = None) -> Notice:
    """Record that a player was told, or that a mail was sent.

    A mail may follow another channel; any other channel is recorded once.

    Raises:
        TournamentError: if the channel cannot be recorded by hand.
        Conflict: if the player was told already.
    """
    check_manual_channel(how)
    notice, at = act.row, now or timezone.now()
    if notice.told_at is not None and how != Way.MAIL:
        raise Conflict(
            _("Nr. {number} weiß es schon: mitgeteilt {how} um {time} Uhr.").format(
                number=notice.registration.number,
                how=notice.get_told_how_display(),
                time=timezone.localtime(notice.told_at).strftime("%H:%M"),
            )
        )
    if how == Way.MAIL:
        notice.mailed_at = at
    _mark_told(act, notice, how, at)
    act.store(notice)
    _note(act, notice, how=how)
    return notice


@acts.on(Tournament, "tell_several")
def tell_several(
    act: Act[Tournament],
    *,
    notice_ids: Collection[int],
    case_ids: Collection[int] = (),
    how: str,
    now: datetime | None = None,
) -> int:
    """Record a channel for several notices and decisions; return the number of new ones.

    Those told meanwhile stay unchanged, so that a stack of slips can be recorded at once.
    """
    untold = Notice.objects.filter(correction__tournament=act.row, told_at__isnull=True)
    new = list(untold.filter(pk__in=notice_ids).order_by("pk").values_list("pk", flat=True))
    for pk in new:
        tell(act, pk, how=how, now=now)
    decided = act.row.cases.filter(decided_at__isnull=False, told_at__isnull=True)
    answers = list(decided.filter(pk__in=case_ids).values_list("pk", flat=True))
    for pk in answers:
        cases.tell(act, pk, how=how, now=now)
    return len(new) + len(answers)


def record_page_opened(
    actor: Actor, registration_id: int, *, now: datetime | None = None
) -> Sequence[Notice]:
    """Record that a player was told every notice and decision by opening the own page.

    Returns the new notices; two queries if there are none. Records nothing in a closed
    tournament. If the database is locked, the next opening of the page records it.
    """
    notices = Notice.objects.filter(registration=registration_id, told_at__isnull=True)
    decisions = Case.objects.filter(
        registration=registration_id, decided_at__isnull=False, told_at__isnull=True
    )
    if not (notices.exists() or decisions.exists()):
        return []
    try:
        new = write_if_possible(lambda: tell_on_page(actor, registration_id, now=now), seconds=1)
    except WrongStatus:  # closed; the page shows everything nevertheless
        return []
    return new or []


@acts.on(Registration, "tell_on_page", by=ON_OWN_PAGE)
def tell_on_page(act: Act[Registration], *, now: datetime | None = None) -> Sequence[Notice]:
    """Record that a player was told the content of the own page; return the new notices."""
    at = now or timezone.now()
    untold = act.row.notices.filter(told_at__isnull=True)
    notices = list(untold.select_related("correction", "registration"))
    for notice in notices:
        with act.entry(TOLD, notice):
            _mark_told(act, notice, Way.PAGE, at)
            act.store(notice)
            _note(act, notice, how=Way.PAGE.value)
    for case in act.row.cases.filter(decided_at__isnull=False, told_at__isnull=True):
        cases.mark_told(act, case, how=Way.PAGE, now=at)
    return notices


@acts.on(Notice, "acknowledge_notice", entry="notice_acknowledged", by=MAY_CHECK | ON_OWN_PAGE)
def acknowledge(act: Act[Notice], *, now: datetime | None = None) -> Notice:
    """Record that a player has acknowledged a notice; an objection stays possible.

    Raises:
        Conflict: if the player has objected already.
    """
    _check_not_objected(act.row)
    _answer(act, Notice.Response.ACKNOWLEDGED, now or timezone.now())
    return act.row


@acts.on(
    Notice,
    "object_to_notice",
    entry="notice_objected",
    by=MAY_CHECK | ON_OWN_PAGE,
    when=TAKES_OBJECTIONS,
)
def object_to(act: Act[Notice], *, text: str, now: datetime | None = None) -> Notice:
    """Record a player's objection; the Spielleitung may accept a late one (§ 1.2).

    Closing the tournament does not end the time to object; it is reopened for the decision.

    Raises:
        TournamentError: if the text is empty or too long, or the time is over.
        WrongStatus: if the tournament is closed, and the time is over.
        Conflict: if the player has objected already.
    """
    notice, at, text = act.row, now or timezone.now(), text.strip()
    _check_not_objected(notice)
    if not may_object(notice, at):
        TAKES_PEOPLE.check(act.tournament)
    _check_objection(notice, text, act.actor, at)
    (notice.case,) = act.add_all(
        [
            Case(
                tournament=act.tournament,
                spielliste=notice.correction.spielliste,
                kind=Case.Kind.OBJECTION,
                game=notice.correction.game,
                text=text,
                registration=notice.registration,
            )
        ]
    )
    _answer(act, Notice.Response.OBJECTED, at)
    return notice


def _answer(act: Act[Notice], response: Notice.Response, at: datetime) -> None:
    notice = act.row
    # An answer implies that the player was told: on the own page, else by word of mouth.
    is_player = act.actor.kind == JournalEntry.ActorKind.PLAYER
    _mark_told(act, notice, Way.PAGE if is_player else Way.ORAL, at)
    notice.response, notice.response_at = response, at
    act.store(notice)
    _note(act, notice)


def _mark_told(act: Act[Any], notice: Notice, how: str, at: datetime) -> None:
    if notice.told_at is None:
        notice.told_at, notice.told_how, notice.told_by = at, how, act.actor.user


def _note(act: Act[Any], notice: Notice, **facts: Any) -> None:
    # The player's text may name persons, so it is stored in the case only.
    act.note(correction=notice.correction.number, registration=notice.registration_id, **facts)


def _check_not_objected(notice: Notice) -> None:
    if notice.response == Notice.Response.OBJECTED:
        raise Conflict(_("Zu dieser Berichtigung liegt der Spielleitung schon ein Einspruch vor."))


def _check_objection(notice: Notice, text: str, actor: Actor, at: datetime) -> None:
    if not text:
        raise TournamentError(_("Bitte schreiben, was an der Berichtigung nicht stimmt und warum."))
    if len(text) > LONGEST_TEXT:
        raise TournamentError(
            _("Der Einspruch hat {length} Zeichen; möglich sind {most}. Bitte kürzen.").format(
                length=len(text), most=LONGEST_TEXT
            )
        )
    until = objection_deadline(notice)
    is_staff = actor.kind == JournalEntry.ActorKind.ACCOUNT
    if until is not None and not may_object(notice, at) and not is_staff:
        raise TournamentError(
            _(
                "Die Frist für einen Einspruch endete um {time} Uhr. Bitte mit der Spielleitung "
                "sprechen; sie kann ihn noch annehmen."
            ).format(time=timezone.localtime(until).strftime("%H:%M"))
        )
