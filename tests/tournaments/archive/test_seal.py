"""Manipulations of a saved file are detected by its seal or by its journal."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from django.db import transaction

from scoring.errors import ScoringError
from tests.factories import COMMAND
from tests.tournaments.archive.helpers import sealed_again, unsealed
from tests.tournaments.journal.helpers import played_tournament
from tournaments.archive import seal
from tournaments.archive.importing import import_archive
from tournaments.archive.writing import archive_text
from tournaments.journal import proof, sealing
from tournaments.journal import services as journal
from tournaments.journal.queries.seals import origin_of
from tournaments.journal.rows import Hashes, all_hashes
from tournaments.machine.hashes import hash_of
from tournaments.models import ArchivedJournal, Game, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Data = dict[str, Any]


@cache
def saved() -> str:
    """The archive of a tournament that was played by its services, and is not here any more."""
    with transaction.atomic():
        text = archive_text(played_tournament())
        transaction.set_rollback(True)
    return text


@pytest.fixture
def text() -> str:
    """As :func:`saved`, once for all tests."""
    return saved()


def first_list(data: Data) -> Data:
    spielliste: Data = data["series"][0]["tables"][0]["list"]
    return spielliste


def change_points(data: Data) -> None:
    first_list(data)["games"][0]["minus"] = [0, 20, 45, 12]


def change_status(data: Data) -> None:
    first_list(data)["status"] = "handed_in"
    for name in ("verified_at", "verified_by"):
        data["list_details"][0][name] = None


def five_euro_more(data: Data) -> None:
    data["cash_entries"][1]["amount_cents"] += 500
    data["registrations"][0]["paid_cents"] += 500


def payment_away(data: Data) -> None:
    data["cash_entries"].pop(1)
    data["registrations"][0]["paid_cents"] -= 1500


def exclude(data: Data) -> None:
    data["registrations"][1]["status"] = "excluded"


def swap_seats(data: Data) -> None:
    seats = data["series"][0]["tables"][0]["seats"]
    seats[0], seats[1] = seats[1], seats[0]


def bent_list(data: Data) -> None:
    data["penalties"][0]["points"] += 100
    first_list(data)["penalties"][0]["points"] += 100


FACTS = [
    pytest.param(change_points, "Serie 1, Tisch 1, Spiel 1: steht anders", id="points"),
    pytest.param(change_status, "Spielliste Tisch 1: steht anders", id="status"),
    pytest.param(
        five_euro_more, "Beleg 2, Buchung Startgeld: 2000: steht anders", id="five euro more"
    ),
    pytest.param(payment_away, "verweist auf etwas, das nicht", id="a cash entry away"),
    pytest.param(exclude, "Meldung 2 · ", id="a registration"),
    pytest.param(swap_seats, "Serie 1, Platz Tisch 1, 1: 2", id="seats"),
    pytest.param(bent_list, "Strafpunkte", id="Strafpunkte"),
]


def cut(number: int) -> Callable[[Data], None]:
    def act(data: Data) -> None:
        entries = data["journal"][0]["entries"]
        del entries[len(entries) - number if number else 0 :]

    return act


def cut_the_last(data: Data) -> None:
    data["journal"][0]["entries"].pop()


def cut_all(data: Data) -> None:
    data["journal"][0]["entries"].clear()


def forge(data: Data) -> None:
    """Seal with a key that anyone can sign for: key and signature are the neutral point."""
    change_points(data)
    neutral = "01" + "00" * 31
    written = {name: value for name, value in data.items() if name != seal.NAME}
    data["seal"].update(key=neutral, signature=neutral + "00" * 32, facts=hash_of(written))


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        *(pytest.param(fact.values[0], "passt nicht zum Inhalt", id=fact.id) for fact in FACTS),
        pytest.param(cut_the_last, "Versiegelt sind", id="the last entry gone"),
        pytest.param(cut_all, "stehen 0", id="all entries gone"),
        pytest.param(lambda data: data.pop("journal"), "stehen 0", id="no journal"),
        pytest.param(lambda data: data.pop("corrections"), "zum Inhalt", id="a section gone"),
        pytest.param(lambda data: data["seal"].update(facts="0" * 64), "nicht echt", id="seal"),
        pytest.param(lambda data: data["seal"].update(key="0" * 64), "nicht echt", id="key"),
        pytest.param(forge, "nicht echt", id="key of low order"),
        pytest.param(lambda data: data["seal"].pop("signature"), "fehlt", id="no signature"),
    ],
)
def test_a_sealed_file_that_was_changed_is_refused(
    text: str, act: Callable[[Data], object], sentence: str
):
    data = json.loads(text)
    act(data)

    with pytest.raises(ScoringError, match=sentence):
        import_archive(json.dumps(data).encode(), actor=COMMAND)

    assert not Tournament.objects.exists()


@pytest.mark.parametrize("is_sealed", [False, True])
@pytest.mark.parametrize(("act", "sentence"), FACTS)
def test_data_contradicting_the_journal_are_refused(
    text: str, act: Callable[[Data], None], sentence: str, is_sealed: bool
):
    data = unsealed(text)
    act(data)

    with pytest.raises(ScoringError, match=sentence):
        import_archive(
            sealed_again(data) if is_sealed else json.dumps(data).encode(), actor=COMMAND
        )

    assert not Tournament.objects.exists()


def test_an_unchanged_file_is_imported_and_its_seal_described(text: str):
    tournament = import_archive(text.encode(), actor=COMMAND)

    assert archive_text(tournament) == text
    assert list(proof.of_installation()) == []
    number = len(json.loads(text)["journal"][0]["entries"])
    assert proof.summary() == [
        "Protokoll vollständig: 1 Eintrag in 1 Kette.",
        f"„Sommerturnier“: {number} mitgebrachte Einträge, ganz.",
        "„Sommerturnier“ kam mit dem Siegel dieser Installation.",
    ]


def test_an_import_without_a_seal_stays_marked(text: str):
    once = import_archive(json.dumps(unsealed(text)).encode(), actor=COMMAND)
    assert not origin_of(once).lacks_journal
    Tournament.objects.filter(pk=once.pk).update(slug="erstes")
    again = json.loads(archive_text(once))
    tournament = import_archive(json.dumps(again).encode(), actor=COMMAND)

    assert origin_of(tournament).seals == (None,)
    assert again["seal"]["seals"] == [None]
    assert any("Datei ohne Siegel" in sentence for sentence in proof.summary())


def test_the_seal_of_another_installation_is_named(text: str, settings: Any):
    theirs = sealing.fingerprint()
    settings.INSTALLATION_KEY = lambda: b"\x01" * 32

    tournament = import_archive(text.encode(), actor=COMMAND)

    assert origin_of(tournament).seals == (theirs,)
    assert json.loads(archive_text(tournament))["seal"]["seals"] == [theirs]
    assert any(theirs in sentence for sentence in proof.summary())


def bend_brought() -> None:
    kept = ArchivedJournal.objects.get()
    kept.entries.pop()
    kept.save()


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        pytest.param(bend_brought, "nicht mehr das, das eingelesen", id="brought journal cut"),
        pytest.param(lambda: ArchivedJournal.objects.all().delete(), "eingelesen", id="it is gone"),
        pytest.param(
            lambda: Game.objects.filter(number=3).update(line={"finisher": 1}),
            "Spiel 3: steht anders",
            id="points",
        ),
    ],
)
def test_manipulations_of_an_imported_file_are_detected_later(
    text: str, act: Callable[[], object], sentence: str
):
    import_archive(json.dumps(unsealed(text)).encode(), actor=COMMAND)

    act()

    assert any(sentence in fault.sentence for fault in proof.of_installation())


def test_an_act_while_rows_are_read_is_no_difference(text: str, monkeypatch: pytest.MonkeyPatch):
    """The first one after the import, which begins the journal here."""
    tournament = import_archive(text.encode(), actor=COMMAND)
    waiting = [7, 8]

    def change_and_read(tournament: Tournament) -> Hashes:
        if waiting:
            Tournament.objects.update(protest_minutes=waiting.pop())
            journal.record(tournament, COMMAND, "tournament_changed", rows=[tournament])
        return all_hashes(tournament)

    monkeypatch.setattr(proof, "all_hashes", change_and_read)

    assert list(proof.of_tournament(tournament)) == []
    assert waiting == []
