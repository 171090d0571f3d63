"""Registering everybody of a file in one act, and taking it back in one."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from tournaments.common.errors import Conflict, TournamentError
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.common.states import TAKES_PEOPLE
from tournaments.desk.queries import files as queries
from tournaments.desk.services import teams
from tournaments.desk.services.changes import change_tariff, rejoin, take_back
from tournaments.desk.services.desk import register_new_person
from tournaments.desk.services.file_plan import RegistrationPlan, Together, plan_of
from tournaments.desk.services.registrations import register
from tournaments.journal.acts import Act, Acts
from tournaments.models import PersonImport, Registration, Team, TeamMember, Tournament
from tournaments.people.services.importing import check_answered
from tournaments.people.services.plan import PlannedRow

acts = Acts(MAY_TAKE_MONEY, TAKES_PEOPLE)


@acts.on(Tournament, "register_from_file", entry=queries.STORED)
def register_from_file(
    act: Act[Tournament],
    *,
    draft_id: int,
    fingerprint: str,
    late_reason: str = "",
) -> list[Registration]:
    """Register everybody of a file, without payment, and form their teams: all or nothing.

    Raises:
        Conflict: if the file was taken over already, or the plan is no longer the one with
            *fingerprint* that the page showed.
        TournamentError: if a row is open, or is refused as ``register`` does, with its number.
    """
    drafts = PersonImport.objects.filter(tournament=act.tournament, holds_registrations=True)
    draft = drafts.filter(pk=draft_id).first()
    if draft is None:
        raise Conflict(_("Diese Datei ist schon übernommen oder verworfen worden."))
    plan = plan_of(draft, act.tournament)
    check_answered(plan, fingerprint)
    if not plan.registered:
        raise TournamentError(_("In dieser Datei ist niemand zu melden."))
    registered: dict[int, Registration] = {}
    for row in plan.registered:
        try:
            registered[row.number] = _register(act, plan, row, late_reason)
        except TournamentError as refusal:
            raise TournamentError(
                _("Zeile {n}: {sentence}").format(n=row.number, sentence=refusal)
            ) from refusal
    formed = [_form(act, together, registered) for together in plan.teams]
    together = [registered[number].pk for number in registered if plan.wishes[number].club_pays]
    draft.delete()
    act.note(
        registrations=[one.pk for one in registered.values()],
        teams=[team.pk for team in formed if team is not None],
        together=together,
    )
    return list(registered.values())


def _register(
    act: Act[Any], plan: RegistrationPlan, row: PlannedRow, late_reason: str
) -> Registration:
    wish = plan.wishes[row.number]
    rankings = [
        *wish.rankings,
        *(together.ranking for together in plan.teams if row.number in together.rows),
    ]
    if wish.withdrawn is not None:
        again = rejoin(act, wish.withdrawn.pk)
        rankings += (one for one in again.rankings.all() if one.takes_all)
        return change_tariff(
            act,
            again.pk,
            category=wish.category,
            rankings=[one for one in rankings if one not in wish.declined],
            declined=wish.declined,
        )
    chosen: dict[str, Any] = {
        "category": wish.category,
        "rankings": rankings,
        "declined": wish.declined,
        "late_reason": late_reason,
        "source": Registration.Source.IMPORT,
    }
    if row.person is not None:
        return register(act, act.tournament.pk, person_id=row.person.pk, **chosen)
    values = {"first_name": "", "club": "", **row.row.values}
    return register_new_person(
        act,
        act.tournament.pk,
        is_other=True,  # the preview has asked
        club_name=values.pop("club"),
        **values,
        **chosen,
    )


def _form(act: Act[Any], together: Together, registered: dict[int, Registration]) -> Team | None:
    """Form a team, or let the persons join one; return a new one."""
    members = [registered[number].pk for number in together.rows]
    if together.team is None:
        return teams.create_team(
            act, together.ranking.pk, name=together.name, registration_ids=members
        )
    for member in members:
        teams.add_member(act, together.team.pk, registration_id=member)
    return None


@acts.on(Tournament, "take_back_file", entry=queries.TAKEN_BACK)
def take_back_file(act: Act[Tournament], *, entry_id: int) -> int:
    """Take back all registrations of a file with its teams; return their number.

    Persons and clubs stay, start numbers stay unused.

    Raises:
        Conflict: if it was taken back already.
        TournamentError: if somebody has paid or been drawn, with the names.
    """
    entries = {entry.pk: entry for entry in queries.stored_files(act.tournament)}
    entry = entries.get(entry_id)
    if entry is None:
        raise Conflict(_("Diese Datei ist schon zurückgenommen."))
    found = queries.registrations_of(act.tournament, entry)
    if stand := queries.in_the_way(found):
        raise TournamentError(
            _("Zurückgenommen wird alles oder nichts. Im Weg stehen: {names}.").format(
                names="; ".join(stand)
            )
        )
    registrations = list(found)
    for team in Team.objects.filter(
        pk__in=entry.after["teams"], ranking__tournament=act.tournament
    ):
        if not team.members.exclude(registration__in=registrations).exists():
            teams.dissolve_team(act, team.pk)
    for member in TeamMember.objects.filter(registration__in=registrations).order_by("pk"):
        teams.remove_member(act, member.pk)
    for registration in registrations:
        take_back(act, registration.pk)
    act.note(file=entry.number, count=len(registrations))
    return len(registrations)
