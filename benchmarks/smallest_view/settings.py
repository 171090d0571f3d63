"""The program's settings, and one more address: the smallest view that inserts a row.

It is no act of a form, so it is not led through what counts those once; entries are not either.
"""

from romme_site.settings import *  # noqa: F403 - all of them, that is the point
from romme_site.settings import MIDDLEWARE as OF_THE_SITE

ROOT_URLCONF = "benchmarks.smallest_view.urls"
MIDDLEWARE = [each for each in OF_THE_SITE if not each.endswith(".IdempotencyMiddleware")]
