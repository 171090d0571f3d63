"""Addresses of the desk, below a tournament's."""

from django.urls import path

from tournaments.desk.views import desk, registration

app_name = "desk"
urlpatterns = [
    path("", desk.desk, name="desk"),
    path("stand/", desk.since, name="since"),
    path("melden/", desk.register, name="register"),
    path("neu/", desk.new_person, name="new"),
    path("liste/", registration.listing, name="list"),
    path("<int:pk>/", registration.page, name="registration"),
    path("<int:pk>/kassieren/", desk.pay, name="pay"),
    path("<int:pk>/zuruecknehmen/", desk.take_back, name="take_back"),
    path("<int:pk>/zahlung/", registration.pay, name="payment"),
    path("<int:pk>/tarif/", registration.tariff, name="tariff"),
    path("<int:pk>/abmelden/", registration.withdraw, name="withdraw"),
    path("<int:pk>/wieder-dabei/", registration.rejoin, name="rejoin"),
    path("<int:pk>/nachruecken/", registration.admit, name="admit"),
    path("<int:pk>/nicht-erschienen/", registration.no_show, name="no_show"),
    path("<int:pk>/ausschliessen/", registration.exclude, name="exclude"),
    path("<int:pk>/ausschluss-zuruecknehmen/", registration.include, name="include"),
    path("<int:pk>/einwechseln/", registration.substitute, name="substitute"),
    path("<int:pk>/tisch/", registration.fixed_table, name="fixed_table"),
    path("<int:pk>/trennung/", registration.separate, name="separate"),
    path("trennung/<int:separation_id>/aufheben/", registration.unseparate, name="unseparate"),
]
