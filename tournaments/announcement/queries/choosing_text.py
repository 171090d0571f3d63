"""Things to choose, as the Ausschreibung says it."""

from __future__ import annotations

from collections import Counter

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.payments.prizes import Gone, ThingsToChoose


def choosing_text(plan: ThingsToChoose) -> str:
    """Return who chooses in which order, what there is, and what becomes of who is gone."""
    if plan.for_all:
        who = _("Alle wählen eine Sache, in der Reihenfolge der Plätze ({ranking}).")
    else:
        who = ngettext(
            "Wer vorn steht, wählt eine Sache ({ranking}).",
            "Die ersten {number} wählen je eine Sache, in der Reihenfolge der Plätze ({ranking}).",
            len(plan.things),
        )
    gone = {
        Gone.LATER: _(
            "Wer beim Aufruf nicht da ist, wird nach allen anderen noch einmal aufgerufen."
        ),
        Gone.PASSED: _("Wer beim Aufruf nicht da ist, geht leer aus."),
    }
    counted = Counter(plan.things)
    things = ", ".join(
        _("{number} × {thing}").format(number=number, thing=thing) if number > 1 else thing
        for thing, number in counted.items()
    )
    what = _("Es gibt: {things}.").format(things=things) if things else ""
    said = (
        who.format(number=len(plan.things), ranking=plan.ranking.describe()),
        what,
        gone[plan.gone],
    )
    return " ".join(filter(None, said))
