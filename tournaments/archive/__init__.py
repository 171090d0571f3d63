"""A whole tournament as one file: written, checked, taken in (``docs/formats.md`` 3)."""
