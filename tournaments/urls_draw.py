"""Addresses of the draw, below a tournament's."""

from django.urls import path

from tournaments.views import draw

app_name = "draw"
urlpatterns = [
    path("", draw.serien, name="serien"),
    path("<int:number>/", draw.serie, name="serie"),
    path("<int:number>/beginnen/", draw.begin, name="begin"),
    path("<int:number>/auslosen/", draw.carry_out, name="carry_out"),
    path("<int:number>/karte/", draw.card, name="card"),
    path("<int:number>/rest-auslosen/", draw.fill_up, name="fill_up"),
    path("<int:number>/ueber-kreuz/", draw.crossing, name="crossing"),
    path("<int:number>/tauschen/", draw.swap, name="swap"),
    path("<int:number>/bekannt-geben/", draw.publish, name="publish"),
    path("<int:number>/plaetze-tauschen/", draw.swap_seats, name="swap_seats"),
    path("<int:number>/plaetze-aendern/", draw.change_seats, name="change_seats"),
]
