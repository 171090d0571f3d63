"""Addresses for the operator of the installation; machines ask /healthz and /readyz."""

from django.urls import path

from tournaments.models import LegalText
from tournaments.operator.views import privacy, requests

app_name = "operator"
urlpatterns = [
    path("betrieb/anfragen/", requests.requests, name="requests"),
    path("betrieb/probemail/", requests.try_mail, name="try_mail"),
    path("aufbewahrung/", privacy.due, name="due"),
]
for _name in LegalText.Name.values:
    urlpatterns += [
        path(f"{_name}/", privacy.page, {"name": _name}, name=_name),
        path(f"{_name}/bearbeiten/", privacy.edit, {"name": _name}, name=f"edit_{_name}"),
    ]
