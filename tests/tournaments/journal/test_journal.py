"""The journal can only grow, and a broken chain is found."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction

from tests.factories import COMMAND, make_tournament
from tournaments.journal import services as journal
from tournaments.journal.append_only import triggers_off
from tournaments.journal.rows import all_hashes
from tournaments.models import JournalEntry, Tournament

pytestmark = pytest.mark.django_db


def write_entries(number: int) -> Tournament:
    tournament = make_tournament()
    known = all_hashes(tournament)
    for step in range(number):
        with transaction.atomic():
            journal.record(tournament, COMMAND, "tried", after={"step": step}, hashes=known)
    return tournament


def test_entries_are_numbered_without_gaps_and_chained():
    tournament = write_entries(3)

    entries = list(JournalEntry.objects.filter(chain__tournament=tournament))

    assert [entry.number for entry in entries] == [1, 2, 3]
    assert entries[0].previous_hash == "0" * 64
    assert [entry.previous_hash for entry in entries[1:]] == [entry.hash for entry in entries[:2]]
    assert list(journal.first_breaks()) == []


def test_each_tournament_has_a_chain_of_its_own():
    first, second = write_entries(2), write_entries(1)

    numbers = JournalEntry.objects.values_list("chain__tournament", "number")

    assert sorted(numbers) == sorted([(first.pk, 1), (first.pk, 2), (second.pk, 1)])


def test_an_entry_raises_the_revision_of_its_tournament():
    tournament = write_entries(2)

    tournament.refresh_from_db()

    assert tournament.revision == 2


def run(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)


def put_in_instead(changed: str) -> None:
    """Put a copy of an entry with one column changed in its place; PostgreSQL empties instead."""
    if connection.vendor == "postgresql":
        run("SET CONSTRAINTS ALL IMMEDIATE")
        run("TRUNCATE tournaments_journalentry")
        return
    columns = [field.column for field in JournalEntry._meta.concrete_fields]
    values = ["7" if column == changed else column for column in columns]
    run(
        f"INSERT OR REPLACE INTO tournaments_journalentry ({', '.join(columns)})"  # noqa: S608 - columns
        f" SELECT {', '.join(values)} FROM tournaments_journalentry"
    )


@pytest.mark.parametrize(
    "act",
    [
        pytest.param(lambda: JournalEntry.objects.update(reason="anders"), id="update"),
        pytest.param(lambda: JournalEntry.objects.all().delete(), id="delete"),
        pytest.param(lambda: put_in_instead("reason"), id="put in instead"),
        pytest.param(lambda: put_in_instead("id"), id="put in instead under another key"),
    ],
)
def test_the_database_refuses_changes_of_the_journal(act: Callable[[], Any]):
    write_entries(1)

    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        act()

    assert JournalEntry.objects.get().reason == ""


def change_second() -> None:
    JournalEntry.objects.filter(number=2).update(reason="untergeschoben")


def delete_second() -> None:
    JournalEntry.objects.filter(number=2).delete()


def change_and_seal_again(number: int = 2) -> None:
    entry = JournalEntry.objects.get(number=number)
    entry.reason = "untergeschoben"
    entry.hash = journal.seal(journal.facts_of(entry), entry.chain.scope)
    entry.save()


def delete_last() -> None:
    JournalEntry.objects.filter(number=3).delete()


def add_behind_the_last() -> None:
    last = JournalEntry.objects.get(number=3)
    last.pk, last.number, last.previous_hash = None, 4, last.hash
    last.hash = journal.seal(journal.facts_of(last), last.chain.scope)
    last.save(force_insert=True)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("tamper", "number", "why"),
    [
        pytest.param(change_second, 2, "wurde verändert", id="changed"),
        pytest.param(delete_second, 2, "fehlt", id="deleted"),
        pytest.param(change_and_seal_again, 3, "schließt nicht an", id="sealed again"),
        pytest.param(delete_last, 3, "fehlt", id="last deleted"),
        pytest.param(
            lambda: change_and_seal_again(3), 3, "wurde verändert", id="last sealed again"
        ),
        pytest.param(add_behind_the_last, 4, "wurde angefügt", id="one added"),
    ],
)
def test_verify_journal_names_the_first_broken_entry(
    tamper: Callable[[], None], number: int, why: str, capsys: pytest.CaptureFixture[str]
):
    tournament = write_entries(3)

    with triggers_off():
        tamper()

    with pytest.raises(SystemExit) as stopped:
        call_command("verify_journal")
    assert stopped.value.code == 1
    assert capsys.readouterr().err == (
        f"Protokoll turnier-{tournament.pk}: Eintrag {number} {why}.\n"
    )


def test_verify_journal_proves_a_whole_journal(capsys: pytest.CaptureFixture[str]):
    write_entries(4)

    call_command("verify_journal")

    assert capsys.readouterr().out == "Protokoll vollständig: 4 Einträge in 1 Kette.\n"


def test_every_append_only_table_keeps_its_triggers_after_all_migrations():
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT DISTINCT event_object_table FROM information_schema.triggers")
        else:
            cursor.execute("SELECT DISTINCT tbl_name FROM sqlite_master WHERE type = 'trigger'")
        guarded = {row[0] for row in cursor.fetchall()}

    migration = import_module("tournaments.migrations.0002_refuse_changes")
    assert guarded >= set(migration.TABLES)
