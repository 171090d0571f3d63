"""The address of the tournament to look at; all its other pages are those of a tournament."""

from django.urls import path

from tournaments.demo import views

app_name = "demo"
urlpatterns = [path("entfernen/", views.remove, name="remove")]
