"""Concurrent acts at control: money and lines are stored once, and one act is refused."""

from __future__ import annotations

from functools import partial

import pytest

from tests.concurrency import at_once
from tests.factories import COMMAND
from tests.factories_lists import list_of
from tests.tournaments.hall.helpers import DUE_TOTAL, SOUND, played, running
from tournaments.cash.queries import balances
from tournaments.hall.services import handing_in, paper_lists
from tournaments.models import Game, Receipt, Spielliste

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_people_take_the_same_table_and_the_money_is_booked_once():
    serie = running()
    spielliste = played(serie, status=Spielliste.Status.SIGNED)

    take = partial(handing_in.take_all, COMMAND, spielliste.pk, expected_cents=DUE_TOTAL)
    answers = at_once(take, take)

    assert sorted(type(answer).__name__ for answer in answers) == ["Spielliste", "str"]
    assert Receipt.objects.count() == 1
    assert balances.till_cents(serie.tournament) == DUE_TOTAL


def test_two_people_copying_one_list_refuse_one():
    spielliste = list_of(running())

    copy = partial(paper_lists.enter_whole_list, COMMAND, spielliste.pk, lines=SOUND, version=0)
    answers = at_once(copy, copy)

    assert sorted(type(answer).__name__ for answer in answers) == ["CopyResult", "str"]
    assert Game.objects.count() == 12
