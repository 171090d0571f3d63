"""Played lists, rankings, prizes, certificates, notices and the journal on paper."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from typing import Any

import pikepdf
import pytest
from pikepdf import Name

from scoring.prizes import Category, PrizeLine, PrizePlan
from scoring.prizes import Ranking as RankingKey
from tests.factories import COMMAND, make_member
from tests.factories_lists import FOUR, list_of, write_games
from tests.tournaments.printing.helpers import BASE_URL, make_day, paper, words
from tournaments.actors import Actor
from tournaments.errors import TournamentError
from tournaments.models import (
    ListVersion,
    Ranking,
    Registration,
    Role,
    Spielliste,
    Team,
    TeamMember,
    Tournament,
)
from tournaments.printing import played
from tournaments.printing.base import Wanted
from tournaments.printing.documents import DOCUMENTS
from tournaments.printing.job import prepare
from tournaments.services import corrections, list_versions, penalties, registrations, signing
from tournaments.services.registrations import Payment

pytestmark = pytest.mark.django_db
Status = Spielliste.Status


def spielleitung(tournament: Tournament) -> Actor:
    return Actor.account(make_member(tournament, Role.SPIELLEITUNG))


def make_played(*, status: str = Status.HANDED_IN, **fields: Any) -> tuple[Tournament, Spielliste]:
    """A day of one table, whose list has the games of ``FOUR``."""
    tournament = make_day(4, serien=1, **fields)
    return tournament, write_games(list_of(tournament.serien.get()), status=status)


def correct(
    tournament: Tournament, spielliste: Spielliste, line: Mapping[str, Any], game: int = 1
) -> None:
    corrections.correct_line(
        spielliste_id=spielliste.pk,
        game=game,
        line=line,
        reason="Zahlendreher",
        version=spielliste.version,
        actor=spielleitung(tournament),
    )


def test_played_list_has_every_game_and_its_sums():
    tournament, _spielliste = make_played()

    text = words(tournament, "spiellisten-gespielt", serie=1)

    # Game, dealer, and for each seat points and running sum; game 6 is a Handrommé of seat 2.
    assert "1 1 0 0 23 23 45 45 12 12" in text
    assert "6 2 62 134 0 H 151 71 192 58 168" in text
    assert "12 4 40 290 21 311 0 339 18 341" in text
    assert "A Minuspunkte 290 311 339 341" in text
    assert "B beendete Spiele 4 3 3 2" in text
    assert "C B × 20 80 60 60 40" in text
    assert "D Handrommé 0 1 0 0" in text
    assert "E D × 50 0 50 0 0" in text
    assert "F Strafpunkte – – – –" in text
    assert "Ergebnis 210 201 279 301" in text
    assert "Platz am Tisch 2. 1. 3. 4." in text
    assert "Summe B = 12, wie gespielt." in text


def test_bussgeld_stands_below_the_list():
    tournament, _spielliste = make_played(
        bussgeld={"kind": "per_list", "cents": 150, "destination": "organiser"}
    )

    text = words(tournament, "spiellisten-gespielt", serie=1).replace("\xa0", " ")

    assert "Bußgeld 1,50 € 1,50 € 1,50 € 1,50 €" in text


def test_correction_stands_on_the_list_with_its_reason():
    tournament, spielliste = make_played()
    correct(tournament, spielliste, {"finisher": 1, "handromme": False, "minus": [0, 23, 54, 12]})

    text = words(tournament, "spiellisten-gespielt", serie=1)

    assert "1 1 0 0 23 23 54 54 12 12" in text
    assert "A Minuspunkte 290 311 348 341" in text
    assert "Spiel 1, Punkte von Platz 3: vorher 45, jetzt 54. Grund: Zahlendreher" in text


def test_unclear_reading_is_marked_and_explained():
    tournament, spielliste = make_played()
    line = {"finisher": 1, "handromme": False, "minus": [0, 23, [45, 54], 12]}
    correct(tournament, spielliste, line)

    text = words(tournament, "spiellisten-gespielt", serie=1)

    assert "1 1 0 0 23 23 54* 54 12 12" in text
    assert "* Spiel 1, Platz 3: Gelesen werden kann 45 oder 54; es zählt 54 (§ 2.2.6)." in text


def test_sheet_printed_for_the_signatures_carries_the_hash_of_the_signed_list():
    tournament, spielliste = make_played(status=Status.COMPLETE)
    before = words(tournament, "spiellisten-gespielt", serie=1)

    signing.sign_on_paper(spielliste_id=spielliste.pk, actor=spielleitung(tournament))

    kept = ListVersion.objects.get()
    after = words(tournament, "spiellisten-gespielt", serie=1)
    assert f"Fassung {list_versions.short_hash(kept)}" in before
    assert f"Fassung {list_versions.short_hash(kept)}" in after
    assert "Anna Kühn (Listenführung), auf Papier unterschrieben" in after


def printed_hash(tournament: Tournament) -> tuple[str, str]:
    """What a played list says of its version, and the key its PDF is kept under."""
    prepared = prepare(DOCUMENTS["spiellisten-gespielt"], Wanted(tournament=tournament, serie=1))
    (piece,) = prepared.pieces
    found = re.search(r'class="version">Fassung (.*?)<', piece.html)
    assert found is not None
    return found.group(1), prepared.key


def test_every_change_of_a_list_is_another_version_and_another_pdf():
    tournament, spielliste = make_played(status=Status.COMPLETE)
    leader = spielleitung(tournament)
    seen = [printed_hash(tournament)]

    signing.sign_on_paper(spielliste_id=spielliste.pk, actor=leader)
    seen.append(printed_hash(tournament))
    correct(tournament, spielliste, {"finisher": 1, "handromme": False, "minus": [0, 23, 54, 12]})
    seen.append(printed_hash(tournament))
    penalty = penalties.propose(
        spielliste_id=spielliste.pk,
        registration_id=tournament.registrations.get(number=2).pk,
        points=100,
        reason="Nicht offen ausgelegt",
        actor=leader,
    )
    seen.append(printed_hash(tournament))
    penalties.give(penalty_id=penalty.pk, actor=leader)
    seen.append(printed_hash(tournament))

    kept = [list_versions.short_hash(one) for one in ListVersion.objects.order_by("version")]
    signed, corrected, punished = kept
    assert [said for said, _key in seen] == [signed, signed, corrected, corrected, punished]
    assert len(set(kept)) == 3
    keys = [key for _said, key in seen]
    # The proposal alone changes nothing on paper; all else needs a new PDF.
    assert keys[2] == keys[3]
    assert len(set(keys)) == 4


def test_list_that_counts_without_signatures_names_its_version_by_number():
    tournament, _spielliste = make_played(status=Status.VERIFIED)

    assert printed_hash(tournament)[0] == "12"


def test_drawn_signature_is_printed():
    tournament, spielliste = make_played(status=Status.COMPLETE)
    signing.sign(
        spielliste_id=spielliste.pk,
        seat=1,
        version=spielliste.version,
        drawing="M10 10 L590 190",
        actor=Actor.command("test"),
    )

    signed = paper(tournament, "spiellisten-gespielt", serie=1)

    with pikepdf.open(io.BytesIO(signed.pdf)) as pdf:
        pictures = [
            str(one.Alt)
            for one in pdf.objects
            if isinstance(one, pikepdf.Dictionary) and Name.Alt in one
        ]
    assert pictures == ["QR-Code: Prüfen am Bildschirm", "Unterschrift von Anna Kühn"]


def test_invalid_list_says_so():
    tournament, _spielliste = make_played(status=Status.INVALID)

    assert "Ungültig: unleserlich" in words(tournament, "spiellisten-gespielt", serie=1)


def test_list_in_the_middle_of_the_serie_is_no_result():
    tournament = make_day(4)
    write_games(list_of(tournament.serien.get(number=1)), FOUR[:7])

    text = words(tournament, "spiellisten-gespielt", serie=1)

    assert "Noch nicht zu Ende: 7 von 12 Spielen" in text
    assert "Platz am Tisch 1." not in text
    assert "noch offen" in text


def test_without_a_game_there_is_nothing_to_sign():
    with pytest.raises(TournamentError, match="noch kein Spiel"):
        paper(make_day(4), "spiellisten-gespielt", serie=1)


def test_nasty_list_with_corrections_stays_on_its_page():
    tournament = make_day(4, nasty=True)
    spielliste = write_games(list_of(tournament.serien.get(number=1)), status=Status.HANDED_IN)
    for game, third in ((1, 46), (2, 19), (5, 26)):
        finisher = {1: 1, 2: 2, 5: 1}[game]
        minus = [31 if finisher == 2 else 0, 0 if finisher == 2 else 23, third, 12]
        correct(
            tournament,
            spielliste,
            {"finisher": finisher, "handromme": False, "minus": minus},
            game,
        )
        spielliste.refresh_from_db()

    assert len(paper(tournament, "spiellisten-gespielt", serie=1).pages) == 1


def test_code_to_the_stored_list_costs_no_page_and_makes_no_name_smaller():
    tournament, _spielliste = make_played(nasty=True)
    seen = set()

    for games in range(18, 26):
        tournament.rule_set = {**tournament.rule_set, "games": games}
        plain, coded = (
            played.played(Wanted(tournament=tournament, serie=1, base_url=base_url)).sheets or ()
            for base_url in ("", BASE_URL)
        )
        assert [one.is_compact for one in coded] == [one.is_compact for one in plain]
        seen.add(bool(coded[0].head.qr))

    assert seen == {True, False}


def test_ranking_to_keep_names_everybody_and_the_one_to_hang_up_does_not():
    tournament, _spielliste = make_played(status=Status.VERIFIED)

    to_keep = words(tournament, "rangliste", ranking="einzel")
    to_hang_up = words(tournament, "rangliste-aushang", ranking="einzel")

    assert "Gesamtwertung: Endstand" in to_keep
    assert "1. Voß, Bernd Nr. 2 · 1. Kahlaer SC 201 3 1 201" in to_keep
    assert "3. Sommer, Clara Nr. 3 279 3 0 279" in to_keep
    assert "3. C. S. Nr. 3 279 3 0 279" in to_hang_up
    assert "Sommer" not in to_hang_up
    assert "20 je beendetem Spiel am Tisch zu 4" in to_keep
    assert "Vorläufig" not in to_keep


def test_ranking_that_may_change_says_what_is_missing():
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
def test_ranking_that_is_not_there_is_refused(name: str, ranking: str, refusal: str):
    with pytest.raises(TournamentError, match=refusal):
        paper(make_day(4), name, ranking=ranking)


def test_ranking_by_rules_without_handromme_does_not_speak_of_it():
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


def test_whoever_a_correction_concerns_gets_a_page():
    tournament, spielliste = make_played()
    correct(tournament, spielliste, {"finisher": 1, "handromme": False, "minus": [0, 23, 54, 12]})

    everybody = paper(tournament, "berichtigungen")
    third = paper(tournament, "berichtigungen", number=3)

    assert len(everybody.pages) == 4
    assert len(third.pages) == 1
    assert "An Startnummer 3, Clara Sommer" in third.text
    assert "Punkte von Platz 3 45 54" in third.text
    assert "Grund: Zahlendreher" in third.text
    assert "Ihre Punkte in Serie 1: vorher 279, jetzt 288." in third.text
    assert "Einspruch ist" in third.text


@pytest.mark.parametrize("asked", [{}, {"number": 3}, {"number": 99}])
def test_nobody_to_be_told_is_said(asked: dict[str, int]):
    with pytest.raises(TournamentError, match=r"Niemand|keine Mitteilung"):
        paper(make_day(4), "berichtigungen", **asked)


def test_journal_is_printed_from_its_first_entry_on():
    tournament, spielliste = make_played()
    correct(tournament, spielliste, {"finisher": 1, "handromme": False, "minus": [0, 23, 54, 12]})

    text = words(tournament, "protokoll")

    assert "Protokoll" in text
    assert "Berichtigung 1 ausgeführt" in text
    assert "Grund: Zahlendreher" in text


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
def test_why_no_prize_is_settled_yet_is_said(prize: PrizeLine, refusal: str):
    tournament, _spielliste = make_played()
    tournament.prize_plan = {"startgeld": PrizePlan(lines=(prize,)).to_dict()}
    tournament.save()

    with pytest.raises(TournamentError, match=refusal):
        paper(tournament, "preisliste")


def test_list_of_prizes_says_that_some_are_not_settled_yet():
    tournament = make_day(4, serien=2)
    write_games(list_of(tournament.serien.get(number=1)), status=Status.VERIFIED)
    first = RankingKey(category=Category.SERIE, serie=1)
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
        registrations.pay(registration_id=registration.pk, payment=Payment(), actor=COMMAND)
    lines = (PrizeLine(place=1, fixed_cents=3000), PrizeLine(place=2, goods="Geschenkkorb"))
    tournament.prize_plan = {"startgeld": PrizePlan(lines=lines).to_dict()}
    tournament.save()

    text = words(tournament, "preisliste").replace("\xa0", " ")

    # Bernd Voß has 201 points, Anna Kühn 210; four times 15 € were paid.
    assert "2 · Bernd Voß" in text
    assert "30,00 €" in text
    assert "1 · Anna Kühn" in text
    assert "Geschenkkorb" in text
    assert "zusammen 30,00 €" in text
    assert "eingenommen 60,00 €" in text
    assert "erhalten: Unterschrift" in text
    assert "Noch nicht vollständig" not in text
