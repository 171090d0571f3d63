"""Teams and tandems, and their members."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.registration import Registration
from tournaments.models.rows import Row
from tournaments.models.tariff import Ranking


class Team(Row):
    """A team or tandem in the ranking it was formed for."""

    journalled = ("ranking",)
    proved = ("ranking", "name")
    within = ("ranking",)

    ranking = models.ForeignKey(Ranking, on_delete=models.PROTECT, related_name="teams")
    name = models.CharField(_("Name"), max_length=80)

    class Meta:
        verbose_name = _("Mannschaft")
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["ranking", "name"],
                name="team_name_once",
                violation_error_message=_("Eine Mannschaft dieses Namens gibt es schon."),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class TeamMember(Row):
    """A registration as a member of a team; in at most one team of each ranking."""

    journalled = ("registration",)
    proved = ("team", "registration")
    unproved = {"ranking": "that of the team"}
    within = ("ranking",)
    along = ("team__ranking",)

    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="members")
    ranking = models.ForeignKey(Ranking, on_delete=models.PROTECT, related_name="+")
    registration = models.ForeignKey(
        Registration, on_delete=models.PROTECT, related_name="team_members"
    )

    class Meta:
        verbose_name = _("Mannschaftsmitglied")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["ranking", "registration"],
                name="team_member_once_per_ranking",
                violation_error_message=_("Diese Person gehört schon zu einer Mannschaft."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.registration} ({self.team})"
