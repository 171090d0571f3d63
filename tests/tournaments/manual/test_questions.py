"""Real questions to the manual: the chapter with the answer comes first.

The questions come from pages, from walked days and from helpers at desks.
"""

from __future__ import annotations

import pytest
from django.utils import translation

from tournaments.manual.search import search

GERMAN = {
    # before the day
    "Wie lege ich ein Turnier an?": "vorbereiten",
    "ausprobieren": "vorbereiten",
    "Turnier kopieren vom letzten Jahr": "vorbereiten",
    "Wie viel Startgeld nehmen wir": "vorbereiten",
    "Preisgeld verteilen": "vorbereiten",
    "Turnier absagen": "vorbereiten",
    "der Geber spielt nicht mit": "vorbereiten",
    "Mitgliederliste aus Excel": "vorbereiten",
    "Anmeldung im Internet einschalten": "vorbereiten",
    "Rundmail an alle Teilnehmer": "vorbereiten",
    "Turnier über zwei Tage": "vorbereiten",
    "brauchen wir eine Genehmigung": "klaeren",
    "dürfen Kinder mitspielen": "klaeren",
    "Tombola": "klaeren",
    # the desk
    "Überweisung zuordnen": "anmeldung",
    "Familie zahlt zusammen": "anmeldung",
    "jemand geht früher": "anmeldung",
    "Spieler kommt nicht": "anmeldung",
    "jemand ist zu spät gekommen": "anmeldung",
    "Ersatzspieler": "anmeldung",
    "Warteliste": "anmeldung",
    "zwei heißen gleich": "anmeldung",
    "Kartenzahlung": "anmeldung",
    "Startkarte verloren": "anmeldung",
    "Wechselgeld": "anmeldung",
    "Mannschaft bilden": "anmeldung",
    # the draw
    "Wer sitzt wo": "auslosung",
    "Wie wird ausgelost": "auslosung",
    "Ist die Auslosung fair? Manipulation": "auslosung",
    "Prüfzahl": "auslosung",
    "Tische umstellen": "auslosung",
    # the table and the hall
    "am Tisch vertippt": "tisch",
    "Schrift zu klein": "tisch",
    "Hand Rommé eintragen": "tisch",
    "Streit am Tisch": "tisch",
    "Wie trage ich ein Spiel ein": "tisch",
    "QR-Code geht nicht": "tisch",
    "Beamer": "saal",
    "Zeit ist um": "saal",
    "Pause, Uhr anhalten": "saal",
    "Liste abgeben": "saal",
    # checking and results
    "falsche Punkte eingetragen, schon unterschrieben": "pruefung",
    "Einspruch": "pruefung",
    "Spieler disqualifizieren": "pruefung",
    "Gleichstand": "rangliste",
    "Preise auszahlen": "rangliste",
    "Wanderpokal": "rangliste",
    "Urkunden drucken": "drucken",
    "Drucker": "drucken",
    # the end, and trouble
    "Kasse stimmt nicht": "abschluss",
    "falsch kassiert": "abschluss",
    "Turnier wieder öffnen": "abschluss",
    "Handy kaputt": "notfall",
    "Handy Akku leer": "notfall",
    "Smartphone verloren": "notfall",
    "Laptop abgestürzt": "notfall",
    "Strom weg": "notfall",
    "Internet fällt aus": "notfall",
    "Passwort vergessen": "notfall",
    "Paswort vergesen": "notfall",
    "Backup zurückspielen": "notfall",
    "neu auslosen, Fehler": "notfall",
    "Helfer einladen": "konten",
    "Was darf die Kasse": "konten",
    "Daten löschen DSGVO": "konten",
}
ENGLISH = {
    "How do I create a tournament?": "vorbereiten",
    "call off": "vorbereiten",
    "try it out first": "vorbereiten",
    "do we need a licence": "klaeren",
    "a player leaves early": "anmeldung",
    "somebody pays by card": "anmeldung",
    "bank transfer": "anmeldung",
    "waiting list": "anmeldung",
    "is the draw fair": "auslosung",
    "who sits where": "auslosung",
    "mistyped at the table": "tisch",
    "letters too small": "tisch",
    "projector": "saal",
    "time is up": "saal",
    "appeal against a decision": "pruefung",
    "tie": "rangliste",
    "pay out prizes": "rangliste",
    "printer": "drucken",
    "till does not add up": "abschluss",
    "reopen the tournament": "abschluss",
    "phone broken": "notfall",
    "forgotten password": "notfall",
    "wifi down": "notfall",
    "power cut": "notfall",
    "invite a helper": "konten",
}


@pytest.mark.parametrize(
    ("language", "question", "chapter"),
    [
        *(("de", question, chapter) for question, chapter in GERMAN.items()),
        *(("en", question, chapter) for question, chapter in ENGLISH.items()),
    ],
)
def test_a_question_finds_its_chapter_first(language: str, question: str, chapter: str):
    with translation.override(language):
        sections = search(question).sections

    assert sections[0].chapter.slug == chapter


@pytest.mark.parametrize("question", ["Einhorn", "???", "und der", "§§", "a" * 80])
def test_unrelated_questions_cause_no_error(question: str):
    with translation.override("de"):
        assert all(section.content.title for section in search(question).sections)


def test_words_of_different_sections_find_the_nearest():
    with translation.override("de"):
        whole, part = search("Handy leer"), search("Handy vom Einhorn")

    assert whole.has_all
    assert not part.has_all
    assert part.sections[0].content.number == "handy"
