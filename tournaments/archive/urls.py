"""Addresses of archives: exporting a tournament, and importing one."""

from django.urls import path

from tournaments.archive import views

app_name = "archive"
urlpatterns = [
    path("archiv-einlesen/", views.take_in, name="import"),
    path("archiv-einlesen/<number:pk>/", views.import_wait, name="import_wait"),
    path("turniere/<slug:slug>/archiv/", views.export, name="export"),
    path("turniere/<slug:slug>/archiv/<number:pk>/", views.export_wait, name="export_wait"),
    path("turniere/<slug:slug>/archiv/<number:pk>/datei/", views.download, name="download"),
]
