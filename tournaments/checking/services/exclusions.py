"""Exclusion of a player for gross misconduct (§ 1.4).

Before the first draw the desk excludes players. Later an exclusion is a correction: its effects
are shown in advance, a notice is created, and a second account approves it if four eyes are
required.
"""

from __future__ import annotations

from functools import partial

from tournaments.common.roles import MAY_LEAD
from tournaments.common.states import TAKES_PEOPLE
from tournaments.corrections.services import corrections
from tournaments.corrections.services.corrections import Preview
from tournaments.journal.acts import Act, Acts
from tournaments.models import Correction, Registration
from tournaments.notices.services import cases

Kind = Correction.Kind
acts = Acts(MAY_LEAD, TAKES_PEOPLE)


def preview(registration: Registration) -> Preview:
    """Return the effects of excluding a player, or of taking that back.

    Raises:
        WrongStatus: if the player does not take part.
    """
    excluded = registration.status == Registration.Status.EXCLUDED
    return _preview(registration, Kind.EXCLUSION_WITHDRAWN if excluded else Kind.EXCLUSION)


def _preview(registration: Registration, kind: Correction.Kind) -> Preview:
    return corrections.preview(
        tournament=registration.tournament, kind=kind, facts={"registration": registration.pk}
    )


@acts.on(Registration, "correct_exclusion", reason=corrections.NO_REASON)
def exclude(
    act: Act[Registration],
    *,
    paragraph: str = "",
    shown: str | None = None,
    case_id: int | None = None,
    kind: Correction.Kind = Kind.EXCLUSION,
) -> Correction:
    """Exclude a player: no refund, no rank; the games stay in the lists (§ 1.4).

    This decides the case *case_id*, if given.

    Raises:
        WrongStatus: if the player does not take part.
        Conflict: if the effects differ from those shown, or the case was decided already.
    """
    effects = _preview(act.row, kind)
    case = None if case_id is None else cases.undecided_case(act.tournament, case_id)
    return corrections.store(act, effects, paragraph=paragraph, case=case, shown=shown)


# Takes an exclusion back; the player is ranked again. Raises as ``exclude``.
take_back = partial(exclude, kind=Kind.EXCLUSION_WITHDRAWN)
