"""Addresses of the cash book, below a tournament's."""

from django.urls import path

from tournaments.cash.bank import views as bank
from tournaments.cash.views import cash, count

app_name = "cash"
urlpatterns = [
    path("", cash.book, name="book"),
    path("buchen/", cash.book_free, name="book_free"),
    path("umbuchen/", cash.move_credit, name="move_credit"),
    path("beleg/<number:number>/", cash.receipt, name="receipt"),
    path("beleg/<number:number>/stornieren/", cash.reverse, name="reverse"),
    path("zaehlen/", count.count, name="count"),
    path("zaehlen/<number:pk>/differenz/", count.book_difference, name="book_difference"),
    path("bericht/", cash.report, name="report"),
    path("kassenbuch.csv", cash.csv_file, name="csv"),
    path("kaution/alle/", cash.return_all_kautionen, name="return_all_kautionen"),
    path("kaution/<number:pk>/", cash.kaution, name="kaution"),
    path("rueckzahlung/<number:pk>/", cash.refund_credit, name="refund_credit"),
    path("rueckzahlungen/", cash.refunds, name="refunds"),
    path("rueckzahlungen/alle/", cash.refund_all, name="refund_all"),
    path("rueckzahlungen/<number:pk>/", cash.refund, name="refund"),
    path("ueberweisungen/", bank.transfers, name="transfers"),
    path("ueberweisungen/einlesen/", bank.take_in, name="take_in"),
    path("ueberweisungen/spalten/<number:pk>/", bank.columns, name="columns"),
    path("ueberweisungen/zuordnen/", bank.book_clear, name="book_clear"),
    path("ueberweisungen/<number:pk>/buchen/", bank.book, name="book_transfer"),
    path("ueberweisungen/<number:pk>/beiseite/", bank.set_aside, name="set_aside"),
    path("ueberweisungen/<number:pk>/zurueck/", bank.bring_back, name="bring_back"),
]
