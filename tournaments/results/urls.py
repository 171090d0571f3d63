"""Addresses of rankings, playoffs, prizes and statistics, below a tournament's."""

from django.urls import path

from tournaments.prizes import views as results_prizes
from tournaments.results.views import playoffs, results, statistics

app_name = "results"
urlpatterns = [
    path("", results.ranking, name="ranking"),
    path("datei.<str:ending>", results.file, name="file"),
    path("nr/<int:number>/", results.player, name="player"),
    path("mannschaft/<int:pk>/", results.team, name="team"),
    path("statistik/", statistics.statistics, name="statistics"),
    path("abrechnung/", statistics.settlement, name="settlement"),
    path("entscheidungsspiele/", playoffs.playoffs, name="playoffs"),
    path("entscheidungsspiele/<slug:which>/<int:rank>/", playoffs.record, name="record"),
    path("entscheidungsspiele/<int:pk>/streichen/", playoffs.withdraw, name="withdraw"),
    path("preise/", results_prizes.prizes, name="prizes"),
    path("preise/auszahlen/", results_prizes.pay, name="pay"),
    path("preise/alle-auszahlen/", results_prizes.pay_all, name="pay_all"),
    path("preise/sachpreis/", results_prizes.goods, name="goods"),
]
