"""The texts of the scripts of the table's page, in the language of the page.

The scripts fill in ``{n}`` and other placeholders.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.lists.queries import seat_moves
from tournaments.models import Call, Spielliste


def texts(*, most_first: bool = False) -> dict[str, str]:
    """Return all texts of the scripts by name; *most_first* selects those about Wertpunkte."""
    statuses = {
        Spielliste.Status.SIGNED: _("Die Liste ist unterschrieben"),
        Spielliste.Status.HANDED_IN: _("Die Liste liegt bei der Spielleitung"),
        Spielliste.Status.VERIFIED: _("Die Liste ist geprüft"),
        Spielliste.Status.INVALID: _("Die Liste ist ungültig; bitte zur Spielleitung gehen"),
    }
    return {
        **seat_moves.sentences(),
        # The frame of the page
        "cancel": _("Abbrechen"),
        "close": _("Schließen"),
        "take": _("Übernehmen"),
        "change": _("Ändern"),
        "back": _("Zurück"),
        "erase": _("Löschen"),
        "more": _("Mehr"),
        "stored": _("gespeichert"),
        "unkept": _("nicht gespeichert"),
        "storeFails": _("Speicher gestört"),
        "sending": _("wird übertragen"),
        "offline": _("kein Netz"),
        "waitsOne": _("1 wartet auf Netz"),
        "waitsMany": _("{n} warten auf Netz"),
        "needsYou": _("bitte entscheiden"),
        "withdrawn": _("Zugang beendet"),
        "withdrawnText": _(
            "Dieser Zugang gilt nicht mehr. Bitte bei der Spielleitung nachfragen oder den Code "
            "der Tischkarte neu scannen."
        ),
        "withdrawnNext": _(
            "Was hier eingetragen ist, bleibt auf diesem Gerät. Die Seite fragt nicht mehr von "
            "selbst nach."
        ),
        "enterCode": _("Code eingeben"),
        "askAgain": _("Noch einmal nachfragen"),
        "timeLeft": _("noch {time}"),
        "timeOver": _("die Zeit ist um"),
        "seatsMoved": _("Die Plätze am Tisch sind geändert"),
        "seatsNow": _("Jetzt sitzen: {names}. Vor dem nächsten Eintrag bitte vergleichen."),
        "entryOfOthers": _(
            "Seit diesem Eintrag sitzen andere Personen am Tisch. Bitte vergleichen, zu wem die "
            "Zahlen gehören."
        ),
        "gameOf": _("Spiel {n} von {all}"),
        "allGames": _("alle {all} Spiele eingetragen"),
        "failed": _(
            "Das hat nicht geklappt: Der Turnierrechner meldet einen Fehler. Bitte noch einmal "
            "versuchen."
        ),
        "notDone": _("Das geht gerade nicht"),
        "needsNetwork": _(
            "Dafür muss der Turnierrechner erreichbar sein. Bitte gleich noch einmal."
        ),
        "textSize": _("Schrift auf diesem Gerät"),
        "text_usual": _("normal"),
        "text_larger": _("größer"),
        "text_largest": _("sehr groß"),
        "rules": _("Kartenwerte und Regeln"),
        "cardValues": _("Kartenwerte:"),
        "allRules": _("Alle Spielregeln"),
        # The list
        "list": _("Spielliste"),
        "wholeList": _("Die ganze Liste"),
        "game": _("Spiel"),
        "player": _("Name"),
        "keepsList": _("führt die Liste"),
        "dealerMark": _("gibt dieses Spiel"),
        "dealerLetter": _("G"),
        "deals": _("{name} gibt"),
        "dealsAndSitsOut": _("{name} gibt und setzt aus"),
        "sitsOut": _("setzt aus"),
        "finished": _("beendet"),
        "finishedByHand": _("beendet, Handrommé"),
        "handromme": _("Handrommé"),
        "notSent": _("noch nicht übertragen"),
        "standSoFar": _("Stand mit Bonus"),
        "result": _("Ergebnis"),
        "place": _("Platz"),
        "bussgeld": _("Bußgeld in €"),
        "sums": _("Summen"),
        "sumMinus": _("A Minuspunkte"),
        "sumWon": _("B beendet"),
        "sumBonus": _("C Bonus"),
        "sumHandromme": _("D Handrommé"),
        "sumHandrommeBonus": _("E Bonus H"),
        "sumAdjustment": _("Sonderpunkte"),
        "sumPenalty": _("F Strafpunkte"),
        "sumAdded": _("H hochgerechnet"),
        "formula": _(
            "Ergebnis = Minuspunkte, Bonus und Strafpunkte zusammen. Wer die wenigsten Punkte hat, "
            "gewinnt."
        ),
        # Entering a game
        "whoFinished": _("Wer hat beendet?"),
        "whoFinishedChange": _("Wer hat Spiel {n} beendet?"),
        "nobody": _("Niemand"),
        "nobodyFinished": _("Niemand hat beendet"),
        "finishedGame": _("{name} hat beendet"),
        "hand": _("Hand"),
        "grant": _("{name}: {what} ({points})"),
        "pointsOf": _("Punkte von {name}"),
        "next": _("Weiter"),
        "store": _("Speichern"),
        "digits": _("Ziffern"),
        "countCards": _("Karten zählen"),
        "cardKey": _("{name}, {value} Punkte, {n} auf der Hand"),
        "cardBack": _("Karte zurück"),
        "handIsFull": _("Mehr als {n} Karten kann niemand halten."),
        "fourthDigit": _(
            "Mehr als drei Ziffern gehen nicht. Zum Ändern „Löschen“ drücken oder das Feld "
            "antippen."
        ),
        "pointsMissing": _("Es fehlen die Punkte von {name}."),
        "gameNotKept": _(
            "Das Spiel ist noch nicht gespeichert: Dieses Gerät bewahrt gerade nichts auf, und der "
            "Turnierrechner antwortet nicht. Bitte gleich noch einmal „Speichern“ drücken oder die "
            "Seite neu laden; was hier steht, bleibt stehen."
        ),
        "notKept": _(
            "Das ist noch nicht gespeichert: Dieses Gerät bewahrt gerade nichts auf, und der "
            "Turnierrechner antwortet nicht. Bitte gleich noch einmal versuchen oder die Seite neu "
            "laden und es dann noch einmal eingeben."
        ),
        "reload": _("Seite neu laden"),
        "gameStored": _("Spiel {n} ist eingetragen."),
        # Refusals and questions
        "zeroIsFinisher": _(
            "0 hat nur, wer beendet hat. Wer noch Karten hält, hat mindestens {min}."
        ),
        "tooLow": _("{value} kann nicht sein: Wer noch Karten hält, hat mindestens {min}."),
        "tooLowHandromme": _(
            "{value} kann nicht sein: Nach einem Handrommé haben die anderen mindestens {min}."
        ),
        "tooHigh": _("{value} kann nicht sein: Eine Hand zählt höchstens {max}. Bitte nachzählen."),
        "notPossible": _("{value} kann keine Hand zählen. Bitte nachzählen."),
        "finisherTooHigh": _("Wer beendet, darf höchstens {max} Punkte behalten, nicht {value}."),
        "jointHigh": _(
            "{values} kann nicht sein: {number} Hände zählen zusammen höchstens {max}. Bitte "
            "nachzählen."
        ),
        "jointLow": _(
            "{values} kann nicht sein: {number} Hände zählen zusammen mindestens {min}. Bitte "
            "nachzählen."
        ),
        "pleaseCheck": _("Stimmt das?"),
        "itIsRight": _("Ja, stimmt so"),
        "askHigh": _("{name}: {value} Punkte sind ungewöhnlich viel. Bitte nachzählen."),
        "askLow": _("{name}: {value} Punkte sind nach einem Handrommé ungewöhnlich wenig."),
        "askHandromme": _("Das wäre das {count}. Handrommé von {name} auf dieser Liste."),
        "askRepeated": _("Die Zeile ist genau wie die vorige. Ist das Spiel schon eingetragen?"),
        # Changing a game
        "changeGame": _("Spiel {n} ändern"),
        "takeBackGame": _("Spiel {n} zurücknehmen"),
        "oldAndNew": _("Bisher und neu"),
        "before": _("bisher"),
        "after": _("neu"),
        "consentNeeded": _("Wen die Änderung betrifft, der tippt hier selbst (§ 2.2.3):"),
        "agrees": _("{name} ist einverstanden"),
        "changeNow": _("Zeile ändern"),
        "takeBackNow": _("Zeile streichen"),
        "signaturesLost": _(
            "Die Unterschriften gelten danach nicht mehr; alle unterschreiben neu."
        ),
        # Entries not sent yet
        "unsentOne": _(
            "Spiel {games}: noch nicht übertragen. Es ist auf diesem Gerät sicher und geht "
            "hinaus, sobald das Netz wieder da ist."
        ),
        "unsentMany": _(
            "Spiele {games}: noch nicht übertragen. Sie sind auf diesem Gerät sicher und gehen "
            "hinaus, sobald das Netz wieder da ist."
        ),
        "stayOpen": _("Kein Netz: Bitte diese Seite offen lassen, bis es wieder da ist."),
        "conflictTitle": _("In der Liste steht inzwischen etwas anderes"),
        "conflictText": _(
            "Jemand anders hat die Liste geändert, bevor dieser Eintrag ankam. Was soll gelten?"
        ),
        "yourEntry": _("Hier eingetragen, Spiel {n}:"),
        "theirEntry": _("In der Liste, Spiel {n}:"),
        "keepTheirs": _("Den anderen Eintrag behalten"),
        "dropMine": _("Meinen Eintrag verwerfen"),
        "mineAsGame": _("Meinen als Spiel {n} eintragen"),
        "mineAsChange": _("Spiel {n} durch meinen ersetzen"),
        "sendAgain": _("Noch einmal senden"),
        "refusedTitle": _("Der Eintrag wurde nicht angenommen"),
        "putRight": _("Berichtigen"),
        "behind": _("Dahinter warten noch {n} Einträge."),
        # Signing, and what comes after
        **{f"status_{status.value}": sentence for status, sentence in statuses.items()},
        "listComplete": _("Die Liste ist vollständig"),
        "signTitle": _("Unterschreiben"),
        "signText": _("Alle lesen die ganze Liste und unterschreiben selbst (§ 2.2.4)."),
        "signFor": _("{name} unterschreibt"),
        "readAndSign": _("{name}: bitte lesen und unterschreiben"),
        "readWhole": _(
            "Die ganze Liste, bis nach unten. Das Feld zum Unterschreiben steht am Ende."
        ),
        "signPromise": _("Ich, {name}, habe die Liste geprüft. Sie stimmt."),
        "signatureField": _("Unterschrift von {name}, mit Finger oder Stift"),
        "signNow": _("Unterschreiben"),
        "clear": _("Löschen"),
        "somethingWrong": _("Da stimmt etwas nicht"),
        "hasSigned": _("{name} hat unterschrieben."),
        "signed": _("unterschrieben"),
        "signedPaper": _("auf Papier"),
        "signedWaiting": _("noch nicht übertragen"),
        "paperWaiting": _("Unterschrift auf Papier: noch nicht übertragen"),
        "signOnPaper": _("Auf Papier unterschreiben"),
        "signPaperTitle": _("Auf Papier unterschreiben?"),
        "signPaperText": _(
            "Alle, die hier noch nicht unterschrieben haben, unterschreiben die gedruckte Liste. "
            "Sie gilt dann als unterschrieben und lässt sich am Tisch nicht mehr ändern."
        ),
        "signPaperYes": _("Ja, auf Papier"),
        "protestLeft": _("Berichtigung verlangen: noch {time} möglich"),
        "protestOver": _("Die Frist für Berichtigungen ist abgelaufen."),
        "askCorrection": _("Um Berichtigung bitten"),
        "caseTitle": _("Um Berichtigung bitten"),
        "caseWhich": _("Welche Zeile?"),
        "caseWhat": _("Was ist falsch, und warum?"),
        "caseSend": _("An die Spielleitung senden"),
        "caseList": _("Die Liste im Ganzen"),
        "caseGame": _("Spiel {n}"),
        "caseOpen": _("liegt bei der Spielleitung"),
        "caseDecided": _("entschieden"),
        "caseNotSent": _("noch nicht übertragen"),
        # Devices, paper, and calls
        "welcome": _("Willkommen zum {tournament}! Bitte prüfen, ob alle hier richtig sitzen."),
        "whoKeeps": _("Wer führt die Liste?"),
        "keepHere": _("Die Liste auf diesem Gerät führen"),
        "onlyWatch": _("Nur zusehen"),
        "otherSeats": _("Wir sitzen anders: Schiedsrichter rufen"),
        "askRelease": _("Spielleitung bitten: Gerät freigeben"),
        "watching": _("Zusehen"),
        "otherKeeps": _("Ein anderes Gerät führt die Liste. Hier ist sie immer auf dem Stand."),
        "nobodyKeeps": _("Gerade führt kein Gerät die Liste."),
        "takeOver": _("Liste hier führen"),
        "changeKeeper": _("Wer führt die Liste?"),
        "releaseDevice": _("Dieses Gerät freigeben"),
        "releaseTitle": _("Gerät freigeben?"),
        "releaseText": _("Danach kann ein anderes Gerät die Liste führen; dieses sieht nur zu."),
        "releaseYes": _("Freigeben"),
        "goOnPaper": _("Auf Papier weiterführen"),
        "paperTitle": _("Auf Papier weiterführen?"),
        "paperText": _("Die Spiele werden dann auf den Vordruck geschrieben und dort eingegeben."),
        "paperYes": _("Auf Papier"),
        "isOnPaper": _("Diese Liste wird auf Papier geführt"),
        "isOnPaperText": _("Eingetragen wird sie von der Spielleitung."),
        "backToDevice": _("Auf dem Gerät weiterführen"),
        "callShort": _("Schiedsrichter"),
        "callTitle": _("Schiedsrichter rufen"),
        "callText": _("Worum geht es?"),
        "callOpen": _("Der Schiedsrichter ist gerufen"),
        "callTaken": _("Der Schiedsrichter kommt"),
        "callOffline": _("Kein Netz, der Ruf wartet."),
        "callOfflineText": _("Bitte die Hand heben."),
        **{f"call_{kind.value}": str(kind.label) for kind in Call.Kind},
        **(_wertpunkte_texts() if most_first else {}),
    }


def _wertpunkte_texts() -> dict[str, str]:
    return {
        "standSoFar": _("Wertpunkte, darunter Augen"),
        "sumMinus": _("A Augen"),
        "sumBonus": _("C für beendete"),
        "sumHandrommeBonus": _("E dazu für H"),
        "sumSteps": _("I für Augen"),
        "sumPenaltyCost": _("J für F"),
        "sumAugen": _("L Augen mit F"),
        "result": _("Wertpunkte"),
        "formula": _(
            "Ergebnis = Wertpunkte für beendete Spiele, Handrommés und Augen zusammen. Wer die "
            "meisten hat, gewinnt; bei gleich vielen entscheiden weniger Augen."
        ),
    }
