"""Static files under names that change with their content, imports between scripts included."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-not-found,import-untyped,unused-ignore]


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Replaces the names of scripts also in ``import`` statements of other scripts.

    Otherwise a device that caches files of the table's page could run a new script with an
    old import.
    """

    support_js_module_import_aggregation = True
