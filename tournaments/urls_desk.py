"""Addresses of the place of work that gives the module its name."""

from django.urls import URLPattern

app_name = "desk"
urlpatterns: list[URLPattern] = []
