"""Changes of an Ausschreibung by section, without overwriting changes of others."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from scoring.rulesets import ruleset
from tests.factories import COMMAND, START, make_registration, make_tournament
from tests.tournaments.announcement.helpers import make_complete, seen
from tournaments.announcement.services import edit as tournament_edit
from tournaments.announcement.services.tariff import Tariff, change_rankings, change_startgeld
from tournaments.common.errors import Conflict, TournamentError
from tournaments.journal import proof
from tournaments.models import Category, JournalEntry, Ranking, Serie, Table, Tournament
from tournaments.models.tournament import Section

pytestmark = pytest.mark.django_db
Status = Tournament.Status


def change(tournament: Tournament, section: Section, reason: str = "", **values: Any) -> None:
    tournament_edit.change_fields(
        COMMAND,
        tournament.pk,
        seen=seen(tournament, section),
        section=section,
        values=values,
        reason=reason,
    )


def test_a_change_is_stored_and_journalled_with_both_values(tournament: Tournament):
    change(tournament, Section.GENERAL, venue="Stadthalle", name=tournament.name)

    tournament.refresh_from_db()
    entry = JournalEntry.objects.get()
    assert tournament.venue == "Stadthalle"
    assert entry.action == "tournament_changed"
    assert entry.before == {"venue": "Bürgerhaus"}
    assert entry.after == {"section": "allgemeines", "venue": "Stadthalle"}


def test_the_journal_contains_no_personal_facts():
    tournament = make_complete(contact="Karla Otto", iban="DE02120300000000202051")

    change(tournament, Section.GENERAL, contact="Karl Klee", contact_phone="03447 99", venue="Saal")
    change(tournament, Section.BANK, account_holder="Karl Klee", iban="DE02500105170137075030")
    change(tournament, Section.TEXT, text="Karla kocht.")

    general, bank, text = JournalEntry.objects.order_by("number")
    assert general.before == {"venue": "Bürgerhaus", "contact": "…", "contact_phone": ""}
    assert general.after["contact"] == "…"
    assert bank.before == {"account_holder": "", "iban": "…2051"}
    assert bank.after == {"section": "bank", "account_holder": "…", "iban": "…5030"}
    assert text.after == {"section": "text", "text": "…"}


def test_two_people_can_change_two_sections_at_the_same_time(tournament: Tournament):
    text = seen(tournament, Section.TEXT)
    change(tournament, Section.GENERAL, venue="Stadthalle")

    tournament_edit.change_fields(
        COMMAND, tournament.pk, seen=text, section=Section.TEXT, values={"text": "Mit Kaffee."}
    )

    tournament.refresh_from_db()
    assert (tournament.venue, tournament.text) == ("Stadthalle", "Mit Kaffee.")


def test_a_refusal_of_the_model_is_a_message(tournament: Tournament):
    with pytest.raises(TournamentError, match="Der Meldeschluss liegt nach dem Beginn"):
        change(tournament, Section.GENERAL, registration_deadline=START + timedelta(minutes=1))


def test_a_taken_address_is_refused(tournament: Tournament):
    make_tournament(slug="herbst")

    with pytest.raises(Conflict, match="„herbst“ ist schon vergeben"):
        change(tournament, Section.GENERAL, slug="herbst")


def test_the_address_of_an_announced_tournament_is_fixed():
    tournament = make_complete(status=Status.ANNOUNCED, slug="herbst")

    with pytest.raises(TournamentError, match="Der Kurzname bleibt „herbst“"):
        change(tournament, Section.GENERAL, slug="winter")


def test_a_running_tournament_needs_a_reason_for_changes():
    tournament = make_complete(status=Status.RUNNING)

    with pytest.raises(TournamentError, match="Bitte einen Grund"):
        change(tournament, Section.GENERAL, venue="Stadthalle")
    change(tournament, Section.GENERAL, "Wasserschaden", venue="Stadthalle")

    assert JournalEntry.objects.get().reason == "Wasserschaden"


def change_serien(tournament: Tournament, *lines: Serie) -> None:
    tournament_edit.change_serien(
        COMMAND, tournament.pk, seen=seen(tournament, Section.SERIEN), lines=lines
    )


def _serien(tournament: Tournament) -> list[tuple[int, str, int | None]]:
    return list(tournament.serien.values_list("number", "seating", "time_limit_minutes"))


@pytest.mark.parametrize("number", [0, 21])
def test_a_tournament_has_one_to_twenty_serien(tournament: Tournament, number: int):
    with pytest.raises(TournamentError, match=f"1 bis 20 Serien, nicht {number}"):
        change_serien(tournament, *[Serie(seating=Serie.Seating.CARDS)] * number)


def test_the_first_serie_cannot_be_set_by_a_ranking(tournament: Tournament):
    with pytest.raises(TournamentError, match="Serie 1 kann nicht nach der Rangliste"):
        change_serien(tournament, Serie(seating=Serie.Seating.RANKING))


def test_a_serie_with_tables_cannot_be_dropped(tournament: Tournament):
    serie = tournament.serien.get(number=3)
    Table.objects.create(serie=serie, number=1)

    with pytest.raises(TournamentError, match="Serie 3 ist schon ausgelost oder gespielt"):
        change_serien(tournament, *[Serie(seating=Serie.Seating.CARDS)] * 2)

    assert tournament.serien.count() == 3


def test_the_seating_of_a_seated_serie_is_fixed_its_time_is_not(tournament: Tournament):
    Table.objects.create(serie=tournament.serien.get(number=1), number=1)
    as_drawn = [Serie(seating=Serie.Seating.CARDS, time_limit_minutes=75)] * 3

    with pytest.raises(TournamentError, match="Serie 1 ist schon gesetzt"):
        change_serien(tournament, *[Serie(seating=Serie.Seating.ELECTRONIC)] * 3)
    change_serien(tournament, *as_drawn)

    assert _serien(tournament) == [(1, "cards", 75), (2, "cards", 75), (3, "cards", 75)]


def test_a_serie_with_prizes_cannot_be_dropped():
    line = {"ranking": {"category": "serie", "serie": 3}, "place": 1, "fixed_cents": 500}
    tournament = make_complete(status=Status.ANNOUNCED, prize_plan={"startgeld": {"lines": [line]}})

    with pytest.raises(TournamentError, match="einen Preis für „Serie 3“"):
        change_serien(tournament, *[Serie(seating=Serie.Seating.CARDS)] * 2)

    assert tournament.serien.count() == 3


def test_every_row_changed_by_a_section_is_journalled():
    made = make_complete(status=Status.ANNOUNCED)
    make_registration(made)
    proof.baseline_proof(made)
    old = made.categories.get()

    def changed(section: Section, act: Callable[..., None], /, **values: Any) -> None:
        act(COMMAND, made.pk, seen=seen(made, section), **values)
        assert list(proof.of_installation()) == []

    changed(Section.RULE_SET, tournament_edit.change_rule_set, rule_set=ruleset("contract"))
    fewer = [Serie(seating=Serie.Seating.ELECTRONIC, time_limit_minutes=90)]
    changed(Section.SERIEN, tournament_edit.change_serien, lines=fewer)
    changed(Section.SERIEN, tournament_edit.change_serien, lines=fewer * 2)
    groups = [
        Category(name="Junioren", startgeld_cents=800),
        Category(name="Alle", startgeld_cents=0, pk=old.pk),
    ]
    changed(Section.STARTGELD, change_startgeld, tariff=Tariff(categories=groups))
    changed(Section.STARTGELD, change_startgeld, tariff=Tariff(categories=groups[1:]))
    women = [
        Ranking(kind=Ranking.Kind.SINGLE, stake_cents=100),
        Ranking(kind=Ranking.Kind.WOMEN),
    ]
    changed(Section.RANKINGS, change_rankings, lines=women)
    changed(Section.RANKINGS, change_rankings, lines=women[:1])
    closed = {"is_open": False, "closed_circle": "Mitglieder", "admission": "approval"}
    general = {"section": Section.GENERAL, "values": closed}
    changed(Section.GENERAL, tournament_edit.change_fields, **general)

    changes = JournalEntry.objects.filter(action="tournament_changed")
    assert {(change.subject_type, change.subject_id) for change in changes} == {
        ("tournament", made.pk)
    }
    assert (changes.count(), changes.exclude(after__has_key="section").count()) == (8, 0)
