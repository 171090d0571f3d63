"""The list of a table, for whoever has its code; below ``tisch/``."""

from django.urls import path

from tournaments.views import table_api

app_name = "table"
urlpatterns = [
    path("<str:token>/stand/", table_api.current, name="state"),
    path("<str:token>/senden/", table_api.send, name="send"),
]
