"""Members of the rankings of women, juniors, seniors and mixed tandems, and open questions.

``Registration.rankings`` is the only source for rankings, prizes and files. The questions compare
it with the data of the persons and with the decisions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.common.formats import listed
from tournaments.common.ranking_names import SLUGS
from tournaments.models import (
    Person,
    PrizePayout,
    Ranking,
    RankingChoice,
    Registration,
    Team,
    Tournament,
)


class MembershipDoubt(StrEnum):
    """The reason why a membership needs a decision."""

    LEFT_OUT = "left_out"  # fits, and is not in
    MISFIT = "misfit"  # is in, and does not fit
    UNKNOWN = "unknown"  # the data that decide are missing
    STARTGELD = "startgeld"  # the Startgeldgruppe does not fit


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question about a ranking or a Startgeldgruppe, with the registrations concerned."""

    doubt: MembershipDoubt
    lead: str  # German, without the names
    registrations: tuple[Registration, ...]
    ranking: Ranking | None = None
    team: Team | None = None

    @property
    def sentence(self) -> str:
        """The question with start numbers, for pages without links."""
        numbers = [
            _("Nr. {number}").format(number=registration.number)
            for registration in self.registrations
        ]
        return f"{self.lead} {listed(numbers)}."


def fits(ranking: Ranking, person: Person) -> bool | None:
    """Whether the data of a person fit a ranking; None if data are missing."""
    return ranking.suits(person.birth_year, person.gender)


def belongs(
    ranking: Ranking, *, fit: bool | None, choice: RankingChoice | None, is_in: bool
) -> bool:
    """Whether a registration belongs to a limited ranking: by the decision, then by the data.

    A ranking with a stake has only persons who joined. Missing data change nothing.
    """
    if choice is not None and (not choice.takes_part or admits(choice, fit)):
        return choice.takes_part
    if fit is None or not ranking.takes_all:
        return is_in
    return fit


def admits(choice: RankingChoice | None, fit: bool | None) -> bool:
    """Whether a decision admits a person: with a reason, or while data are missing."""
    return choice is not None and choice.takes_part and (bool(choice.reason) or fit is None)


def undecided_rankings(tournament: Tournament) -> list[Ranking]:
    """Return the rankings whose members depend on data and whose prizes were not given out."""
    rankings = [
        ranking
        for ranking in tournament.rankings.all()
        if ranking.is_of_some or ranking.kind == Ranking.Kind.MIXED
    ]
    if not rankings:
        return []
    payouts = PrizePayout.objects.filter(
        Q(handed_over_at__isnull=False)
        | Q(receipt__isnull=False, receipt__reversed_by__isnull=True),
        tournament=tournament,
    )
    paid = set(payouts.values_list("ranking", flat=True))
    return [ranking for ranking in rankings if SLUGS[ranking.category] not in paid]


def questions(tournament: Tournament, only: Registration | None = None) -> list[Question]:
    """Return the questions of a tournament, or of one registration; eight queries at most."""
    if tournament.is_read_only or tournament.is_called_off:
        return []
    rankings = undecided_rankings(tournament)
    groups = [category for category in tournament.categories.all() if category.has_years]
    if not rankings and not groups:
        return []
    everybody = tournament.registrations.filter(status__in=Registration.TAKING_PART)
    if only is not None:
        everybody = everybody.filter(pk=only.pk)
    field = list(
        everybody.select_related("person", "category")
        .prefetch_related("rankings", "ranking_choices")
        .order_by("number")
    )
    return [
        *(
            each
            for ranking in rankings
            if ranking.is_of_some
            for each in _of_ranking(ranking, field)
        ),
        *(
            each
            for ranking in rankings
            if not ranking.is_of_some
            for each in _of_pairs(ranking, field)
        ),
        *_of_startgeld(field if groups else []),
    ]


def open_questions(tournament: Tournament) -> list[Question]:
    """Return the questions about rankings, on which prizes and the closing depend."""
    return [question for question in questions(tournament) if question.ranking is not None]


def misfits(tournament: Tournament) -> list[Question]:
    """Return the questions about members who do not fit their ranking."""
    return [
        question for question in questions(tournament) if question.doubt is MembershipDoubt.MISFIT
    ]


def _of_ranking(ranking: Ranking, field: Sequence[Registration]) -> Iterator[Question]:
    left_out, misfit, fitting = [], [], 0
    unknown: dict[str, list[Registration]] = defaultdict(list)
    for registration in field:
        person, choice = registration.person, _choice(registration, ranking)
        fit, is_in = fits(ranking, person), ranking in registration.rankings.all()
        fitting += bool(fit)
        if fit is None and choice is None and (is_in or ranking.takes_all):
            unknown[ranking.lacks(person.birth_year, person.gender)].append(registration)
        elif is_in and fit is False and not admits(choice, fit):
            misfit.append(registration)
        elif fit and ranking.takes_all and not is_in and choice is None:
            left_out.append(registration)
    if misfit:
        lead = _("In „{ranking}“ passt nicht:").format(ranking=ranking)
        yield _question(MembershipDoubt.MISFIT, lead, misfit, ranking)
    if left_out:
        lead = ngettext(
            "In „{ranking}“ fehlt {count} von {fitting}, die passen:",
            "In „{ranking}“ fehlen {count} von {fitting}, die passen:",
            len(left_out),
        ).format(ranking=ranking, count=len(left_out), fitting=fitting)
        yield _question(MembershipDoubt.LEFT_OUT, lead, left_out, ranking)
    for lacking, some in unknown.items():
        lead = ngettext(
            "{lacking} fehlt. Gehört in „{ranking}“:",
            "{lacking} fehlt bei {count}. Wer davon gehört in „{ranking}“?",
            len(some),
        ).format(lacking=lacking, ranking=ranking, count=len(some))
        yield _question(MembershipDoubt.UNKNOWN, lead, some, ranking)


def _of_pairs(ranking: Ranking, field: Iterable[Registration]) -> Iterator[Question]:
    registrations = {registration.pk: registration for registration in field}
    for team in ranking.teams.prefetch_related(
        "members__registration__person", "members__registration__ranking_choices"
    ):
        pair = [member.registration for member in team.members.all()]
        concerned = [
            registrations[registration.pk]
            for registration in pair
            if registration.pk in registrations
        ]
        fit = fits_pair([registration.person.gender for registration in pair])
        is_decided = any(admits(_choice(registration, ranking), fit) for registration in pair)
        if fit or is_decided or not concerned:
            continue
        if fit is None:
            lead = _("Geschlecht fehlt. Ist „{team}“ ein gemischtes Tandem?").format(team=team)
        else:
            lead = _(
                "„{team}“ ist kein gemischtes Tandem, beide haben dasselbe Geschlecht:"
            ).format(team=team)
        doubt = MembershipDoubt.UNKNOWN if fit is None else MembershipDoubt.MISFIT
        yield _question(doubt, lead, concerned, ranking, team)


def fits_pair(genders: Sequence[str]) -> bool | None:
    """Whether two genders make a mixed tandem; None if one is missing. A single gender fits."""
    if len(genders) < 2:
        return True
    return None if "" in genders else len(set(genders)) == len(genders)


def _of_startgeld(field: Iterable[Registration]) -> Iterator[Question]:
    for registration in field:
        if registration.category.suits(registration.person.birth_year) is False:
            lead = _("Die Startgeldgruppe „{group}“ passt nicht zum Jahrgang:").format(
                group=registration.category
            )
            yield _question(MembershipDoubt.STARTGELD, lead, [registration])


def _choice(registration: Registration, ranking: Ranking) -> RankingChoice | None:
    choices = registration.ranking_choices.all()
    return next((choice for choice in choices if choice.ranking_id == ranking.pk), None)


def _question(
    doubt: MembershipDoubt,
    lead: str,
    concerned: Sequence[Registration],
    ranking: Ranking | None = None,
    team: Team | None = None,
) -> Question:
    return Question(
        doubt=doubt, lead=lead, registrations=tuple(concerned), ranking=ranking, team=team
    )
