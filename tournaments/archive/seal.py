"""The seal of an archive: proves the installation that exported it, and that it is unchanged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from scoring.errors import Problem, ScoringError
from scoring.reading.records import BoundFunction, WholeNumber, to_json
from scoring.texts import _
from tournaments.archive.chains import ChainPart
from tournaments.journal import sealing
from tournaments.machine.hashes import hash_of_large
from tournaments.models.journal import GENESIS

NAME = "seal"


def _fingerprint(text: str) -> str:
    if not re.fullmatch(r"[0-9A-F]{4}( [0-9A-F]{4}){7}", text):
        raise ValueError(_("Hier steht der Fingerabdruck eines Siegels oder null."))
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainEndPart:
    """Number and hash of the last entry of a chain."""

    scope: str
    number: Annotated[int, WholeNumber(0)]
    hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SealPart:
    """The content of a seal with its signature (``docs/formats.md`` 3)."""

    key: str
    chains: tuple[ChainEndPart, ...]
    facts: str
    seals: tuple[Annotated[str, BoundFunction(_fingerprint)] | None, ...]
    signature: str


def with_seal(written: Mapping[str, Any], before: Sequence[str | None]) -> dict[str, Any]:
    """Return an archive with the seal of this installation as its last section.

    Args:
        written: all other sections.
        before: fingerprints of earlier installations, as from :func:`installation_fingerprints`.
    """
    content = {
        "key": sealing.public_key(),
        "chains": [_end(chain) for chain in written.get("journal", [])],
        "facts": hash_of_large(written),
        "seals": list(before),
    }
    return {**written, NAME: {**content, "signature": sealing.sign(content)}}


def _end(chain: Mapping[str, Any]) -> dict[str, Any]:
    """Return number and hash of the last entry of a chain."""
    entries = chain["entries"]
    last = next((entry["hash"] for entry in reversed(entries)), GENESIS)
    return {"scope": chain["scope"], "number": len(entries), "hash": last}


def check(archive: Mapping[str, Any], seal: SealPart, chains: Sequence[ChainPart]) -> None:
    """Refuse a file with an invalid seal.

    Raises:
        ScoringError: with the reason, for instance that the journal was cut.
    """
    content = to_json(seal)
    del content["signature"]
    written = {name: value for name, value in archive.items() if name != NAME}
    if not sealing.is_signed(content, key=seal.key, signature=seal.signature):
        message = _(
            "Das Siegel ist nicht echt: Seine Unterschrift passt nicht. Die Datei wurde "
            "nach dem Speichern verändert."
        )
        raise ScoringError([Problem(f"{NAME}.signature", message)])
    if cut := list(_cut_chains(seal.chains, chains)):
        raise ScoringError(cut)
    if hash_of_large(written) != seal.facts:
        message = _(
            "Das Siegel passt nicht zum Inhalt: Die Datei wurde nach dem Speichern verändert. "
            "Bitte das Turnier dort, wo es herkommt, noch einmal sichern."
        )
        raise ScoringError([Problem(f"{NAME}.facts", message)])


def _cut_chains(ends: Sequence[ChainEndPart], chains: Sequence[ChainPart]) -> Iterator[Problem]:
    """Yield each chain whose number of entries is not the sealed one."""
    for at, end in enumerate(ends):
        present = len(chains[at].entries) if at < len(chains) else 0
        if present != end.number:
            message = _(
                "Versiegelt sind {sealed} Einträge des Protokolls, in der Datei stehen {there}."
            ).format(sealed=end.number, there=present)
            yield Problem(f"journal[{at}].entries" if at < len(chains) else "journal", message)


def fingerprint_of(seal: SealPart | None) -> str | None:
    """Return the fingerprint of the installation that sealed a file; None without a seal."""
    return None if seal is None else sealing.fingerprint(seal.key)


def installation_fingerprints(seal: SealPart | None) -> list[str | None]:
    """Return the fingerprints of the installations of a file; None for one without a seal.

    The fingerprint of this installation is left out.
    """
    if seal is None:
        return [None]
    its_own = seal.key == sealing.public_key()
    return list(seal.seals) if its_own else [*seal.seals, sealing.fingerprint(seal.key)]
