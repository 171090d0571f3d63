"""Addresses of checking and correcting, below that of the tournament."""

from django.urls import path

from tournaments.checking.views import checking, ending, people
from tournaments.corrections import views as checking_corrections

app_name = "checking"
TABLE = "<number:serie>/<number:table>/"

urlpatterns = [
    path("", checking.lists, name="lists"),
    path("<number:serie>/", checking.serie, name="serie"),
    path("<number:serie>/umsetzen/", people.move, name="move"),
    path("<number:serie>/beenden/", ending.end_all, name="end_all"),
    path(TABLE, checking.list_, name="list"),
    path(f"{TABLE}geprueft/", checking.verify, name="verify"),
    path(f"{TABLE}zurueck/", checking.unverify, name="unverify"),
    path(f"{TABLE}verlauf/", checking.history, name="history"),
    path(f"{TABLE}staende/", checking.versions, name="versions"),
    path(f"{TABLE}zeile/", checking_corrections.correct, {"what": "line"}, name="line"),
    path(f"{TABLE}bonus/", checking_corrections.correct, {"what": "bonus_size"}, name="bonus_size"),
    path(f"{TABLE}ungueltig/", checking_corrections.correct, {"what": "invalid"}, name="invalid"),
    path(f"{TABLE}gueltig/", checking_corrections.correct, {"what": "valid"}, name="valid"),
    path(f"{TABLE}beenden/", checking_corrections.correct, {"what": "end"}, name="end"),
    path(f"{TABLE}weiterspielen/", checking_corrections.correct, {"what": "go_on"}, name="go_on"),
    path(f"{TABLE}strafpunkte/", people.penalties_, name="penalties"),
    path("strafpunkte/<number:key>/erteilen/", people.give, name="give"),
    path("strafpunkte/<number:key>/ablehnen/", people.reject, name="reject_penalty"),
    path("strafpunkte/<number:key>/zuruecknehmen/", people.withdraw, name="withdraw"),
    path("ausschluss/<number:number>/", people.exclusion, name="exclusion"),
    path("berichtigungen/<number:number>/", checking_corrections.correction, name="correction"),
    path(
        "berichtigungen/<number:number>/ausfuehren/", checking_corrections.approve, name="approve"
    ),
    path("berichtigungen/<number:number>/ablehnen/", checking_corrections.reject, name="reject"),
]
