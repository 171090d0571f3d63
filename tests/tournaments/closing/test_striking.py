"""Struck-out Serien: with a reason, reinstated, and hidden meanwhile."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse

from scoring.errors import ScoringError
from scoring.payments.prizes import PrizeLine, PrizePlan, PrizeRanking, RankingCategory
from tests.factories import COMMAND, make_member
from tests.factories_lists import make_seated_serie
from tests.tournaments.archive.helpers import saved, unsealed
from tests.tournaments.closing.test_tournament import close, closed_serie
from tests.tournaments.notices.helpers import tournament_of
from tests.worlds import world
from tournaments.announcement.services.edit import change_serien
from tournaments.announcement.services.sections import fingerprint
from tournaments.archive.importing import import_archive
from tournaments.archive.writing import archive_text
from tournaments.closing import services as closing
from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.draw.services import draws
from tournaments.models import Draw, JournalEntry, Role, Serie, Tournament
from tournaments.models.tournament import Section
from tournaments.results.queries.rankings import OVERALL, Rankings

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def played_one_of_three(**fields: str) -> Tournament:
    """Serie 1 is closed; 2 and 3 are not drawn."""
    tournament = tournament_of(closed_serie(**fields))
    for number in (2, 3):
        Serie.objects.create(tournament=tournament, number=number, seating="electronic")
    return tournament


def of(tournament: Tournament, number: int) -> Serie:
    return Serie.every.get(tournament=tournament, number=number)


def strike(tournament: Tournament, number: int, reason: str = "Die Halle schließt") -> list[Serie]:
    serie = tournament.serien.get(number=number)
    return closing.strike_out(COMMAND, serie.pk, reason=reason)


tournament = world(played_one_of_three)


def test_striking_out_a_serie_includes_later_ones_and_permits_the_closing(
    tournament: Tournament,
):
    second = tournament.serien.get(number=2)
    draft = draws.begin(COMMAND, second.pk, method=Serie.Seating.ELECTRONIC)

    dropped = strike(tournament, 2)
    close(tournament)

    assert [serie.number for serie in dropped] == [2, 3]
    assert [serie.number for serie in tournament.serien.all()] == [1]
    draft.refresh_from_db()
    assert draft.status == Draw.Status.DISCARDED
    entries = JournalEntry.objects.filter(action="serie_struck_out").order_by("pk")
    assert [(entry.after, entry.reason) for entry in entries] == [
        ({"serie": 2}, "Die Halle schließt"),
        ({"serie": 3}, "Die Halle schließt"),
    ]


def test_rankings_contain_played_serien_only(tournament: Tournament):
    strike(tournament, 2)

    assert Rankings(tournament).serien == 1
    assert Rankings(tournament).table(OVERALL).title == "Endstand"


@pytest.mark.both
def test_reinstating_a_serie_includes_those_before_it(
    tournament: Tournament,
):
    strike(tournament, 2)

    back = closing.reinstate(COMMAND, of(tournament, 3).pk)

    assert [serie.number for serie in back] == [2, 3]
    assert [serie.seating for serie in tournament.serien.all()][1:] == ["electronic"] * 2
    entry = JournalEntry.objects.filter(action="serie_reinstated").latest("pk")
    assert (entry.before, entry.after) == ({"reason": "Die Halle schließt"}, {"serie": 3})
    with pytest.raises(closing.NotSettled, match="Serie 2, Serie 3 sind nicht ausgelost"):
        close(tournament)


@pytest.mark.parametrize(
    ("number", "reason", "sentence"),
    [
        pytest.param(2, " ", "Bitte angeben, warum", id="no reason"),
        pytest.param(1, "x", "Es bliebe keine", id="the first"),
    ],
)
def test_a_serie_is_struck_out_with_a_reason_and_never_the_first(
    number: int, reason: str, sentence: str, tournament: Tournament
):
    Serie.objects.update(closed_at=None)

    with pytest.raises(TournamentError, match=sentence):
        strike(tournament, number, reason)

    assert tournament.serien.count() == 3


def test_a_serie_with_seats_is_not_struck_out(tournament: Tournament):
    make_seated_serie(tournament, number=3)

    with pytest.raises(WrongStatus, match="Serie 3 ist ausgelost"):
        strike(tournament, 2)

    assert tournament.serien.count() == 3
    assert not JournalEntry.objects.filter(action="serie_struck_out").exists()


def test_a_serie_with_its_own_prize_cannot_be_struck_out(
    tournament: Tournament,
):
    ranking = PrizeRanking(category=RankingCategory.SERIE, serie=3)
    third = PrizeLine(ranking=ranking, place=1, goods="Pokal")
    tournament.prize_plan = {"startgeld": PrizePlan(lines=(third,)).to_dict()}
    tournament.save()

    with pytest.raises(TournamentError, match="diese Serie wird nicht gespielt"):
        strike(tournament, 3)

    assert tournament.serien.count() == 3


def test_only_struck_out_serien_are_reinstated(tournament: Tournament):
    with pytest.raises(TournamentError, match="Serie 2 ist nicht gestrichen"):
        closing.reinstate(COMMAND, of(tournament, 2).pk)


def test_adding_serien_reinstates_struck_out_ones():
    tournament = played_one_of_three(
        venue="Bürgerhaus", organiser="SC Altenburg", contact_phone="03447 1234"
    )
    strike(tournament, 2)
    lines = [Serie(seating=Serie.Seating.CARDS), Serie(seating=Serie.Seating.RANKING)]

    change_serien(
        COMMAND,
        tournament.pk,
        seen=fingerprint(tournament, Section.SERIEN),
        reason="Die Halle bleibt offen",
        lines=lines,
    )

    assert [(serie.number, serie.seating) for serie in tournament.serien.all()] == [
        (1, "cards"),
        (2, "ranking"),
    ]


def test_an_archive_keeps_struck_out_serien(tournament: Tournament):
    third = tournament.serien.get(number=3)
    strike(tournament, 3)
    text = saved(tournament)

    imported = import_archive(text.encode(), actor=COMMAND, replace=True)

    assert json.loads(text)["tournament"]["series"] == 2
    again = Serie.every.get(tournament=imported, number=3)
    assert again != third
    assert again.struck_out == "Die Halle schließt"
    assert [serie.number for serie in imported.serien.all()] == [1, 2]
    assert archive_text(imported) == text


def test_a_file_with_a_played_struck_out_serie_is_refused():
    data = unsealed(saved(played_one_of_three()))
    data["serie_details"][0]["struck_out"] = "Die Halle schließt"

    with pytest.raises(ScoringError, match="steht hinter den Serien, die gespielt werden"):
        import_archive(json.dumps(data).encode(), actor=COMMAND, replace=True)


def test_the_page_strikes_out_with_a_reason_and_reinstates(client: Client, tournament: Tournament):
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    def at(name: str) -> str:
        return reverse(f"closing:{name}", args=[tournament.slug, 2])

    refused = client.post(at("strike_out"), {"serie2-reason": ""})
    struck = client.post(at("strike_out"), {"serie2-reason": "Die Halle schließt"}, follow=True)
    back = client.post(at("reinstate"), follow=True)

    assert refused.status_code == 422
    assert "Serie 2 und alle weiteren entfallen" in refused.content.decode()
    assert "Serie 2 entfällt. Serie 3 entfällt." in struck.content.decode()
    assert "Die Halle schließt" in struck.content.decode()
    assert "Turnier abschließen" in struck.content.decode()
    assert "Serie 2 findet doch statt." in back.content.decode()
