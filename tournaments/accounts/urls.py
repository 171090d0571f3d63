"""Addresses of accounts and roles."""

from django.urls import path

from tournaments.accounts.views import account, language, organisers, proposals, roles

app_name = "account"
urlpatterns = [
    path("anmelden/", account.log_in, name="login"),
    path("abmelden/", account.log_out, name="logout"),
    path("einrichten/<str:token>/", account.setup, name="setup"),
    path("einladung/<str:token>/", account.invitation, name="invitation"),
    path("kennwort-setzen/<uidb64>/<token>/", account.set_password, name="set_password"),
    path("", account.profile, name="profile"),
    path("sprache/<slug:code>/", language.choose, name="language"),
    path("kennwort/", account.change_password, name="change_password"),
    path("alle/", roles.accounts_page, name="accounts"),
    path("alle/<number:user_id>/aktiv/", roles.set_active, name="set_active"),
    path("alle/<number:user_id>/kennwort-link/", roles.password_link, name="password_link"),
    path("rollen/<slug:slug>/", roles.roles, name="roles"),
    path(
        "rollen/<slug:slug>/<number:membership_id>/entziehen/",
        roles.remove_role,
        name="remove_role",
    ),
    path(
        "rollen/<slug:slug>/einladung/<number:invitation_id>/zurueckziehen/",
        roles.withdraw,
        name="withdraw",
    ),
    path("veranstalter/", organisers.overview, name="organisers"),
    path("veranstalter/<number:pk>/", organisers.organiser, name="organiser"),
    path("veranstalter/<number:pk>/angaben/", organisers.change, name="change_organiser"),
    path(
        "veranstalter/<number:pk>/konto/<number:account_id>/",
        organisers.give_right,
        name="give_right",
    ),
    path(
        "veranstalter/<number:pk>/einladung/<number:invitation_id>/",
        organisers.withdraw,
        name="withdraw_right",
    ),
    path("veranstalter/<number:pk>/abgeben/", proposals.hand_over, name="hand_over"),
    path(
        "veranstalter/<number:pk>/anfrage/<number:proposal_id>/",
        proposals.proposal,
        name="proposal",
    ),
    path("veranstalter/<number:pk>/protokoll/", organisers.journal, name="journal"),
    path("veranstalter/<number:pk>/protokoll.csv", organisers.journal_csv, name="journal_csv"),
]
