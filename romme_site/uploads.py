"""No upload is larger than the largest file that any page takes.

Pages check the size of what they take, but Django reads every form before any page is asked,
also one that a stranger sends to the log-in: without a limit it could fill the disk.
"""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any

from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile

MOST_BYTES = 80 * 2**20  # archives have 64 MB at most, and a page that says so


class LimitedSize(FileUploadHandler):
    """Refuses a request by the length it announces, before anything of it is kept."""

    def handle_raw_input(
        self,
        input_data: IO[bytes],  # noqa: ARG002
        META: dict[str, str],  # noqa: ARG002, N803 - Django's name
        content_length: int,
        boundary: str,  # noqa: ARG002
        encoding: str | None = None,  # noqa: ARG002
    ) -> Any:
        """Let the other handlers go on, if it is not too much.

        Raises:
            RequestDataTooBig: if it is; Django answers with 400.
        """
        if content_length > MOST_BYTES:
            raise RequestDataTooBig(f"{content_length} bytes were sent")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:  # noqa: ARG002
        """Hand on what came to the handlers that keep it."""
        return raw_data

    def file_complete(self, file_size: int) -> UploadedFile[Any] | None:  # noqa: ARG002
        """Keep nothing here."""
        return None
