"""Addresses of the manual, which belongs to no tournament and needs no account."""

from django.urls import path

from tournaments.manual import views

app_name = "manual"
urlpatterns = [
    path("", views.contents, name="contents"),
    path("turniertag/", views.day, name="day"),
    path("<slug:chapter>/", views.chapter, name="chapter"),
]
