"""Entry point of a WSGI server for the whole site."""

import os

from django.core.wsgi import get_wsgi_application

from tournaments.machine.program import remember_files

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "romme_site.settings")
application = get_wsgi_application()
remember_files()
