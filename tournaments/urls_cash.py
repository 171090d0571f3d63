"""Addresses of the cash book, below a tournament's."""

from django.urls import path

from tournaments.views import cash

app_name = "cash"
urlpatterns = [
    path("", cash.book, name="book"),
    path("buchen/", cash.book_free, name="book_free"),
    path("umbuchen/", cash.move_credit, name="move_credit"),
    path("beleg/<int:number>/", cash.receipt, name="receipt"),
    path("beleg/<int:number>/stornieren/", cash.reverse_receipt, name="reverse"),
    path("zaehlen/", cash.count, name="count"),
    path("bericht/", cash.report, name="report"),
    path("kassenbuch.csv", cash.csv_file, name="csv"),
    path("kaution/<int:pk>/", cash.kaution, name="kaution"),
    path("rueckzahlung/<int:pk>/", cash.refund_credit, name="refund_credit"),
]
