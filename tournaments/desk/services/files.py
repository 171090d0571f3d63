"""Registering the persons of a file in parts, and taking them back in one act."""

from __future__ import annotations

from collections.abc import Mapping
from time import sleep
from typing import Any

from django.utils.translation import gettext as _

from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, TournamentError
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.common.states import TAKES_PEOPLE
from tournaments.desk.queries import files as queries
from tournaments.desk.services import teams
from tournaments.desk.services.changes import rejoin, take_back
from tournaments.desk.services.desk import register_new_person
from tournaments.desk.services.file_plan import FileTeam, RegistrationPlan, plan_of
from tournaments.desk.services.registrations import Payment, register
from tournaments.desk.services.tariff_changes import change_tariff
from tournaments.journal.acts import Act, Acts
from tournaments.models import PersonImport, Receipt, Registration, Team, TeamMember, Tournament
from tournaments.people.services.importing import check_plan
from tournaments.people.services.plan import PlannedRow

acts = Acts(MAY_TAKE_MONEY, TAKES_PEOPLE)
PART = 50  # rows that are stored by one transaction
PAUSE_SECONDS = 0.11  # longer than the 0.1 s between attempts of a waiting SQLite writer


def register_from_file(
    by: Actor,
    pk: int,
    *,
    draft_id: int,
    fingerprint: str,
    late_reason: str = "",
    paid_by: Receipt.Method | None = None,
) -> list[Registration]:
    """Register the persons of a file, and form their teams; return all registrations.

    With *paid_by* the payments in the file are booked, each by the method of its row or else by
    *paid_by*; without it nothing is booked.

    Rows are stored in parts, so that other desks do not wait for the whole file. The draft
    records the stored rows, so that a repeated request continues with the others.

    Raises:
        Conflict: if the file was discarded, or the rest of its plan differs from the plan with
            *fingerprint* that the page showed.
        TournamentError: if a row is undecided or ``register`` refuses it, with its number.
            Nothing of its part is stored.
    """
    while True:
        everybody = register_part(
            by,
            pk,
            draft_id=draft_id,
            fingerprint=fingerprint,
            late_reason=late_reason,
            paid_by=paid_by,
        )
        if everybody is not None:
            return everybody
        sleep(PAUSE_SECONDS)


@acts.on(Tournament, "register_from_file", entry=queries.STORED)
def register_part(
    act: Act[Tournament],
    *,
    draft_id: int,
    fingerprint: str,
    late_reason: str,
    paid_by: Receipt.Method | None = None,
) -> list[Registration] | None:
    """Register the next rows of a file; return all registrations, or None if rows are left."""
    drafts = PersonImport.objects.filter(tournament=act.tournament, holds_registrations=True)
    draft = drafts.filter(pk=draft_id).first()
    if draft is None:
        if file := queries.stored_file(act.tournament, draft_id):  # a repeated request
            return list(queries.registrations_of(act.tournament, file))
        raise Conflict(_("Diese Datei ist schon übernommen oder verworfen worden."))
    plan = plan_of(draft, act.tournament)
    accepted = _accepted_plan(draft, plan, fingerprint)
    stored: dict[str, int] = draft.choices.get("stored", {})
    if not plan.registered and not stored:
        raise TournamentError(_("In dieser Datei ist niemand zu melden."))
    registered: dict[int, Registration] = {}
    for row in plan.registered[:PART]:
        try:
            registered[row.number] = _register(act, plan, row, late_reason, paid_by)
        except TournamentError as refusal:
            raise TournamentError(
                _("Zeile {n}: {sentence}").format(n=row.number, sentence=refusal)
            ) from refusal
    stored = {
        **stored,
        **{str(number): registration.pk for number, registration in registered.items()},
    }
    is_whole = len(registered) == len(plan.registered)
    formed = [_form_team(act, file_team, stored) for file_team in plan.teams] if is_whole else []
    if not is_whole:
        draft.choices = {**draft.choices, "stored": stored, "accepted": accepted}
        draft.save(update_fields=["choices"])
    act.note(
        file=draft_id,
        registrations=[registration.pk for registration in registered.values()],
        teams=[team.pk for team in formed if team is not None],
        together=[
            registration.pk
            for number, registration in registered.items()
            if plan.wishes[number].club_pays
        ],
    )
    if not is_whole:
        return None
    draft.delete()
    registrations = act.tournament.registrations.filter(pk__in=stored.values())
    return list(registrations.select_related("person").order_by("pk"))


def _accepted_plan(draft: PersonImport, plan: RegistrationPlan, fingerprint: str) -> dict[str, Any]:
    """Return the plan that the page showed; refuse if the rest of it has changed."""
    accepted: dict[str, Any] = draft.choices.get("accepted", {})
    if accepted.get("fingerprint") != fingerprint:
        check_plan(plan, fingerprint)
        return {"fingerprint": fingerprint, "rows": plan.marks}
    if any(accepted["rows"].get(number) != mark for number, mark in plan.marks.items()):
        check_plan(plan, "")
    return accepted


def _register(
    act: Act[Any],
    plan: RegistrationPlan,
    row: PlannedRow,
    late_reason: str,
    paid_by: Receipt.Method | None,
) -> Registration:
    wish = plan.wishes[row.number]
    rankings = [
        *wish.rankings,
        *(file_team.ranking for file_team in plan.teams if row.number in file_team.rows),
    ]
    if wish.withdrawn is not None:
        rejoined = rejoin(act, wish.withdrawn.pk)
        rankings += (ranking for ranking in rejoined.rankings.all() if ranking.takes_all)
        return change_tariff(
            act,
            rejoined.pk,
            category=wish.category,
            rankings=[ranking for ranking in rankings if ranking not in wish.declined],
            declined=wish.declined,
        )
    fields: dict[str, Any] = {
        "category": wish.category,
        "rankings": rankings,
        "declined": wish.declined,
        "late_reason": late_reason,
        "source": Registration.Source.IMPORT,
    }
    if paid_by and wish.paid and wish.paid.cents:
        fields["payment"] = Payment(
            method=wish.paid.method or paid_by, amount_cents=wish.paid.cents
        )
    if row.person is not None:
        return register(act, act.tournament.pk, person_id=row.person.pk, **fields)
    values = {"first_name": "", "club": "", **row.row.values}
    return register_new_person(
        act,
        act.tournament.pk,
        is_other=True,  # the preview has asked
        club_name=values.pop("club"),
        **values,
        **fields,
    )


def _form_team(act: Act[Any], file_team: FileTeam, stored: Mapping[str, int]) -> Team | None:
    """Form a team and return it, or add the persons to an existing one."""
    members = [stored[str(number)] for number in file_team.rows]
    if file_team.team is None:
        return teams.create_team(
            act, file_team.ranking.pk, name=file_team.name, registration_ids=members
        )
    for member in members:
        teams.add_member(act, file_team.team.pk, registration_id=member)
    return None


@acts.on(Tournament, "take_back_file", entry=queries.TAKEN_BACK)
def take_back_file(act: Act[Tournament], *, entry_id: int) -> int:
    """Take back all registrations of a file with its teams; return their number.

    Persons and clubs stay, start numbers stay unused.

    Raises:
        Conflict: if it was taken back already.
        TournamentError: if a person has paid or has a seat, with the names.
    """
    files = {file.pk: file for file in queries.stored_files(act.tournament)}
    file = files.get(entry_id)
    if file is None:
        raise Conflict(_("Diese Datei ist schon zurückgenommen."))
    PersonImport.objects.filter(tournament=act.tournament, pk=file.draft or 0).delete()
    of_file = queries.registrations_of(act.tournament, file)
    if obstacles := queries.removal_obstacles(of_file):
        raise TournamentError(
            _("Zurückgenommen wird alles oder nichts. Im Weg stehen: {names}.").format(
                names="; ".join(obstacles)
            )
        )
    registrations = list(of_file)
    for team in Team.objects.filter(pk__in=file.teams, ranking__tournament=act.tournament):
        if not team.members.exclude(registration__in=registrations).exists():
            teams.dissolve_team(act, team.pk)
    for member in TeamMember.objects.filter(registration__in=registrations).order_by("pk"):
        teams.remove_member(act, member.pk)
    for registration in registrations:
        take_back(act, registration.pk)
    act.note(file=[part.number for part in file.parts], count=len(registrations))
    return len(registrations)
