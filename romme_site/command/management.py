"""Commands of Django and of the tournaments: ``romme-turnier score-list``, ``manage.py check``."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence

from romme_site.command import language
from romme_site.command.django_setup import set_up_django
from romme_site.command.language import gettext as _

# In German (docs/formats.md).
FOR_PROGRAMS = {
    *("score_list", "plan_seating", "standings"),
    *("export_archive", "import_archive", "journal_anchor"),
}
# They write refusals as JSON on standard error, also of invalid settings.
REFUSE_IN_JSON = FOR_PROGRAMS | {"verify_journal"}
REFUSED = 2
# Runs in the background; its output is in the language of the installation.
INTERNAL_COMMANDS = {"run_jobs"}


def run(words: Sequence[str]) -> int:
    """Run the command that *words* name; ``-`` and ``_`` in its name are the same."""
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415
    from django.core.management import execute_from_command_line, get_commands  # noqa: PLC0415

    name = words[0].replace("-", "_") if words[0][:1] != "-" else words[0]
    is_for_people = not {"-h", "--help"}.isdisjoint(words)
    is_for_people |= name not in FOR_PROGRAMS | INTERNAL_COMMANDS
    if not is_for_people:
        os.environ["LANGUAGE"] = language.GERMAN
    try:
        set_up_django()
        if is_for_people:
            language.activate()
            if name not in {*get_commands(), "help"} and name[:1] != "-":
                message = _("Einen Befehl „{name}“ gibt es nicht; --help sagt, welche es gibt.")
                print(message.format(name=words[0]), file=sys.stderr)
                return REFUSED
        execute_from_command_line(["romme-turnier", name, *words[1:]])
    except ImproperlyConfigured as problem:
        message = str(problem)
        if name in REFUSE_IN_JSON:
            errors = {"errors": [{"where": "", "message": message}]}
            message = json.dumps(errors, ensure_ascii=False, indent=2)
        sys.stderr.buffer.write(f"{message}\n".encode())
        return REFUSED
    return 0
