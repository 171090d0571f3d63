"""Updates of a database from before the migrations were squashed."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db.migrations.recorder import MigrationRecorder

from tournaments import migrations
from tournaments.management.database import bring_up_to_date

pytestmark = pytest.mark.django_db

MIGRATIONS = Path(migrations.__file__ or "").parent

NEW = tuple(sorted(file.stem for file in MIGRATIONS.glob("0*.py")))
REFUSING = ("0002_append_only", "0022_nothing_replaced")
# All others, in the order in which they were written.
REPLACED = [
    name for _app, name in import_module("tournaments.migrations.0001_initial").Migration.replaces
]
LAST = REPLACED[-1]


@pytest.fixture
def carried_out():
    """Return the rows that an installation has which carried out all the earlier migrations."""
    rows = MigrationRecorder.Migration.objects.filter(app="tournaments")
    assert rows.exclude(name__in=NEW).count() == len({*REPLACED, *REFUSING})
    return rows


@pytest.mark.parametrize(
    "never_recorded",
    [
        pytest.param((), id="by the version before"),
        pytest.param(NEW[:2], id="one by one"),
    ],
)
def test_a_database_with_all_earlier_migrations_opens(carried_out, never_recorded):
    carried_out.filter(name__in=never_recorded).delete()
    begun = []

    is_new = bring_up_to_date(lambda: begun.append(True))

    assert not is_new
    assert not begun


@pytest.mark.parametrize(
    "missing",
    [
        pytest.param([LAST], id="the last"),
        pytest.param(REPLACED[20:], id="all after the first day"),
        pytest.param([REFUSING[-1]], id="one of the first day"),
    ],
)
def test_a_database_with_some_earlier_migrations_is_refused(carried_out, missing):
    carried_out.filter(name__in=missing).delete()

    with pytest.raises(CommandError, match="als Archiv sichern"):
        bring_up_to_date()


def test_the_proof_of_a_half_migrated_database_fails_with_a_message(carried_out, capsys):
    carried_out.filter(name=LAST).delete()

    with pytest.raises(SystemExit) as stopped:
        call_command("verify_journal")

    assert stopped.value.code == 2
    assert "als Archiv sichern" in json.loads(capsys.readouterr().err)["errors"][0]["message"]


def test_contradictory_migrations_fail_with_a_message(carried_out, capsys):
    carried_out.exclude(name__in=(*REFUSING, "0002_refuse_changes")).delete()

    with pytest.raises(SystemExit) as stopped:
        call_command("verify_journal")

    assert stopped.value.code == 2
    assert "nicht in Ordnung" in json.loads(capsys.readouterr().err)["errors"][0]["message"]
