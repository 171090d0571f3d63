"""Pages for giving roles, and for managing accounts."""

from __future__ import annotations

from typing import Any

from django.db.models import Prefetch
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from tournaments.accounts import services
from tournaments.accounts.forms import InvitationForm
from tournaments.accounts.views.account import password_reset_path
from tournaments.accounts.views.rights import ROLE_DUTIES, rights
from tournaments.common.errors import TournamentError
from tournaments.common.organisers import roles_in, tournaments_with
from tournaments.common.roles import MAY_APPOINT
from tournaments.machine.addresses import absolute
from tournaments.machine.mails import can_mail, deliver
from tournaments.machine.qr_codes import in_page
from tournaments.models import Invitation, Membership, Role, Tournament, User
from tournaments.web.access import StaffRequest, admin_required, roles_required
from tournaments.web.acting import CONFLICT, act, form_data, redirect_done, refused_on
from tournaments.web.idempotency import StoredAnswer

INVITED = gettext_lazy(
    "{name} ist eingeladen. Den Link zeigte nur die erste Antwort; ist er verloren, bitte "
    "die Einladung zurückziehen und neu einladen."
)


def _page(
    request: StaffRequest, tournament: Tournament, *, status: int = 200, **more: Any
) -> HttpResponse:
    members = tournament.memberships.select_related("user").order_by("user__name", "pk")
    waiting = services.open_invitations(timezone.now()).filter(tournament=tournament)
    context = {
        "role_groups": [
            (role, ROLE_DUTIES[role], [member for member in members if member.role == role])
            for role in Role
        ],
        "waiting": waiting.order_by("name", "pk"),
        "is_leading": request.is_leading,
        "closed": services.invite.refusal(tournament),
        "form": InvitationForm(),
        "rights": rights(),
        "role_list": list(Role),
        **more,
    }
    return render(request, "tournaments/accounts/roles.html", context, status=status)


@roles_required(MAY_APPOINT)
@refused_on(_page)
def roles(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the accounts by role, and invite a person."""
    if request.method != "POST":
        return _page(request, tournament)
    data = form_data(request, InvitationForm(request.POST))
    invitation, token = services.invite(
        request.actor,
        tournament.pk,
        role=Role(data["role"]),
        name=data["name"],
        email=data["email"],
    )
    link = absolute(request, reverse("account:invitation", args=[token]))

    def invited() -> HttpResponse:
        # The link is in this response only; the database keeps its hash.
        return _page(
            request,
            tournament,
            link=link,
            qr=in_page(link),
            invited=invitation,
            mailed=deliver(
                tournament,
                invitation.email,
                subject=gettext_lazy("Einladung: {tournament}"),
                template="mail/invitation.txt",
                context={
                    "invitation": invitation,
                    "link": link,
                    "button": gettext_lazy("Einladung annehmen"),
                },
                about=f"invitation {invitation.pk}",
            ),
            is_lost=bool(invitation.email) and can_mail(),
        )

    return StoredAnswer(
        invited,
        to=reverse("account:roles", args=[tournament.slug]),
        message=INVITED.format(name=invitation.name),
    )


@act(MAY_APPOINT, _page, of=Membership)
def remove_role(request: StaffRequest, membership: Membership) -> HttpResponse:
    """Remove a role."""
    services.remove_role(request.actor, membership.pk)
    if Role.VERANSTALTER not in roles_in(request.user, request.tournament):
        return redirect("setup:tournaments")
    return redirect("account:roles", request.tournament.slug)


@act(MAY_APPOINT, _page, to="account:roles", of=Invitation)
def withdraw(request: StaffRequest, invitation: Invitation) -> str:
    """Withdraw an open invitation."""
    services.withdraw_invitation(request.actor, invitation.pk)
    return ""


def _accounts(request: StaffRequest, *, status: int = 200, **more: Any) -> HttpResponse:
    seen = Membership.objects.filter(tournament__in=tournaments_with(request.user))
    seen = seen.select_related("tournament").order_by("tournament", "pk")
    roles = Prefetch("memberships", seen)
    context = {"accounts": User.objects.order_by("name", "pk").prefetch_related(roles), **more}
    return render(request, "tournaments/accounts/accounts.html", context, status=status)


@admin_required
def accounts_page(request: StaffRequest) -> HttpResponse:
    """Show all accounts, with their roles in tournaments of the operator's own roles."""
    return _accounts(request)


@require_POST
@admin_required
def set_active(request: StaffRequest, user_id: int) -> HttpResponse:
    """Lock or unlock an account."""
    user = get_object_or_404(User, pk=user_id)
    try:
        services.set_active(
            user_id=user.pk, is_active=request.POST.get("is_active") == "1", actor=request.actor
        )
    except TournamentError as refusal:
        return _accounts(request, status=CONFLICT, error=str(refusal))
    return redirect_done(request, _("Gespeichert."), "account:accounts")


@require_POST
@admin_required
def password_link(request: StaffRequest, user_id: int) -> HttpResponse:
    """Show a link by which the account sets a new password."""
    account = get_object_or_404(User, pk=user_id)
    user = services.note_password_link(user_id=account.pk, actor=request.actor)
    link = absolute(request, password_reset_path(user))
    return StoredAnswer(
        lambda: _accounts(request, link=link, link_for=user),
        to=reverse("account:accounts"),
        message=_(
            "Den Link zeigte nur die erste Antwort. Ist er verloren, bitte einen neuen holen."
        ),
    )
