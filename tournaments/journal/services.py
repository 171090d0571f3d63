"""The journal: adding entries, and checking that none was changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.db import models, transaction
from django.db.models import F, Max
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError
from tournaments.common.raw_sql import chain_of
from tournaments.journal.rows import Hashes, hashes_of, keys_of, merged
from tournaments.machine.hashes import hash_of, keyed_hash
from tournaments.models import ArchivedJournal, JournalChain, JournalEntry, Organiser, Tournament
from tournaments.models.journal import GENESIS

INSTALLATION = "installation"
RESEALED = "journal_resealed"

Facts = Mapping[str, Any]
ChainOwner = Tournament | Organiser | None  # whose chain; None: the installation's


def scope_of(chain_owner: ChainOwner) -> str:
    """Return the scope of the chain of a tournament, an organiser, or the installation."""
    if chain_owner is None:
        return INSTALLATION
    kind = "turnier" if isinstance(chain_owner, Tournament) else "veranstalter"
    return f"{kind}-{chain_owner.pk}"


def facts_of(entry: JournalEntry) -> dict[str, Any]:
    """Return all facts of *entry*, in the order in which they are read.

    The time is in UTC with microseconds, the precision of both databases.
    """
    facts = {
        "number": entry.number,
        "at": entry.at.astimezone(UTC).isoformat(timespec="microseconds"),
        "actor_kind": entry.actor_kind,
        "actor": entry.actor_id,
        "actor_label": entry.actor_label,
        "action": entry.action,
        "subject_type": entry.subject_type,
        "subject_id": entry.subject_id,
        "before": entry.before,
        "after": entry.after,
        "reason": entry.reason,
        "previous": entry.previous_hash,
    }
    if entry.rows:  # entries of earlier versions have none
        facts["rows"] = entry.rows
    return facts


def seal(facts: Facts, scope: str) -> str:
    """Return the SHA-256 of *facts*, which contain the hash of the entry before."""
    return hash_of({**facts, "scope": scope})


def end_mac(scope: str, number: int, last_hash: str, key: bytes = b"") -> str:
    """Return the MAC of the last entry of a chain, made with this installation's key.

    Each hash covers the one before, so the MAC covers all entries: with access to the database
    one can recompute the hashes, but not the MAC.
    """
    return keyed_hash(f"journal:{scope}:{number}:{last_hash}", key)


def _mac_of(chain: JournalChain, key: bytes = b"") -> str:
    return end_mac(chain.scope, chain.last_number, chain.last_hash, key)


def record(
    chain_owner: ChainOwner,
    actor: Actor,
    action: str,
    subject: models.Model | None = None,
    *,
    before: Facts | None = None,
    after: Facts | None = None,
    reason: str = "",
    at: datetime | None = None,
    rows: Iterable[models.Model] = (),
    hashes: Hashes | None = None,
) -> JournalEntry:
    """Add an entry to the chain of a tournament, an organiser, or of the installation.

    Call it in the transaction of the act, as its last step. ``before`` and ``after`` have JSON
    values and no names of persons. ``rows`` are those that the act changed, added or deleted;
    their hashes are recorded, as are the known ``hashes``. The revision of the tournament
    increases, so that open pages update. While an act of the tournament runs, its entries are
    added at its end, with the rows as they are then.

    Raises:
        TransactionManagementError: outside of a transaction.
    """
    entry = JournalEntry(
        at=at or timezone.now(),
        actor_kind=actor.kind,
        actor=actor.user,
        actor_label=actor.label,
        action=action,
        subject_type=subject._meta.model_name or "" if subject else "",
        subject_id=subject.pk if subject else None,
        before=dict(before or {}),
        after=dict(after or {}),
        reason=reason.strip(),
        rows=hashes,
    )
    entry.changed = keys_of(rows)
    if isinstance(chain_owner, Tournament) and chain_owner.unwritten is not None:
        chain_owner.unwritten.append(entry)
    else:
        append(chain_owner, [entry])
    return entry


def append(chain_owner: ChainOwner, entries: Sequence[JournalEntry]) -> None:
    """Add entries to the end of a chain, with as many statements as one entry needs."""
    if not entries:
        return
    if not transaction.get_connection().in_atomic_block:
        raise transaction.TransactionManagementError("The journal is part of the act's transaction")
    scope = scope_of(chain_owner)
    # The lock prevents gaps between numbers and two entries after the same one.
    if isinstance(chain_owner, Tournament):
        Tournament.objects.filter(pk=chain_owner.pk).update(revision=F("revision") + len(entries))
        chain_owner.revision += len(entries)
        chain = chain_of(scope)
    else:
        chain = JournalChain.objects.select_for_update().filter(scope=scope).first()
    chain = chain or _begin(chain_owner, scope)
    key = settings.INSTALLATION_KEY()
    is_ours = chain.mac == _mac_of(chain, key)
    hashes = hashes_of(key for entry in entries for key in entry.changed)
    for entry in entries:
        entry.chain, entry.number = chain, chain.last_number + 1
        entry.rows = merged([entry.rows or {}, *(hashes[key] for key in entry.changed)]) or None
        entry.previous_hash = chain.last_hash
        entry.hash = seal(facts_of(entry), scope)
        chain.last_number, chain.last_hash = entry.number, entry.hash
    JournalEntry.objects.bulk_create(entries)
    # The next entry must not make a changed chain valid.
    chain.mac = _mac_of(chain, key) if is_ours else ""
    chain.save(update_fields=["last_number", "last_hash", "mac"])


def _begin(chain_owner: ChainOwner, scope: str) -> JournalChain:
    owner = chain_owner if isinstance(chain_owner, Organiser) else None
    tournament = chain_owner if isinstance(chain_owner, Tournament) else None
    beginning = {"tournament": tournament, "owner": owner, "mac": end_mac(scope, 0, GENESIS)}
    JournalChain.objects.get_or_create(scope=scope, defaults=beginning)
    return JournalChain.objects.select_for_update().get(scope=scope)


@dataclass(frozen=True, slots=True, kw_only=True)
class Break:
    """The first entry of a chain that was changed, or data that contradict the chain.

    ``number`` is the number of the entry, 0 if it is no single entry; ``sentence`` is German.
    """

    scope: str
    number: int
    sentence: str


def first_breaks() -> Iterator[Break]:
    """Yield the first break of every broken chain.

    Chains of imported archives are also checked.
    """
    for chain in JournalChain.objects.order_by("pk"):
        broken = break_of(chain)
        if broken is not None:
            yield broken
    for archived in ArchivedJournal.objects.order_by("pk").iterator(chunk_size=1):
        broken = first_break(archived.scope, archived.entries)
        if broken is not None:
            yield broken


def break_of(chain: JournalChain) -> Break | None:
    """Return the first break of a chain of this installation, or None.

    The end of the chain is read before its entries, so entries added meanwhile are no break.
    """
    broken = _broken_entry(chain)
    if broken is not None or chain.mac == _mac_of(chain):
        return broken
    return _broken(
        chain.scope,
        chain.last_number,
        _(
            "Das Ende, Eintrag {number}, trägt nicht das Siegel dieser Installation: Es wurde "
            "gekürzt oder neu gerechnet, oder ihr Schlüssel ist ein anderer als damals."
        ),
    )


def _broken_entry(chain: JournalChain) -> Break | None:
    chain.refresh_from_db()
    entries = chain.entries.order_by("number").iterator(chunk_size=500)
    rows = ({**facts_of(entry), "hash": entry.hash} for entry in entries)
    broken = first_break(chain.scope, rows, last=(chain.last_number, chain.last_hash))
    if broken is not None:
        return broken
    newest = chain.entries.aggregate(newest=Max("number"))["newest"] or 0
    chain.refresh_from_db()
    if newest > chain.last_number:
        return _broken(chain.scope, chain.last_number + 1, _("Eintrag {number} wurde angefügt."))
    return None


@transaction.atomic
def reseal(*, reason: str, actor: Actor) -> int:
    """Seal chains whose key was lost; record it in the journal, and return their number.

    Raises:
        TournamentError: if an entry is invalid, which a lost key does not explain.
    """
    ends: dict[str, list[Any]] = {}
    # The lock order: adding an entry to a tournament's chain locks the tournament first.
    list(Tournament.objects.select_for_update(no_key=True).order_by("pk"))
    for chain in JournalChain.objects.select_for_update().order_by("pk"):
        first = break_of(chain)
        if first is None:
            continue
        if (broken := _broken_entry(chain)) is not None:
            raise TournamentError(
                _("Protokoll {scope}: {sentence} Neu versiegelt wird nichts.").format(
                    scope=chain.scope, sentence=broken.sentence
                )
            )
        chain.mac = _mac_of(chain)
        chain.save(update_fields=["mac"])
        ends[chain.scope] = [chain.last_number, chain.last_hash]
    if ends:
        record(None, actor, RESEALED, before={"chains": ends}, reason=reason)
    return len(ends)


def _broken(scope: str, number: int, sentence: str) -> Break:
    return Break(scope=scope, number=number, sentence=sentence.format(number=number))


def first_break(
    scope: str, rows: Iterable[Facts], *, last: tuple[int, str] | None = None
) -> Break | None:
    """Return the first break of a chain, or None; each row is ``facts_of`` with its hash.

    *last* is the number and hash of an entry that must exist, if known: without it, missing
    last entries are not noticed.
    """
    previous, expected = GENESIS, 1
    for row in rows:
        facts = {key: value for key, value in row.items() if key != "hash"}
        if facts["number"] != expected:
            return _broken(scope, expected, _("Eintrag {number} fehlt."))
        if facts["previous"] != previous:
            return _broken(scope, expected, _("Eintrag {number} schließt nicht an."))
        if seal(facts, scope) != row["hash"]:
            return _broken(scope, expected, _("Eintrag {number} wurde verändert."))
        previous, expected = row["hash"], expected + 1
        if last is not None and last[0] == facts["number"] and last[1] != previous:
            return _broken(scope, last[0], _("Eintrag {number} wurde verändert."))
    if last is not None and expected <= last[0]:
        return _broken(scope, expected, _("Eintrag {number} fehlt."))
    return None
