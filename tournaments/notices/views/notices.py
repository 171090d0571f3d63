"""Pages of notices: players to be told, slips, mails, and answers."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from tournaments.common.digits import number_in
from tournaments.common.errors import Conflict, TournamentError
from tournaments.common.roles import MAY_CHECK
from tournaments.machine.mails import can_mail, deliver
from tournaments.models import Notice, Registration, Tournament, WayOfTelling
from tournaments.notices.forms import ObjectionForm
from tournaments.notices.queries import cases as case_queries
from tournaments.notices.queries import notices as queries
from tournaments.notices.queries.notices import NoticeText, Waiting
from tournaments.notices.services import cases, notices
from tournaments.web.access import StaffRequest, own, roles_required
from tournaments.web.acting import act, sent

PER_PAGE = 50


def _page(
    request: StaffRequest, tournament: Tournament, *, status: int = 200, **more: Any
) -> HttpResponse:
    told = Paginator(queries.told(tournament), PER_PAGE).get_page(request.GET.get("page"))
    waiting = queries.waiting(tournament)
    context = {
        "waiting": waiting,
        "tables": queries.by_table(waiting),
        "of_tables": queries.undelivered(tournament).filter(registration__isnull=True),
        "cases": case_queries.undecided(tournament).count(),
        "page": told,
        "can_mail": can_mail(),
        **more,
    }
    return render(request, "tournaments/notices/notices.html", context, status=status)


@require_safe
@roles_required(MAY_CHECK)
def page(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the players to be told, and the notices that were told."""
    return _page(request, tournament)


@act(MAY_CHECK, _page, to="notices:page")
def tell(request: StaffRequest, tournament: Tournament, pk: int) -> str | HttpResponse:
    """Tell one player everything, by word of mouth, slip or mail, and record it."""
    registration = own(tournament, Registration, pk=pk)
    how = request.POST.get("how", "")
    with translation.override(tournament.document_language):
        waiting = queries.waiting(tournament, only=[registration.pk])
    if not waiting:
        messages.info(
            request, _("Nr. {number} weiß schon alles.").format(number=registration.number)
        )
        return redirect("notices:page", tournament.slug)
    if how == WayOfTelling.MAIL:
        _send(tournament, waiting[0])
    _record(request, waiting, how)
    return _("Nr. {number} {name}: mitgeteilt {how}.").format(
        number=registration.number,
        name=registration.person.full_name,
        how=WayOfTelling(how).label,
    )


def _send(tournament: Tournament, waiting: Waiting) -> None:
    """Send the mail; only then the notice counts as told.

    Raises:
        TournamentError: if there is no address, or the mail could not be sent.
    """
    if tournament.is_read_only:
        raise TournamentError(_("Das Turnier ist abgeschlossen; es ist nichts mehr mitzuteilen."))
    if not waiting.address:
        raise TournamentError(
            _("Von Nr. {number} ist keine E-Mail-Adresse bekannt.").format(
                number=waiting.registration.number
            )
        )
    is_out = deliver(
        tournament,
        waiting.address,
        subject=gettext_lazy("Mitteilung der Spielleitung: {tournament}"),
        template="mail/notices.txt",
        context={"waiting": waiting},
        about=f"registration {waiting.registration.pk}",
    )
    if not is_out:
        raise TournamentError(
            _("Die E-Mail ging nicht hinaus. Bitte mündlich oder mit einem Zettel mitteilen.")
        )


def _record(request: StaffRequest, waiting: list[Waiting], how: str) -> int:
    told = 0
    for person in waiting:
        told += notices.tell_several(
            notice_ids=[text.notice.pk for text in person.notices], how=how, by=request.user
        )
        for case in person.decisions:
            try:
                cases.tell(case_id=case.pk, how=how, by=request.user)
            except Conflict:
                continue  # told meanwhile by another helper
            told += 1
    return told


@require_safe
@roles_required(MAY_CHECK)
def slips(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the slips of all players to be told, or of one, several on a sheet."""
    wanted = request.GET.get("nr", "")
    only = None
    if wanted:
        number = number_in(wanted)
        if number is None:
            raise Http404
        found = Registration.objects.filter(tournament=tournament, number=number)
        only = list(found.values_list("pk", flat=True))
    with translation.override(tournament.document_language):
        context = {"waiting": queries.waiting(tournament, only=only)}
        return render(request, "tournaments/notices/slips.html", context)


@act(MAY_CHECK, _page, to="notices:page")
def tell_several(request: StaffRequest, tournament: Tournament) -> str:
    """Record that the printed slips were handed out, or that a whole table was told.

    Only what the page showed is recorded as told; for each person separately.
    """
    notice_ids = set(map(number_in, request.POST.getlist("notice")))
    case_ids = set(map(number_in, request.POST.getlist("case")))
    waiting = queries.waiting(tournament)
    for person in waiting:
        person.notices = [text for text in person.notices if text.notice.pk in notice_ids]
        person.decisions = [case for case in person.decisions if case.pk in case_ids]
    if request.POST.get("how") == WayOfTelling.ORAL:
        told = _record(request, waiting, WayOfTelling.ORAL)
        return ngettext(
            "{number} Mitteilung als mündlich mitgeteilt eingetragen.",
            "{number} Mitteilungen als mündlich mitgeteilt eingetragen.",
            told,
        ).format(number=told)
    told = _record(request, waiting, WayOfTelling.SLIP)
    return ngettext(
        "{number} Mitteilung als ausgehändigt eingetragen.",
        "{number} Mitteilungen als ausgehändigt eingetragen.",
        told,
    ).format(number=told)


def _text(tournament: Tournament, pk: int) -> NoticeText:
    text = queries.one(tournament, pk)
    if text is None:
        raise Http404
    return text


def _notice(
    request: StaffRequest, tournament: Tournament, pk: int, *, status: int = 200, **more: Any
) -> HttpResponse:
    context = {"text": _text(tournament, pk), "form": ObjectionForm(), **more}
    context["notice"] = context["text"].notice
    return render(request, "tournaments/notices/notice.html", context, status=status)


@require_safe
@roles_required(MAY_CHECK)
def notice(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Show one notice and the player's answer."""
    return _notice(request, tournament, pk)


@act(MAY_CHECK, _notice, to="notices:page")
def respond(request: StaffRequest, tournament: Tournament, pk: int) -> str:
    """Record the player's answer to a notice."""
    found = own(tournament, Notice, pk=pk)
    acknowledged = request.POST.get("answer") == Notice.Response.ACKNOWLEDGED
    notices.respond(
        notice_id=found.pk,
        acknowledged=acknowledged,
        text="" if acknowledged else sent(request, ObjectionForm(request.POST))["text"],
        actor=request.actor,
    )
    if acknowledged:
        return _("Die Kenntnisnahme ist eingetragen.")
    return _("Der Einspruch ist aufgenommen und steht unter „Fälle“.")
