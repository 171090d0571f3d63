"""QR codes as pictures that stand in the page itself."""

from __future__ import annotations

from functools import lru_cache

import segno

# Readable with a stain or a fold: a quarter of the code may be lost.
ERROR_CORRECTION = "q"
QUIET_ZONE = 4  # modules, as the standard asks
DOTS = 4  # of a module's side; sharp by themselves where a viewer blurs small pictures
# To find the best of the eight masks takes five times as long as the rest of a code. It is
# worth it for a code on a table or a card; one that staff read at a desk takes any mask.
ANY_MASK = 0


@lru_cache(maxsize=2048)
def qr_code(address: str, *, mask: int | None = None) -> str:
    """Return the QR code of *address* as a data address; made once per job and kept.

    Without *mask* it is the one that is easiest to read. It is made of dots: to read a path of a
    thousand steps takes WeasyPrint longer than a line of a list.
    """
    code = segno.make(address, error=ERROR_CORRECTION, mask=mask, micro=False)
    data: str = code.png_data_uri(border=QUIET_ZONE, scale=DOTS)
    return data
