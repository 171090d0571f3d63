"""Copying a paper list: whole, up to the first doubt, without overwriting the work of others."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from tests.factories import COMMAND, acting
from tests.factories_lists import list_of, write_games
from tests.tournaments.hall.helpers import SOUND, played, running
from tests.worlds import world
from tournaments.common.actors import Actor
from tournaments.common.errors import DoubtfulInput, InvalidInput, WrongStatus
from tournaments.hall.services import paper_lists
from tournaments.journal import proof
from tournaments.lists.services.spiellisten import enter_game, keep_on_paper
from tournaments.models import JournalEntry, Serie, Spielliste, TableDevice, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Status = Spielliste.Status
RARE = {"finisher": 1, "handromme": False, "minus": [0, 23, 45, 180]}


def copy(
    spielliste: Spielliste, lines: Any = SOUND, *, by: Actor = COMMAND, **kwargs: Any
) -> paper_lists.CopyResult:
    values = {"version": Spielliste.objects.get(pk=spielliste.pk).version, **kwargs}
    return paper_lists.enter_whole_list(by, spielliste.pk, lines=lines, **values)


def sound(spielliste: Spielliste, lines: Any) -> paper_lists.CopyResult:
    version = Spielliste.objects.get(pk=spielliste.pk).version
    return paper_lists.enter_sound_lines(COMMAND, spielliste.pk, lines=lines, version=version)


def stored(spielliste: Spielliste) -> list[dict[str, Any]]:
    return list(spielliste.games.order_by("number").values_list("line", flat=True))


def keeper(serie: Serie) -> TableDevice:
    return TableDevice.objects.create(
        table=serie.tables.get(), token_hash="a", is_keeper=True, last_seen_at=timezone.now()
    )


def entries(tournament: Tournament) -> list[JournalEntry]:
    return list(JournalEntry.objects.filter(chain__tournament=tournament).order_by("number"))


def facts(entry: JournalEntry) -> tuple[Any, ...]:
    """Return the facts of an entry about a game, and the number of its proved rows."""
    return entry.number, entry.action, entry.after, entry.reason, len(entry.rows or {})


spielliste = world(lambda: list_of(running()))


def test_copying_a_whole_list_starts_its_serie():
    serie = running()
    copied = copy(list_of(serie), sums=[290, 311, 339, 351])

    spielliste = Spielliste.objects.get()
    assert stored(spielliste) == list(SOUND)
    assert copied.stored == 12
    assert (spielliste.status, spielliste.on_paper) == (Status.COMPLETE, True)
    assert spielliste.version == copied.spielliste.version == 12
    assert spielliste.paper_sums == [290, 311, 339, 351]
    assert Serie.objects.get(pk=serie.pk).started_at is not None
    assert JournalEntry.objects.filter(action="game_entered").count() == 12


def test_a_whole_list_needs_no_more_statements_than_a_game(django_assert_num_queries: Any):
    first, second = (list_of(running(), 1) for _tournament in range(2))

    with django_assert_num_queries(33):
        copy(first, SOUND[:1])
    with django_assert_num_queries(33):
        copy(second, SOUND)


def test_copied_lists_and_entered_lines_have_the_same_journal():
    copied, entered = (list_of(running()) for _tournament in range(2))
    tournaments = [spielliste.table.serie.tournament for spielliste in (copied, entered)]
    for tournament, spielliste in zip(tournaments, (copied, entered), strict=True):
        proof.baseline_proof(tournament)
        keep_on_paper(COMMAND, spielliste.pk, on_paper=True)

    copy(copied)
    for number, line in enumerate(SOUND, start=1):
        enter_game(COMMAND, entered.pk, number=number, line=line, version=number - 1)

    at_once, by_line = (entries(tournament) for tournament in tournaments)
    assert [entry.action for entry in at_once[-13:]] == ["serie_started", *["game_entered"] * 12]
    assert [facts(entry) for entry in at_once[-12:]] == [facts(entry) for entry in by_line[-12:]]
    for tournament in tournaments:
        assert list(proof.of_tournament(tournament)) == []
        tournament.refresh_from_db()
        assert tournament.revision == len(entries(tournament)) == 15


def test_a_list_started_on_a_device_is_finished_from_paper():
    spielliste = write_games(list_of(running()), SOUND[:5])

    copy(spielliste)

    assert stored(spielliste) == list(SOUND)
    assert JournalEntry.objects.filter(action="game_entered").count() == 7


def test_copying_corrects_typing_errors_and_removes_surplus_games(spielliste: Spielliste):
    copy(spielliste, [*SOUND[:2], SOUND[3]])

    copy(spielliste, [SOUND[0], SOUND[2]])

    assert stored(spielliste) == [SOUND[0], SOUND[2]]
    changed = JournalEntry.objects.get(action="game_changed")
    assert changed.before["line"] == SOUND[1]
    assert JournalEntry.objects.filter(action="game_taken_back").count() == 1


def test_copying_an_unchanged_list_is_no_act(spielliste: Spielliste):
    copy(spielliste, sums=[290, 311, 339, 351])
    entries = JournalEntry.objects.count()

    copy(spielliste, sums=[290, 311, 339, 351])

    assert JournalEntry.objects.count() == entries


def test_empty_sums_are_ignored(spielliste: Spielliste):
    copy(spielliste, sums=[290, None, None, None])
    assert Spielliste.objects.get().paper_sums == [290, None, None, None]

    copy(spielliste, sums=[None, None, None, None])

    assert Spielliste.objects.get().paper_sums == []


def test_an_unreadable_cell_cannot_be_accepted():
    serie = running()
    broken = {"finisher": 9, "handromme": False, "minus": [1, 2, 3]}

    with pytest.raises(InvalidInput):
        copy(list_of(serie), [broken], by=acting(serie.tournament), override_reason="egal")


def test_unclear_readings_are_confirmed_and_kept(spielliste: Spielliste):
    unclear = {"finisher": 1, "handromme": False, "minus": [0, [17, 71], 45, 12]}

    with pytest.raises(DoubtfulInput, match="17 oder 71"):
        copy(spielliste, [unclear])
    copy(spielliste, [unclear], confirmed=True)

    assert stored(spielliste) == [unclear]


def test_lines_are_stored_while_typing_up_to_the_first_doubt(
    spielliste: Spielliste,
):
    copied = sound(spielliste, [SOUND[0], SOUND[1], RARE, SOUND[3]])

    assert copied.stored == len(stored(spielliste)) == 2
    assert [doubt.where for doubt in copied.doubts] == ["games[2].minus[3]"]
    assert copied.problems == ()


def test_typing_removes_no_games(spielliste: Spielliste):
    copy(spielliste, SOUND[:6])

    sound(spielliste, [SOUND[0], SOUND[2]])

    assert stored(spielliste) == [SOUND[0], SOUND[2], *SOUND[2:6]]


def test_a_list_kept_by_a_device_is_not_overwritten():
    serie = running()
    keeper(serie)

    with pytest.raises(WrongStatus, match="führt ein Gerät die Liste"):
        copy(list_of(serie))


def test_a_paper_list_is_copied_although_its_device_is_present():
    serie = running()
    keeper(serie)
    Spielliste.objects.update(on_paper=True)

    assert copy(list_of(serie)).stored == 12


@pytest.mark.parametrize("status", [Status.SIGNED, Status.VERIFIED, Status.INVALID])
def test_a_signed_list_changes_by_correction_only(status):
    with pytest.raises(WrongStatus, match="durch eine Berichtigung"):
        copy(played(running(), status=status), SOUND[:3])
