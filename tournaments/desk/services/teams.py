"""Forming teams and tandems of a ranking."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.common import names
from tournaments.common.errors import Conflict, TournamentError
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.common.states import EXPECTED, TAKES_PEOPLE
from tournaments.desk.queries import teams as queries
from tournaments.desk.services.tariff_changes import change_tariff
from tournaments.journal.acts import Act, Acts
from tournaments.models import Ranking, Registration, Team, TeamMember, TeamWish, Tournament
from tournaments.people.services.anonymise import ANONYMISED, AnonymisedPerson, when_anonymised

acts = Acts(MAY_TAKE_MONEY, TAKES_PEOPLE)

LONGEST_NAME = 80
JOINED = "team_joined"
DISSOLVED = gettext_lazy("Diese Mannschaft ist gerade aufgelöst worden.")
SETTLED = gettext_lazy("Dieser Wunsch ist schon erledigt.")
_MEMBER_STATES = EXPECTED.with_refusal(
    gettext_lazy("{name} ist {status} und kann in keine Mannschaft.")
)


@acts.on(Ranking, "create_team")
def create_team(act: Act[Ranking], *, name: str = "", registration_ids: Sequence[int] = ()) -> Team:
    """Form a team with its first members; without a name it is named after them.

    Raises:
        Conflict: if a team has that name already, or a person is in another team.
        TournamentError: if the ranking has no teams, or there are more persons than places.
        WrongStatus: if a person does not take part.
    """
    ranking = act.row
    if not ranking.has_teams:
        raise TournamentError(_("In dieser Wertung spielt jeder für sich."))
    registrations = {
        registration.pk: registration
        for registration in _registrations(act.tournament, registration_ids)
    }
    members = [registrations[pk] for pk in dict.fromkeys(registration_ids) if pk in registrations]
    with act.entry("team_created"):
        team = act.add(Team(ranking=ranking, name=_free_name(ranking, name, members)))
    for registration in members:
        _join(act, team, registration)
    return team


@acts.on(Team, "rename_team", entry="team_renamed", gone=DISSOLVED)
def rename_team(act: Act[Team], *, name: str) -> Team:
    """Rename a team.

    The journal does not contain the name: many tandems are named after their players.

    Raises:
        Conflict: if another team has that name already.
        TournamentError: if the name is empty.
    """
    if not name.strip():
        raise TournamentError(_("Die Mannschaft braucht einen Namen."))
    act.row.name = _free_name(act.row.ranking, name, [], except_for=act.row)
    return act.store(act.row)


@acts.on(Team, "dissolve_team", entry="team_dissolved", gone=DISSOLVED)
def dissolve_team(act: Act[Team]) -> None:
    """Dissolve a team; its members stay in the ranking and can form another.

    Raises:
        TournamentError: if a prize was given to it or passed over it, which stays on record.
    """
    team = act.row
    if team.prize_payouts.exists():
        raise TournamentError(
            _(
                "Bei den Preisen ist für {team} schon etwas eingetragen; die Mannschaft bleibt "
                "deshalb bestehen."
            ).format(team=team)
        )
    members = team.members.order_by("registration")
    act.note(
        before={
            "ranking": team.ranking_id,
            "members": [member.registration_id for member in members],
        }
    )
    act.touch(*members)
    members.delete()
    act.remove(team)


@acts.on(Team, "add_member", entry=JOINED, gone=DISSOLVED)
def add_member(act: Act[Team], *, registration_id: int) -> TeamMember:
    """Add a player to a team, and to its ranking with the stake if needed.

    Raises:
        Conflict: if the person is in another team of that ranking.
        TournamentError: if the team is full, or the person is of another tournament.
        WrongStatus: if the person does not take part.
    """
    return _join(act, act.row, _registrations(act.tournament, [registration_id])[0])


@acts.on(TeamMember, "remove_member")
def remove_member(act: Act[TeamMember]) -> Team:
    """Remove a player from a team; the ranking and its stake stay until the desk changes them."""
    team = act.row.team
    with act.entry("team_left", team):
        act.note(before={"registration": act.row.registration_id})
        act.remove(act.row)
    return team


@acts.on(TeamWish, "take_wish", gone=SETTLED)
def take_wish(act: Act[TeamWish]) -> Team:
    """Carry out a wish: join a team, form one, or form a tandem.

    Raises:
        Conflict: with the reason why it is not possible.
    """
    ranking, registration = act.row.ranking, act.row.line.registration
    result = queries.TeamFormation.of(ranking).wish_result(act.row)
    if registration is None or result.problem:
        raise Conflict(result.problem or _("Diese Meldung ist noch nicht geklärt."))
    if result.team is not None:
        team = Team.objects.select_related("ranking").get(pk=result.team.pk)
        _join(act, team, registration)
        return team
    partner = [result.partner.pk] if result.partner else []
    return create_team(
        act, ranking.pk, name=result.name, registration_ids=[registration.pk, *partner]
    )


@acts.on(TeamWish, "drop_wish", gone=SETTLED)
def drop_wish(act: Act[TeamWish]) -> None:
    """Discard a wish."""
    with act.entry("team_wish_dropped", act.row.line):
        act.note(before={"ranking": act.row.ranking_id})
        act.remove(act.row)


def find_registration(tournament: Tournament, text: str) -> Registration:
    """Return the registration for a start number or name; „12 · Kühn, Anna“ means its number.

    Raises:
        TournamentError: if none or several match.
    """
    coming = queries.coming_registrations(tournament)
    number = queries.leading_number(text)
    if number is not None:
        matches = [registration for registration in coming if registration.number == number]
    else:
        matches = queries.find_by_words(text, coming)
    if len(matches) == 1:
        return matches[0]
    if not matches:
        raise TournamentError(
            _("„{typed}“ ist nicht gemeldet. Bitte erst an der Anmeldung melden.").format(
                typed=text.strip()
            )
        )
    raise TournamentError(
        _("„{typed}“ passt auf mehrere: {names}. Bitte die Startnummer nehmen.").format(
            typed=text.strip(), names=queries.registrations_in_words(matches)
        )
    )


def _join(act: Act[Any], team: Team, registration: Registration) -> TeamMember:
    ranking = team.ranking
    _MEMBER_STATES.check_registration(registration)
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
    if ranking.kind == Ranking.Kind.MIXED:
        _check_mixed(team, registration)
    rankings = list(registration.rankings.all())
    if ranking not in rankings:
        change_tariff(
            act, registration.pk, category=registration.category, rankings=[*rankings, ranking]
        )
    TeamWish.objects.filter(line__registration=registration, ranking=ranking).delete()
    with act.entry(JOINED, team):
        return act.add(TeamMember(team=team, ranking=ranking, registration=registration))


def _check_mixed(team: Team, registration: Registration) -> None:
    """Refuse a pair of one gender, or a person without an entered gender.

    Admits a person whom the Spielleitung took into mixed tandems with a reason.
    """
    members = team.members.select_related("registration__person")
    genders = [member.registration.person.gender for member in members]
    if registration.ranking_choices.filter(ranking=team.ranking, takes_part=True).exists():
        return
    if registration.person.gender == "":
        raise TournamentError(
            _(
                "In „{team}“ spielen zwei Geschlechter zusammen, und für {name} ist keines "
                "eingetragen. Bitte erst in den Stammdaten angeben."
            ).format(team=team, name=registration.person)
        )
    if registration.person.gender in genders:
        raise TournamentError(
            _("In „{team}“ spielen zwei Geschlechter zusammen; {name} passt nicht dazu.").format(
                team=team, name=registration.person
            )
        )


def _free_name(
    ranking: Ranking,
    name: str,
    members: Sequence[Registration],
    *,
    except_for: Team | None = None,
) -> str:
    """Return a name that no other team of the ranking has, ignoring spelling."""
    new_name = " ".join(name.split())
    if not new_name:
        return numbered_name(ranking, _suggested_name(ranking, members))
    taken_names = _taken_names(ranking, except_for)
    if names.sort_key(new_name) in taken_names:
        raise Conflict(
            _("Eine Mannschaft „{name}“ gibt es schon.").format(
                name=taken_names[names.sort_key(new_name)]
            )
        )
    return new_name


def numbered_name(ranking: Ranking, wanted: str, *, except_for: Team | None = None) -> str:
    """Return *wanted*, with a number appended if another team of the ranking has that name."""
    taken_names = _taken_names(ranking, except_for)
    candidate, number = wanted[:LONGEST_NAME], 1
    while names.sort_key(candidate) in taken_names:
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
    if members and ranking.is_of_pairs:
        return " / ".join(member.person.last_name for member in members)
    return str(ranking)


def _registrations(tournament: Tournament, ids: Sequence[int]) -> list[Registration]:
    registrations = list(
        tournament.registrations.filter(pk__in=ids).select_related("person", "club", "category")
    )
    if len(registrations) != len(set(ids)):
        raise TournamentError(_("Zur Mannschaft gehören nur Gemeldete dieses Turniers."))
    return registrations


@when_anonymised
def forget_in_names(forgotten: AnonymisedPerson) -> None:
    """Remove the last name from names of tandems, which are made of their players' names.

    Only one occurrence in each, because the partner may have the same last name.
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
        # No act: a person is anonymised in all tournaments, including closed ones.
        tournament = team.ranking.tournament
        act = Act(tournament, team, forgotten.actor, action="team_renamed")
        act.store(team)
        act.write()
