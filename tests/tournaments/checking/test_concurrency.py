"""Concurrent acts: one is stored, the other is refused."""

from __future__ import annotations

import pytest

from tests.concurrency import at_once, entries
from tests.factories import acting
from tests.factories_lists import FOUR
from tests.tournaments.corrections.signed_list import played
from tournaments.checking.services import checking
from tournaments.common.actors import Actor
from tournaments.corrections.services import corrections
from tournaments.models import Correction, Game, Spielliste

pytestmark = pytest.mark.django_db(transaction=True)


def actors(spielliste: Spielliste) -> list[Actor]:
    tournament = spielliste.table.serie.tournament
    return [acting(tournament) for _one in range(2)]


def test_two_concurrent_corrections_of_a_list_refuse_one():
    spielliste = played()
    lines = [{**FOUR[0], "minus": [0, 23, points, 12]} for points in (54, 55)]

    told = at_once(
        *(
            lambda actor=actor, line=line: corrections.correct_line(
                actor, spielliste.pk, game=1, line=line, reason="Zahlendreher", version=12
            )
            for actor, line in zip(actors(spielliste), lines, strict=True)
        )
    )

    [refusal] = [answer for answer in told if isinstance(answer, str)]
    assert "Stand 13" in refusal
    assert Game.objects.get(number=1).line == lines[1 - told.index(refusal)]
    assert Correction.objects.count() == 1
    assert entries().count() == 1


def test_two_concurrent_verifications_of_a_list_refuse_one():
    spielliste = played()

    told = at_once(
        *(
            lambda actor=actor: checking.verify(actor, spielliste.pk, version=12)
            for actor in actors(spielliste)
        )
    )

    assert [type(answer) for answer in told].count(str) == 1
    assert entries().count() == 1
