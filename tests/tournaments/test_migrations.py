"""What an update does with a database that was made before the migrations were put together."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db.migrations.recorder import MigrationRecorder

from tournaments import migrations
from tournaments.management.database import bring_up_to_date

pytestmark = pytest.mark.django_db

NEW = ("0001_initial", "0002_refuse_changes")


@pytest.fixture
def carried_out():
    """Return the rows that an installation has which carried out the 22 earlier migrations."""
    rows = MigrationRecorder.Migration.objects.filter(app="tournaments")
    rows.filter(name__in=NEW).delete()
    later = {path.stem for path in Path(migrations.__file__).parent.glob("0*.py")}
    assert rows.exclude(name__in=later).count() == 22
    return rows


def test_a_database_with_all_earlier_migrations_opens_as_it_is(carried_out):
    begun = []

    is_new = bring_up_to_date(lambda: begun.append(True))

    assert not is_new
    assert not begun


@pytest.mark.parametrize(
    "missing",
    [
        pytest.param(("0022_nothing_replaced",), id="the last"),
        pytest.param(("0021_fill_last_journal_entries", "0022_nothing_replaced"), id="two"),
        pytest.param(
            ("0002_append_only", "0022_nothing_replaced", "0003_substitution_without_account"),
            id="many",
        ),
    ],
)
def test_a_database_with_some_earlier_migrations_is_refused_in_words(carried_out, missing):
    carried_out.filter(name__in=missing).delete()

    with pytest.raises(CommandError, match="als Archiv sichern"):
        bring_up_to_date()


def test_the_proof_of_a_database_that_stopped_halfway_ends_in_a_sentence(carried_out, capsys):
    carried_out.filter(name="0022_nothing_replaced").delete()

    with pytest.raises(SystemExit) as stopped:
        call_command("verify_journal")

    assert stopped.value.code == 2
    assert "als Archiv sichern" in json.loads(capsys.readouterr().err)["errors"][0]["message"]


def test_migrations_that_contradict_each_other_end_in_a_sentence(capsys):
    rows = MigrationRecorder.Migration.objects.filter(app="tournaments")
    rows.filter(name__in=("0003_mark_the_demo", "0007_seal_chains")).delete()

    with pytest.raises(SystemExit) as stopped:
        call_command("verify_journal")

    assert stopped.value.code == 2
    assert "nicht in Ordnung" in json.loads(capsys.readouterr().err)["errors"][0]["message"]
