"""Inviting the best of a ranking or season to a closed tournament of the organiser (§ 1.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.announcement.services.copying import copy_tournament
from tournaments.announcement.services.edit import change_fields, change_serien
from tournaments.announcement.services.sections import fingerprint
from tournaments.common.actors import Actor
from tournaments.common.errors import NotAllowed, TournamentError
from tournaments.common.organisers import lending_to, tournaments_with
from tournaments.common.roles import MAY_LEAD
from tournaments.desk.queries.admission import Applicant, is_named
from tournaments.desk.queries.earlier_tournament import has_earlier_ranking
from tournaments.models import Organiser, Person, Serie, Tournament, User
from tournaments.models.tournament import Section
from tournaments.results.queries.rankings import OVERALL, Rankings

COMING = (Tournament.Status.DRAFT, Tournament.Status.ANNOUNCED)


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationCount:
    """The numbers of persons who were added to the list, and who may not be named there."""

    new: int
    unnamed: int

    def __str__(self) -> str:
        sentence = ngettext(
            "{number} Person ist neu auf der Liste.",
            "{number} Personen sind neu auf der Liste.",
            self.new,
        ).format(number=self.new)
        unnamed = ngettext(
            "{number} Person eines anderen Veranstalters hat der Namensnennung nicht zugestimmt; "
            "bitte dort fragen.",
            "{number} Personen anderer Veranstalter haben der Namensnennung nicht zugestimmt; "
            "bitte dort fragen.",
            self.unnamed,
        ).format(number=self.unnamed)
        return f"{sentence} {unnamed}" if self.unnamed else sentence


def coming_closed_tournaments(user: User, owner: Organiser | int) -> list[Tournament]:
    """Return the closed tournaments to come of *owner* that *user* leads."""
    tournaments = tournaments_with(user, MAY_LEAD).filter(
        owner=owner, is_open=False, status__in=COMING
    )
    return list(tournaments.order_by("starts_at", "pk"))


def target_of(target_id: int, *, owner: Organiser | int, user: User) -> Tournament:
    """Return the closed tournament to come of *owner* to which *user* may invite.

    Raises:
        NotAllowed: if the account does not lead it, or it has another organiser.
    """
    for tournament in coming_closed_tournaments(user, owner):
        if tournament.pk == target_id:
            return tournament
    raise NotAllowed(
        _("Eingeladen wird in ein geschlossenes Turnier desselben Veranstalters, das man leitet.")
    )


def invite_best(*, source: Tournament, target_id: int, most: int, user: User) -> InvitationCount:
    """Add the first *most* ranks of the final ranking to the list of another tournament.

    Raises:
        NotAllowed: as :func:`target_of`.
        TournamentError: if the ranking is not final.
    """
    target, rankings = target_of(target_id, owner=source.owner_id, user=user), Rankings(source)
    if not rankings.is_settled(OVERALL):
        raise TournamentError(
            _("Erst wenn alle Listen geprüft sind, steht fest, wer eingeladen wird.")
        )
    best = [
        rankings.by_number[line.number]
        for line in rankings.standings(OVERALL)
        if line.has_place and line.rank <= most
    ]
    persons = {registration.person: registration.publishes_name for registration in best}
    return invite(persons, to=target, user=user)


@transaction.atomic
def make_final(
    *,
    source: Tournament,
    first: int,
    last: int,
    name: str,
    starts_at: datetime,
    actor: Actor,
    carries_points: bool = False,
) -> tuple[Tournament, InvitationCount]:
    """Make a draft for the places *first* to *last* of a tournament.

    It is a copy of the Ausschreibung, restricted to them; points begin with zero, or with those
    of *source*. If *source* is closed, Serie 1 is preset to be seated by its ranking.

    Raises:
        NotAllowed: if the account may not create tournaments.
        TournamentError: if the ranking is not final, or no person of these places may be named.
    """
    rankings = Rankings(source)
    if actor.user is None or not rankings.is_settled(OVERALL):
        raise TournamentError(
            _("Erst wenn alle Listen geprüft sind, steht fest, wer weiterspielt.")
        )
    places = [
        rankings.by_number[line.number]
        for line in rankings.standings(OVERALL)
        if line.has_place and first <= line.rank <= last
    ]
    final = copy_tournament(
        owner=source.owner, tournament_id=source.pk, name=name, starts_at=starts_at, actor=actor
    )
    with translation.override(final.document_language):  # all accounts read it
        circle = _("Plätze {first} bis {last} von „{name}“")
    values = {
        "is_open": False,
        "closed_circle": circle.format(first=first, last=last, name=source.name),
        "admission": Tournament.Admission.APPROVAL.value,
        **dict.fromkeys(("circle_clubs", "circle_persons"), ""),
    }
    seen = fingerprint(final, Section.GENERAL)
    change_fields(actor, final.pk, seen=seen, section=Section.GENERAL, values=values)
    final.refresh_from_db()
    persons = {registration.person: registration.publishes_name for registration in places}
    invited = invite(persons, to=final, user=actor.user)
    if not invited.new:
        raise TournamentError(
            _("Auf diesen Plätzen ist niemand, der hier genannt werden darf. Bitte andere wählen.")
        )
    final.refresh_from_db()
    if has_earlier_ranking(final):
        _begin_with_earlier(actor, final, carries_points=carries_points)
    return final, invited


def _begin_with_earlier(actor: Actor, final: Tournament, *, carries_points: bool) -> None:
    """Seat Serie 1 by the ranking of the earlier tournament; optionally carry its points over."""
    lines = list(final.serien.order_by("number"))
    lines[0].seating = Serie.Seating.RANKING
    seen = fingerprint(final, Section.SERIEN)
    change_serien(actor, final.pk, seen=seen, lines=lines, schedule=final.days.entries)
    if carries_points:
        values = {"carries_points": True}
        seen = fingerprint(final, Section.PROCEDURE)
        change_fields(actor, final.pk, seen=seen, section=Section.PROCEDURE, values=values)
    final.refresh_from_db()


def invite(persons: Mapping[Person, bool], *, to: Tournament, user: User) -> InvitationCount:
    """Add persons to the list of a closed tournament; idempotent for each person.

    A person of another organiser, who is not lent to this one, is named only with consent, and
    without the year of birth.

    Args:
        persons: with whether the public ranking names them.
    """
    lines, new, unnamed = to.circle_persons.splitlines(), 0, 0
    reached = set(lending_to(to.owner_id).values_list("pk", flat=True))
    for person, is_named_in_public in persons.items():
        is_ours = person.owner_id in reached
        year = person.birth_year if is_ours else None
        asking = Applicant(full_name=person.full_name, birth_year=year)
        if person.anonymised_at or any(is_named(line, asking) for line in lines):
            continue
        if is_ours or is_named_in_public:
            lines.append(f"{person.list_name} ({year})" if year else person.list_name)
            new += 1
        else:
            unnamed += 1
    if new:
        change_fields(
            Actor.account(user),
            to.pk,
            seen=fingerprint(to, Section.GENERAL),
            section=Section.GENERAL,
            values={"circle_persons": "\n".join(lines)},
        )
    return InvitationCount(new=new, unnamed=unnamed)
