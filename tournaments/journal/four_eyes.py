"""Four eyes: whether a second account is a second person, as far as a program can know.

Two accounts of one person look like two persons. An account made for the purpose is refused:
invited within the last hour, and never used in the tournament before. A second account kept for
longer can only be noticed by other persons, in the journal (``docs/rules.md``).
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common.errors import NotAllowed
from tournaments.models import Invitation, JournalEntry, Tournament, User

NEW_FOR = timedelta(hours=1)


def check_second(
    first: User | None, second: User | None, tournament: Tournament, since: datetime | None = None
) -> None:
    """Refuse *second* as the other person if its account leads back to the one of *first*.

    Args:
        first: the account that proposed, counted or decided.
        second: the account that is to agree.
        tournament: in which both act.
        since: when *first* acted; an account that acted before is in use.

    Raises:
        NotAllowed: if both are unused and come from one invitation of the last hour.
    """
    if first is None or second is None or first == second:
        return  # the caller refuses these cases with a sentence of its own
    now = timezone.now()
    if _origin(first, tournament, since or now, now) == _origin(
        second, tournament, since or now, now
    ):
        raise NotAllowed(
            _(
                "Vier Augen: Die Konten „{first}“ und „{second}“ kommen aus derselben Einladung "
                "der letzten Stunde und sind noch unbenutzt. Zustimmen muss eine zweite Person, "
                "die hier schon gearbeitet hat, oder bitte eine Stunde warten."
            ).format(first=first.login_name, second=second.login_name)
        )


def _origin(user: User, tournament: Tournament, since: datetime, now: datetime) -> int:
    """Return the key of the account from which *user* descends through new and unused accounts."""
    key, made_at = user.pk, user.created_at
    while made_at > now - NEW_FOR:
        acted = JournalEntry.objects.filter(chain__tournament=tournament, actor=key, at__lt=since)
        if acted.exclude(action="role_given").exists():
            break
        invited = Invitation.objects.filter(used_by=key, created_by__isnull=False)
        by = invited.order_by("used_at").values_list("created_by", "created_by__created_at").first()
        if by is None or by[0] == key:
            break
        key, made_at = by
    return key
