"""Addresses of prizes and of the Entscheidungsspiele about them, below a tournament's."""

from django.urls import path

from tournaments.prizes.views import playoffs, prizes

app_name = "prizes"
urlpatterns = [
    path("entscheidungsspiele/", playoffs.playoffs, name="playoffs"),
    path("entscheidungsspiele/<slug:which>/<number:rank>/", playoffs.record, name="record"),
    path("entscheidungsspiele/<number:pk>/streichen/", playoffs.withdraw, name="withdraw"),
    path("preise/", prizes.prizes, name="prizes"),
    path("preise/auszahlen/", prizes.pay, name="pay"),
    path("preise/alle-auszahlen/", prizes.pay_all, name="pay_all"),
    path("preise/sachpreis/", prizes.goods, name="goods"),
]
