"""What must not stand in a log: the codes in addresses that open something without a password."""

from __future__ import annotations

import logging
import re
from typing import Any

# After these words the address goes on with a secret.
_SECRET = re.compile(
    r"(/(?:tisch|s|karten/\d+/\d+|meldung"
    r"|konto/(?:einrichten|einladung|kennwort-setzen/[\w-]+))/)[\w-]{20,}"
)


def without_secrets(text: str) -> str:
    """Return *text* with the codes in addresses replaced by dots.

    >>> without_secrets("Conflict: /tisch/Zm9vYmFyYmF6cXV4cXV1eA==/senden/")
    'Conflict: /tisch/…==/senden/'
    """
    return _SECRET.sub(r"\1…", text)


class HideSecrets(logging.Filter):
    """Takes the codes out of a record's message and arguments."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record through, without its secrets."""
        record.msg = _hidden(record.msg)
        if isinstance(record.args, tuple):
            record.args = tuple(_hidden(value) for value in record.args)
        return True


def _hidden(value: Any) -> Any:
    return without_secrets(value) if isinstance(value, str) else value
