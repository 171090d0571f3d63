"""The plan of each kind of correction, checked against the rules."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import gettext as _

from scoring.ambiguity import AmbiguousLine
from scoring.reading.interchange import lines_to_json
from tournaments.common.errors import InvalidInput, TournamentError, WrongStatus
from tournaments.common.states import TAKES_PEOPLE
from tournaments.corrections.services.base import (
    CorrectionPlan,
    Facts,
    TournamentLists,
    check_correctable,
    people_of,
)
from tournaments.corrections.services.ending import plan_end, plan_resumption
from tournaments.corrections.services.moves import plan_seats
from tournaments.lists.services.lines import judge
from tournaments.models import Correction, Penalty, Registration, Spielliste, Tournament

Kind = Correction.Kind
Status = Spielliste.Status


def make_plan(
    hall: TournamentLists, kind: Correction.Kind, spielliste: Spielliste | None, facts: Facts
) -> CorrectionPlan:
    """Return the plan of a correction of this kind.

    Raises:
        WrongStatus: if the status of the list does not allow it.
        InvalidInput: if a line is impossible; ``problems`` has the places.
        TournamentError: if nothing would change, or the facts name an unknown row.
    """
    if spielliste is not None:
        TAKES_PEOPLE.check(hall.tournament, spielliste.table.serie)
        return _LIST_PLANS[kind](hall, spielliste, facts)
    return _plan_exclusion(kind, facts["registration"])


# --- A line -------------------------------------------------------------------------------


def _plan_line(hall: TournamentLists, spielliste: Spielliste, facts: Facts) -> CorrectionPlan:
    check_correctable(spielliste)
    data = hall.list_data(spielliste)
    number = facts["game"]
    if not 1 <= number <= len(data.texts):
        raise TournamentError(
            _("Spiel {number} steht nicht auf der Liste von {table}; sie hat {games}.").format(
                number=number, table=spielliste.table, games=len(data.texts)
            )
        )
    lines = data.lines
    checked = judge(
        facts["line"],
        rule_set=hall.rule_set,
        seats=len(data.seats),
        number=number,
        earlier=lines[: number - 1],
    )
    override = str(facts.get("override") or "").strip()
    if checked.problems and not (override and checked.can_be_stored):
        raise InvalidInput(checked.problems)
    before = lines[number - 1]
    old = lines_to_json([before])[0]
    new = checked.to_json()
    if old == new:
        raise TournamentError(
            _("Spiel {number} steht schon so auf der Liste; es ändert sich nichts.").format(
                number=number
            )
        )
    data.lines = [*lines[: number - 1], checked.line, *lines[number:]]
    return CorrectionPlan(
        kind=Kind.LINE,
        spielliste=spielliste,
        game=number,
        facts={"game": number, "line": new, **({"override": override} if override else {})},
        before={"line": old},
        paragraph=_paragraph_of_line(before, checked.line),
        changed=(data,),
        concerned=people_of(data),
        overridden=bool(checked.problems),
        warnings=(*checked.problems, *checked.doubts),
    )


def _paragraph_of_line(old: AmbiguousLine, new: AmbiguousLine) -> str:
    """Return the default paragraph for unclear readings, a forgotten Handrommé, or other errors."""
    if not new.is_clear:
        return "2.2.6"
    if old.handromme != new.handromme and (old.finisher, old.minus) == (new.finisher, new.minus):
        return "3.2.2"
    return "2.2.5"


# --- The list as a whole --------------------------------------------------------------------


def _plan_bonus_size(hall: TournamentLists, spielliste: Spielliste, facts: Facts) -> CorrectionPlan:
    check_correctable(spielliste)
    data = hall.list_data(spielliste)
    size: int | None = facts["bonus_size"]
    if size == len(data.seats):
        size = None
    sizes = sorted(hall.rule_set.bonus_per_game)
    if size is not None and size not in sizes:
        raise TournamentError(
            _("Einen Bonus gibt es nach „{rules}“ an Tischen mit {sizes} Personen.").format(
                rules=hall.rule_set.name, sizes=", ".join(map(str, sizes))
            )
        )
    if size == data.bonus_size:
        raise TournamentError(
            _("Für den Bonus zählt schon ein Tisch mit {size} Personen.").format(
                size=size or len(data.seats)
            )
        )
    before = {"bonus_size": data.bonus_size}
    data.bonus_size = size
    return CorrectionPlan(
        kind=Kind.BONUS_SIZE,
        spielliste=spielliste,
        facts={"bonus_size": size},
        before=before,
        paragraph="3.2.1",
        changed=(data,),
        concerned=people_of(data),
    )


def _plan_invalid(hall: TournamentLists, spielliste: Spielliste, _facts: Facts) -> CorrectionPlan:
    if spielliste.status == Status.INVALID:
        raise WrongStatus(
            _("Die Liste von {table} ist schon ungültig.").format(table=spielliste.table)
        )
    data = hall.list_data(spielliste)
    data.status = Status.INVALID
    return CorrectionPlan(
        kind=Kind.INVALID,
        spielliste=spielliste,
        facts={"status": Status.INVALID.value},
        before={"status": spielliste.status},
        paragraph="2.2.6",
        changed=(data,),
        concerned=people_of(data),
    )


def _plan_valid(hall: TournamentLists, spielliste: Spielliste, _facts: Facts) -> CorrectionPlan:
    if spielliste.status != Status.INVALID:
        raise WrongStatus(
            _("Die Liste von {table} ist {status}, nicht ungültig.").format(
                table=spielliste.table, status=spielliste.get_status_display()
            )
        )
    if spielliste.ended_counts == Tournament.EndedLists.NONE:
        raise WrongStatus(
            _(
                "Die Liste von {table} ist vorzeitig beendet und bringt kein Ergebnis. Soll sie "
                "weitergehen, bitte das Ende zurücknehmen."
            ).format(table=spielliste.table)
        )
    data = hall.list_data(spielliste)
    data.status = spielliste.status_before_invalid
    return CorrectionPlan(
        kind=Kind.VALID,
        spielliste=spielliste,
        facts={"status": spielliste.status_before_invalid},
        before={"status": Status.INVALID.value, "invalid_reason": spielliste.invalid_reason},
        paragraph="2.2.6",
        changed=(data,),
        concerned=people_of(data),
    )


# --- Strafpunkte ----------------------------------------------------------------------------


def _plan_penalty(hall: TournamentLists, spielliste: Spielliste, facts: Facts) -> CorrectionPlan:
    penalty = Penalty.objects.get(pk=facts["penalty"])
    if penalty.status != Penalty.Status.PROPOSED:
        raise WrongStatus(
            _("Diese Strafpunkte sind schon {status}.").format(status=penalty.get_status_display())
        )
    return _penalty_plan(hall, spielliste, penalty, Kind.PENALTY, penalty.points)


def plan_new_penalty(
    hall: TournamentLists, spielliste: Spielliste, penalty: Penalty
) -> CorrectionPlan:
    """Return the plan of new Strafpunkte.

    Raises:
        WrongStatus: if the list is invalid, or its Serie closed.
    """
    TAKES_PEOPLE.check(hall.tournament, spielliste.table.serie)
    return _penalty_plan(hall, spielliste, penalty, Kind.PENALTY, penalty.points)


def _plan_withdrawal(hall: TournamentLists, spielliste: Spielliste, facts: Facts) -> CorrectionPlan:
    penalty = Penalty.objects.get(pk=facts["penalty"])
    if penalty.status != Penalty.Status.GIVEN:
        raise WrongStatus(
            _("Diese Strafpunkte sind {status}; zurücknehmen lassen sich nur erteilte.").format(
                status=penalty.get_status_display()
            )
        )
    return _penalty_plan(hall, spielliste, penalty, Kind.PENALTY_WITHDRAWN, -penalty.points)


def _penalty_plan(
    hall: TournamentLists,
    spielliste: Spielliste,
    penalty: Penalty,
    kind: Correction.Kind,
    points: int,
) -> CorrectionPlan:
    if spielliste.status == Status.INVALID:
        raise WrongStatus(
            _("Die Liste von {table} ist ungültig; Strafpunkte zählen auf ihr nicht.").format(
                table=spielliste.table
            )
        )
    data = hall.list_data(spielliste)
    before = data.penalties.get(penalty.registration_id, 0)
    data.penalties[penalty.registration_id] = before + points
    return CorrectionPlan(
        kind=kind,
        spielliste=spielliste,
        facts={
            "penalty": penalty.pk,
            "registration": penalty.registration_id,
            "points": penalty.points,
            "sum": before + points,
        },
        before={"sum": before},
        paragraph=penalty.paragraph or "8.3",
        changed=(data,),
        concerned=(penalty.registration_id,),
    )


# --- Exclusion ------------------------------------------------------------------------------


def _plan_exclusion(kind: Correction.Kind, key: int) -> CorrectionPlan:
    is_excluded = kind == Kind.EXCLUSION
    registration = Registration.objects.select_related("person").get(pk=key)
    before = registration.status
    takes_part = registration.number and before in Registration.TAKING_PART
    if is_excluded and not takes_part:
        raise WrongStatus(
            _("{name} ist {status} und kann nicht ausgeschlossen werden.").format(
                name=registration.person, status=registration.get_status_display()
            )
        )
    if not is_excluded and before != Registration.Status.EXCLUDED:
        raise WrongStatus(_("{name} ist nicht ausgeschlossen.").format(name=registration.person))
    return CorrectionPlan(
        kind=kind,
        facts={"registration": key},
        before={"status": before},
        paragraph="1.4",
        excluded={key: is_excluded},
        concerned=(key,),
    )


_LIST_PLANS: dict[
    Correction.Kind, Callable[[TournamentLists, Spielliste, Facts], CorrectionPlan]
] = {
    Kind.LINE: _plan_line,
    Kind.SEATS: plan_seats,
    Kind.BONUS_SIZE: _plan_bonus_size,
    Kind.INVALID: _plan_invalid,
    Kind.VALID: _plan_valid,
    Kind.ENDED: plan_end,
    Kind.GOES_ON: plan_resumption,
    Kind.PENALTY: _plan_penalty,
    Kind.PENALTY_WITHDRAWN: _plan_withdrawal,
}
