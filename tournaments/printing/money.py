"""Documents of the till: receipts and the report on the cash book."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.cash.queries import cash as queries
from tournaments.cash.queries import report as cash_report
from tournaments.cash.queries.refunds import refund_list
from tournaments.common.errors import TournamentError
from tournaments.journal.queries.seals import paper_seal
from tournaments.models import LegalText, Receipt
from tournaments.printing.base import Printable, PrintRequest


def receipt(wanted: PrintRequest) -> Printable:
    """Return one receipt twice: one to hand over and one to sign and keep."""
    found = queries.receipts(wanted.tournament).filter(number=wanted.receipt or 0).first()
    if found is None:
        raise TournamentError(_("Den Beleg {number} gibt es nicht.").format(number=wanted.receipt))
    texts = LegalText.objects.filter(name=LegalText.Name.BELEGE)
    is_cash = found.method == Receipt.Method.CASH
    if not is_cash:
        title = str(found)
    elif found.total_cents < 0:
        title = _("Auszahlung, Beleg {number}").format(number=found.number)
    else:
        title = _("Quittung, Beleg {number}").format(number=found.number)
    return Printable(
        title=title,
        context={
            "receipt": found,
            "is_cash": is_cash,
            "on_strip": wanted.on_strip,
            "issuer": "\n".join(texts.values_list("text", flat=True)),
            "copies": (_("zum Mitgeben"), _("für die Kasse")),
        },
    )


def report(wanted: PrintRequest) -> Printable:
    """Return the sums of the cash book by kind, by category, and by person."""
    tournament = wanted.tournament
    return Printable(
        title=_("Kassenbericht"),
        context={**cash_report.whole(tournament), "end": paper_seal(tournament)},
    )


def refunds(wanted: PrintRequest) -> Printable:
    """Return who gets money back, to be signed."""
    found = refund_list(wanted.tournament)
    if not found["refunds"]:
        raise TournamentError(_("Zurückgezahlt wird, wenn das Turnier abgesagt ist."))
    return Printable(title=_("Rückzahlungen"), context={**found})
