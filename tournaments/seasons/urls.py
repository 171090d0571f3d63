"""Addresses of seasons: public pages, and pages for editing."""

from django.urls import path

from tournaments.seasons import views

app_name = "seasons"
urlpatterns = [
    path("saison/<slug:slug>/", views.season, name="season"),
    path("saison/<slug:slug>/rangliste.<str:ending>", views.file, name="file"),
    path("saisons/", views.overview, name="overview"),
    path("saisons/neu/", views.new, name="new"),
    path("saisons/<slug:slug>/", views.edit, name="edit"),
]
