"""The required words of each paragraph of the rules page, by file: its number, then its words.

Taken from the sources by hand. Each number of a paragraph is among its words.
"""

from __future__ import annotations

_SPIELORDNUNG = """
1.1 | offen für alle oder für einen benannten Kreis | Startgeld und Bußgeld | Einzel- oder
    Mannschaftspreise
1.2 | Veranstalter aus der Ausschreibung | bestellt die Spielleitung | entscheidet in Streitfällen
    | Schiedsrichter einsetzen
1.3 | spätestens eine Viertelstunde vor Beginn | darf und muss, wer das Startgeld bezahlt hat
1.4 | grober Verstoß | ausschließen und künftig abweisen | Das Startgeld gibt es dann nicht zurück
1.5 | Punkte aller Serien werden addiert; die wenigsten gewinnen | mehr selbst beendete Spiele
    vor, dann mehr Handrommés, zuletzt entscheidet ein Entscheidungsspiel
2.1.1 | indem Startkarten gezogen werden | sitzen vier, nur ausnahmsweise drei
2.1.2 | gilt für eine Serie und wird in ihr nicht gewechselt | Mitglieder eines Clubs sitzen sich
    am Tisch gegenüber
2.1.3 | Wer nicht mitspielt, darf sich nicht am Spieltisch aufhalten
2.2.1 | zwölf Spiele, am Vierer- wie am Dreiertisch | die gleichen Chancen | Eingetragen werden
    Minuspunkte (§ 8.2)
2.2.2 | richtig, vollständig und eindeutig
2.2.3 | jederzeit sehen | Wer gibt, achtet darauf | bis zum Ende der Serie | wenn alle
    einverstanden sind, die es betrifft
2.2.4 | prüfen und unterschreiben alle | eine Urkunde
2.2.5 | muss jede Liste prüfen, Fehler berichtigen und es allen sagen, die es betrifft
2.2.6 | jederzeit einsehen | für ungültig erklären | die ungünstigste Zahl | ein Schiedsrichter zu
    rufen
2.3.1 | nach der Romméordnung
2.3.2 | Die Spielleitung oder die von ihr benannten Schiedsrichter
2.3.3 | Nach der Serie | Liste, die Startkarten und das Bußgeld
2.3.4 | Rangfolge festgestellt und die Preise verteilt
2.3.5 | behält der Veranstalter
"""

_ROMMEORDNUNG = """
3.1 | sofort | jede Person im Turnier | Schiedsrichter oder die Spielleitung
3.2 | Wer ein Spiel beendet, dem wird es in der Liste gutgeschrieben
3.2.1 | Nach zwölf Spielen | je beendetem Spiel am Vierertisch 20, am Dreiertisch 15 Punkte
    abgezogen
3.2.2 | gekennzeichnet und bringt 50 Punkte Bonus
4.1 | Zwei Spiele zu 52 Karten mit je drei Jokern, zusammen 110 Karten
4.2 | Zwei bis Zehn zählen ihre Zahl, Bube, Dame und König 10, das Ass 11 | ohne König, zählt es
    dort 1; auf der Hand zählt es immer 11
4.3 | Sequenzen und Sätze
4.3.1 | mindestens drei Karten einer Farbe, die aufeinander folgen | König, Ass, Zwei ist eine
    Sequenz | höchstens 13
4.3.2 | drei oder vier gleichwertige Karten, jede von einer anderen Farbe
4.4 | jede beliebige Karte und zählt ausgelegt, was sie zählt
4.4.1 | nie zwei Joker nebeneinander
4.4.2 | höchstens ein Joker, mit zwei oder drei anderen Karten
4.4.3 | zählt 20 für ihn
5.1 | darf niemand die Vorderseite einer Karte sehen
5.2 | dreht versehentlich eine Karte um Es wird neu gegeben | deckt sie selbst auf Es wird nicht
    neu gegeben
5.3 | zu viele oder zu wenige Karten | wird neu gegeben
5.4 | mischt gründlich und lässt einmal abheben | die Person zur Rechten
5.5 | Abheben ist Pflicht | darf ihn behalten | offen zeigen | in der ersten Runde des Gebens
    keine Karte | ein weiterer Joker darf dabei nicht genommen werden
5.6 | gestochen | noch einmal durchgemischt
5.7 | im Uhrzeigersinn, zuerst nach links: jeder Person 13 Karten, der ersten 14 | Alle zählen
    ihre Karten sofort nach
5.8 | sofort beanstandet | ersten abgelegten oder ausgelegten Karte
5.9 | während des Spiels | abgebrochen | schon durch Rommé beendet | Es gilt | muss nicht
    wiederholt werden | Es ist Platz 1
5.10 | dass niemand hineinsehen kann
5.11 | nicht erlaubt
6 | als Erstes alle Karten abgelegt | Minuspunkte
6.1 | nur, wer an der Reihe ist
6.2 | Alle Karten auf einmal | wenn vorher noch niemand etwas ausgelegt hat | Eine Karte muss
    dabei auf den offenen Stapel
6.3 | mindestens 40 Augen | alle 13 Karten auf einmal auslegt und die 14. abwirft, braucht keine
    40 Augen | umgelegt wird nicht
6.4 | keine 40 Augen | nimmt die ausgelegten Karten zurück | bleibt liegen | geht dorthin zurück |
    Am Ende sind 13 Karten auf der Hand
6.5 | bis es 40 Augen sind; umgelegt wird nichts | nicht auf 40 kommt, nimmt alles zurück
6.6 | nur etwas dazukommen; weggenommen oder geteilt wird nicht
6.7 | zwei Karten einer Farbe | mit einer Lücke oder mit zwei gleichen Karten | Der Fehler darf
    berichtigt werden | Liegen bleibt nur, was richtig ist und 40 Augen zählt | Das Spiel ist
    ungültig | Die 40 Augen gelten nur für das erste Auslegen
6.8 | kommt sie auf den Joker: Er ist gesperrt und kann nicht mehr geholt werden
6.9 | Hat die nächste Person schon ausgelegt, darf keine Karte abgeworfen werden, die irgendwo
    angelegt werden könnte
6.10 | Ein Joker darf nicht abgeworfen werden, außer als letzte Karte
6.11 | Wer ausgelegt hat, darf auch bei den anderen anlegen und einen Joker holen | Im Satz holt
    erst die vierte Karte den Joker | darf auf der Hand bleiben | wenn die 40 Augen liegen
7.1 | links vom Geber, die 14 Karten hat | Sie zieht nicht | mindestens 40 Augen aus oder wirft
    eine Karte ab
7.2 | nimmt sie nicht zurück | Er muss zurückgenommen werden | Dann bleibt er ausnahmsweise liegen
7.3 | oberste vom verdeckten Stapel oder die zuletzt abgeworfene | muss sofort ausgelegt werden |
    darf nicht auf der Hand bleiben
8.1 | letzte Karte auf den offenen Stapel | Alle 14 auszulegen, ohne eine abzuwerfen, ist nicht
    möglich
8.2 | offen, in der Reihenfolge der Liste | bis eingetragen ist und wer will nachzählen konnte
8.3 | nicht offen zählt oder seine Karten mit anderen zusammenwirft | hatte schon ausgelegt 100
    Strafpunkte | hatte noch nicht ausgelegt 150 Strafpunkte | nur sie vergibt sie
III.1 | Ass, König, Dame und so fort bis Zwei | Das Ass zählt 11
III.2 | König, Ass, Zwei, Drei in einer Farbe | Das Ass zählt 11
III.3 | Ass, Zwei, Drei und so fort bis König | Das Ass zählt 1. | In den 13 Karten | weit mehr
    als 40 Augen
III.4 | Drei oder vier gleichwertige Karten verschiedener Farben
III.5 | ersetzt jede Karte | Zwei liegen nie nebeneinander | nicht in der Mehrzahl | Ass, Joker,
    Dame, Joker möglich | Ass, Joker, Joker, Bube nicht möglich | Joker, Ass, Joker nicht möglich
III.6 | holt die dritte ihn noch nicht, erst die vierte
III.7 | mit der abgeworfenen Karte zusammen mit einer aus der Hand | Herz-Vier | Herz-Fünf
"""

_ELSEWHERE = """
2.1.1 | indem Startkarten gezogen werden | sagt das Regelwerk
2.2.1 | Wie viele Spiele eine Liste hat, sagt das Regelwerk | Eingetragen werden Minuspunkte
2.3.1 | nach dem Regelwerk des Turniers
3.1 |
8.3 | nennt keine Strafpunkte
"""

_HAUSREGEL = """
karten | Zwei Spiele zu 52 Karten, meist mit je drei Jokern | drei bis sechs Personen
geben | 13 Karten, verdeckt und einzeln links herum | gibt zuerst Platz 1
satz | Drei oder vier Karten von gleichem Wert und verschiedener Farbe
folge | Mindestens drei aufeinanderfolgende Karten einer Farbe | auch König, Ass, Zwei ist eine
    Folge
joker | für jede Karte, die gerade fehlt
zug | Links vom Geber | vom Stapel oder die zuletzt abgelegte | Im ersten Zug gibt es nur den Stapel
auslegen | mindestens 40 Punkte | Das Ass zählt dabei 11, in einer Folge ohne König 1, Bilder 10
danach | beliebig wenige Punkte | einen Joker gegen die Karte tauschen
stapel | gemischt und verdeckt neu hingelegt
beenden | zuerst alle Karten aus- oder angelegt | eine Karte abwirft
hand | noch nichts ausgelegt hat und alles auf einmal | 40 Punkte braucht es dafür nicht
zaehlen | Ass 11, Joker 20 | Nach einem Handrommé zählen sie doppelt
"""

_VARIANTS = """
folge | über das Ass hinweg geht es nicht
satz | auch dieselbe Karte zweimal und mehr als vier
beenden | nur noch wenige Augen | Diese Punkte zählen dann für ihn
hand | nur mit den Karten, die gegeben wurden
e | von mindestens 40 Punkten
f | ein Joker | gegen eine Karte aus der eigenen Hand
g | Zu zweit oder zu dritt | die abgelegte Karte und noch zwei vom Stapel
"""

_PREISROMME = """
1 | in zwei Durchgängen zu acht Spielen | für jeden Durchgang neu gelost | möglichst zu viert
2 | Platz 1 schreibt die Ergebnisse auf, addiert gleich und gibt das erste Spiel
3 | einzeln 13 Karten | deckt, wer gegeben hat, die oberste Karte des Stapels auf
4 | steht zuerst der Person zu, die als Nächste an der Reihe ist | wer zuerst auf den Tisch
    geklopft hat
5 | nimmt eine vom Stapel dazu | braucht das nicht
6 | müssen 40 Punkte liegen | alle schon einmal abgeworfen | nur mit dem König 10, vor der Zwei 1
    | spricht von 40 Punkten
7 | reichen drei Karten | nur die, die andere ausgelegt haben
8 | Zwei Joker dürfen nicht nebeneinanderliegen
9 | nicht zurückgenommen und nicht umgelegt | mit weniger als 40 Punkten | erst im nächsten
    eigenen Zug
10 | Kreuz, Pik, Herz, Karo | holt ihn das Pik-Ass, nicht das Herz-Ass
11 | frühestens nach einem Umlauf ohne früheres Auslegen | davon mindestens 40 Punkte | die letzte
    Karte abwirft
12 | den anderen laut vor
13 | Ass, König, Dame und Bube 10, Joker 20, die anderen ihre Zahl | Nach einem Handrommé zählt
    alles doppelt
"""

_TRADITIONELL = """
geben | Zwei Spiele zu 52 Karten und Joker | zehn Karten | Angenommen sind sechs
satz | Mindestens drei Karten von gleichem Wert
sequenz | Mindestens drei Karten einer Farbe, die aufeinander folgen
zug | vom verdeckten Stapel oder der obersten abgeworfenen | Eine Mindestzahl von Punkten gibt es
    beim Auslegen nicht
stapel | die zuletzt abgeworfene Karte bleibt offen liegen
beenden | wer zuerst die letzte Karte ablegt
romme | alle Karten auf einmal ablegt, ohne vorher etwas ausgelegt zu haben | Die anderen zählen
    25 Punkte mehr
zaehlen | Ass 11, Joker 25, Bilder 10, sonst die Zahl
"""

_CONTRACT = """
geben | Zwei Spiele zu 52 Karten und ein Joker weniger, als Personen am Tisch sind | In den
    Spielen 1 bis 3 erhält jede Person 10, danach 12 Karten
satz | Drei Karten von gleichem Wert
folge | Mindestens vier aufeinanderfolgende Karten einer Farbe | nicht in der Mitte | aus 14 Karten
kontrakt | zuerst genau ihn aus, alles auf einmal und ohne eine Karte mehr
getrennt | dürfen zwei einer Farbe nicht aneinander anschließen | Mit einer Lücke oder wenn sie
    sich überschneiden, gelten sie
zug | links vom Geber | auslegen oder anlegen, eine abwerfen
anlegen | in einem früheren Zug dieses Spiels | Im selben Zug noch nicht
may-i | nimmt eine vom Stapel als Strafkarte dazu | nicht dieselbe Person zweimal hintereinander |
    kostet das nichts
joker | Aus einer Folge | im selben Zug wieder anlegen | Aus einem Satz wird kein Joker geholt
stapel | endet das Spiel ohne Sieger, und alle zählen
letztes | auf einmal ausgelegt werden, in drei Folgen | abgeworfen wird nicht
zaehlen | Ass 15, Bilder 10, Zahlen ihre Zahl, Joker 15
"""

_LIVERPOOL = """
geben | rechts vom Geber | erhält er 50 Punkte weniger | Zwei Spiele zu 52 Karten | In den Spielen
    1 bis 3 erhält jede Person 10, danach 12 Karten
"""

_MAY_I = """
geben | Je zwei Personen ein Spiel mit 52 Karten und beiden Jokern, aufgerundet | In den Spielen 1
    bis 3 erhält jede Person 10, danach 12 Karten
kontrakt | dürfen dabei größer sein
getrennt | dürfen aneinander anschließen
joker | wird er nicht mehr getauscht
letztes | spielt weiter
zaehlen | Ass 15, Bilder 10, Zahlen ihre Zahl, Joker 25
"""

_PROGRESSIV = """
geben | Zwei Spiele zu 52 Karten mit vier Jokern; jede Person erhält 11 Karten
satz | drei oder mehr Karten von gleichem Wert | ein Paar sind zwei
folge | nach dem König oder vor der Zwei, nicht dazwischen
getrennt | dürfen aneinander anschließen | nicht verbunden und nicht geteilt
anlegen | schon im selben Zug oder später
may-i | In den Spielen 9 bis 11 und 14 darf jede Person einmal, in 12 und 13 zweimal | einen Cent
    in die Kasse | in 12 und 13 kommt eine Karte vom Stapel dazu
joker | Beide ersetzen jede fehlende Karte | nicht mehr getauscht
letztes | durch Auslegen aller Karten oder mit einem letzten Abwurf
zaehlen | Joker und Zwei 20, Ass 15, Bilder 10, Drei bis Zehn 5
"""

_SHANGHAI = """
geben | mit vier Jokern; jede Person erhält 11 Karten | Zwei Spiele zu 52 Karten | „Wie bei
    Contract Rommé, 11 Karten“ | Dort sind es 10 und 12
satz | Drei Karten von gleichem Wert | gelten nicht als zwei
folge | Mindestens vier | nur oben, nach dem König
anlegen | schon im selben Zug oder später
may-i | höchstens zweimal je Spiel, und nimmt zwei vom Stapel dazu
joker | in einem Satz oder einer Folge liegt höchstens einer
zaehlen | Zwei bis Sieben 5, Acht bis König 10, Ass 20, Joker 50
shanghai | Niemand darf sie in diesem Zug nehmen | zieht dann verdeckt eine Karte aus ihrer Hand |
    „Shanghai“ geht vor „May I?“
"""

_KOLSOV = """
letztes | es sind zehn
"""

_POWE = """
geben | Zwei Spiele zu 52 Karten mit vier Jokern; jede Person erhält 10 Karten
getrennt | Niemand legt mehr als eine Folge derselben Farbe aus
may-i | höchstens zweimal je Spiel, und nimmt zwei vom Stapel dazu
letztes | wirft keine ab, in jedem Spiel
"""


_WERTPUNKTE_HELD = """
1.5 | Wertpunkte aller Serien werden addiert; die meisten gewinnen | weniger Augen hat, dann, wer
    mehr Spiele selbst beendet hat, dann, wer mehr Handrommés hat, zuletzt entscheidet ein
    Entscheidungsspiel
2.2.1 | sagt das Regelwerk | Eingetragen werden Augen (§ 8.2); die Wertpunkte folgen daraus
"""

_WERTPUNKTE = """
3.2.1 | Wer ein Spiel beendet, bekommt dafür Wertpunkte | für jede Tischgröße
3.2.2 | gekennzeichnet und bringt statt dessen die Wertpunkte für Handrommé
wertpunkte-augen | die erste Stufe, in die die gezählte Hand passt | bekommt nichts
augen-daneben | entscheiden nur zwischen gleich vielen Wertpunkten
wertpunkte-strafpunkte | kommen zu den Augen dazu | wie viele Strafpunkte einen kosten
wertpunkte-unklar | die höhere Hand | für niemanden ein beendetes Spiel
wertpunkte-hochgerechnet | Wertpunkte abgerundet und Augen aufgerundet | hinter allen, die eines
    haben
wertpunkte-beispiel | Beendetes Spiel 5, Handrommé 8, bis 30 Augen 2, bis 60 Augen 1 | 28, 55 und 90
    | 5, 2, 1 und 0 Wertpunkte; die Augen sind 0, 28, 55 und 90
"""

_WERTPUNKTE_GEBER = """
5.7 | jeder Person, die mitspielt, 13 Karten, der ersten 14 | gibt sich selbst keine
geber-setzt-aus | spielt nicht mit, wer gibt
    | Spiel 1, 5, 9, 13 und 17 gibt Platz 1, das nächste Platz 2
    | keine Hand, kann es nicht beenden und bekommt nichts | An einem Dreiertisch spielen alle
geber-spiele | am Vierertisch 20 Spiele, für jeden 15; am Dreiertisch 15
    | wird auf so viele umgerechnet, wie die eigene Liste für jeden hat
geber-beispiel | einmal ausgesetzt, einmal beendet, einmal 28 und einmal 55
    | 5 + 2 + 1 = 8 Wertpunkte und 83 Augen in drei Spielen | Nach 20 Spielen sind es 40 und 415
"""


def _read(text: str) -> dict[str, list[str]]:
    whole = text.strip().replace("\n    ", " ")  # a row goes on where the next line is indented
    rows = [[part.strip() for part in row.split("|")] for row in whole.splitlines()]
    return {number: [word for word in words if word] for number, *words in rows}


SAID = {
    name: _read(text)
    for name, text in {
        "spielordnung": _SPIELORDNUNG,
        "rommeordnung": _ROMMEORDNUNG,
        "elsewhere": _ELSEWHERE,
        "hausregel": _HAUSREGEL,
        "hausregel-variants": _VARIANTS,
        "preisromme-1987": _PREISROMME,
        "traditionell": _TRADITIONELL,
        "contract": _CONTRACT,
        "liverpool": _LIVERPOOL,
        "may-i": _MAY_I,
        "progressiv": _PROGRESSIV,
        "shanghai": _SHANGHAI,
        "shanghai-kolsov": _KOLSOV,
        "shanghai-powe": _POWE,
        "wertpunkte": _WERTPUNKTE,
        "wertpunkte-spielordnung": _WERTPUNKTE_HELD,
        "wertpunkte-geber": _WERTPUNKTE_GEBER,
    }.items()
}
