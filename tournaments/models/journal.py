"""The journal: every act, in order, each entry sealed with the hash of the one before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.accounts import Organiser, User
from tournaments.models.tournament import Tournament

GENESIS = "0" * 64  # the hash before the first entry


class JournalChain(models.Model):
    """One chain of entries: a tournament's, an organiser's, or the installation's own.

    The row is locked while an entry is added, so numbers have no gaps and hashes no forks.
    It names the last entry, because removing that one would break no later hash.
    """

    scope = models.CharField(max_length=30, unique=True)  # "installation", "turnier-<key>" …
    tournament = models.OneToOneField(
        Tournament, null=True, blank=True, on_delete=models.PROTECT, related_name="journal_chain"
    )
    owner = models.OneToOneField(  # for persons, clubs and seasons
        Organiser, null=True, blank=True, on_delete=models.PROTECT, related_name="journal_chain"
    )
    last_number = models.PositiveBigIntegerField(default=0)
    last_hash = models.CharField(max_length=64, default=GENESIS)
    # Of both, with a key that is not in the database; empty once it did not match.
    mac = models.CharField(max_length=64, blank=True)

    class Meta:
        verbose_name = _("Protokoll")

    def __str__(self) -> str:
        return str(self.tournament or self.owner or _("Installation"))


class JournalEntry(models.Model):
    """One act: actor, act, object, values before and after, reason.

    Persons are referred to by key only, never by name, so that a person can be anonymised
    although entries never change. Append-only by trigger.
    """

    class ActorKind(models.TextChoices):
        ACCOUNT = "account", _("Konto")
        TABLE = "table", _("Tischgerät")
        PLAYER = "player", _("Spielerseite")
        PUBLIC = "public", _("öffentliche Seite")
        COMMAND = "command", _("Kommandozeile")

    chain = models.ForeignKey(JournalChain, on_delete=models.PROTECT, related_name="entries")
    number = models.PositiveBigIntegerField()
    at = models.DateTimeField()
    actor_kind = models.CharField(max_length=10, choices=ActorKind)
    actor = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="journal_entries"
    )
    actor_label = models.CharField(max_length=120, blank=True)
    action = models.CharField(max_length=60)
    subject_type = models.CharField(max_length=40, blank=True)
    subject_id = models.PositiveBigIntegerField(null=True, blank=True)
    before = models.JSONField(default=dict, blank=True)
    after = models.JSONField(default=dict, blank=True)
    reason = models.CharField(max_length=500, blank=True)
    rows = models.JSONField(null=True, blank=True)  # hashes by row: see journal.rows
    previous_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    class Meta:
        verbose_name = _("Protokolleintrag")
        ordering = ["chain", "number"]
        constraints = [
            models.UniqueConstraint(fields=["chain", "number"], name="journal_number_once"),
        ]
        indexes = [
            models.Index(fields=["subject_type", "subject_id"], name="journal_subject"),
        ]

    changed: Sequence[Any] = ()  # keys of the rows whose hashes are not read yet

    def __str__(self) -> str:
        return f"{self.number} {self.action}"


class ArchivedJournal(models.Model):
    """A chain that came with an imported tournament, unchanged, so that it still verifies.

    Its entries name accounts by the keys of the installation they were written in;
    ``accounts`` maps them to accounts here.
    """

    tournament = models.ForeignKey(
        Tournament, on_delete=models.PROTECT, related_name="archived_journals"
    )
    scope = models.CharField(max_length=30)
    accounts = models.JSONField(default=dict, blank=True)  # key there -> key here
    # The same for the objects of the entries, by model: {"spielliste": {"17": 203}}.
    keys = models.JSONField(default=dict, blank=True)
    entries = models.JSONField()

    class Meta:
        verbose_name = _("mitgebrachtes Protokoll")
        ordering = ["tournament", "pk"]

    def __str__(self) -> str:
        return f"{self.tournament}: {self.scope}"
