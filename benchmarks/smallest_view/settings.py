"""The program's settings, and one more address: the smallest view that inserts a row."""

from romme_site.settings import *  # noqa: F403 - all of them, that is the point

ROOT_URLCONF = "benchmarks.smallest_view.urls"
