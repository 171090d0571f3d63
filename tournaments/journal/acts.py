"""Acts: functions that change a tournament, with the steps that all of them share.

A function that :class:`Acts` decorates is called with the actor and the key of the row that it is
about. In one transaction the decorator locks the tournament and reads the row, refuses what state
or role do not allow, trims and demands the reason, runs the function, and writes into the journal
what the function did through its :class:`Act`. Further code of the same transaction runs within
:meth:`ActFunction.locked`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import reduce, update_wrapper
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from django.db import transaction
from django.db.models import Model, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, NotAllowed, TournamentError
from tournaments.common.organisers import roles_in
from tournaments.common.raw_sql import lock_tournament_of, row_with_owners
from tournaments.common.short_texts import clean_line
from tournaments.common.states import States
from tournaments.journal import services as journal
from tournaments.journal.rows import Hashes, hashes_in_memory
from tournaments.models import Role, Serie, Tournament
from tournaments.models.journal import JournalEntry
from tournaments.models.rows import Row, explain_integrity_errors

SubjectT = TypeVar("SubjectT", bound=Row)
RowT = TypeVar("RowT", bound=Row)
ActArgs = ParamSpec("ActArgs")
ResultT = TypeVar("ResultT")

Performer = (
    Role | JournalEntry.ActorKind
)  # those who may do it: roles, or kinds of actors without an account

LONGEST_REASON = 500
_GONE = _("Das hat gerade schon jemand anderes getan.")


@dataclass(slots=True)
class _Entry:
    """The content of a journal entry that is not written yet."""

    action: str
    subject: Model | None = None
    reason: str | None = None  # None: the reason of the act
    before: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)
    added: list[Model] = field(default_factory=list)
    touched: list[Model] = field(default_factory=list)
    hashes: Hashes = field(default_factory=dict)
    at: datetime | None = None
    is_needed: bool = False


class Act(Generic[SubjectT]):
    """A running act: its locked row, the actor, the reason, and the changes so far.

    Args:
        tournament: locked until the transaction ends.
        row: the object of the act; the tournament itself for acts on the whole of it.
        actor: that does the act.
        action: name of its entry in the journal.
        reason: trimmed; goes into the journal.
        is_part: of another act.
    """

    def __init__(
        self,
        tournament: Tournament,
        row: SubjectT,
        actor: Actor,
        *,
        action: str = "",
        reason: str = "",
        is_part: bool = False,
    ) -> None:
        self.tournament = tournament
        self.row = row
        self.actor = actor
        self.reason = reason
        self.is_part = is_part
        self.held: list[Model | None] = [tournament, row, actor.user]  # are there until it ends
        self._entry = self._next(action)

    def _next(self, action: str) -> _Entry:
        is_of_all = self.row is self.tournament  # then its subject is the first added row
        return _Entry(action, None if is_of_all else self.row)

    def add(self, row: RowT) -> RowT:
        """Check and store a new row; its foreign keys are looked up, unless their rows are held."""
        columns: list[Any] = list(row._meta.concrete_fields)
        referring = [column for column in columns if column.is_relation and column.is_cached(row)]
        held = [column.name for column in referring if getattr(row, column.name) in self.held]
        row.full_clean(exclude=held, validate_constraints=False)
        with explain_integrity_errors(row):
            row.save(force_insert=True)
        row.read = {column.attname: getattr(row, column.attname) for column in columns}
        self.held.append(row)
        noted = {name: _noted(row, name) for name in row.journalled}
        self._entry.after |= {
            name: value for name, value in noted.items() if value not in {None, ""}
        }
        self.touch(row)
        self._entry.added.append(row)
        if self._entry.subject is None:
            self._entry.subject = row
        return row

    def add_all(self, new: Iterable[RowT]) -> list[RowT]:
        """Store new rows of one model in one statement."""
        rows = list(new)
        if rows:
            stored: QuerySet[Any] = QuerySet(type(rows[0]))
            stored.bulk_create(rows)
            self.touch(*rows)
        return rows

    def change_all(self, queryset: QuerySet[Any], **values: Any) -> int:
        """Set fields of all these rows in one statement; return how many there are."""
        changed = list(queryset)
        QuerySet(queryset.model).filter(pk__in=[row.pk for row in changed]).update(**values)
        self.touch(*changed)
        return len(changed)

    def touch(self, *changed: Model) -> None:
        """Note rows that are changed by other ways, for the proof."""
        self._entry.touched += changed
        self._entry.is_needed = self._entry.is_needed or bool(changed)

    def prove(self, *held: Row) -> None:
        """Note rows for the proof whose instances are as stored, read under the lock; no query."""
        self._entry.hashes |= hashes_in_memory(held)
        self._entry.is_needed = True

    def store(self, row: RowT) -> RowT:
        """Check and store the changed fields of a row, if there are any; return it."""
        before = row.changed()
        if not before:
            return row
        names = list(before)
        row.clean_fields(exclude={field.name for field in row._meta.fields} - set(names))
        with explain_integrity_errors(row):
            row.save(update_fields=names)
        row.remember(names)
        is_new = row in self._entry.added
        for name in row.journalled:
            if name in before:
                self._entry.after[name] = _noted(row, name)
                if not is_new:
                    self._entry.before.setdefault(name, _plain(before[name]))
        self.touch(row)
        return row

    def remove(self, row: Model) -> None:
        """Delete a row."""
        pk = row.pk
        row.delete()
        row.pk = pk  # for the entry
        self.touch(row)

    def note(self, *, before: journal.Facts | None = None, **after: Any) -> None:
        """Add facts to the entry that are no journalled fields; no names of persons."""
        self._entry.before |= before or {}
        self._entry.after |= after
        self._entry.is_needed = True

    @contextmanager
    def entry(
        self,
        action: str,
        subject: Model | None = None,
        reason: str = "",
        at: datetime | None = None,
    ) -> Iterator[None]:
        """Record the changes within the block in an entry of its own."""
        self.write()
        outer, self._entry = self._entry, _Entry(action, subject, reason, at=at)
        try:
            yield
            self.write()
        finally:
            self._entry = outer

    def write(self) -> None:
        """Write the entry of the changes so far, if there are any."""
        entry, self._entry = self._entry, self._next(self._entry.action)
        if not entry.is_needed:
            return
        journal.record(
            self.tournament,
            self.actor,
            entry.action,
            self.row if entry.subject is None else entry.subject,
            before=entry.before,
            after=entry.after,
            reason=self.reason if entry.reason is None else entry.reason,
            at=entry.at,
            rows=entry.touched,
            hashes=entry.hashes,
        )


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


def _noted(row: Row, name: str) -> Any:
    return _plain(getattr(row, row._meta.get_field(name).attname))  # type: ignore[union-attr]


@dataclass(frozen=True, slots=True)
class Rule:
    """By whom, on which model, and in which states an act may be done."""

    name: str
    entry: str  # its name in the journal
    on: type[Row]
    by: frozenset[Performer]
    when: States
    needs_reason: bool


class ActFunction(Generic[ActArgs, ResultT]):
    """The callable of an act: for an actor, or as part of another act of the same tournament."""

    def __init__(
        self,
        rule: Rule,
        do: Callable[Concatenate[Act[Any], ActArgs], ResultT],
        *,
        reason: str | Promise | None,
        gone: str | Promise,
    ) -> None:
        self.rule = rule
        self._do = do
        self._reason = reason
        self._gone = gone
        update_wrapper(self, do)

    def __call__(
        self,
        by: Actor | Act[Any],
        pk: int,
        reason: str = "",
        *args: ActArgs.args,
        **kwargs: ActArgs.kwargs,
    ) -> ResultT:
        """Do the act, or refuse it without storing anything.

        Raises:
            Conflict: if the row was deleted.
            WrongStatus: if the state does not allow it.
            NotAllowed: if the actor may not.
            TournamentError: if a reason is missing, and as the act itself does.
        """
        with self.locked(by, pk) as act:
            return self.run(act, reason, *args, **kwargs)

    @contextmanager
    def locked(self, by: Actor | Act[Any], pk: int) -> Iterator[Act[Any]]:
        """Begin the act's transaction, lock the tournament and read the row; nothing is asked yet.

        Raises:
            Conflict: if the row was deleted.
        """
        if isinstance(by, Act):
            by.write()  # outside: it stays if this act is refused and that one goes on
        with transaction.atomic():
            tournament, row = self._lock(by, pk)
            is_part, action = isinstance(by, Act), self.rule.entry
            actor = by.actor if isinstance(by, Act) else by
            yield Act(tournament, row, actor, action=action, is_part=is_part)

    def run(
        self, act: Act[Any], reason: str = "", *args: ActArgs.args, **kwargs: ActArgs.kwargs
    ) -> ResultT:
        """Ask state, role and reason of a locked act, do it, and write its entry.

        Raises as :meth:`__call__` does.
        """
        self.rule.when.check(*self._around(act.row), act.row)
        if not act.is_part:
            _check_role(act.actor, self.rule.by, act.tournament)
        act.reason = clean_line(reason)
        if self._reason is not None and not act.reason:
            raise TournamentError(str(self._reason))
        _check_length(act.reason)
        with _collected_entries(act):
            done = self._do(act, *args, **kwargs)
            act.write()
        return done

    def refusal(self, row: Any) -> str:
        """Return why the states of *row* and of what it belongs to refuse the act, or nothing.

        Pages ask it before they offer a form; roles are theirs to ask.
        """
        return self.rule.when.refusal(*self._around(row), row)

    def _around(self, row: Any) -> tuple[Tournament, Serie | None]:
        owner = reduce(getattr, self.rule.on.within, row)
        tournament = owner if isinstance(owner, Tournament) else owner.tournament
        return tournament, owner if isinstance(owner, Serie) else None

    def _lock(self, by: Actor | Act[Any], pk: int) -> tuple[Tournament, Any]:
        on = self.rule.on
        path = () if on is Tournament else (*on.within, "tournament")
        tournament = by.tournament if isinstance(by, Act) else lock_tournament_of(on, pk, path)
        row: Any = tournament if on is Tournament else self._read(pk)
        if tournament is None or row is None:
            raise Conflict(str(self._gone))
        owner = reduce(getattr, on.within, row)
        # An act is part of another one in its own tournament only.
        if tournament.pk != (pk if on is Tournament else owner.tournament_id):
            raise Conflict(str(self._gone))
        if on is not Tournament:
            owner.tournament = tournament
        return tournament, row

    def _read(self, pk: int) -> Any:
        on = self.rule.on
        if not on.along:
            return row_with_owners(on, pk, on.within)
        rows: QuerySet[Any] = QuerySet(on).order_by().filter(pk=pk)
        owners = ("__".join(on.within),) if on.within else ()
        return next(iter(rows.select_related(*owners, *on.along)), None)


@contextmanager
def _collected_entries(act: Act[Any]) -> Iterator[None]:
    """Let entries wait, and add all to the chain when the whole act ends; none if it is refused."""
    tournament, outer = act.tournament, act.tournament.unwritten
    tournament.unwritten = [*(outer or ())]
    try:
        yield
        if outer is None:
            journal.append(tournament, tournament.unwritten)
            tournament.unwritten = None
    except BaseException:
        tournament.unwritten = outer
        raise


ACTS: dict[str, ActFunction[Any, Any]] = {}  # by name


def _check_length(reason: str) -> None:
    if len(reason) > LONGEST_REASON:
        raise TournamentError(
            str(_("Der Grund hat {length} Zeichen; möglich sind {most}. Bitte kürzen.")).format(
                length=len(reason), most=LONGEST_REASON
            )
        )


def _check_role(actor: Actor, by: frozenset[Performer], tournament: Tournament) -> None:
    if actor.kind == JournalEntry.ActorKind.COMMAND or actor.kind in by:
        return
    roles = actor.roles
    if roles is None:
        roles = roles_in(actor.user, tournament) if actor.user else frozenset()
    if not roles & by:
        raise NotAllowed(str(_("Dafür fehlt in diesem Turnier die Rolle.")))


@dataclass(frozen=True, slots=True)
class Acts:
    """The acts of a place of work, with their default roles and states.

    *by* has roles, and kinds of actors without an account. Commands may do everything.
    """

    by: frozenset[Any]
    when: States

    def on(
        self,
        model: type[SubjectT],
        name: str,
        *,
        entry: str = "",
        by: frozenset[Any] | None = None,
        when: States | None = None,
        reason: str | Promise | None = None,
        gone: str | Promise = _GONE,
    ) -> Callable[
        [Callable[Concatenate[Act[SubjectT], ActArgs], ResultT]], ActFunction[ActArgs, ResultT]
    ]:
        """Make a function an act.

        Args:
            model: of the row that it is about.
            name: of the act; unique.
            entry: its name in the journal, if different.
            by: who may do it, if different from the default.
            when: in which states, if different from the default.
            reason: the refusal of a missing reason; None if none is needed.
            gone: the refusal if the row was deleted.
        """
        rule = Rule(
            name, entry or name, model, by or self.by, when or self.when, reason is not None
        )

        def decorate(
            do: Callable[Concatenate[Act[SubjectT], ActArgs], ResultT],
        ) -> ActFunction[ActArgs, ResultT]:
            ACTS[name] = doing = ActFunction(rule, do, reason=reason, gone=gone)
            return doing

        return decorate
