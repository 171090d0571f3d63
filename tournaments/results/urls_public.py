"""Addresses of the public ranking."""

from django.urls import path

from tournaments.results.views import public, statistics

app_name = "results_public"
urlpatterns = [
    path("t/<slug:slug>/rangliste/", public.ranking, name="overall"),
    path("t/<slug:slug>/rangliste/<slug:which>/", public.ranking, name="ranking"),
    path("t/<slug:slug>/statistik/", statistics.public_statistics, name="statistics"),
    path("turniere/<slug:slug>/freigabe/", public.release, name="release"),
]
