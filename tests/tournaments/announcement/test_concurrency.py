"""Concurrent changes of an Ausschreibung: no change is lost unnoticed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from scoring.rulesets import ruleset
from tests.concurrency import at_once, entries
from tests.factories import COMMAND, START
from tests.tournaments.announcement.helpers import make_complete, seen
from tournaments.announcement.services import tournaments
from tournaments.announcement.services.edit import change_fields
from tournaments.closing import services as closing
from tournaments.common.organisers import first_organiser
from tournaments.journal import services as journal
from tournaments.models import Tournament
from tournaments.models.tournament import Section

pytestmark = pytest.mark.django_db(transaction=True)


def refusals(answers: list[object]) -> list[str]:
    return [answer for answer in answers if isinstance(answer, str)]


def test_the_second_of_two_changes_of_a_section_is_refused():
    tournament = make_complete()
    seen_by_both = seen(tournament, Section.GENERAL)

    def moving_to(venue: str) -> Callable[[], None]:
        return lambda: change_fields(
            COMMAND,
            tournament.pk,
            seen=seen_by_both,
            section=Section.GENERAL,
            values={"venue": venue},
        )

    refused = refusals(at_once(moving_to("Aula"), moving_to("Stadthalle")))

    assert len(refused) == 1
    assert "wurde inzwischen von jemand anderem geändert" in refused[0]
    assert entries().count() == 1
    tournament.refresh_from_db()
    assert tournament.venue == entries().get().after["venue"]


def test_two_concurrent_presses_change_the_status_once():
    tournament = make_complete(status=Tournament.Status.RUNNING)

    closing_it = partial(closing.close, COMMAND, tournament.pk)
    refused = refusals(at_once(closing_it, closing_it))

    assert len(refused) == 1
    assert "abgeschlossen" in refused[0]
    assert entries().count() == 1


def test_tournaments_of_one_name_created_at_once_never_share_an_address():
    def make() -> Tournament:
        return tournaments.create_tournament(
            owner=first_organiser(),
            name="Herbst",
            starts_at=START,
            rule_set=ruleset("rommeordnung"),
            serien=3,
            startgeld_cents=1500,
            actor=COMMAND,
        )

    refused = refusals(at_once(*[make] * 4))

    slugs = list(Tournament.objects.values_list("slug", flat=True))
    assert len(slugs) + len(refused) == 4
    assert len(set(slugs)) == len(slugs)
    assert all("mit demselben Namen" in sentence for sentence in refused)
    assert list(journal.first_breaks()) == []
