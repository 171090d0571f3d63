"""Addresses of persons and clubs, which belong to no single tournament."""

from django.urls import path

from tournaments.views import people, people_clubs, people_import, people_merge

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
    path("doppelte/", people_merge.duplicates, name="duplicates"),
    path("<int:pk>/zusammenfuehren/", people_merge.choose, name="merge_choose"),
    path(
        "<int:keep_pk>/zusammenfuehren/<int:drop_pk>/",
        people_merge.merge,
        name="merge",
    ),
    path("vereine/", people_clubs.clubs, name="clubs"),
    path("vereine/<int:pk>/", people_clubs.club, name="club"),
    path("vereine/<int:pk>/zusammenfuehren/", people_clubs.merge, name="merge_clubs"),
    path("einlesen/", people_import.upload, name="import"),
    path("einlesen/<int:pk>/spalten/", people_import.columns, name="import_columns"),
    path("einlesen/<int:pk>/", people_import.preview, name="import_preview"),
    path("einlesen/<int:pk>/uebernehmen/", people_import.carry_out, name="import_carry_out"),
    path("einlesen/<int:pk>/verwerfen/", people_import.discard, name="import_discard"),
]
