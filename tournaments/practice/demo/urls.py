"""Addresses of the practice tournament only; all its other pages are those of a tournament."""

from django.urls import path

from tournaments.practice.demo import views

app_name = "demo"
urlpatterns = [
    path("anlegen/", views.make, name="make"),
    path("wird-angelegt/", views.making, name="making"),
    path("ansehen/", views.log_in_as_guest, name="look"),
    path("entfernen/", views.remove, name="remove"),
]
