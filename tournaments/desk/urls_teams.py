"""Addresses of the page for teams, below a tournament's."""

from django.urls import path

from tournaments.desk.views import teams

app_name = "teams"
urlpatterns = [
    path("", teams.page, name="teams"),
    path("neu/<number:ranking_id>/", teams.create, name="create"),
    path("<number:team_id>/aufnehmen/", teams.add, name="add"),
    path("<number:team_id>/umbenennen/", teams.rename, name="rename"),
    path("<number:team_id>/aufloesen/", teams.dissolve, name="dissolve"),
    path("mitglied/<number:member_id>/herausnehmen/", teams.remove, name="remove"),
    path("wunsch/<number:wish_id>/uebernehmen/", teams.take_wish, name="take_wish"),
    path("wunsch/<number:wish_id>/streichen/", teams.drop_wish, name="drop_wish"),
]
