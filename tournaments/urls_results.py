"""Addresses of rankings, playoffs, prizes and statistics, below a tournament's."""

from django.urls import path

from tournaments.views import results, results_playoffs, results_prizes, results_statistics

app_name = "results"
urlpatterns = [
    path("", results.ranking, name="ranking"),
    path("datei.<str:ending>", results.file, name="file"),
    path("nr/<int:number>/", results.player, name="player"),
    path("mannschaft/<int:pk>/", results.team, name="team"),
    path("statistik/", results_statistics.statistics, name="statistics"),
    path("abrechnung/", results_statistics.settlement, name="settlement"),
    path("entscheidungsspiele/", results_playoffs.playoffs, name="playoffs"),
    path("entscheidungsspiele/<slug:which>/<int:rank>/", results_playoffs.record, name="record"),
    path("entscheidungsspiele/<int:pk>/streichen/", results_playoffs.withdraw, name="withdraw"),
    path("preise/", results_prizes.prizes, name="prizes"),
    path("preise/auszahlen/", results_prizes.pay, name="pay"),
    path("preise/alle-auszahlen/", results_prizes.pay_all, name="pay_all"),
    path("preise/sachpreis/", results_prizes.goods, name="goods"),
]
