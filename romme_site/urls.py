"""All addresses of the site, by place of work."""

from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path, register_converter

from tournaments.common.digits import NumberInAddress
from tournaments.printing import views as printing

register_converter(NumberInAddress, "number")

handler400 = "romme_site.errors.bad_request"
handler404 = "romme_site.errors.not_found"
handler500 = "romme_site.errors.server_error"

urlpatterns: list[URLPattern | URLResolver] = [
    # First, because hundreds of these pages poll in the same second.
    path("tisch/", include("tournaments.table.urls")),
    path("", include("tournaments.results.urls_player")),
    path("", include("tournaments.results.urls_public")),
    path("", include("tournaments.prizes.urls_public")),
    path("konto/", include("tournaments.accounts.urls")),
    path("personen/", include("tournaments.people.urls")),
    path("uebungsturnier/", include("tournaments.practice.demo.urls")),
    path("", include("tournaments.practice.trial.urls")),
    path("turniere/", include("tournaments.board.urls")),
    path("turniere/<slug:slug>/meldungen/", include("tournaments.desk.urls")),
    path("turniere/<slug:slug>/auslosung/", include("tournaments.draw.urls")),
    path("turniere/<slug:slug>/pruefung/", include("tournaments.checking.urls")),
    path("turniere/<slug:slug>/kasse/", include("tournaments.cash.urls")),
    path("turniere/<slug:slug>/mannschaften/", include("tournaments.desk.urls_teams")),
    path("turniere/<slug:slug>/rangliste/", include("tournaments.results.urls")),
    path("turniere/<slug:slug>/rangliste/", include("tournaments.prizes.urls")),
    path("turniere/<slug:slug>/drucken/", include("tournaments.printing.urls")),
    path("turniere/<slug:slug>/spiellisten/", include("tournaments.hall.urls")),
    path("turniere/<slug:slug>/mitteilungen/", include("tournaments.notices.urls")),
    path("turniere/<slug:slug>/abschluss/", include("tournaments.closing.urls")),
    path("turniere/<slug:slug>/protokoll/", include("tournaments.journal.urls")),
    path("handbuch/", include("tournaments.manual.urls")),
    path("handbuch/drucken/<slug:name>/", printing.manual, name="print_manual"),
    path(
        "handbuch/datei/<number:pk>/<str:file_name>", printing.manual_pdf, name="print_manual_pdf"
    ),
    path("handbuch/seite/<number:pk>/", printing.manual_page, name="print_manual_page"),
    path("", include("tournaments.operator.urls")),
    path("sicherungen/", include("tournaments.backup.urls")),
    path("", include("tournaments.archive.urls")),
    path("", include("tournaments.seasons.urls")),
    path("", include("tournaments.desk.online.urls")),
    path("", include("tournaments.draw.urls_seating")),
    path("", include("tournaments.screen.urls")),
    path("", include("tournaments.feed.urls")),
    path("", include("tournaments.board.urls_public")),
]
if settings.DEBUG:
    from romme_site import component_samples

    urlpatterns.append(path("bausteine/", component_samples.page))
