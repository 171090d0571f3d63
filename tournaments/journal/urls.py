"""Addresses of the journal, below a tournament."""

from django.urls import path

from tournaments.journal import views

app_name = "journal"
urlpatterns = [
    path("", views.page, name="page"),
    path("pruefen/", views.verify, name="verify"),
    path("anker.json", views.anchor_file, name="anchor"),
    path("mitgebracht/<number:pk>/", views.archived, name="archived"),
    path("beleg/<number:number>/", views.of_receipt, name="of_receipt"),
    path("meldung/<number:pk>/", views.of_registration, name="of_registration"),
    path("protokoll.csv", views.csv_file, name="csv"),
]
