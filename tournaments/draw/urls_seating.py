"""Public addresses of the seats."""

from django.urls import path

from tournaments.draw.views import proof, public, table

app_name = "seating"
PLAN = "t/<slug:slug>/sitzplan/"
urlpatterns = [
    path("karten/<number:draw_id>/<number:table>/<str:token>/", table.at_table, name="at_table"),
    path(PLAN, public.latest, name="latest"),
    path(f"{PLAN}<number:number>/", public.seating, name="serie"),
    path(f"{PLAN}<number:number>/auslosung.json", proof.public_task, name="task"),
]
