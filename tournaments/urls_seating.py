"""Addresses of the seats for everybody: on the own device and on the wall."""

from django.urls import path

from tournaments.views import seating_public

app_name = "seating"
urlpatterns = [
    path("t/<slug:slug>/sitzplan/", seating_public.latest, name="latest"),
    path("t/<slug:slug>/sitzplan/<int:number>/", seating_public.seating, name="serie"),
    path("t/<slug:slug>/leinwand/sitzplan/<int:number>/", seating_public.screen, name="screen"),
]
