"""Objections: possible after the closing, against one decision, decided by another person."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import COMMAND, acting, make_member
from tests.tournaments.notices.helpers import make_case, make_checked_list, players_of
from tests.tournaments.notices.helpers import tournament_of as whose
from tests.worlds import world
from tournaments.checking.services import exclusions, penalties
from tournaments.closing import services as closing
from tournaments.common.access_keys import player_token
from tournaments.common.actors import Actor
from tournaments.common.errors import NotAllowed, WrongStatus
from tournaments.corrections.services import four_eyes
from tournaments.models import (
    Case,
    Correction,
    Notice,
    Penalty,
    Registration,
    Role,
    Serie,
    Spielliste,
    Tournament,
    WayOfTelling,
)
from tournaments.notices.services import cases, notices
from tournaments.results.services import player_access

pytestmark = [pytest.mark.django_db, pytest.mark.once]
PLAYER = Actor.player


def punished(spielliste: Spielliste, by: Actor = COMMAND) -> Registration:
    """Give 100 Strafpunkte to seat 2, who is informed at once."""
    player = players_of(spielliste)[1]
    correction = penalties.give_at_once(
        by, spielliste.pk, registration_id=player.pk, points=100, reason="Vorgesagt"
    )
    tell(correction)
    return player


def tell(correction: Correction) -> None:
    for notice in correction.notices.all():
        notices.tell(COMMAND, notice.pk, how=WayOfTelling.ORAL)


def object_to(player: Registration, text: str = "Ich habe nichts gesagt.") -> Case:
    notice = player.notices.get()
    return notices.object_to(PLAYER(player), notice.pk, text=text).case


def closed(spielliste: Spielliste) -> Tournament:
    """Close Serie and tournament at once, regardless of open items."""
    closing.close_serie(COMMAND, spielliste.table.serie_id)
    return closing.close(COMMAND, whose(spielliste).pk)


spielliste = world(make_checked_list)


def test_an_objection_in_time_is_accepted_after_the_closing(client: Client, spielliste: Spielliste):
    player = punished(spielliste)
    tournament = closed(spielliste)
    player_access.store_tokens(tournament)
    page = reverse("player:page", args=[player_token(player)])
    answer = reverse("player:answer", args=[player_token(player), player.notices.get().pk])
    assert "Einspruch erheben" in client.get(page).content.decode()

    sent = client.post(answer, {"antwort": "einspruch", "text": "Ich habe nichts gesagt."})

    assert sent.status_code == 302
    assert "Einspruch liegt der Spielleitung vor" in client.get(page).content.decode()
    user = make_member(tournament, Role.SPIELLEITUNG)
    client.force_login(user)
    closing_page = client.get(reverse("closing:page", args=[tournament.slug])).content.decode()
    assert "1 Fall ist nicht entschieden" in closing_page
    assert "Zum Entscheiden bitte das Turnier wieder öffnen" in closing_page
    case = Case.objects.get()
    case_page = client.get(reverse("notices:case", args=[tournament.slug, case.pk]))
    assert "Wieder öffnen …" in case_page.content.decode()
    with pytest.raises(WrongStatus, match="ist abgeschlossen"):
        cases.decide(Actor.account(user), case.pk, decision="Nein")

    closing.reopen(COMMAND, tournament.pk, reason="Einspruch")
    with pytest.raises(closing.NotSettled, match="1 Fall ist nicht entschieden"):
        closing.close(COMMAND, tournament.pk)


def test_a_late_objection_to_a_closed_tournament_is_refused(spielliste: Spielliste):
    player = punished(spielliste)
    closed(spielliste)
    late = timezone.now() + timedelta(minutes=16)

    for actor in (PLAYER(player), acting(whose(spielliste))):
        with pytest.raises(WrongStatus, match="ist abgeschlossen"):
            notices.object_to(actor, player.notices.get().pk, text="Nein", now=late)

    assert not Case.objects.exists()


def test_the_button_of_a_case_withdraws_its_penalty(client: Client, spielliste: Spielliste):
    tournament = whose(spielliste)
    other = players_of(spielliste)[2]
    penalties.give_at_once(
        COMMAND, spielliste.pk, registration_id=other.pk, points=150, reason="Anderes"
    )
    player = punished(spielliste)
    case = object_to(player)
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    page = client.get(reverse("notices:case", args=[tournament.slug, case.pk])).content.decode()

    penalty = player.penalties.get()
    withdraw = f"{reverse('checking:withdraw', args=[tournament.slug, penalty.pk])}?fall={case.pk}"
    assert "Vorgesagt" in page
    assert "100 Strafpunkte zurücknehmen" in page
    assert "150 Strafpunkte" not in page
    assert withdraw in page
    client.post(withdraw, {"reason": "Nichts gesagt"})
    case.refresh_from_db()
    assert case.decision.startswith("Strafpunkte zurückgenommen: Nichts gesagt (Berichtigung 3")
    assert [penalty.status for penalty in Penalty.objects.order_by("pk")] == ["given", "withdrawn"]


def test_the_button_of_a_case_undoes_its_exclusion(client: Client, spielliste: Spielliste):
    tournament = whose(spielliste)
    player = players_of(spielliste)[1]
    tell(exclusions.exclude(COMMAND, player.pk, reason="Beleidigung"))
    case = object_to(player)
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    take_back = f"{reverse('checking:exclusion', args=[tournament.slug, 2])}?fall={case.pk}"

    page = client.get(reverse("notices:case", args=[tournament.slug, case.pk])).content.decode()
    seen = exclusions.preview(Registration.objects.get(pk=player.pk)).shown
    client.post(take_back, {"version": 0, "reason": "Verwechslung", "shown": seen})

    assert take_back in page
    case.refresh_from_db()
    assert "Ausschluss zurückgenommen: Verwechslung" in case.decision


def test_four_eyes_prevent_the_giver_from_deciding_alone(client: Client):
    spielliste = make_checked_list(four_eyes=True)
    tournament, first, second = (
        whose(spielliste),
        acting(whose(spielliste)),
        acting(whose(spielliste)),
    )
    player = players_of(spielliste)[1]
    proposed = penalties.give_at_once(
        first, spielliste.pk, registration_id=player.pk, points=100, reason="Vorgesagt"
    )
    tell(four_eyes.approve(second, proposed.pk))
    case = object_to(player)
    client.force_login(first.user)

    page = client.get(reverse("notices:case", args=[tournament.slug, case.pk])).content.decode()

    assert "gegen Ihre eigene Entscheidung" in page
    assert 'name="decision"' not in page
    with pytest.raises(NotAllowed, match="zweite Person"):
        cases.decide(first, case.pk, decision="Es bleibt dabei.")
    assert cases.decide(second, case.pk, decision="Es bleibt dabei.").decided_by == second.user


def test_one_person_decides_without_four_eyes(spielliste: Spielliste):
    only = acting(whose(spielliste))
    case = object_to(punished(spielliste, by=only))

    assert cases.decide(only, case.pk, decision="Es bleibt dabei.").decided_by == only.user


def test_a_case_of_a_closed_serie_offers_to_reopen_it_first(client: Client, spielliste: Spielliste):
    tournament = whose(spielliste)
    case = object_to(punished(spielliste))
    Serie.objects.filter(tournament=tournament).update(closed_at=timezone.now())
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    page = client.get(reverse("notices:case", args=[tournament.slug, case.pk])).content.decode()

    assert "Serie 1 ist abgeschlossen." in page
    assert "Wieder öffnen …" in page
    assert "Strafpunkte zurücknehmen" not in page


def test_the_sign_of_an_objection_ends_with_the_decision(client: Client, spielliste: Spielliste):
    player = punished(spielliste)
    case = object_to(player)
    player_access.store_tokens(whose(spielliste))
    page = reverse("player:page", args=[player_token(player)])
    before = client.get(page).content.decode()

    cases.decide(COMMAND, case.pk, decision="Es bleibt dabei.")

    after = client.get(page).content.decode()
    assert "Einspruch liegt der Spielleitung vor" in before
    assert "Einspruch liegt der Spielleitung vor" not in after
    assert "Es bleibt dabei." in after


def test_a_question_of_a_table_is_not_an_objection(client: Client, spielliste: Spielliste):
    tournament, case = whose(spielliste), make_case(spielliste)
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    page = client.get(reverse("notices:case", args=[tournament.slug, case.pk])).content.decode()

    assert "Dagegen richtet sich der Einspruch" not in page
    assert not Notice.objects.exists()


def test_a_closed_tournament_offers_no_correction(client: Client, spielliste: Spielliste):
    player = punished(spielliste)
    tournament = closed(spielliste)
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    def page(name: str, *args: int) -> str:
        return client.get(reverse(name, args=[tournament.slug, *args])).content.decode()

    of_list = page("checking:list", 1, 1)
    assert "Ausschließen" not in of_list
    assert "Tischgröße für den Bonus" not in of_list
    of_penalties = page("checking:penalties", 1, 1)
    assert "Vorgesagt" in of_penalties
    assert "Zurücknehmen" not in of_penalties
    assert "Strafpunkte erteilen" not in of_penalties
    assert "Wieder öffnen …" in of_penalties
    of_notice = page("notices:notice", player.notices.get().pk)
    assert "Einspruch aufnehmen" in of_notice
    assert "Zur Kenntnis genommen" not in of_notice
