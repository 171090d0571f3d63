"""A file that does not say its encoding is read as names, or the readings are shown."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.clients import at, logged_in
from tests.factories import make_member, make_tournament
from tournaments.machine import sheets
from tournaments.machine.encodings import TWICE, decode, encodings_of, reinterpret
from tournaments.models import PersonImport, Role

NAMES = "Müller, Jürgen;Köln\nGroß, Änne;Übersee\nDüß, André;Weißenfels\n"


@pytest.mark.parametrize(
    "encoding",
    [
        *("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"),
        *("cp1252", "iso-8859-15", "mac_roman", "cp850", "cp437"),
    ],
)
def test_names_are_read_in_encodings_of_all_systems(encoding: str):
    rows = sheets.read(NAMES.encode(encoding))

    assert rows[0] == (1, ["Müller, Jürgen", "Köln"])
    assert rows[2] == (3, ["Düß, André", "Weißenfels"])


@pytest.mark.parametrize(
    ("text", "encoding", "likely"),
    [
        pytest.param("Müller", "cp1252", ["cp1252"], id="Windows alone makes a name of it"),
        pytest.param("Wiśniewski, Łukasz", "cp1250", ["cp1250"], id="Polish"),
        pytest.param("Košak", "cp1252", ["mac_roman", "cp1252"], id="also Koöak"),
        pytest.param("Köln", "mac_roman", ["mac_roman", "cp850", "cp1252"], id="also Kšln"),
        pytest.param("d’Angelo – „Wolle“, 15 €", "cp1252", ["cp1252"], id="signs between words"),
    ],
)
def test_only_readings_like_names_are_likely(text, encoding, likely):
    assert encodings_of(text.encode(encoding)) == likely


def test_doubly_encoded_names_are_repaired():
    content = "MÃ¼ller, JÃ¶rg".encode()

    assert encodings_of(content) == [TWICE, "utf-8-sig"]
    assert decode(content, TWICE) == "Müller, Jörg"


@pytest.mark.parametrize("was", ["cp1252", "mac_roman", "cp850", TWICE])
@pytest.mark.parametrize("now", ["cp1252", "mac_roman", "cp850", "utf-8-sig"])
def test_a_cell_is_decoded_like_the_file(was: str, now: str):
    content = "Köln é".encode("utf-8" if "utf" in was + now else "mac_roman")
    text = decode(content, was)
    reading = decode(content, now)

    if text is not None and reading is not None:
        assert reinterpret(text, was, now) == reading


@pytest.mark.django_db
def test_an_ambiguous_encoding_offers_readings_and_uses_the_chosen_one():
    client = logged_in(make_member(make_tournament(), Role.VERANSTALTER, is_admin=True))
    file = SimpleUploadedFile("namen.csv", "Nachname;Vorname\nKšak;Jan\n".encode("cp1252"))

    client.post(at("people:import"), {"file": file})
    draft = PersonImport.objects.get()
    columns = at("people:import_columns", draft.pk)
    page = client.read(columns)
    client.post(columns, {"read_as": "cp1252"})

    draft.refresh_from_db()
    assert "Welche Namen sind richtig geschrieben?" in page
    assert [word for word in ("Köak", "Kšak") if word in page] == ["Köak", "Kšak"]
    assert draft.rows[1][1] == ["Kšak", "Jan"]
    assert draft.choices["columns"] == ["last_name", "first_name"]
