"""Entry point of a WSGI server for the whole site."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "romme_site.settings")
application = get_wsgi_application()
