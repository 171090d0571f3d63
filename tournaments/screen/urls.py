"""Addresses of the beamers, and of the pages that set them."""

from django.urls import path

from tournaments.screen.views import control, wall

app_name = "screen"
WALL = "t/<slug:slug>/leinwand/"
CONTROL = "turniere/<slug:slug>/leinwand/"
urlpatterns = [
    path(WALL, wall.screen, name="screen"),
    path(f"{WALL}<number:number>/", wall.screen, name="numbered"),
    path(f"{WALL}<number:number>/<str:key>/", wall.screen, name="keyed"),
    path(CONTROL, control.control, name="control"),
    path(f"{CONTROL}neu/", control.add, name="add"),
    path(f"{CONTROL}durchsage/", control.say, name="say"),
    path(f"{CONTROL}durchsage/beenden/", control.be_silent, name="be_silent"),
    path(f"{CONTROL}<number:number>/", control.control, name="control_one"),
    path(f"{CONTROL}<number:number>/wechsel/", control.store, name="store"),
    path(f"{CONTROL}<number:number>/zeigen/", control.turn, name="turn"),
    path(f"{CONTROL}<number:number>/entfernen/", control.remove, name="remove"),
]
