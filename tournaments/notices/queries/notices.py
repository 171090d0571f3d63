"""The notices, decisions and messages of a player, and notices that were told."""

from __future__ import annotations

from django.db.models import QuerySet

from tournaments.models import Case, Circular, Notice, Registration, Tournament
from tournaments.notices.queries.notice_texts import RELATED, NoticeText, texts, with_relations


def addressed_registrations(tournament: Tournament) -> frozenset[int]:
    """Return the keys of registrations that have notices, cases or messages; 1 query."""
    notices = Notice.objects.filter(correction__tournament=tournament)
    cases = Case.objects.filter(tournament=tournament, registration__isnull=False)
    circulars = Circular.objects.filter(tournament=tournament, registrations__isnull=False)
    keys = (
        notices.order_by()
        .values_list("registration")
        .union(
            cases.order_by().values_list("registration"),
            circulars.order_by().values_list("registrations"),
        )
    )
    return frozenset(key for (key,) in keys)


def for_registration(registration: Registration) -> list[NoticeText]:
    """Return the notices of a player, the newest first; for the own page."""
    notices = Notice.objects.filter(registration=registration)
    return texts(with_relations(notices).order_by("-pk"))


def decisions_for(registration: Registration) -> list[Case]:
    """Return the cases of a player, the newest first, including undecided ones."""
    cases = Case.objects.filter(registration=registration)
    return list(cases.select_related("decided_by", "spielliste__table__serie").order_by("-pk"))


def find_notice(tournament: Tournament, pk: int) -> NoticeText | None:
    """Return a single notice in words; None for one of another tournament."""
    notices = Notice.objects.filter(pk=pk, correction__tournament=tournament)
    return next(iter(texts(with_relations(notices))), None)


def told_notices(tournament: Tournament) -> QuerySet[Notice]:
    """Return the notices that were told, the newest first."""
    notices = Notice.objects.filter(correction__tournament=tournament, told_at__isnull=False)
    return notices.select_related(*RELATED).order_by("-told_at", "-pk")


def objected_notice(case: Case) -> NoticeText | None:
    """Return the notice that an objection is about, in words."""
    notices = with_relations(case.notices.all()).order_by("pk")
    return next(iter(texts(notices[:1])), None)
