"""Ending a list before its last game, by the Spielleitung, and taking that back.

The Romméordnung has rules for complete lists only, so the Ausschreibung defines how such a list
counts. A player who left has no result on it; a substituted player has not left.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from scoring.errors import Problem
from scoring.standings import rank_entries, rank_serie
from tournaments.common.errors import Conflict, InvalidInput, WrongStatus
from tournaments.common.rules import rule_set_of, terms_of
from tournaments.corrections.services.base import CorrectionPlan, Facts, TournamentLists, people_of
from tournaments.lists.queries.data import ListData
from tournaments.lists.queries.loading import with_others
from tournaments.models import Correction, Spielliste, Tournament
from tournaments.results.queries import results

Status = Spielliste.Status
PARAGRAPH = "1.2"  # the Spielleitung decides
LONGEST_REASON = 300


def plan_end(hall: TournamentLists, spielliste: Spielliste, facts: Facts) -> CorrectionPlan:
    """Return the plan to end a list; ``ended`` has ``games`` and ``left`` (seats).

    A list on a device ends after the last game entered. For a paper list the Spielleitung names
    the number of games, and missing games are entered later.

    Raises:
        WrongStatus: if the list is not open, or ended already.
        Conflict: if games were entered meanwhile.
        InvalidInput: if it cannot end after this game, or all players left.
    """
    _check_playing(spielliste)
    data = hall.list_data(spielliste)
    games, entered = facts["ended"]["games"], len(data.texts)
    if games != entered and not spielliste.on_paper:
        raise Conflict(
            _("In der Liste von {table} stehen inzwischen {have} Spiele.").format(
                table=spielliste.table, have=entered
            )
        )
    first, last = max(1, entered), hall.rule_set.games_at(len(data.seats)) - 1
    if not first <= games <= last:
        raise InvalidInput.at("games", _refusal(spielliste, have=entered, first=first, last=last))
    left = sorted(set(facts["ended"]["left"]))
    if not set(left) < data.seats.keys():
        raise InvalidInput.at(
            "left",
            _(
                "An {table} bliebe niemand mit einem Ergebnis. Bitte die Liste für ungültig "
                "erklären."
            ).format(table=spielliste.table),
        )
    counts = Tournament.EndedLists(hall.tournament.ended_lists)
    status = Status.COMPLETE if games == entered else Status.OPEN
    if counts == Tournament.EndedLists.NONE:
        status = Status.INVALID
    ended = replace(
        data, status=status, ended_games=games, ended_counts=counts.value, ended_left=left
    )
    return CorrectionPlan(
        kind=Correction.Kind.ENDED,
        spielliste=spielliste,
        facts={
            "ended": {"games": games, "counts": counts.value, "left": left},
            "status": status.value,
        },
        before={"status": spielliste.status},
        paragraph=PARAGRAPH,
        changed=(ended,),
        concerned=people_of(data),
        warnings=tuple(_leader_warnings(hall, [ended])),
    )


def warnings_of_ending(tournament: Tournament, keys: Collection[int]) -> list[str]:
    """Return a sentence for each player who would lead if the lists with these keys ended now."""
    hall = TournamentLists(tournament)
    counts = tournament.ended_lists
    ended = [
        replace(data, status=Status.COMPLETE, ended_games=len(data.texts), ended_counts=counts)
        for data in hall.lists
        if data.pk in keys and data.texts
    ]
    return [problem.message for problem in _leader_warnings(hall, ended)]


def _leader_warnings(hall: TournamentLists, ended: Sequence[ListData]) -> Iterator[Problem]:
    """Yield a warning for each player who leads a Serie or all by only a few games.

    If the fewest points win, a list of two games can hardly be beaten; extrapolated, one
    Handrommé counts twelve times.
    """
    sentences = {
        Tournament.EndedLists.AS_PLAYED.value: _(
            "Wie gespielt zählen an Tisch {table} nur {games} von {all} Spielen: Nr. {number} "
            "steht damit auf Platz 1 in {where}."
        ),
        Tournament.EndedLists.EXTRAPOLATED.value: _(
            "Hochgerechnet wird an Tisch {table} aus nur {games} von {all} Spielen: Nr. {number} "
            "steht damit auf Platz 1 in {where}."
        ),
    }
    new = {
        data.pk: data
        for data in ended
        if data.ended_counts in sentences and data.status == Status.COMPLETE
    }
    if not new:
        return
    lists = with_others([new.get(data.pk, data) for data in hall.lists])
    competitors = results.entries(hall.tournament, lists=lists)
    serie = max(data.serie for data in new.values())
    ties, terms = rule_set_of(hall.tournament).tie_breaks, terms_of(hall.tournament)
    in_all = _("der Rangliste") if serie > 1 else ""
    for standings, where in (
        (
            rank_serie(competitors.values(), serie, tie_breaks=ties),
            _("Serie {number}").format(number=serie),
        ),
        (rank_entries(competitors.values(), upto=serie, tie_breaks=ties, terms=terms), in_all),
    ):
        first = {line.number for line in standings if line.rank == 1 and line.has_place}
        for data in (data for data in lists if data.pk in new and where):
            sitting = competitors.keys() & set(data.seats.values())
            for key in sorted(sitting, key=lambda key: competitors[key].number):
                games = data.own_games(key, hall.rule_set).number
                if competitors[key].number in first and games < data.whole(hall.rule_set):
                    message = sentences[data.ended_counts].format(
                        table=data.table,
                        games=games,
                        all=data.whole(hall.rule_set),
                        number=competitors[key].number,
                        where=where,
                    )
                    yield Problem("games", message)


def _check_playing(spielliste: Spielliste) -> None:
    if spielliste.is_ended:
        raise WrongStatus(
            _("Die Liste von {table} ist schon nach Spiel {games} beendet.").format(
                table=spielliste.table, games=spielliste.ended_games
            )
        )
    if spielliste.status != Status.OPEN:
        raise WrongStatus(
            _(
                "Die Liste von {table} ist {status}; beenden lässt sich nur eine, der noch Spiele "
                "fehlen."
            ).format(table=spielliste.table, status=spielliste.get_status_display())
        )


def _refusal(spielliste: Spielliste, *, have: int, first: int, last: int) -> str:
    if have == 0 and not spielliste.on_paper:
        return _(
            "An {table} ist noch kein Spiel eingetragen; zu zählen gäbe es nichts. Soll die Liste "
            "nicht mehr gespielt werden, bitte sie für ungültig erklären."
        ).format(table=spielliste.table)
    return _("{table}: Beenden lässt sich die Liste nach Spiel {first} bis {last}.").format(
        table=spielliste.table, first=first, last=last
    )


def plan_resumption(hall: TournamentLists, spielliste: Spielliste, _facts: Facts) -> CorrectionPlan:
    """Return the plan to continue a list that was ended.

    Raises:
        WrongStatus: if the list was not ended, or is signed.
    """
    if not spielliste.is_ended:
        raise WrongStatus(
            _("Die Liste von {table} ist nicht vorzeitig beendet.").format(table=spielliste.table)
        )
    is_invalid_by_it = spielliste.ended_counts == Tournament.EndedLists.NONE
    if not (spielliste.is_at_the_table or is_invalid_by_it):
        raise WrongStatus(
            _(
                "Die Liste von {table} ist schon „{status}“; ihr Ende lässt sich nicht mehr "
                "zurücknehmen. Zeilen und Strafpunkte lassen sich weiter berichtigen."
            ).format(table=spielliste.table, status=spielliste.get_status_display())
        )
    data = hall.list_data(spielliste)
    ended = {"games": data.ended_games, "counts": data.ended_counts, "left": data.ended_left}
    return CorrectionPlan(
        kind=Correction.Kind.GOES_ON,
        spielliste=spielliste,
        facts={"ended": None, "status": Status.OPEN.value},
        before={"status": spielliste.status, "ended": ended, "reason": data.ended_reason},
        paragraph=PARAGRAPH,
        changed=(
            replace(data, status=Status.OPEN, ended_games=None, ended_counts="", ended_left=[]),
        ),
        concerned=people_of(data),
    )
