"""Entry point of a WSGI server; the whole site runs on it."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "romme_site.settings")
application = get_wsgi_application()
