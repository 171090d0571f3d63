"""Addresses of the printed documents, below a tournament's."""

from django.urls import path

from tournaments.views import printing

app_name = "printing"
urlpatterns = [
    path("", printing.documents, name="documents"),
    path("auftrag/<int:pk>/", printing.progress, name="progress"),
    path("auftrag/<int:pk>/abbrechen/", printing.cancel, name="cancel"),
    path("datei/<int:pk>/<str:file_name>", printing.pdf, name="pdf"),
    path("<slug:name>/", printing.start, name="start"),
]
