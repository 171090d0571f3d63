"""What the pages of the operator begin with: to be completed where something stands in brackets."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.models import LegalText

BEGINNINGS = {
    LegalText.Name.IMPRESSUM: _(
        "[Name des Vereins oder der Person, die dieses Programm betreibt]\n"
        "[Anschrift]\n"
        "[E-Mail und Telefon]\n\n"
        "Vertreten durch: [Name]"
    ),
    LegalText.Name.DATENSCHUTZ: _(
        "Verantwortlich für dieses Programm und die Daten darin: [Name und Anschrift]\n\n"
        "Fragen beantwortet: [Name, E-Mail, Telefon]\n\n"
        "Gespeichert wird, was es braucht, um Rommé-Turniere auszurichten: wer gemeldet ist, wer "
        "wo sitzt, was gespielt und bezahlt wurde. Was das im Einzelnen ist und wann es gelöscht "
        "wird, steht unter diesem Text.\n\n"
        "Mit vollem Namen im Internet genannt wird nur, wer zugestimmt hat; alle anderen stehen "
        "mit ihren Initialen da. Zurücknehmen lässt sich das jederzeit bei der Turnierleitung.\n\n"
        "Im Saal, auf Leinwand und Aushängen, stehen die Namen, wenn die Ausschreibung es sagt, "
        "damit alle ihren Platz finden. Wer das nicht möchte, sagt es an der Anmeldung und steht "
        "dort mit Startnummer und Initialen.\n\n"
        "Wer wissen möchte, was über ihn gespeichert ist, oder es berichtigen oder löschen lassen "
        "will, wendet sich an die oben genannte Stelle. Beschwerden nimmt die Aufsichtsbehörde "
        "für den Datenschutz entgegen: [Name der Behörde]\n\n"
        "Die Daten liegen [auf einem Laptop des Vereins / auf einem Server bei …]."
    ),
}
