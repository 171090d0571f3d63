"""Prizes given out, Entscheidungsspiele, and the results of a tournament at its closing."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.payments.lottery import draw_order, lot
from tournaments.models.accounts import by_account
from tournaments.models.cash import Receipt
from tournaments.models.registration import Registration, Team
from tournaments.models.rows import FREE_TEXT, OWNER_KEY, SEALED_IN_ENTRY, Row
from tournaments.models.tournament import Tournament


class PrizePayout(Row):
    """A prize received by a player or team in one ranking, or its change by a correction.

    Its rows are numbered, which prevents a second payment: part 1 is the prize as it was given
    out first, each further part money paid additionally or taken back. When the receipt of a
    part is cancelled, its money is open again: the link stays until it is paid again, and the cash
    book has both receipts.
    """

    proved = (
        *("pot", "ranking", "registration", "team", "amount_cents", "receipt", "goods"),
        *("handed_over_at", "part", "passed_at"),
    )
    unproved = {
        "tournament": OWNER_KEY,
        "label": "the words for ranking and place",
        "handed_over_by": SEALED_IN_ENTRY,
    }

    tournament = models.ForeignKey(
        Tournament, on_delete=models.PROTECT, related_name="prize_payouts"
    )
    # The source of the money: a pot of the prize plan, "serienpreise", or "bussgeld" of a Serie;
    # "auswahl" of things that are chosen.
    pot = models.CharField(max_length=20)
    ranking = models.CharField(max_length=20)  # "overall", "women", "serie-2", …
    registration = models.ForeignKey(
        Registration,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="prize_payouts",
    )
    team = models.ForeignKey(
        Team, null=True, blank=True, on_delete=models.PROTECT, related_name="prize_payouts"
    )
    part = models.PositiveSmallIntegerField(_("Teil"), default=1)
    label = models.CharField(_("wofür"), max_length=500)  # place and sum, as computed then
    amount_cents = models.IntegerField(_("ausgezahlt"), default=0)  # negative: taken back
    receipt = models.ForeignKey(
        Receipt, null=True, blank=True, on_delete=models.PROTECT, related_name="prize_payouts"
    )
    goods = models.CharField(_("Sachpreis"), max_length=200, blank=True)
    handed_over_at = models.DateTimeField(_("übergeben um"), null=True, blank=True)
    handed_over_by = by_account()
    # The time when the person was passed over, being absent when called up to choose.
    passed_at = models.DateTimeField(_("übergangen um"), null=True, blank=True)

    class Meta:
        verbose_name = _("ausgegebener Preis")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="prize_has_one_recipient",
                condition=Q(registration__isnull=True, team__isnull=False)
                | Q(registration__isnull=False, team__isnull=True),
            ),
            models.UniqueConstraint(
                fields=["tournament", "pot", "ranking", "registration", "part"],
                name="prize_once_per_player",
                violation_error_message=_("Dieser Preis ist schon ausgegeben."),
            ),
            models.UniqueConstraint(
                fields=["tournament", "pot", "ranking", "team", "part"],
                name="prize_once_per_team",
                violation_error_message=_("Dieser Preis ist schon ausgegeben."),
            ),
            models.CheckConstraint(
                name="prize_money_has_receipt",
                condition=Q(amount_cents=0, receipt__isnull=True)
                | (~Q(amount_cents=0) & Q(receipt__isnull=False)),
                violation_error_message=_("Ausgezahltes Geld braucht einen Beleg."),
            ),
            models.CheckConstraint(
                name="prize_handed_over_is_something",
                condition=Q(handed_over_at__isnull=True) | ~Q(goods=""),
                violation_error_message=_("Ohne Sachpreis lässt sich nichts übergeben."),
            ),
            models.CheckConstraint(
                name="prize_passed_is_not_chosen",
                condition=Q(passed_at__isnull=True)
                | Q(pot="auswahl", goods="", handed_over_at__isnull=True),
                violation_error_message=_("Wer gewählt hat, ist nicht übergangen."),
            ),
        ]

    def __str__(self) -> str:
        return self.label


class Playoff(Row):
    """An Entscheidungsspiel between equals (§ 1.5), or several, or a lot instead; best first."""

    proved = ("ranking", "serie", "order", "withdrawn_at", "seed")
    unproved = {
        "tournament": OWNER_KEY,
        **dict.fromkeys(("note", "withdrawn_reason"), FREE_TEXT),
        **dict.fromkeys(("created_at", "created_by"), SEALED_IN_ENTRY),
    }

    tournament = models.ForeignKey(
        "tournaments.Tournament", on_delete=models.PROTECT, related_name="playoffs"
    )
    # None: between players. Else one of teams, and the order has their keys.
    ranking = models.ForeignKey(
        "tournaments.Ranking",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="playoffs",
    )
    # Only for the prizes of this Serie; None: for the tournament.
    serie = models.ForeignKey(
        "tournaments.Serie",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="playoffs",
    )
    order = models.JSONField(_("Reihenfolge"))  # start numbers, or keys of teams
    # Of a lot that the program drew; a lot by hand has none, nor has a game.
    seed = models.CharField(_("Zahl des Loses"), max_length=32, blank=True)
    note = models.CharField(_("Bemerkung"), max_length=300, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    created_by = by_account()
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_reason = models.CharField(_("Grund der Streichung"), max_length=300, blank=True)

    class Meta:
        verbose_name = _("Entscheidungsspiel")
        ordering = ["tournament", "pk"]
        constraints = [
            models.CheckConstraint(
                name="playoff_withdrawn_later",
                condition=Q(withdrawn_at__isnull=True) | Q(withdrawn_at__gte=F("created_at")),
            ),
            models.CheckConstraint(
                name="playoff_of_serie_is_between_players",
                condition=Q(serie__isnull=True) | Q(ranking__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return " > ".join(map(str, self.order))


class Lottery(Row):
    """A lottery among all persons present; the winners follow from seed, field and things.

    As in a draw of seats the hash is shown before, and the seed afterwards.
    """

    proved = ("seed", "seed_hash", "field", "things", "drawn_at", "withdrawn_at")
    unproved = {
        "tournament": OWNER_KEY,
        "withdrawn_reason": FREE_TEXT,
        "created_by": SEALED_IN_ENTRY,
    }

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="lotteries")
    seed = models.CharField(max_length=64)
    seed_hash = models.CharField(max_length=64)
    field = models.JSONField(_("wer da ist"))  # start numbers
    things = models.JSONField(_("Sachen"))  # as announced, the first drawn wins the first
    drawn_at = models.DateTimeField(_("gezogen um"), null=True, blank=True)
    withdrawn_at = models.DateTimeField(_("zurückgenommen um"), null=True, blank=True)
    withdrawn_reason = models.CharField(_("Grund"), max_length=300, blank=True)
    created_by = by_account()

    class Meta:
        verbose_name = _("Verlosung")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament"],
                condition=Q(withdrawn_at__isnull=True),
                name="lottery_one_in_force",
                violation_error_message=_("Es gibt schon eine Verlosung."),
            ),
            models.CheckConstraint(
                name="lottery_withdrawn_has_reason",
                condition=Q(withdrawn_at__isnull=True) | ~Q(withdrawn_reason=""),
                violation_error_message=_("Zurückgenommen wird mit einem Grund."),
            ),
        ]

    def __str__(self) -> str:
        return str(_("Verlosung {hash}")).format(hash=self.seed_hash[:8])

    @property
    def winners(self) -> list[tuple[int, str]]:
        """Start number and thing of each winner in the order drawn; none before the drawing."""
        order = draw_order(self.seed, self.field) if self.drawn_at else []
        return list(zip(order, self.things, strict=False))

    @property
    def lots(self) -> list[tuple[int, str]]:
        """All start numbers in the order drawn, each with its lot; none before the drawing."""
        order = draw_order(self.seed, self.field) if self.drawn_at else []
        return [(number, lot(self.seed, number)) for number in order]


class Closing(Row):
    """One closing with its rankings and prizes; a reopening ends it, with its reason.

    The content names start numbers and teams by their keys, never persons.
    """

    proved = ("number", "closed_at", "content_hash", "reopened_at")
    unproved = {
        "tournament": OWNER_KEY,
        **dict.fromkeys(("closed_by", "reopened_by"), SEALED_IN_ENTRY),
        "content": "content_hash is of it",
        "reopened_reason": FREE_TEXT,
    }

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="closings")
    number = models.PositiveSmallIntegerField(_("Nummer"))
    closed_at = models.DateTimeField()
    closed_by = by_account()
    content = models.JSONField()  # see queries.closing
    content_hash = models.CharField(max_length=64)  # also in the journal
    reopened_at = models.DateTimeField(null=True, blank=True)
    reopened_by = by_account()
    reopened_reason = models.CharField(_("Grund der Öffnung"), max_length=500, blank=True)

    class Meta:
        verbose_name = _("Abschluss")
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="closing_number_once"),
            models.UniqueConstraint(
                fields=["tournament"],
                condition=Q(reopened_at__isnull=True),
                name="closing_one_in_force",
            ),
            models.CheckConstraint(
                name="closing_reopened_has_reason",
                condition=Q(reopened_at__isnull=True)
                | (Q(reopened_at__gte=F("closed_at")) & ~Q(reopened_reason="")),
                violation_error_message=_("Wieder geöffnet wird mit einem Grund."),
            ),
        ]

    def __str__(self) -> str:
        return str(_("Abschluss {number}")).format(number=self.number)
