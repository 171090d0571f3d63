"""Forming teams and tandems: who plays with whom in a ranking of teams."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.common import names
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, TournamentError
from tournaments.common.locks import demand_status, lock_owner, lock_tournament
from tournaments.desk.queries import teams as queries
from tournaments.desk.services.changes import change_tariff
from tournaments.journal import services as journal
from tournaments.models import Ranking, Registration, Team, TeamMember, TeamWish, Tournament
from tournaments.people.services.anonymise import ANONYMISED, Forgotten, when_anonymised

LONGEST_NAME = 80


@transaction.atomic
def create_team(
    *, ranking_id: int, actor: Actor, name: str = "", registration_ids: Sequence[int] = ()
) -> Team:
    """Form a team with its first members; without a name it gets one from them.

    Raises:
        Conflict: if a team has that name already, or somebody is in another team.
        TournamentError: if the ranking keeps no teams, or there are more people than places.
        WrongStatus: if somebody does not come.
    """
    tournament, ranking = lock_owner(Ranking.objects.all(), ranking_id)
    if not ranking.has_teams:
        raise TournamentError(_("In dieser Wertung spielt jeder für sich."))
    found = {one.pk: one for one in _registrations(tournament, registration_ids)}
    members = [found[pk] for pk in dict.fromkeys(registration_ids) if pk in found]
    team = Team(ranking=ranking, name=_free_name(ranking, name, members))
    team.full_clean()
    team.save()
    journal.record(tournament, actor, "team_created", team, after={"ranking": ranking.pk})
    for registration in members:
        _join(team, registration, tournament, actor)
    return team


@transaction.atomic
def rename_team(*, team_id: int, name: str, actor: Actor) -> Team:
    """Give a team another name.

    The journal does not repeat it: many a tandem is called by its players' names.

    Raises:
        Conflict: if another team has that name already.
        TournamentError: if the name is empty.
    """
    team, tournament = _lock_team(team_id)
    if not name.strip():
        raise TournamentError(_("Die Mannschaft braucht einen Namen."))
    team.name = _free_name(team.ranking, name, [], except_for=team)
    team.full_clean()
    team.save(update_fields=["name"])
    journal.record(tournament, actor, "team_renamed", team)
    return team


@transaction.atomic
def dissolve_team(*, team_id: int, actor: Actor) -> None:
    """Take a team apart; its members stay in the ranking and can form another.

    Raises:
        TournamentError: if it was given a prize, which stays on record.
    """
    team, tournament = _lock_team(team_id)
    if team.prize_payouts.exists():
        raise TournamentError(
            _("{team} hat schon einen Preis bekommen und bleibt deshalb bestehen.").format(
                team=team
            )
        )
    members = sorted(team.members.values_list("registration", flat=True))
    team.members.all().delete()
    journal.record(
        tournament,
        actor,
        "team_dissolved",
        team,
        before={"ranking": team.ranking_id, "members": members},
    )
    team.delete()


@transaction.atomic
def add_member(*, team_id: int, registration_id: int, actor: Actor) -> TeamMember:
    """Let somebody play in a team; whoever was not in its ranking is now, with its stake.

    Raises:
        Conflict: if the person is in another team of that ranking.
        TournamentError: if the team is full, or the person is of another tournament.
        WrongStatus: if the person does not come.
    """
    team, tournament = _lock_team(team_id)
    registration = _registrations(tournament, [registration_id])[0]
    return _join(team, registration, tournament, actor)


@transaction.atomic
def remove_member(*, member_id: int, actor: Actor) -> Team:
    """Take somebody out of a team; the ranking and its stake stay until the desk changes them.

    Raises:
        Conflict: if another desk did it, or dissolved the team, in the same moment.
    """
    found = TeamMember.objects.filter(pk=member_id).first()
    if found is None:
        raise Conflict(_("Das hat gerade schon jemand anderes getan."))
    team, tournament = _lock_team(found.team_id)
    if not TeamMember.objects.filter(pk=member_id).delete()[0]:
        raise Conflict(_("Das hat gerade schon jemand anderes getan."))
    journal.record(
        tournament, actor, "team_left", team, before={"registration": found.registration_id}
    )
    return team


@transaction.atomic
def take_wish(*, wish_id: int, actor: Actor) -> Team:
    """Do what somebody wished when registering: join a team, found one, or make a tandem.

    Raises:
        Conflict: if that is not possible, with the reason.
    """
    wish, tournament = _lock_wish(wish_id)
    ranking, registration = wish.ranking, wish.line.registration
    proposal = queries.Draft.of(ranking).proposal(wish)
    if registration is None or proposal.problem:
        raise Conflict(proposal.problem or _("Diese Meldung ist noch nicht geklärt."))
    if proposal.team is not None:
        team = Team.objects.select_related("ranking").get(pk=proposal.team.pk)
        _join(team, registration, tournament, actor)
        return team
    partner = [proposal.partner.pk] if proposal.partner else []
    return create_team(
        ranking_id=ranking.pk,
        name=proposal.name,
        registration_ids=[registration.pk, *partner],
        actor=actor,
    )


@transaction.atomic
def drop_wish(*, wish_id: int, actor: Actor) -> None:
    """Put a wish away that will not come true."""
    wish, tournament = _lock_wish(wish_id)
    journal.record(
        tournament, actor, "team_wish_dropped", wish.line, before={"ranking": wish.ranking_id}
    )
    wish.delete()


def find_registration(tournament: Tournament, typed: str) -> Registration:
    """Return who is meant by a start number or a name; „12 · Kühn, Anna“ goes by its number.

    Raises:
        TournamentError: if it is nobody, or could be several.
    """
    coming = queries.coming(tournament)
    number = queries.leading_number(typed)
    if number is not None:
        found = [one for one in coming if one.number == number]
    else:
        found = queries.named(typed, coming)
    if len(found) == 1:
        return found[0]
    if not found:
        raise TournamentError(
            _("„{typed}“ ist nicht gemeldet. Bitte erst an der Anmeldung melden.").format(
                typed=typed.strip()
            )
        )
    raise TournamentError(
        _("„{typed}“ passt auf mehrere: {names}. Bitte die Startnummer nehmen.").format(
            typed=typed.strip(), names=queries.listed(found)
        )
    )


def _join(
    team: Team, registration: Registration, tournament: Tournament, actor: Actor
) -> TeamMember:
    ranking = team.ranking
    demand_status(
        registration,
        Registration.COMING,
        _("{name} ist {status} und kann in keine Mannschaft."),
    )
    other = TeamMember.objects.filter(ranking=ranking, registration=registration).first()
    if other is not None:
        raise Conflict(
            _("{name} gehört schon zu „{team}“.").format(name=registration.person, team=other.team)
        )
    size = ranking.size or 0
    if team.members.count() >= size:
        raise TournamentError(
            ngettext(
                "„{team}“ ist voll: In dieser Wertung spielt {size} Person zusammen.",
                "„{team}“ ist voll: In dieser Wertung spielen {size} Personen zusammen.",
                size,
            ).format(team=team, size=size)
        )
    member = TeamMember.objects.create(team=team, ranking=ranking, registration=registration)
    rankings = list(registration.rankings.all())
    if ranking not in rankings:
        change_tariff(
            registration_id=registration.pk,
            category=registration.category,
            rankings=[*rankings, ranking],
            actor=actor,
        )
    TeamWish.objects.filter(line__registration=registration, ranking=ranking).delete()
    journal.record(tournament, actor, "team_joined", team, after={"registration": registration.pk})
    return member


def _free_name(
    ranking: Ranking,
    name: str,
    members: Sequence[Registration],
    *,
    except_for: Team | None = None,
) -> str:
    """Return a name that no other team of the ranking has, however it is spelt."""
    wanted = " ".join(name.split())
    if not wanted:
        return numbered_name(ranking, _suggested_name(ranking, members))
    taken = _taken_names(ranking, except_for)
    if names.sort_key(wanted) in taken:
        raise Conflict(
            _("Eine Mannschaft „{name}“ gibt es schon.").format(name=taken[names.sort_key(wanted)])
        )
    return wanted


def numbered_name(ranking: Ranking, wanted: str, *, except_for: Team | None = None) -> str:
    """Return *wanted*, with a number behind it where another team of the ranking has that name."""
    taken = _taken_names(ranking, except_for)
    candidate, number = wanted[:LONGEST_NAME], 1
    while names.sort_key(candidate) in taken:
        number += 1
        candidate = f"{wanted[: LONGEST_NAME - 4]} {number}"
    return candidate


def _taken_names(ranking: Ranking, except_for: Team | None) -> dict[str, str]:
    return {
        names.sort_key(other.name): other.name
        for other in ranking.teams.all()
        if except_for is None or other.pk != except_for.pk
    }


def _suggested_name(ranking: Ranking, members: Sequence[Registration]) -> str:
    clubs = {member.club for member in members}
    club = clubs.pop() if len(clubs) == 1 else None
    if ranking.kind == Ranking.Kind.TEAM and club is not None:
        return club.name
    if members and ranking.kind == Ranking.Kind.TANDEM:
        return " / ".join(member.person.last_name for member in members)
    return str(ranking)


def _lock_team(team_id: int) -> tuple[Team, Tournament]:
    """Lock the tournament of a team, and look again: another desk may have been faster."""
    found = Team.objects.filter(pk=team_id).values_list("ranking__tournament", flat=True).first()
    tournament = lock_tournament(found) if found else None
    team = Team.objects.select_related("ranking").filter(pk=team_id).first()
    if tournament is None or team is None:
        raise Conflict(_("Diese Mannschaft ist gerade aufgelöst worden."))
    return team, tournament


def _lock_wish(wish_id: int) -> tuple[TeamWish, Tournament]:
    wishes = TeamWish.objects.select_related("ranking", "line__registration__person")
    found = wishes.filter(pk=wish_id).first()
    tournament = lock_tournament(found.ranking.tournament_id) if found else None
    wish = wishes.filter(pk=wish_id).first()
    if tournament is None or wish is None:
        raise Conflict(_("Dieser Wunsch ist schon erledigt."))
    return wish, tournament


def _registrations(tournament: Tournament, ids: Sequence[int]) -> list[Registration]:
    found = list(
        tournament.registrations.filter(pk__in=ids).select_related("person", "club", "category")
    )
    if len(found) != len(set(ids)):
        raise TournamentError(_("Zur Mannschaft gehören nur Gemeldete dieses Turniers."))
    return found


@when_anonymised
def forget_in_names(forgotten: Forgotten) -> None:
    """Take the last name out of tandems' names, which are made of their players'.

    Once only in each: the partner may bear the same name, and keeps it.
    """
    ids = forgotten.persons
    played = Registration.objects.filter(Q(person__in=ids) | Q(substitutions__left__in=ids))
    teams = Team.objects.filter(members__registration__in=played).order_by("pk").distinct()
    for team in teams.select_related("ranking__tournament"):
        name = team.name
        for last_name in forgotten.last_names:
            whole_word = rf"(?<!\w){re.escape(last_name)}(?!\w)"
            name = re.sub(whole_word, ANONYMISED, name, count=1, flags=re.IGNORECASE)
        if name == team.name:
            continue
        team.name = numbered_name(team.ranking, name, except_for=team)
        team.full_clean()
        team.save(update_fields=["name"])
        journal.record(team.ranking.tournament, forgotten.actor, "team_renamed", team)
