"""A tournament with the data of its Ausschreibung (§ 1.1)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from tournaments.models.accounts import Organiser, by_account
from tournaments.models.floor import check_floor
from tournaments.models.rows import DISPLAY_ONLY, FREE_TEXT, Row
from tournaments.models.schedule import Days, check_schedule


class Tournament(Row):
    """One tournament. Its rule set is a frozen copy, unaffected by changes of the program."""

    journalled = ("status",)
    proved = (
        *("slug", "name", "status", "starts_at", "venue", "venue_address", "organiser"),
        *("is_open", "closed_circle", "admission", "circle_clubs", "text", "rule_set"),
        *("registration_deadline", "places", "online_registration", "refund_until"),
        *("late_startgeld", "kartengeld_cents", "kaution_cents", "bussgeld", "prize_plan"),
        *("account_holder", "iban", "bic", "protest_minutes", "names_in_hall"),
        *("public_seating", "public_ranking", "results_released_at", "four_eyes", "ended_lists"),
        *("schedule", "day_startgeld", "best_serien", "only_whole", "ties_by_lot"),
        "carries_points",
    )
    unproved = {
        "owner": "each organiser has a chain of its own",
        "called_off_reason": FREE_TEXT,
        **dict.fromkeys(
            ("contact", "contact_email", "contact_phone", "circle_persons"), "names a person"
        ),
        **dict.fromkeys(
            ("offer_hours", "self_check_in", "mails_seats"),
            "who comes is proved of each registration",
        ),
        **dict.fromkeys(("wlan_name", "wlan_password", "public_players"), DISPLAY_ONLY),
        **dict.fromkeys(("language", "floor", "words", "words_since", "words_until"), DISPLAY_ONLY),
        **dict.fromkeys(
            ("copied_from", "created_at", "replaced_at"), "where the tournament is from"
        ),
        "fewer_eyes_by": "a proposal, which proves nothing until somebody agrees",
        "is_trial_run": "set once, with the first entry",
        "revision": "rises with every act",
    }
    unwatched = ("revision",)  # the journal raises it
    unwritten: list[Any] | None = None  # entries of the journal that wait for the end of an act

    class Status(models.TextChoices):
        DRAFT = "draft", _("Entwurf")
        ANNOUNCED = "announced", _("ausgeschrieben")
        RUNNING = "running", _("läuft")
        CLOSED = "closed", _("abgeschlossen")
        CALLED_OFF = "called_off", _("abgesagt")

    PUBLIC = (Status.ANNOUNCED, Status.RUNNING, Status.CLOSED, Status.CALLED_OFF)
    TAKING_PEOPLE = (Status.ANNOUNCED, Status.RUNNING)
    OVER = (Status.CLOSED, Status.CALLED_OFF)

    class PublicRanking(models.TextChoices):
        """The public part of the ranking, and the time from which it is public."""

        LIVE = "live", _("laufend, auch während einer Serie")
        HIDDEN_LAST = "hidden", _("laufend; die letzte Serie erst nach der Siegerehrung")
        FINAL = "final", _("erst nach der Siegerehrung")
        NEVER = "never", _("gar nicht")

    class PublicPlayers(models.TextChoices):
        """The names in the public list of registered persons; unset: there is no list."""

        __empty__ = _("gar nicht")
        NAMES = "names", _("mit Namen, wer zugestimmt hat; sonst Initialen")
        NUMBERS = "numbers", _("nur Startnummern")

    class EndedLists(models.TextChoices):
        """The result of a list that the Spielleitung ended before its last game."""

        EXTRAPOLATED = "extrapolated", _("hochgerechnet auf die volle Zahl der Spiele")
        AS_PLAYED = "as_played", _("wie gespielt")
        NONE = "none", _("ohne Ergebnis")

    class LateStartgeld(models.TextChoices):
        """The Startgeld of a person who registers after the end of a Serie."""

        FULL = "full", _("das ganze Startgeld")
        SHARE = "share", _("den Anteil der Serien, die noch kommen")
        NONE = "none", _("kein Startgeld")

    class Admission(models.TextChoices):
        """The treatment of persons on no list of a closed tournament (§ 1.1)."""

        LISTED = "listed", _("Andere werden abgelehnt, außer als Ausnahme mit Grund")
        APPROVAL = "approval", _("Andere warten, bis die Spielleitung zustimmt")
        MEMBERS = (
            "members",
            _("Nur mit gültigem Pass; andere warten, bis die Spielleitung zustimmt"),
        )

    class Language(models.TextChoices):
        """The language of documents and mails; each language is named in itself."""

        __empty__ = _("wie die Person, die druckt")
        GERMAN = "de", "Deutsch"
        ENGLISH = "en", "English"

    owner = models.ForeignKey(Organiser, on_delete=models.PROTECT, related_name="tournaments")
    slug = models.SlugField(_("Kurzname in der Adresse"), max_length=60, unique=True)
    name = models.CharField(_("Name"), max_length=120)
    status = models.CharField(_("Stand"), max_length=10, choices=Status, default=Status.DRAFT)
    called_off_reason = models.CharField(
        _("abgesagt, weil"), max_length=500, blank=True, editable=False
    )
    starts_at = models.DateTimeField(_("Beginn"))
    venue = models.CharField(_("Spielort"), max_length=200, blank=True)
    venue_address = models.CharField(_("Anschrift des Spielorts"), max_length=200, blank=True)
    organiser = models.CharField(_("Veranstalter"), max_length=120, blank=True)
    contact = models.CharField(_("Ansprechperson"), max_length=120, blank=True)
    contact_email = models.EmailField(_("E-Mail für Rückfragen"), blank=True)
    contact_phone = models.CharField(_("Telefon für Rückfragen"), max_length=40, blank=True)
    is_open = models.BooleanField(_("offen für alle"), default=True)
    closed_circle = models.CharField(_("Teilnehmerkreis"), max_length=200, blank=True)
    # Empty for open tournaments, and for closed ones without a check of admission.
    admission = models.CharField(
        _("Wer auf keiner Liste steht"), max_length=10, choices=Admission, blank=True
    )
    # One name a line; desk/queries/admission.py compares them.
    circle_clubs = models.TextField(_("Vereine, deren Mitglieder kommen"), blank=True)
    circle_persons = models.TextField(_("Personen, die kommen"), blank=True)
    text = models.TextField(_("Text der Ausschreibung"), blank=True)
    rule_set = models.JSONField(_("Regelwerk"))
    registration_deadline = models.DateTimeField(_("Meldeschluss"))
    places = models.PositiveSmallIntegerField(
        _("Plätze"), null=True, blank=True, validators=[MinValueValidator(3)]
    )
    online_registration = models.BooleanField(_("Meldung über das Internet"), default=False)
    # Set, the program offers free places to the waiting list by itself.
    offer_hours = models.PositiveSmallIntegerField(
        _("Wer nachrückt, wird gefragt und hat so viele Stunden"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(14 * 24)],
    )
    self_check_in = models.BooleanField(_("Selbst abhaken am Turniertag"), default=False)
    mails_seats = models.BooleanField(_("Plätze per E-Mail"), default=False)
    # Of the hall, for the QR code by which a phone joins it.
    wlan_name = models.CharField(_("WLAN im Saal"), max_length=32, blank=True)
    wlan_password = models.CharField(_("Kennwort des WLANs"), max_length=63, blank=True)
    refund_until = models.DateTimeField(_("Rückzahlung bei Abmeldung bis"), null=True, blank=True)
    late_startgeld = models.CharField(
        _("Wer nach der ersten Serie kommt, zahlt"),
        max_length=10,
        choices=LateStartgeld,
        default=LateStartgeld.FULL,
    )
    # A person who plays on some of the days only pays for the Serien of these.
    day_startgeld = models.BooleanField(_("Startgeld nach Tagen"), default=False)
    kartengeld_cents = models.PositiveIntegerField(_("Kartengeld"), default=0)
    kaution_cents = models.PositiveIntegerField(_("Kaution"), default=0)
    bussgeld = models.JSONField(_("Bußgeld"), default=dict, blank=True)
    prize_plan = models.JSONField(_("Preisplan"), default=dict, blank=True)
    account_holder = models.CharField(_("Kontoinhaber"), max_length=70, blank=True)
    iban = models.CharField(_("IBAN"), max_length=34, blank=True)
    bic = models.CharField(_("BIC"), max_length=11, blank=True)
    protest_minutes = models.PositiveSmallIntegerField(
        _("Einspruchsfrist in Minuten"), default=15, validators=[MaxValueValidator(1440)]
    )
    # Beamers, posters and lists of seats; on the internet each person decides.
    names_in_hall = models.BooleanField(_("Namen im Saal zeigen"), default=True)
    public_seating = models.BooleanField(_("Sitzplan öffentlich"), default=True)
    public_ranking = models.CharField(
        _("Rangliste öffentlich"),
        max_length=10,
        choices=PublicRanking,
        default=PublicRanking.LIVE,
    )
    public_players = models.CharField(
        _("Wer kommt, öffentlich"), max_length=10, choices=PublicPlayers, blank=True
    )
    # The prize-giving is over: results held back are shown.
    results_released_at = models.DateTimeField(
        _("Ergebnisse freigegeben um"), null=True, blank=True
    )
    four_eyes = models.BooleanField(_("Berichtigungen brauchen eine zweite Person"), default=False)
    fewer_eyes_by = by_account()  # proposed to end that; another account must agree
    language = models.CharField(
        _("Sprache der Drucke und Mails"), max_length=2, choices=Language, blank=True
    )
    # Part of the Ausschreibung: fixed once the tournament runs.
    ended_lists = models.CharField(
        _("Vorzeitig beendete Listen zählen"),
        max_length=12,
        choices=EndedLists,
        default=EndedLists.EXTRAPOLATED,
    )
    # Departures from § 1.5, fixed with it; unset, all Serien count.
    best_serien = models.PositiveSmallIntegerField(
        _("So viele Serien zählen, die besten"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
    )
    only_whole = models.BooleanField(
        _("Wer eine Serie verpasst, die zählt, hat keinen Platz"), default=False
    )
    ties_by_lot = models.BooleanField(
        _("Das Los entscheidet statt eines Entscheidungsspiels"), default=False
    )
    # Of an Endrunde: those of the tournament that it follows, `Registration.carried_points`.
    carries_points = models.BooleanField(
        _("Die Punkte der Vorrunde werden mitgenommen"), default=False
    )
    copied_from = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="copies"
    )
    floor = models.JSONField(  # empty: in order
        _("Aufstellung der Tische"), default=list, blank=True, validators=[check_floor]
    )
    schedule = models.JSONField(  # empty: the tournament begins, and the rest follows
        _("Zeitplan"), default=list, blank=True, validators=[check_schedule]
    )
    # Current words of the Spielleitung, shown on every screen and device in the hall.
    words = models.CharField(_("Durchsage"), max_length=200, blank=True)
    words_since = models.DateTimeField(null=True, blank=True, editable=False)
    words_until = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    # Replaced by an archive: kept as a record (§ 2.3.5), not shown to the public.
    replaced_at = models.DateTimeField(null=True, blank=True, editable=False)
    is_trial_run = models.BooleanField(_("Probelauf"), default=False, editable=False)
    # Raised by every change; pages ask with ?since= whether they are current.
    revision = models.PositiveBigIntegerField(default=0, editable=False)

    class Meta:
        verbose_name = _("Turnier")
        ordering = ["-starts_at", "slug"]
        constraints = [
            models.CheckConstraint(
                name="tournament_status_known",
                condition=models.Q(
                    status__in=["draft", "announced", "running", "closed", "called_off"]
                ),
            ),
            models.CheckConstraint(
                name="tournament_called_off_has_reason",
                condition=models.Q(models.Q(status="called_off"), ~models.Q(called_off_reason=""))
                | models.Q(~models.Q(status="called_off"), called_off_reason=""),
            ),
            models.CheckConstraint(
                name="tournament_ended_lists_known",
                condition=models.Q(ended_lists__in=["extrapolated", "as_played", "none"]),
            ),
            models.CheckConstraint(
                name="tournament_late_startgeld_known",
                condition=models.Q(late_startgeld__in=["full", "share", "none"]),
            ),
            models.CheckConstraint(
                name="tournament_deadline_before_start",
                condition=models.Q(registration_deadline__lte=models.F("starts_at")),
                violation_error_message=_("Der Meldeschluss liegt nach dem Beginn."),
            ),
            models.CheckConstraint(
                name="tournament_closed_circle_named",
                condition=models.Q(is_open=True) | ~models.Q(closed_circle=""),
                violation_error_message=_(
                    "Ein geschlossenes Turnier nennt seinen Teilnehmerkreis (§ 1.1)."
                ),
            ),
            models.CheckConstraint(
                name="tournament_admission_of_closed",
                condition=models.Q(admission="")
                | models.Q(is_open=False, admission__in=["listed", "approval", "members"]),
            ),
            models.CheckConstraint(
                name="tournament_listed_has_a_list",
                condition=~models.Q(admission="listed")
                | ~models.Q(circle_clubs="")
                | ~models.Q(circle_persons=""),
                violation_error_message=_(
                    "Ohne Liste würden alle abgelehnt. Bitte Vereine oder Personen eintragen."
                ),
            ),
            models.CheckConstraint(
                name="tournament_words_have_a_time",
                condition=models.Q(words="") | models.Q(words_since__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_draft(self) -> bool:
        """Whether it is not announced: no registrations and no draws are possible."""
        return self.status == self.Status.DRAFT

    @property
    def is_announced(self) -> bool:
        """Whether it is announced and has not begun."""
        return self.status == self.Status.ANNOUNCED

    @property
    def is_running(self) -> bool:
        """Whether it has begun and is not closed."""
        return self.status == self.Status.RUNNING

    @property
    def is_closed(self) -> bool:
        """Whether its results are final."""
        return self.status == self.Status.CLOSED

    @property
    def takes_people(self) -> bool:
        """Whether persons may register, be seated and play."""
        return self.status in self.TAKING_PEOPLE

    @property
    def is_read_only(self) -> bool:
        """Whether it is closed or called off, and unchangeable until that is undone."""
        return self.status in self.OVER

    @property
    def is_called_off(self) -> bool:
        """Whether it does not take place; money that was paid goes back."""
        return self.status == self.Status.CALLED_OFF

    @property
    def location(self) -> str:
        """Its venue with the address, as one line; empty if there is none."""
        return ", ".join(filter(None, [self.venue, self.venue_address]))

    @property
    def called_off_note(self) -> str:
        """The sentence that it is called off, with the reason; empty if it is not."""
        note = _("Das Turnier ist abgesagt: {reason}")
        return str(note).format(reason=self.called_off_reason) if self.is_called_off else ""

    @property
    def asks_pass(self) -> bool:
        """Whether only members play whose pass is valid on the first day; others are approved."""
        return self.admission == self.Admission.MEMBERS

    @property
    def document_language(self) -> str:
        """The language of its documents and mails: its own, or that of the request."""
        return self.language or get_language() or settings.LANGUAGE_CODE

    @property
    def days(self) -> Days:
        """Its days by the Zeitplan."""
        return Days.of(self.starts_at, self.schedule)

    def is_past_deadline(self, now: datetime) -> bool:
        """Whether only the Spielleitung may still register a person (§ 1.3)."""
        return now > self.registration_deadline

    def has_come(self, now: datetime) -> bool:
        """Whether it is the day of the tournament or later: persons at the desk are present."""
        return timezone.localdate(now) >= timezone.localdate(self.starts_at)

    def lets_check_in(self, now: datetime) -> bool:
        """Whether players may check in on their own phones."""
        return self.self_check_in and self.takes_people and self.has_come(now)


class Section(models.TextChoices):
    """One section of the Ausschreibung; the value is part of its address."""

    GENERAL = "allgemeines", _("Allgemeines")
    TEXT = "text", _("Text")
    RULE_SET = "regelwerk", _("Regelwerk")
    SERIEN = "serien", _("Serien")
    STARTGELD = "startgeld", _("Startgeld und Plätze")
    RANKINGS = "wertungen", _("Wertungen")
    BUSSGELD = "bussgeld", _("Bußgeld")
    PRIZES = "preisplan", _("Preisplan")
    BANK = "bank", _("Bankverbindung")
    PROCEDURE = "ablauf", _("Meldung und Ablauf")
    PUBLIC = "oeffentlichkeit", _("Öffentlichkeit")
