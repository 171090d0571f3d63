"""Packs what Windows starts by a double click, as ``dist/romme-turnier-windows-….zip``.

A folder with the file to click, uv and the wheel of the program. Python and the packages come
from the internet at the first start.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

ROOT = Path(__file__).resolve().parent.parent
START = ROOT / "deploy" / "Romme-Turnier.cmd"
FROM_UV = {"uv.exe": "uv.exe", "LICENSE-MIT": "uv-LICENSE.txt"}


def pack(wheel: Path, uv: Path, to: Path) -> Path:
    """Write the ZIP file of a wheel of the program and one of uv for Windows; return its path."""
    name = f"romme-turnier-windows-{wheel.name.split('-')[1]}"
    path = to / f"{name}.zip"
    with ZipFile(path, "w", ZIP_DEFLATED) as packed, ZipFile(uv) as brought:
        start = START.read_text(encoding="ascii").replace("\n", "\r\n")
        packed.writestr(f"{name}/{START.name}", start)
        packed.write(wheel, f"{name}/{wheel.name}")
        for member in brought.namelist():
            if known := FROM_UV.get(member.rpartition("/")[2]):
                packed.writestr(f"{name}/{known}", brought.read(member))
    return path


def main() -> None:
    """Build the wheel, download uv with the pinned hash, and pack both."""
    to = ROOT / "dist"
    to.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        build = ("hatchling", "build", "-t", "wheel", "-d", folder)
        download = ("pip", "download", "--quiet", "--no-deps", "--require-hashes", "--dest", folder)
        of_windows = ("--platform=win_amd64", "--only-binary=:all:", "-r", "requirements-uv.txt")
        for command in (build, download + of_windows):
            subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=True)
        (wheel,) = Path(folder).glob("romme_turnier-*.whl")
        (uv,) = Path(folder).glob("uv-*.whl")
        print(pack(wheel, uv, to))


if __name__ == "__main__":
    main()
