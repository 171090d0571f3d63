"""Membership in the rankings of women, juniors, seniors and of mixed tandems.

A person who fits a ranking without a stake is in it. A ``RankingChoice`` is an exception in
either direction and overrides the data of the person.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.cash.services.dues import set_due, update_paid_status
from tournaments.common.errors import TournamentError
from tournaments.common.roles import MAY_LEAD, MAY_TAKE_MONEY, ONLINE
from tournaments.common.states import EXPECTED, TAKES_PEOPLE
from tournaments.desk.queries.ranking_members import (
    MembershipDoubt,
    belongs,
    fits,
    questions,
    undecided_rankings,
)
from tournaments.journal.acts import Act, Acts
from tournaments.models import Person, Ranking, RankingChoice, Registration, Tournament
from tournaments.people.services.anonymise import ANONYMISED, AnonymisedPerson, when_anonymised
from tournaments.people.services.people import PersonDataChange, when_changed

acts = Acts(MAY_TAKE_MONEY, EXPECTED)

MEMBERS = "ranking_members_changed"  # the kind of the journal entry


@acts.on(Registration, "set_in_ranking", entry=MEMBERS)
def set_in_ranking(act: Act[Registration], *, ranking_id: int, takes_part: bool) -> Registration:
    """Add a registration to a ranking of women, juniors or seniors, or remove it.

    Raises:
        TournamentError: if the person does not fit, or the ranking is of another kind.
    """
    ranking, current = _of_some(act, ranking_id), list(act.row.rankings.all())
    others = [other for other in current if other != ranking]
    choose(act, act.row, [*others, ranking] if takes_part else others, out=[ranking])
    return _settle(act, current)


@acts.on(
    Registration,
    "take_into_ranking",
    by=MAY_LEAD,
    entry="ranking_member_excepted",
    reason=gettext_lazy("Wer nicht passt, wird nur mit einem Grund aufgenommen."),
)
def take_into_ranking(act: Act[Registration], *, ranking_id: int) -> Registration:
    """Add a registration to a ranking despite its limits; of a tandem one player suffices.

    Raises:
        TournamentError: if the ranking asks for no data.
    """
    ranking, current = _of_some(act, ranking_id, or_mixed=True), list(act.row.rankings.all())
    _drop(act, act.row, [ranking])
    act.add(
        RankingChoice(registration=act.row, ranking=ranking, takes_part=True, reason=act.reason)
    )
    if ranking.is_of_some:
        act.row.rankings.add(ranking)
        act.touch(act.row)
    return _settle(act, current)


@acts.on(Ranking, "take_in_fitting", when=TAKES_PEOPLE, entry="ranking_filled")
def take_in_fitting(act: Act[Ranking]) -> list[Registration]:
    """Take all persons into a ranking without a stake who fit it and are not in it."""
    left_out = [
        registration
        for question in questions(act.tournament)
        if question.doubt is MembershipDoubt.LEFT_OUT and question.ranking == act.row
        for registration in question.registrations
    ]
    act.row.registrations.add(*left_out)
    act.touch(*left_out)
    act.note(registrations=[registration.pk for registration in left_out])
    return left_out


def rankings_of_new(
    tournament: Tournament, person: Person, chosen: Sequence[Ranking], out: Sequence[Ranking]
) -> list[Ranking]:
    """Return the chosen rankings, and those that every fitting person joins automatically."""
    fitting = [
        ranking
        for ranking in tournament.rankings.all()
        if ranking.takes_all and fits(ranking, person)
    ]
    return [*chosen, *(ranking for ranking in fitting if ranking not in out)]


def choose(
    act: Act[Any],
    registration: Registration,
    rankings: Sequence[Ranking],
    out: Sequence[Ranking] = (),
    *,
    is_new: bool = False,
) -> None:
    """Replace the rankings of a registration, and store decisions that differ from its data.

    Args:
        out: rankings that the person declines, whatever the data say.
        is_new: the registration has no rankings yet.

    Raises:
        TournamentError: if a new ranking does not fit. An entry through the internet is checked
            by its typed data only, so that stored data stay hidden.
    """
    before: set[Ranking] = set() if is_new else set(registration.rankings.all())
    after = set(rankings)
    joined = [ranking for ranking in after - before if ranking.is_of_some]
    left = [ranking for ranking in (before - after) | (set(out) - after) if ranking.is_of_some]
    for ranking in joined:
        if fits(ranking, registration.person) is False and act.actor.kind not in ONLINE:
            raise TournamentError(misfit_refusal(ranking, registration))
    _drop(act, registration, [*joined, *left])
    for ranking in joined:
        if fits(ranking, registration.person) is None:
            act.add(RankingChoice(registration=registration, ranking=ranking, takes_part=True))
    for ranking in left:
        if ranking.takes_all and fits(ranking, registration.person) is not False:
            act.add(RankingChoice(registration=registration, ranking=ranking, takes_part=False))
    if after != before:
        registration.rankings.set(after)
        act.touch(registration)


def misfit_refusal(ranking: Ranking, registration: Registration) -> str:
    """Return the refusal of a person who does not fit a ranking."""
    return _(
        "{name} passt nach Jahrgang oder Geschlecht nicht in „{ranking}“. Stimmen die Angaben, "
        "nimmt nur die Spielleitung mit einem Grund auf, auf der Seite der Meldung."
    ).format(name=registration.person, ranking=ranking)


def follow(act: Act[Any], registrations: Iterable[Registration]) -> list[Registration]:
    """Let rankings without a stake follow the data; return the registrations that changed.

    Rankings with a stake, or whose prizes were given out, stay; questions remain for them.
    """
    rankings = [ranking for ranking in undecided_rankings(act.tournament) if ranking.takes_all]
    changed = []
    if not rankings:
        return []
    for registration in registrations:
        before = set(registration.rankings.all())
        after = before - set(rankings)
        choices = {choice.ranking_id: choice for choice in registration.ranking_choices.all()}
        for ranking in rankings:
            fit = fits(ranking, registration.person)
            choice, is_in = choices.get(ranking.pk), ranking in before
            if belongs(ranking, fit=fit, choice=choice, is_in=is_in):
                after.add(ranking)
        if after != before:
            registration.rankings.set(after)
            act.touch(registration)
            changed.append(registration)
    return changed


def follow_all(act: Act[Tournament]) -> None:
    """Let the rankings without a stake follow their new limits."""
    everybody = act.row.registrations.select_related("person")
    follow(act, everybody.prefetch_related("rankings", "ranking_choices"))


def clear_ranking(act: Act[Any], ranking: Ranking) -> None:
    """Remove all members of a ranking, and its decisions."""
    members = list(ranking.registrations.all())
    ranking.registrations.clear()
    act.touch(*members)
    for choice in ranking.choices.all():
        act.remove(choice)


def follow_substitute(act: Act[Any], registration: Registration) -> bool:
    """Let rankings follow the data of a substitute; return whether one changed.

    Decisions about the person who left are removed. A substitute who does not fit leaves rankings
    with a stake, and joins new ones only by choice.
    """
    before = set(registration.rankings.all())
    open_rankings = [
        ranking for ranking in undecided_rankings(act.tournament) if ranking.is_of_some
    ]
    _drop(act, registration, open_rankings)
    after = before - set(open_rankings)
    for ranking in open_rankings:
        fit = fits(ranking, registration.person)
        if fit if ranking.takes_all else (ranking in before and fit is not False):
            after.add(ranking)
    if after != before:
        registration.rankings.set(after)
        act.touch(registration)
        _note(act, registration, before)
    return after != before


def _of_some(act: Act[Registration], ranking_id: int, *, or_mixed: bool = False) -> Ranking:
    ranking = act.tournament.rankings.filter(pk=ranking_id).first()
    is_mixed = or_mixed and ranking is not None and ranking.kind == Ranking.Kind.MIXED
    if ranking is None or not (ranking.is_of_some or is_mixed):
        raise TournamentError(
            _("Für diese Wertung gibt es hier nichts zu entscheiden. Bitte die Seite neu laden.")
        )
    return ranking


def _drop(act: Act[Any], registration: Registration, rankings: Collection[Ranking]) -> None:
    for choice in registration.ranking_choices.filter(ranking__in=rankings):
        act.remove(choice)


def _settle(act: Act[Registration], before: Iterable[Ranking]) -> Registration:
    """Note the changed rankings; the dues follow a stake."""
    _note(act, act.row, before)
    set_due(act, act.row)
    update_paid_status(act, act.row)
    return act.row


def _note(act: Act[Any], registration: Registration, before: Iterable[Ranking]) -> None:
    act.note(
        before={"rankings": sorted(ranking.pk for ranking in before)},
        rankings=sorted(registration.rankings.values_list("pk", flat=True)),
    )


@when_changed
def follow_persons(changed: PersonDataChange) -> None:
    """Let the rankings of open tournaments follow the new data of persons."""
    for tournament in changed.tournaments:
        if not tournament.takes_people:
            continue
        registrations = tournament.registrations.filter(person__in=changed.persons)
        for registration in registrations.select_related("person"):
            registration.tournament = tournament
            before = list(registration.rankings.all())
            # No act: a person belongs to no tournament.
            act = Act(tournament, registration, changed.actor, action=MEMBERS)
            if follow(act, [registration]):
                _note(act, registration, before)
            act.write()


@when_anonymised
def forget_reasons(forgotten: AnonymisedPerson) -> None:
    """Delete the reasons, which may name the person."""
    choices = RankingChoice.objects.filter(registration__person__in=forgotten.persons)
    choices.exclude(reason="").update(reason=ANONYMISED)
