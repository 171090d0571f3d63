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


def receipt(request: PrintRequest) -> Printable:
    """Return one receipt twice: one to hand over and one to sign and keep."""
    receipt = queries.receipts(request.tournament).filter(number=request.receipt or 0).first()
    if receipt is None:
        raise TournamentError(_("Den Beleg {number} gibt es nicht.").format(number=request.receipt))
    texts = LegalText.objects.filter(name=LegalText.Name.BELEGE)
    is_cash = receipt.method == Receipt.Method.CASH
    if not is_cash:
        title = str(receipt)
    elif receipt.total_cents < 0:
        title = _("Auszahlung, Beleg {number}").format(number=receipt.number)
    else:
        title = _("Quittung, Beleg {number}").format(number=receipt.number)
    return Printable(
        title=title,
        context={
            "receipt": receipt,
            "is_cash": is_cash,
            "on_strip": request.on_strip,
            "issuer": "\n".join(texts.values_list("text", flat=True)),
            "copies": (_("zum Mitgeben"), _("für die Kasse")),
        },
    )


def report(request: PrintRequest) -> Printable:
    """Return the sums of the cash book by kind, by category, and by person."""
    tournament = request.tournament
    return Printable(
        title=_("Kassenbericht"),
        context={**cash_report.report_context(tournament), "end": paper_seal(tournament)},
    )


def refunds(request: PrintRequest) -> Printable:
    """Return the list of refunds, to be signed."""
    context = refund_list(request.tournament)
    if not context["refunds"]:
        raise TournamentError(_("Zurückgezahlt wird, wenn das Turnier abgesagt ist."))
    return Printable(title=_("Rückzahlungen"), context={**context})
