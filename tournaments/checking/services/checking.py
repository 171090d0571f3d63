"""Checking a handed-in list against its paper (§ 2.2.5)."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.errors import Problem
from scoring.list_findings import with_minus
from tournaments.common.errors import Conflict, DoubtfulInput, TournamentError, WrongStatus
from tournaments.common.roles import MAY_LEAD
from tournaments.common.rules import rule_set_of
from tournaments.common.states import TAKES_PEOPLE
from tournaments.journal.acts import Act, Acts
from tournaments.lists.queries.loading import load_lists
from tournaments.models import Case, Correction, Penalty, Spielliste

Status = Spielliste.Status
acts = Acts(MAY_LEAD, TAKES_PEOPLE)
Sums = Sequence[int | None]  # by seat, seat 1 first; None: not typed


@acts.on(
    Spielliste,
    "verify",
    entry="list_verified",
    when=TAKES_PEOPLE.with_states(Status.HANDED_IN).with_refusal(
        gettext_lazy("Die Liste von {table} ist {status}; geprüft wird, was abgegeben ist.")
    ),
)
def verify(
    act: Act[Spielliste],
    *,
    version: int,
    paper_sums: Sums = (),
    despite_difference: bool = False,
) -> Spielliste:
    """Record that the Spielleitung has checked a list (§ 2.2.5).

    Args:
        version: the version of the list that was checked.
        paper_sums: the minus points or results on the paper; None if not typed.
        despite_difference: the Spielleitung confirms the stored list despite a different sum.

    Raises:
        WrongStatus: if a proposal or request about the list is undecided.
        Conflict: if the list has another version.
        DoubtfulInput: if a sum on the paper differs and that was not confirmed.
    """
    spielliste = act.row
    if spielliste.version != version:
        raise Conflict(
            _(
                "Die Liste von {table} wurde inzwischen geändert: Jetzt gilt Stand "
                "{version}. Bitte noch einmal vergleichen."
            ).format(table=spielliste.table, version=spielliste.version)
        )
    _check_all_decided(spielliste)
    wrong = differences(spielliste, paper_sums)
    if wrong and not despite_difference:
        raise DoubtfulInput(wrong)
    spielliste.status = Status.VERIFIED
    spielliste.verified_by, spielliste.verified_at = act.actor.user, timezone.now()
    if any(total is not None for total in paper_sums):
        spielliste.paper_sums = list(paper_sums)
    act.store(spielliste)
    act.note(version=version, paper_sums=spielliste.paper_sums)
    if wrong:
        act.note(differences=len(wrong))
    return spielliste


def undecided_proposals(spielliste: Spielliste) -> list[str]:
    """Return the undecided proposals for a list; two queries."""
    sentences = [
        _("{correction} wartet noch auf die zweite Person.").format(correction=correction)
        for correction in Correction.touching(spielliste).filter(status=Correction.Status.PROPOSED)
    ]
    sentences += [
        _("{points} Strafpunkte für Nr. {number} sind vorgeschlagen und nicht entschieden.").format(
            points=penalty.points, number=penalty.registration.number
        )
        for penalty in spielliste.penalties.filter(status=Penalty.Status.PROPOSED).select_related(
            "registration"
        )
    ]
    return sentences


def _check_all_decided(spielliste: Spielliste) -> None:
    """Check that all proposals and requests about a list are decided; three queries."""
    sentences = undecided_proposals(spielliste)
    sentences += [
        _("Eine Bitte um Berichtigung ist nicht entschieden: „{text}“").format(text=case.text)
        for case in spielliste.cases.filter(kind=Case.Kind.CORRECTION, decided_at__isnull=True)
    ]
    if sentences:
        raise WrongStatus(" ".join(sentences))


def differences(spielliste: Spielliste, paper_sums: Sums) -> list[Problem]:
    """Return a problem for each sum on the paper that differs from the computed ones.

    The paper may have the minus points or the result.

    Raises:
        TournamentError: if the table has fewer seats than *paper_sums*.
    """
    if not any(total is not None for total in paper_sums):
        return []
    tournament = spielliste.table.serie.tournament
    (data,) = load_lists(tournament, only=[spielliste.pk])
    rule_set = rule_set_of(tournament)
    reckoned = data.sums(rule_set)
    if len(paper_sums) > len(reckoned):
        raise TournamentError(
            _("Am Tisch sind {seats} Plätze; mehr Summen kann das Papier nicht haben.").format(
                seats=len(reckoned)
            )
        )
    sentence = (
        _(
            "Platz {seat}: Auf dem Papier steht {paper}, gerechnet sind {minus} Augen und {result} "
            "Wertpunkte."
        )
        if rule_set.order.most_first
        else _(
            "Platz {seat}: Auf dem Papier steht {paper}, gerechnet sind {minus} Minuspunkte "
            "und als Ergebnis {result}."
        )
    )
    return [
        Problem(
            f"paper_sums[{index}]",
            sentence.format(
                seat=index + 1,
                paper=with_minus(total),
                minus=reckoned[index][0],
                result=with_minus(reckoned[index][1]),
            ),
        )
        for index, total in enumerate(paper_sums)
        if total is not None and total not in reckoned[index]
    ]


@acts.on(
    Spielliste,
    "unverify",
    entry="list_unverified",
    when=TAKES_PEOPLE.with_states(Status.VERIFIED).with_refusal(
        gettext_lazy("Die Liste von {table} ist {status}, nicht geprüft.")
    ),
    reason=gettext_lazy("Eine Prüfung zurückzunehmen braucht einen Grund."),
)
def unverify(act: Act[Spielliste]) -> Spielliste:
    """Take „geprüft“ back: the list is handed in again."""
    act.row.status = Status.HANDED_IN
    act.row.verified_by = act.row.verified_at = None
    return act.store(act.row)
