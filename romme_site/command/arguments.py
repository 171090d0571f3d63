"""The words of the command line: the commands, and the parsers of their arguments."""

from __future__ import annotations

import argparse
import gettext
import os

from romme_site.command.language import gettext as _
from romme_site.command.language import language
from romme_site.paths import BASE_DIR, VERSION, data


def descriptions() -> dict[str, str]:
    """Return the description of each command, in the order of a tournament's day."""
    return {
        "run": _("Startet das Programm; ohne Befehl geschieht dasselbe."),
        "open": _("Startet das Programm und zeigt es im Browser, ohne etwas zu fragen."),
        "demo": _("Legt ein Übungsturnier mit 47 Personen an, dessen zweite Serie läuft."),
        "setup-link": _("Gibt den Link aus, über den das erste Konto entsteht."),
        "password-link": _("Gibt einen Link aus, über den ein Konto ein neues Kennwort bekommt."),
        "backup": _("Sichert alles in eine Datei."),
        "restore": _("Holt eine Sicherung zurück."),
        "second-folder": _("Legt den Ordner fest, in den jede Sicherung kopiert wird."),
        "standby-code": _("Gibt den Befehl aus, mit dem ein zweiter Rechner bereitsteht."),
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
            "Schreibt die letzten Prüfzahlen aller Protokolle, zum Aufheben an anderer Stelle."
        ),
        "remove-organiser": _("Entfernt einen Veranstalter mit allen seinen Daten, für immer."),
        "worker": _("Erledigt Drucke und andere lange Arbeit für alle Rechner an PostgreSQL."),
        "healthcheck": _("Fragt das laufende Programm, ob es bereit ist."),
    }


def overview() -> str:
    """Return the text of ``--help``."""
    lines = [
        f"Rommé-Turnier {VERSION}",
        "",
        _("romme-turnier [BEFEHL] …          BEFEHL --help sagt mehr, --version die Version"),
        "",
        *(f"  {name:15} {does}" for name, does in descriptions().items()),
        "",
        _("Die Daten liegen in {folder}, wenn DATA_DIR nichts anderes sagt.").format(folder=data()),
    ]
    return "\n".join(lines)


def parser(name: str) -> argparse.ArgumentParser:
    """Return the parser of the arguments of a command."""
    prog, does = f"romme-turnier {name}", descriptions()[name]
    return argparse.ArgumentParser(prog=prog, description=does, allow_abbrev=False)


def translate_argparse() -> None:
    """Translate argparse's sentences into the language of the system."""
    os.environ["LANGUAGE"] = language()  # it may come from another variable
    gettext.bindtextdomain("argparse", str(BASE_DIR / "locale"))
    gettext.textdomain("argparse")
