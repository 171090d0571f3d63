"""Public addresses: the start page and the pages of each tournament."""

from django.urls import path

from tournaments.announcement.views import public
from tournaments.board.views.public import tournament_page
from tournaments.rulebook.views import rules

app_name = "public"
urlpatterns = [
    path("", public.start, name="start"),
    path("kalender.ics", public.calendar_of_all, name="calendar_of_all"),
    path("app.webmanifest", public.manifest, name="manifest"),
    path("t/<slug:slug>/", tournament_page, name="tournament"),
    path("t/<slug:slug>/wer-kommt/", public.players, name="players"),
    path("t/<slug:slug>/regelwerk/", public.rules, name="rules"),
    path("regelwerk/<slug:rule_set_id>/", rules.rule_set, name="rule_set"),
    path("t/<slug:slug>/kalender.ics", public.calendar_file, name="calendar"),
]
