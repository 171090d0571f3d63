"""The data of the scripts of the table page, and the cache of the device."""

# ruff: noqa: SLF001 - asks what is private in a module of ours

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders

from scoring.rulesets import all_rulesets, ruleset
from tests.clients import Client
from tests.tournaments.lists.helpers import Device, keeper_of, list_by
from tournaments.table import files as module
from tournaments.table.files import table_files
from tournaments.table.queries.rules import table_rules
from tournaments.table.views.texts import texts

SCRIPTS = Path(settings.BASE_DIR) / "static" / "js" / "table"


# --- Data of the scripts ----------------------------------------------------------------


@pytest.mark.parametrize("rule_set", all_rulesets(), ids=lambda rules: rules.id)
def test_rules_of_every_table_size_are_json(rule_set):
    for players in rule_set.table_sizes:
        rules = json.loads(json.dumps(table_rules(rule_set, players=players)))

        assert len(rules["rounds"]) in {1, rule_set.games}
        assert all(len(grant["seats"]) == rule_set.games for grant in rules["grants"])


def test_script_rules_equal_the_rommeordnung():
    rules = table_rules(ruleset("rommeordnung"), players=3)

    assert rules["bonus"] == 15  # § 3.2.1
    # § 3.2.2
    assert rules["handromme"] == {"bonus": 50, "factor": 1, "surcharge": 0, "note": ""}
    values = {card["rank"]: (card["value"], card["count"]) for card in rules["cards"]}
    assert (values["A"], values["Joker"], values["7"]) == ((11, 8), (20, 6), (7, 8))
    assert rules["rounds"][0]["most"] == 13


@pytest.mark.django_db
def test_the_note_forbids_doubling_by_hand():
    spielliste = list_by("hausregel")
    note = table_rules(ruleset("hausregel"), players=4)["handromme"]["note"]

    assert note == "Bitte nur die Karten zählen; von selbst gilt: die anderen zählen doppelt."
    device = keeper_of(spielliste)
    assert f"<p>{note}</p>" in device.client.get(device.path).content.decode()


def test_script_rules_contain_bought_cards():
    rules = table_rules(ruleset("progressiv"), players=4)

    assert rules["rounds"][8]["contract"] == "4 Sätze zu 3, 1 Karte darf gekauft werden"
    assert rules["rounds"][0]["contract"] == "2 Sätze zu 3"


def test_script_rules_contain_another_size_for_the_bonus():
    assert table_rules(ruleset("rommeordnung"), players=4, bonus_size=3)["bonus"] == 15


def test_every_sentence_of_the_scripts_exists():
    said = "\n".join(file.read_text(encoding="utf-8") for file in SCRIPTS.glob("*.js"))
    asked = set(re.findall(r'\bsay\("(\w+)"', said))

    assert asked - set(texts()) == set()
    assert "stored" in asked


def test_every_sentence_is_used_by_a_script():
    said = "\n".join(file.read_text(encoding="utf-8") for file in SCRIPTS.glob("*.js"))
    # Made of two parts there: the kind of a call, the state of a list, a size of the text.
    alone = {name for name in texts() if not name.startswith(("call_", "status_", "text_"))}

    assert {name for name in alone if f'"{name}"' not in said} == set()


# --- Cache of the device ----------------------------------------------------------------


@pytest.mark.django_db
def test_the_service_worker_caches_the_page_and_is_not_cached(client: Client):
    answer = client.get("/tisch/sw.js")

    version, files = table_files()
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Cache-Control"] == "no-cache"
    assert f'"tisch-{version}"' in answer.content.decode()
    assert '"/static/js/table/outbox.js"' in answer.content.decode()
    assert "/static/fonts/source-sans-3-latin-wght-normal.woff2" in files


@pytest.mark.django_db
def test_every_file_of_the_page_is_cached():
    device = Device(list_by())
    page = device.client.get(device.path).content.decode()
    _version, files = table_files()

    named = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', page))

    assert named
    assert named - set(files) == set()


def test_a_changed_file_changes_the_cache_version(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    before, _files = module._current_files()
    changed = tmp_path / "outbox.js"
    changed.write_text("// changed", encoding="utf-8")
    find = finders.find
    monkeypatch.setattr(
        finders,
        "find",
        lambda name: str(changed) if name.endswith("outbox.js") else find(name),
    )

    after, _files = module._current_files()

    assert before != after
