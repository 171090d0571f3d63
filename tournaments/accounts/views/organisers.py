"""Pages of organisers: choosing one, rights of its accounts, and its journal."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.accounts import organisers as services
from tournaments.accounts.forms import OrganiserForm, RightForm
from tournaments.accounts.proposals import ask_parent
from tournaments.accounts.services import open_invitations
from tournaments.accounts.views.roles import INVITED
from tournaments.common.errors import TournamentError
from tournaments.common.organisers import choices_of, rights_by_organiser
from tournaments.journal.queries import journal as queries
from tournaments.journal.queries.journal import EntryInWords
from tournaments.journal.services import break_of
from tournaments.machine.addresses import absolute
from tournaments.machine.mails import can_mail, send_link
from tournaments.models import (
    Invitation,
    JournalChain,
    Organiser,
    OrganiserAccount,
    Right,
    Tournament,
)
from tournaments.web.access import StaffRequest, account_required, chosen_organiser
from tournaments.web.acting import CONFLICT, UNFIT, posted, redirect_done
from tournaments.web.downloads import table_file
from tournaments.web.idempotency import StoredAnswer

TEMPLATE = "tournaments/accounts/organiser.html"
PER_PAGE = 50
OPERATOR_SHOWN = timedelta(days=183)


@account_required
def overview(request: StaffRequest) -> HttpResponse:
    """List the organisers of the account, and choose the current one."""
    held = rights_by_organiser(request.user)
    choices = choices_of(held)
    if request.method == "POST":
        key = request.POST.get("organiser", "")
        if chosen := [choice for choice in choices if str(choice.pk) == key]:
            request.user.at_hand = chosen[0]
            request.user.save(update_fields=["at_hand"])
        return redirect("account:organisers")
    context = {
        "organisers": [(organiser, Right.ALL in words) for organiser, words in held.items()],
        "choices": choices,
        "at_hand": chosen_organiser(request.user, held) if held else None,
    }
    return render(request, "tournaments/accounts/organisers.html", context)


def get_own_organiser(request: StaffRequest, pk: int) -> Organiser:
    """Return an organiser at which the account has the right to all, or 404."""
    mine = OrganiserAccount.objects.filter(user=request.user, right=Right.ALL)
    organisers = Organiser.objects.filter(pk__in=mine.values("organiser"))
    return get_object_or_404(organisers.select_related("parent"), pk=pk)


def _of_operator() -> list[EntryInWords]:
    """Return the latest acts of the operator on all data; empty in a hall."""
    if settings.IS_IN_THE_HALL:
        return []
    return queries.of_operator(timezone.now() - OPERATOR_SHOWN)


def _page(
    request: StaffRequest, organiser: Organiser, *, status: int = 200, **more: Any
) -> HttpResponse:
    played = Tournament.objects.filter(owner__parent=organiser, status__in=Tournament.OVER)
    context = {
        "organiser": organiser,
        "accounts": organiser.accounts.select_related("user").order_by("user__name", "pk"),
        "rights": Right.choices,
        "waiting": open_invitations(timezone.now())
        .filter(organiser=organiser)
        .order_by("name", "pk"),
        "members": organiser.members.order_by("name", "pk"),
        "played": played.select_related("owner").order_by("-starts_at", "slug")[:PER_PAGE],
        "of_operator": _of_operator(),
        "form": RightForm(),
        "code": services.code_of(organiser),
        "proposals": organiser.proposals.select_related("giver"),
        "proposals_made": organiser.proposals_made.select_related("taker"),
        "facts": OrganiserForm(instance=Organiser.objects.get(pk=organiser.pk)),
        **more,
    }
    return render(request, TEMPLATE, context, status=status)


@account_required
def organiser(request: StaffRequest, pk: int) -> HttpResponse:
    """Show the accounts of an organiser with their rights, and invite one."""
    organiser = get_own_organiser(request, pk)
    form = RightForm(posted(request))
    if request.method != "POST":
        return _page(request, organiser)
    if not form.is_valid():
        return _page(request, organiser, status=UNFIT, form=form)
    try:
        invitation, token = services.invite(
            organiser,
            right=Right(form.cleaned_data["right"]),
            name=form.cleaned_data["name"],
            email=form.cleaned_data["email"],
            actor=request.actor,
        )
    except TournamentError as refusal:
        return _page(request, organiser, status=CONFLICT, form=form, error=str(refusal))
    # The link is in this response only; the database keeps its hash.
    link = absolute(request, reverse("account:invitation", args=[token]))
    return StoredAnswer(
        lambda: _page(request, organiser, **mail_invitation(invitation, link)),
        to=reverse("account:organiser", args=[pk]),
        message=INVITED.format(name=invitation.name),
    )


def mail_invitation(invitation: Invitation, link: str) -> dict[str, Any]:
    """Mail the link of an invitation to an organiser; return the context of the page."""
    assert invitation.organiser is not None  # noqa: S101 - other invitations are to a role
    mailed = send_link(
        invitation.email,
        subject=_("Einladung: {organiser}").format(organiser=invitation.organiser.name),
        template="mail/invitation_to_organiser.txt",
        context={"invitation": invitation, "link": link, "button": _("Einladung annehmen")},
        about=f"invitation {invitation.pk}",
    )
    is_lost = bool(invitation.email) and can_mail()
    return {"link": link, "invited": invitation, "mailed": mailed, "is_lost": is_lost}


@require_POST
@account_required
def change(request: StaffRequest, pk: int) -> HttpResponse:
    """Change name and sharing of an organiser, or leave its parent."""
    organiser = get_own_organiser(request, pk)
    form = OrganiserForm(request.POST, instance=organiser)
    if not form.is_valid():
        return _page(request, get_own_organiser(request, pk), status=UNFIT, facts=form)
    services.change(form.instance, actor=request.actor)
    if (parent := form.cleaned_data.get("parent_code")) is not None:
        ask_parent(form.instance, parent, actor=request.actor)
        messages.success(request, _("Angefragt; {name} antwortet.").format(name=parent))
    return redirect_done(request, _("Gespeichert."), "account:organiser", pk)


@require_POST
@account_required
def give_right(request: StaffRequest, pk: int, account_id: int) -> HttpResponse:
    """Change the right of an account, or remove it."""
    organiser = get_own_organiser(request, pk)
    account = get_object_or_404(organiser.accounts, pk=account_id)
    right = request.POST.get("right", "")
    try:
        services.give_right(organiser, account.pk, right, actor=request.actor)
    except ValueError:
        return _page(request, organiser, status=UNFIT, error=_("Dieses Recht gibt es nicht."))
    except TournamentError as refusal:
        return _page(request, organiser, status=CONFLICT, error=str(refusal))
    messages.success(request, _("Gespeichert."))
    if account.user_id == request.user.pk and right != Right.ALL:
        return redirect("setup:tournaments")
    return redirect("account:organiser", pk)


@require_POST
@account_required
def withdraw(request: StaffRequest, pk: int, invitation_id: int) -> HttpResponse:
    """Withdraw an open invitation."""
    organiser = get_own_organiser(request, pk)
    invitation = get_object_or_404(organiser.invitations, pk=invitation_id)
    try:
        services.withdraw(organiser, invitation.pk, actor=request.actor)
    except TournamentError as refusal:
        return _page(request, organiser, status=CONFLICT, error=str(refusal))
    return redirect("account:organiser", pk)


@require_safe
@account_required
def journal(request: StaffRequest, pk: int) -> HttpResponse:
    """Show the journal of an organiser, the newest first, and whether it is unbroken."""
    organiser = get_own_organiser(request, pk)
    chain = JournalChain.objects.filter(owner=organiser).first()
    broken = break_of(chain) if chain is not None else None
    page = Paginator(queries.entries(organiser), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "organiser": organiser,
        "page": page,
        "rows": queries.rows(list(page.object_list)),
        "breaks": [] if broken is None else [broken],
        "proved": page.paginator.count,
        "crumbs": [(organiser.name, reverse("account:organiser", args=[pk])), (_("Protokoll"), "")],
    }
    return render(request, "tournaments/accounts/journal.html", context)


@require_safe
@account_required
def journal_csv(request: StaffRequest, pk: int) -> HttpResponse:
    """Download the journal of an organiser, the oldest entry first."""
    entries = queries.entries(get_own_organiser(request, pk)).order_by("number")
    rows = list(queries.csv_rows(queries.rows(list(entries))))
    return table_file(rows, f"protokoll-veranstalter-{pk}.csv")
