"""Addresses of the draw, below a tournament's."""

from django.urls import path

from tournaments.draw.views import cards as draw_cards
from tournaments.draw.views import draw, proof, startkarten, swaps, table

app_name = "draw"
urlpatterns = [
    path("", draw.serien, name="serien"),
    path("startkarten/", startkarten.cards, name="cards"),
    path("<int:number>/", draw.serie, name="serie"),
    path("<int:number>/beginnen/", draw.begin, name="begin"),
    path("<int:number>/auslosen/", draw.carry_out, name="carry_out"),
    path("<int:number>/karte/", draw_cards.card, name="card"),
    path("<int:number>/tischcodes/", table.codes, name="table_codes"),
    path("<int:number>/rest-auslosen/", draw_cards.fill_up, name="fill_up"),
    path("<int:number>/ueber-kreuz/", draw.crossing, name="crossing"),
    path("<int:number>/bekannt-geben/", draw.publish, name="publish"),
    path("<int:number>/tausch-pruefen/", swaps.judge, name="judge"),
    path("<int:number>/tauschen/", swaps.swap, name="swap"),
    path("<int:number>/plaetze-tauschen/", swaps.swap_seats, name="swap_seats"),
    path("<int:number>/plaetze-aendern/", swaps.change_seats, name="change_seats"),
    path("<int:number>/pruefsumme/", proof.poster, name="poster"),
    path("<int:number>/aufgabe.json", proof.task, name="task"),
]
