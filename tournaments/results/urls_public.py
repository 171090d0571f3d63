"""Addresses of the ranking for everybody, and of the wall."""

from django.urls import path

from tournaments.results.views import public
from tournaments.screen import views as screen

app_name = "results_public"
urlpatterns = [
    path("t/<slug:slug>/rangliste/", public.ranking, name="overall"),
    path("t/<slug:slug>/rangliste/<slug:which>/", public.ranking, name="ranking"),
    path("t/<slug:slug>/leinwand/", screen.screen, name="screen"),
    path("turniere/<slug:slug>/freigabe/", public.release, name="release"),
    path("turniere/<slug:slug>/leinwand/", screen.control, name="screen_control"),
]
