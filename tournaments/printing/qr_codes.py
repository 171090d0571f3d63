"""QR codes as pictures that stand in the page itself."""

from __future__ import annotations

from functools import lru_cache

import segno

# Readable with a stain or a fold: a quarter of the code may be lost.
ERROR_CORRECTION = "q"
QUIET_ZONE = 4  # modules, as the standard asks


@lru_cache(maxsize=2048)
def qr_code(address: str) -> str:
    """Return the QR code of *address* as a data address; made once per job and kept."""
    code = segno.make(address, error=ERROR_CORRECTION, micro=False)
    data: str = code.svg_data_uri(border=QUIET_ZONE, omitsize=True, svgns=True)
    return data
