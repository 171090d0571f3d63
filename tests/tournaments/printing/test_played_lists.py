"""Played lists, notices of corrections and the journal on paper."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from typing import Any

import pikepdf
import pytest
from pikepdf import Name

from tests.factories import make_member
from tests.factories_lists import FOUR, list_of, write_games
from tests.tournaments.journal.helpers import played_tournament
from tests.tournaments.printing.helpers import BASE_URL, make_day, make_played, paper, words
from tests.worlds import world
from tournaments.checking.services import penalties
from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError
from tournaments.corrections.services import corrections
from tournaments.lists.services import signing
from tournaments.lists.services import versions as list_versions
from tournaments.models import ListVersion, Role, Spielliste, Tournament
from tournaments.printing import played_lists, print_job
from tournaments.printing.base import PrintRequest
from tournaments.printing.documents import DOCUMENTS
from tournaments.printing.print_job import prepare

pytestmark = pytest.mark.django_db
Status = Spielliste.Status


def spielleitung(tournament: Tournament) -> Actor:
    return Actor.account(make_member(tournament, Role.SPIELLEITUNG))


def correct(
    tournament: Tournament, spielliste: Spielliste, line: Mapping[str, Any], game: int = 1
) -> None:
    corrections.correct_line(
        spielleitung(tournament),
        spielliste.pk,
        game=game,
        line=line,
        reason="Zahlendreher",
        version=spielliste.version,
    )


complete = world(lambda: make_played(status=Status.COMPLETE))


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


def test_bussgeld_is_printed_below_the_list():
    tournament, _spielliste = make_played(
        bussgeld={"kind": "per_list", "cents": 150, "destination": "organiser"}
    )

    text = words(tournament, "spiellisten-gespielt", serie=1).replace("\xa0", " ")

    assert "Bußgeld 1,50 € 1,50 € 1,50 € 1,50 €" in text


def test_a_correction_is_printed_with_its_reason():
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


def test_a_sheet_for_signatures_contains_the_hash_of_the_list(complete):
    tournament, spielliste = complete
    before = words(tournament, "spiellisten-gespielt", serie=1)

    signing.sign_on_paper(spielleitung(tournament), spielliste.pk)

    kept = ListVersion.objects.get()
    after = words(tournament, "spiellisten-gespielt", serie=1)
    assert f"Stand {list_versions.short_hash(kept)}" in before
    assert f"Stand {list_versions.short_hash(kept)}" in after
    assert "Anna Kühn (Listenführung), auf Papier unterschrieben" in after


def printed_hash(tournament: Tournament) -> tuple[str, str]:
    """Return the version hash on a played list, and the cache key of its PDF."""
    prepared = prepare(
        DOCUMENTS["spiellisten-gespielt"], PrintRequest(tournament=tournament, serie=1)
    )
    (piece,) = prepared.pieces
    match = re.search(r'class="version">Stand (.*?)<', piece.html)
    assert match is not None
    return match.group(1), prepared.key


def test_every_change_of_a_list_is_another_version_and_another_pdf(complete):
    tournament, spielliste = complete
    leader = spielleitung(tournament)
    seen = [printed_hash(tournament)]

    signing.sign_on_paper(leader, spielliste.pk)
    seen.append(printed_hash(tournament))
    correct(tournament, spielliste, {"finisher": 1, "handromme": False, "minus": [0, 23, 54, 12]})
    seen.append(printed_hash(tournament))
    penalty = penalties.propose(
        leader,
        spielliste.pk,
        registration_id=tournament.registrations.get(number=2).pk,
        points=100,
        reason="Nicht offen ausgelegt",
    )
    seen.append(printed_hash(tournament))
    penalties.give(leader, penalty.pk)
    seen.append(printed_hash(tournament))

    kept = [
        list_versions.short_hash(version) for version in ListVersion.objects.order_by("version")
    ]
    signed, corrected, punished = kept
    assert [said for said, _key in seen] == [signed, signed, corrected, corrected, punished]
    assert len(set(kept)) == 3
    keys = [key for _said, key in seen]
    # The proposal alone changes nothing on paper; all else needs a new PDF.
    assert keys[2] == keys[3]
    assert len(set(keys)) == 4


def test_an_unsigned_counting_list_names_its_version():
    tournament, _spielliste = make_played(status=Status.VERIFIED)

    assert printed_hash(tournament)[0] == "12"


def test_drawn_signature_is_printed(complete):
    tournament, spielliste = complete
    signing.sign(
        Actor.command("test"),
        spielliste.pk,
        seat=1,
        version=spielliste.version,
        drawing="M10 10 L590 190",
    )

    signed = paper(tournament, "spiellisten-gespielt", serie=1)

    with pikepdf.open(io.BytesIO(signed.pdf)) as pdf:
        pictures = [
            str(item.Alt)
            for item in pdf.objects
            if isinstance(item, pikepdf.Dictionary) and Name.Alt in item
        ]
    assert pictures == ["QR-Code: Prüfen am Bildschirm", "Unterschrift von Anna Kühn"]


def test_a_corrected_list_shows_its_signatures_and_their_version(complete):
    tournament, spielliste = complete
    signing.sign_on_paper(spielleitung(tournament), spielliste.pk)
    signed = ListVersion.objects.get()
    spielliste.refresh_from_db()
    correct(tournament, spielliste, {"finisher": 1, "handromme": False, "minus": [0, 23, 54, 12]})

    text = words(tournament, "spiellisten-gespielt", serie=1)

    assert "Anna Kühn (Listenführung), auf Papier unterschrieben" in text
    assert f"Unterschrieben wurde Stand {list_versions.short_hash(signed)}" in text
    assert f"Stand {list_versions.short_hash(ListVersion.objects.last())}" in text


def test_signatures_of_an_older_version_are_not_printed(complete):
    tournament, spielliste = complete
    signing.sign_on_paper(spielleitung(tournament), spielliste.pk, seats=[1], version=12)
    Spielliste.objects.filter(pk=spielliste.pk).update(version=13)

    text = words(tournament, "spiellisten-gespielt", serie=1)

    assert "auf Papier unterschrieben" not in text


def test_the_list_shows_bought_cards():
    tournament = make_day(4, serien=1, rules="progressiv")
    game = {"finisher": 1, "handromme": False, "minus": [0, 20, 40, 90]}
    spielliste = write_games(list_of(tournament.serien.get()), [game])
    spielliste.bought_cards = [0, 3, 1, 2]
    spielliste.save()

    text = words(tournament, "spiellisten-gespielt", serie=1)

    assert "Gekaufte Karten 0 3 1 2" in text


def test_an_invalid_list_is_marked():
    tournament, _spielliste = make_played(status=Status.INVALID)

    assert "Ungültig: unleserlich" in words(tournament, "spiellisten-gespielt", serie=1)


def test_a_running_list_is_not_printed_as_a_result():
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


def test_the_code_of_a_list_costs_no_page_or_text_size():
    tournament, _spielliste = make_played(nasty=True)
    seen = set()

    for games in range(18, 26):
        tournament.rule_set = {**tournament.rule_set, "games": games}
        plain, coded = (
            played_lists.played(
                PrintRequest(tournament=tournament, serie=1, base_url=base_url)
            ).sheets
            or ()
            for base_url in ("", BASE_URL)
        )
        assert [sheet.page.is_compact for sheet in coded] == [
            sheet.page.is_compact for sheet in plain
        ]
        seen.add(bool(coded[0].head.qr))

    assert seen == {True, False}


def test_each_person_concerned_by_a_correction_gets_a_slip():
    tournament, spielliste = make_played()
    correct(tournament, spielliste, {"finisher": 1, "handromme": False, "minus": [0, 23, 54, 12]})

    everybody = paper(tournament, "berichtigungen")
    third = paper(tournament, "berichtigungen", number=3)

    assert len(everybody.pages) == 2
    assert everybody.text.count("An Startnummer") == 4
    assert len(third.pages) == 1
    assert "An Startnummer 3, Clara Sommer" in third.text
    assert "Punkte von Platz 3 45 54" in third.text
    assert "Grund: Zahlendreher" in third.text
    assert "Ihre Punkte in Serie 1: vorher 279, jetzt 288." in third.text
    assert "Einspruch ist" in third.text


@pytest.mark.parametrize("asked", [{}, {"number": 3}, {"number": 99}])
def test_slips_without_recipients_are_refused(asked: dict[str, int]):
    with pytest.raises(TournamentError, match=r"Niemand|keine Mitteilung"):
        paper(make_day(4), "berichtigungen", **asked)


def test_journal_is_printed_from_its_first_entry_on():
    tournament, spielliste = make_played()
    correct(tournament, spielliste, {"finisher": 1, "handromme": False, "minus": [0, 23, 54, 12]})

    text = words(tournament, "protokoll")

    assert "Protokoll" in text
    assert "Berichtigung 1 ausgeführt" in text
    assert "Grund: Zahlendreher" in text


def test_a_long_journal_is_printed_in_parts_with_page_numbers_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(print_job, "ROWS_PER_PIECE", 8)
    tournament = played_tournament()

    pages = paper(tournament, "protokoll").pages

    parts = len(pages)
    assert parts > 1
    feet = [f"Teil {part} von {parts}, Seite 1 von 1" for part in range(1, parts + 1)]
    assert [foot in page for foot, page in zip(feet, pages, strict=True)] == [True] * parts
    assert ["Weiter im nächsten Teil." in page for page in pages] == [True] * (parts - 1) + [False]
    assert "Siegel der Installation" in pages[-1]


@pytest.mark.parametrize("document", ["spiellisten", "spiellisten-gespielt"])
def test_namesakes_at_a_table_sign_beside_their_numbers(document: str):
    tournament, _spielliste = make_played()
    for number in (2, 3):
        person = tournament.registrations.get(number=number).person
        person.first_name, person.last_name = "Anna", "Schmidt"
        person.save()

    text = words(tournament, document, serie=1)

    assert text.count("Anna Schmidt (Nr. 2)") == text.count("Anna Schmidt (Nr. 3)") == 1
