"""Addresses of persons and clubs, which belong to no single tournament."""

from django.urls import path

from tournaments.people.views import clubs, importing, merge, people

app_name = "people"
urlpatterns = [
    path("", people.persons, name="persons"),
    path("neu/", people.new, name="new"),
    path("ausgeben/", people.export, name="export"),
    path("<number:pk>/", people.person, name="person"),
    path("<number:pk>/bearbeiten/", people.edit, name="edit"),
    path("<number:pk>/sperren/", people.ban, name="ban"),
    path("sperren/<number:pk>/aufheben/", people.lift_ban, name="lift_ban"),
    path("<number:pk>/anonymisieren/", people.anonymise, name="anonymise"),
    path("doppelte/", merge.duplicates, name="duplicates"),
    path("<number:pk>/zusammenfuehren/", merge.choose, name="merge_choose"),
    path(
        "<number:keep_pk>/zusammenfuehren/<number:drop_pk>/",
        merge.merge,
        name="merge",
    ),
    path("vereine/", clubs.clubs, name="clubs"),
    path("vereine/<number:pk>/", clubs.club, name="club"),
    path("vereine/<number:pk>/zusammenfuehren/", clubs.merge, name="merge_clubs"),
    path("einlesen/", importing.upload, name="import"),
    path("einlesen/<number:pk>/spalten/", importing.columns, name="import_columns"),
    path("einlesen/<number:pk>/", importing.preview, name="import_preview"),
    path("einlesen/<number:pk>/uebernehmen/", importing.carry_out, name="import_carry_out"),
    path("einlesen/<number:pk>/verwerfen/", importing.discard, name="import_discard"),
]
