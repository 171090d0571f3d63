"""The Startgeld tariff of a tournament, and its rankings with their stakes."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.payments import prizes
from tournaments.models.people import Gender
from tournaments.models.rows import DISPLAY_ONLY, OWNER_KEY, Row
from tournaments.models.tournament import Tournament

# Stored in German and shown in the language of the reader.
DEFAULT_CATEGORY = "Startgeld"


class Category(Row):
    """One line of the Startgeld tariff, such as adults or juniors."""

    proved = ("name", "startgeld_cents", "born_from", "born_until")
    unproved = {
        "tournament": OWNER_KEY,
        "position": DISPLAY_ONLY,
    }

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="categories")
    name = models.CharField(_("Bezeichnung"), max_length=60)
    startgeld_cents = models.PositiveIntegerField(_("Startgeld"))
    born_from = models.PositiveSmallIntegerField(_("Jahrgang ab"), null=True, blank=True)
    born_until = models.PositiveSmallIntegerField(_("Jahrgang bis"), null=True, blank=True)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("Startgeldgruppe")
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "name"], name="category_name_once"),
        ]

    def __str__(self) -> str:
        return gettext(DEFAULT_CATEGORY) if self.has_default_name else self.name

    @property
    def has_default_name(self) -> bool:
        """Whether it still has the name that a new tournament gives it."""
        return self.name == DEFAULT_CATEGORY

    @property
    def has_years(self) -> bool:
        """Whether years of birth limit it."""
        return self.born_from is not None or self.born_until is not None

    def suits(self, birth_year: int | None) -> bool | None:
        """Whether a person born in *birth_year* belongs here; None if the year is missing."""
        return _suits(self, birth_year)


def _suits(limits: Category | Ranking, birth_year: int | None) -> bool | None:
    if not limits.has_years:
        return True
    if birth_year is None:
        return None
    return (limits.born_from or 0) <= birth_year <= (limits.born_until or 9999)


class Ranking(Row):
    """A ranking of the tournament, with the stake for taking part in it."""

    proved = ("kind", "size", "born_from", "born_until", "stake_cents")
    unproved = {"tournament": OWNER_KEY}

    class Kind(models.TextChoices):
        SINGLE = "single", _("Einzel")
        TEAM = "team", _("Mannschaft")
        TANDEM = "tandem", _("Tandem")
        MIXED = "mixed", _("gemischtes Tandem")
        WOMEN = "women", _("Damen")
        JUNIORS = "juniors", _("Junioren")
        SENIORS = "seniors", _("Senioren")

        @property
        def category(self) -> prizes.RankingCategory:
            """Its category in the prize plan: the same, except for the ranking of all players."""
            single = self.value == "single"
            return prizes.RankingCategory.OVERALL if single else prizes.RankingCategory(self.value)

    PAIRS = (Kind.TANDEM, Kind.MIXED)
    OF_TEAMS = (Kind.TEAM, *PAIRS)
    OF_SOME = (Kind.WOMEN, Kind.JUNIORS, Kind.SENIORS)

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="rankings")
    kind = models.CharField(_("Wertung"), max_length=10, choices=Kind)
    size = models.PositiveSmallIntegerField(_("Personen je Mannschaft"), null=True, blank=True)
    born_from = models.PositiveSmallIntegerField(_("Jahrgang ab"), null=True, blank=True)
    born_until = models.PositiveSmallIntegerField(_("Jahrgang bis"), null=True, blank=True)
    stake_cents = models.PositiveIntegerField(_("Einsatz je Person"), default=0)

    class Meta:
        verbose_name = _("Wertung")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "kind"],
                name="ranking_kind_once",
                violation_error_message=_("Diese Wertung gibt es schon."),
            ),
            models.CheckConstraint(
                name="ranking_size_where_needed",
                condition=models.Q(kind="team", size__gte=2)
                | models.Q(kind__in=["tandem", "mixed"], size=2)
                | (~models.Q(kind__in=["team", "tandem", "mixed"]) & models.Q(size__isnull=True)),
                violation_error_message=_(
                    "Eine Mannschaft hat mindestens zwei Personen, ein Tandem genau zwei."
                ),
            ),
        ]

    def __str__(self) -> str:
        return str(self.get_kind_display())

    @property
    def category(self) -> prizes.RankingCategory:
        """Its category in the prize plan."""
        return self.Kind(self.kind).category

    @property
    def has_years(self) -> bool:
        """Whether years of birth limit it."""
        return self.born_from is not None or self.born_until is not None

    def suits(self, birth_year: int | None, gender: str) -> bool | None:
        """Whether a person can be in it; None if the deciding data are missing.

        Women, juniors and seniors have limits. The rule for pairs needs the data of both persons.
        """
        by_year = _suits(self, birth_year)
        if self.kind != self.Kind.WOMEN or gender == Gender.FEMALE or by_year is False:
            return by_year
        return False if gender else None

    def lacks(self, birth_year: int | None, gender: str) -> str:
        """Return the missing datum that decides whether a person fits, in words; "" if none is."""
        if self.suits(birth_year, gender) is not None:
            return ""
        if self.kind == self.Kind.WOMEN and not gender:
            return gettext("Geschlecht")
        return gettext("Jahrgang")

    @property
    def is_of_some(self) -> bool:
        """Whether single persons are in it, by their data: women, juniors, seniors."""
        return self.kind in self.OF_SOME

    @property
    def takes_all(self) -> bool:
        """Whether all persons who fit are in it unless taken out: it is free of charge."""
        limited = self.kind == self.Kind.WOMEN or self.has_years
        return self.is_of_some and limited and not self.stake_cents

    @property
    def asks_gender(self) -> bool:
        """Whether only persons whose gender is entered can be in it."""
        return self.kind in {self.Kind.WOMEN, self.Kind.MIXED}

    @property
    def is_of_pairs(self) -> bool:
        """Whether two play together in it."""
        return self.kind in self.PAIRS

    @property
    def has_teams(self) -> bool:
        """Whether this is a ranking of teams."""
        return self.kind in self.OF_TEAMS
