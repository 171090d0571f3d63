"""The draw of a Serie: begun, carried out, looked at, published – or thrown away with a reason.

The seed of an electronic draw is fixed by its hash before the field is drawn and shown
afterwards; with the task that is kept beside it, ``plan_seating`` repeats the draw.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.errors import ScoringError
from scoring.seating.chance import Chance
from scoring.seating.cross import cross_drawn
from scoring.seating.metrics import Player, measure
from scoring.seating.sizes import table_sizes
from tournaments.actors import Actor
from tournaments.errors import TournamentError, WrongStatus
from tournaments.models import Draw, Job, Registration, Seat, Serie, Table, Tournament
from tournaments.services import journal
from tournaments.services.draw_task import allowed_sizes, entrants, make_task, read_task
from tournaments.services.jobs import Progress, work_of_kind
from tournaments.services.list_opening import open_lists
from tournaments.services.locks import lock_serie

Status = Draw.Status
Method = Serie.Seating
Seats = list[list[int | None]]

# Cards are drawn by the players; the program only writes down what lies on the table.
DRAWN_BY_PROGRAM = (Method.ELECTRONIC, Method.PLANNED)


def _locked_draw(draw_id: int) -> tuple[Tournament, Draw]:
    found = Draw.objects.select_related("serie").get(pk=draw_id)
    tournament, serie = lock_serie(found.serie_id)
    draw = Draw.objects.get(pk=draw_id)
    draw.serie = serie
    return tournament, draw


@transaction.atomic
def begin(*, serie_id: int, method: Serie.Seating, actor: Actor, reason: str = "") -> Draw:
    """Begin a draw: fix the field, the seed's hash and the sizes, before anything is drawn.

    A draft that is there already is thrown away; that needs a reason and stays on record.

    Raises:
        TournamentError: if the field cannot be seated, an earlier Serie is not seated yet,
            this one is, or the reason is missing.
    """
    tournament, serie = lock_serie(serie_id)
    if method == Method.RANKING:
        raise TournamentError(
            _(
                "Gesetzt wird nach geprüften Listen, und davon gibt es in diesem Turnier noch "
                "keine. Bitte ein anderes Verfahren wählen."
            )
        )
    _check_in_order(serie)
    _discard_drafts(tournament, serie, reason, actor)
    serien = _serien_to_plan(tournament, serie, method)
    task = make_task(serie, serien=serien)
    seed = secrets.token_hex(16)
    try:
        sizes = table_sizes(len(task["players"]), allowed_sizes(tournament))
        read_task(task, seed)
    except ScoringError as refusal:
        raise TournamentError(str(refusal)) from refusal
    draw = Draw(
        serie=serie,
        number=serie.draws.count() + 1,
        method=method,
        seed=seed,
        seed_hash=hashlib.sha256(seed.encode()).hexdigest(),
        task=task,
        seats=[[None] * size for size in sizes] if method == Method.CARDS else [],
        reason=reason.strip(),
        created_by=actor.user,
    )
    draw.full_clean()
    draw.save()
    journal.record(
        tournament=tournament,
        actor=actor,
        action="draw_begun",
        subject=draw,
        after={
            "serie": serie.number,
            "number": draw.number,
            "method": method,
            "seed_hash": draw.seed_hash,
            "players": len(task["players"]),
        },
        reason=reason,
    )
    planned = _planned_before(serie, task) if method == Method.PLANNED else None
    if planned is not None:
        return store_plan(draw_id=draw.pk, plan=planned, actor=actor)
    return draw


def _planned_before(serie: Serie, task: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the rest of the plan made with an earlier Serie, if the field is the same."""
    earlier = Draw.objects.filter(
        serie__tournament=serie.tournament,
        serie__number=serie.number - 1,
        status=Status.PUBLISHED,
        method=Method.PLANNED,
    ).first()
    if earlier is None or earlier.task["players"] != task["players"]:
        return None
    rest = earlier.task["plan"][1:]
    players = [Player(**player) for player in task["players"]]
    return {"series": rest, "metrics": asdict(measure(players, rest[:1], task["history"]))}


def _check_in_order(serie: Serie) -> None:
    if serie.seats.exists():
        raise WrongStatus(
            _(
                "{serie} ist schon ausgelost. Ändern lässt sich die Sitzordnung nur noch durch "
                "Tauschen."
            ).format(serie=serie)
        )
    earlier = serie.tournament.serien.filter(number__lt=serie.number, seats__isnull=True).first()
    if earlier is not None:
        raise WrongStatus(_("Zuerst muss {serie} ausgelost werden.").format(serie=earlier))


def _discard_drafts(tournament: Tournament, serie: Serie, reason: str, actor: Actor) -> None:
    for draft in serie.draws.filter(status=Status.DRAFT):
        if not reason.strip():
            raise TournamentError(
                _(
                    "Für {serie} gibt es schon einen Entwurf. Wer neu auslost, sagt warum; der "
                    "Grund steht im Protokoll."
                ).format(serie=serie)
            )
        draft.status = Status.DISCARDED
        draft.save(update_fields=["status"])
        journal.record(
            tournament=tournament,
            actor=actor,
            action="draw_discarded",
            subject=draft,
            before={"seats": draft.seats, "seed": draft.seed},
            reason=reason,
        )


def _serien_to_plan(tournament: Tournament, serie: Serie, method: Serie.Seating) -> int:
    if method != Method.PLANNED:
        return 1
    return tournament.serien.filter(number__gte=serie.number).count()


@work_of_kind("draw")
def _carry_out_job(job: Job, report: Progress) -> Mapping[str, Any]:
    draw = Draw.objects.get(pk=job.params["draw"])
    plan = plan_of(draw, report)
    store_plan(draw_id=draw.pk, plan=plan, actor=Actor.command("run_job"))
    return {"draw": draw.pk}


def plan_of(draw: Draw, report: Progress | None = None) -> dict[str, Any]:
    """Return what the draw's seed and task come to; changes nothing and may take seconds."""
    file = read_task(draw.task, draw.seed)
    from scoring.seating.plan import plan  # noqa: PLC0415 - one function of this name is enough

    found = plan(
        file.players,
        series=file.series,
        seed=file.seed,
        allowed=file.allowed,
        history=file.history,
        fixed_tables=file.fixed_tables,
        apart=file.apart,
        progress=report,
    )
    return {
        "series": [[list(table) for table in tables] for tables in found.series],
        "metrics": asdict(found.metrics),
    }


@transaction.atomic
def store_plan(*, draw_id: int, plan: Mapping[str, Any], actor: Actor) -> Draw:
    """Write the seats that were drawn into the draft; it is not public yet.

    Raises:
        WrongStatus: if somebody threw the draft away meanwhile, or it has its seats.
    """
    tournament, draw = _locked_draw(draw_id)
    if draw.status != Status.DRAFT or draw.seats:
        raise WrongStatus(_("Dieser Entwurf ist nicht mehr auszulosen."))
    key_of = _keys_by_number(tournament)
    draw.seats = [[key_of[number] for number in table] for table in plan["series"][0]]
    draw.metrics = dict(plan["metrics"])
    draw.task = {**draw.task, "plan": plan["series"]}
    draw.save(update_fields=["seats", "metrics", "task"])
    journal.record(
        tournament=tournament,
        actor=actor,
        action="draw_carried_out",
        subject=draw,
        after={"seed": draw.seed, "seats": plan["series"][0]},
    )
    return draw


def _keys_by_number(tournament: Tournament) -> dict[int, int]:
    pairs = tournament.registrations.filter(number__isnull=False).values_list("number", "pk")
    return {number: key for number, key in pairs if number is not None}


@transaction.atomic
def enter_card(*, draw_id: int, number: int, table: int, seat: int, actor: Actor) -> Draw:
    """Write down the Startkarte that somebody drew; table and seat count from 1.

    Somebody entered before is moved: the last word is the card on the table.

    Raises:
        TournamentError: if the card does not exist, lies before somebody else, or the
            start number cannot be seated.
    """
    tournament, draw = _locked_draw(draw_id)
    _check_draft(draw)
    seats: Seats = [list(row) for row in draw.seats]
    if not (1 <= table <= len(seats) and 1 <= seat <= len(seats[table - 1])):
        raise TournamentError(
            _("Tisch {table}, Platz {seat} gibt es in dieser Serie nicht.").format(
                table=table, seat=seat
            )
        )
    drawn_by = next((one for one in entrants(tournament) if one.number == number), None)
    if drawn_by is None:
        raise TournamentError(
            _(
                "Startnummer {number} ist nicht bezahlt oder nicht vergeben und kann nicht "
                "gesetzt werden (§ 1.3)."
            ).format(number=number)
        )
    there = seats[table - 1][seat - 1]
    if there is not None and there != drawn_by.pk:
        other = Registration.objects.select_related("person").get(pk=there)
        raise TournamentError(
            _(
                "Tisch {table}, Platz {seat} hat schon {other}. Eine der beiden Karten ist "
                "falsch gelesen."
            ).format(table=table, seat=seat, other=other)
        )
    for row in seats:
        row[:] = [None if key == drawn_by.pk else key for key in row]
    seats[table - 1][seat - 1] = drawn_by.pk
    draw.seats = seats
    draw.save(update_fields=["seats"])
    journal.record(
        tournament=tournament,
        actor=actor,
        action="card_entered",
        subject=draw,
        after={"number": number, "table": table, "seat": seat},
    )
    return draw


@transaction.atomic
def fill_up(*, draw_id: int, actor: Actor) -> Draw:
    """Draw the cards that are still missing for those who have none."""
    tournament, draw = _locked_draw(draw_id)
    _check_draft(draw)
    seated = {key for row in draw.seats for key in row if key is not None}
    left = [one.pk for one in entrants(tournament) if one.pk not in seated]
    free = sum(row.count(None) for row in draw.seats)
    if len(left) != free:
        raise TournamentError(
            _(
                "Es fehlen {free} Karten, aber {left} Personen haben noch keine. Seit Beginn der "
                "Auslosung hat sich das Feld geändert; bitte neu beginnen."
            ).format(free=free, left=len(left))
        )
    drawn = iter(Chance(draw.seed).shuffled(left))
    draw.seats = [[next(drawn) if key is None else key for key in row] for row in draw.seats]
    draw.save(update_fields=["seats"])
    journal.record(
        tournament=tournament,
        actor=actor,
        action="cards_filled_up",
        subject=draw,
        after={"drawn": len(left), "seed": draw.seed},
    )
    return draw


def _check_draft(draw: Draw) -> None:
    if draw.status != Status.DRAFT:
        raise WrongStatus(
            _("Diese Auslosung ist {status} und wird nicht mehr geändert.").format(
                status=draw.get_status_display()
            )
        )


@transaction.atomic
def apply_crossing(*, draw_id: int, actor: Actor) -> Draw:
    """Seat club mates „über Kreuz“ (§ 2.1.2), with as few changes of place as it takes.

    The changes are kept in the draw, so that they can be announced.

    Raises:
        TournamentError: if cards are still missing.
    """
    tournament, draw = _locked_draw(draw_id)
    _check_draft(draw)
    _check_full(draw)
    club_of = dict(tournament.registrations.values_list("pk", "club"))
    chance = Chance(f"{draw.seed} über Kreuz")
    seats, crossings = [], []
    for number, row in enumerate(draw.seats, start=1):
        crossed = cross_drawn(row, club_of, chance)
        seats.append(crossed)
        crossings += [
            [key, number, row.index(key) + 1, place]
            for place, key in enumerate(crossed, start=1)
            if row.index(key) + 1 != place
        ]
    draw.seats = seats
    draw.crossings = [*draw.crossings, *crossings]
    draw.metrics = metrics_of(draw)
    draw.save(update_fields=["seats", "crossings", "metrics"])
    journal.record(
        tournament=tournament,
        actor=actor,
        action="crossed",
        subject=draw,
        after={"moved": len(crossings)},
    )
    return draw


def _check_full(draw: Draw) -> None:
    missing = sum(row.count(None) for row in draw.seats)
    if missing or not draw.seats:
        raise TournamentError(
            _("Es fehlen noch {missing} Karten.").format(missing=missing)
            if draw.seats
            else _("Es ist noch nichts ausgelost.")
        )


def metrics_of(draw: Draw) -> dict[str, int]:
    """Return what the seats of a full draft are worth, in the measures of the format."""
    registrations = draw.serie.tournament.registrations.in_bulk()
    file = read_task({k: v for k, v in draw.task.items() if k != "plan"}, draw.seed)
    players = {player.id: player for player in file.players}
    tables = [
        [registrations[key].number or 0 for key in row if key is not None] for row in draw.seats
    ]
    seated = [players.get(number, Player(id=number)) for table in tables for number in table]
    return asdict(measure(seated, [tables], file.history))


@transaction.atomic
def swap(*, draw_id: int, first_id: int, second_id: int, actor: Actor) -> Draw:
    """Let two people of a draft change places.

    Raises:
        TournamentError: if one of them has no place in it.
    """
    tournament, draw = _locked_draw(draw_id)
    _check_draft(draw)
    there = {key for row in draw.seats for key in row}
    if first_id == second_id or not {first_id, second_id} <= there:
        raise TournamentError(_("Tauschen können zwei verschiedene Personen mit Platz."))
    other = {first_id: second_id, second_id: first_id}
    before = draw.metrics
    draw.seats = [[other.get(key, key) for key in row] for row in draw.seats]
    if not any(key is None for row in draw.seats for key in row):
        draw.metrics = metrics_of(draw)
    draw.save(update_fields=["seats", "metrics"])
    journal.record(
        tournament=tournament,
        actor=actor,
        action="swapped",
        subject=draw,
        before={"metrics": before},
        after={"registrations": [first_id, second_id], "metrics": draw.metrics},
    )
    return draw


@transaction.atomic
def publish(*, draw_id: int, actor: Actor) -> Serie:
    """Make the seats of a draft those of the Serie, visible to everybody at once.

    Raises:
        TournamentError: if cards are missing or the field has changed since.
    """
    tournament, draw = _locked_draw(draw_id)
    _check_draft(draw)
    _check_full(draw)
    seated = {key for row in draw.seats for key in row}
    paid = {one.pk for one in entrants(tournament)}
    if seated != paid:
        raise TournamentError(_changed_field(seated, paid))
    serie = draw.serie
    _write_seats(serie, draw.seats)
    draw.status = Status.PUBLISHED
    draw.published_at, draw.published_by = timezone.now(), actor.user
    draw.save(update_fields=["status", "published_at", "published_by"])
    journal.record(
        tournament=tournament,
        actor=actor,
        action="draw_published",
        subject=draw,
        after={"serie": serie.number, "seed": draw.seed, "seats": draw.seats},
    )
    return serie


def _changed_field(seated: set[int | None], paid: set[int]) -> str:
    gone = Registration.objects.filter(pk__in=[key for key in seated - paid if key])
    new = Registration.objects.filter(pk__in=paid - seated)
    parts = [
        _("nicht mehr dabei: {names}").format(names=", ".join(map(str, gone))) if gone else "",
        _("neu: {names}").format(names=", ".join(map(str, new))) if new else "",
    ]
    return _(
        "Das Feld hat sich geändert, seit ausgelost wurde ({changes}). Bitte neu auslosen."
    ).format(changes="; ".join(part for part in parts if part))


def _write_seats(serie: Serie, rows: Sequence[Sequence[int]]) -> None:
    tables = Table.objects.bulk_create(
        Table(serie=serie, number=number) for number in range(1, len(rows) + 1)
    )
    Seat.objects.bulk_create(
        Seat(serie=serie, table=table, number=place, registration_id=key)
        for table, row in zip(tables, rows, strict=True)
        for place, key in enumerate(row, start=1)
    )
    open_lists(serie)
