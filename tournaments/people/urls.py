"""Addresses of persons and clubs, which belong to no single tournament."""

from django.urls import path

from tournaments.people.views import clubs, importing, merge, people

app_name = "people"
urlpatterns = [
    path("", people.persons, name="persons"),
    path("neu/", people.new, name="new"),
    path("ausgeben/", people.export, name="export"),
    path("<int:pk>/", people.person, name="person"),
    path("<int:pk>/bearbeiten/", people.edit, name="edit"),
    path("<int:pk>/sperren/", people.ban, name="ban"),
    path("sperren/<int:pk>/aufheben/", people.lift_ban, name="lift_ban"),
    path("<int:pk>/anonymisieren/", people.anonymise, name="anonymise"),
    path("doppelte/", merge.duplicates, name="duplicates"),
    path("<int:pk>/zusammenfuehren/", merge.choose, name="merge_choose"),
    path(
        "<int:keep_pk>/zusammenfuehren/<int:drop_pk>/",
        merge.merge,
        name="merge",
    ),
    path("vereine/", clubs.clubs, name="clubs"),
    path("vereine/<int:pk>/", clubs.club, name="club"),
    path("vereine/<int:pk>/zusammenfuehren/", clubs.merge, name="merge_clubs"),
    path("einlesen/", importing.upload, name="import"),
    path("einlesen/<int:pk>/spalten/", importing.columns, name="import_columns"),
    path("einlesen/<int:pk>/", importing.preview, name="import_preview"),
    path("einlesen/<int:pk>/uebernehmen/", importing.carry_out, name="import_carry_out"),
    path("einlesen/<int:pk>/verwerfen/", importing.discard, name="import_discard"),
]
