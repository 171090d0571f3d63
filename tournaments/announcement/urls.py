"""Addresses of the tournaments of an account and of their Ausschreibungen."""

from django.urls import path

from tournaments.announcement.views import sections, setup

app_name = "setup"
urlpatterns = [
    path("", setup.tournaments_page, name="tournaments"),
    path("neu/", setup.new, name="new"),
    path("neu/kopie/<slug:slug>/", setup.new_from_copy, name="new_from_copy"),
    path("neu/<slug:rule_set_id>/", setup.new_from_rules, name="new_from_rules"),
    path("<slug:slug>/", setup.tournament_page, name="tournament"),
    path(
        "<slug:slug>/ausschreibung/regelwerk/anpassen/",
        sections.custom_rules,
        name="custom_rules",
    ),
    path("<slug:slug>/ausschreibung/<slug:name>/", sections.section, name="section"),
    path("<slug:slug>/ausschreiben/", setup.announce, name="announce"),
    path("<slug:slug>/zurueck-zum-entwurf/", setup.back_to_draft, name="back_to_draft"),
    path("<slug:slug>/beginnen/", setup.start, name="start"),
    path("<slug:slug>/absagen/", setup.call_off, name="call_off"),
    path("<slug:slug>/absage-zuruecknehmen/", setup.undo_calling_off, name="undo_calling_off"),
]
