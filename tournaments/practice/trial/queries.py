"""The progress of a trial run, read from its tournament."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tournaments.models import Role, Tournament, User
from tournaments.practice.trial.steps import STEPS, button_html


def of_user(user: User) -> QuerySet[Tournament]:
    """Return the trial run of an account, one at most."""
    return Tournament.objects.filter(
        is_trial_run=True, memberships__user=user, memberships__role=Role.VERANSTALTER
    )


def progress_of(tournament: Tournament) -> dict[str, Any]:
    """Return the context of the side panel: the next step with its text, None if all are done.

    One query for all steps, and those of the facts of the next one.
    """
    tournaments = Tournament.objects.annotate(**{f"done_{step.key}": step.done for step in STEPS})
    state = tournaments.get(pk=tournament.pk)
    done = [bool(getattr(state, f"done_{step.key}")) for step in STEPS]
    at = done.index(False) if False in done else len(STEPS)
    # A step whose condition is true early is not done before its turn.
    states = ["done"] * at + ["open"] * (len(STEPS) - at)
    says, url = SafeString(), ""
    step = None
    if at < len(STEPS):
        step = STEPS[at]
        states[at] = "current"
        facts = step.facts(state)
        buttons = {name: button_html(label, name) for name, label in step.buttons.items()}
        says = format_html(step.says, **facts, **buttons, step=step.key)
        numbers = [facts[name] if isinstance(name, str) else name for name in step.names]
        url = reverse(step.url_name, args=[state.slug, *numbers])
    return {
        "revision": state.revision,
        # Of all steps, each "done", "current" or "open".
        "titles": list(zip((step.title for step in STEPS), states, strict=True)),
        "step": step,
        "number": min(at + 1, len(STEPS)),
        "says": says,
        "url": url,
    }
