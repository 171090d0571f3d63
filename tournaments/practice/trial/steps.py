"""The steps of a trial run, from the first Startgeld to the printed ranking.

A step is done when the condition ``done`` on the tournament's row is true. Its sentences are in
``texts``. Buttons have their labels on the page, in the order in which they are pressed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.common import texts
from tournaments.common.access_keys import table_path
from tournaments.common.texts import Paragraph
from tournaments.models import (
    Correction,
    Draw,
    Game,
    Notice,
    PrintedDocument,
    PrizePayout,
    Registration,
    Seat,
    Serie,
    Spielliste,
    TableAccess,
    Tournament,
)
from tournaments.web.steps import HANDED_IN

# Persons who are registered and present; the last of them has not paid.
PRESENT = (
    ("Adele", "Amsel", "f"),
    ("Benno", "Buchfink", "m"),
    ("Carla", "Drossel", "f"),
    ("Detlef", "Eisvogel", "m"),
    ("Ella", "Fasan", "f"),
    ("Fritz", "Goldammer", "m"),
)
# The persons whom the desk registers; first name and last name.
LATECOMERS = (("Greta", "Habicht"), ("Hugo", "Ibis"))
PLAYERS = len(PRESENT) + len(LATECOMERS)
# The game with a miscounted hand, and the difference.
MISCOUNTED, LACKING = 4, 10

Facts = dict[str, str | SafeString | int]


def button_html(label: str | Promise, name: str = "") -> SafeString:
    """Return the label of a button as shown in the panel; „yes“ is that of a question."""
    return format_html('<b data-button="{}">{}</b>', name, label)


def typed_html(text: object) -> SafeString:
    """Return a text to type, as shown in the margin."""
    return format_html("<kbd>{}</kbd>", text)


def key_html(name: str) -> SafeString:
    """Return a key of the keyboard by its name in browsers, as shown in the panel."""
    return format_html('<kbd data-key="{}">{}</kbd>', name, _(name))


def _no_facts(_tournament: Tournament) -> Facts:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialStep:
    """A step of a trial run.

    Its text refers to ``buttons`` and to results of ``facts``. The URL takes the tournament and
    ``names``: numbers, or names of facts.
    """

    key: str
    url_name: str
    names: tuple[int | str, ...] = ()
    buttons: Mapping[str, Promise] = field(default_factory=dict)
    facts: Callable[[Tournament], Facts] = _no_facts
    done: Any  # a condition on the tournament

    @property
    def title(self) -> str:
        """The title in the active language."""
        return self._paragraph.title

    @property
    def says(self) -> str:
        """The text of the step, with placeholders for buttons and facts."""
        return self._paragraph.text[0]

    @property
    def _paragraph(self) -> Paragraph:
        return texts.paragraphs(texts.chapters("practice/trial", "steps"))[self.key]


# --- Conditions ------------------------------------------------------------------------------


def _exists(things: type[Model] | QuerySet[Any], path: str, **conditions: Any) -> Exists:
    rows = things if isinstance(things, QuerySet) else QuerySet(things)
    return Exists(rows.filter(**{path: OuterRef("pk")}, **conditions))


def _registered(**conditions: Any) -> QuerySet[Registration]:
    return Registration.objects.filter(tournament=OuterRef("pk"), **conditions)


def _lists(*but: str) -> Exists:
    """Return the condition that a list has another state than *but*."""
    spiellisten = Spielliste.objects.filter(table__serie__tournament=OuterRef("pk"))
    return Exists(spiellisten.exclude(status__in=but))


_PAID = Registration.Status.PAID
_SEATED = _exists(Seat, "serie__tournament")
_DRAWN = _exists(
    Draw.objects.exclude(status=Draw.Status.DISCARDED).exclude(seats=[]), "serie__tournament"
)
_CLOSED = Q(status=Tournament.Status.CLOSED)
_SERIE_CLOSED = _exists(Serie, "tournament", closed_at__isnull=False)
_MISCOUNTED = {
    "spielliste__table__serie__number": 1,
    "spielliste__table__number": 1,
    "number": MISCOUNTED,
}


# --- Facts in the sentences -------------------------------------------------------------------


def _fee_facts(tournament: Tournament) -> Facts:
    waiting = tournament.registrations.filter(status=Registration.Status.REGISTERED)
    person = waiting.select_related("person").order_by("number")[0].person
    return {
        "name": person.full_name,
        "typed": typed_html(person.last_name),
        "enter": key_html("Enter"),
    }


def _people_facts(tournament: Tournament) -> Facts:
    registered = tournament.registrations.select_related("person")
    registered_names = {
        (registration.person.first_name, registration.person.last_name)
        for registration in registered
    }
    first, last = next(
        (name for name in LATECOMERS if name not in registered_names), LATECOMERS[-1]
    )
    return {
        "name": f"{first} {last}",
        "typed": typed_html(f"{last}, {first}"),
        "new": key_html("F2"),
        "enter": key_html("Enter"),
    }


def _start_facts(_tournament: Tournament) -> Facts:
    return {
        "begin": button_html(
            _("%(serie)s beginnen") % {"serie": _("Serie {number}").format(number=1)}
        )
    }


def _game_facts(tournament: Tournament) -> Facts:
    access = TableAccess.objects.get(
        table__serie__tournament=tournament, table__serie__number=1, table__number=1
    )
    opened = format_html(
        '<a href="{}" target="_blank">{}</a>', table_path(access), _("Liste von Tisch 1")
    )
    return {"list": opened}


def _list_in(tournament: Tournament, status: Spielliste.Status) -> Facts:
    spiellisten = Spielliste.objects.filter(table__serie__tournament=tournament, status=status)
    numbers = spiellisten.values_list("table__serie__number", "table__number")
    serie, table = numbers.order_by("table__serie__number", "table__number")[0]
    return {"serie": serie, "table": table}


def _hand_in_facts(tournament: Tournament) -> Facts:
    place = _list_in(tournament, Spielliste.Status.SIGNED)
    return {**place, "typed": typed_html(place["table"]), "enter": key_html("Enter")}


def _correct_facts(tournament: Tournament) -> Facts:
    game = Game.objects.get(**_MISCOUNTED, spielliste__table__serie__tournament=tournament)
    counted = [points if isinstance(points, int) else 0 for points in game.line["minus"]]
    seat, wrong = next(
        counted_seat
        for counted_seat in enumerate(counted, start=1)
        if counted_seat[1] or counted_seat[0] == len(counted)
    )
    right = wrong + LACKING
    return {
        "game": MISCOUNTED,
        "seat": seat,
        "wrong": wrong,
        "right": right,
        "typed": typed_html(f"{MISCOUNTED} {seat} {right}"),
        "reason": typed_html(_("Die Zehn ist nicht mitgezählt.")),
        "enter": key_html("Enter"),
    }


def _verify_facts(tournament: Tournament) -> Facts:
    return {**_list_in(tournament, Spielliste.Status.HANDED_IN), "checked": key_html("F2")}


def _close_serie_facts(_tournament: Tournament) -> Facts:
    serie = _("Serie {number}").format(number=1)
    return {"close": button_html(_("%(serie)s abschließen") % {"serie": serie})}


def _prizes_facts(_tournament: Tournament) -> Facts:
    return {"all": button_html(_("Alle auszahlen: %(sum)s") % {"sum": "…"})}


STEPS = (
    TrialStep(
        key="fee",
        url_name="desk:desk",
        facts=_fee_facts,
        done=~Exists(_registered(status=Registration.Status.REGISTERED)),
    ),
    TrialStep(
        key="people",
        url_name="desk:desk",
        facts=_people_facts,
        done=Exists(_registered(status=_PAID)[PLAYERS - 1 : PLAYERS]),
    ),
    TrialStep(
        key="begin",
        url_name="setup:tournament",
        buttons={"begin": gettext_lazy("Turnier beginnt"), "yes": gettext_lazy("Turnier beginnt")},
        done=Q(status__in=[Tournament.Status.RUNNING, Tournament.Status.CLOSED]),
    ),
    TrialStep(
        key="draw",
        url_name="draw:serie",
        names=(1,),
        buttons={
            "begin": gettext_lazy("Auslosung beginnen"),
            "draw": gettext_lazy("Jetzt auslosen"),
        },
        done=_DRAWN | _SEATED,
    ),
    TrialStep(
        key="publish",
        url_name="draw:serie",
        names=(1,),
        buttons={"publish": gettext_lazy("Bekannt geben"), "yes": gettext_lazy("Bekannt geben")},
        done=_SEATED,
    ),
    TrialStep(
        key="start",
        url_name="hall:room",
        names=(1,),
        facts=_start_facts,
        done=_exists(Serie, "tournament", started_at__isnull=False),
    ),
    TrialStep(
        key="game",
        url_name="hall:access",
        names=(1, 1),
        buttons={"keep": gettext_lazy("Die Liste auf diesem Gerät führen")},
        facts=_game_facts,
        done=_exists(Game, "spielliste__table__serie__tournament"),
    ),
    TrialStep(
        key="rest",
        url_name="hall:room",
        names=(1,),
        done=_SEATED & ~_lists(Spielliste.Status.SIGNED, *HANDED_IN),
    ),
    TrialStep(
        key="hand_in",
        url_name="hall:hand_in",
        names=("serie",),
        buttons={"all": gettext_lazy("Alles da")},
        facts=_hand_in_facts,
        done=_SEATED & ~_lists(*HANDED_IN),
    ),
    TrialStep(
        key="correct",
        url_name="checking:list",
        names=(1, 1),
        buttons={"save": gettext_lazy("Speichern")},
        facts=_correct_facts,
        # Also done if the list ended before this game, or the Serie is closed.
        done=_exists(Correction, "tournament")
        | _SERIE_CLOSED
        | (
            _exists(Game, "spielliste__table__serie__tournament")
            & ~_exists(Game, "spielliste__table__serie__tournament", **_MISCOUNTED)
        ),
    ),
    TrialStep(
        key="verify",
        url_name="checking:list",
        names=("serie", "table"),
        facts=_verify_facts,
        done=_SEATED & ~_lists(*Spielliste.SETTLED),
    ),
    TrialStep(
        key="tell",
        url_name="notices:page",
        buttons={"told": gettext_lazy("Ganzer Tisch mündlich mitgeteilt")},
        done=~_exists(Notice, "correction__tournament", told_at__isnull=True),
    ),
    TrialStep(
        key="close_serie",
        url_name="closing:page",
        facts=_close_serie_facts,
        done=_SERIE_CLOSED,
    ),
    TrialStep(
        key="release",
        url_name="results_public:overall",
        buttons={"release": gettext_lazy("Ergebnisse für alle freigeben")},
        done=Q(results_released_at__isnull=False) | _CLOSED,
    ),
    TrialStep(
        key="prizes",
        url_name="prizes:prizes",
        buttons={"yes": gettext_lazy("Auszahlen")},
        facts=_prizes_facts,
        done=_exists(PrizePayout, "tournament") | _CLOSED,
    ),
    TrialStep(
        key="close",
        url_name="closing:page",
        buttons={"close": gettext_lazy("Turnier abschließen"), "yes": gettext_lazy("Abschließen")},
        done=_CLOSED,
    ),
    TrialStep(
        key="print",
        url_name="printing:documents",
        done=_exists(PrintedDocument, "tournament", name__in=["rangliste", "kassenbericht"]),
    ),
)
