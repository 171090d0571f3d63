"""The consent to gather a player's results on the own page."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.common.errors import NotAllowed
from tournaments.common.roles import ON_OWN_PAGE
from tournaments.common.states import ALWAYS
from tournaments.journal.acts import Act, Acts
from tournaments.models import Registration

acts = Acts(ON_OWN_PAGE, ALWAYS)


@acts.on(Registration, "show_history", entry="history_shown")
def show_history(act: Act[Registration], *, shown: bool) -> None:
    """Show the person's results on the own page of only this registration, or stop that.

    Raises:
        NotAllowed: if the person does not consent to being named: a lost Startkarte would show
            results that are not public.
    """
    if shown and not act.row.publishes_name:
        raise NotAllowed(_("Dafür muss Ihr Name im Internet stehen dürfen."))
    act.row.shows_history = shown
    act.note(shows_history=shown)
    act.store(act.row)
