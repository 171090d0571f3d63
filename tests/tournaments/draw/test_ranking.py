"""Setting a Serie by the ranking: from verified lists, or with an explicit confirmation."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.seating import RankOrder
from tests.factories import make_member, make_person, make_registration
from tests.tournaments.draw.helpers import begin, field, numbers, seat_in_order
from tests.tournaments.draw.test_cards import fix, separate
from tests.worlds import world
from tournaments.common.errors import TournamentError
from tournaments.draw.queries.task import make_task
from tournaments.draw.services.ranking import UnverifiedLists
from tournaments.models import (
    Draw,
    Game,
    JournalEntry,
    Ranking,
    Registration,
    Role,
    Serie,
    Spielliste,
    Team,
    TeamMember,
    Tournament,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Method = Serie.Seating
NOW = timezone.now()


def play(tournament: Tournament, table: int, *minus: int, verify: bool = True) -> None:
    """Play one game at a table: the player with 0 finishes; complete and verified by default."""
    spielliste = Spielliste.objects.get(table__serie__tournament=tournament, table__number=table)
    line = {"finisher": minus.index(0) + 1, "handromme": False, "minus": list(minus)}
    Game.objects.create(spielliste=spielliste, number=1, line=line, entered_at=NOW)
    spielliste.status = Spielliste.Status.COMPLETE
    if verify:
        spielliste.status = Spielliste.Status.VERIFIED
        spielliste.handed_in_at = spielliste.verified_at = NOW
    spielliste.save()


@world
def played() -> Tournament:
    """Eight people after one game each; the ranking is 2 6 1 5 3 7 4 8."""
    tournament = field(8)
    seat_in_order(tournament)
    # Finishing takes 20 points off (§ 3.2.1): 2 has −20, 6 has −20, so both share the first rank.
    play(tournament, 1, 10, 0, 30, 50)
    play(tournament, 2, 20, 0, 40, 60)
    return tournament


def tables(draw: Draw) -> list[list[Any]]:
    return [sorted(row) for row in numbers(draw)]


def by_ranking(tournament: Tournament, **more: Any) -> Draw:
    return begin(tournament, Method.RANKING, serie=2, **more)


def test_the_best_sit_at_table_1(played: Tournament):
    draw = by_ranking(played)

    assert tables(draw) == [[1, 2, 5, 6], [3, 4, 7, 8]]
    assert draw.task["ranking"] == [[2, 6], [1], [5], [3], [7], [4], [8]]
    assert draw.metrics["repeat_meetings"] == 4  # 1–2, 5–6, 3–4, 7–8 again


def test_a_snake_makes_the_tables_alike(played: Tournament):
    # 1 5 | 3 7 in reverse: the one of 2 and 6 drawn first sits at table 1
    draw = by_ranking(played, order=RankOrder.SNAKE)

    first, second = tables(draw)
    assert {5, 3, 8} < set(first)
    assert {1, 7, 4} < set(second)


def test_the_journal_contains_the_method_of_seating(played: Tournament):
    by_ranking(played, order=RankOrder.SNAKE)

    begun = JournalEntry.objects.filter(action="draw_begun").latest("number")
    assert (begun.after["method"], begun.after["order"]) == ("ranking", "snake")
    assert begun.after["unverified"] == []


def test_a_newcomer_is_last(played: Tournament):
    for _person in range(4):
        make_registration(played, make_person())

    draw = by_ranking(played)

    assert tables(draw)[2] == [9, 10, 11, 12]


def test_a_leaver_is_not_in_the_ranking(played: Tournament):
    played.registrations.filter(number=2).update(
        status=Registration.Status.WITHDRAWN, present_at=None
    )

    draw = by_ranking(played)

    assert tables(draw) == [[1, 3, 5, 6], [4, 7, 8]]


def make_team(tournament: Tournament, kind: Ranking.Kind, *members: int) -> Team:
    ranking, _new = Ranking.objects.get_or_create(tournament=tournament, kind=kind)
    team = Team.objects.create(ranking=ranking, name=f"{kind} {members}")
    for registration in tournament.registrations.filter(number__in=members):
        TeamMember.objects.create(team=team, registration=registration, ranking=ranking)
    return team


@pytest.mark.parametrize("order", [1, -1], ids=["tandem first", "team first"])
def test_the_tandem_counts_before_the_team_for_the_draw(order: int):
    tournament = field(4)
    kinds = [(Ranking.Kind.TANDEM, (1, 2)), (Ranking.Kind.TEAM, (2, 3, 4))][::order]
    teams = {kind: make_team(tournament, kind, *members) for kind, members in kinds}

    task = make_task(tournament.serien.get(number=1))

    tandem, team = (
        f"Mannschaft {teams[kind].pk}" for kind in (Ranking.Kind.TANDEM, Ranking.Kind.TEAM)
    )
    assert [player["team"] for player in task["players"]] == [tandem, tandem, team, team]


def test_partners_separations_and_fixed_tables_are_respected(played: Tournament):
    make_team(played, Ranking.Kind.TANDEM, 1, 2)
    separate(played, 5, 6)
    fix(played, 8, 1)

    first, second = tables(by_ranking(played))

    assert 8 in first
    for pair in ({1, 2}, {5, 6}):
        assert not pair <= set(first)
        assert not pair <= set(second)


def test_an_impossible_separation_starts_no_draw(played: Tournament):
    for pair in [(1, 2), (1, 3), (2, 3)]:
        separate(played, *pair)

    with pytest.raises(TournamentError, match="lassen sich nicht auseinander halten"):
        by_ranking(played)

    assert not Draw.objects.filter(serie__number=2).exists()


def unfinished() -> Tournament:
    tournament = field(8)
    seat_in_order(tournament)
    play(tournament, 1, 10, 0, 30, 50)
    play(tournament, 2, 20, 0, 40, 60, verify=False)
    return tournament


def test_unverified_lists_are_named_and_must_be_accepted():
    tournament = unfinished()

    with pytest.raises(UnverifiedLists, match="Noch nicht geprüft: Serie 1 Tisch 2"):
        by_ranking(tournament)
    draw = by_ranking(tournament, accept_unverified=True)

    assert tables(draw) == [[1, 2, 5, 6], [3, 4, 7, 8]]
    begun = JournalEntry.objects.filter(action="draw_begun").latest("number")
    assert begun.after["unverified"] == ["1/2"]


def test_a_refusal_keeps_the_draft():
    tournament = unfinished()
    draft = begin(tournament, Method.CARDS, serie=2)

    with pytest.raises(UnverifiedLists):
        by_ranking(tournament, reason="lieber nach der Rangliste")

    draft.refresh_from_db()
    assert draft.status == Draw.Status.DRAFT


def url(tournament: Tournament, name: str) -> str:
    return reverse(f"draw:{name}", args=[tournament.slug, 2])


def test_the_page_names_unverified_lists_and_asks(client: Client):
    tournament = unfinished()
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    page = client.get(url(tournament, "serie")).content.decode()
    refused = client.post(url(tournament, "begin"), {"method_": "ranking", "order": "top"})
    done = client.post(
        url(tournament, "begin"), {"method_": "ranking", "order": "top", "accept_unverified": "on"}
    )

    assert "Serie 1 Tisch 2." in page
    assert refused.status_code == 409
    assert "bestätigt das ausdrücklich" in refused.content.decode()
    assert done.status_code == 302
    draft = client.get(url(tournament, "serie")).content.decode()
    assert "Wiederbegegnungen" in draft
    assert "Anna Muster" in draft


def test_the_first_serie_does_not_offer_the_ranking(client: Client):
    tournament = field(8)
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    first = reverse("draw:serie", args=[tournament.slug, 1])

    assert "gesetzt nach Rangliste" not in client.get(first).content.decode()
    assert "gesetzt nach Rangliste" in client.get(url(tournament, "serie")).content.decode()
