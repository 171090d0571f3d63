"""Participants: registrations, substitutions, teams, and decisions on rankings."""

from __future__ import annotations

from copy import copy
from datetime import datetime

from django.core.validators import MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.common import names
from tournaments.models.accounts import by_account
from tournaments.models.people import Club, Person
from tournaments.models.rows import DISPLAY_ONLY, FREE_TEXT, OWNER_KEY, SEALED_IN_ENTRY, Row
from tournaments.models.schedule import MOST_DAYS
from tournaments.models.tariff import Category, Ranking
from tournaments.models.tournament import Tournament


class Registration(Row):
    """A person's part in one tournament, from the first entry to the start number.

    The start number belongs to the registration: a substitute takes both over, and numbers
    of withdrawn registrations stay unused.
    """

    journalled = (
        *("person", "number", "status", "category", "due_cents", "approval", "fixed_table"),
        *("offered_until", "plays_on", "gone_after", "carried_points"),
    )
    proved = (
        *("person", "club", "number", "status", "category", "due_cents", "approval"),
        *("present_at", "rankings", "pays_later", "late_startgeld_cents", "plays_on"),
        *("unticked_at", "gone_after", "carried_points"),
    )
    unproved = {
        "tournament": OWNER_KEY,
        **dict.fromkeys(("source", "created_at", "created_by", "admission"), SEALED_IN_ENTRY),
        **dict.fromkeys(("late_reason", "status_reason", "fixed_table_reason"), FREE_TEXT),
        "fixed_table": "stands in the task of the draw, which is proved",
        **dict.fromkeys(
            ("waiting_since", "offered_until", "ask_by_phone"),
            "counts until there is a start number",
        ),
        **dict.fromkeys(("shows_history", "hides_name"), DISPLAY_ONLY),
        "token_hash": "a secret of this installation",
    }
    along = ("person", "category")

    class Status(models.TextChoices):
        WAITING = "waiting", _("auf der Warteliste")
        REGISTERED = "registered", _("gemeldet")
        PAID = "paid", _("bezahlt")
        WITHDRAWN = "withdrawn", _("abgemeldet")
        NO_SHOW = "no_show", _("nicht erschienen")
        EXCLUDED = "excluded", _("ausgeschlossen")

    class Source(models.TextChoices):
        DESK = "desk", _("am Tisch der Anmeldung")
        ONLINE = "online", _("über das Internet")
        IMPORT = "import", _("eingelesen")

    class Approval(models.TextChoices):
        """The decision on a person who is on no list of a closed tournament (§ 1.1)."""

        ASKED = "asked", _("wartet auf Zustimmung")
        REFUSED = "refused", _("nicht zugelassen")

    TAKING_PART = (Status.REGISTERED, Status.PAID)
    COMING = (*TAKING_PART, Status.WAITING)
    MAY_BE_PRESENT = (*TAKING_PART, Status.EXCLUDED)

    tournament = models.ForeignKey(
        Tournament, on_delete=models.PROTECT, related_name="registrations"
    )
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="registrations")
    number = models.PositiveIntegerField(
        _("Startnummer"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    status = models.CharField(max_length=10, choices=Status, default=Status.REGISTERED)
    source = models.CharField(max_length=10, choices=Source, default=Source.DESK)
    category = models.ForeignKey(Category, on_delete=models.PROTECT, related_name="registrations")
    # The club at the time: results keep it when the person changes clubs.
    club = models.ForeignKey(
        Club, null=True, blank=True, on_delete=models.PROTECT, related_name="registrations"
    )
    rankings = models.ManyToManyField(Ranking, blank=True, related_name="registrations")
    # Written by set_due() of the cash alone: Startgeld, Kartengeld and stakes.
    due_cents = models.PositiveIntegerField(_("zu zahlen"), default=0)
    # Set if Serien were over at the registration; None: the Startgeld of the category.
    late_startgeld_cents = models.PositiveIntegerField(
        _("Startgeld nach der ersten Serie"), null=True, blank=True
    )
    # The days on which the person plays, a digit each, as "13"; empty: on all of them.
    plays_on = models.CharField(_("spielt an"), max_length=MOST_DAYS, blank=True)
    # Has a seat although the Startgeld is open, by a decision of the Spielleitung.
    pays_later = models.BooleanField(_("zahlt später"), default=False)
    late_reason = models.CharField(_("Grund der Nachmeldung"), max_length=300, blank=True)
    # Why the person may play in a closed tournament: on a list, an exception, approved (§ 1.1).
    admission = models.CharField(_("zugelassen, weil"), max_length=300, blank=True)
    approval = models.CharField(_("Zustimmung"), max_length=10, choices=Approval, blank=True)
    status_reason = models.CharField(_("Grund"), max_length=300, blank=True)
    fixed_table = models.PositiveSmallIntegerField(_("fester Tisch"), null=True, blank=True)
    fixed_table_reason = models.CharField(_("Grund"), max_length=200, blank=True)
    waiting_since = models.DateTimeField(null=True, blank=True)
    # Until when a place is held; a time in the past: it was offered and not answered.
    offered_until = models.DateTimeField(_("Platz angeboten bis"), null=True, blank=True)
    ask_by_phone = models.BooleanField(_("telefonisch fragen"), default=False)
    # Ticked off as present in the hall; a paid registration may still be absent.
    present_at = models.DateTimeField(_("da seit"), null=True, blank=True)
    # When the tick was taken back; the draw asks about the person again.
    unticked_at = models.DateTimeField(_("nicht mehr abgehakt seit"), null=True, blank=True)
    # The last Serie that the person began before leaving; later ones are drawn without them.
    gone_after = models.PositiveSmallIntegerField(
        _("gegangen nach Serie"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    # Of the tournament that this one follows; None: no result in each Serie that counts there.
    carried_points = models.IntegerField(_("Punkte der Vorrunde"), null=True, blank=True)
    # Its own page may gather the public results of the person.
    shows_history = models.BooleanField(_("eigene Turniere zeigen"), default=False)
    # An entry says so of a person who has consented: unnamed on the internet in this tournament.
    hides_name = models.BooleanField(_("hier nicht im Internet nennen"), default=False)
    token_hash = models.CharField(max_length=64, null=True, blank=True, unique=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    created_by = by_account()

    class Meta:
        verbose_name = _("Meldung")
        ordering = ["number", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "person"],
                name="registration_person_once",
                violation_error_message=_("Diese Person ist schon gemeldet."),
            ),
            models.UniqueConstraint(
                fields=["tournament", "number"],
                name="registration_number_once",
                violation_error_message=_("Diese Startnummer ist schon vergeben."),
            ),
            models.CheckConstraint(
                name="registration_status_known",
                condition=models.Q(
                    status__in=["waiting", "registered", "paid", "withdrawn", "no_show", "excluded"]
                ),
            ),
            # Only paid registrations can be seated (§ 1.3), and a seat goes by the number.
            models.CheckConstraint(
                name="registration_paid_has_number",
                condition=~models.Q(status__in=["paid", "no_show", "excluded"])
                | models.Q(number__gte=1),
            ),
            models.CheckConstraint(
                name="registration_waiting_has_time",
                condition=~models.Q(status="waiting") | models.Q(waiting_since__isnull=False),
            ),
            models.CheckConstraint(
                name="registration_offer_is_for_who_waits",
                condition=models.Q(offered_until__isnull=True, ask_by_phone=False)
                | models.Q(offered_until__isnull=False, status="waiting", approval=""),
            ),
            # A person who is not admitted has no place and pays nothing.
            models.CheckConstraint(
                name="registration_approval_has_no_place",
                condition=models.Q(approval="")
                | models.Q(approval="asked", status="waiting", admission="")
                | models.Q(approval="refused", status="withdrawn", admission=""),
            ),
            models.CheckConstraint(
                name="registration_present_takes_part",
                condition=models.Q(present_at__isnull=True)
                | models.Q(status__in=["registered", "paid", "excluded"]),
                violation_error_message=_("Abgehakt wird nur, wer mitspielt."),
            ),
            models.CheckConstraint(
                name="registration_gone_is_not_here",
                condition=models.Q(gone_after__isnull=True)
                | models.Q(
                    gone_after__gte=1,
                    present_at__isnull=True,
                    status__in=["registered", "paid", "excluded"],
                ),
                violation_error_message=_("Abgehakt wird nur, wer nicht gegangen ist."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number or '–'} · {self.person}"

    # Django would make one that knows the status alone.
    def get_status_display(self) -> str:  # type: ignore[no-redef]
        """Return the status in words; waiting for admission is not the waiting list."""
        if self.is_gone:
            return str(_("gegangen nach Serie {serie}")).format(serie=self.gone_after)
        if self.pays_later and self.status == self.Status.PAID:
            return str(_("zahlt später"))
        shown = self.Approval(self.approval) if self.approval else self.Status(self.status)
        return str(shown.label)

    @property
    def startgeld_cents(self) -> int:
        """The Startgeld: of the category, or the reduced one after the first Serie."""
        if self.late_startgeld_cents is None:
            return self.category.startgeld_cents
        return self.late_startgeld_cents

    @property
    def publishes_name(self) -> bool:
        """Whether the person is named on the internet in this tournament."""
        return self.person.publish_consent and not self.hides_name

    @property
    def public_name(self) -> str:
        """The name on the internet in this tournament: in full with consent, else initials."""
        if self.publishes_name:
            return self.person.full_name
        return names.initials(self.person.first_name, self.person.last_name)

    def held_by(self, person: Person, *, hides_name: bool = False) -> Registration:
        """Return a copy with another holder of the start number, only to be shown."""
        shown = copy(self)
        shown.person, shown.hides_name = person, hides_name
        return shown

    def plays(self, day: int) -> bool:
        """Whether the person plays on a day of the tournament."""
        return not self.plays_on or str(day) in self.plays_on

    @property
    def plays_today(self) -> bool:
        """Whether the person plays on the current day of the tournament."""
        return not self.plays_on or self.plays(self.tournament.days.at(timezone.now()))

    @property
    def here_since(self) -> datetime | None:
        """When the person was ticked off on the current day of the tournament; None if not."""
        since = self.tournament.days.since(timezone.now()) if self.present_at else None
        return None if since and self.present_at and self.present_at < since else self.present_at

    @property
    def asks(self) -> bool:
        """Whether the admission waits for a decision of the Spielleitung."""
        return self.approval == self.Approval.ASKED

    @property
    def has_offer(self) -> bool:
        """Whether a place is held for the person, who has not answered yet."""
        return self.offered_until is not None and self.offered_until > timezone.now()

    @property
    def takes_part(self) -> bool:
        """Whether the person counts as coming: registered or paid."""
        return self.status in self.TAKING_PART

    @property
    def owed_cents(self) -> int:
        """The amount that the person owes, in cents; 0 unless the person takes part."""
        return self.due_cents if self.takes_part else 0

    def open_cents_after(self, paid_cents: int) -> int:
        """Return the amount still owed, in cents, after *paid_cents*."""
        return max(0, self.owed_cents - paid_cents)

    @property
    def is_gone(self) -> bool:
        """Whether the person left after a Serie and is in no later draw until they are back."""
        return self.takes_part and self.gone_after is not None

    @property
    def plays_next(self) -> bool:
        """Whether the person takes part and has not left."""
        return self.takes_part and self.gone_after is None

    @property
    def is_coming(self) -> bool:
        """Whether the person takes part or is on the waiting list."""
        return self.status in self.COMING


class Substitution(Row):
    """A person took over a start number; the number's results belong to both persons."""

    proved = ("registration", "left", "joined")
    unproved = {
        "reason": FREE_TEXT,
        **dict.fromkeys(("created_at", "created_by"), SEALED_IN_ENTRY),
        "left_hides_name": DISPLAY_ONLY,
    }
    within = ("registration",)

    registration = models.ForeignKey(
        Registration, on_delete=models.PROTECT, related_name="substitutions"
    )
    left = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    joined = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    left_hides_name = models.BooleanField(default=False)  # Registration.hides_name until then
    reason = models.CharField(_("Grund"), max_length=300)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    created_by = by_account()

    class Meta:
        verbose_name = _("Einwechslung")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="substitution_two_persons",
                condition=~models.Q(left=models.F("joined")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.left} → {self.joined}"


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


class RankingChoice(Row):
    """The decision on a registration in a limited ranking, which takes precedence over the data.

    It excludes the person, or includes: with a *reason* against the data, without one while they
    are missing. In mixed tandems only the latter, and for a pair. A substitution ends it.
    """

    journalled = ("ranking", "takes_part")
    proved = ("registration", "ranking", "takes_part")
    unproved = {"reason": FREE_TEXT}
    within = ("ranking",)

    registration = models.ForeignKey(
        Registration, on_delete=models.PROTECT, related_name="ranking_choices"
    )
    ranking = models.ForeignKey(Ranking, on_delete=models.PROTECT, related_name="choices")
    takes_part = models.BooleanField(_("gehört dazu"))
    reason = models.CharField(_("Grund"), max_length=500, blank=True)

    class Meta:
        verbose_name = _("Entscheidung über eine Wertung")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["registration", "ranking"],
                name="ranking_choice_once",
                violation_error_message=_("Über diese Wertung ist schon entschieden."),
            ),
            models.CheckConstraint(
                name="ranking_choice_out_has_no_reason",
                condition=models.Q(takes_part=True) | models.Q(reason=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.registration}: {self.ranking}"
