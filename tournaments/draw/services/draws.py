"""The draw of a Serie: begun, carried out, published – or discarded with a reason.

The seed of an electronic draw is fixed by its hash before the field is drawn and shown
afterwards; with the task that is kept beside it, ``plan_seating`` repeats the draw.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.errors import ScoringError
from scoring.seating import Offer, RankOrder, table_sizes
from tournaments.announcement.services import tournaments
from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.common.roles import MAY_LEAD
from tournaments.common.states import TAKES_PEOPLE
from tournaments.desk.queries.presence import absentees
from tournaments.desk.services.absentees import AbsenteeAnswers, NotTicked, settle
from tournaments.draw.queries import report as draw_report
from tournaments.draw.queries.redraw import draws_of
from tournaments.draw.queries.task import allowed_sizes, entrants, make_task, read_task
from tournaments.draw.queries.unseated import unplaced
from tournaments.draw.services.drafts import check_full, metrics
from tournaments.draw.services.ranking import missing_lists, seats_by_rank, with_ranking
from tournaments.draw.services.redraw import (
    check_in_order,
    discard_drafts,
    rows_of,
    say_replaced,
    void_published,
)
from tournaments.draw.services.rows import write_rows
from tournaments.draw.services.seat_mails import tell_seats
from tournaments.journal.acts import Act, Acts
from tournaments.lists.services.opening import open_lists
from tournaments.machine.jobs import Progress, register_work, retry_while_busy, start
from tournaments.models import Draw, Job, Registration, Seat, Serie, Table

Status = Draw.Status
Method = Serie.Seating

# A plan for several Serien is valid while these parts of the task are unchanged.
PLANNED_FOR = ("players", "fixed_tables", "apart")

acts = Acts(MAY_LEAD, TAKES_PEOPLE)


@acts.on(Serie, "begin_draw", entry="draw_begun")
def begin(
    act: Act[Serie],
    *,
    method: Serie.Seating,
    reason: str = "",
    order: RankOrder = RankOrder.TOP,
    accept_unverified: bool = False,
    unticked: AbsenteeAnswers | None = None,
    asked: Collection[int] = (),
) -> Draw:
    """Begin a draw: fix the field, the seed's hash and the sizes, before anything is drawn.

    An existing draft is discarded and stays in the journal; if something was drawn in it, that
    needs a reason. So it does where the seats are published: they hold until the new draft is,
    and only while no list has anything in it. For methods without a search (set by the ranking,
    planned with an earlier Serie) the draft has its seats at once.

    Args:
        order: how tables are set by the ranking; for that method only.
        accept_unverified: use the ranking although lists of it are not verified.
        unticked: what happens to players who have paid and are not ticked off as present.
        asked: keys of the registrations for which *unticked* was decided.

    Raises:
        NotTicked: if that was not decided for a registration.
        Unverified: if lists are not verified and that was not accepted.
        TournamentError: if the field cannot be seated, an earlier Serie is not seated yet,
            this one is, or the reason is missing.
    """
    serie = act.row
    drawn = draws_of(serie)
    check_in_order(serie, method, drawn)
    if not reason and drawn.needs_reason:
        raise TournamentError(
            _("Für {serie} ist schon ausgelost. Bitte unten sagen, warum noch einmal.").format(
                serie=serie
            )
        )
    absent = settle(act, unticked, asked)
    missing = missing_lists(serie, accepted=accept_unverified) if method == Method.RANKING else []
    discard_drafts(act, serie, reason)
    to_come = act.tournament.serien.filter(number__gte=serie.number)
    task = make_task(serie, serien=to_come.count() if method == Method.PLANNED else 1)
    seed = secrets.token_hex(16)
    try:
        sizes = table_sizes(len(task["players"]), allowed_sizes(act.tournament))
        read_task(task, seed)
    except ScoringError as refusal:
        raise TournamentError(str(refusal)) from refusal
    if method == Method.RANKING:
        task = with_ranking(serie, task, order)
    draw = Draw(
        serie=serie,
        number=serie.draws.count() + 1,
        method=method,
        seed=seed,
        seed_hash=hashlib.sha256(seed.encode()).hexdigest(),
        task=task,
        seats=[[None] * size for size in sizes] if method == Method.CARDS else [],
        reason=reason,
        created_by=act.actor.user,
    )
    with act.entry("draw_begun", reason=reason):
        act.add(draw)
        act.note(
            serie=serie.number,
            number=draw.number,
            method=method,
            seed_hash=draw.seed_hash,
            players=len(task["players"]),
        )
        if absent:
            act.note(unticked=absent)
        if method == Method.RANKING:
            act.note(order=order, unverified=missing)
    plan = _known_at_once(serie, draw)
    return draw if plan is None else store_plan(act, draw.pk, plan=plan)


def begin_next(act: Act[Any]) -> Serie | None:
    """Begin the draw of the next Serie by the method of the Ausschreibung; return the Serie.

    Nothing begins if cards are drawn by hand, because the Spielleitung decides when, if it is
    the first of another day, if there is a draft already, or if the page of the draw has to ask
    about players who are not ticked off as present. None: all are drawn.

    Raises:
        TournamentError: as :func:`begin` does.
    """
    serie = act.tournament.serien.filter(seats__isnull=True).order_by("number").first()
    if serie is None or serie.seating == Method.CARDS:
        return serie
    days = act.tournament.days
    if days.first_serie(serie.day) == serie.number > 1:
        return serie
    if serie.draws.filter(status=Status.DRAFT).exists():
        return serie
    try:
        draft = begin(act, serie.pk, method=Method(serie.seating))
    except NotTicked:
        return serie
    if not draft.seats:
        start(kind="draw", actor=act.actor, tournament=act.tournament, draw=draft.pk)
    return serie


def _known_at_once(serie: Serie, draw: Draw) -> dict[str, Any] | None:
    """Return the seats that need no search, or None."""
    if draw.method == Method.RANKING:
        try:
            tables = seats_by_rank(draw.task, draw.seed)
        except ScoringError as refusal:
            raise TournamentError(str(refusal)) from refusal
        return {"series": [tables], "metrics": metrics(draw.task, tables)}
    return _planned_before(serie, draw.task) if draw.method == Method.PLANNED else None


def _planned_before(serie: Serie, task: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the rest of the plan made with an earlier Serie, or None if it is invalid by now."""
    earlier = Draw.objects.filter(
        serie__tournament=serie.tournament,
        serie__number=serie.number - 1,
        status=Status.PUBLISHED,
        method=Method.PLANNED,
    ).first()
    if earlier is None or any(earlier.task[key] != task[key] for key in PLANNED_FOR):
        return None
    first, *rest = earlier.task["plan"]
    if not rest or _people(first) != _people(task["history"][-1]):
        return None
    return {
        "series": rest,
        "metrics": metrics(task, rest[0]),
        # The draw from which the plan can be repeated.
        "planned_with": earlier.task.get("planned_with", earlier.pk),
    }


def _people(tables: Sequence[Sequence[int]]) -> set[frozenset[int]]:
    """Return the players of each table, regardless of table number and seat."""
    return set(map(frozenset, tables))


@register_work("draw")
def _carry_out_job(job: Job, report: Progress) -> Mapping[str, Any]:
    draw = Draw.objects.get(pk=job.params["draw"])
    jobs = Job.objects.filter(pk=job.pk)

    def offer(rematches: int) -> bool:
        retry_while_busy(lambda: jobs.update(result={"rematches": rematches}))
        return jobs.filter(params__taken=True).exists()

    plan = plan_of(draw, report, offer)
    store_plan(Actor.command("run_jobs"), draw.pk, plan=plan)
    return {"draw": draw.pk}


@transaction.atomic  # no act: it changes a job, not the tournament
def take(*, job_id: int) -> None:
    """End the search of a draw with the best plan found; does nothing if it is over."""
    job = Job.objects.select_for_update().get(pk=job_id)
    if not job.is_over:
        job.params = {**job.params, "taken": True}
        job.save(update_fields=["params"])  # a job, no row of the tournament


def plan_of(
    draw: Draw, report: Progress | None = None, offer: Offer | None = None
) -> dict[str, Any]:
    """Return the plan computed from the draw's seed and task; may take seconds."""
    plan = read_task(draw.task, draw.seed).plan(report, offer)
    return {
        "series": [[list(table) for table in tables] for tables in plan.series],
        "metrics": asdict(plan.metrics),
        "starts": plan.starts,
    }


@acts.on(Draw, "store_plan", entry="draw_carried_out")
def store_plan(act: Act[Draw], *, plan: Mapping[str, Any]) -> Draw:
    """Store the drawn seats in the draft; it is not public yet.

    Raises:
        WrongStatus: if the draft was discarded meanwhile, or has its seats.
    """
    draw = act.row
    if draw.seats:
        raise WrongStatus(_("Dieser Entwurf ist schon ausgelost."))
    key_of = dict(act.tournament.registrations.values_list("number", "pk"))
    draw.seats = [[key_of[number] for number in table] for table in plan["series"][0]]
    draw.metrics = dict(plan["metrics"])
    extra = {key: plan[key] for key in ("planned_with", "starts") if key in plan}
    draw.task = {**draw.task, "plan": plan["series"], **extra}
    act.store(draw)
    act.note(seed=draw.seed, seats=plan["series"][0], **extra)
    return draw


@acts.on(Draw, "publish_draw", entry="draw_published")
def publish(act: Act[Draw], *, reason: str = "", without: Collection[int] = ()) -> Serie:
    """Publish the seats of a draft as those of the Serie.

    The first published seats start an announced tournament. Seats that were published before are
    void: everybody is told.

    Args:
        reason: why a fixed table or a separation is broken.
        without: keys of the registrations that are knowingly left without a seat.

    Raises:
        TournamentError: if cards are missing, the field has changed since, a person in the
            hall is left out unknowingly, or a promise is broken without a reason.
    """
    draw, serie = act.row, act.row.serie
    check_full(draw)
    left_out = _left_out(serie, draw, without)
    broken = draw_report.SeatingReview(serie).findings(draw_report.rows_of(draw)).broken
    if broken and not reason:
        raise TournamentError(
            _(
                "Ein fester Tisch oder „nicht zusammen“ ist nicht eingehalten. Bitte tauschen "
                "oder begründen, warum es so bleibt."
            )
        )
    replaced = void_published(act, serie, draw)
    if replaced:
        write_rows(act, serie, rows_of(serie, draw.seats))
    else:
        _write_seats(act, serie, draw.seats)
    draw.status = Status.PUBLISHED
    draw.published_at, draw.published_by = timezone.now(), act.actor.user
    act.store(draw)
    act.note(serie=serie.number, seed=draw.seed, seats=draw.seats, broken=len(broken))
    if left_out:
        act.note(without=left_out)
    tournaments.begin_with_seats(act)
    tell_seats(act, serie, chain.from_iterable(draw.seats))
    if replaced:
        say_replaced(act, serie)
    return serie


def _left_out(serie: Serie, draw: Draw, without: Collection[int]) -> list[int | None]:
    """Return the start numbers of those without a seat, all of them in *without*."""
    seated = {key for row in draw.seats for key in row}
    field = {entrant.pk for entrant in entrants(serie.tournament, serie.day)}
    left_out = [unseated.registration for unseated in unplaced(serie, seated)]
    _demand_still_here(serie, draw, seated)
    undecided = [player for player in left_out if player.pk not in without]
    new = [player for player in undecided if player.pk in field]
    gone = seated - field
    if gone or new:
        raise TournamentError(_changed_field(gone, new))
    if undecided:
        raise TournamentError(
            _(
                "Da, aber ohne Platz: {names}. Bitte kassieren, trotzdem setzen oder ohne sie "
                "bekannt geben."
            ).format(names="; ".join(map(str, undecided)))
        )
    return [registration.number for registration in left_out]


def _demand_still_here(serie: Serie, draw: Draw, seated: Collection[int | None]) -> None:
    """Refuse if a tick was taken back since the draw began, without saying so there."""
    absent = absentees(serie.tournament, serie.day).filter(
        pk__in=[key for key in seated if key], unticked_at__gt=draw.created_at
    )
    if absent:
        raise TournamentError(
            _(
                "Seit der Auslosung nicht mehr abgehakt: {names}. Wer gegangen ist, wird auf der "
                "Seite der Meldung als gegangen vermerkt, dann bitte neu auslosen; wer da ist, "
                "wird wieder abgehakt."
            ).format(names="; ".join(map(str, absent)))
        )


def _changed_field(left: set[int | None], new: Sequence[Registration]) -> str:
    gone = Registration.objects.filter(pk__in=[key for key in left if key])
    parts = [
        _("nicht mehr dabei: {names}").format(names=", ".join(map(str, gone))) if gone else "",
        _("neu: {names}").format(names=", ".join(map(str, new))) if new else "",
    ]
    return _(
        "Das Feld hat sich geändert, seit ausgelost wurde ({changes}). Bitte neu auslosen."
    ).format(changes="; ".join(part for part in parts if part))


def _write_seats(act: Act[Draw], serie: Serie, rows: Sequence[Sequence[int]]) -> None:
    tables = act.add_all(Table(serie=serie, number=number) for number in range(1, len(rows) + 1))
    act.add_all(
        Seat(serie=serie, table=table, number=place, registration_id=key)
        for table, row in zip(tables, rows, strict=True)
        for place, key in enumerate(row, start=1)
    )
    act.touch(*open_lists(serie))
