"""Every kind of row that is proved: one field changed past the program is found and named."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import QuerySet

from tests.factories import make_person
from tests.tournaments.archive.full_tournament import everything
from tests.worlds import world
from tournaments.journal import proof, rows
from tournaments.journal.append_only import triggers_off
from tournaments.journal.rows import KINDS, PROVED, defaults
from tournaments.models import (
    Bussgeld,
    BussgeldReceipt,
    Closing,
    Game,
    ListVersion,
    Playoff,
    Receipt,
    Spielliste,
    Substitution,
    Tournament,
)
from tournaments.models.rows import Row

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("taken")]


@world
def taken() -> None:
    """A tournament with a row of every kind, all of them known to its journal."""
    tournament = everything()
    rest_of(tournament)
    proof.baseline_proof(tournament)


def rest_of(tournament: Tournament) -> None:
    """Create the rows that ``everything`` lacks."""
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


CHANGES: tuple[tuple[str, str, Any, str], ...] = (
    ("tournament", "rule_set", {"id": "anders"}, "Regelwerk: steht anders"),
    ("tournament", "prize_plan", {"x": 1}, "Preisplan: steht anders"),
    ("tournament", "kartengeld_cents", 7, "Kartengeld: steht anders"),
    ("tournament", "bussgeld", {"x": 1}, "Bußgeld: steht anders"),
    ("serie", "time_limit_minutes", 7, "Serie 1: steht anders"),
    ("category", "startgeld_cents", 7, "Startgeldgruppe Erwachsene: steht anders"),
    ("ranking", "stake_cents", 7, "Wertung Einzel: steht anders"),
    ("registration", "due_cents", 7, "Meldung 1 · "),
    ("registration", "late_startgeld_cents", 7, "Meldung 1 · "),
    ("substitution", "registration", 1, "Einwechslung "),
    ("team", "name", "Könige", "Mannschaft Könige: steht anders"),
    ("rankingchoice", "takes_part", False, "Entscheidung über eine Wertung 1 · "),
    ("teammember", "registration", 3, "Mannschaftsmitglied "),
    ("separation", "second", 5, "Trennung "),
    ("receipt", "method", "transfer", "Beleg 1: steht anders"),
    ("receipt", "difference_of", 1, "Beleg 1: steht anders"),
    ("cashentry", "amount_cents", 7, "Buchung Wechselgeld zu Beginn: 7: steht anders"),
    ("cashcount", "counted_cents", 7, "Kassensturz 7 / 5000: steht anders"),
    ("banktransaction", "amount_cents", 7, "Überweisung : 7: steht anders"),
    ("draw", "seed", "7", "Serie 1, Auslosung "),
    ("table", "number", 7, "Tisch 7: steht anders"),
    ("seat", "number", 7, "Serie 1, Platz Tisch 1, 7: "),
    ("spielliste", "bonus_size", 3, "Tisch 1, Spielliste"),
    ("spielliste", "is_late", False, "Tisch 1, Spielliste"),
    ("game", "line", {"finisher": 1}, "Tisch 1, Spiel 1: steht anders"),
    ("seatspan", "last_game", 7, "Umsetzung im Spiel"),
    ("listversion", "content_hash", "7", "Stand einer Liste"),
    ("signature", "version", 7, "Unterschrift 1 · "),
    ("bussgeld", "due_cents", 7, "Bußgeld 1 · "),
    ("bussgeldreceipt", "receipt", None, "Beleg eines Bußgelds"),
    ("penalty", "points", 7, "Strafpunkte 2 · "),
    ("correction", "after", {}, "Berichtigung 1: steht anders"),
    ("playoff", "order", [1, 2], "Entscheidungsspiel 1 > 2: steht anders"),
    ("lottery", "seed", "7", "Verlosung abababab: steht anders"),
    ("prizepayout", "goods", "zwei Körbe", "ausgegebener Preis Platz 1"),
    ("prizepayout", "part", 7, "ausgegebener Preis Platz 1"),
    ("closing", "content_hash", "7", "Abschluss 1: steht anders"),
)


@pytest.mark.parametrize(
    ("kind", "field", "value", "sentence"),
    CHANGES,
    ids=[f"{kind}.{field}" for kind, field, _value, _sentence in CHANGES],
)
def test_a_field_changed_outside_the_program_is_named(
    kind: str, field: str, value: Any, sentence: str
):
    model = KINDS[kind]
    rows: QuerySet[Any] = QuerySet(model)
    row = rows.order_by("pk")[0]
    if value is None:  # the row is put in the place of another
        row.delete()
    else:
        to: Any = model._meta.get_field(field).related_model
        with triggers_off():
            rows.filter(pk=row.pk).update(**{field: to.objects.order_by("-pk")[0] if to else value})

    said = [fault.sentence for fault in proof.of_installation()]

    assert any(sentence in text for text in said), said


def test_every_kind_of_proved_row_is_manipulated_here():
    assert {kind for kind, *_change in CHANGES} == set(KINDS)


@pytest.mark.parametrize("model", PROVED, ids=lambda model: model.__name__)
def test_every_field_of_a_row_is_proved_or_has_a_reason(model: type[Row]):
    fields = {field.name for field in model._meta.get_fields() if not field.auto_created}

    assert fields - {*model.proved} == model.unproved.keys(), "proved, or unproved with its reason"
    assert {*model.proved} <= fields
    assert all(len(reason.split()) >= 3 for reason in model.unproved.values())


def test_a_row_without_an_act_is_detected():
    Playoff.objects.create(tournament=Tournament.objects.order_by("pk")[0], order=[2, 1])

    assert "Entscheidungsspiel 2 > 1: steht anders" in next(proof.of_installation()).sentence


def test_an_unset_field_of_a_later_version_needs_no_entry():
    tournament = Tournament.objects.order_by("pk")[0]
    name = f"tournament/{tournament.pk}/late_startgeld"
    known = rows.all_hashes(tournament).keys() - {name}

    assert name not in rows.without_new_fields(rows.all_hashes(tournament), known)
    Tournament.objects.filter(pk=tournament.pk).update(late_startgeld="none")
    assert name in rows.without_new_fields(rows.all_hashes(tournament), known)


def test_proofs_of_a_row_do_not_depend_on_time():
    """A clock that goes in steps, as on Windows, says the same time to the row and to its entry."""
    assert [defaults(model) for model in PROVED] == [defaults(model) for model in PROVED]


def test_defaults_of_proved_fields_never_change():
    fields = {
        f"{kind}.{name}": value
        for kind, model in KINDS.items()
        for name, value in defaults(model).items()
        if value
    }

    assert fields == {
        "tournament.status": "draft",
        "tournament.is_open": True,
        "tournament.protest_minutes": 15,
        "tournament.names_in_hall": True,
        "tournament.public_seating": True,
        "tournament.public_ranking": "live",
        "tournament.ended_lists": "extrapolated",
        "tournament.late_startgeld": "full",
        "serie.seating": "cards",
        "registration.status": "registered",
        "draw.status": "draft",
        "spielliste.status": "open",
        "penalty.status": "proposed",
        "correction.status": "done",
        "prizepayout.part": 1,
    }


def _stored(held: list[Row]) -> dict[str, str | None]:
    return rows.merged(rows.hashes_of(rows.keys_of(held)).values())


def test_instances_and_stored_rows_have_the_same_proof():
    games = Game.objects.order_by("pk")
    held = [*games, *Spielliste.objects.all()]

    assert rows.hashes_in_memory(held) == _stored(held) != {}
    game = games[0]
    game.number += 1
    assert rows.hashes_in_memory([game]) != _stored([game])
