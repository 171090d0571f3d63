"""Acts: functions that change a tournament, with the steps that they share.

A function that :class:`Acts` decorates is called with the actor and the key of the row that it is
about. In one transaction the decorator locks the tournament, reads the row, checks state, role
and reason, runs the function, and writes the changes that it made through its :class:`Act` into
the journal. Other code of the same transaction runs within :meth:`ActFunction.locked`.
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
    """The content of a journal entry that is not yet written."""

    action: str
    subject: Model | None = None
    reason: str | None = None  # None: that of the act
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
        row: the row that the act is about; for some acts the tournament itself.
        actor: who performs the act.
        action: the name of its journal entry.
        reason: trimmed; stored in the journal.
        is_part: whether it is part of another act.
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
        self.held: list[Model | None] = [tournament, row, actor.user]  # not deleted before it ends
        self._entry = self._next(action)

    def _next(self, action: str) -> _Entry:
        is_of_all = self.row is self.tournament  # then its subject is the first added row
        return _Entry(action, None if is_of_all else self.row)

    def add(self, row: RowT) -> RowT:
        """Validate and store a new row; query its foreign keys unless their rows are held."""
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
        """Set fields of all these rows in one statement; return their number."""
        changed = list(queryset)
        QuerySet(queryset.model).filter(pk__in=[row.pk for row in changed]).update(**values)
        self.touch(*changed)
        return len(changed)

    def touch(self, *changed: Model) -> None:
        """Include rows that are changed in other ways in the proof."""
        self._entry.touched += changed
        self._entry.is_needed = self._entry.is_needed or bool(changed)

    def prove(self, *held: Row) -> None:
        """Include rows in the proof that were read under the lock and are stored; no query."""
        self._entry.hashes |= hashes_in_memory(held)
        self._entry.is_needed = True

    def store(self, row: RowT) -> RowT:
        """Validate and store the changed fields of a row, if any; return the row."""
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
        """Add facts to the entry that are not fields of a row; they must not name persons."""
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
        """Write the entry of the changes so far, if any."""
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
    """Who may perform an act, on which model, and in which states."""

    name: str
    entry: str  # its name in the journal
    on: type[Row]
    by: frozenset[Performer]
    when: States
    needs_reason: bool


class ActFunction(Generic[ActArgs, ResultT]):
    """An act that can be called for an actor, or as part of another act of the tournament."""

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
        """Perform the act, or refuse it without storing anything.

        Raises:
            Conflict: if the row was deleted.
            WrongStatus: if the state does not allow the act.
            NotAllowed: if the actor may not perform it.
            TournamentError: if a reason is missing, or if the function raises it.
        """
        with self.locked(by, pk) as act:
            return self.run(act, reason, *args, **kwargs)

    @contextmanager
    def locked(self, by: Actor | Act[Any], pk: int) -> Iterator[Act[Any]]:
        """Begin the act's transaction, lock the tournament and read the row; check nothing yet.

        Raises:
            Conflict: if the row was deleted.
        """
        if isinstance(by, Act):
            by.write()  # outside the savepoint: it stays even if this act is refused
        with transaction.atomic():
            tournament, row = self._lock(by, pk)
            is_part, action = isinstance(by, Act), self.rule.entry
            actor = by.actor if isinstance(by, Act) else by
            yield Act(tournament, row, actor, action=action, is_part=is_part)

    def run(
        self, act: Act[Any], reason: str = "", *args: ActArgs.args, **kwargs: ActArgs.kwargs
    ) -> ResultT:
        """Check state, role and reason of a locked act, perform it, and write its entry.

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
        """Return why the state of *row*, or of its list or tournament, forbids the act, if it does.

        Pages call it before they offer a form; they check roles themselves.
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
        # An act can only be part of an act of the same tournament.
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
    """Collect entries, and add them to the chain at the end of the act unless it is refused."""
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

    *by* has roles, and kinds of actors without an account. Commands may perform every act.
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
            model: the model of the row that it is about.
            name: the unique name of the act.
            entry: the name of its journal entry, if different.
            by: who may perform it, if different from the default.
            when: the states that allow it, if different from the default.
            reason: the message if the reason is missing; None if none is required.
            gone: the message if the row was deleted.
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
