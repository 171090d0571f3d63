"""The program's settings, and the address of the smallest view that inserts a row.

The view has no form with a key, so the middleware that makes forms idempotent is left out; games
from a table do not pass it either.
"""

from romme_site.settings import *  # noqa: F403
from romme_site.settings import MIDDLEWARE as OF_THE_SITE

ROOT_URLCONF = "benchmarks.smallest_view.urls"
MIDDLEWARE = [each for each in OF_THE_SITE if not each.endswith(".IdempotencyMiddleware")]
