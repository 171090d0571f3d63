"""The words of the command line: which commands there are, and how what follows is read."""

from __future__ import annotations

import argparse

from romme_site import __version__
from romme_site.command.language import GERMAN, language
from romme_site.command.language import gettext as _
from romme_site.places import data

# What Python says of every command in English.
_OF_PYTHON = {
    "usage: ": "Aufruf: ",
    "positional arguments": "Angaben",
    "options": "Optionen",
    "show this help message and exit": "zeigt diese Hilfe",
    "unrecognized arguments: %s": "unbekannte Angaben: %s",
    "expected one argument": "es fehlt die Angabe dahinter",
    "the following arguments are required: %s": "es fehlt: %s",
    "%(prog)s: error: %(message)s\n": "%(prog)s: %(message)s\n",
}


def descriptions() -> dict[str, str]:
    """Return what each command of ours does, in the order of a day."""
    return {
        "run": _("Startet das Programm; ohne Befehl geschieht dasselbe."),
        "window": _("Startet das Programm mit einem kleinen Fenster, das die Adresse zeigt."),
        "demo": _("Legt ein Übungsturnier mit 47 Personen an, dessen zweite Serie läuft."),
        "setup-link": _("Gibt den Link aus, über den das erste Konto entsteht."),
        "password-link": _("Gibt einen Link aus, über den ein Konto ein neues Kennwort bekommt."),
        "backup": _("Sichert alles in eine Datei."),
        "restore": _("Holt eine Sicherung zurück."),
        "standby": _("Lässt diesen Laptop bereitstehen, falls der erste ausfällt."),
        "takeover": _("Macht mit diesem Laptop weiter, wenn der erste ausgefallen ist."),
        "score-list": _(
            "Rechnet eine Spielliste aus: JSON herein, Punkte je Platz als JSON heraus."
        ),
        "plan-seating": _(
            "Plant die Plätze für eine oder mehrere Serien: JSON herein, Tische als JSON heraus."
        ),
        "standings": _("Gibt die Rangliste eines Turniers als JSON aus."),
        "export-archive": _("Schreibt ein Turnier mit allem, was dazu aufbewahrt wird, als JSON."),
        "import-archive": _("Liest ein Turnier ein, das export_archive geschrieben hat."),
        "verify-journal": _(
            "Prüft, dass am Protokoll nichts verändert wurde und die Daten so sind, wie es sagt."
        ),
        "journal-anchor": _(
            "Schreibt die letzten Prüfsummen aller Protokolle, zum Aufheben an anderer Stelle."
        ),
        "healthcheck": _("Fragt das laufende Programm, ob es bereit ist."),
    }


def overview() -> str:
    """Return what ``--help`` shows."""
    lines = [
        f"Rommé-Turnier {__version__}",
        "",
        _("romme-turnier [BEFEHL] …          BEFEHL --help sagt mehr, --version die Fassung"),
        "",
        *(f"  {name:15} {does}" for name, does in descriptions().items()),
        "",
        _("Die Daten liegen in {folder}, wenn DATA_DIR nichts anderes sagt.").format(folder=data()),
    ]
    return "\n".join(lines)


def parser(name: str) -> argparse.ArgumentParser:
    """Return what reads the words after a command."""
    prog, does = f"romme-turnier {name}", descriptions()[name]
    return argparse.ArgumentParser(prog=prog, description=does, allow_abbrev=False)


def speak() -> None:
    """Have Python's own sentences about the command line in the language of the system."""
    vars(argparse)["_"] = _of_python


def _of_python(sentence: str) -> str:
    return _OF_PYTHON.get(sentence, sentence) if language() == GERMAN else sentence
