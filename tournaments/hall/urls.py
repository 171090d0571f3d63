"""Addresses of the control room, below that of the tournament."""

from django.urls import path

from tournaments.hall.views import control, grid, handing_in, table

app_name = "hall"
urlpatterns = [
    path("", control.current, name="current"),
    path("abgabe/", handing_in.current, name="hand_in_current"),
    path("ruf/<number:pk>/uebernehmen/", control.take_call, name="take_call"),
    path("ruf/<number:pk>/erledigt/", control.finish_call, name="finish_call"),
    path("<number:number>/", control.room, name="room"),
    path("<number:number>/stand/", control.since, name="since"),
    path("<number:number>/beginnen/", control.start, name="start"),
    path("<number:number>/beginn-zuruecknehmen/", control.take_back_start, name="take_back_start"),
    path("<number:number>/zeit/", control.extra_time, name="extra_time"),
    path("<number:number>/tischkarten/", table.cards, name="cards"),
    path("<number:number>/abgabe/", handing_in.page, name="hand_in"),
    path("<number:number>/abgabe/stand/", handing_in.since, name="hand_in_since"),
    path("<number:number>/tisch/<number:table>/", table.table, name="table"),
    path("<number:number>/tisch/<number:table>/stand/", table.since, name="table_since"),
    path("<number:number>/tisch/<number:table>/zugang/", table.access, name="access"),
    path(
        "<number:number>/tisch/<number:table>/zugang/erneuern/",
        table.withdraw_access,
        name="withdraw_access",
    ),
    path(
        "<number:number>/tisch/<number:table>/geraetewechsel/",
        table.allow_take_over,
        name="allow_take_over",
    ),
    path("<number:number>/tisch/<number:table>/papier/", table.on_paper, name="on_paper"),
    path(
        "<number:number>/tisch/<number:table>/gekaufte-karten/",
        table.note_bought,
        name="note_bought",
    ),
    path("<number:number>/tisch/<number:table>/eingeben/", grid.grid, name="grid"),
    path("<number:number>/tisch/<number:table>/abgabe/", handing_in.act, name="hand_in_act"),
]
