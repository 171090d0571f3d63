"""Addresses of the desk, below a tournament's."""

from django.urls import path

from tournaments.desk.views import desk, files, listing, registration

app_name = "desk"
urlpatterns = [
    path("", desk.desk, name="desk"),
    path("stand/", desk.since, name="since"),
    path("melden/", desk.register, name="register"),
    path("neu/", desk.new_person, name="new"),
    path("liste/", listing.listing, name="list"),
    path("weiterspielen/", listing.register_qualified, name="register_qualified"),
    path("vorrunde/", listing.take_points, name="take_points"),
    path("datei/", files.upload, name="import"),
    path("datei/<number:pk>/spalten/", files.columns, name="import_columns"),
    path("datei/<number:pk>/", files.preview, name="import_preview"),
    path("datei/<number:pk>/uebernehmen/", files.carry_out, name="import_carry_out"),
    path("datei/<number:pk>/verwerfen/", files.discard, name="import_discard"),
    path("datei/<number:pk>/rueckgaengig/", files.take_back, name="import_take_back"),
    path("<number:pk>/", registration.page, name="registration"),
    path("<number:pk>/kassieren/", desk.pay, name="pay"),
    path("<number:pk>/zuruecknehmen/", desk.take_back, name="take_back"),
    path("<number:pk>/da/", desk.arrive, name="arrive"),
    path("<number:pk>/abhaken/", listing.tick, name="tick"),
    path("<number:pk>/nicht-da/", listing.untick, name="untick"),
    path("<number:pk>/zahlung/", registration.pay, name="payment"),
    path("<number:pk>/tarif/", registration.tariff, name="tariff"),
    path("<number:pk>/wertung/", registration.in_ranking, name="in_ranking"),
    path("<number:pk>/aufnehmen/", registration.take_into, name="take_into"),
    path("wertung/<number:pk>/fuellen/", listing.take_in_fitting, name="take_in_fitting"),
    path("<number:pk>/tage/", registration.days, name="days"),
    path("<number:pk>/abmelden/", registration.withdraw, name="withdraw"),
    path("<number:pk>/wieder-dabei/", registration.rejoin, name="rejoin"),
    path("<number:pk>/nachruecken/", registration.admit, name="admit"),
    path("<number:pk>/nicht-erreicht/", registration.end_offer, name="end_offer"),
    path("<number:pk>/zulassen/", registration.approve, name="approve"),
    path("<number:pk>/nicht-zulassen/", registration.refuse, name="refuse"),
    path("<number:pk>/nicht-erschienen/", registration.no_show, name="no_show"),
    path("<number:pk>/gegangen/", registration.leave, name="leave"),
    path("<number:pk>/zurueck/", registration.come_back, name="come_back"),
    path("<number:pk>/ausschliessen/", registration.exclude, name="exclude"),
    path("<number:pk>/ausschluss-zuruecknehmen/", registration.include, name="include"),
    path("<number:pk>/einwechseln/", registration.substitute, name="substitute"),
    path("<number:pk>/tisch/", registration.fixed_table, name="fixed_table"),
    path("<number:pk>/trennung/", registration.separate, name="separate"),
    path("trennung/<number:separation_id>/aufheben/", registration.unseparate, name="unseparate"),
]
