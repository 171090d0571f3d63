"""Addresses of the page on which teams are formed, below a tournament's."""

from django.urls import path

from tournaments.desk.views import teams

app_name = "teams"
urlpatterns = [
    path("", teams.page, name="teams"),
    path("neu/<int:ranking_id>/", teams.create, name="create"),
    path("<int:team_id>/aufnehmen/", teams.add, name="add"),
    path("<int:team_id>/umbenennen/", teams.rename, name="rename"),
    path("<int:team_id>/aufloesen/", teams.dissolve, name="dissolve"),
    path("mitglied/<int:member_id>/herausnehmen/", teams.remove, name="remove"),
    path("wunsch/<int:wish_id>/uebernehmen/", teams.take_wish, name="take_wish"),
    path("wunsch/<int:wish_id>/weglegen/", teams.drop_wish, name="drop_wish"),
]
