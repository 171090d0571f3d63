"""Addresses of the seats for everybody: on the own device and on the wall."""

from django.urls import path

from tournaments.draw.views import proof, public, table

app_name = "seating"
PLAN = "t/<slug:slug>/sitzplan/"
WALL = "t/<slug:slug>/leinwand/sitzplan/"
urlpatterns = [
    path("karten/<int:draw_id>/<int:table>/<str:token>/", table.at_table, name="at_table"),
    path(PLAN, public.latest, name="latest"),
    path(f"{PLAN}<int:number>/", public.seating, name="serie"),
    path(f"{PLAN}<int:number>/auslosung.json", proof.public_task, name="task"),
    path(f"{WALL}<int:number>/", public.screen, name="screen"),
    path(f"{WALL}<int:number>/namen/", public.screen_names, name="screen_names"),
]
