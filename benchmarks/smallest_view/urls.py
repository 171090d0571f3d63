"""The view that entries are compared with: it inserts a row, reads nothing, returns nothing."""

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone

from romme_site.urls import urlpatterns as addresses_of_the_site
from tournaments.models import CodeGuess


def insert(_request: HttpRequest) -> HttpResponse:
    """Insert one row in a transaction of its own."""
    CodeGuess.objects.create(number=1, at=timezone.now())
    return HttpResponse(status=204)


urlpatterns = [path("kleinste-ansicht/", insert), *addresses_of_the_site]
