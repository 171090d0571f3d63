"""The draw of a Serie: begin, carry out, publish, or discard with a reason.

The hash of an electronic draw's seed is shown before the draw, the seed afterwards. With the
stored task and the seed, ``plan_seating`` repeats the draw.
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
from tournaments.draw.queries.unseated import unseated_persons
from tournaments.draw.services.drafts import check_full, metrics
from tournaments.draw.services.ranking import seats_by_rank, unverified_tables, with_ranking
from tournaments.draw.services.redraw import (
    announce_void_seats,
    check_in_order,
    discard_drafts,
    replacement_rows,
    void_published,
)
from tournaments.draw.services.rows import write_rows
from tournaments.draw.services.seat_mails import queue_seat_mails
from tournaments.journal.acts import Act, Acts
from tournaments.lists.services.opening import open_lists
from tournaments.machine.jobs import Progress, register_work, retry_while_busy, start
from tournaments.models import Draw, Job, Registration, Seat, Serie, Table

Status = Draw.Status
Method = Serie.Seating

# A plan for several Serien is valid as long as these parts of the task are unchanged.
PLAN_INPUTS = ("players", "fixed_tables", "apart")

acts = Acts(MAY_LEAD, TAKES_PEOPLE)


@acts.on(Serie, "begin_draw", entry="draw_begun")
def begin(
    act: Act[Serie],
    *,
    method: Serie.Seating,
    order: RankOrder = RankOrder.TOP,
    accept_unverified: bool = False,
    unticked: AbsenteeAnswers | None = None,
    asked: Collection[int] = (),
) -> Draw:
    """Begin a draw: fix the field, the hash of the seed and the table sizes.

    An existing draft is discarded and stays in the journal. A draft with drawn cards, and seats
    that are published, need a reason. Published seats stay valid until the new ones are
    published; a redraw is possible while all lists are empty. For methods without a search (by
    the ranking, by an earlier plan) the draft has its seats immediately.

    Args:
        order: how tables are set by the ranking; for that method only.
        accept_unverified: use the ranking although lists of it are not verified.
        unticked: the decision about players who have paid and are not ticked off as present.
        asked: keys of the registrations for which *unticked* was decided.

    Raises:
        NotTicked: if *unticked* was not decided for a registration.
        UnverifiedLists: if lists are not verified and that was not accepted.
        TournamentError: if the field cannot be seated, an earlier Serie is not seated yet,
            this one is, or the reason is missing.
    """
    serie = act.row
    drawn = draws_of(serie)
    check_in_order(serie, method, drawn)
    if not act.reason and drawn.needs_reason:
        raise TournamentError(
            _("Für {serie} ist schon ausgelost. Bitte unten sagen, warum noch einmal.").format(
                serie=serie
            )
        )
    absent = settle(act, unticked, asked)
    by_rank = method == Method.RANKING
    missing = unverified_tables(serie, accepted=accept_unverified) if by_rank else []
    discard_drafts(act, serie, act.reason)
    to_come = act.tournament.serien.filter(number__gte=serie.number)
    task = make_task(serie, serien=to_come.count() if method == Method.PLANNED else 1)
    seed = secrets.token_hex(16)
    try:
        sizes = table_sizes(len(task["players"]), allowed_sizes(act.tournament))
        read_task(task, seed)
    except ScoringError as refusal:
        raise TournamentError(str(refusal)) from refusal
    if by_rank:
        task = with_ranking(serie, task, order)
    draw = Draw(
        serie=serie,
        number=serie.draws.count() + 1,
        method=method,
        seed=seed,
        seed_hash=hashlib.sha256(seed.encode()).hexdigest(),
        task=task,
        seats=[[None] * size for size in sizes] if method == Method.CARDS else [],
        reason=act.reason,
        created_by=act.actor.user,
    )
    with act.entry("draw_begun", reason=act.reason):
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
        if by_rank:
            act.note(order=order, unverified=missing)
    plan = _plan_without_search(serie, draw)
    return draw if plan is None else store_plan(act, draw.pk, plan=plan)


def begin_next_serie(act: Act[Any]) -> Serie | None:
    """Begin the draw of the next Serie by the method of the Ausschreibung; return the Serie.

    No draw begins if the cards are drawn by hand, if the Serie is the first one of another day,
    if it has a draft, or if the page must ask about players who are not ticked off. Returns
    None if all Serien are drawn.

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


def _plan_without_search(serie: Serie, draw: Draw) -> dict[str, Any] | None:
    """Return the seats that need no search, or None."""
    if draw.method == Method.RANKING:
        try:
            tables = seats_by_rank(draw.task, draw.seed)
        except ScoringError as refusal:
            raise TournamentError(str(refusal)) from refusal
        return {"series": [tables], "metrics": metrics(draw.task, tables)}
    return _rest_of_earlier_plan(serie, draw.task) if draw.method == Method.PLANNED else None


def _rest_of_earlier_plan(serie: Serie, task: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the rest of an earlier Serie's plan, or None if it is not valid any more."""
    earlier = Draw.objects.filter(
        serie__tournament=serie.tournament,
        serie__number=serie.number - 1,
        status=Status.PUBLISHED,
        method=Method.PLANNED,
    ).first()
    if earlier is None or any(earlier.task[key] != task[key] for key in PLAN_INPUTS):
        return None
    first, *rest = earlier.task["plan"]
    if not rest or _people(first) != _people(task["history"][-1]):
        return None
    return {
        "series": rest,
        "metrics": metrics(task, rest[0]),
        # Key of the draw that can be repeated to get the plan.
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
def end_search(*, job_id: int) -> None:
    """End the search of a draw with the best plan so far; no effect on a finished search."""
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
    """Store the drawn seats in the draft, which is not public.

    Raises:
        WrongStatus: if the draft was discarded, or has its seats.
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
def publish(act: Act[Draw], *, without: Collection[int] = ()) -> Serie:
    """Publish the seats of a draft as those of the Serie.

    The first published seats start an announced tournament. Seats published before become void,
    and all players are told.

    Args:
        without: keys of the registrations that stay without a seat on purpose.

    Raises:
        TournamentError: if cards are missing, the field has changed, a present person without
            a seat is not in *without*, or a promise is broken without a reason.
    """
    draw, serie = act.row, act.row.serie
    check_full(draw)
    left_out = _left_out(serie, draw, without)
    broken = draw_report.SeatingReview(serie).findings(draw_report.rows_of(draw)).broken
    if broken and not act.reason:
        raise TournamentError(
            _(
                "Ein fester Tisch oder „nicht zusammen“ ist nicht eingehalten. Bitte tauschen "
                "oder begründen, warum es so bleibt."
            )
        )
    replaced = void_published(act, serie, draw)
    if replaced:
        write_rows(act, serie, replacement_rows(serie, draw.seats))
    else:
        _write_seats(act, serie, draw.seats)
    draw.status = Status.PUBLISHED
    draw.published_at, draw.published_by = timezone.now(), act.actor.user
    act.store(draw)
    act.note(serie=serie.number, seed=draw.seed, seats=draw.seats, broken=len(broken))
    if left_out:
        act.note(without=left_out)
    tournaments.begin_with_seats(act)
    queue_seat_mails(act, serie, chain.from_iterable(draw.seats))
    if replaced:
        announce_void_seats(act, serie)
    return serie


def _left_out(serie: Serie, draw: Draw, without: Collection[int]) -> list[int | None]:
    """Return the start numbers of those without a seat; refuses if one is not in *without*."""
    seated = {key for row in draw.seats for key in row}
    field = {entrant.pk for entrant in entrants(serie.tournament, serie.day)}
    left_out = [unseated.registration for unseated in unseated_persons(serie, seated)]
    _check_still_present(serie, draw, seated)
    undecided = [player for player in left_out if player.pk not in without]
    new = [player for player in undecided if player.pk in field]
    departed = seated - field
    if departed or new:
        raise TournamentError(_field_changes(departed, new))
    if undecided:
        raise TournamentError(
            _(
                "Da, aber ohne Platz: {names}. Bitte kassieren, trotzdem setzen oder ohne sie "
                "bekannt geben."
            ).format(names="; ".join(map(str, undecided)))
        )
    return [registration.number for registration in left_out]


def _check_still_present(serie: Serie, draw: Draw, seated: Collection[int | None]) -> None:
    """Refuse the publication if a seated player was unticked after the draw began."""
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


def _field_changes(departed: set[int | None], new: Sequence[Registration]) -> str:
    gone = Registration.objects.filter(pk__in=[key for key in departed if key])
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
