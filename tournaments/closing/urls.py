"""Addresses of closing and reopening, below a tournament."""

from django.urls import path

from tournaments.closing import views

app_name = "closing"
urlpatterns = [
    path("", views.page, name="page"),
    path("turnier/abschliessen/", views.close, name="close"),
    path("turnier/oeffnen/", views.reopen, name="reopen"),
    path("serie/<number:number>/abschliessen/", views.close_serie, name="close_serie"),
    path("serie/<number:number>/oeffnen/", views.reopen_serie, name="reopen_serie"),
    path("serie/<number:number>/streichen/", views.strike_out, name="strike_out"),
    path("serie/<number:number>/doch/", views.reinstate, name="reinstate"),
]
