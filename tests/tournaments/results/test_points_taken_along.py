"""Carried points in the Endrunde: read once, shown as „Vorrunde“, taken again for all."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.rulesets import ruleset
from tests.clients import Client
from tests.clients import plain as text
from tests.factories import acting, make_head, make_member, make_person
from tests.factories_results import play_serie
from tests.tournaments.announcement.helpers import COMPLETE
from tests.tournaments.archive.helpers import saved
from tests.tournaments.printing.helpers import words
from tests.tournaments.results.test_final import closed, make
from tests.tournaments.results.test_playing_on import listing, send
from tournaments.announcement.forms.tournament import ProcedureForm
from tournaments.announcement.queries import ausschreibung_text
from tournaments.announcement.services.copying import copy_tournament
from tournaments.announcement.services.edit import change_fields
from tournaments.announcement.services.sections import fingerprint
from tournaments.archive.importing import import_archive
from tournaments.archive.writing import archive_text
from tournaments.closing.queries.closing import reopening_warnings
from tournaments.closing.queries.standings import snapshot
from tournaments.closing.queries.tournament import of_tournament
from tournaments.common.access_keys import player_path
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, NotAllowed, TournamentError, WrongStatus
from tournaments.desk.queries.earlier_tournament import points_moves
from tournaments.desk.services.qualification import fingerprint_of, take_points
from tournaments.desk.services.registrations import register
from tournaments.journal import proof
from tournaments.models import Closing, JournalEntry, Role, Season, Serie, Tournament
from tournaments.models.tournament import Section
from tournaments.results.queries.press import press
from tournaments.results.queries.rankings import OVERALL, Rankings
from tournaments.results.services import player_access
from tournaments.seasons import queries as seasons

pytestmark = [pytest.mark.django_db, pytest.mark.once]

# On the places 1 to 4 are Nr. 3, 4, 2 and 1; of all others an invalid list left a gap.
TAKEN = {1: 225, 2: 255, 3: 360, 4: 440, 5: None, 6: None, 7: None, 8: None}


def keep(tournament: Tournament) -> None:
    """Close a tournament, as the act does."""
    content = snapshot(tournament)
    number = tournament.closings.count() + 1
    Closing.objects.create(
        tournament=tournament,
        number=number,
        closed_at=timezone.now(),
        content=content,
        content_hash=str(number),
    )


def final() -> tuple[Tournament, Tournament, Client]:
    """The earlier tournament, its announced final in which points are taken along, and its head."""
    earlier, client = closed()
    keep(earlier)
    url = reverse("results:final", args=[earlier.slug])
    day = {"start_day": "2026-11-07", "start_time": "14:00"}
    sent = {**day, "name_": "Endrunde", "first": 1, "last": 8, "carries_points": "on"}
    client.post(url, sent)
    made = earlier.copies.get()
    made.status, made.venue = Tournament.Status.ANNOUNCED, COMPLETE["venue"]
    Tournament.objects.filter(pk=made.pk).update(status=made.status, **COMPLETE)
    made.refresh_from_db()
    proof.baseline_proof(made)
    return earlier, made, client


def registered() -> tuple[Tournament, Tournament, Client]:
    """The same, with all eight registered by the button."""
    earlier, made, client = final()
    send(made, client, 8)
    return earlier, made, client


def taken(tournament: Tournament) -> dict[int, int | None]:
    return dict(tournament.registrations.order_by("number").values_list("number", "carried_points"))


def play(tournament: Tournament) -> None:
    """Play: Nr. 1 to 4 have 150, 130, 25 and −40 in Serie 1, Nr. 5 to 8 have 1, 2, 3 and 4."""
    tournament.registrations.update(status="paid", present_at=timezone.now())
    players = list(tournament.registrations.order_by("number"))
    play_serie(tournament, [players[:4], players[4:]], [(150, 130, 25, -40), (1, 2, 3, 4)])
    Tournament.objects.filter(pk=tournament.pk).update(status=Tournament.Status.RUNNING)
    tournament.refresh_from_db()


def correct(earlier: Tournament, number: int, points: int) -> None:
    """Reopen the earlier tournament, and close it with another total of *number*."""
    earlier.closings.update(reopened_at=timezone.now(), reopened_reason="Zahlendreher")
    content = snapshot(earlier)
    for line in content["rankings"]["einzel"]:
        line["total"] = points if line["number"] == number else line["total"]
    Closing.objects.create(
        tournament=earlier,
        number=2,
        closed_at=timezone.now(),
        content=content,
        content_hash="2",
    )


# 225 + 150, 255 + 130, 360 + 25, 440 − 40; two are equal at 385, each with three games finished.
RANKED = [(1, 1, 375), (2, 2, 385), (2, 3, 385), (4, 4, 400)]
# Players without carried points rank behind, by their played results.
RANKED += [(5, 5, 1), (6, 6, 2), (7, 7, 3), (8, 8, 4)]


def test_points_are_taken_from_complete_results_only_without_zeros():
    _earlier, made, _client = registered()

    assert made.carries_points
    assert taken(made) == TAKEN
    assert list(proof.of_tournament(made)) == []


def test_carrying_points_is_off_by_default():
    earlier, client = closed()
    keep(earlier)
    made = make(earlier, client, 1, 4)

    assert made is not None
    assert not made.carries_points
    assert "carries_points" in ProcedureForm(tournament=made).fields
    assert "carries_points" not in ProcedureForm(tournament=earlier).fields


def test_serie_1_defaults_to_seating_by_ranking():
    _earlier, made, _client = final()

    assert made.serien.get(number=1).seating == Serie.Seating.RANKING
    copy = copy_tournament(
        owner=made.owner,
        tournament_id=made.pk,
        name="Nächstes Jahr",
        starts_at=made.starts_at,
        actor=Actor.account(make_head(made.owner)),
    )
    # The copy follows nothing: neither points nor a ranking.
    assert not copy.carries_points
    assert copy.serien.get(number=1).seating == Serie.Seating.CARDS


def test_the_ranking_adds_carried_points_in_their_own_column():
    _earlier, made, client = registered()
    play(made)
    slug = [made.slug]

    table = Rankings(made).table(OVERALL, upto=1)
    page = text(client.get(reverse("results:ranking", args=slug)))
    rows = client.get(reverse("results:file", args=[*slug, "csv"])).content.decode("utf-8-sig")
    lines = [line.split(";") for line in rows.splitlines()]
    paper = words(made, "rangliste", upto=1)
    data = json.loads(client.get(reverse("results:file", args=[*slug, "json"])).content)

    carried = [
        (line.standing.rank, line.standing.number, line.standing.total) for line in table.lines
    ]
    assert carried == RANKED
    assert '<th scope="col" class="num">Vorrunde</th>' in page
    assert "Die Punkte der Vorrunde werden mitgenommen" in page
    assert lines[0][4:6] == ["Vorrunde", "Serie 1"]
    assert [line[4:6] for line in lines[1:5]] == [
        ["225", "150"],
        ["255", "130"],
        ["360", "25"],
        ["440", "-40"],
    ]
    assert lines[5][4:6] == ["", "1"]
    assert "ohne Vorrunde" in lines[5][-1]
    assert "Vorrunde" in paper
    assert [line.get("carried") for line in data["standings"]][:5] == [225, 255, 360, 440, None]


def test_paper_with_many_serien_shows_carried_points():
    _earlier, made, _client = registered()
    for number in range(4, 9):
        made.serien.create(number=number)
    play(made)

    paper = " ".join(words(made, "rangliste", upto=8).split())

    assert "davon Vorrunde 225; Serien: 150 · –" in paper


def test_carried_points_agree_everywhere_and_a_serie_starts_at_zero():
    _earlier, made, _client = registered()
    play(made)
    player_access.store_tokens(made)

    own = text(Client().get(player_path(made.registrations.get(number=1))))
    answer = json.loads(Client().get(reverse("feed:overall", args=[made.slug])).content)
    [(_label, best)] = press(made)["rankings"]
    serie = Rankings(made).choices()[-3]
    alone = Rankings(made).standings(serie)

    assert "375 Punkte" in own
    assert "davon Vorrunde 225" in own
    assert "nach Serie 1 375" in own  # the course runs on from there
    assert [(line["points"], line["carried"]) for line in answer["lines"][:3]] == [
        (375, 225),
        (385, 255),
        (385, 360),
    ]
    assert [(line.rank, line.points) for line in best] == [(1, 375), (2, 385), (2, 385)]
    assert [(line.number, line.total) for line in alone][:2] == [(4, -40), (5, 1)]


def test_a_season_counts_carried_points_once():
    _earlier, made, _client = registered()
    for serie in made.serien.filter(number__gt=1):
        serie.delete()
    play(made)
    season = Season.objects.create(
        owner=made.owner, slug="s", name="S", created_by=make_head(made.owner)
    )
    season.tournaments.add(made)

    lines = seasons.standing(season).lines

    # Also of Nr. 5 to 8, without carried points and with a result in each Serie.
    assert sorted(line.value for line in lines) == [-40, 1, 2, 3, 4, 25, 130, 150]


def test_points_and_wertpunkte_are_not_added_up():
    _earlier, made, client = final()
    by_wertpunkte = ruleset_to_dict(ruleset("wertpunkte"))
    Tournament.objects.filter(pk=made.pk).update(rule_set=by_wertpunkte)

    send(made, client, 8)

    assert set(taken(made).values()) == {None}


def test_a_missed_serie_is_named_without_carried_points():
    _earlier, made, _client = registered()
    made.registrations.update(carried_points=None)
    made.registrations.update(status="paid", present_at=timezone.now())
    players = list(made.registrations.order_by("number"))
    play_serie(made, [players[:4], players[4:]], [(150, 130, 25, -40), (1, 2, 3, 4)])
    play_serie(made, [players[:4]], [(10, 20, 30, 40)], number=2)

    lines = Rankings(made).table(OVERALL, upto=2).lines

    assert [line.standing.lacks for line in lines] == [0] * 4 + [1] * 4
    assert [line.decided for line in lines[4:]] == ["1 von 2 Serien"] * 4


def test_a_qualified_late_entry_carries_points_and_a_newcomer_none():
    earlier, made, _client = final()
    best = earlier.registrations.get(number=3).person
    by = acting(made)

    register(by, made.pk, person_id=best.pk, late_reason="spät")
    newcomer = register(
        by, made.pk, person_id=make_person().pk, late_reason="spät", admission_reason="lädt ein"
    )

    assert taken(made) == {1: 225, 2: None}
    assert newcomer.carried_points is None


def test_carried_points_change_only_by_taking_all_again_with_a_reason():
    earlier, made, client = registered()
    play(made)
    made.registrations.filter(number=8).update(carried_points=7)  # as if that had been corrected

    assert "mitgenommen" in " ".join(reopening_warnings(earlier))
    earlier.closings.update(reopened_at=timezone.now(), reopened_reason="Zahlendreher")
    assert points_moves(made) == []  # nothing is final there
    correct(earlier, 3, 245)

    assert taken(made)[1] == 225
    page = listing(made, client)
    assert "stehen dort anders" in page
    assert "<strong>245</strong>" in page
    assert "nach der Rangliste gesetzt sind, bleiben" in page
    seen = fingerprint_of(points_moves(made))
    open_points = [item.sentence for item in of_tournament(made, {}) if not item.blocks]
    assert "Punkte der Vorrunde, die dort anders stehen: Nr. 1, Nr. 8." in open_points
    with pytest.raises(TournamentError, match="warum"):
        take_points(acting(made), made.pk, seen=seen)
    with pytest.raises(Conflict, match="inzwischen andere"):
        take_points(acting(made), made.pk, seen="alt", reason="Zahlendreher")
    url = reverse("desk:take_points", args=[made.slug])
    refused = client.post(url, {"seen": seen, "reason": ""})
    assert refused.status_code == 422
    assert f'name="seen" value="{seen}"' in refused.content.decode()
    client.post(url, {"seen": seen, "reason": "Zahlendreher"})

    assert taken(made) == TAKEN | {1: 245}
    assert "stehen dort anders" not in listing(made, client)
    entries = JournalEntry.objects.filter(action="points_taken").order_by("pk")
    assert [(entry.before, entry.after, entry.reason) for entry in entries] == [
        ({"carried_points": 225}, {"carried_points": 245}, "Zahlendreher"),
        ({"carried_points": 7}, {"carried_points": None}, "Zahlendreher"),
    ]


def test_a_substitute_keeps_carried_points():
    earlier, made, _client = registered()
    first = made.registrations.get(number=1)
    person = make_person()
    first.substitutions.create(left=first.person, joined=person, reason="krank")
    first.person = person
    first.save()

    assert points_moves(made) == []
    correct(earlier, 3, 245)
    assert [(move.registration.number, move.carried) for move in points_moves(made)] == [(1, 245)]


def test_carrying_points_needs_role_and_state():
    earlier, made, _client = registered()
    correct(earlier, 3, 245)
    seen = fingerprint_of(points_moves(made))
    desk = Actor.account(make_member(made, Role.SCHIEDSRICHTER))

    with pytest.raises(NotAllowed):
        take_points(desk, made.pk, seen=seen, reason="so")
    Tournament.objects.filter(pk=made.pk).update(status=Tournament.Status.CLOSED)
    with pytest.raises(WrongStatus):
        take_points(acting(made), made.pk, seen=seen, reason="so")


def test_carrying_points_can_be_chosen_until_the_tournament_runs():
    _earlier, made, client = registered()
    Tournament.objects.filter(pk=made.pk).update(carries_points=False)
    made.registrations.update(carried_points=None)
    proof.baseline_proof(made)

    def choose(value: bool, reason: str = "") -> None:
        made.refresh_from_db()
        seen = fingerprint(made, Section.PROCEDURE)
        values: dict[str, Any] = {"carries_points": value}
        section = Section.PROCEDURE
        change_fields(
            acting(made), made.pk, seen=seen, section=section, values=values, reason=reason
        )

    choose(True)
    made.refresh_from_db()
    said = [sentence for _label, sentence in ausschreibung_text.scoring_lines(made)]
    assert any("Die Punkte der Vorrunde werden mitgenommen" in sentence for sentence in said)
    assert any("Wer keine hat, steht hinter allen" in sentence for sentence in said)
    made.only_whole = True  # then players without them have no place, and are not called „behind“
    said = [sentence for _label, sentence in ausschreibung_text.scoring_lines(made)]
    assert any("Wer keine hat, hat keinen Platz." in sentence for sentence in said)
    assert not any("steht hinter allen mit ebenso" in sentence for sentence in said)
    seen = fingerprint_of(points_moves(made))
    client.post(reverse("desk:take_points", args=[made.slug]), {"seen": seen, "reason": ""})
    assert taken(made) == TAKEN
    Tournament.objects.filter(pk=made.pk).update(status=Tournament.Status.RUNNING)
    with pytest.raises(WrongStatus, match="ob Punkte mitgenommen werden"):
        choose(False, reason="doch nicht")


def test_carried_points_survive_an_archive():
    _earlier, made, _client = registered()
    play(made)
    made.memberships.all().delete()
    proof.baseline_proof(made)
    archived = saved(made)
    Tournament.objects.filter(pk=made.pk).update(slug="frueher")

    again = import_archive(archived.encode(), actor=Actor.account(make_head(made.owner)))

    assert archive_text(again) == archived
    assert taken(again) == TAKEN
    lines = Rankings(again).standings(OVERALL, upto=1)
    assert [(line.rank, line.number, line.total) for line in lines] == RANKED
