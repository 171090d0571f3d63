"""Addresses of a tournament's overview and Ausschreibung."""

from django.urls import path

from tournaments.announcement.urls import urlpatterns as announcement
from tournaments.board.views import staff as views

app_name = "setup"
urlpatterns = [
    *announcement,
    path("<slug:slug>/", views.tournament_page, name="tournament"),
    path("<slug:slug>/ergaenzen/", views.complete, name="complete"),
    path("<slug:slug>/ausschreiben/", views.announce, name="announce"),
    path("<slug:slug>/zurueck-zum-entwurf/", views.back_to_draft, name="back_to_draft"),
    path("<slug:slug>/beginnen/", views.start, name="start"),
    path("<slug:slug>/absagen/", views.call_off, name="call_off"),
    path("<slug:slug>/absage-zuruecknehmen/", views.undo_calling_off, name="undo_calling_off"),
]
