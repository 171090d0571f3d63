"""The table of all documents, by step of the day."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.common.roles import MAY_CHECK, MAY_LEAD, MAY_TAKE_MONEY
from tournaments.printing import (
    announcement,
    disclosure,
    money,
    people,
    played_lists,
    records,
    results,
    seating,
    spiellisten,
)
from tournaments.printing.base import Document, Printable, PrintRequest

# The steps of the day, in order, with the labels of ``tournaments.web.steps``.
PLACES = {
    "ausschreibung": _("Ausschreibung"),
    "meldungen": _("Meldungen & Kasse"),
    "auslosung": _("Auslosung"),
    "spiellisten": _("Spiellisten"),
    "pruefung": _("Prüfung"),
    "rangliste": _("Rangliste & Preise"),
    "abschluss": _("Abschluss"),
}


def _bundle_title(request: PrintRequest) -> Printable:
    serie = request.found_serie()
    return Printable(title=str(_("Druckpaket {serie}")).format(serie=serie))


_ALL = (
    Document(
        name="ausschreibung",
        label=_("Ausschreibung"),
        purpose=_("Aushang mit Zeit, Ort, Startgeld, Preisen und Regeln."),
        place="ausschreibung",
        context=announcement.poster,
    ),
    Document(
        name="spielregeln",
        label=_("Spielregeln"),
        purpose=_("Wie gespielt und gezählt wird, zum Nachschlagen für Schiedsrichter und Tische."),
        place="ausschreibung",
        context=announcement.rules,
    ),
    Document(
        name="turniertag",
        label=_("Der Turniertag auf einer Seite"),
        purpose=_("Was der Reihe nach zu tun ist, zum Aushängen für alle Helfer."),
        place="ausschreibung",
        context=announcement.day,
        for_everybody=True,
    ),
    Document(
        name="handbuch",
        label=_("Handbuch"),
        purpose=_("Wie man mit dem Programm arbeitet, mit Bildern; zum Nachschlagen."),
        place="ausschreibung",
        context=announcement.manual,
        for_everybody=True,
    ),
    Document(
        name="teilnehmerliste",
        label=_("Teilnehmerliste"),
        purpose=_("Wer gemeldet ist und wer bezahlt hat, für die Anmeldung."),
        place="meldungen",
        context=people.participants,
        roles=MAY_TAKE_MONEY,
    ),
    Document(
        name="nachricht",
        label=_("Nachricht an alle"),
        purpose=_("Was mitzuteilen ist, und wer dazu keine E-Mail bekommen hat, zum Abhaken."),
        place="meldungen",
        context=people.circular,
        roles=MAY_LEAD,
        asks=("circular",),
    ),
    Document(
        name="startkarten",
        label=_("Startkarten"),
        purpose=_("Acht auf einem Blatt, mit Code zur eigenen Seite; für alle oder eine Nummer."),
        place="meldungen",
        context=people.cards,
        roles=MAY_TAKE_MONEY,
        asks=("number", "paper"),
    ),
    Document(
        name="ich-bin-da",
        label=_("Aushang für die Tür"),
        purpose=_("Ein QR-Code, mit dem sich die Spieler selbst abhaken."),
        place="meldungen",
        context=announcement.door,
        roles=MAY_TAKE_MONEY,
    ),
    Document(
        name="auskunft",
        label=_("Auskunft"),
        purpose=_("Was über die Person mit dieser Nummer gespeichert ist (Art. 15 DSGVO)."),
        place="meldungen",
        context=disclosure.disclosure,
        roles=MAY_LEAD,
        asks=("number",),
    ),
    Document(
        name="quittung",
        label=_("Quittung"),
        purpose=_("Ein Beleg aus dem Kassenbuch, zum Mitgeben und für die Kasse."),
        place="meldungen",
        context=money.receipt,
        roles=MAY_TAKE_MONEY,
        asks=("receipt", "paper"),
        archival=True,
    ),
    Document(
        name="rueckzahlungen",
        label=_("Rückzahlungen"),
        purpose=_("Wer nach einer Absage sein Geld zurückbekommt, zum Unterschreiben."),
        place="meldungen",
        context=money.refunds,
        roles=MAY_TAKE_MONEY,
        archival=True,
        if_called_off=True,
    ),
    Document(
        name="kassenbericht",
        label=_("Kassenbericht"),
        purpose=_("Summen nach Art, Gruppe und Person, zum Unterschreiben."),
        place="abschluss",
        context=money.report,
        roles=MAY_TAKE_MONEY,
        archival=True,
    ),
    Document(
        name="druckpaket",
        label=_("Druckpaket"),
        purpose=_("Alles für eine Serie auf einmal: Sitzpläne, Tischkarten und Spiellisten."),
        place="auslosung",
        context=_bundle_title,
        roles=MAY_LEAD,
        asks=("serie",),
        bundle=("sitzplan-namen", "sitzplan-tische", "tischkarten", "spiellisten"),
    ),
    Document(
        name="sitzplan-namen",
        label=_("Sitzplan nach Namen"),
        purpose=_("Aushang: wer wo sitzt, nach Namen geordnet."),
        place="auslosung",
        context=seating.by_name,
        asks=("serie",),
    ),
    Document(
        name="sitzplan-tische",
        label=_("Sitzplan nach Tischen"),
        purpose=_("Aushang: Tisch für Tisch, für die Spielleitung und den Saal."),
        place="auslosung",
        context=seating.by_table,
        asks=("serie",),
    ),
    Document(
        name="tischkarten",
        label=_("Tischkarten"),
        purpose=_("Für jeden Tisch eine zum Aufstellen, mit Nummer, Namen und Code für das Handy."),
        place="auslosung",
        context=seating.table_cards,
        roles=MAY_LEAD,
        asks=("serie", "table"),
    ),
    Document(
        name="spiellisten",
        label=_("Spiellisten mit Namen"),
        purpose=_("Eine für jeden Tisch, zum Schreiben auf Papier oder am Handy."),
        place="spiellisten",
        context=spiellisten.prefilled,
        roles=MAY_LEAD,
        asks=("serie", "table"),
    ),
    Document(
        name="spiellisten-leer",
        label=_("Spiellisten ohne Namen"),
        purpose=_("Vorrat für Tische, die dazukommen, und für verschriebene Listen."),
        place="spiellisten",
        context=spiellisten.blank,
        asks=("size", "copies"),
    ),
    Document(
        name="spiellisten-gespielt",
        label=_("Gespielte Listen"),
        purpose=_("Alle Spiele mit Summen und Berichtigungen, zum Unterschreiben und Aufheben."),
        place="pruefung",
        context=played_lists.played,
        roles=MAY_CHECK,
        asks=("serie", "table"),
        archival=True,
    ),
    Document(
        name="berichtigungen",
        label=_("Berichtigungsmitteilungen"),
        purpose=_("Was wem noch mitzuteilen ist, ein Zettel je Person; oder alles zu einer Nr."),
        place="pruefung",
        context=records.corrections,
        roles=MAY_CHECK,
        asks=("number",),
        archival=True,
    ),
    Document(
        name="rangliste-aushang",
        label=_("Rangliste zum Aushängen"),
        purpose=_("Zwischen- und Endstand; mit den Namen, die im Saal stehen dürfen."),
        place="rangliste",
        context=results.public_ranking,
        asks=("ranking", "upto"),
    ),
    Document(
        name="rangliste",
        label=_("Rangliste für die Unterlagen"),
        purpose=_("Mit allen Namen, zum Unterschreiben durch die Spielleitung."),
        place="rangliste",
        context=results.internal_ranking,
        asks=("ranking", "upto"),
        archival=True,
    ),
    Document(
        name="preisliste",
        label=_("Preisliste"),
        purpose=_("Wer was gewinnt, mit einer Zeile zum Quittieren."),
        place="rangliste",
        context=results.prize_list,
        roles=MAY_TAKE_MONEY,
        archival=True,
    ),
    Document(
        name="wahlliste",
        label=_("Wahlliste"),
        purpose=_("Sachpreise zum Wählen in der Reihenfolge der Plätze, zum Abhaken."),
        place="rangliste",
        context=results.choosing_list,
        roles=MAY_TAKE_MONEY,
    ),
    Document(
        name="urkunden",
        label=_("Urkunden"),
        purpose=_("Für die ersten Plätze einer Wertung."),
        place="rangliste",
        context=results.certificates,
        roles=MAY_LEAD,
        asks=("ranking", "places"),
    ),
    Document(
        name="saison",
        label=_("Saison"),
        purpose=_("Der Stand jeder Saison, zu der das Turnier gehört; ohne Zustimmung Initialen."),
        place="rangliste",
        context=results.seasons,
    ),
    Document(
        name="protokoll",
        label=_("Protokoll"),
        purpose=_("Alles, was im Turnier geschehen ist, Eintrag für Eintrag."),
        place="abschluss",
        context=records.protocol,
        roles=MAY_LEAD,
        archival=True,
    ),
)
DOCUMENTS = {document.name: document for document in _ALL}


def current_document(*, numbers: bool, seated: int | None, is_open: bool) -> str:
    """Return the name of the document that the current step of the day needs.

    Args:
        numbers: whether any registration has a start number.
        seated: the last Serie whose seats are known.
        is_open: whether that Serie is still being played.
    """
    if seated:
        return "druckpaket" if is_open else "rangliste"
    return "startkarten" if numbers else "ausschreibung"


def documents_by_step(roles: frozenset[str]) -> list[tuple[str, list[Document]]]:
    """Return the steps of the day with the documents that *roles* may print."""
    steps = [
        (
            str(label),
            [document for document in _ALL if document.place == place and document.roles & roles],
        )
        for place, label in PLACES.items()
    ]
    return [(label, documents) for label, documents in steps if documents]
