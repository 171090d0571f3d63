"""QR codes as pictures: in a page, on paper."""

from __future__ import annotations

import io
from functools import lru_cache

import segno
from django.utils.safestring import SafeString, mark_safe
from segno.helpers import make_wifi_data

QUIET_ZONE = 4  # modules, as the standard asks
DOTS = 4  # of a module's side on paper; sharp by themselves where a viewer blurs small pictures
# Finding the best of the eight masks is slow. It is done for codes on tables and cards; codes
# read at a desk, or by the hundred on a page, take any mask.
ANY_MASK = 0


@lru_cache(maxsize=1024)
def in_page(address: str, *, mask: int | None = None) -> SafeString:
    """Return the QR code of *address* as SVG: black on white, as wide as its place.

    Codes are cached for pages with many of them. Without *mask* the best one is used.
    """
    code = segno.make(address, error="m", mask=mask, micro=False)
    svg = code.svg_inline(
        border=QUIET_ZONE, light="#fff", svgclass=None, lineclass=None, omitsize=True
    )
    return mark_safe(svg)  # noqa: S308 - drawn here: an address becomes squares


def svg_file(code: segno.QRCode) -> bytes:
    """Return a code as an SVG file: black on white, independent of the page's colours."""
    out = io.BytesIO()
    code.save(out, kind="svg", border=QUIET_ZONE, light="#fff", omitsize=True, xmldecl=False)
    return out.getvalue()


@lru_cache(maxsize=2048)
def on_paper(address: str, *, mask: int | None = None) -> str:
    """Return the QR code of *address* as a data address; made once per job and kept.

    It is readable with a stain or a fold: a quarter of it may be lost. Without *mask* the best
    mask is used. It is a bitmap, because WeasyPrint is slow with long paths.
    """
    code = segno.make(address, error="q", mask=mask, micro=False)
    data: str = code.png_data_uri(border=QUIET_ZONE, scale=DOTS)
    return data


def wlan_data(name: str, password: str) -> str:
    """Return the content of a QR code by which a phone joins a WLAN; "" without a name."""
    if not name:
        return ""
    security = "WPA" if password else "nopass"
    data: str = make_wifi_data(name, password or None, security)
    return data
