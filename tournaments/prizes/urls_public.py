"""The public address of the proof of a lottery."""

from django.urls import path

from tournaments.prizes.views import lottery

app_name = "lottery"
urlpatterns = [path("t/<slug:slug>/verlosung/", lottery.proof, name="proof")]
