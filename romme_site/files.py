"""The storage of finished PDFs, archives and uploads: on a laptop's disk, or in the database.

Several hosts share one PostgreSQL and no disk, and any of them may serve a file. A separate file
store would need operation, backups and locks for files that can be made again. On a laptop the
files are on the disk, so that a backup of the database stays small.
"""

from __future__ import annotations

import os
import tempfile
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.core.files.base import ContentFile, File
from django.core.files.storage import Storage
from django.db import IntegrityError, transaction
from django.utils import timezone

from tournaments.models import StoredFile

KEPT_FOR = timedelta(days=30)


class DatabaseStorage(Storage):
    """Files as rows of the database; files not used for a month are deleted."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def _row(self, name: str) -> str:
        return f"{self.folder}/{name}"

    def _open(self, name: str, mode: str = "rb") -> File[bytes]:  # noqa: ARG002 - only read
        stored = StoredFile.objects.filter(name=self._row(name)).first()
        if stored is None:
            raise FileNotFoundError(name)
        return ContentFile(bytes(stored.content), name)

    def _save(self, name: str, content: File[bytes]) -> str:
        data = content.read()
        StoredFile.objects.filter(created_at__lt=timezone.now() - KEPT_FOR).delete()
        while True:
            try:
                with transaction.atomic():
                    StoredFile.objects.create(name=self._row(name), content=data)
            except IntegrityError:  # the name was taken in the meantime
                name = self.get_available_name(name)
            else:
                return name

    def delete(self, name: str) -> None:
        """Throw a file away, if it is there."""
        StoredFile.objects.filter(name=self._row(name)).delete()

    def exists(self, name: str) -> bool:
        """Whether there is a file of this name."""
        return StoredFile.objects.filter(name=self._row(name)).exists()


class DiskStorage(Storage):
    """Files in a folder of the data, each there as a whole or not at all."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def _file(self, name: str) -> Path:
        return Path(settings.DATA_DIR) / self.folder / name

    def _open(self, name: str, mode: str = "rb") -> File[bytes]:
        return File(self._file(name).open(mode), name)

    def _save(self, name: str, content: File[bytes]) -> str:
        path = self._file(name)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, unfinished = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.writelines(content.chunks())
        Path(unfinished).replace(path)
        return name

    def delete(self, name: str) -> None:
        """Throw a file away, if it is there."""
        self._file(name).unlink(missing_ok=True)

    def exists(self, name: str) -> bool:
        """Whether there is a file of this name."""
        return self._file(name).exists()
