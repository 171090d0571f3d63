"""Addresses of the ranking for everybody, and of the wall."""

from django.urls import path

from tournaments.views import results_public, screen

app_name = "results_public"
urlpatterns = [
    path("t/<slug:slug>/rangliste/", results_public.ranking, name="overall"),
    path("t/<slug:slug>/rangliste/<slug:which>/", results_public.ranking, name="ranking"),
    path("t/<slug:slug>/leinwand/", screen.screen, name="screen"),
    path("turniere/<slug:slug>/freigabe/", results_public.release, name="release"),
    path("turniere/<slug:slug>/leinwand/", screen.control, name="screen_control"),
]
