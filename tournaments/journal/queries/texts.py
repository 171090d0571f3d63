"""A German sentence for every act in the journal, and a label for every fact.

The sentences have placeholders that ``journal.queries.journal`` fills: ``{subject}`` is the
subject of the act, any other the fact of that name, after the act or else before it;
``{before_…}`` only before. A missing fact becomes a dash.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import TextChoices
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Area(TextChoices):
    """The kinds of act by which the page can be filtered."""

    TOURNAMENT = "turnier", _("Turnier und Ausschreibung")
    ACCESS = "zugang", _("Konten, Rollen und Geräte")
    REGISTRATION = "meldungen", _("Meldungen und Mannschaften")
    CASH = "kasse", _("Kasse und Bußgeld")
    DRAW = "auslosung", _("Auslosung und Plätze")
    LISTS = "listen", _("Spiellisten am Tisch")
    CHECKING = "pruefung", _("Abgabe, Prüfung und Berichtigung")
    RESULTS = "ergebnisse", _("Rangliste und Preise")
    PERSONS = "personen", _("Personen und Vereine")


_SENTENCES: Mapping[Area, Mapping[str, str | Promise]] = {
    Area.TOURNAMENT: {
        "tournament_created": _("Turnier angelegt."),
        "tournament_changed": _("Ausschreibung geändert: {section}."),
        "fewer_eyes_proposed": _("Vorgeschlagen, die vier Augen aufzuheben."),
        "fewer_eyes_agreed": _("Als zweite Person zugestimmt, die vier Augen aufzuheben."),
        "fewer_eyes_rejected": _("Abgelehnt, die vier Augen aufzuheben."),
        "tournament_status": _("Stand des Turniers: {before_status} → {status}."),
        "journal_resealed": _("Protokolle mit einem neuen Schlüssel versiegelt."),
        "archive_imported": _("Turnier aus einem Archiv eingelesen."),
        "rows_taken": _("Was schon da war, ins Protokoll aufgenommen, wie es ist."),
        "tournament_replaced": _("Turnier durch ein Archiv ersetzt, nicht mehr öffentlich."),
        "due_deleted": _(
            "Fälliges gelöscht: {signatures} Unterschriften, {reasons} Gründe, {transfers} "
            "Überweisungen, {files} Dateien."
        ),
        "receipt_names_deleted": _(
            "Namen auf Belegen gelöscht, deren Frist vorbei ist: {receipts}."
        ),
        "legal_text_changed": _("Seite „{page}“ geändert."),
        "demo_removed": _("Erfundenes Turnier entfernt, mit {persons} erfundenen Personen."),
        "restored": _("Sicherung zurückgeholt, mit dem Stand von {saved_at}."),
        "taken_over": _("Der Ersatzlaptop hat übernommen, mit dem Stand von {saved_at}."),
        "serie_started": _("{subject} begonnen."),
        "serie_start_taken_back": _("Beginn von {subject} zurückgenommen."),
        "extra_time_given": _("{subject}: {minutes} Minuten zugegeben für Tisch {tables}."),
        "serie_closed": _("{subject} abgeschlossen. Listen: {lists}, ungültig: {invalid}."),
        "serie_reopened": _("{subject} wieder geöffnet."),
        "serie_struck_out": _("{subject} entfällt."),
        "serie_reinstated": _("{subject} findet doch statt."),
    },
    Area.ACCESS: {
        "setup_link_made": _("Link für das erste Konto erzeugt."),
        "password_link_made": _("Link für ein neues Kennwort von {subject} erzeugt."),
        "standby_code_shown": _(
            "Code für einen Ersatzlaptop erzeugt. Wer ihn eingibt, bekommt die Daten aller."
        ),
        "standby_admitted": _("Ein Ersatzlaptop ist angemeldet und bekommt die Daten aller."),
        "standby_shut_out": _("Ersatzlaptop getrennt."),
        "second_folder_set": _("Ordner für die Kopien der Sicherungen geändert."),
        "account_created": _("Konto {subject} angelegt."),
        "account_active": _("Konto {subject}: kann sich anmelden: {is_active}."),
        "organiser_founded": _("Veranstalter {name} angelegt."),
        "organiser_removed": _(
            "Veranstalter {before_name} entfernt: {tournaments} Turniere, {persons} Personen, "
            "{accounts} Konten."
        ),
        "organiser_changed": _("Angaben des Veranstalters geändert."),
        "member_joined": _("{subject} gehört jetzt zu diesem Veranstalter."),
        "parent_asked": _("Bei {name} angefragt, dazuzugehören."),
        "rows_proposed": _("{name} etwas angeboten."),
        "rows_given": _("An {name} abgegeben."),
        "rows_taken": _("Von {name} übernommen."),
        "owner_changed": _("Von {before_name} an {name} abgegeben."),
        "proposal_declined": _("Anfrage abgelehnt, {name}."),
        "proposal_withdrawn": _("Anfrage zurückgezogen, {name}."),
        "right_invited": _("Zum Veranstalter eingeladen, Recht: {right}."),
        "right_given": _("Recht „{right}“ an {account} gegeben."),
        "right_taken": _("{account} gehört nicht mehr zum Veranstalter."),
        "role_invited": _("Zur Rolle {role} eingeladen."),
        "invitation_withdrawn": _("Einladung zurückgezogen."),
        "role_given": _("Rolle {role} an {account} gegeben."),
        "role_removed": _("Rolle {role} von {account} genommen."),
        "table_access_withdrawn": _("Zugang von {subject} gesperrt, neuer Code ausgegeben."),
        "keeper_taken": _("Ein Gerät führt jetzt die Liste von {subject}."),
        "keeper_released": _("Das Gerät hat die Liste von {subject} abgegeben."),
        "keeper_dismissed": _("{subject}: Ein anderes Gerät darf die Liste übernehmen."),
    },
    Area.REGISTRATION: {
        "registrations_imported": _("Meldungen aus einer Datei gespeichert."),
        "registrations_import_undone": _("Meldungen aus einer Datei zurückgenommen."),
        "qualified_registered": _("Wer sich im früheren Turnier qualifiziert hat, ist gemeldet."),
        "points_taken": _(
            "{subject}: Punkte der Vorrunde {before_carried_points} → {carried_points}."
        ),
        "registered": _("{subject} gemeldet: {status}, zu zahlen {due_cents}."),
        "registration_status": _("{subject}: {before_status} → {status}."),
        "ticked_off": _("{subject}: da, abgehakt."),
        "unticked": _("{subject}: nicht mehr abgehakt."),
        "person_left": _("{subject}: gegangen nach Serie {gone_after}."),
        "person_back": _("{subject}: wieder dabei."),
        "substituted": _("{subject}: {person} eingewechselt für {before_person}."),
        "tariff_changed": _("{subject}: Startgeldgruppe oder Wertungen geändert."),
        "ranking_members_changed": _("{subject}: in den Wertungen {rankings}."),
        "ranking_filled": _("{subject}: {registrations} aufgenommen, weil sie passen."),
        "ranking_member_excepted": _("{subject}: mit einem Grund in „{ranking}“ aufgenommen."),
        "days_set": _("{subject}: Tage, an denen gespielt wird: {before_plays_on} → {plays_on}."),
        "need_changed": _("{subject}: fester Tisch {fixed_table}."),
        "separated": _("Zwei Personen werden nicht an einen Tisch gesetzt."),
        "unseparated": _("{registrations} dürfen wieder an einem Tisch sitzen."),
        "registration_club_changed": _("{subject}: Verein {before_club} → {club}."),
        "registration_person_merged": _("{subject} gehört jetzt zu {person}."),
        "registration_person_anonymised": _("{subject}: Person anonymisiert."),
        "team_created": _("{subject} gebildet ({ranking})."),
        "team_renamed": _("{subject} umbenannt."),
        "team_dissolved": _("Mannschaft aufgelöst: {members}."),
        "team_joined": _("{registration} spielt in {subject}."),
        "team_left": _("{registration} verlässt {subject}."),
        "team_wish_dropped": _("Wunsch zu {ranking} erledigt."),
        "history_shown": _("{subject}: eigene Turniere zeigen: {shows_history}."),
        "place_offered": _("{subject}: Platz angeboten bis {offered_until}."),
        "offer_ended": _("{subject}: Angebot eines Platzes beendet."),
        "entry_sent": _("Meldung über das Internet eingegangen."),
        "entry_changed": _("Meldung über das Internet geändert."),
        "entry_withdrawn": _("Meldung über das Internet zurückgezogen."),
        "entry_email_changed": _("E-Mail-Adresse einer Meldung geändert."),
        "naming_asked": _(
            "{registration}: per E-Mail gefragt, ob der Name im Internet stehen darf."
        ),
        "naming_answered": _("{registration}: im Internet mit Namen nennen: {named}."),
        "entry_settled": _("Meldung über das Internet übernommen: {registration}."),
        "entry_dismissed": _("Meldung über das Internet nicht angenommen."),
        "entry_link_renewed": _("Neuer Link zu einer Meldung verschickt."),
        "entry_discarded": _("Sendung aus dem Internet verworfen."),
    },
    Area.CASH: {
        "receipt_booked": _("{subject} gebucht: {total_cents} {method}{whose}."),
        "receipt_reversed": _("Storno mit {subject}: {total_cents} {method}{whose}."),
        "till_counted": _("Kasse gezählt: {counted_cents}, erwartet {expected_cents}."),
        "statement_taken_in": _("Kontoauszug eingelesen: {new} neue Umsätze."),
        "transfer_booked": _("{subject} gebucht mit Beleg {receipt}."),
        "transfer_set_aside": _("{subject} beiseitegelegt."),
        "transfer_brought_back": _("{subject} zurückgeholt."),
        "bussgeld_paid": _("{subject}: Bußgeld abgerechnet mit Beleg {receipt}."),
        "bussgeld_waived": _("{subject}: {registration} {waived_cents} Bußgeld erlassen."),
        "bussgeld_waiver_taken_back": _(
            "{subject}: Erlass von {waived_cents} Bußgeld für {registration} zurückgenommen."
        ),
    },
    Area.DRAW: {
        "draw_begun": _("{subject} begonnen: {method}, {players} Personen."),
        "draw_discarded": _("{subject} verworfen."),
        "draw_carried_out": _("{subject} durchgeführt."),
        "draw_published": _("{subject} bekannt gegeben."),
        "draw_voided": _("{subject}: Die Plätze gelten nicht mehr, es wurde neu gesetzt."),
        "cards_entered": _("{subject}: gezogene Karten eingetragen."),
        "cards_filled_up": _("{subject}: {drawn} übrige Karten vom Programm gezogen."),
        "crossed": _("{subject}: {moved} Platzwechsel für „über Kreuz“ (§ 2.1.2)."),
        "swapped": _("{subject}: Plätze getauscht, {registrations}."),
        "seats_changed": _("{subject}: Plätze geändert an Tisch {tables_named}."),
        "seats_swapped": _("{subject}: Plätze getauscht an Tisch {tables_named}."),
        "table_moved": _("Tisch {table} steht im Saal woanders."),
        "tables_lined_up": _("Tische neu gestellt: {columns} in jeder Reihe."),
    },
    Area.LISTS: {
        "game_entered": _("{subject}: Spiel {game} eingetragen: {line}."),
        "game_changed": _("{subject}: Spiel {game} geändert: {before_line} → {line}."),
        "game_taken_back": _("{subject}: Spiel {game} zurückgenommen."),
        "cards_bought": _("{subject}: Zahl der gekauften Karten notiert."),
        "listenfuehrer_set": _("{subject}: Platz {seat} führt die Liste."),
        "list_on_paper": _("{subject} wird auf Papier geführt."),
        "list_on_device": _("{subject} wird auf einem Gerät geführt."),
        "list_signed": _("{subject}: unterschrieben von Platz {seats}, {method}."),
        "paper_sums_noted": _("{subject}: Summen vom Papier eingetragen: {sums}."),
        "referee_called": _("{subject}: Schiedsrichter gerufen, {kind}."),
        "call_taken": _("{subject}: Ruf übernommen, {kind}."),
        "call_done": _("{subject}: Ruf erledigt, {kind}."),
        "correction_asked": _("{spielliste}: Bitte um Berichtigung, Spiel {game}."),
    },
    Area.CHECKING: {
        "thing_received": _("{subject}: {thing} ist da."),
        "thing_missing_again": _("{subject}: {thing} fehlt doch."),
        "signatures_confirmed": _("{subject}: {number} Unterschriften auf Papier gesehen."),
        "list_handed_in": _("{subject} abgegeben (§ 2.3.3)."),
        "list_late": _("{subject}: zu spät abgegeben."),
        "list_not_late": _("{subject}: doch nicht zu spät abgegeben."),
        "list_not_handed_in": _("{subject} gilt nicht mehr als abgegeben."),
        "list_verified": _("{subject} geprüft (§ 2.2.5)."),
        "list_unverified": _("{subject}: Prüfung zurückgenommen."),
        "correction_proposed": _(
            "Berichtigung {correction} vorgeschlagen, {place}: {kind} (§ {paragraph})."
        ),
        "correction_done": _(
            "Berichtigung {correction} ausgeführt, {place}: {kind} (§ {paragraph})."
        ),
        "correction_rejected": _("Berichtigung {correction} abgelehnt, {place}: {kind}."),
        "persons_moved": _("{subject}: Personen umgesetzt."),
        "penalty_proposed": _(
            "{subject}: {points} Strafpunkte für {registration} vorgeschlagen (§ {paragraph})."
        ),
        "penalty_rejected": _("{subject}: Strafpunkte für {registration} abgelehnt."),
        "notice_told": _("{registration}: Berichtigung {correction} mitgeteilt, {how}."),
        "notice_acknowledged": _(
            "{registration}: Berichtigung {correction} zur Kenntnis genommen."
        ),
        "notice_objected": _("{registration}: Einspruch gegen Berichtigung {correction}."),
        "case_decided": _("{kind} entschieden, {spielliste}."),
        "decision_told": _("{kind}: Entscheidung mitgeteilt, {how}."),
    },
    Area.RESULTS: {
        "results_released": _("Ergebnisse für alle freigegeben."),
        "results_held_back": _("Ergebnisse zurückgehalten."),
        "playoff_recorded": _("Entscheidungsspiel eingetragen, die beste Nummer zuerst: {order}."),
        "lot_recorded": _("Los eingetragen, die beste Nummer zuerst: {order}."),
        "lot_withdrawn": _("Los gestrichen: {order}."),
        "playoff_withdrawn": _("Entscheidungsspiel gestrichen: {order}."),
        "prize_paid": _("Preis ausgezahlt mit {subject}."),
        "prize_returned": _("Preis zurückerhalten mit {subject}."),
        "prize_handed_over": _("Sachpreis übergeben: {subject}."),
        "prize_taken_back": _("Preis zurückgenommen: {subject}."),
        "thing_chosen": _("Sachpreis gewählt: {subject}."),
        "passed_over": _("Beim Wählen übergangen: {subject}."),
        "lottery_begun": _("Verlosung begonnen, Prüfzahl {seed_hash}."),
        "lottery_drawn": _("Verlost, Loszahl {seed}: {winners}."),
        "lottery_withdrawn": _("Verlosung zurückgenommen: {subject}."),
        "called_again": _("Zum Wählen wieder aufgerufen: {subject}."),
        "season_created": _("Saison {name} angelegt."),
        "season_changed": _("Saison {name} geändert."),
        "season_offered": _("Der Saison {name} angeboten."),
        "season_offer_ended": _("Der Saison {name} nicht mehr angeboten."),
        "screen_set": _("Leinwand: {shows}."),
        "screen_added": _("Leinwand {number} dazu."),
        "screen_removed": _("Leinwand {number} entfernt."),
        "changes_left_untold": _("Eine Änderung der Ausschreibung wird nicht mitgeteilt."),
        "circular_sent": _("Nachricht an Gemeldete, Personen: {persons}."),
        "words_said": _("Durchsage an alle im Saal."),
        "words_taken_back": _("Durchsage an alle im Saal beendet."),
    },
    Area.PERSONS: {
        "person_created": _("{subject} angelegt."),
        "person_changed": _("{subject} geändert: {changed}."),
        "person_banned": _("{subject} gesperrt ab {starts_on} (§ 1.4)."),
        "person_ban_lifted": _("Sperre von {subject} aufgehoben."),
        "person_anonymised": _("Eine Person anonymisiert."),
        "persons_merged": _("{subject} mit einem zweiten Eintrag zusammengeführt."),
        "persons_imported": _("Personen eingelesen."),
        "persons_exported": _("{count} Personen ausgegeben ({format})."),
        "club_created": _("Verein {subject} angelegt."),
        "club_renamed": _("Verein umbenannt: {before_name} → {name}."),
        "clubs_merged": _("Verein {before_name} in {name} aufgegangen."),
    },
}
TEXTS: Mapping[str, tuple[Area, str | Promise]] = {
    action: (area, sentence)
    for area, sentences in _SENTENCES.items()
    for action, sentence in sentences.items()
}

# Labels of the facts beside a sentence; without one, a fact has that of its field.
# Acts of the operator on the data of all organisers, which notify their heads.
WITH_ALL_DATA = frozenset(
    {
        *("standby_code_shown", "standby_admitted", "standby_shut_out", "second_folder_set"),
        *("restored", "taken_over"),
    }
)

LABELS: Mapping[str, str | Promise] = {
    "account": _("Konto"),
    "address": _("Adresse"),
    "admission": _("Zulassung (§ 1.1)"),
    "amount_cents": _("Betrag"),
    "approval": _("Zustimmung (§ 1.1)"),
    "best": _("beste Ergebnisse, die zählen"),
    "broken": _("dabei verletzte Regeln"),
    "bytes": _("Größe in Byte"),
    "cards": _("Karten"),
    "case": _("Fall"),
    "categories": _("Startgeldgruppen"),
    "carried_points": _("Punkte der Vorrunde"),
    "category": _("Startgeldgruppe"),
    "cents": _("Beträge"),
    "changed": _("geändert"),
    "clubs": _("Vereine"),
    "closing": _("Abschluss"),
    "club": _("Verein"),
    "consents": _("Einverständnis der Plätze"),
    "content_hash": _("Prüfzahl"),
    "copied_from": _("Vorlage"),
    "correction": _("Berichtigung"),
    "count": _("Anzahl"),
    "counted_cents": _("gezählt"),
    "counting": _("gezählt wird nach"),
    "counts": _("zählt"),
    "created": _("neu angelegt"),
    "device": _("Gerät"),
    "devices": _("Geräte"),
    "differences": _("Abweichungen"),
    "doubts": _("Hinweise"),
    "drawn": _("gezogen"),
    "ended": _("vorzeitig beendet"),
    "ends_on": _("bis"),
    "expected_cents": _("erwartet"),
    "file": _("Datei"),
    "folder": _("Ordner"),
    "format": _("Format"),
    "game": _("Spiel"),
    "games": _("Spiele"),
    "generation": _("Ausgabe des Codes"),
    "how": _("wie"),
    "invalid": _("ungültig"),
    "is_active": _("kann sich anmelden"),
    "kind": _("Art"),
    "known": _("schon bekannt"),
    "left": _("gegangen"),
    "line": _("Zeile"),
    "lines": _("Buchungen"),
    "lists": _("Listen"),
    "members": _("Mitglieder"),
    "method": _("Weg"),
    "metrics": _("Kennzahlen"),
    "minutes": _("Minuten"),
    "moved": _("Platzwechsel"),
    "name": _("Name"),
    "new": _("neu"),
    "number": _("Nummer"),
    "override": _("trotz Bedenken, weil"),
    "paper_sums": _("Summen vom Papier"),
    "paragraph": _("Paragraph"),
    "penalty": _("Strafpunkte"),
    "person": _("Person"),
    "pot": _("Topf"),
    "note": _("Bemerkung"),
    "team": _("Mannschaft"),
    "prizes": _("Preise"),
    "players": _("Personen"),
    "plays_on": _("spielt an Tag"),
    "points": _("Punkte"),
    "position": _("Stelle"),
    "present": _("da"),
    "problems": _("Bedenken"),
    "ranking": _("Wertung"),
    "rankings": _("Wertungen"),
    "receipt": _("Beleg"),
    "reason": _("Grund"),
    "registration": _("Meldung"),
    "registrations": _("Meldungen"),
    "response": _("Antwort"),
    "right": _("Recht"),
    "role": _("Rolle"),
    "row": _("Plätze"),
    "saved_at": _("gesichert um"),
    "seat": _("Platz"),
    "seats": _("Plätze"),
    "seconds": _("Sekunden"),
    "seasons": _("Saisons"),
    "section": _("Abschnitt"),
    "seed": _("Loszahl"),
    "seed_hash": _("Prüfzahl der Loszahl"),
    "serie": _("Serie"),
    "serien": _("Serien"),
    "shows": _("zeigt"),
    "slug": _("Kurzname"),
    "spielliste": _("Liste"),
    "starts_on": _("ab"),
    "status": _("Stand"),
    "suggestion": _("Vorschlag"),
    "sum": _("Summe"),
    "sums": _("Summen"),
    "table": _("Tisch"),
    "columns": _("Tische je Reihe"),
    "tables": _("Tische"),
    "taken": _("übernommen"),
    "teams": _("Mannschaften"),
    "text": _("Text"),
    "thing": _("was"),
    "together": _("Zusammen kassieren"),
    "tournaments": _("Turniere"),
    "unticked": _("nicht abgehakt"),
    "unverified": _("nicht geprüfte Tische"),
    "updated": _("geändert"),
    "version": _("Stand der Liste"),
    "waived_cents": _("erlassen"),
    "who": _("Personen"),
    "wishes": _("Wünsche"),
    "declined": _("Nicht teilnehmen an"),
    "with": _("zusammen mit"),
    "without": _("ohne Platz"),
}


def actions_of(area: str) -> list[str]:
    """Return the names of the acts of an area; empty for an unknown one."""
    return [action for action, (its_area, _sentence) in TEXTS.items() if its_area == area]
