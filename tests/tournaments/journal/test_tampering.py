"""Any change made directly in the database is detected."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import transaction

from tests.factories import COMMAND, make_person
from tests.tournaments.journal.helpers import played_tournament
from tests.worlds import world
from tournaments.journal import anchors, proof
from tournaments.journal import services as journal
from tournaments.journal.append_only import triggers_off
from tournaments.machine.hashes import hash_of
from tournaments.models import (
    CashCount,
    CashEntry,
    Game,
    JournalChain,
    JournalEntry,
    Penalty,
    Playoff,
    Receipt,
    Registration,
    Seat,
    Spielliste,
    Tournament,
)
from tournaments.models.journal import GENESIS
from tournaments.people.services.anonymise import anonymise_person

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("unguarded")]
played = world(played_tournament)


@pytest.fixture
def unguarded(played: Tournament) -> Iterator[None]:
    """Drop the triggers, as an owner of the database can."""
    with triggers_off():
        yield


def chain() -> JournalChain:
    return JournalChain.objects.get(tournament__isnull=False)


def entry(place: int = -1) -> JournalEntry:
    return list(chain().entries.order_by("number"))[place]


def note(*, by: str = "results_released") -> None:
    """Let an act follow."""
    with transaction.atomic():
        journal.record(Tournament.objects.get(), COMMAND, by)


def recompute_the_chain() -> None:
    """Make all hashes of the chain and the row of its end fit again."""
    entries_of, previous = chain(), GENESIS
    for number, entry_row in enumerate(entries_of.entries.order_by("number"), start=1):
        entry_row.number, entry_row.previous_hash = number, previous
        entry_row.hash = previous = journal.seal(journal.facts_of(entry_row), entries_of.scope)
        entry_row.save()
        entries_of.last_number, entries_of.last_hash = number, previous
    entries_of.save()


def set_back() -> None:
    entry().delete()
    last = entry()
    JournalChain.objects.filter(pk=last.chain_id).update(
        last_number=last.number, last_hash=last.hash
    )


def restore_and_continue() -> None:
    set_back()
    note()


def change_and_reckon() -> None:
    entry_row = entry(5)
    entry_row.reason = "untergeschoben"
    entry_row.save()
    recompute_the_chain()


def delete_and_reckon() -> None:
    entry(5).delete()
    recompute_the_chain()


def append_one() -> None:
    last = entry()
    last.pk, last.number, last.previous_hash = None, last.number + 1, last.hash
    last.hash = journal.seal(journal.facts_of(last), last.chain.scope)
    last.save(force_insert=True)
    JournalChain.objects.filter(pk=last.chain_id).update(
        last_number=last.number, last_hash=last.hash
    )


def remove_chain() -> None:
    removed = chain()
    removed.entries.all().delete()
    removed.delete()


def remove_and_restart_the_chain() -> None:
    remove_chain()
    note()
    note(by="tournament_created")


def swap_numbers() -> None:
    first, second = Registration.objects.order_by("number")[:2]
    Registration.objects.filter(pk=first.pk).update(number=99)
    Registration.objects.filter(pk=second.pk).update(number=1)
    Registration.objects.filter(pk=first.pk).update(number=2)


def swap_seats() -> None:
    first, second = Seat.objects.order_by("number")[:2]
    Seat.objects.filter(pk=second.pk).delete()
    Seat.objects.filter(pk=first.pk).update(registration=second.registration)
    second.registration = first.registration
    second.save(force_insert=True)


def new_receipt() -> None:
    tournament = Tournament.objects.get()
    receipt = Receipt.objects.create(tournament=tournament, number=99, method="cash")
    CashEntry.objects.create(receipt=receipt, kind="other", amount_cents=-500)


def new_playoff() -> None:
    Playoff.objects.create(tournament=Tournament.objects.get(), order=[2, 1])


def invalid_list() -> None:
    Spielliste.objects.update(
        status="invalid", invalid_reason="so", status_before_invalid="verified"
    )


@pytest.mark.once  # test_rows.py asks for each field of each row on both
@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        pytest.param(lambda: entry(3).delete(), "fehlt", id="entry deleted"),
        pytest.param(
            lambda: JournalEntry.objects.filter(number=4).update(reason="x"),
            "wurde verändert",
            id="entry changed",
        ),
        pytest.param(lambda: entry().delete(), "fehlt", id="last entry deleted"),
        pytest.param(set_back, "trägt nicht das Siegel", id="tail cut, chain set back"),
        pytest.param(restore_and_continue, "trägt nicht das Siegel", id="cut, then an act"),
        pytest.param(change_and_reckon, "trägt nicht das Siegel", id="chain reckoned anew"),
        pytest.param(delete_and_reckon, "trägt nicht das Siegel", id="deleted and reckoned"),
        pytest.param(append_one, "trägt nicht das Siegel", id="one appended"),
        pytest.param(remove_chain, "Der Anfang", id="chain removed"),
        pytest.param(remove_and_restart_the_chain, "Der Anfang", id="chain removed and begun anew"),
        pytest.param(
            lambda: Game.objects.filter(number=3).update(line={"finisher": 3, "minus": [0]}),
            "Serie 1, Tisch 1, Spiel 3",
            id="points",
        ),
        pytest.param(
            lambda: Game.objects.filter(number=12).delete(),
            "Spiel mit dem Schlüssel",
            id="game deleted",
        ),
        pytest.param(invalid_list, "Tisch 1, Spielliste", id="status of a list"),
        pytest.param(
            lambda: Spielliste.objects.update(bonus_size=3), "Tisch 1, Spielliste", id="bonus"
        ),
        pytest.param(lambda: Penalty.objects.update(points=10), "Strafpunkte", id="Strafpunkte"),
        pytest.param(lambda: Penalty.objects.all().delete(), "Strafpunkte", id="they are gone"),
        pytest.param(
            lambda: CashEntry.objects.filter(amount_cents=1500).update(amount_cents=2000),
            "Beleg 2",
            id="amounts",
        ),
        pytest.param(
            lambda: CashEntry.objects.filter(receipt__number=3).delete(), "Buchung", id="no entry"
        ),
        pytest.param(new_receipt, "Beleg 99", id="a receipt nobody booked"),
        pytest.param(
            lambda: CashCount.objects.update(counted_cents=1), "Kassensturz", id="till count"
        ),
        pytest.param(
            lambda: Registration.objects.filter(number=1).update(status="excluded"),
            "Meldung 1 · ",
            id="status of a registration",
        ),
        pytest.param(
            lambda: Registration.objects.filter(number=1).update(present_at=None),
            "Meldung 1 · ",
            id="who is there",
        ),
        pytest.param(swap_numbers, "Meldung 2 · ", id="start numbers"),
        pytest.param(
            lambda: Registration.objects.filter(number=1).update(person=make_person()),
            "Meldung 1 · ",
            id="another person",
        ),
        pytest.param(swap_seats, "Serie 1, Platz Tisch 1, 1", id="seats"),
        pytest.param(new_playoff, "Entscheidungsspiel", id="an Entscheidungsspiel"),
    ],
)
def test_changes_in_the_database_are_detected(act: Callable[[], object], sentence: str):
    assert list(proof.of_installation()) == []

    act()

    said = [fault.sentence for fault in proof.of_installation()]
    assert any(sentence in text for text in said), said


def test_an_anchor_detects_a_restored_older_state(tmp_path: Path, capsys):
    before = JournalChain.objects.values("last_number", "last_hash", "mac").get(pk=chain().pk)
    note()
    file = tmp_path / "anker.json"
    file.write_text(json.dumps(anchors.anchors()))
    call_command("verify_journal", "--anchor", str(file))
    number = entry().number
    entry().delete()
    JournalChain.objects.filter(pk=chain().pk).update(**before)

    call_command("verify_journal")
    with pytest.raises(SystemExit) as stopped:
        call_command("verify_journal", "--anchor", str(file))

    assert stopped.value.code == 1
    assert f"Eintrag {number} ist nicht der, der hier am" in capsys.readouterr().err


def test_a_manipulated_anchor_is_refused(tmp_path: Path, capsys):
    said = anchors.anchors()
    said["chains"][0]["hash"] = hash_of("anders")
    file = tmp_path / "anker.json"
    file.write_text(json.dumps(said))

    with pytest.raises(SystemExit) as stopped:
        call_command("verify_journal", "--anchor", str(file))

    assert stopped.value.code == 2
    assert json.loads(capsys.readouterr().err)["errors"][0]["where"] == "signature"


def test_a_lost_key_is_reported_and_replaced_openly(settings, capsys):
    settings.INSTALLATION_KEY = lambda: b"\x02" * 32
    with pytest.raises(SystemExit):
        call_command("verify_journal")

    call_command("verify_journal", "--reseal", "Festplatte kaputt")

    said = capsys.readouterr()
    assert "ihr Schlüssel ist ein anderer als damals" in said.err
    assert "neu versiegelt (Festplatte kaputt)" in said.out


def test_a_manipulated_chain_is_not_sealed_again(capsys):
    JournalEntry.objects.filter(number=4).update(reason="x")

    with pytest.raises(SystemExit) as stopped:
        call_command("verify_journal", "--reseal", "nur so")

    assert stopped.value.code == 2
    assert "Eintrag 4 wurde verändert." in capsys.readouterr().err


def test_anonymising_a_person_keeps_the_journal_valid():
    Tournament.objects.update(status=Tournament.Status.CLOSED)
    proof.baseline_proof(Tournament.objects.get())
    person = Registration.objects.get(number=1).person

    anonymise_person(person_id=person.pk, typed_name=person.full_name, actor=COMMAND)

    assert list(proof.of_installation()) == []
