"""Teams and tandems with members, players without team, and wishes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.cash.queries import balances
from tournaments.common import names
from tournaments.models import (
    EntryLine,
    Ranking,
    Registration,
    Team,
    TeamMember,
    TeamWish,
    Tournament,
)
from tournaments.people.queries.people import has_words, typed_words

MOST_NAMED = 4
_NUMBER = re.compile(r"\s*(\d{1,6})(?!\w)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A member of a team."""

    pk: int  # of the membership
    registration: Registration
    open_cents: int  # Startgeld and stakes, of a person who takes part


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamRow:
    """A team with its members."""

    team: Team
    size: int
    members: list[Member]

    @property
    def missing(self) -> int:
        """The number of members it needs, including replacements of those who left."""
        return self.size - sum(member.registration.is_coming for member in self.members)

    @property
    def has_room(self) -> bool:
        """Whether a member can be added without removing one."""
        return len(self.members) < self.size


@dataclass(frozen=True, slots=True, kw_only=True)
class WishResult:
    """The result of taking a wish; exactly one of team, name and problem is set.

    A tandem has a *partner*, and its name is made of both names.
    """

    team: Team | None = None
    name: str = ""
    partner: Registration | None = None
    problem: str = ""  # German, why it cannot be taken


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamFormation:
    """The teams of one ranking, and the registrations that can be members."""

    ranking: Ranking
    teams: list[TeamRow]
    coming: Sequence[Registration]
    wishes: list[TeamWish]

    @classmethod
    def of(cls, ranking: Ranking) -> TeamFormation:
        """Return the teams of one ranking; seven queries."""
        return team_formations(ranking.tournament, [ranking])[0]

    @property
    def placed(self) -> set[int]:
        """Keys of the registrations that are in a team."""
        return {member.registration.pk for row in self.teams for member in row.members}

    @property
    def free(self) -> list[Registration]:
        """Return the registrations that can be added to a team."""
        placed = self.placed
        return [registration for registration in self.coming if registration.pk not in placed]

    @property
    def waiting(self) -> list[Registration]:
        """Return the registrations in this ranking without a team."""
        return [
            registration
            for registration in self.free
            if self.ranking in registration.rankings.all()
        ]

    @property
    def incomplete(self) -> int:
        """The number of teams with too few members."""
        return sum(row.missing > 0 for row in self.teams)

    @property
    def wish_rows(self) -> list[tuple[TeamWish, Registration, WishResult]]:
        """Return the wishes of registrations that take part and have no team yet."""
        free = {registration.pk: registration for registration in self.free}
        return [
            (wish, free[wish.line.registration_id], self.wish_result(wish))
            for wish in self.wishes
            if wish.line.registration_id in free
        ]

    def wish_result(self, wish: TeamWish) -> WishResult:
        """Return the result of taking *wish*."""
        for row in self.teams:
            if names.sort_key(row.team.name) == names.sort_key(wish.text):
                return self._join(row)
        if self.ranking.kind == Ranking.Kind.TEAM:
            return WishResult(name=wish.text)
        return self._pair(wish)

    def _join(self, row: TeamRow) -> WishResult:
        if row.has_room:
            return WishResult(team=row.team)
        return WishResult(problem=_("„{team}“ ist schon voll.").format(team=row.team))

    def _pair(self, wish: TeamWish) -> WishResult:
        mine = wish.line.registration_id
        matches = find_by_words(
            wish.text, [registration for registration in self.coming if registration.pk != mine]
        )
        if not matches:
            return WishResult(problem=_("„{name}“ ist noch nicht gemeldet.").format(name=wish.text))
        if len(matches) > 1:
            return WishResult(
                problem=_("„{name}“ passt auf mehrere: {names}.").format(
                    name=wish.text, names=registrations_in_words(matches)
                )
            )
        partner = matches[0]
        for row in self.teams:
            if any(member.registration.pk == partner.pk for member in row.members):
                return self._join(row)
        return WishResult(partner=partner)


def team_formations(
    tournament: Tournament, rankings: Sequence[Ranking] | None = None
) -> list[TeamFormation]:
    """Return the teams of the rankings that have some; seven queries."""
    if rankings is None:
        rankings = [ranking for ranking in tournament.rankings.all() if ranking.has_teams]
    everybody = {registration.pk: registration for registration in _registrations(tournament)}
    paid = balances.paid_by_registration(tournament)
    members: dict[int, list[Member]] = {}
    for member in TeamMember.objects.filter(ranking__in=rankings).order_by("pk"):
        registration = everybody[member.registration_id]
        open_cents = registration.open_cents_after(paid.get(registration.pk, 0))
        row = Member(pk=member.pk, registration=registration, open_cents=open_cents)
        members.setdefault(member.team_id, []).append(row)
    teams = list(Team.objects.filter(ranking__in=rankings))
    wishes = list(
        TeamWish.objects.filter(
            ranking__in=rankings, line__status=EntryLine.Status.REGISTERED
        ).select_related("line")
    )
    coming_now = [registration for registration in everybody.values() if registration.is_coming]
    return [
        TeamFormation(
            ranking=ranking,
            teams=[
                TeamRow(team=team, size=ranking.size or 0, members=members.get(team.pk, []))
                for team in sorted(teams, key=lambda team: names.sort_key(team.name))
                if team.ranking_id == ranking.pk
            ],
            coming=coming_now,
            wishes=[wish for wish in wishes if wish.ranking_id == ranking.pk],
        )
        for ranking in rankings
    ]


def coming_registrations(tournament: Tournament) -> list[Registration]:
    """Return the registrations that are registered, paid or waiting, by number."""
    return [registration for registration in _registrations(tournament) if registration.is_coming]


def _registrations(tournament: Tournament) -> list[Registration]:
    registrations = tournament.registrations.select_related("person", "club").prefetch_related(
        "rankings"
    )
    return sorted(
        registrations,
        key=lambda registration: (
            registration.number is None,
            registration.number or 0,
            registration.pk,
        ),
    )


def leading_number(text: str) -> int | None:
    """Return the start number at the beginning of *text*, as in „12 · Kühn, Anna“.

    >>> leading_number("12 · Kühn, Anna"), leading_number("Kühn"), leading_number("1. FC")
    (12, None, 1)
    """
    match = _NUMBER.match(text)
    return int(match[1]) if match else None


def find_by_words(text: str, among: Iterable[Registration]) -> list[Registration]:
    """Return the registrations whose name or club has a word for each word of *text*."""
    words = typed_words(text)
    return [
        registration for registration in among if words and has_words(registration.person, words)
    ]


def registrations_in_words(registrations: Sequence[Registration]) -> str:
    """Return registrations in one line: „12 Kühn, Anna; 15 Kühne, Dirk; …“."""
    parts = [
        f"{registration.number or '–'} {registration.person.list_name}"
        for registration in registrations[:MOST_NAMED]
    ]
    return "; ".join([*parts, "…"] if len(registrations) > MOST_NAMED else parts)
