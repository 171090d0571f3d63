"""Addresses of rankings and statistics, below a tournament's."""

from django.urls import path

from tournaments.results.views import press, results, statistics

app_name = "results"
urlpatterns = [
    path("", results.ranking, name="ranking"),
    path("datei.<str:ending>", results.file, name="file"),
    path("endrunde/", results.final, name="final"),
    path("einladen/", results.invite, name="invite"),
    path("presse/", press.page, name="press"),
    path("presse.txt", press.file, name="press_file"),
    path("nr/<number:number>/", results.player, name="player"),
    path("mannschaft/<number:pk>/", results.team, name="team"),
    path("statistik/", statistics.statistics, name="statistics"),
    path("abrechnung/", statistics.settlement, name="settlement"),
]
