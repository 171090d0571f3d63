#!/usr/bin/env python
"""Django's command line for this project."""

import json
import os
import sys

# What they refuse is JSON on standard error (docs/formats.md), settings that do not do as well.
FOR_PROGRAMS = {
    *("score_list", "plan_seating", "standings"),
    *("export_archive", "import_archive", "journal_anchor", "verify_journal"),
}
REFUSED = 2


def main() -> None:
    """Run the command named on the command line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "romme_site.settings")
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415 - settings first
    from django.core.management import execute_from_command_line  # noqa: PLC0415

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as problem:
        said = str(problem)
        if FOR_PROGRAMS & set(sys.argv[1:2]):
            errors = {"errors": [{"where": "", "message": said}]}
            said = json.dumps(errors, ensure_ascii=False, indent=2)
        sys.stderr.buffer.write(f"{said}\n".encode())
        sys.exit(REFUSED)


if __name__ == "__main__":
    main()
