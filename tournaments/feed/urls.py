"""Addresses for other programs and websites; ``/api/`` describes the rest."""

from django.urls import path

from tournaments.feed import views

app_name = "feed"
urlpatterns = [
    path("api/", views.description, name="description"),
    path("api/turniere/", views.tournaments, name="tournaments"),
    path("api/turniere/<slug:slug>/", views.tournament, name="tournament"),
    path("api/turniere/<slug:slug>/rangliste/", views.ranking, name="overall"),
    path("api/turniere/<slug:slug>/rangliste/<slug:which>/", views.ranking, name="ranking"),
    path("api/turniere/<slug:slug>/sitzplan/", views.seats, name="seats"),
    path("api/turniere/<slug:slug>/sitzplan/<number:number>/", views.seats, name="seats_of"),
    path("api/einbetten.js", views.snippet, name="snippet"),
    path("neues.atom", views.news, name="news"),
    path("robots.txt", views.robots, name="robots"),
    path(".well-known/security.txt", views.security, name="security"),
]
