"""Addresses of the journal, below a tournament."""

from django.urls import path

from tournaments.views import journal

app_name = "journal"
urlpatterns = [
    path("", journal.page, name="page"),
    path("pruefen/", journal.verify, name="verify"),
    path("mitgebracht/<int:pk>/", journal.archived, name="archived"),
    path("beleg/<int:number>/", journal.of_receipt, name="of_receipt"),
    path("meldung/<int:pk>/", journal.of_registration, name="of_registration"),
    path("protokoll.csv", journal.csv_file, name="csv"),
]
