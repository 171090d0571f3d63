"""A tournament as the file has it: the part that is fixed, and everything else beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.db import models
from django.utils import timezone

from scoring.reading.interchange import line_from_json, lines_to_json
from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.reading.strict_json import dump
from scoring.rulesets import all_rulesets
from tournaments.archive import sections
from tournaments.archive.rows import Positions, Row, Section, dump_row, in_order
from tournaments.archive.seal import sealed
from tournaments.cash.queries import balances
from tournaments.journal import services as journal
from tournaments.journal.queries.seals import seals_of
from tournaments.models import (
    ArchivedJournal,
    Club,
    JournalChain,
    JournalEntry,
    Penalty,
    Person,
    Playoff,
    Registration,
    Seat,
    Serie,
    Spielliste,
    Table,
    TeamMember,
    Tournament,
    User,
)

FORMAT, VERSION = "romme-turnier", 1
# What is written of an act, in this order.
ENTRY = (
    "number",
    "at",
    "actor_kind",
    "actor",
    "actor_label",
    "action",
    "subject_type",
    "subject_id",
    "before",
    "after",
    "reason",
    "previous",
    "hash",
)
Progress = Callable[[int, int], None]


def archive_text(tournament: Tournament, progress: Progress | None = None) -> str:
    """Return the sealed file of a tournament; the same tournament gives the same bytes."""
    return dump(sealed(archive_of(tournament, progress), seals_of(tournament)))


def archive_of(tournament: Tournament, progress: Progress | None = None) -> dict[str, Any]:
    """Return a tournament as ``docs/formats.md`` 3 has it, every section included.

    Sections without a row are left out.
    """
    positions = _positions(tournament)
    written = _required(tournament)
    everything = (*sections.DETAILS, *sections.BEFORE, *sections.AFTER)
    rows: dict[str, list[Row]] = {}
    for done, section in enumerate(everything, start=1):
        rows[section.name] = _rows(section, tournament, positions)
        if progress is not None:
            progress(done, len(everything) + 1)
    # Who acted stands there by name only: passwords and addresses stay where they are.
    accounts = [{"username": user.username, "name": user.name} for user in _users(tournament)]
    found: dict[str, Any] = {sections.ACCOUNTS: accounts, **rows}
    found[sections.JOURNAL] = _journal(tournament, positions)
    return written | {name: found[name] for name in sections.NAMES if found[name]}


def _rows(section: Section, tournament: Tournament, positions: Positions) -> list[Row]:
    found = section.find(tournament)
    many = [each.name for each in section.many()]
    return [dump_row(section, row, positions) for row in found.prefetch_related(*many)]


def _positions(tournament: Tournament) -> Positions:
    positions = Positions()
    for section in (*sections.BEFORE, *sections.AFTER):
        if section is not sections.FORMER_PERSONS:
            positions.put(section.model, _keys(section.find(tournament)))
    positions.put(Club, _keys(_clubs(tournament)))
    # Persons who play come first, in the order of the registrations; then those who left.
    playing = sections.registrations(tournament).values_list("person", flat=True)
    positions.put(Person, [*playing, *_keys(sections.former_persons(tournament))])
    positions.put(Registration, _keys(sections.registrations(tournament)))
    positions.put(Serie, _keys(sections.SERIEN.find(tournament)))
    positions.put(Table, _keys(sections.tables(tournament)))
    positions.put(Spielliste, _keys(sections.lists(tournament)))
    positions.put(User, _keys(_users(tournament)))
    return positions


def _keys(found: models.QuerySet[Any]) -> list[int]:
    return list(found.values_list("pk", flat=True))


def _clubs(tournament: Tournament) -> models.QuerySet[Club]:
    """Return the clubs of the registrations and of the persons, by their sort keys."""
    former = sections.former_persons(tournament).values("pk")
    return (
        Club.objects.filter(
            models.Q(registrations__tournament=tournament)
            | models.Q(persons__registrations__tournament=tournament)
            | models.Q(persons__pk__in=former)
        )
        .distinct()
        .order_by("sort_key")
    )


def _users(tournament: Tournament) -> models.QuerySet[User]:
    """Return the accounts that any row or act names, by their log-in names."""
    named: set[int | None] = set()
    for section in (*sections.DETAILS, *sections.BEFORE, *sections.AFTER):
        for field in section.fields():
            if field.related_model is User:
                named.update(section.find(tournament).values_list(field.attname, flat=True))
    acts = JournalEntry.objects.filter(chain__tournament=tournament)
    named.update(acts.values_list("actor", flat=True).distinct())
    for archived in ArchivedJournal.objects.filter(tournament=tournament):
        named.update(archived.accounts.values())
    return User.objects.filter(pk__in=[key for key in named if key is not None]).order_by(
        "username"
    )


# --- The required part ------------------------------------------------------------------


def _required(tournament: Tournament) -> dict[str, Any]:
    known = {rule_set.id: ruleset_to_dict(rule_set) for rule_set in all_rulesets()}
    name = tournament.rule_set["id"]
    return {
        "format": FORMAT,
        "version": VERSION,
        "tournament": {
            "slug": tournament.slug,
            "name": tournament.name,
            "date": timezone.localtime(tournament.starts_at).date().isoformat(),
            # An own or changed rule set stands in the file itself.
            "rule_set": name
            if known.get(name) == tournament.rule_set
            else in_order(tournament.rule_set),
            "series": tournament.serien.count(),
        },
        "clubs": [{"name": club.name} for club in _clubs(tournament)],
        "registrations": _registrations(tournament),
        "series": _series(tournament),
        "playoffs": [
            {"order": order}
            for order in Playoff.objects.filter(
                tournament=tournament,
                ranking__isnull=True,
                serie__isnull=True,
                withdrawn_at__isnull=True,
            )
            .order_by("pk")
            .values_list("order", flat=True)
        ],
    }


def _registrations(tournament: Tournament) -> list[Row]:
    team_of: dict[int, str] = {}
    members = TeamMember.objects.filter(ranking__tournament=tournament).order_by("pk")
    for registration, name in members.values_list("registration", "team__name"):
        team_of.setdefault(registration, name)
    paid = balances.paid_by_registration(tournament)
    return [
        {
            "number": one.number,
            "first_name": one.person.first_name,
            "last_name": one.person.last_name,
            "club": one.club.name if one.club else None,
            "team": team_of.get(one.pk),
            "status": one.status,
            "paid_cents": paid.get(one.pk, 0),
        }
        for one in sections.registrations(tournament).select_related("person", "club")
    ]


def _series(tournament: Tournament) -> list[Row]:
    seats: dict[int, list[tuple[int, int]]] = {}  # table -> start number, registration
    found = Seat.objects.filter(serie__tournament=tournament).order_by("number")
    for at, number, key in found.values_list("table", "registration__number", "registration"):
        seats.setdefault(at, []).append((number or 0, key))
    games: dict[int, list[Any]] = {}
    for of_list, line in sections.games(tournament).values_list("spielliste", "line"):
        games.setdefault(of_list, []).extend(lines_to_json([line_from_json(line)]))
    penalties: dict[int, list[Penalty]] = {}
    for penalty in sections.PENALTIES.find(tournament).filter(status=Penalty.Status.GIVEN):
        penalties.setdefault(penalty.spielliste_id, []).append(penalty)
    rows: dict[int, list[Row]] = {}
    for table in sections.tables(tournament).select_related("serie", "spielliste"):
        of_list = table.spielliste.pk
        rows.setdefault(table.serie.number, []).append(
            {
                "number": table.number,
                "seats": [number for number, _key in seats.get(table.pk, [])],
                "list": {
                    "status": table.spielliste.status,
                    "games": games.get(of_list, []),
                    "penalties": _penalties(penalties.get(of_list, []), seats.get(table.pk, [])),
                    **_ended(table.spielliste),
                },
            }
        )
    return [{"number": number, "tables": tables} for number, tables in sorted(rows.items())]


def _ended(spielliste: Spielliste) -> Row:
    """Return how a list counts that ended early; nothing of one that counts for nobody."""
    if not spielliste.is_ended or spielliste.ended_counts == Tournament.EndedLists.NONE:
        return {}
    return {"ended": {"games": spielliste.ended_games, "counts": spielliste.ended_counts}}


def _penalties(penalties: Iterable[Penalty], seats: Iterable[tuple[int, int]]) -> list[Row]:
    """Return the Strafpunkte of those at the table.

    Whoever was moved to another table has theirs in the section of its own alone.
    """
    seat_of = {key: seat for seat, (_number, key) in enumerate(seats, start=1)}
    return [
        {
            "seat": seat_of[penalty.registration_id],
            "points": penalty.points,
            "reason": penalty.reason,
        }
        for penalty in penalties
        if penalty.registration_id in seat_of
    ]


# --- The journal ------------------------------------------------------------------------


def _journal(tournament: Tournament, positions: Positions) -> list[Row]:
    """Return every chain of the tournament: those that came with an archive, then its own."""
    chains = [
        {
            "scope": archived.scope,
            "accounts": _places(archived.accounts, positions),
            # One of an older program does not say it.
            **({"keys": _keys_brought(archived, positions)} if archived.keys else {}),
            "entries": [_entry(entry) for entry in archived.entries],
        }
        for archived in ArchivedJournal.objects.filter(tournament=tournament).order_by("pk")
    ]
    own = JournalEntry.objects.filter(chain__tournament=tournament).order_by("number")
    entries = [
        _entry({**journal.facts_of(entry), "hash": entry.hash})
        for entry in own.iterator(chunk_size=500)
    ]
    if entries:
        scope = JournalChain.objects.get(tournament=tournament).scope
        named = {str(entry["actor"]): entry["actor"] for entry in entries if entry["actor"]}
        chains.append(
            {
                "scope": scope,
                "accounts": _places(named, positions),
                "keys": {
                    model._meta.model_name or "": _in_order_of_keys(positions.places(model))
                    for model in sections.IN_JOURNAL
                },
                "entries": entries,
            }
        )
    return chains


def _keys_brought(archived: ArchivedJournal, positions: Positions) -> Row:
    """Return where the rows stand that the entries of another installation name by its keys."""
    found: Row = {}
    for model in sections.IN_JOURNAL:
        places = positions.places(model)
        brought = archived.keys[model._meta.model_name]
        found[model._meta.model_name or ""] = _in_order_of_keys(
            {int(key): places[here] for key, here in brought.items() if here in places}
        )
    return found


def _in_order_of_keys(places: Mapping[int, int]) -> dict[str, int]:
    return {str(key): places[key] for key in sorted(places)}


def _places(accounts: dict[str, int], positions: Positions) -> dict[str, int | None]:
    return {key: positions.place(User, accounts[key]) for key in sorted(accounts, key=int)}


def _entry(facts: Row) -> Row:
    return {key: in_order(facts[key]) for key in ENTRY}
