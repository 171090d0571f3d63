"""Addresses of the pages about the operator and about people's data."""

from django.urls import path

from tournaments.models import LegalText
from tournaments.privacy import views

app_name = "privacy"
urlpatterns = [path("aufbewahrung/", views.due, name="due")]
for _name in LegalText.Name.values:
    urlpatterns += [
        path(f"{_name}/", views.page, {"name": _name}, name=_name),
        path(f"{_name}/bearbeiten/", views.edit, {"name": _name}, name=f"edit_{_name}"),
    ]
