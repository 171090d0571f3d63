"""The list of a table, for whoever has its code; below ``tisch/``."""

from django.urls import path

from tournaments.views import table, table_api, table_code

app_name = "table"
urlpatterns = [
    path("", table_code.code, name="code"),
    path("sw.js", table.worker, name="worker"),
    path("<str:token>/", table.page, name="page"),
    path("<str:token>/formular/", table.act, name="act"),
    path("<str:token>/stand/", table_api.current, name="state"),
    path("<str:token>/senden/", table_api.send, name="send"),
]
