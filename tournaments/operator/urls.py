"""Addresses for the operator of the installation; machines ask /healthz and /readyz."""

from django.urls import path

from tournaments.models import LegalText
from tournaments.operator.views import computer, organisers, privacy, requests

app_name = "operator"
urlpatterns = [
    path("betrieb/anfragen/", requests.requests, name="requests"),
    path("betrieb/veranstalter/", organisers.organisers, name="organisers"),
    path("betrieb/probemail/", requests.try_mail, name="try_mail"),
    path("dieser-rechner/<str:token>/", computer.here, name="here"),
    path("dieser-rechner/<str:token>/erstes-konto/", computer.first_account, name="first_account"),
    path("dieser-rechner/<str:token>/beenden/", computer.end, name="end"),
    path("aufbewahrung/", privacy.due, name="due"),
    *(
        path(f"{name}/bearbeiten/", privacy.edit, {"name": name}, name=f"edit_{name}")
        for name in LegalText.Name.values
    ),
    *(path(f"{name}/", privacy.page, {"name": name}, name=name) for name in LegalText.PAGES),
]
