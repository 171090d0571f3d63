"""Long work, done by a process of its own and watched by a page."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.accounts import by_account
from tournaments.models.tournament import Tournament


class Job(models.Model):
    """One piece of long work, its progress and its result."""

    class Status(models.TextChoices):
        WAITING = "waiting", _("wartet")
        RUNNING = "running", _("läuft")
        DONE = "done", _("fertig")
        FAILED = "failed", _("gescheitert")
        CANCELLED = "cancelled", _("abgebrochen")

    tournament = models.ForeignKey(
        Tournament, null=True, blank=True, on_delete=models.PROTECT, related_name="jobs"
    )
    kind = models.CharField(max_length=30)
    params = models.JSONField(default=dict, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    result = models.JSONField(default=dict, blank=True)
    message = models.TextField(blank=True)  # German, when it failed
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    created_by = by_account()
    tries = models.PositiveSmallIntegerField(default=0)  # how often it was begun
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("Auftrag")
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                name="job_status_known",
                condition=models.Q(
                    status__in=["waiting", "running", "done", "failed", "cancelled"]
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}: {self.get_status_display()}"

    @property
    def is_over(self) -> bool:
        """Whether the job has ended."""
        return self.status in {self.Status.DONE, self.Status.FAILED, self.Status.CANCELLED}

    @property
    def ahead(self) -> int:
        """The number of jobs of its kind before it in the queue."""
        if self.status != self.Status.WAITING:
            return 0
        unfinished = Job.objects.filter(status__in=[self.Status.WAITING, self.Status.RUNNING])
        return unfinished.filter(kind=self.kind, pk__lt=self.pk).count()
