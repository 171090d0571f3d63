"""Prizes given out, and the results of a tournament at its closing."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.accounts import by_account
from tournaments.models.cash import Receipt
from tournaments.models.fields import belongs_to, check, may_belong_to, unique
from tournaments.models.registration import Registration, Team
from tournaments.models.rows import Row
from tournaments.models.tournament import Tournament


class PrizePayout(Row):
    """A prize received by a player or team in one ranking, or what a correction changed of it.

    Its rows are numbered, which prevents a second payment: part 1 is the prize as it was given
    out first, each further part money paid additionally or taken back. When the receipt of a
    part is cancelled, its money is open again: the link stays until it is paid anew, and the cash
    book has both receipts.
    """

    tournament = belongs_to(Tournament, "prize_payouts")
    # The source of the money: a pot of the prize plan, or "bussgeld" of a Serie.
    pot = models.CharField(max_length=20)
    ranking = models.CharField(max_length=20)  # "overall", "women", "serie-2", …
    registration = may_belong_to(Registration, "prize_payouts")
    team = may_belong_to(Team, "prize_payouts")
    part = models.PositiveSmallIntegerField(_("Teil"), default=1)
    label = models.CharField(_("wofür"), max_length=500)  # place and sum, as computed then
    amount_cents = models.IntegerField(_("ausgezahlt"), default=0)  # negative: taken back
    receipt = may_belong_to(Receipt, "prize_payouts")
    goods = models.CharField(_("Sachpreis"), max_length=200, blank=True)
    handed_over_at = models.DateTimeField(_("übergeben um"), null=True, blank=True)
    handed_over_by = by_account()

    class Meta:
        verbose_name = _("ausgegebener Preis")
        ordering = ["pk"]
        constraints = [
            check(
                "prize_has_one_recipient",
                Q(registration__isnull=True, team__isnull=False)
                | Q(registration__isnull=False, team__isnull=True),
            ),
            unique(
                "prize_once_per_player",
                ["tournament", "pot", "ranking", "registration", "part"],
                _("Dieser Preis ist schon ausgegeben."),
            ),
            unique(
                "prize_once_per_team",
                ["tournament", "pot", "ranking", "team", "part"],
                _("Dieser Preis ist schon ausgegeben."),
            ),
            check(
                "prize_money_has_receipt",
                Q(amount_cents=0, receipt__isnull=True)
                | (~Q(amount_cents=0) & Q(receipt__isnull=False)),
                _("Ausgezahltes Geld braucht einen Beleg."),
            ),
            check(
                "prize_handed_over_is_something",
                Q(handed_over_at__isnull=True) | ~Q(goods=""),
                _("Ohne Sachpreis lässt sich nichts übergeben."),
            ),
        ]

    def __str__(self) -> str:
        return self.label


class Closing(Row):
    """One closing with its rankings and prizes; a reopening ends it, with its reason.

    The content names start numbers and teams by their keys, never persons.
    """

    tournament = belongs_to(Tournament, "closings")
    number = models.PositiveSmallIntegerField(_("Nummer"))
    closed_at = models.DateTimeField()
    closed_by = by_account()
    content = models.JSONField()  # see queries.closing
    content_hash = models.CharField(max_length=64)  # stands in the journal too
    reopened_at = models.DateTimeField(null=True, blank=True)
    reopened_by = by_account()
    reopened_reason = models.CharField(_("Grund der Öffnung"), max_length=500, blank=True)

    class Meta:
        verbose_name = _("Abschluss")
        ordering = ["tournament", "number"]
        constraints = [
            unique("closing_number_once", ["tournament", "number"]),
            unique("closing_one_in_force", ["tournament"], only=Q(reopened_at__isnull=True)),
            check(
                "closing_reopened_has_reason",
                Q(reopened_at__isnull=True)
                | (Q(reopened_at__gte=F("closed_at")) & ~Q(reopened_reason="")),
                _("Wieder geöffnet wird mit einem Grund."),
            ),
        ]

    def __str__(self) -> str:
        return str(_("Abschluss {number}")).format(number=self.number)
