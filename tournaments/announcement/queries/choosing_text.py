"""The texts of the Ausschreibung on things to choose and on the lottery."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.payments.choosing import AbsentChooser, ThingsToChoose
from scoring.payments.prizes import PrizePlan
from tournaments.common.formats import NO_BREAK_SPACE


def choosing_text(plan: ThingsToChoose) -> str:
    """Return the order of choosing, the things, and the rule for absent persons."""
    if plan.ranking.from_last:
        order = _("Alle wählen eine Sache, vom letzten Platz an ({ranking}).")
        if not plan.for_all:
            order = ngettext(
                "Wer hinten steht, wählt eine Sache ({ranking}).",
                "Die letzten {number} wählen je eine Sache, vom letzten Platz an ({ranking}).",
                len(plan.things),
            )
    elif plan.for_all:
        order = _("Alle wählen eine Sache, in der Reihenfolge der Plätze ({ranking}).")
    else:
        order = ngettext(
            "Wer vorn steht, wählt eine Sache ({ranking}).",
            "Die ersten {number} wählen je eine Sache, in der Reihenfolge der Plätze ({ranking}).",
            len(plan.things),
        )
    gone = {
        AbsentChooser.LATER: _(
            "Wer beim Aufruf nicht da ist, wird nach allen anderen noch einmal aufgerufen."
        ),
        AbsentChooser.PASSED: _("Wer beim Aufruf nicht da ist, geht leer aus."),
    }
    things = _("Es gibt: {things}.").format(things=_listed(plan.things)) if plan.things else ""
    sentences = (
        order.format(number=len(plan.things), ranking=plan.ranking.from_first.describe()),
        things,
        gone[plan.gone],
    )
    return " ".join(filter(None, sentences))


def lottery_text(plan: PrizePlan) -> str:
    """Return the things of the lottery, and who takes part."""
    return _(
        "Unter allen, die dann noch da sind, werden verlost: {things}. Wer gezogen ist, gewinnt"
        " einmal."
    ).format(things=_listed(plan.lottery))


def _listed(things: Iterable[str]) -> str:
    times = _("{number} × {thing}").replace(" ", NO_BREAK_SPACE)
    return ", ".join(
        times.format(number=number, thing=thing) if number > 1 else thing
        for thing, number in Counter(things).items()
    )
