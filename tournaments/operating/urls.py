"""Addresses for whoever runs the installation; machines ask /healthz and /readyz."""

from django.urls import path

from tournaments.operating import views

app_name = "operating"
urlpatterns = [path("anfragen/", views.requests, name="requests")]
