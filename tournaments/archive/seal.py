"""The seal of an archive: whose it is, and that nothing in it was changed or cut since."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from scoring.reading.strict_json import Node
from scoring.texts import _
from tournaments.journal import sealing
from tournaments.machine.hashes import hash_of
from tournaments.models.journal import GENESIS

NAME = "seal"
_FIELDS = ("key", "chains", "facts", "seals", "signature")
_FINGERPRINT = re.compile(r"[0-9A-F]{4}( [0-9A-F]{4}){7}")


def sealed(written: Mapping[str, Any], before: Sequence[str | None]) -> dict[str, Any]:
    """Return an archive with the seal of this installation as its last section.

    Args:
        written: all other sections.
        before: through whose hands the tournament came here, as of :func:`seals_of`.
    """
    said = {
        "key": sealing.public_key(),
        "chains": _ends(written),
        "facts": hash_of(written),
        "seals": list(before),
    }
    return {**written, NAME: {**said, "signature": sealing.sign(said)}}


def _ends(written: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return number and hash of the last entry of each chain."""
    return [
        {
            "scope": chain["scope"],
            "number": len(chain["entries"]),
            "hash": chain["entries"][-1]["hash"] if chain["entries"] else GENESIS,
        }
        for chain in written.get("journal", [])
    ]


def seals_of(root: Node, seal: Node | None) -> list[str | None]:
    """Return through whose hands a file came: fingerprints, None for a file without a seal.

    This installation is not named: what it sealed itself it knows.

    Raises:
        ScoringError: if the seal does not fit.
    """
    if seal is None:
        return [None]
    given: Any = root.value
    fields = seal.fields(required=_FIELDS)
    root.raise_problems()
    said = {name: fields[name].value for name in _FIELDS if name != "signature"}
    key, signature = fields["key"].value, fields["signature"].value
    if not sealing.is_signed(said, key=str(key), signature=str(signature)):
        fields["signature"].refuse(
            _(
                "Das Siegel ist nicht echt: Seine Unterschrift passt nicht. Die Datei wurde "
                "nach dem Speichern verändert."
            )
        )
    root.raise_problems()
    _check_chains(root, fields["chains"])
    written = {name: value for name, value in given.items() if name != NAME}
    if hash_of(written) != said["facts"]:
        seal.field("facts").refuse(
            _(
                "Das Siegel passt nicht zum Inhalt: Die Datei wurde nach dem Speichern verändert. "
                "Bitte das Turnier dort, wo es herkommt, noch einmal sichern."
            )
        )
    root.raise_problems()
    before = [_seal_before(item) for item in fields["seals"].items() or []]
    root.raise_problems()
    return before if key == sealing.public_key() else [*before, sealing.fingerprint(str(key))]


def _check_chains(root: Node, ends: Node) -> None:
    """Refuse a journal that was cut, saying by how much."""
    journal = root.field("journal")
    chains = (journal.items() or []) if journal.is_list else []
    for at, end in enumerate(ends.items() or []):
        number = end.fields(required=("scope", "number", "hash")).get("number")
        sealed_number = number.whole_number(minimum=0) if number is not None else None
        entries = chains[at].field("entries") if at < len(chains) else journal
        there = len(entries.items() or []) if at < len(chains) and entries.is_list else 0
        if sealed_number is not None and there != sealed_number:
            entries.refuse(
                _(
                    "Versiegelt sind {sealed} Einträge des Protokolls, in der Datei stehen {there}."
                ).format(sealed=sealed_number, there=there)
            )
    root.raise_problems()


def _seal_before(node: Node) -> str | None:
    if node.is_null:
        return None
    text = node.text() or ""
    if not _FINGERPRINT.fullmatch(text):
        node.refuse(_("Hier steht der Fingerabdruck eines Siegels oder null."))
    return text
