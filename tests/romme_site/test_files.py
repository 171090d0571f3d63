"""Files in the database, which all hosts of a server reach."""

from __future__ import annotations

import pytest
from django.core.files.base import ContentFile
from django.utils import timezone

from romme_site.files import KEPT_FOR, DatabaseStorage
from tournaments.models import StoredFile

pytestmark = pytest.mark.django_db


def test_a_file_is_stored_read_and_deleted():
    prints, uploads = DatabaseStorage("print"), DatabaseStorage("files")

    name = prints.save("sitzplan.pdf", ContentFile(b"%PDF \x00"))
    other = prints.save("sitzplan.pdf", ContentFile(b"another"))
    read = prints.open(name).read()
    prints.delete(name)

    assert (name, read) == ("sitzplan.pdf", b"%PDF \x00")
    assert other != name
    assert (prints.exists(name), prints.exists(other), uploads.exists(other)) == (
        False,
        True,
        False,
    )
    with pytest.raises(FileNotFoundError):
        prints.open(name)


def test_two_files_of_one_name_are_both_stored(monkeypatch: pytest.MonkeyPatch):
    files = DatabaseStorage("files")
    files.save("upload.json", ContentFile(b"Anna"))
    monkeypatch.setattr(files, "get_available_name", lambda _name, **_more: "upload-2.json")

    name = files._save("upload.json", ContentFile(b"Bernd"))

    assert (name, files.open("upload.json").read()) == ("upload-2.json", b"Anna")


def test_the_next_file_deletes_files_unused_for_a_month():
    files = DatabaseStorage("files")
    files.save("old.json", ContentFile(b"old"))
    StoredFile.objects.update(created_at=timezone.now() - KEPT_FOR * 2)

    files.save("new.json", ContentFile(b"new"))

    assert [row.name for row in StoredFile.objects.all()] == ["files/new.json"]
