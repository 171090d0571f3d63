"""Refused archives: all problems are named, and nothing is stored (formats 3)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scoring.errors import ScoringError
from tests.factories import COMMAND, make_user
from tests.tournaments.archive.helpers import unsealed
from tournaments.archive import reading
from tournaments.archive.importing import import_archive
from tournaments.common.organisers import first_organiser
from tournaments.journal import services as journal
from tournaments.models import Person, Season, Tournament
from tournaments.models.journal import GENESIS

DATA = Path(__file__).parent / "data"
pytestmark = [pytest.mark.django_db, pytest.mark.once]


def test_a_file_whose_journal_was_changed_is_refused(elsewhere):
    data = unsealed(elsewhere)
    data["journal"][0]["entries"][0]["reason"] = "nachgetragen"

    with pytest.raises(ScoringError, match="nicht unversehrt: Eintrag 1 wurde verändert"):
        import_archive(json.dumps(data).encode(), actor=COMMAND)

    assert not Tournament.objects.exists()


def test_a_file_with_too_many_values_is_not_read(monkeypatch):
    monkeypatch.setattr(reading, "parse", None)  # a gigabyte and more, if it were

    with pytest.raises(ScoringError, match="mehr Angaben als das größte Turnier"):
        import_archive(b"[" + b"{}," * 750_000 + b"{}]", actor=COMMAND)


@pytest.mark.parametrize(
    ("field", "value"), [("before", []), ("at", "gestern"), ("at", "2026-10-03T09:00:00")]
)
def test_an_unreadable_journal_entry_is_refused(field, value, elsewhere):
    data = unsealed(elsewhere)
    chain = data["journal"][0]
    previous = GENESIS
    chain["entries"][0][field] = value
    for entry in chain["entries"]:  # sealed again, as a forger would
        facts = {key: value for key, value in entry.items() if key != "hash"} | {
            "previous": previous
        }
        previous = journal.seal(facts, chain["scope"])
        entry.update(previous=facts["previous"], hash=previous)

    with pytest.raises(ScoringError) as refused:
        import_archive(json.dumps(data).encode(), actor=COMMAND)

    assert refused.value.problems[0].where == f"journal[0].entries[0].{field}"


@pytest.mark.parametrize("keys", [{"a": 1}, {"7": 99}, {"7": 0}])
def test_a_journal_about_missing_rows_is_refused(keys, elsewhere):
    data = unsealed(elsewhere)
    data["journal"][0]["keys"]["penalty"] = keys

    with pytest.raises(ScoringError, match="nicht in der Datei") as refused:
        import_archive(json.dumps(data).encode(), actor=COMMAND)

    assert refused.value.problems[0].where.startswith("journal[0].keys.penalty")


@pytest.mark.both
def test_an_existing_slug_is_refused_unless_replaced():
    data = (DATA / "archive-23x3.json").read_bytes()
    old = import_archive(data, actor=COMMAND)
    season = Season.objects.create(
        owner=first_organiser(), slug="pokal", name="Pokal", created_by=make_user()
    )
    season.tournaments.add(old)

    with pytest.raises(ScoringError, match="gibt es schon"):
        import_archive(data, actor=COMMAND)
    new = import_archive(data, actor=COMMAND, replace=True)

    old.refresh_from_db()
    assert new.slug == "beispiel"
    assert old.slug.startswith("beispiel-ersetzt-")
    assert old.replaced_at is not None
    assert old.journal_chain.entries.get().action == "tournament_replaced"
    assert season.tournaments.get() == new
    # The same persons play in both.
    assert Person.objects.count() == 23


@pytest.mark.parametrize(
    ("change", "where"),
    [
        pytest.param(lambda d: d.update(format="anders"), "format", id="another format"),
        pytest.param(lambda d: d.update(version=2), "version", id="a later version"),
        pytest.param(lambda d: d.pop("clubs"), "clubs", id="a section is missing"),
        pytest.param(
            lambda d: d["tournament"].update(date="3. Oktober"), "tournament.date", id="a date"
        ),
        pytest.param(
            lambda d: d["tournament"].update(rule_set="skat"), "tournament.rule_set", id="rules"
        ),
        pytest.param(
            lambda d: d["registrations"][1].update(number=1),
            "registrations[1].number",
            id="a start number twice",
        ),
        pytest.param(
            lambda d: d["registrations"][1].update(club="FC Nirgends"),
            "registrations[1].club",
            id="an unknown club",
        ),
        pytest.param(
            lambda d: d["series"][0]["tables"][0]["seats"].__setitem__(0, 99),
            "series[0].tables[0].seats[0]",
            id="an unknown start number at a table",
        ),
        pytest.param(
            lambda d: d["series"][0]["tables"][0]["seats"].__setitem__(0, 14),
            "series[0].tables[0].seats[1]",
            id="somebody at two places",
        ),
        pytest.param(
            lambda d: d["series"][0]["tables"][0]["list"]["games"][0]["minus"].__setitem__(0, 1),
            "series[0].tables[0].list.games[0].minus[0]",
            id="an impossible hand",
        ),
        pytest.param(
            lambda d: d["series"][0]["tables"][0]["list"].update(status="fertig"),
            "series[0].tables[0].list.status",
            id="an unknown status",
        ),
        pytest.param(
            lambda d: d["series"][0]["tables"][0]["list"]["games"].pop(),
            "series[0].tables[0].list.status",
            id="a verified list short of games",
        ),
        pytest.param(
            lambda d: d["registrations"][0].update(paid_cents=-500),
            "registrations[0].paid_cents",
            id="a negative payment",
        ),
        pytest.param(
            lambda d: d["registrations"][0].update(status=["paid"]),
            "registrations[0].status",
            id="a status that is no text",
        ),
        pytest.param(
            lambda d: d["tournament"].update(slug="neu"),
            "tournament.slug",
            id="an address of the program",
        ),
        pytest.param(
            lambda d: d["playoffs"].append({"order": [1, 99]}),
            "playoffs[0].order[1]",
            id="a playoff of somebody unknown",
        ),
        pytest.param(
            lambda d: d["registrations"][0].update(last_name="A\x00"),
            "registrations[0].last_name",
            id="a character that no database keeps",
        ),
    ],
)
def test_problems_are_named_with_places_and_nothing_is_stored(change, where):
    data = json.loads((DATA / "archive-23x3.json").read_bytes())
    change(data)

    with pytest.raises(ScoringError) as refusal:
        import_archive(json.dumps(data).encode(), actor=COMMAND)

    assert where in [problem.where for problem in refusal.value.problems]
    assert not Tournament.objects.exists()
    assert not Person.objects.exists()


@pytest.mark.parametrize(
    ("change", "others"),
    [
        pytest.param({"migration": "9999_of_tomorrow", "version": 2}, [], id="tables of tomorrow"),
        pytest.param({"news": []}, ["news"], id="a key of tomorrow"),
    ],
)
def test_a_file_of_a_newer_version_names_the_version_to_read_it(
    elsewhere, settings, change, others
):
    settings.VERSION = "0.9.1.dev12+g1a2b3c4"
    data = unsealed(elsewhere) | {"program": "0.10.0"} | change

    with pytest.raises(ScoringError, match=r"0\.10\.0 oder eine spätere einrichten") as refused:
        import_archive(json.dumps(data).encode(), actor=COMMAND)

    assert "hier läuft 0.9.1.dev12" in str(refused.value)
    assert [problem.where for problem in refused.value.problems] == ["program", *others]
    assert not Tournament.objects.exists()


def test_an_invalid_file_of_this_version_is_not_called_newer(elsewhere):
    data = unsealed(elsewhere) | {"news": []}

    with pytest.raises(ScoringError) as refused:
        import_archive(json.dumps(data).encode(), actor=COMMAND)

    assert [problem.where for problem in refused.value.problems] == ["news"]


def test_all_problems_are_named_at_once(elsewhere):
    data = unsealed(elsewhere)
    data["registrations"][0].update(status="da", club="FC Nirgends")
    data["registrations"][1]["club"] = "FC Nirgends"
    first, second = data["series"][0]["tables"]
    first["list"].update(status="fertig")
    first["list"]["games"][0]["minus"] = [0, 1, 45, 12]
    second["seats"][0] = 99
    data["receipts"][0]["method"] = None
    data["calls"][0]["kinds"] = "x"

    with pytest.raises(ScoringError) as refusal:
        import_archive(json.dumps(data).encode(), actor=COMMAND)

    assert {problem.where for problem in refusal.value.problems} == {
        "receipts[0].method",
        "calls[0].kinds",
        "registrations[0].status",
        "registrations[1].club",
        "series[0].tables[0].list.status",
        "series[0].tables[0].list.games[0].minus[1]",
        "series[0].tables[1].seats[0]",
    }


@pytest.mark.parametrize(
    ("section", "field", "value"),
    [
        pytest.param("signatures", "registration", 99, id="a row that is not there"),
        pytest.param("receipts", "reverses", 1, id="itself"),
        pytest.param("registration_details", "rankings", [1, 9], id="one of several"),
        pytest.param("draws", "seats", [[1, 99]], id="inside a JSON value"),
        pytest.param("corrections", "after", {"penalty": 9}, id="inside a correction"),
    ],
)
def test_a_dangling_reference_is_refused(elsewhere, section, field, value):
    data = unsealed(elsewhere)
    data[section][0][field] = value

    with pytest.raises(ScoringError, match=f"„{field}“ verweist") as refusal:
        import_archive(json.dumps(data).encode(), actor=COMMAND)

    assert [problem.where for problem in refusal.value.problems] == [f"{section}[0].{field}"]
    assert not Tournament.objects.exists()


def test_sections_that_contradict_the_required_part_are_refused(elsewhere):
    data = unsealed(elsewhere)
    data["series"][0]["tables"][0]["list"]["penalties"][0]["points"] = 150

    with pytest.raises(ScoringError) as refusal:
        import_archive(json.dumps(data).encode(), actor=COMMAND)

    assert [problem.where for problem in refusal.value.problems] == [
        "series[0].tables[0].list.penalties[0].points"
    ]
