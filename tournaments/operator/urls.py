"""Addresses for the operator of the installation; machines ask /healthz and /readyz."""

from django.urls import path

from tournaments.models import LegalText
from tournaments.operator.views import organisers, privacy, requests

app_name = "operator"
urlpatterns = [
    path("betrieb/anfragen/", requests.requests, name="requests"),
    path("betrieb/veranstalter/", organisers.organisers, name="organisers"),
    path("betrieb/probemail/", requests.try_mail, name="try_mail"),
    path("aufbewahrung/", privacy.due, name="due"),
    *(
        path(f"{name}/bearbeiten/", privacy.edit, {"name": name}, name=f"edit_{name}")
        for name in LegalText.Name.values
    ),
    *(path(f"{name}/", privacy.page, {"name": name}, name=name) for name in LegalText.PAGES),
]
