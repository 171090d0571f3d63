"""Addresses of the beamer: the wall itself, and what control lets it show."""

from django.urls import path

from tournaments.screen import views

app_name = "screen"
urlpatterns = [
    path("t/<slug:slug>/leinwand/", views.screen, name="screen"),
    path("turniere/<slug:slug>/leinwand/", views.control, name="control"),
]
