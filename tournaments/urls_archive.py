"""Addresses of archives: of one tournament, and for taking one in."""

from django.urls import path

from tournaments.views import archive

app_name = "archive"
urlpatterns = [
    path("archiv-einlesen/", archive.take_in, name="import"),
    path("archiv-einlesen/<int:pk>/", archive.import_wait, name="import_wait"),
    path("turniere/<slug:slug>/archiv/", archive.export, name="export"),
    path("turniere/<slug:slug>/archiv/<int:pk>/", archive.export_wait, name="export_wait"),
    path("turniere/<slug:slug>/archiv/<int:pk>/datei/", archive.download, name="download"),
]
