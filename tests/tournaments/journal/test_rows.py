"""Every kind of row that is proved: one field changed past the program is found and named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from django.db.models import Model, QuerySet
from pytest_django.plugin import DjangoDbBlocker

from tests.factories import COMMAND, make_person, make_tournament
from tests.tournaments.archive.everything import everything
from tournaments.journal import proof, rows
from tournaments.journal import services as journal
from tournaments.journal.append_only import triggers_off
from tournaments.journal.rows import PROVED
from tournaments.models import (
    BankTransaction,
    Bussgeld,
    BussgeldReceipt,
    CashCount,
    CashEntry,
    Category,
    Closing,
    Correction,
    Draw,
    Game,
    ListVersion,
    Penalty,
    Playoff,
    PrizePayout,
    Ranking,
    Receipt,
    Registration,
    Seat,
    SeatSpan,
    Separation,
    Serie,
    Signature,
    Spielliste,
    Substitution,
    Table,
    Team,
    TeamMember,
    Tournament,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def taken(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A tournament with a row of every kind, all of them known to its journal."""
    with django_db_blocker.unblock(), transaction.atomic():
        tournament = everything()
        rest_of(tournament)
        proof.take_as_it_is(tournament)
        yield
        transaction.set_rollback(True)


def rest_of(tournament: Tournament) -> None:
    """What everything has no row of."""
    player = tournament.registrations.order_by("pk")[0]
    other = make_person()
    Substitution.objects.create(
        registration=player, left=other, joined=player.person, reason="krank"
    )
    BussgeldReceipt.objects.create(
        bussgeld=Bussgeld.objects.get(), receipt=Receipt.objects.order_by("pk")[0]
    )
    ListVersion.objects.create(
        spielliste=Spielliste.objects.order_by("pk")[0],
        version=1,
        content={},
        content_hash="ab" * 32,
    )
    Closing.objects.create(
        tournament=tournament,
        number=1,
        closed_at=tournament.starts_at,
        content={},
        content_hash="ab" * 32,
    )


CHANGES: tuple[tuple[type[Model], str, Any, str], ...] = (
    (Tournament, "rule_set", {"id": "anders"}, "Regelwerk: steht anders"),
    (Tournament, "prize_plan", {"x": 1}, "Preisplan: steht anders"),
    (Tournament, "kartengeld_cents", 7, "Kartengeld: steht anders"),
    (Tournament, "bussgeld", {"x": 1}, "Bußgeld: steht anders"),
    (Serie, "time_limit_minutes", 7, "Serie 1: steht anders"),
    (Category, "startgeld_cents", 7, "Startgeldgruppe Erwachsene: steht anders"),
    (Ranking, "stake_cents", 7, "Wertung Einzel: steht anders"),
    (Registration, "due_cents", 7, "Meldung 1 · "),
    (Substitution, "registration", 1, "Einwechslung "),
    (Team, "name", "Könige", "Mannschaft Könige: steht anders"),
    (TeamMember, "registration", 3, "Mannschaftsmitglied "),
    (Separation, "second", 5, "Trennung "),
    (Receipt, "method", "transfer", "Beleg 1: steht anders"),
    (CashEntry, "amount_cents", 7, "Buchung Wechselgeld zu Beginn: 7: steht anders"),
    (CashCount, "counted_cents", 7, "Kassensturz 7 / 5000: steht anders"),
    (BankTransaction, "amount_cents", 7, "Überweisung : 7: steht anders"),
    (Draw, "seed", "7", "Serie 1, Auslosung "),
    (Table, "number", 7, "Tisch 7: steht anders"),
    (Seat, "number", 7, "Serie 1, Platz Tisch 1, 7: "),
    (Spielliste, "bonus_size", 3, "Tisch 1, Spielliste"),
    (Game, "line", {"finisher": 1}, "Tisch 1, Spiel 1: steht anders"),
    (SeatSpan, "last_game", 7, "Umsetzung im Spiel"),
    (ListVersion, "content_hash", "7", "Fassung einer Liste"),
    (Signature, "version", 7, "Unterschrift 1 · "),
    (Bussgeld, "due_cents", 7, "Bußgeld 1 · "),
    (BussgeldReceipt, "receipt", None, "Beleg eines Bußgelds"),
    (Penalty, "points", 7, "Strafpunkte 2 · "),
    (Correction, "after", {}, "Berichtigung 1: steht anders"),
    (Playoff, "order", [1, 2], "Entscheidungsspiel 1 > 2: steht anders"),
    (PrizePayout, "goods", "zwei Körbe", "ausgegebener Preis Platz 1"),
    (Closing, "content_hash", "7", "Abschluss 1: steht anders"),
)


@pytest.mark.parametrize(
    ("model", "field", "value", "sentence"),
    CHANGES,
    ids=[f"{model.__name__}.{field}" for model, field, _value, _sentence in CHANGES],
)
def test_a_field_changed_past_the_program_is_found_and_named(
    model: type[Model], field: str, value: Any, sentence: str
):
    rows: QuerySet[Any] = QuerySet(model)
    row = rows.order_by("pk")[0]
    if value is None:  # the row is put in the place of another
        row.delete()
    else:
        to: Any = model._meta.get_field(field).related_model
        with triggers_off():
            rows.filter(pk=row.pk).update(**{field: to.objects.order_by("-pk")[0] if to else value})

    said = [found.sentence for found in proof.of_installation()]

    assert any(sentence in one for one in said), said


def test_every_kind_of_row_that_is_proved_is_changed_here():
    assert {model for model, *_change in CHANGES} == set(PROVED)


def test_a_row_that_no_act_made_is_found():
    Playoff.objects.create(tournament=Tournament.objects.order_by("pk")[0], order=[2, 1])

    assert "Entscheidungsspiel 2 > 1: steht anders" in next(proof.of_installation()).sentence


def test_a_field_of_a_later_version_needs_no_entry_until_it_is_set():
    tournament = Tournament.objects.order_by("pk")[0]
    name = f"tournament/{tournament.pk}/late_startgeld"
    known = rows.all_hashes(tournament).keys() - {name}

    assert name not in rows.without_new_fields(rows.all_hashes(tournament), known)
    Tournament.objects.filter(pk=tournament.pk).update(late_startgeld="none")
    assert name in rows.without_new_fields(rows.all_hashes(tournament), known)


def test_an_update_takes_the_rows_of_earlier_versions_as_they_are_once():
    earlier = make_tournament()
    with transaction.atomic():
        journal.record(earlier, COMMAND, "tournament_created", earlier)  # names no rows

    proof.take_all_as_they_are()
    proof.take_all_as_they_are()

    actions = earlier.journal_chain.entries.order_by("number").values_list("action", flat=True)
    assert list(actions) == ["tournament_created", "rows_taken"]
    assert list(proof.of_tournament(earlier)) == []
