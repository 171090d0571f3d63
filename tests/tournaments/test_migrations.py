"""What an update does with a database that was made before the migrations were put together."""

from __future__ import annotations

import json
from importlib import import_module

import pytest
from django.core.management import CommandError, call_command
from django.db.migrations.recorder import MigrationRecorder

from tournaments.management.database import bring_up_to_date

pytestmark = pytest.mark.django_db

NEW = ("0001_initial", "0002_refuse_changes")
LATER = (
    *("0003_journal_rows", "0004_called_off", "0005_job_tries", "0006_pays_later", "0007_till"),
    *("0008_late_startgeld", "0009_prize_parts", "0010_handed_in_late", "0011_floor"),
    *("0012_receipt_text", "0013_offers", "0014_file_of_registrations", "0015_history"),
    *("0016_players_help_themselves", "0017_organisers", "0019_days", "0020_mixed", "0021_honours"),
    *("0022_member_numbers_once", "0023_members"),
)
FIRST_DAY_REFUSING = ("0002_append_only", "0022_nothing_replaced")
LAST = "0022_print_without_a_tournament"
# Those of the second day, each of which the version before carried out by itself.
SECOND_DAY = [
    name
    for _app, name in import_module("tournaments.migrations.0001_initial").Migration.replaces[20:]
]


@pytest.fixture
def carried_out():
    """Return the rows that an installation has which carried out all the earlier migrations."""
    rows = MigrationRecorder.Migration.objects.filter(app="tournaments").exclude(name__in=LATER)
    assert rows.exclude(name__in=NEW).count() == 42
    return rows


@pytest.mark.parametrize(
    "never_recorded",
    [
        pytest.param((), id="by the version before"),
        pytest.param(NEW, id="one by one"),
    ],
)
def test_a_database_with_all_earlier_migrations_opens_as_it_is(carried_out, never_recorded):
    carried_out.filter(name__in=never_recorded).delete()
    begun = []

    is_new = bring_up_to_date(lambda: begun.append(True))

    assert not is_new
    assert not begun


@pytest.mark.parametrize(
    "missing",
    [
        pytest.param([LAST], id="the last"),
        pytest.param([SECOND_DAY[0], LAST], id="two"),
        pytest.param(SECOND_DAY, id="all of the second day"),
        pytest.param([FIRST_DAY_REFUSING[-1]], id="one of the first day"),
    ],
)
def test_a_database_with_some_earlier_migrations_is_refused_in_words(carried_out, missing):
    carried_out.filter(name__in=missing).delete()

    with pytest.raises(CommandError, match="als Archiv sichern"):
        bring_up_to_date()


def test_the_proof_of_a_database_that_stopped_halfway_ends_in_a_sentence(carried_out, capsys):
    carried_out.filter(name=LAST).delete()

    with pytest.raises(SystemExit) as stopped:
        call_command("verify_journal")

    assert stopped.value.code == 2
    assert "als Archiv sichern" in json.loads(capsys.readouterr().err)["errors"][0]["message"]


def test_migrations_that_contradict_each_other_end_in_a_sentence(carried_out, capsys):
    carried_out.exclude(name__in=(*FIRST_DAY_REFUSING, "0002_refuse_changes")).delete()

    with pytest.raises(SystemExit) as stopped:
        call_command("verify_journal")

    assert stopped.value.code == 2
    assert "nicht in Ordnung" in json.loads(capsys.readouterr().err)["errors"][0]["message"]
