"""Addresses of the printed documents, below a tournament's."""

from django.urls import path

from tournaments.printing import views

app_name = "printing"
urlpatterns = [
    path("", views.documents, name="documents"),
    path("auftrag/<number:pk>/", views.progress, name="progress"),
    path("auftrag/<number:pk>/abbrechen/", views.cancel, name="cancel"),
    path("datei/<number:pk>/<str:file_name>", views.pdf, name="pdf"),
    path("seite/<number:pk>/", views.page, name="page"),
    path("<slug:name>/", views.start, name="start"),
]
