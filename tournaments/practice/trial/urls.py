"""Addresses of trial runs only; all other pages are those of a tournament."""

from django.urls import path

from tournaments.practice.trial import views

app_name = "trial"
urlpatterns = [
    path("probelauf/beginnen/", views.begin, name="begin"),
    path("turniere/<slug:slug>/probelauf/", views.panel, name="panel"),
    path("turniere/<slug:slug>/probelauf/weiterspielen/", views.play_rest, name="play_rest"),
    path("turniere/<slug:slug>/probelauf/entfernen/", views.remove, name="remove"),
]
