"""Entries in words: names are looked up on reading, with values before and after."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import transaction

from tests.factories import COMMAND, make_person, make_registration, make_tournament
from tests.tournaments.notices.helpers import (
    leader_of,
    make_case,
    make_checked_list,
    make_notice,
    players_of,
    tournament_of,
)
from tournaments.cash.services import till
from tournaments.common.actors import Actor
from tournaments.desk.services import exclusions
from tournaments.journal import services as journal
from tournaments.journal.queries import journal as queries
from tournaments.journal.queries.facts import Reader, line_text
from tournaments.models import JournalEntry, Receipt, Registration, Tournament
from tournaments.notices.services import cases, notices
from tournaments.people.services import anonymise as people_anonymise

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 10, 3, 12, 0, tzinfo=UTC)


def write(tournament: Tournament | None, action: str, **facts: Any) -> JournalEntry:
    with transaction.atomic():
        return journal.record(tournament, COMMAND, action, **facts)


def told(entry: JournalEntry) -> queries.EntryInWords:
    return queries.rows([entry])[0]


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


def anna(tournament: Tournament) -> Registration:
    return make_registration(tournament, make_person("Anna", "Kühn"))


def test_an_act_is_described_with_the_current_name_and_both_states():
    tournament = make_tournament()
    registration = anna(tournament)
    entry = write(
        tournament,
        "registration_status",
        subject=registration,
        before={"status": "registered"},
        after={"status": "no_show"},
        reason="kam nicht",
    )

    row = told(entry)

    assert row.sentence == "Nr. 1 Anna Kühn: gemeldet → nicht erschienen."
    assert row.reason == "kam nicht"
    assert row.area == "Meldungen und Mannschaften"
    assert row.who == "tests"
    assert row.facts == (queries.Fact(label="Stand", before="gemeldet", after="nicht erschienen"),)
    assert row.has_before


def test_the_history_contains_no_anonymised_name():
    tournament = make_tournament(status="closed")
    registration = anna(tournament)
    entry = write(tournament, "need_changed", subject=registration, after={"fixed_table": 3})
    assert told(entry).sentence == "Nr. 1 Anna Kühn: fester Tisch 3."

    people_anonymise.anonymise_person(
        person_id=registration.person_id, typed_name="Anna Kühn", actor=COMMAND
    )

    assert "Kühn" not in told(entry).sentence
    assert told(entry).sentence.startswith("Nr. 1 ")


def test_a_receipt_is_described_with_sum_and_lines():
    tournament = make_tournament(kaution_cents=500)
    registration = anna(tournament)
    till.take_kaution(COMMAND, registration.pk)

    row = queries.history(tournament, queries.of_registration(registration))[0]

    assert plain(row.sentence) == "Beleg 1 gebucht: 5,00 € bar, Nr. 1 Anna Kühn."
    assert "Kaution 5,00 € Nr. 1 Anna Kühn" in [plain(fact.after) for fact in row.facts]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ({"finisher": 2, "handromme": False, "minus": [31, 0, 18]}, "Platz 2 · 31 | 0 | 18"),
        (
            {"finisher": 1, "handromme": True, "minus": [0, 80, 99]},
            "Platz 1 durch Handrommé · 0 | 80 | 99",
        ),
        (
            {"finisher": [1, 2], "handromme": [True, False], "minus": [[0, 40], [0, 40], 17]},
            "Platz 1 oder Platz 2, Handrommé unklar · 0 oder 40 | 0 oder 40 | 17",
        ),
        ({"finisher": None, "handromme": False, "minus": [5, 9]}, "– · 5 | 9"),
    ],
)
def test_a_line_is_described_as_on_the_list(line: dict[str, Any], text: str):
    assert line_text(line) == text


@pytest.mark.parametrize(
    ("name", "raw", "subject_type", "text"),
    [
        ("status", None, "", "–"),
        ("status", "verified", "spielliste", "geprüft"),
        ("status", "anything", "spielliste", "anything"),
        ("is_active", True, "", "ja"),
        ("publish_consent", False, "", "nein"),
        ("due_cents", 1500, "", "15,00 €"),
        ("method", "cash", "receipt", "bar"),
        ("method", "ranking", "draw", "gesetzt nach Rangliste"),
        ("how", "oral", "notice", "mündlich"),
        ("section", "bussgeld", "tournament", "Bußgeld"),
        ("ranking", "serie-2", "playoff", "Serie 2"),
        ("ranking", "frei", "playoff", "frei"),
        ("thing", "cards", "spielliste", "Startkarten"),
        ("started_at", "2026-10-03T12:00:00+00:00", "serie", "03.10.2026, 14:00 Uhr"),
        ("starts_on", "2026-10-03", "person", "03.10.2026"),
        ("tables", [1, 2], "serie", "1, 2"),
        ("changed", ["club", "note"], "person", "Verein, Bemerkung"),
        ("counts", {"new": 3}, "", "neu: 3"),
        ("lines", [[4, "new", None], [5, "known", 7]], "entry", "2 Personen"),
        ("prizes", [["startgeld", "einzel", 5000]], "receipt", "Gesamtwertung: 50,00 €"),
        ("registration", 999_999, "notice", "–"),
    ],
)
def test_facts_are_described_in_words(name: str, raw: Any, subject_type: str, text: str):
    assert plain(Reader([]).value(name, raw, subject_type)) == text


def test_seats_are_described_by_start_numbers():
    tournament = make_tournament()
    keys = [make_registration(tournament, number=number).pk for number in (7, 9, 12, 15)]
    serie = tournament.serien.get(number=1)
    entry = write(
        tournament,
        "seats_swapped",
        subject=serie,
        before={"tables": {"3": keys}},
        after={"tables": {"3": keys[::-1]}},
    )

    row = told(entry)

    assert row.sentence == "Serie 1: Plätze getauscht an Tisch 3."
    assert row.facts[0].before == "Tisch 3: 7, 9, 12, 15"
    assert row.facts[0].after == "Tisch 3: 15, 12, 9, 7"


def test_an_unknown_act_is_described_by_its_name():
    entry = write(make_tournament(), "from_a_later_program", after={"new_fact": 3})

    row = told(entry)

    assert (row.sentence, row.area) == ("from_a_later_program", "")
    assert row.facts == (queries.Fact(label="new_fact", before="", after="3"),)


def test_the_history_of_a_list_has_its_corrections_notices_and_cases():
    spielliste = make_checked_list()
    tournament = tournament_of(spielliste)
    leader = leader_of(tournament)
    notice = make_notice(spielliste)
    case = make_case(spielliste)
    notices.tell(Actor.account(leader), notice.pk, how="oral", now=NOON)
    cases.decide(Actor.account(leader), case.pk, decision="Es bleibt dabei.", now=NOON)
    write(tournament, "list_verified", subject=spielliste)
    write(tournament, "seats_swapped", subject=spielliste.table.serie, after={"tables": {"1": []}})
    write(tournament, "seats_swapped", subject=spielliste.table.serie, after={"tables": {"2": []}})
    write(tournament, "tournament_changed", subject=tournament)

    entries = queries.history(tournament, queries.of_list(spielliste))

    assert [row.action for row in entries] == [
        "seats_swapped",
        "list_verified",
        "case_decided",
        "notice_told",
    ]
    assert entries[2].sentence == "Bitte um Berichtigung entschieden, Serie 1, Tisch 1."
    assert entries[3].sentence == (
        f"Nr. 2 {notice.registration.person}: Berichtigung 1 mitgeteilt, mündlich."
    )


def test_the_history_of_a_registration_omits_others():
    spielliste = make_checked_list(kaution_cents=500)
    tournament = tournament_of(spielliste)
    own, other = players_of(spielliste)[:2]
    till.take_kaution(COMMAND, own.pk)
    till.take_kaution(COMMAND, other.pk)
    exclusions.exclude(COMMAND, own.pk, reason="grob")
    write(tournament, "penalty_proposed", subject=spielliste, after={"registration": own.pk})

    entries = queries.history(tournament, queries.of_registration(own))

    assert [row.action for row in entries] == [
        "penalty_proposed",
        "registration_status",
        "receipt_booked",
    ]


def test_the_history_of_a_receipt_has_its_reversal():
    tournament = make_tournament(kaution_cents=500)
    registration = anna(tournament)
    till.take_kaution(COMMAND, registration.pk)
    till.return_kaution(COMMAND, registration.pk)

    receipt = queries.history(tournament, queries.of_receipt(Receipt.objects.get(number=1)))

    assert [row.sentence.split(" ")[1] for row in receipt] == ["1"]


def test_the_file_has_one_row_for_each_entry():
    tournament = make_tournament()
    entry = write(
        tournament,
        "registration_status",
        subject=anna(tournament),
        before={"status": "registered"},
        after={"status": "paid"},
        at=NOON,
    )

    _head, *rows = queries.csv_rows(queries.rows([entry]))

    assert rows == [
        (
            1,
            "03.10.2026",
            "14:00:00",
            "tests",
            "Meldungen und Mannschaften",
            "Nr. 1 Anna Kühn: gemeldet → bezahlt.",
            "",
            "Stand: gemeldet",
            "Stand: bezahlt",
            entry.hash,
        )
    ]
    assert len(rows[0]) == len(queries.CSV_HEAD)
