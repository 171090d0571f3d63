"""What is asked by statements that were built once is what Django's own way finds and stores."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection, models
from django.utils import timezone

from tests.factories import make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie
from tests.tournaments.lists.helpers import game, keeper_of
from tournaments.models import Game, Serie, Spielliste, Submission, prepared
from tournaments.models.prepared import Prepared, Writes, insert_new

pytestmark = pytest.mark.django_db


def told(row: Any, back: Any = None) -> Any:
    """Return all that a row says, with those that were fetched with it but what leads *back*."""
    if not isinstance(row, models.Model):
        return row
    values = {name: value for name, value in vars(row).items() if name != "_state"}
    fetched = row._state.fields_cache.items()
    return values | {name: told(one, row) for name, one in fetched if one is not back}


def test_what_a_game_reads_is_what_the_orm_reads(monkeypatch: pytest.MonkeyPatch):
    keeper = keeper_of(list_of(make_seated_serie(make_tournament())))
    ask, asked = Prepared.rows, []

    def ask_twice(self: Prepared[Any], *values: int | str, **after: Writes | None) -> list[Any]:
        found = ask(self, *values, **after)
        assert [told(row) for row in found] == [told(row) for row in self.build(*values)]
        asked.append(bool(found))
        return found

    monkeypatch.setattr(Prepared, "rows", ask_twice)
    for number, line in enumerate(FOUR[:2], start=1):
        sent = game(number, number - 1, line)
        assert keeper.send("game", f"spiel-nummer-{number}", **sent).status_code == 200
    assert keeper.send("game", "spiel-nummer-2", **sent).status_code == 200

    assert len(asked) > 4
    assert all(asked)


def test_rows_read_as_they_come_are_all_of_them(
    monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
):
    monkeypatch.setattr(prepared, "ROWS_AT_ONCE", 2)
    tournament = make_tournament(serien=5)
    serien = Prepared(lambda key: Serie.objects.filter(tournament_id=key).order_by("number"))

    with django_assert_num_queries(1):
        found = list(serien.as_they_come(tournament.pk))

    assert len(found) == 5
    assert [told(one) for one in found] == [told(one) for one in serien.rows(tournament.pk)]
    assert list(serien.as_they_come(tournament.pk + 1)) == []


def test_a_row_that_is_inserted_and_changed_is_as_if_it_were_saved():
    spielliste = list_of(make_seated_serie(make_tournament()))
    told_of = {"spielliste": spielliste, "kind": "game", "digest": "x", "answer": {"ä": [1, None]}}
    quick, usual = (Submission(key=key, **told_of) for key in ("schnell", "üblich"))

    assert insert_new(quick)
    usual.save(force_insert=True)
    quick.kind = "call"
    writes = Writes()
    writes.update(quick, "kind")
    writes.carry_out()

    found, other = Submission.objects.get(pk=quick.pk), Submission.objects.get(pk=usual.pk)
    assert (found.key, found.kind, found.created_at) == ("schnell", "call", quick.created_at)
    assert (found.answer, found.spielliste, found.by) == (other.answer, other.spielliste, other.by)
    quick.kind = "game"
    quick.save()  # it knows that it is stored
    assert Submission.objects.count() == 2


def test_a_row_that_is_there_is_not_stored_again():
    spielliste = list_of(make_seated_serie(make_tournament()))
    first, again = (Submission(key="derselbe", spielliste=spielliste) for _arrival in range(2))

    stored = [insert_new(one) for one in (first, again)]

    assert stored == [True, False]
    assert again.pk is None
    assert Submission.objects.get() == first


def test_what_waits_is_done_with_the_statement_after_it(django_assert_num_queries):
    spielliste = list_of(make_seated_serie(make_tournament()))
    asking = Prepared(lambda key: Spielliste.objects.filter(pk=key))
    writes = Writes()
    game = Game(spielliste=spielliste, number=1, line=FOUR[0], entered_at=timezone.now())
    spielliste.version = 7

    with django_assert_num_queries(1 if connection.vendor == "postgresql" else 3):
        writes.insert(game)
        writes.update(spielliste, "version")
        found = asking.first(spielliste.pk, after=writes)

    assert found == spielliste
    assert Game.objects.get(spielliste__version=7).line == FOUR[0]
    writes.carry_out()  # nothing waits any more
    assert Game.objects.count() == 1
