"""Addresses of the control room, below a tournament's."""

from django.urls import path

from tournaments.control.views import control, grid, handing_in, table

app_name = "control"
urlpatterns = [
    path("", control.current, name="current"),
    path("abgabe/", handing_in.current, name="hand_in_current"),
    path("ruf/<int:pk>/uebernehmen/", control.take_call, name="take_call"),
    path("ruf/<int:pk>/erledigt/", control.finish_call, name="finish_call"),
    path("<int:number>/", control.room, name="room"),
    path("<int:number>/stand/", control.since, name="since"),
    path("<int:number>/beginnen/", control.start, name="start"),
    path("<int:number>/beginn-zuruecknehmen/", control.take_back_start, name="take_back_start"),
    path("<int:number>/zeit/", control.extra_time, name="extra_time"),
    path("<int:number>/tischkarten/", table.cards, name="cards"),
    path("<int:number>/abgabe/", handing_in.page, name="hand_in"),
    path("<int:number>/abgabe/stand/", handing_in.since, name="hand_in_since"),
    path("<int:number>/tisch/<int:table>/", table.table, name="table"),
    path("<int:number>/tisch/<int:table>/stand/", table.since, name="table_since"),
    path("<int:number>/tisch/<int:table>/zugang/", table.access, name="access"),
    path(
        "<int:number>/tisch/<int:table>/zugang/erneuern/",
        table.withdraw_access,
        name="withdraw_access",
    ),
    path(
        "<int:number>/tisch/<int:table>/geraetewechsel/",
        table.allow_take_over,
        name="allow_take_over",
    ),
    path("<int:number>/tisch/<int:table>/papier/", table.on_paper, name="on_paper"),
    path(
        "<int:number>/tisch/<int:table>/gekaufte-karten/",
        table.note_bought,
        name="note_bought",
    ),
    path("<int:number>/tisch/<int:table>/eingeben/", grid.grid, name="grid"),
    path("<int:number>/tisch/<int:table>/abgabe/", handing_in.act, name="hand_in_act"),
]
