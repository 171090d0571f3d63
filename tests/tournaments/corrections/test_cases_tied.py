"""A correction that answers a case decides it: from the list's page, and with four eyes."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import acting, make_member, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.tournaments.checking.pages import look_and_store
from tests.tournaments.corrections.signed_list import played
from tests.tournaments.notices.helpers import make_case
from tests.worlds import world
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict
from tournaments.corrections.services import corrections, four_eyes
from tournaments.models import Case, Correction, JournalEntry, Role, Spielliste, Tournament
from tournaments.notices.services import cases

pytestmark = pytest.mark.django_db
Kind = Correction.Kind
FIFTH = {**FOUR[4], "minus": [0, 14, 25, 36]}  # it says 41 for seat 2


def url(tournament: Tournament, name: str, query: str = "") -> str:
    return reverse(f"checking:{name}", args=[tournament.slug, 1, 1]) + query


def correct(case: Case, actor: Actor, *, version: int = 12) -> Correction:
    assert case.spielliste_id is not None
    return corrections.correct_list(
        actor,
        case.spielliste_id,
        kind=Kind.LINE,
        facts={"game": 5, "line": FIFTH},
        reason="am Tisch nachgezählt",
        case_id=case.pk,
        versions={case.spielliste_id: version},
    )


case = world(lambda: make_case(played()))


def test_a_correction_decides_its_case_and_leaves_a_notice(case):
    actor = acting(case.tournament)

    done = correct(case, actor)

    case.refresh_from_db()
    assert (done.case, case.decided_by, case.told_at) == (case, actor.user, None)
    assert case.decision == (
        "Die Liste wurde berichtigt: am Tisch nachgezählt (Berichtigung 1, § 2.2.5)"
    )
    entry = JournalEntry.objects.get(action="case_decided")
    assert (entry.subject_id, entry.after["correction"]) == (case.pk, 1)


def test_a_decided_case_refuses_corrections(case):
    actor = acting(case.tournament)
    assert actor.user is not None
    cases.decide(Actor.account(actor.user), case.pk, decision="Es bleibt bei 41.")

    with pytest.raises(Conflict, match="schon entschieden"):
        correct(case, actor)

    assert not Correction.objects.exists()


def test_four_eyes_decide_a_case_with_the_second_person():
    case = make_case(played(four_eyes=True))
    proposal = correct(case, acting(case.tournament))
    case.refresh_from_db()
    assert case.decided_at is None

    second = acting(case.tournament)
    four_eyes.approve(second, proposal.pk)

    case.refresh_from_db()
    assert case.decided_by == second.user


def test_a_rejected_proposal_leaves_its_case_undecided():
    case = make_case(played(four_eyes=True))
    proposal = correct(case, acting(case.tournament))

    four_eyes.reject(acting(case.tournament), proposal.pk, reason="stimmt doch")

    case.refresh_from_db()
    assert case.decided_at is None


def test_an_earlier_decision_in_words_survives_the_approval():
    case = make_case(played(four_eyes=True))
    first, second = acting(case.tournament), acting(case.tournament)
    proposal = correct(case, first)
    assert first.user is not None
    cases.decide(Actor.account(first.user), case.pk, decision="14 ist richtig.")

    four_eyes.approve(second, proposal.pk)

    case.refresh_from_db()
    assert (case.decision, case.decided_by) == ("14 ist richtig.", first.user)


# --- On the pages -------------------------------------------------------------------------------


def test_one_link_and_one_key_correct_a_list_and_decide_its_case(client: Client, case):
    tournament = case.tournament
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    line = url(tournament, "line", f"?spiel=5&fall={case.pk}")
    assert line.replace("&", "&amp;") in client.get(url(tournament, "list")).content.decode()
    page = client.get(line).content.decode()
    assert re.search(
        rf'<option value="{case.pk}" selected>Bitte um Berichtigung, Tisch 1, Spiel 5', page
    )

    typed = {
        "minus_1": "0",
        "minus_2": "14",
        "minus_3": "25",
        "minus_4": "36",
        "version": "12",
        "reason": "nachgezählt",
        "case": str(case.pk),
    }
    stored = look_and_store(client, line, typed, follow=True).content.decode()

    case.refresh_from_db()
    assert case.decided_at is not None
    assert Correction.objects.get().case == case
    assert "Der Fall ist damit entschieden" in stored
    assert "Berichtigen und entscheiden" not in stored
    told = client.get(reverse("checking:correction", args=[tournament.slug, 1])).content.decode()
    assert reverse("notices:case", args=[tournament.slug, case.pk]) in told


def test_a_case_about_the_whole_list_is_passed_on_to_any_correction(client: Client):
    case = make_case(played(), game=None)
    tournament = case.tournament
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    page = client.get(url(tournament, "list", f"?fall={case.pk}")).content.decode()
    answer = client.post(
        url(tournament, "verify", f"?fall={case.pk}"), {"version": 12, "command": "5 2"}
    )

    assert "entscheidet den Fall" in page
    assert url(tournament, "invalid", f"?fall={case.pk}") in page
    assert f"?spiel=5&amp;platz=2&amp;fall={case.pk}" in page
    assert answer["Location"] == url(tournament, "line", f"?spiel=5&platz=2&fall={case.pk}")


def test_exchanging_two_names_decides_its_case(client: Client):
    case = make_case(played(), game=None, text="2 und 3 sind vertauscht")
    tournament = case.tournament
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    move = reverse("checking:move", args=[tournament.slug, 1]) + f"?fall={case.pk}"
    assert f'<option value="{case.pk}" selected>' in client.get(move).content.decode()

    typed = {"numbers": "2 3", "games": "place", "reason": "vertauscht", "case": str(case.pk)}
    look_and_store(client, move, typed)

    case.refresh_from_db()
    assert case.decided_at is not None
    assert Correction.objects.get().case == case


def test_moves_before_signing_decide_no_case(client: Client):
    tournament = make_tournament()
    serie = make_seated_serie(tournament, tables=2)
    case = make_case(write_games(list_of(serie, 2), status=Spielliste.Status.SIGNED))
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    move = reverse("checking:move", args=[tournament.slug, 1])

    typed = {"numbers": "2 3", "games": "place", "reason": "falsch", "case": str(case.pk)}
    answer = look_and_store(client, move, typed)

    assert answer.status_code == 409
    assert "entscheidet keinen Fall" in answer.content.decode()
    assert not JournalEntry.objects.exists()


def test_a_correction_of_a_case_decided_meanwhile_is_refused(client: Client, case):
    tournament = case.tournament
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    other = make_member(tournament, Role.SPIELLEITUNG)
    cases.decide(Actor.account(other), case.pk, decision="Es bleibt bei 41.")

    answer = client.post(
        url(tournament, "invalid"),
        {"version": "12", "reason": "unleserlich", "case": str(case.pk), "shown": "x"},
    )

    assert answer.status_code == 422
    assert "inzwischen entschieden" in answer.content.decode()
    assert not Correction.objects.exists()


def test_an_undecided_case_links_to_its_game(client: Client, case):
    tournament = case.tournament
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    page_url = reverse("notices:case", args=[tournament.slug, case.pk])
    line = url(tournament, "line", f"?spiel=5&amp;fall={case.pk}")

    before = client.get(page_url).content.decode()
    correct(case, acting(tournament))
    after = client.get(page_url).content.decode()

    assert line in before
    assert line not in after
    assert reverse("checking:correction", args=[tournament.slug, 1]) in after
