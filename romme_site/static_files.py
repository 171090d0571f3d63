"""Static files under names that change with their content, imports between scripts included."""

from __future__ import annotations

from functools import cache
from typing import Any

from whitenoise.compress import Compressor  # type: ignore[import-not-found,import-untyped,unused-ignore]
from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-not-found,import-untyped,unused-ignore]

# As our own scripts write it; Django's pattern for all scripts stumbles over those of others.
_IMPORT = (
    r"""(?P<matched>import\s(?P<import>[^;]*?)\sfrom\s"(?P<url>\.[^"]+)";)""",
    """import %(import)s from "%(url)s";""",
)


class _EachContentOnce(Compressor):  # type: ignore[misc]
    """Compresses a file under its name with the hash and under its own name in one go."""

    compress_brotli = staticmethod(cache(Compressor.compress_brotli))
    compress_gzip = staticmethod(cache(Compressor.compress_gzip))


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Names a script in the ``import`` of another one by its hash too.

    Otherwise a device that keeps files of the table's page could run a new script with an old
    one that it imports.
    """

    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("js/*.js", (_IMPORT,)))

    def create_compressor(self, **options: Any) -> Compressor:
        """Return what compresses the files."""
        return _EachContentOnce(**options)
