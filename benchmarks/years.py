"""What pages and archives cost after ten years of weekly evenings, beside the first twenty of them.

    make bench ONLY=years

Each evening has 40 players at ten tables in three Serien, and 2,000 entries in its journal. It
brings 40 persons, eight of whom play; the others come every week. The same pages of the newest
evening are asked after 20 evenings and after 500, in processor time, the best of some runs. Then
one tournament with 40,000 entries is proved and written, each in a process of its own, beside one
with a tenth: how much memory each further entry takes.
"""

# Models can be imported only after the database was chosen and Django set up.
# ruff: noqa: PLC0415

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import islice
from multiprocessing import get_context
from typing import Any

from benchmarks.processes import peak_kilobytes
from benchmarks.results import Place, Row
from benchmarks.standings import game

FEW, MANY, MANY_QUICK = 20, 500, 60  # evenings
ENTRIES, ENTRIES_QUICK = 2_000, 200  # of one evening
LONG, LONG_QUICK = 40_000, 10_000  # entries of one tournament
CLUBS, PLAYERS, REGULARS, SERIEN, GAMES, SEATS = 200, 40, 32, 3, 12, 4
WANTED, WANTED_KILOBYTES = 3, 3
RUNS = 3
BEGINNINGS = ("Ber", "Hel", "Kra", "Lan", "Mei", "Nor", "Pol", "Rei", "Tan", "Wag", "Zim", "Dor")
MIDDLES = ("an", "el", "in", "or", "un", "ar", "er", "ol", "ich", "eck", "ing", "ett", "ild")
ENDINGS = ("mann", "berg", "ner", "stein", "feld", "hofer", "ke", "sen", "hardt", "bach", "wald")
FIRST = (
    "Anna",
    "Berta",
    "Carl",
    "Dora",
    "Emil",
    "Frieda",
    "Georg",
    "Hanna",
    "Ida",
    "Jens",
    "Karla",
)


class Years:
    """The evenings so far, with what each new one needs of them."""

    def __init__(self, entries: int) -> None:
        from tests.factories import make_user
        from tournaments.common.organisers import first_organiser
        from tournaments.models import Club, User

        self.entries = entries
        self.chance = random.Random(1)
        self.admin: User = make_user(is_admin=True)
        clubs = [Club(owner=first_organiser(), name=f"Verein {number}") for number in range(CLUBS)]
        for club in clubs:
            club.tidy()
        self.clubs = Club.objects.bulk_create(clubs)
        self.regulars: list[Any] = []
        self.evenings: list[Any] = []
        self.copied: list[Any] = []

    def go_on(self, upto: int) -> None:
        """Store further evenings until there are so many, the newest a week ago."""
        from django.db import transaction

        while len(self.evenings) < upto:
            with transaction.atomic():
                self._evening(is_asked=len(self.evenings) + 1 == upto)

    def _evening(self, *, is_asked: bool) -> None:
        from tests.factories import make_tournament
        from tournaments.models import Membership, Role, Tournament

        number = len(self.evenings)
        tournament = make_tournament(
            slug=f"abend-{number}",
            name=f"Abend {number}",
            serien=SERIEN,
            status=Tournament.Status.CLOSED,
            starts_at=datetime.now(UTC) - timedelta(weeks=MANY - number + 1),
        )
        new = self._persons()
        self.regulars = self.regulars or new[:REGULARS]
        self.play_in(tournament, [*self.regulars, *new[REGULARS:]])
        Membership.objects.create(tournament=tournament, user=self.admin, role=Role.VERANSTALTER)
        if is_asked or not self.evenings:
            journalled(tournament, self.admin, self.entries)
        else:
            self._copy_journal(tournament)
        self.evenings.append(tournament)

    def _copy_journal(self, tournament: Any) -> None:
        """Store the entries of the first evening once more, unsealed; nobody asks for them."""
        from tournaments.journal import services as journal
        from tournaments.models import JournalChain, JournalEntry

        scope = journal.scope_of(tournament)
        chain = JournalChain.objects.create(scope=scope, tournament=tournament)
        if not self.copied:
            first = JournalEntry.objects.filter(chain__tournament=self.evenings[0])
            self.copied = list(first.order_by("number")[: self.entries - 1])
        for entry in self.copied:
            entry.pk, entry.chain = None, chain
        JournalEntry.objects.bulk_create(self.copied)

    def _persons(self) -> list[Any]:
        from tournaments.models import Person

        # The regulars and their like are of a few clubs, which gather the most.
        return Person.objects.bulk_create(
            person(self.chance, self.clubs[at % (8 if at % 2 else CLUBS)])
            for at in self.chance.sample(range(1000), PLAYERS)
        )

    def play_in(self, tournament: Any, people: list[Any] | None = None) -> None:
        """Let people play, by default the newest; everything is stored and checked."""
        from tests.factories_lists import make_seated_serie
        from tournaments.models import Game, Registration, Spielliste

        category = tournament.categories.get()
        field = Registration.objects.bulk_create(
            Registration(
                tournament=tournament,
                person=one,
                number=number,
                status=Registration.Status.PAID,
                category=category,
                club=one.club,
            )
            for number, one in enumerate(people or self._persons(), start=1)
        )
        now = datetime.now(UTC)
        for number in range(1, SERIEN + 1):
            self.chance.shuffle(field)
            seats = [field[at : at + SEATS] for at in range(0, PLAYERS, SEATS)]
            serie = make_seated_serie(tournament, seats, number=number)
            lists = Spielliste.objects.filter(table__serie=serie)
            Game.objects.bulk_create(
                Game(spielliste=one, number=n, line=game(self.chance), entered_at=now)
                for one in lists
                for n in range(1, GAMES + 1)
            )
            lists.update(status=Spielliste.Status.VERIFIED, handed_in_at=now, verified_at=now)


def person(chance: random.Random, club: Any) -> Any:
    """A person whom nobody stored yet, with one of 1,716 last names."""
    from tournaments.models import Person

    parts = (chance.choice(one) for one in (BEGINNINGS, MIDDLES, ENDINGS))
    found = Person(
        first_name=chance.choice(FIRST),
        last_name="".join(parts),
        club=club,
        owner=club.owner,
        birth_year=chance.randint(1940, 2005),
    )
    found.tidy()
    return found


def journalled(tournament: Any, user: Any, number: int) -> None:
    """Store so many entries of a tournament, as acts had written them, and one with all rows."""
    from tournaments.journal import proof
    from tournaments.journal import services as journal
    from tournaments.models import JournalChain, JournalEntry, Registration
    from tournaments.models.journal import GENESIS

    scope = journal.scope_of(tournament)
    chain = JournalChain.objects.create(scope=scope, tournament=tournament)
    keys = list(Registration.objects.filter(tournament=tournament).values_list("pk", flat=True))
    now, previous = datetime.now(UTC), GENESIS

    def entries() -> Iterator[Any]:
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

    made = entries()
    while some := list(islice(made, 2_000)):
        JournalEntry.objects.bulk_create(some)
    chain.last_number, chain.last_hash = max(0, number - 1), previous
    chain.mac = journal.end_mac(scope, chain.last_number, previous)
    chain.save()
    proof.baseline_proof(tournament)


# --- Pages ------------------------------------------------------------------------------------


def pages(years: Years) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield what is asked, by name; all of it shows as much after one year as after ten."""
    from django.test import Client
    from django.urls import reverse

    from tournaments.archive.writing import archive_text
    from tournaments.journal import proof
    from tournaments.people.queries.duplicates import look_alikes

    evening = years.evenings[-1]
    known = years.regulars[0]
    client = Client()
    client.force_login(years.admin)

    def get(name: str, *args: object, **query: str) -> Callable[[], object]:
        def ask() -> None:
            answer = client.get(reverse(name, args=args), query)
            if answer.status_code != 200:
                raise RuntimeError(f"{name} was answered with {answer.status_code}")

        return ask

    yield "start page", get("public:start")
    yield "my tournaments", get("setup:tournaments")
    yield "overview of an evening", get("setup:tournament", evening.slug)
    yield "desk of an evening", get("desk:list", evening.slug)
    yield "public ranking of an evening", get("results_public:overall", evening.slug)
    yield "journal of an evening", get("journal:page", evening.slug)
    yield "persons", get("people:persons")
    yield "search of a person", get("people:persons", q=known.last_name)
    yield "search of a person, one letter wrong", get("people:persons", q=f"x{known.last_name}")
    yield (
        "a person with a new name",
        lambda: look_alikes(
            known.last_name[:-1],
            known.first_name,
            club_id=known.club_id,
            birth_year=None,
            owner=known.owner_id,
        ),
    )
    yield "clubs", get("people:clubs")
    yield "what is to be deleted", get("operator:due")
    yield "archive of an evening", lambda: archive_text(evening)
    yield "proof of an evening", lambda: list(proof.of_tournament(evening))


def measure(years: Years) -> dict[str, tuple[float, int]]:
    """Return the milliseconds and the statements of each."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    found = {}
    for name, ask in pages(years):
        with CaptureQueriesContext(connection) as asked:
            ask()  # what is loaded at the first use, too
            statements = len(asked)
        times = []
        for _run in range(RUNS):
            begun = time.process_time()
            ask()
            times.append(time.process_time() - begun)
        found[name] = 1000 * min(times), statements
    return found


# --- Memory -----------------------------------------------------------------------------------


def peak(slug: str, what: str) -> int:
    """Return the kilobytes that a process used at most for proving or writing a tournament."""
    import django

    django.setup()
    from tournaments.archive.job import EXPORT, export_job
    from tournaments.journal import proof
    from tournaments.models import Job, Tournament

    tournament = Tournament.objects.get(slug=slug)
    if what == "proof":
        if found := list(proof.of_tournament(tournament)):
            raise RuntimeError(found[0].sentence)
    else:
        job = Job.objects.create(kind=EXPORT, tournament=tournament)
        export_job(job, lambda _done, _of: None)
    return peak_kilobytes()


def memory(years: Years, entries: int) -> Iterator[Row]:
    """Measure what each further entry of one tournament takes."""
    from django.db import connections

    from tests.factories import make_tournament

    for number in (entries // 10, entries):
        tournament = make_tournament(slug=f"lang-{number}")
        years.play_in(tournament)
        journalled(tournament, years.admin, number)
    connections.close_all()
    for what in ("proof", "archive"):
        least, most = (_in_a_process(f"lang-{number}", what) for number in (entries // 10, entries))
        yield Row(
            name=f"{what} of {entries:,} entries, memory for each further one",
            value=(most - least) / (entries - entries // 10),
            unit="kB",
            ratio=most / least,
            beside="all memory with a tenth of them",
            wanted=WANTED_KILOBYTES,
            wanted_of="value",
        )


def _in_a_process(slug: str, what: str) -> int:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(peak, slug, what).result()


def rows(place: Place) -> Iterator[Row]:
    """Measure the first evenings, then all of them, then the memory."""
    place.set_up()
    from django.core.management import call_command

    call_command("collectstatic", interactive=False, verbosity=0)
    years = Years(ENTRIES_QUICK if place.is_quick else ENTRIES)
    years.go_on(FEW)
    few = measure(years)
    evenings = MANY_QUICK if place.is_quick else MANY
    years.go_on(evenings)
    many = measure(years)
    for name, (milliseconds, asked) in many.items():
        yield Row(
            name=f"{evenings} evenings: {name}",
            value=milliseconds,
            unit="ms",
            ratio=milliseconds / few[name][0],
            beside=f"the same after {FEW} evenings",
            wanted=WANTED,
        )
        if asked > few[name][1] + 2:
            yield Row(
                name=f"{evenings} evenings: {name}, statements",
                value=asked,
                unit="",
                ratio=asked / few[name][1],
                beside=f"the same after {FEW} evenings",
                wanted=1,
            )
    yield from memory(years, LONG_QUICK if place.is_quick else LONG)
