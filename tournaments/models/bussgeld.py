"""The Bußgeld of a list, and the receipts that include it."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.cash import Receipt
from tournaments.models.lists import Spielliste
from tournaments.models.registration import Registration
from tournaments.models.rows import FREE_TEXT, Row


class Bussgeld(Row):
    """The last amount due from a player for a list by the tariff, and the amount waived.

    Payments are in the cash book only: see ``BussgeldReceipt``. A correction may change
    the amount of the tariff; then the difference is open again, in either direction.
    """

    proved = ("spielliste", "registration", "due_cents", "waived_cents")
    unproved = {"waived_reason": FREE_TEXT}
    within = ("spielliste", "table", "serie")

    spielliste = models.ForeignKey(Spielliste, on_delete=models.PROTECT, related_name="bussgelder")
    registration = models.ForeignKey(
        Registration, on_delete=models.PROTECT, related_name="bussgelder"
    )
    due_cents = models.PositiveIntegerField(_("zu zahlen"))
    waived_cents = models.PositiveIntegerField(_("erlassen"), default=0)
    waived_reason = models.CharField(_("Grund des Erlasses"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("Bußgeld")
        ordering = ["spielliste", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["spielliste", "registration"], name="bussgeld_once"),
            models.CheckConstraint(
                name="bussgeld_waived_has_reason",
                condition=Q(waived_cents=0, waived_reason="")
                | (Q(waived_cents__gt=0) & ~Q(waived_reason="")),
                violation_error_message=_("Ein Erlass braucht einen Grund."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.registration}: {self.due_cents}"


class BussgeldReceipt(Row):
    """A receipt that includes a Bußgeld; its entry for the same person has the amount."""

    proved = ("bussgeld", "receipt")
    within = ("bussgeld", "spielliste", "table", "serie")

    bussgeld = models.ForeignKey(Bussgeld, on_delete=models.PROTECT, related_name="bookings")
    receipt = models.ForeignKey(Receipt, on_delete=models.PROTECT, related_name="bussgeld_bookings")

    class Meta:
        verbose_name = _("Beleg eines Bußgelds")
        ordering = ["bussgeld", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["bussgeld", "receipt"], name="bussgeld_receipt_once"),
        ]

    def __str__(self) -> str:
        return f"{self.bussgeld}, {self.receipt}"
