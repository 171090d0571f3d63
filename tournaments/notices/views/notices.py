"""Pages of notices: players to be told, slips, mails, and answers."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from tournaments.common.digits import number_in
from tournaments.common.errors import TournamentError
from tournaments.common.roles import MAY_CHECK
from tournaments.machine.mails import can_mail, deliver
from tournaments.models import Notice, Registration, Tournament, WayOfTelling
from tournaments.notices.forms import ObjectionForm
from tournaments.notices.queries import cases as case_queries
from tournaments.notices.queries import notices as queries
from tournaments.notices.queries import recipients
from tournaments.notices.queries.notice_texts import NoticeText
from tournaments.notices.queries.objections import may_object
from tournaments.notices.queries.recipients import PersonToTell
from tournaments.notices.services import notices
from tournaments.web.access import StaffRequest, or_404, roles_required
from tournaments.web.acting import act, form_data

PER_PAGE = 50


@require_safe
@roles_required(MAY_CHECK)
def page(
    request: StaffRequest, tournament: Tournament, *, status: int = 200, **more: Any
) -> HttpResponse:
    """Show the players to be told, and the notices that were told."""
    told_page = Paginator(queries.told_notices(tournament), PER_PAGE).get_page(
        request.GET.get("page")
    )
    waiting = recipients.people_to_tell(tournament)
    context = {
        "waiting": waiting,
        "tables": recipients.tables_to_tell(waiting),
        "of_tables": recipients.untold_decisions(tournament).filter(registration__isnull=True),
        "cases": case_queries.undecided(tournament).count(),
        "page": told_page,
        "can_mail": can_mail(),
        **more,
    }
    return render(request, "tournaments/notices/notices.html", context, status=status)


@act(MAY_CHECK, page, to="notices:page", of=Registration)
def tell(request: StaffRequest, registration: Registration) -> str | HttpResponse:
    """Tell one player everything, by word of mouth, slip or mail, and record it."""
    how = request.POST.get("how", "")
    with translation.override(request.tournament.document_language):
        waiting = recipients.people_to_tell(request.tournament, only=[registration.pk])
    if not waiting:
        messages.info(
            request, _("Nr. {number} weiß schon alles.").format(number=registration.number)
        )
        return redirect("notices:page", request.tournament.slug)
    if how == WayOfTelling.MAIL:
        _send(request.tournament, waiting[0])
    notices.tell_several(
        request.actor,
        request.tournament.pk,
        notice_ids=[text.notice.pk for text in waiting[0].notices],
        case_ids=[case.pk for case in waiting[0].decisions],
        how=how,
    )
    return _("Nr. {number} {name}: mitgeteilt {how}.").format(
        number=registration.number,
        name=registration.person.full_name,
        how=WayOfTelling(how).label,
    )


def _send(tournament: Tournament, waiting: PersonToTell) -> None:
    """Send the mails to one player.

    Raises:
        TournamentError: if there is no address, or the mail could not be sent.
    """
    if tournament.is_read_only:
        raise TournamentError(_("Das Turnier ist abgeschlossen; es ist nichts mehr mitzuteilen."))
    if not waiting.addresses:
        raise TournamentError(
            _("Von Nr. {number} ist keine E-Mail-Adresse bekannt.").format(
                number=waiting.registration.number
            )
        )
    are_out = [
        deliver(
            tournament,
            address,
            subject=gettext_lazy("Mitteilung der Spielleitung: {tournament}"),
            template="mail/notices.txt",
            context={"waiting": waiting, "person": person},
            about=f"registration {waiting.registration.pk}",
        )
        for address, person in waiting.addresses.items()
    ]
    if not all(are_out):
        raise TournamentError(
            _("Die E-Mail ging nicht hinaus. Bitte mündlich oder mit einem Zettel mitteilen.")
        )


@require_safe
@roles_required(MAY_CHECK)
def slips(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the slips of all players to be told, or of one of them."""
    typed = request.GET.get("nr", "")
    only = None
    if typed:
        number = or_404(number_in(typed))
        registrations = Registration.objects.filter(tournament=tournament, number=number)
        only = list(registrations.values_list("pk", flat=True))
    with translation.override(tournament.document_language):
        context = {"waiting": recipients.people_to_tell(tournament, only=only)}
        return render(request, "tournaments/notices/slips.html", context)


@act(MAY_CHECK, page, to="notices:page")
def tell_several(request: StaffRequest, tournament: Tournament) -> str:
    """Record that the printed slips were handed out, or that a whole table was told.

    Only the notices and decisions that the page showed are recorded.
    """
    how = WayOfTelling.ORAL if request.POST.get("how") == WayOfTelling.ORAL else WayOfTelling.SLIP
    number = notices.tell_several(
        request.actor,
        tournament.pk,
        notice_ids=_numbers(request, "notice"),
        case_ids=_numbers(request, "case"),
        how=how,
    )
    if how == WayOfTelling.ORAL:
        return ngettext(
            "{number} Mitteilung als mündlich mitgeteilt eingetragen.",
            "{number} Mitteilungen als mündlich mitgeteilt eingetragen.",
            number,
        ).format(number=number)
    return ngettext(
        "{number} Mitteilung als ausgehändigt eingetragen.",
        "{number} Mitteilungen als ausgehändigt eingetragen.",
        number,
    ).format(number=number)


def _numbers(request: StaffRequest, name: str) -> set[int]:
    numbers = map(number_in, request.POST.getlist(name))
    return {number for number in numbers if number is not None}


def _text(tournament: Tournament, pk: int) -> NoticeText:
    return or_404(queries.find_notice(tournament, pk))


@require_safe
@roles_required(MAY_CHECK)
def notice(
    request: StaffRequest, tournament: Tournament, pk: int, *, status: int = 200, **more: Any
) -> HttpResponse:
    """Show one notice and the player's answer."""
    text = _text(tournament, pk)
    notice, is_open = text.notice, not tournament.is_read_only
    context = {
        "text": text,
        "notice": notice,
        "may_answer": notice.response != Notice.Response.OBJECTED
        and (is_open or may_object(notice, timezone.now())),
        "form": ObjectionForm(),
        **more,
    }
    return render(request, "tournaments/notices/notice.html", context, status=status)


@act(MAY_CHECK, notice, to="notices:page", of=Notice)
def respond(request: StaffRequest, notice: Notice) -> str:
    """Record the player's answer to a notice."""
    if request.POST.get("answer") == Notice.Response.ACKNOWLEDGED:
        notices.acknowledge(request.actor, notice.pk)
        return _("Die Kenntnisnahme ist eingetragen.")
    text = form_data(request, ObjectionForm(request.POST))["text"]
    notices.object_to(request.actor, notice.pk, text=text)
    return _("Der Einspruch ist aufgenommen und steht unter „Fälle“.")
