"""Addresses of seasons: public pages, and pages for editing."""

from django.urls import path

from tournaments.seasons import views

app_name = "seasons"
urlpatterns = [
    path("saison/<slug:slug>/", views.season, name="season"),
    path("saison/<slug:slug>/rangliste.<str:ending>", views.file, name="file"),
    path("saison/<slug:slug>/ehrentafel/", views.table_of_honour, name="honours"),
    path("saison/<slug:slug>/ehrentafel.<str:ending>", views.table_of_honour, name="honours_file"),
    path("saison/<slug:slug>/anbieten/", views.offer, name="offer"),
    path("saison/<slug:slug>/einladen/", views.invite, name="invite"),
    path("saisons/", views.overview, name="overview"),
    path("saisons/neu/", views.new, name="new"),
    path("saisons/<slug:slug>/", views.edit, name="edit"),
]
