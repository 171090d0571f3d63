"""The own page of a player; the token in it comes from the Startkarte."""

from django.urls import path

from tournaments.results.views import player

app_name = "player"
urlpatterns = [
    path("s/<str:token>/", player.page, name="page"),
    path("s/<str:token>/turniere/", player.history, name="history"),
    path("s/<str:token>/kalender.ics", player.calendar, name="calendar"),
    path("s/<str:token>/da/", player.check_in, name="check_in"),
    path("s/<str:token>/mitteilung/<number:notice_id>/", player.answer, name="answer"),
]
