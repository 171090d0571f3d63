"""The plan of a file of registrations: the plan of its persons, with the hints of the desk.

Each view of the file makes it again, with a fixed number of queries. It changes nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from django.db.models import prefetch_related_objects
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from tournaments.cash.queries.tariff import suiting_category
from tournaments.common import names
from tournaments.common.club_names import are_near, club_key
from tournaments.common.errors import TournamentError
from tournaments.desk.queries.missed_serien import late_share, late_startgeld_cents
from tournaments.desk.queries.ranking_members import fits
from tournaments.desk.services.changes import rejoin
from tournaments.desk.services.file_payments import (
    FilePayment,
    WayTotal,
    parse_payment,
    payments_by_way,
)
from tournaments.desk.services.ranking_members import rankings_of_new
from tournaments.desk.services.registrations import admission_of, ban_refusal, registered_refusal
from tournaments.models import (
    Category,
    Club,
    Person,
    PersonImport,
    Ranking,
    Registration,
    Team,
    Tournament,
)
from tournaments.people.queries import bans, people
from tournaments.people.services.columns import with_persons
from tournaments.people.services.people import clubs_by_key
from tournaments.people.services.plan import (
    DONE_STATES,
    OPEN_STATES,
    ImportPlan,
    PlannedRow,
    RowState,
    loose_key,
    make_plan,
)
from tournaments.people.services.rows import CellError, parse_yes_no

TEAM, TANDEM = "team", "tandem"
CLUB_PAYS = "club_pays"
PAID = "paid"
COLUMNS = with_persons(
    {
        TEAM: gettext_lazy("Mannschaft"),
        TANDEM: gettext_lazy("Tandem: Name oder Nummer, oder mit wem"),
        "category": gettext_lazy("Startgeldgruppe"),
        "rankings": gettext_lazy("Wertungen"),
        CLUB_PAYS: gettext_lazy("Der Verein zahlt"),
        PAID: gettext_lazy("Bezahlt"),
    },
    {
        TEAM: "mannschaft, mannschaften, mannschaftsname, team, teams, team name, teamname",
        TANDEM: "tandem, tandems, tandempartner, tandempartnerin, partner, partnerin, tandem with",
        "category": (
            "startgeldgruppe, startgeld, gruppe, kategorie, altersklasse, klasse, category, "
            "fee group, group, age group"
        ),
        "rankings": "wertung, wertungen, ranking, rankings",
        CLUB_PAYS: "verein zahlt, zahlt verein, zahlt der verein, der verein zahlt, club pays, "
        "paid by club, the club pays",
        PAID: "bezahlt, gezahlt, bezahlt am, startgeld bezahlt, zahlung, paid",
    },
)
_SEPARATOR = re.compile(r"[,;+&/]")
_NEGATION = re.compile(r"^\s*(ohne|nicht|without|not)\s+", re.IGNORECASE)
_NO_PERSON = frozenset({RowState.SKIPPED, RowState.BAD})
_UNPLANNED = frozenset({RowState.QUESTION, RowState.STORED})


@dataclass(frozen=True, slots=True)
class RowWish:
    """The choices of a row for the registration of its person."""

    category: Category
    rankings: list[Ranking]
    declined: list[Ranking]
    club_pays: bool
    withdrawn: Registration | None  # takes part again
    paid: FilePayment | None  # of a new registration


@dataclass(frozen=True, slots=True)
class FileTeam:
    """Rows that form a team or join one."""

    ranking: Ranking
    name: str
    team: Team | None
    rows: list[int]


@dataclass(frozen=True, slots=True)
class RegistrationPlan(ImportPlan):
    """The effects of a file of registrations."""

    wishes: dict[int, RowWish]
    teams: list[FileTeam]

    @property
    def registered(self) -> list[PlannedRow]:
        """Return the rows whose persons will be registered."""
        return [row for row in self.rows if row.state not in OPEN_STATES | DONE_STATES]

    @property
    def marks(self) -> dict[str, list[Any]]:
        """Return state, person and values of each row to register, by its number; JSON values."""
        return {
            str(row.number): [row.state.value, row.person and row.person.pk, str(row.row.values)]
            for row in self.registered
        }

    @property
    def payments(self) -> list[WayTotal]:
        """Return the totals of the payments in the file by method."""
        wishes = (self.wishes[row.number] for row in self.registered)
        return payments_by_way(wish.paid for wish in wishes if wish.paid)

    @property
    def doubts(self) -> list[tuple[str, list[PlannedRow]]]:
        """Return the hints that do not stop a row, each with its rows."""
        rows_by_sentence: dict[str, list[PlannedRow]] = defaultdict(list)
        for row in self.registered:
            for sentence in row.hints:
                rows_by_sentence[sentence].append(row)
        return list(rows_by_sentence.items())


def plan_of(draft: PersonImport, tournament: Tournament) -> RegistrationPlan:
    """Return the plan of a file by the present data; eight queries.

    Persons of an earlier part are no candidates for the other rows.
    """
    stored = draft.choices.get("stored", {}).values()
    living = people.living_persons(tournament.owner_id, lent=True)
    living = living.exclude(registrations__in=list(stored))
    person_plan = make_plan(draft, living.select_related("club").order_by("pk"), asks_slips=True)
    return _Planner(tournament, person_plan).plan()


class _Planner:
    """Adds errors, which stop a row, and hints to the rows."""

    def __init__(self, tournament: Tournament, person_plan: ImportPlan) -> None:
        prefetch_related_objects([tournament], "categories", "rankings__teams__members")
        self.tournament = tournament
        self.person_plan = person_plan
        self.rows = {row.number: row for row in person_plan.rows if row.state not in _NO_PERSON}
        self.wishes: dict[int, RowWish] = {}
        self.clubs = clubs_by_key(tournament.owner_id)
        self.bans = {ban.person_id: ban for ban in bans.current()}
        self.stored = {
            registration.person_id: registration for registration in tournament.registrations.all()
        }
        self.choices = _by_name(tournament.categories.all()) | _by_name(
            ranking
            for ranking in tournament.rankings.all()
            if ranking.kind != Ranking.Kind.SINGLE and not ranking.has_teams
        )

    def plan(self) -> RegistrationPlan:
        for row in self.rows.values():
            if row.state not in _UNPLANNED:
                self._plan_row(row)
        teams = [*self._teams(TEAM), *self._teams(TANDEM)]
        rows = [
            replace(row, state=RowState.BAD, labels=COLUMNS.targets)
            if row.row.errors and row.state not in DONE_STATES
            else row
            for row in self.person_plan.rows
        ]
        plan = RegistrationPlan(rows, self.person_plan.known, self.wishes, teams)
        self._hint_at_waiting_list(plan.registered)
        return plan

    def _plan_row(self, row: PlannedRow) -> None:
        if row.person is None and self.tournament.asks_pass:
            for name in ("member_number", "member_until"):  # files do not change passes
                row.row.values.pop(name, None)
        values = {"club": "", **row.row.values}
        club = self.clubs.get(club_key(values["club"]))
        person = row.person or Person(**{**values, "club": club or Club(name=values["club"])})
        withdrawn = self.stored.get(person.pk) if person.pk else None
        if withdrawn and withdrawn.status not in rejoin.rule.when.registration:
            _refuse(row, registered_refusal(withdrawn, person))
        elif withdrawn:
            status = withdrawn.get_status_display()
            row.hints.append(_("Ist {status} und wird wieder angemeldet.").format(status=status))
        if person.pk in self.bans:
            _refuse(row, ban_refusal(person, self.bans[person.pk], self.tournament))
        if values["club"]:
            self._hint_at_club(row, values["club"], club)
        category, rankings, declined = self._named_choices(row)
        _refuse_misfits(row, rankings, person)
        try:
            admitted = (withdrawn and withdrawn.admission) or admission_of(self.tournament, person)
            if self.tournament.admission and not admitted:
                row.hints.append(_("Wartet auf die Zustimmung der Spielleitung (§ 1.1)."))
            category = category or suiting_category(self.tournament, person)
        except TournamentError as refusal:
            _refuse(row, str(refusal))
        else:
            wish = RowWish(category, rankings, declined, _club_pays(row), withdrawn, paid=None)
            self.wishes[row.number] = replace(wish, paid=self._paid(row, person, wish))

    def _paid(self, row: PlannedRow, person: Person, wish: RowWish) -> FilePayment | None:
        """Return the payment of a new registration in the file."""
        cell = row.row.cells.get(PAID, "")
        if not cell or wish.withdrawn:
            return None
        registration = Registration(
            tournament=self.tournament,
            person=person,
            category=wish.category,
            late_startgeld_cents=late_startgeld_cents(wish.category, self.late_share),
        )
        rankings = rankings_of_new(self.tournament, person, wish.rankings, wish.declined)
        return parse_payment(cell, registration, rankings)

    @cached_property
    def late_share(self) -> Fraction | None:
        """The part of the Startgeld that is due now."""
        return late_share(self.tournament, "")

    def _hint_at_club(self, row: PlannedRow, name: str, club: Club | None) -> None:
        if row.person is not None:
            stored = row.person.club
            if stored != club or club is None:
                sentence = _("In der Datei steht „{name}“; gespeichert ist {club}, und das bleibt.")
                row.hints.append(sentence.format(name=name, club=stored or _("kein Verein")))
        elif club is None:
            near_club = next(
                (club for club in self.clubs.values() if are_near(club.name, name)), None
            )
            sentence = _("Den Verein „{name}“ gibt es noch nicht; er wird angelegt.").format(
                name=name
            )
            also = _("Meinten Sie „{club}“?").format(club=near_club) if near_club else ""
            row.hints.append(f"{sentence} {also}".strip())

    def _named_choices(
        self, row: PlannedRow
    ) -> tuple[Category | None, list[Ranking], list[Ranking]]:
        """Return Startgeldgruppe, rankings and declined rankings that the cells of a row name.

        Either column may name them; „ohne Damen“ declines.
        """
        category, rankings, declined = None, [], []
        for target in ("category", "rankings"):
            cell = row.row.cells.get(target, "")
            is_one = names.sort_key(cell) in self.choices
            for part in [cell] if is_one else filter(names.sort_key, _SEPARATOR.split(cell)):
                choice = self.choices.get(names.sort_key(part))
                without = self.choices.get(names.sort_key(_NEGATION.sub("", part)))
                if choice is None and isinstance(without, Ranking):
                    declined.append(without)
                elif isinstance(choice, Category):
                    category = choice
                elif choice is not None:
                    rankings.append(choice)
                else:
                    sentence = _(
                        "„{cell}“ ist hier keine Startgeldgruppe und keine Wertung. Es gibt: "
                        "{offered}."
                    )
                    offered = ", ".join(sorted({str(choice) for choice in self.choices.values()}))
                    _refuse(row, sentence.format(cell=part.strip(), offered=offered), target)
        return category, rankings, declined

    def _teams(self, target: str) -> list[FileTeam]:
        rows = [row for row in self.rows.values() if names.sort_key(row.row.cells.get(target, ""))]
        ranking = next(
            (ranking for ranking in self.tournament.rankings.all() if ranking.kind == target), None
        )
        if ranking is None:
            sentence = _("Dieses Turnier hat die Wertung „{ranking}“ nicht.")
            for row in rows:
                _refuse(row, sentence.format(ranking=Ranking.Kind(target).label), target)
            return []
        stored = {names.sort_key(team.name): team for team in ranking.teams.all()}
        file_teams = []
        for name, numbers in self._team_groups(target, rows):
            team = stored.get(names.sort_key(name))
            file_teams.append(FileTeam(ranking, name, team, numbers))
            self._hint_at_size(file_teams[-1], target)
        return file_teams

    def _team_groups(
        self, target: str, rows: Iterable[PlannedRow]
    ) -> Iterable[tuple[str, list[int]]]:
        """Yield a name and the rows with the same cell, or of tandems that name each other.

        The name of a tandem is empty if the cells have numbers, or the partner's name.
        """
        persons: dict[str, list[int]] = defaultdict(list)
        for row in self.rows.values() if target == TANDEM else ():
            persons[loose_key(row.row.name)].append(row.number)
        groups: dict[int | str, list[int | str]] = {}
        for row in rows:
            cell = row.row.cells[target]
            numbers = persons.get(loose_key(cell), [])
            other = numbers[0] if len(numbers) == 1 else names.sort_key(cell)
            merged = list(
                dict.fromkeys([*groups.get(row.number, [row.number]), *groups.get(other, [other])])
            )
            groups |= dict.fromkeys(merged, merged)
        spelt = {names.sort_key(row.row.cells[target]): row.row.cells[target] for row in rows}
        for group in {id(group): group for group in groups.values()}.values():
            cells = [spelt[key] for key in group if isinstance(key, str)]
            team_names = [cell for cell in cells if target == TEAM or not cell.isdigit()]
            yield (team_names or [""])[0], sorted(key for key in group if isinstance(key, int))

    def _hint_at_size(self, file_team: FileTeam, target: str) -> None:
        size = file_team.ranking.size or 0
        present = len(file_team.team.members.all()) if file_team.team else 0
        count = present + len(file_team.rows)
        template = ""
        if count > size:
            template = _("„{team}“ hätte {count} Personen, möglich sind {size} (Zeilen {rows}).")
        elif count < size:
            template = _("„{team}“ ist unvollständig: {count} von {size}.")
        elif present:
            template = _("Kommt zu „{team}“ dazu, das es schon gibt.")
        rows = ", ".join(map(str, file_team.rows))
        label = file_team.name or file_team.ranking
        sentence = template.format(team=label, count=count, size=size, rows=rows)
        for row in (self.rows[number] for number in file_team.rows if sentence):
            if count > size:
                _refuse(row, sentence, target)
            else:
                row.hints.append(sentence)

    def _hint_at_waiting_list(self, rows: Iterable[PlannedRow]) -> None:
        """Add a hint to the rows beyond the free places, which are taken in order."""
        if self.tournament.places is None:
            return
        free = self.tournament.places - sum(
            registration.takes_part for registration in self.stored.values()
        )
        for number, row in enumerate(rows):
            if number >= free:
                row.hints.append(_("Kein Platz ist mehr frei: kommt auf die Warteliste."))


def _refuse(row: PlannedRow, sentence: str, target: str = "") -> None:
    row.row.errors.append(CellError(target if target in row.row.cells else "", sentence))


def _refuse_misfits(row: PlannedRow, rankings: Iterable[Ranking], person: Person) -> None:
    sentence = _("„{ranking}“ passt nicht zu Jahrgang oder Geschlecht.")
    for ranking in rankings:
        if fits(ranking, person) is False:
            _refuse(row, sentence.format(ranking=ranking), "rankings")


def _club_pays(row: PlannedRow) -> bool:
    cell = row.row.cells.get(CLUB_PAYS, "")
    try:
        return bool(names.sort_key(cell)) and parse_yes_no(cell)
    except ValueError as problem:
        _refuse(row, str(problem), CLUB_PAYS)
        return False


def _by_name(options: Iterable[Category | Ranking]) -> dict[str, Category | Ranking]:
    """Return the options by their names in German and in English."""
    choices = list(options)
    by_name: dict[str, Category | Ranking] = {}
    for language in ("de", "en"):
        with override(language):
            by_name |= {names.sort_key(str(choice)): choice for choice in choices}
    return by_name
