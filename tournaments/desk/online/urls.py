"""Addresses of the registration through the internet, and of its inbox at the desk."""

from django.urls import path

from tournaments.desk.online.views import check_in, entry, inbox, naming, offer

app_name = "entry"
INBOX = "turniere/<slug:slug>/meldungen/internet/"
urlpatterns = [
    path("t/<slug:slug>/meldung/", entry.register, name="register"),
    path("meldung/<str:token>/", entry.registration, name="registration"),
    path("meldung/<str:token>/e-mail/", entry.email, name="email"),
    path("meldung/<str:token>/girocode.svg", entry.qr_code, name="joint_qr_code"),
    path("meldung/<str:token>/<number:position>/girocode.svg", entry.qr_code, name="qr_code"),
    path("meldung/<str:token>/<number:position>/aendern/", entry.change, name="change"),
    path("meldung/<str:token>/<number:position>/abmelden/", entry.withdraw, name="withdraw"),
    path("nachruecken/<str:token>/", offer.page, name="offer"),
    path("namensnennung/<str:token>/", naming.page, name="naming"),
    path("meldung/<str:token>/<number:position>/da/", entry.check_in, name="check_in"),
    path("t/<slug:slug>/da/", check_in.door, name="door"),
    path(INBOX, inbox.inbox, name="inbox"),
    path(f"{INBOX}<number:line_id>/gehoert-zu/", inbox.attach, name="attach"),
    path(f"{INBOX}<number:line_id>/neu/", inbox.register_as_new, name="register_as_new"),
    path(f"{INBOX}<number:line_id>/ablehnen/", inbox.dismiss, name="dismiss"),
    path(f"{INBOX}<number:line_id>/zustimmung/", inbox.consent, name="consent"),
    path(f"{INBOX}sendung/<number:entry_id>/link/", inbox.renew_link, name="renew_link"),
    path(f"{INBOX}sendung/<number:entry_id>/verwerfen/", inbox.discard, name="discard"),
]
