"""Rankings, prizes and certificates on paper."""

from __future__ import annotations

import pytest

from scoring.payments.prizes import PrizeLine, PrizePlan, RankingCategory
from scoring.payments.prizes import PrizeRanking as RankingKey
from tests.factories import COMMAND, make_user
from tests.factories_lists import list_of, write_games
from tests.tournaments.printing.helpers import make_day, make_played, paper, words
from tournaments.common.errors import TournamentError
from tournaments.common.organisers import first_organiser
from tournaments.desk.services import registrations
from tournaments.desk.services.registrations import Payment
from tournaments.models import Ranking, Registration, Season, Spielliste, Team, TeamMember
from tournaments.seasons.queries import standing

pytestmark = pytest.mark.django_db
Status = Spielliste.Status


def test_the_archived_ranking_names_all_and_the_posted_one_by_consent():
    tournament, _spielliste = make_played(status=Status.VERIFIED)

    to_keep = words(tournament, "rangliste", ranking="einzel")
    to_hang_up = words(tournament, "rangliste-aushang", ranking="einzel")

    assert "Gesamtwertung: Endstand" in to_keep
    assert "1. Voß, Bernd Nr. 2 · 1. Kahlaer SC 201 3 1 201" in to_keep
    assert "3. Sommer, Clara Nr. 3 279 3 0 279" in to_keep
    assert "3. C. S. (Nr. 3) 279 3 0 279" in to_hang_up
    assert "Sommer" not in to_hang_up
    assert "20 je beendetem Spiel am Tisch zu 4" in to_keep
    assert "Vorläufig" not in to_keep


@pytest.mark.parametrize(
    ("serien", "head", "line"),
    [
        (
            7,
            "Serie 6 Serie 7 Spiele",
            "1. Kahlaer SC 1 von 7 Serien 201 – – – – – – 3 1 201",
        ),
        (
            8,
            "Platz Name Spiele Hand Punkte",
            "SC Serien: 201 · – · – · – · – · – · – · – 1 von 8 Serien 3 1 201",
        ),
    ],
)
def test_names_in_a_ranking_keep_their_width_with_many_serien(serien: int, head: str, line: str):
    tournament = make_day(4, serien=8)
    write_games(list_of(tournament.serien.get(number=1)), status=Status.VERIFIED)

    text = words(tournament, "rangliste", ranking="einzel", upto=serien)

    assert head in text
    assert line in text


def test_a_provisional_ranking_names_missing_lists():
    tournament, _spielliste = make_played(status=Status.HANDED_IN)

    text = words(tournament, "rangliste", ranking="einzel")

    assert "Vorläufig. Serie 1: 1 Liste ist noch nicht geprüft (Tisch 1)." in text


def test_ranking_of_teams_lists_their_members():
    tournament, _spielliste = make_played(status=Status.VERIFIED)
    ranking = Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.TANDEM, size=2)
    for name, numbers in (("Die Asse", (1, 2)), ("Vier Buben", (3, 4))):
        team = Team.objects.create(ranking=ranking, name=name)
        for registration in tournament.registrations.filter(number__in=numbers):
            TeamMember.objects.create(team=team, ranking=ranking, registration=registration)

    text = words(tournament, "rangliste", ranking="tandem")

    assert "Platz Tandem Serie 1" in text
    assert "1. Die Asse Anna Kühn, Bernd Voß 411" in text
    assert "2. Vier Buben Clara Sommer, Dieter Lang 580" in text


@pytest.mark.parametrize("name", ["rangliste", "urkunden"])
@pytest.mark.parametrize(
    ("ranking", "refusal"), [("damen", "führt das Turnier nicht"), ("einzel", "kein Ergebnis")]
)
def test_an_unknown_ranking_is_refused(name: str, ranking: str, refusal: str):
    with pytest.raises(TournamentError, match=refusal):
        paper(make_day(4), name, ranking=ranking)


def test_a_ranking_without_handromme_does_not_mention_it():
    tournament = make_day(4, serien=1, rules="contract")
    lines = [
        {
            "finisher": game % 4 + 1,
            "handromme": False,
            "minus": [5 * (seat != game % 4) for seat in range(4)],
        }
        for game in range(7)
    ]
    write_games(list_of(tournament.serien.get()), lines, status=Status.VERIFIED)

    text = words(tournament, "rangliste", ranking="einzel")

    assert "Platz Name Serie 1 Spiele Punkte" in text
    assert "entscheiden mehr beendete Spiele, dann das Entscheidungsspiel (§ 1.5)." in text
    assert "Hand" not in text


def test_certificates_for_the_first_three_places():
    tournament, _spielliste = make_played(status=Status.VERIFIED)

    printed = paper(tournament, "urkunden", ranking="einzel", places=3)

    assert len(printed.pages) == 3
    assert "Bernd Voß 1. Kahlaer SC" in printed.pages[0]
    assert "erreichte in der Gesamtwertung den 1. Platz mit 201 Punkten" in printed.pages[0]
    assert "Clara Sommer" in printed.pages[2]


def test_no_certificate_before_the_ranking_is_settled():
    tournament, _spielliste = make_played(status=Status.HANDED_IN)

    with pytest.raises(TournamentError, match="noch nicht geprüft"):
        paper(tournament, "urkunden", ranking="einzel")


@pytest.mark.parametrize(
    ("prize", "refusal"),
    [
        pytest.param(
            PrizeLine(place=1, goods="Geschenkkorb"),
            r"Noch steht kein Preis fest\. .* Serie 1: 1 Liste ist noch nicht geprüft \(Tisch 1\)",
            id="lists that are not checked",
        ),
        pytest.param(
            PrizeLine(place=1, fixed_cents=5000),
            r"Noch steht kein Preis fest\. .*50,00.€",
            id="more than was taken",
        ),
    ],
)
def test_the_reason_for_unsettled_prizes_is_printed(prize: PrizeLine, refusal: str):
    tournament, _spielliste = make_played()
    tournament.prize_plan = {"startgeld": PrizePlan(lines=(prize,)).to_dict()}
    tournament.save()

    with pytest.raises(TournamentError, match=refusal):
        paper(tournament, "preisliste")


def test_the_list_of_prizes_marks_unsettled_ones():
    tournament = make_day(4, serien=2)
    write_games(list_of(tournament.serien.get(number=1)), status=Status.VERIFIED)
    first = RankingKey(category=RankingCategory.SERIE, serie=1)
    goods = [
        PrizeLine(ranking=first, place=1, goods="Blumen"),
        PrizeLine(place=1, goods="Geschenkkorb"),
    ]
    tournament.prize_plan = {"startgeld": PrizePlan(lines=tuple(goods)).to_dict()}
    tournament.save()

    text = words(tournament, "preisliste")

    assert "Noch nicht vollständig." in text
    assert "Serie 2 ist noch nicht ausgelost." in text
    assert "Blumen" in text
    assert "Geschenkkorb" not in text


def test_prizes_are_listed_with_a_line_to_sign_for_each_winner():
    tournament, _spielliste = make_played(status=Status.VERIFIED)
    tournament.registrations.update(status=Registration.Status.REGISTERED)
    for registration in tournament.registrations.all():
        registrations.pay(COMMAND, registration.pk, payment=Payment())
    lines = (PrizeLine(place=1, fixed_cents=3000), PrizeLine(place=2, goods="Geschenkkorb"))
    tournament.prize_plan = {"startgeld": PrizePlan(lines=lines).to_dict()}
    tournament.save()

    text = words(tournament, "preisliste").replace("\xa0", " ")

    # Bernd Voß has 201 points, Anna Kühn 210; four times 15 € were paid.
    assert "2 · Bernd Voß" in text
    assert "30,00 €" in text
    assert "1 · Anna Kühn" in text
    assert "2. Platz Gesamtwertung: Geschenkkorb" in text
    assert "fester Betrag" not in text  # how it was reckoned is for the page
    assert "zusammen 30,00 €" in text
    # Takings, no Bußgeld, nothing kept, the pot, and the rest.
    assert "Startgeld 60,00 € – – 60,00 € 30,00 €" in text
    assert "erhalten: Unterschrift" in text
    assert "Noch nicht vollständig" not in text


def test_a_season_is_printed_as_its_page_shows_it():
    tournament, _spielliste = make_played(status=Status.VERIFIED)
    with pytest.raises(TournamentError, match="keiner Saison"):
        words(tournament, "saison")
    season = Season.objects.create(
        owner=first_organiser(), name="Pokal 2026", slug="pokal", created_by=make_user()
    )
    season.tournaments.add(tournament)

    said = words(tournament, "saison")

    shown = standing(season).lines
    assert shown
    assert "Pokal 2026" in said
    assert all(line.name in said for line in shown)
    assert "Sommer" not in said
