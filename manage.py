#!/usr/bin/env python
"""Django's command line for this project; ``python -m romme_site`` knows the same commands."""

import sys

from romme_site.command import management

if __name__ == "__main__":
    sys.exit(management.run(sys.argv[1:] or ["help"]))
