"""Addresses of new tournaments and of the sections of an Ausschreibung; `board.urls` has more."""

from django.urls import path

from tournaments.announcement.views import sections, setup

urlpatterns = [
    path("", setup.tournaments_page, name="tournaments"),
    path("neu/", setup.new, name="new"),
    path("neu/kopie/<slug:slug>/", setup.new_from_copy, name="new_from_copy"),
    path("neu/<slug:rule_set_id>/", setup.new_from_rules, name="new_from_rules"),
    path(
        "<slug:slug>/ausschreibung/regelwerk/anpassen/",
        sections.custom_rules,
        name="custom_rules",
    ),
    path("<slug:slug>/ausschreibung/<slug:name>/", sections.section, name="section"),
]
