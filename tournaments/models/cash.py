"""The cash book: append-only receipts, in cents.

A receipt is one act at the till; its entries say what the money was for. Receipts are
never changed or deleted: triggers in the database refuse it, and a mistake is cancelled by
a receipt with the opposite amounts.
"""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.models.accounts import User, by_account
from tournaments.models.registration import Registration
from tournaments.models.rows import FREE_TEXT, OWNER_KEY, SEALED_IN_ENTRY, Row
from tournaments.models.tournament import Tournament


class Receipt(Row):
    """One act at the till, numbered without gaps within its tournament."""

    journalled = ("number", "method")
    proved = ("number", "method", "reverses", "difference_of", "created_at")
    unproved = {
        "tournament": OWNER_KEY,
        "payer": "names a person",
        "text": FREE_TEXT,
        "created_by": SEALED_IN_ENTRY,
    }

    class Method(models.TextChoices):
        CASH = "cash", _("bar")
        CARD = "card", pgettext_lazy("Zahlungsweg", "Karte")  # girocard, SumUp and the like
        BANK = "bank", _("Überweisung")
        # No money moves: an overpayment goes from one person's account to another's.
        INTERNAL = "internal", _("Umbuchung")

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="receipts")
    number = models.PositiveIntegerField(_("Beleg"))
    method = models.CharField(_("Zahlungsweg"), max_length=10, choices=Method)
    payer = models.CharField(_("Name"), max_length=160, blank=True)
    text = models.CharField(_("Text"), max_length=300, blank=True)
    reverses = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="reversed_by"
    )
    # The count whose difference this receipt books; a count itself is never changed.
    difference_of = models.ForeignKey(
        "CashCount", null=True, blank=True, on_delete=models.PROTECT, related_name="booked_by"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    created_by = by_account()

    class Meta:
        verbose_name = _("Beleg")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="receipt_number_once"),
            models.CheckConstraint(
                name="receipt_number_from_one", condition=models.Q(number__gte=1)
            ),
        ]

    def __str__(self) -> str:
        return str(_("Beleg {number}")).format(number=self.number)

    @property
    def repeats_itself(self) -> bool:
        """Whether the text only repeats payer and purpose, as that of a table's Bußgeld."""
        purposes = {f"{entry.get_kind_display()} {self.payer}" for entry in self.entries.all()}
        return self.text in purposes | {self.payer}


class CashEntry(Row):
    """One line of a receipt: money in is positive, money out negative."""

    proved = ("receipt", "kind", "amount_cents", "registration")
    within = ("receipt",)

    class Kind(models.TextChoices):
        OPENING = "opening", _("Wechselgeld zu Beginn")
        STARTGELD = "startgeld", _("Startgeld")
        KARTENGELD = "kartengeld", _("Kartengeld")
        STAKE = "stake", _("Einsatz")
        KAUTION = "kaution", _("Kaution")
        BUSSGELD = "bussgeld", _("Bußgeld")
        CREDIT = "credit", _("Guthaben")
        REFUND = "refund", _("Rückzahlung")
        PRIZE = "prize", _("Preis")
        WITHDRAWAL = "withdrawal", _("Entnahme")
        OTHER = "other", _("Sonstiges")

    receipt = models.ForeignKey(Receipt, on_delete=models.PROTECT, related_name="entries")
    kind = models.CharField(_("Art"), max_length=10, choices=Kind)
    amount_cents = models.IntegerField(_("Betrag"))
    registration = models.ForeignKey(
        Registration,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="cash_entries",
    )

    class Meta:
        verbose_name = _("Buchung")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(name="cash_entry_not_zero", condition=~models.Q(amount_cents=0)),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.amount_cents}"


class CashCount(Row):
    """A count of the till: the expected and the counted amount."""

    journalled = ("expected_cents", "counted_cents")
    proved = ("expected_cents", "counted_cents", "pieces")
    unproved = {
        "tournament": OWNER_KEY,
        "note": FREE_TEXT,
        **dict.fromkeys(("created_at", "created_by"), SEALED_IN_ENTRY),
    }

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="cash_counts")
    expected_cents = models.IntegerField(_("Soll"))
    counted_cents = models.IntegerField(_("gezählt"))
    pieces = models.JSONField(_("Stückelung"), default=dict, blank=True)  # value in cents -> number
    note = models.CharField(_("Bemerkung"), max_length=300, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")

    class Meta:
        verbose_name = _("Kassensturz")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.counted_cents} / {self.expected_cents}"

    @property
    def difference_cents(self) -> int:
        """Counted less expected: positive when there is too much."""
        return self.counted_cents - self.expected_cents


class BankTransaction(Row):
    """A transfer from an account statement, and how it was booked."""

    proved = ("fingerprint", "booked_on", "amount_cents", "receipt")
    unproved = {
        "tournament": OWNER_KEY,
        "remitter": "names a person",
        **dict.fromkeys(("purpose", "set_aside_reason"), FREE_TEXT),
    }
    along = ("receipt",)

    tournament = models.ForeignKey(
        Tournament, on_delete=models.PROTECT, related_name="bank_transactions"
    )
    # Made of the bank's data, so that a statement read twice adds nothing.
    fingerprint = models.CharField(max_length=64)
    booked_on = models.DateField(_("Buchungstag"))
    amount_cents = models.IntegerField(_("Betrag"))
    remitter = models.CharField(_("Auftraggeber"), max_length=140, blank=True)
    purpose = models.CharField(_("Verwendungszweck"), max_length=400, blank=True)
    receipt = models.OneToOneField(
        Receipt, null=True, blank=True, on_delete=models.PROTECT, related_name="bank_transaction"
    )
    set_aside_reason = models.CharField(_("nicht für das Turnier"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("Überweisung")
        ordering = ["booked_on", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "fingerprint"], name="bank_transaction_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.remitter}: {self.amount_cents}"
