"""Entry point of an ASGI server, for hosts that offer no other."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "romme_site.settings")
application = get_asgi_application()
