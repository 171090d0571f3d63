"""Addresses of closing and opening again, below a tournament."""

from django.urls import path

from tournaments.views import closing

app_name = "closing"
urlpatterns = [
    path("", closing.page, name="page"),
    path("turnier/abschliessen/", closing.close, name="close"),
    path("turnier/oeffnen/", closing.reopen, name="reopen"),
    path("serie/<int:number>/abschliessen/", closing.close_serie, name="close_serie"),
    path("serie/<int:number>/oeffnen/", closing.reopen_serie, name="reopen_serie"),
]
