"""Archives as tests bend them."""

from __future__ import annotations

import json
from typing import Any

from tournaments.archive import seal
from tournaments.archive.seal import with_seal
from tournaments.archive.writing import archive_text
from tournaments.journal import proof
from tournaments.models import Tournament


def saved(tournament: Tournament) -> str:
    """The archive of a tournament that factories made past the journal."""
    proof.baseline_proof(tournament)
    return archive_text(tournament)


def unsealed(text: str) -> dict[str, Any]:
    """Return an archive without its seal, for changes that the checks behind it must find."""
    data: dict[str, Any] = json.loads(text)
    del data[seal.NAME]
    return data


def sealed_again(data: dict[str, Any]) -> bytes:
    """An archive as this installation would seal it, were it to say this."""
    return json.dumps(with_seal(data, [])).encode()
