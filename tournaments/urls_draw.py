"""Addresses of the draw, below a tournament's."""

from django.urls import path

from tournaments.views import cards, draw, draw_cards, draw_proof, draw_swaps, draw_table

app_name = "draw"
urlpatterns = [
    path("", draw.serien, name="serien"),
    path("startkarten/", cards.cards, name="cards"),
    path("<int:number>/", draw.serie, name="serie"),
    path("<int:number>/beginnen/", draw.begin, name="begin"),
    path("<int:number>/auslosen/", draw.carry_out, name="carry_out"),
    path("<int:number>/karte/", draw_cards.card, name="card"),
    path("<int:number>/tischcodes/", draw_table.codes, name="table_codes"),
    path("<int:number>/rest-auslosen/", draw_cards.fill_up, name="fill_up"),
    path("<int:number>/ueber-kreuz/", draw.crossing, name="crossing"),
    path("<int:number>/bekannt-geben/", draw.publish, name="publish"),
    path("<int:number>/tausch-pruefen/", draw_swaps.judge, name="judge"),
    path("<int:number>/tauschen/", draw_swaps.swap, name="swap"),
    path("<int:number>/plaetze-tauschen/", draw_swaps.swap_seats, name="swap_seats"),
    path("<int:number>/plaetze-aendern/", draw_swaps.change_seats, name="change_seats"),
    path("<int:number>/pruefsumme/", draw_proof.poster, name="poster"),
    path("<int:number>/aufgabe.json", draw_proof.task, name="task"),
]
