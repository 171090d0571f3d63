"""Addresses of the page of backups, and of requests by the standby laptop."""

from django.urls import path

from tournaments.backup import views

app_name = "backup"
urlpatterns = [
    path("", views.page, name="page"),
    path("jetzt/", views.save, name="save"),
    path("ordner/", views.second, name="second"),
    path("ersatz/", views.code, name="code"),
    path("ersatz/rueckstand/", views.behind, name="behind"),
    path("ersatz/trennen/", views.shut_out, name="shut_out"),
    path("ersatz/anmelden/", views.let_in, name="let_in"),
    path("ersatz/uebernahme/", views.takeover, name="takeover"),
    path("ersatz/stand/", views.state, name="state"),
]
