"""Addresses of notices and cases, below that of the tournament."""

from django.urls import path

from tournaments.notices.views import cases, circulars, notices

app_name = "notices"
urlpatterns = [
    path("", notices.page, name="page"),
    path("zettel/", notices.slips, name="slips"),
    path("mitgeteilt/", notices.tell_several, name="tell_several"),
    path("person/<number:pk>/", notices.tell, name="tell"),
    path("<number:pk>/", notices.notice, name="notice"),
    path("<number:pk>/antwort/", notices.respond, name="respond"),
    path("nachrichten/", circulars.page, name="circulars"),
    path("nachrichten/senden/", circulars.send, name="send_circular"),
    path("nachrichten/unterlassen/", circulars.leave_untold, name="leave_untold"),
    path("faelle/", cases.listing, name="cases"),
    path("faelle/<number:pk>/", cases.case, name="case"),
    path("faelle/<number:pk>/entscheiden/", cases.decide, name="decide"),
    path("faelle/<number:pk>/mitgeteilt/", cases.tell, name="tell_case"),
]
