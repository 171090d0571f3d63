"""Addresses of the seats for everybody: on the own device and on the wall."""

from django.urls import path

from tournaments.views import draw_proof, draw_table, seating_public

app_name = "seating"
PLAN = "t/<slug:slug>/sitzplan/"
WALL = "t/<slug:slug>/leinwand/sitzplan/"
urlpatterns = [
    path("karten/<int:draw_id>/<int:table>/<str:token>/", draw_table.at_table, name="at_table"),
    path(PLAN, seating_public.latest, name="latest"),
    path(f"{PLAN}<int:number>/", seating_public.seating, name="serie"),
    path(f"{PLAN}<int:number>/auslosung.json", draw_proof.public_task, name="task"),
    path(f"{WALL}<int:number>/", seating_public.screen, name="screen"),
    path(f"{WALL}<int:number>/namen/", seating_public.screen_names, name="screen_names"),
]
