"""Addresses of telling players and of cases, below a tournament."""

from django.urls import path

from tournaments.notices.views import cases, notices

app_name = "notices"
urlpatterns = [
    path("", notices.page, name="page"),
    path("zettel/", notices.slips, name="slips"),
    path("ausgehaendigt/", notices.handed_out, name="handed_out"),
    path("person/<int:pk>/", notices.tell, name="tell"),
    path("<int:pk>/", notices.notice, name="notice"),
    path("<int:pk>/antwort/", notices.respond, name="respond"),
    path("faelle/", cases.listing, name="cases"),
    path("faelle/<int:pk>/", cases.case, name="case"),
    path("faelle/<int:pk>/entscheiden/", cases.decide, name="decide"),
    path("faelle/<int:pk>/mitgeteilt/", cases.tell, name="tell_case"),
]
