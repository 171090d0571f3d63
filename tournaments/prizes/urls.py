"""Addresses of prizes and of the Entscheidungsspiele about them, below a tournament's."""

from django.urls import path

from tournaments.prizes.views import choosing, lottery, playoffs, prizes

app_name = "prizes"
urlpatterns = [
    path("entscheidungsspiele/", playoffs.playoffs, name="playoffs"),
    path("entscheidungsspiele/<slug:which>/<number:rank>/", playoffs.record, name="record"),
    path("entscheidungsspiele/<number:pk>/streichen/", playoffs.withdraw, name="withdraw"),
    path("preise/", prizes.prizes, name="prizes"),
    path("preise/auszahlen/", prizes.pay, name="pay"),
    path("preise/alle-auszahlen/", prizes.pay_all, name="pay_all"),
    path("preise/sachpreis/", prizes.goods, name="goods"),
    path("preise/waehlen/", choosing.choosing, name="choosing"),
    path("preise/waehlen/sache/", choosing.choose, name="choose"),
    path("preise/waehlen/uebergehen/", choosing.pass_over, name="pass_over"),
    path("preise/waehlen/zurueck/", choosing.undo, name="undo_choice"),
    path("preise/verlosung/", lottery.lottery, name="lottery"),
    path("preise/verlosung/beginnen/", lottery.begin, name="begin_lottery"),
    path("preise/verlosung/<number:pk>/ziehen/", lottery.draw, name="draw_lottery"),
    path("preise/verlosung/<number:pk>/zurueck/", lottery.withdraw, name="withdraw_lottery"),
]
