"""The cost of pages and archives after ten years of weekly evenings, beside the first twenty.

Each evening has 40 players at ten tables in three Serien, and 2,000 entries in its journal. It
brings 40 persons, eight of whom play; the others come every week. The same pages of the newest
evening are opened after 20 evenings and after 500, in processor time, the best of some runs. Then
one tournament with 40,000 entries is proved and written, each in a process of its own, beside one
with a tenth: how much memory each further entry takes.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import timedelta
from functools import partial
from itertools import islice
from multiprocessing import get_context

from django.core.management import call_command
from django.db import connection, connections, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from benchmarks.hall import names, play_all
from benchmarks.processes import peak_kilobytes
from benchmarks.results import Row
from benchmarks.servers import Place, call
from tests.clients import logged_in
from tests.factories import make_tournament, make_user
from tournaments.archive.archive_job import EXPORT, export_job
from tournaments.archive.writing import archive_text
from tournaments.common.organisers import first_organiser
from tournaments.journal import proof
from tournaments.journal import services as journal
from tournaments.models import (
    Club,
    Job,
    JournalChain,
    JournalEntry,
    Membership,
    Person,
    Registration,
    Role,
    Tournament,
    User,
)
from tournaments.models.journal import GENESIS
from tournaments.people.queries.duplicates import look_alikes

FEW, MANY, MANY_QUICK = 20, 500, 60  # evenings
ENTRIES, ENTRIES_QUICK = 2_000, 200  # of one evening
LONG, LONG_QUICK = 40_000, 10_000  # entries of one tournament
CLUBS, PLAYERS, REGULARS = 200, 40, 32
RUNS = 3


class Years:
    """The evenings so far, with what each new one needs of them."""

    def __init__(self, entries: int) -> None:
        self.entries = entries
        self.chance = random.Random(1)
        self.names = names("A")
        self.admin: User = make_user(is_admin=True)
        clubs = [Club(owner=first_organiser(), name=f"Verein {number}") for number in range(CLUBS)]
        for club in clubs:
            club.tidy()
        self.clubs = Club.objects.bulk_create(clubs)
        self.evenings: list[Tournament] = []
        self.regulars = self.persons()[:REGULARS]
        self.copied: list[JournalEntry] = []

    def go_on(self, upto: int) -> None:
        """Store further evenings until there are so many, the newest a week ago."""
        for number in range(len(self.evenings), upto):
            with transaction.atomic():
                weeks = timedelta(weeks=MANY - number + 1)
                tournament = make_tournament(
                    slug=f"abend-{number}",
                    name=f"Abend {number}",
                    status=Tournament.Status.CLOSED,
                    starts_at=timezone.now() - weeks,
                )
                self.play(tournament, [*self.regulars, *self.persons()[REGULARS:]])
                member = {"user": self.admin, "role": Role.VERANSTALTER}
                Membership.objects.create(tournament=tournament, **member)
                if number in {0, upto - 1}:
                    write_journal(tournament, self.admin, self.entries)
                else:
                    self.copy_journal(tournament)
            self.evenings.append(tournament)

    def copy_journal(self, tournament: Tournament) -> None:
        """Store the entries of the first evening once more, unsealed; they are never read."""
        scope = journal.scope_of(tournament)
        chain = JournalChain.objects.create(scope=scope, tournament=tournament)
        if not self.copied:
            first = JournalEntry.objects.filter(chain__tournament=self.evenings[0])
            self.copied = list(first.order_by("number")[: self.entries - 1])
        for entry in self.copied:
            entry.pk, entry.chain = None, chain
        JournalEntry.objects.bulk_create(self.copied)

    def persons(self) -> list[Person]:
        """Store new persons; half of them are of a few clubs, which gather the most."""
        persons = []
        for at in self.chance.sample(range(1000), PLAYERS):
            club = self.clubs[at % (8 if at % 2 else CLUBS)]
            first_name, last_name = self.chance.choice(self.names)
            person = Person(
                first_name=first_name,
                last_name=last_name,
                club=club,
                owner=club.owner,
                birth_year=self.chance.randint(1940, 2005),
            )
            person.tidy()
            persons.append(person)
        return Person.objects.bulk_create(persons)

    def play(self, tournament: Tournament, people: list[Person]) -> None:
        """Register people, and store all their lists."""
        values = {"status": Registration.Status.PAID, "category": tournament.categories.get()}
        registrations = Registration.objects.bulk_create(
            Registration(
                tournament=tournament, person=person, club=person.club, number=number, **values
            )
            for number, person in enumerate(people, start=1)
        )
        play_all(tournament, registrations, self.chance)


def write_journal(tournament: Tournament, user: User, number: int) -> None:
    """Store so many entries of a tournament, as acts would write them, and one with all rows."""
    scope = journal.scope_of(tournament)
    chain = JournalChain.objects.create(scope=scope, tournament=tournament)
    keys = list(Registration.objects.filter(tournament=tournament).values_list("pk", flat=True))
    now, previous = timezone.now(), GENESIS

    def entries() -> Iterator[JournalEntry]:
        nonlocal previous
        for at in range(1, number):
            entry = JournalEntry(
                chain=chain,
                number=at,
                at=now,
                actor_kind=JournalEntry.ActorKind.ACCOUNT,
                actor=user,
                action="game_entered",
                subject_type="registration",
                subject_id=keys[at % len(keys)],
                before={"line": None, "version": at},
                after={"line": {"finisher": 1, "minus": [0, 31, at % 90, 4]}, "version": at + 1},
                previous_hash=previous,
                rows={f"registration/{keys[at % len(keys)]}": "0" * 32},
            )
            entry.hash = previous = journal.seal(journal.facts_of(entry), scope)
            yield entry

    new = entries()
    while batch := list(islice(new, 2_000)):
        JournalEntry.objects.bulk_create(batch)
    chain.last_number, chain.last_hash = number - 1, previous
    chain.mac = journal.end_mac(scope, chain.last_number, previous)
    chain.save()
    proof.baseline_proof(tournament)


def pages(years: Years) -> dict[str, Callable[[], object]]:
    """Return the pages to measure, by name; all show as much after one year as after ten."""
    evening, known = years.evenings[-1], years.regulars[0]
    browser = logged_in(years.admin)

    def get(name: str, *args: object, **query: str) -> None:
        answer = browser.get(reverse(name, args=args), query)
        if answer.status_code != 200:
            raise RuntimeError(f"{name} was answered with {answer.status_code}")

    return {
        "start page": partial(get, "public:start"),
        "my tournaments": partial(get, "setup:tournaments"),
        "overview of an evening": partial(get, "setup:tournament", evening.slug),
        "desk of an evening": partial(get, "desk:list", evening.slug),
        "public ranking of an evening": partial(get, "results_public:overall", evening.slug),
        "journal of an evening": partial(get, "journal:page", evening.slug),
        "persons": partial(get, "people:persons"),
        "search of a person": partial(get, "people:persons", q=known.last_name),
        "search of a person, one letter wrong": partial(
            get, "people:persons", q=f"x{known.last_name}"
        ),
        "a person with a new name": partial(
            look_alikes,
            known.last_name[:-1],
            known.first_name,
            club_id=known.club_id,
            birth_year=None,
            owner=known.owner_id,
        ),
        "clubs": partial(get, "people:clubs"),
        "what is to be deleted": partial(get, "operator:due"),
        "archive of an evening": partial(archive_text, evening),
        "proof of an evening": lambda: list(proof.of_tournament(evening)),
    }


def measure(years: Years) -> dict[str, tuple[float, int]]:
    """Return the milliseconds and the SQL statements of each."""
    results = {}
    for name, act in pages(years).items():
        with CaptureQueriesContext(connection) as captured:
            act()  # also loads modules at the first use
        seconds = []
        for _run in range(RUNS):
            begun = time.process_time()
            act()
            seconds.append(time.process_time() - begun)
        results[name] = 1000 * min(seconds), len(captured)
    return results


def peak(slug: str, what: str) -> int:
    """Return the kilobytes that a process used at most for proving or writing a tournament."""
    tournament = Tournament.objects.get(slug=slug)
    if what == "archive":
        job = Job.objects.create(kind=EXPORT, tournament=tournament)
        export_job(job, lambda _done, _of: None)
    elif breaks := list(proof.of_tournament(tournament)):
        raise RuntimeError(breaks[0].sentence)
    return peak_kilobytes()


def memory(years: Years, entries: int) -> Iterator[Row]:
    """Yield the rows of what each further entry of one tournament takes."""
    tenth = entries // 10
    for number in (tenth, entries):
        tournament = make_tournament(slug=f"lang-{number}")
        years.play(tournament, years.persons())
        write_journal(tournament, years.admin, number)
    connections.close_all()
    for what in ("proof", "archive"):
        peaks = []
        for number in (tenth, entries):
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
                peaks.append(process.submit(call, "years.peak", f"lang-{number}", what).result())
        name = f"{what} of {entries:,} entries, memory for each further one"
        each, ratio = (peaks[1] - peaks[0]) / (entries - tenth), peaks[1] / peaks[0]
        yield Row(name, each, "kB", ratio, "all memory with a tenth of them", most=3)


def rows(place: Place) -> Iterator[Row]:
    """Measure the first evenings, then all of them, then the memory."""
    call_command("collectstatic", interactive=False, verbosity=0)
    years = Years(ENTRIES_QUICK if place.is_quick else ENTRIES)
    evenings = MANY_QUICK if place.is_quick else MANY
    years.go_on(FEW)
    few = measure(years)
    years.go_on(evenings)
    beside = f"the same after {FEW} evenings"
    for what, (milliseconds, statements) in measure(years).items():
        before, statements_before = few[what]
        name = f"{evenings} evenings: {what}"
        yield Row(name, milliseconds, "ms", milliseconds / before, beside, most_ratio=3)
        if statements > statements_before + 2:
            ratio = statements / statements_before
            yield Row(f"{name}, statements", statements, "", ratio, beside, most_ratio=1)
    yield from memory(years, LONG_QUICK if place.is_quick else LONG)
