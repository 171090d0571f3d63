"""Addresses of a table's list, which its code opens; below ``tisch/``."""

from django.urls import path

from tournaments.table.views import api, code, table

app_name = "table"
urlpatterns = [
    path("", code.code, name="code"),
    path("zu/<slug:slug>/", code.code, name="code_of"),
    path("sw.js", table.worker, name="worker"),
    path("<str:token>/stand/", api.current, name="state"),
    path("<str:token>/senden/", api.send, name="send"),
    path("<str:token>/", table.page, name="page"),
    path("<str:token>/formular/", table.act, name="act"),
]
