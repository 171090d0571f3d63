"""Exporting a tournament: the required part and all further sections."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone

from scoring.ambiguity import AmbiguousLine
from scoring.reading.interchange import line_from_json, lines_to_json
from scoring.reading.records import to_json
from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.reading.strict_json import dump_pieces
from scoring.rulesets import all_rulesets
from tournaments.archive import sections
from tournaments.archive.chains import chains_of
from tournaments.archive.json_references import Row
from tournaments.archive.parts import (
    FORMAT,
    VERSION,
    ClubPart,
    EndedListPart,
    ListPart,
    PlayoffPart,
    RegistrationPart,
    TablePart,
    TournamentPart,
)
from tournaments.archive.rows import ArchiveSection, Places, dump_row, in_order
from tournaments.archive.seal import with_seal
from tournaments.backup.packing import newest_migration
from tournaments.cash.queries import balances
from tournaments.common.organisers import UNNAMED
from tournaments.journal.queries.seals import origin_of
from tournaments.models import (
    ArchivedJournal,
    JournalEntry,
    Penalty,
    Playoff,
    Seat,
    Spielliste,
    TeamMember,
    Tournament,
    User,
)

Progress = Callable[[int, int], None]


def archive_text(tournament: Tournament) -> str:
    """Return the sealed archive of a tournament; the same data give the same bytes."""
    return "".join(archive_pieces(tournament))


def archive_pieces(tournament: Tournament, progress: Progress | None = None) -> Iterator[str]:
    """Yield the text of :func:`archive_text` in pieces."""
    return dump_pieces(with_seal(archive_of(tournament, progress), origin_of(tournament).seals))


def archive_of(tournament: Tournament, progress: Progress | None = None) -> dict[str, Any]:
    """Return a tournament in the format of ``docs/formats.md`` 3, with every section.

    Sections without a row are left out.
    """
    users = _users(tournament)
    places = _places(tournament, users)
    owner = tournament.owner.name
    rows_by_section: dict[str, list[Row]] = {
        sections.ORGANISERS: [{"name": owner}] if owner != UNNAMED else [],
        # Accounts are written by name only, without passwords and e-mail addresses.
        sections.ACCOUNTS: [{"username": user.login_name, "name": user.name} for user in users],
    }
    for done, section in enumerate(sections.FILE_ORDER, start=1):
        rows_by_section[section.name] = _rows(section, tournament, places)
        if progress is not None:
            progress(done, len(sections.FILE_ORDER) + 1)
    rows_by_section[sections.JOURNAL] = chains_of(tournament, places)
    further = {name: rows_by_section[name] for name in sections.NAMES if rows_by_section[name]}
    return _required(tournament) | further


def _rows(section: ArchiveSection, tournament: Tournament, places: Places) -> list[Row]:
    many = [column.name for column in section.fields if column.many_to_many]
    rows = section.find(tournament).prefetch_related(*many)
    return [dump_row(section, row, lambda model, key: places[model].get(key)) for row in rows]


def _places(tournament: Tournament, users: Iterable[User]) -> Places:
    """Return the position of each row in its section, by model and key."""
    keys: dict[type[models.Model], list[int]] = {User: [user.pk for user in users]}
    for section in sections.LOAD_ORDER:
        # Persons who play come first, then those who left.
        section_keys = section.find(tournament).values_list("pk", flat=True)
        keys[section.model] = [*keys.get(section.model, ()), *section_keys]
    return {model: {key: place for place, key in enumerate(of, 1)} for model, of in keys.items()}


def _users(tournament: Tournament) -> list[User]:
    """Return the accounts that rows or journal entries refer to, ordered by log-in name."""
    acts = JournalEntry.objects.filter(chain__tournament=tournament)
    named: set[Any] = set(acts.values_list("actor", flat=True).distinct())
    for section in sections.FILE_ORDER:
        for column in section.fields:
            if column.related_model is User:
                named.update(section.find(tournament).values_list(column.attname, flat=True))
    for archived in ArchivedJournal.objects.filter(tournament=tournament):
        named.update(archived.accounts.values())
    users = User.objects.filter(pk__in=named - {None})
    return sorted(users, key=lambda user: (user.login_name, user.pk))  # as on every database


# --- The required part ------------------------------------------------------------------


def _required(tournament: Tournament) -> dict[str, Any]:
    built_in = {rule_set.id: ruleset_to_dict(rule_set) for rule_set in all_rulesets()}
    name = tournament.rule_set["id"]
    is_known = built_in.get(name) == tournament.rule_set
    playoffs = Playoff.objects.filter(
        tournament=tournament, ranking=None, serie=None, withdrawn_at=None
    ).order_by("pk")
    return {
        "format": FORMAT,
        "version": VERSION,
        "program": settings.VERSION,
        "migration": newest_migration(),
        "tournament": to_json(
            TournamentPart(
                slug=tournament.slug,
                name=tournament.name,
                date=timezone.localtime(tournament.starts_at).date(),
                # A custom or changed rule set is written out in the file.
                rule_set=name if is_known else in_order(tournament.rule_set),
                series=tournament.serien.count(),
            )
        ),
        "clubs": [to_json(ClubPart(name=club.name)) for club in sections.CLUBS.find(tournament)],
        "registrations": to_json(tuple(_registrations(tournament))),
        "series": list(_series(tournament)),
        "playoffs": [to_json(PlayoffPart(order=tuple(playoff.order))) for playoff in playoffs],
    }


def _registrations(tournament: Tournament) -> Iterator[RegistrationPart]:
    members = TeamMember.objects.filter(ranking__tournament=tournament).order_by("-pk")
    team_of = dict(members.values_list("registration", "team__name"))  # the first of several
    paid = balances.paid_by_registration(tournament)
    for registration in sections.REGISTRATIONS.find(tournament).select_related("person", "club"):
        yield RegistrationPart(
            number=registration.number,
            first_name=registration.person.first_name,
            last_name=registration.person.last_name,
            club=registration.club.name if registration.club else None,
            team=team_of.get(registration.pk),
            status=registration.status,
            paid_cents=paid.get(registration.pk, 0),
        )


def _series(tournament: Tournament) -> Iterator[Row]:
    seats: dict[int, list[Seat]] = defaultdict(list)
    for seat in sections.SEATS.find(tournament).select_related("registration"):
        seats[seat.table_id].append(seat)
    games: dict[int, list[AmbiguousLine]] = defaultdict(list)
    for of_list, line in sections.GAMES.find(tournament).values_list("spielliste", "line"):
        games[of_list].append(line_from_json(line))
    penalties: dict[int, list[Penalty]] = defaultdict(list)
    for penalty in sections.PENALTIES.find(tournament).filter(status=Penalty.Status.GIVEN):
        penalties[penalty.spielliste_id].append(penalty)
    tables: dict[int, list[Row]] = defaultdict(list)
    for table in sections.TABLES.find(tournament).select_related("serie", "spielliste"):
        spielliste = table.spielliste
        part = TablePart(
            number=table.number,
            seats=tuple(seat.registration.number or 0 for seat in seats[table.pk]),
            list=ListPart(
                status=spielliste.status,
                games=lines_to_json(games[spielliste.pk]),
                penalties=_penalties(penalties[spielliste.pk], seats[table.pk]),
                ended=_end(spielliste),
            ),
        )
        written = to_json(part)
        if part.list.ended is None:
            del written["list"]["ended"]
        tables[table.serie.number].append(written)
    for number in sorted(tables):
        yield {"number": number, "tables": tables[number]}


def _end(spielliste: Spielliste) -> EndedListPart | None:
    """Return the result of a list that ended early; None without one."""
    games, counts = spielliste.ended_games, spielliste.ended_counts
    if games is None or counts == Tournament.EndedLists.NONE:
        return None
    return EndedListPart(games=games, counts=Tournament.EndedLists(counts))


def _penalties(penalties: Iterable[Penalty], seats: Iterable[Seat]) -> list[Row]:
    """Return the Strafpunkte of the players at the table.

    Those of a player who was moved to another table are only in the section of penalties.
    """
    seat_of = {seat.registration_id: place for place, seat in enumerate(seats, start=1)}
    return [
        {
            "seat": seat_of[penalty.registration_id],
            "points": penalty.points,
            "reason": penalty.reason,
        }
        for penalty in penalties
        if penalty.registration_id in seat_of
    ]
