"""Pages of the own account: first start, log-in and log-out, name and password."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth import views as auth_views
from django.contrib.auth.tokens import default_token_generator
from django.core.exceptions import ValidationError
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from tournaments.accounts import services
from tournaments.accounts.forms import (
    ChangePasswordForm,
    LoginForm,
    NewAccountForm,
    NewPasswordForm,
    ProfileForm,
)
from tournaments.accounts.throttling import remember_device
from tournaments.accounts.views.rights import ROLE_DUTIES
from tournaments.common.errors import TournamentError
from tournaments.models import User
from tournaments.web.access import StaffRequest, account_required, public
from tournaments.web.acting import CONFLICT, OK, UNFIT, redirect_done

BACKEND = "django.contrib.auth.backends.ModelBackend"


class _LoginView(auth_views.LoginView):
    def form_valid(self, form: Any) -> HttpResponse:
        """Log in, and remember the device."""
        response = super().form_valid(form)
        remember_device(response, form.get_user())
        return response


log_in = public(
    _LoginView.as_view(
        template_name="tournaments/accounts/login.html",
        authentication_form=LoginForm,
        redirect_authenticated_user=True,
    )
)
log_out = public(auth_views.LogoutView.as_view())


class _SetPasswordView(auth_views.PasswordResetConfirmView):
    template_name = "tournaments/accounts/set_password.html"
    form_class = NewPasswordForm
    success_url = reverse_lazy("account:login")

    def form_valid(self, form: Any) -> HttpResponse:
        """Show a message of success on the next page."""
        messages.success(self.request, _("Das neue Kennwort gilt. Bitte damit anmelden."))
        return super().form_valid(form)


set_password = public(_SetPasswordView.as_view())


def password_reset_path(user: User) -> str:
    """Return the path on which *user* sets a new password; it works once."""
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    token = default_token_generator.make_token(user)
    return reverse("account:set_password", kwargs={"uidb64": uid, "token": token})


@public
@never_cache
@sensitive_post_parameters("password", "repeated")
def setup(request: HttpRequest, token: str) -> HttpResponse:
    """Make the first account, by the link of the command line."""
    return _new_account(request, token, "tournaments/accounts/setup.html")


@public
@never_cache
@sensitive_post_parameters("password", "repeated")
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Accept an invitation, with the logged-in account or a new one."""
    if request.method == "POST" and "as_me" in request.POST and request.user.is_authenticated:
        try:
            services.accept_as(token=token, user=request.user)
        except TournamentError as refusal:
            return _refused(request, refusal)
        return redirect_done(request, _("Das gehört jetzt zu Ihrem Konto."), "setup:tournaments")
    return _new_account(request, token, "tournaments/accounts/invitation.html")


def _new_account(request: HttpRequest, token: str, template: str) -> HttpResponse:
    try:
        invitation = services.find_invitation(token)
    except TournamentError as refusal:
        return _refused(request, refusal)
    form = NewAccountForm(
        request.POST or None,
        initial={"name": invitation.name},
        organisers=services.organisers_of_invitation(invitation),
    )
    if form.is_valid():
        try:
            user = services.accept_with_new_account(
                token=token,
                username=form.cleaned_data["username"],
                name=form.cleaned_data["name"],
                password=form.cleaned_data["password"],
            )
        except TournamentError as refusal:
            return _refused(request, refusal)
        except ValidationError as refusal:
            # The log-in name was taken between validation and saving.
            form.add_error(None, refusal)
        else:
            login(request, user, backend=BACKEND)
            return redirect("setup:tournaments")
    return _page(request, template, form, invitation=invitation)


def _refused(request: HttpRequest, refusal: TournamentError) -> HttpResponse:
    context = {"refusal": str(refusal)}
    return render(request, "tournaments/accounts/link_refused.html", context, status=CONFLICT)


def _page(request: HttpRequest, template: str, form: BaseForm, **more: Any) -> HttpResponse:
    status = UNFIT if form.is_bound else OK
    return render(request, template, {"form": form, **more}, status=status)


@account_required
def profile(request: StaffRequest) -> HttpResponse:
    """Show the own account, and change its name and e-mail address."""
    form = ProfileForm(request.POST or None, instance=request.user)
    if form.is_valid():
        form.save()
        return redirect_done(request, _("Gespeichert."), "account:profile")
    mine = request.user.memberships.select_related("tournament")
    memberships = list(mine.order_by("-tournament__starts_at", "tournament", "pk"))
    roles = {each.role for each in memberships}
    return _page(
        request,
        "tournaments/accounts/profile.html",
        form,
        memberships=memberships,
        duties=[(role.label, does) for role, does in ROLE_DUTIES.items() if role in roles],
    )


@account_required
@sensitive_post_parameters("old_password", "new_password1", "new_password2")
def change_password(request: StaffRequest) -> HttpResponse:
    """Change the own password; other devices of the account are logged out."""
    form = ChangePasswordForm(request.user, request.POST or None)
    if form.is_valid():
        update_session_auth_hash(request, form.save())
        return redirect_done(request, _("Das neue Kennwort gilt ab sofort."), "account:profile")
    return _page(request, "tournaments/accounts/change_password.html", form)
