"""Addresses of the draw, below that of the tournament."""

from django.urls import path

from tournaments.draw.views import cards as draw_cards
from tournaments.draw.views import draw, floor, proof, startkarten, swaps, table

app_name = "draw"
urlpatterns = [
    path("", draw.serien, name="serien"),
    path("startkarten/", startkarten.cards, name="cards"),
    path("tische-stellen/", floor.floor, name="floor"),
    path("tische-stellen/tisch/", floor.move_table, name="move_table"),
    path("tische-stellen/reihen/", floor.line_up, name="line_up"),
    path("<number:number>/", draw.serie, name="serie"),
    path("<number:number>/beginnen/", draw.begin, name="begin"),
    path("<number:number>/auslosen/", draw.carry_out, name="carry_out"),
    path("<number:number>/so-nehmen/", draw.end_search, name="take"),
    path("<number:number>/verwerfen/", draw.drop, name="drop"),
    path("<number:number>/karte/", draw_cards.card, name="card"),
    path("<number:number>/tischcodes/", table.codes, name="table_codes"),
    path("<number:number>/rest-auslosen/", draw_cards.fill_up, name="fill_up"),
    path("<number:number>/ueber-kreuz/", draw.crossing, name="crossing"),
    path("<number:number>/bekannt-geben/", draw.publish, name="publish"),
    path("<number:number>/platz-geben/", draw.give_seat, name="give_seat"),
    path("<number:number>/tausch-pruefen/", swaps.judge, name="judge"),
    path("<number:number>/tauschen/", swaps.swap, name="swap"),
    path("<number:number>/plaetze-tauschen/", swaps.swap_seats, name="swap_seats"),
    path("<number:number>/plaetze-aendern/", swaps.change_seats, name="change_seats"),
    path("<number:number>/pruefzahl/", proof.poster, name="poster"),
    path("<number:number>/aufgabe.json", proof.task, name="task"),
]
