"""A whole tournament as one file: export, checks and import (``docs/formats.md`` 3)."""
