"""Inviting the best of a ranking to a closed tournament of the same organiser (§ 1.1)."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.announcement.services.edit import change_fields
from tournaments.announcement.services.sections import fingerprint
from tournaments.common.actors import Actor
from tournaments.common.errors import NotAllowed, TournamentError
from tournaments.common.organisers import tournaments_with
from tournaments.common.roles import MAY_LEAD
from tournaments.desk.queries.circle import Asking, is_named
from tournaments.models import Tournament, User
from tournaments.models.tournament import Section
from tournaments.results.queries.rankings import OVERALL, Rankings

COMING = (Tournament.Status.DRAFT, Tournament.Status.ANNOUNCED)


def closed_to_come(user: User, source: Tournament) -> list[Tournament]:
    """Return the closed tournaments to come of the organiser of *source* that *user* leads."""
    found = tournaments_with(user, MAY_LEAD).filter(
        owner=source.owner_id, is_open=False, status__in=COMING
    )
    return list(found.exclude(pk=source.pk).order_by("starts_at", "pk"))


def invite_best(*, source: Tournament, target_id: int, most: int, user: User) -> int:
    """Put those on the first *most* ranks of the final ranking on the list of another tournament.

    Returns how many are new on it; a person who is on it already stays there once.

    Raises:
        NotAllowed: if the account does not lead that tournament, or it has another organiser.
        TournamentError: if the ranking is not final.
    """
    target = next((one for one in closed_to_come(user, source) if one.pk == target_id), None)
    if target is None:
        raise NotAllowed(
            _(
                "Eingeladen wird in ein geschlossenes Turnier desselben Veranstalters, das man "
                "leitet."
            )
        )
    rankings = Rankings(source)
    if not rankings.is_settled(OVERALL):
        raise TournamentError(
            _("Erst wenn alle Listen geprüft sind, steht fest, wer eingeladen wird.")
        )
    lines = target.circle_persons.splitlines()
    before = len(lines)
    for standing in rankings.standings(OVERALL):
        person = rankings.by_number[standing.number].person
        asking = Asking(full_name=person.full_name, birth_year=person.birth_year)
        is_there = any(is_named(line, asking) for line in lines)
        if standing.results and standing.rank <= most and person.last_name and not is_there:
            year = f" ({person.birth_year})" if person.birth_year else ""
            lines.append(f"{person.list_name}{year}")
    if new := len(lines) - before:
        change_fields(
            Actor.account(user),
            target.pk,
            seen=fingerprint(target, Section.GENERAL),
            section=Section.GENERAL,
            values={"circle_persons": "\n".join(lines)},
        )
    return new
