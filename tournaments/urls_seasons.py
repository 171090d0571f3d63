"""Addresses of seasons: for everybody, and for those who make them."""

from django.urls import path

from tournaments.views import seasons

app_name = "seasons"
urlpatterns = [
    path("saison/<slug:slug>/", seasons.season, name="season"),
    path("saisons/", seasons.overview, name="overview"),
    path("saisons/neu/", seasons.new, name="new"),
    path("saisons/<slug:slug>/", seasons.edit, name="edit"),
]
