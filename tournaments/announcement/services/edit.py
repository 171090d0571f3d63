"""Changing an Ausschreibung one section at a time, with a check for concurrent changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import attrgetter
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.db.models import ProtectedError
from django.utils.translation import gettext as _

from scoring.payments.bussgeld import BussgeldTariff
from scoring.payments.prizes import PrizePlan
from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.reading.ruleset_types import MOST_SERIEN
from scoring.ruleset import RuleSet
from tournaments.announcement.queries.tournaments import CHANGE_ENTRY
from tournaments.announcement.services.checks import missing_facts
from tournaments.announcement.services.sections import FIELDS, FIXED, changes, facts, fingerprint_of
from tournaments.announcement.services.slugs import reserved_slugs
from tournaments.common.errors import Conflict, NotAllowed, TournamentError, WrongStatus
from tournaments.common.roles import MAY_LEAD
from tournaments.common.rules import prize_plans
from tournaments.common.states import OPEN, RUNS, UNTIL_START
from tournaments.desk.queries.earlier_tournament import may_seat_by_earlier_ranking
from tournaments.journal.acts import Act, Acts
from tournaments.journal.four_eyes import check_second
from tournaments.models import Serie, Tournament, User
from tournaments.models.rows import Row
from tournaments.models.schedule import MOST_DAYS, ScheduleItem
from tournaments.models.tournament import Section

acts = Acts(MAY_LEAD, OPEN)


@contextmanager
def changing(act: Act[Tournament], section: Section, seen: str, reason: str = "") -> Iterator[None]:
    """Store the tournament's fields after the block, and journal all changes of a section.

    Args:
        section: the section to change.
        seen: the fingerprint of the section that the form showed.
        reason: required once the tournament is running.

    Raises:
        Conflict: if the section is no longer what the form showed.
        TournamentError: if a running tournament is changed without a reason, a value is
            not possible, or an announced tournament would no longer be complete.
    """
    before = facts(act.row, section)
    if fingerprint_of(before) != seen:
        raise Conflict(
            _(
                "„{section}“ wurde inzwischen von jemand anderem geändert. Bitte "
                "vergleichen und noch einmal speichern."
            ).format(section=section.label)
        )
    if act.row.status in RUNS.tournament and not reason:
        raise TournamentError(
            _("Das Turnier läuft schon. Bitte einen Grund für die Änderung angeben.")
        )
    with act.entry(CHANGE_ENTRY, act.row, reason):
        try:
            yield
            act.store(act.row)
        except ValidationError as refusal:
            raise TournamentError(" ".join(refusal.messages)) from refusal
        after = facts(act.row, section)
        if after != before:
            _check_complete(act.row)
            was, now = changes(before, after)
            act.note(before=was, section=section.value, **now)


def store_row(act: Act[Tournament], row: Row) -> None:
    """Store a row that is new or changed."""
    if row.pk:
        act.store(row)
    else:
        act.add(row)


@acts.on(Tournament, "change_fields", entry=CHANGE_ENTRY)
def change_fields(
    act: Act[Tournament], *, seen: str, section: Section, values: Mapping[str, Any]
) -> None:
    """Store the fields of a section; *values* has them by the names of the model's fields.

    Raises:
        TournamentError: as :func:`changing` does, if the slug is not free, or a field is fixed.
        NotAllowed: as :func:`_with_second_person` does.
    """
    tournament = act.row
    was_checked = bool(tournament.admission)
    _check_fixed(tournament, values)
    values = _with_second_person(act, values, act.reason)
    slug = values.get("slug", tournament.slug)
    if slug in reserved_slugs():
        raise TournamentError(
            _("Den Kurznamen „{slug}“ braucht das Programm selbst.").format(slug=slug)
        )
    try:
        with changing(act, section, seen, act.reason):
            for name in FIELDS[section]:
                if name in values:
                    setattr(tournament, name, values[name])
            if "starts_at" in values:
                _check_schedule(tournament)
            if tournament.admission and not was_checked:
                # Registrations made before the lists existed stay (§ 1.3).
                act.change_all(
                    tournament.registrations.filter(admission="", approval=""),
                    admission=_("gemeldet, bevor Listen geführt wurden"),
                )
    except IntegrityError as refusal:
        raise Conflict(
            _("Der Kurzname „{slug}“ ist schon vergeben. Bitte einen anderen wählen.").format(
                slug=slug
            )
        ) from refusal


@acts.on(Tournament, "change_rule_set", entry=CHANGE_ENTRY, when=UNTIL_START)
def change_rule_set(act: Act[Tournament], *, seen: str, rule_set: RuleSet) -> None:
    """Replace the copy of the rule set; impossible once the tournament runs."""
    with changing(act, Section.RULE_SET, seen):
        act.row.rule_set = ruleset_to_dict(rule_set)


@acts.on(Tournament, "change_bussgeld", entry=CHANGE_ENTRY)
def change_bussgeld(act: Act[Tournament], *, seen: str, tariff: BussgeldTariff) -> None:
    """Replace the tariff of the Bußgeld."""
    with changing(act, Section.BUSSGELD, seen, act.reason):
        act.row.bussgeld = tariff.to_dict()


@acts.on(Tournament, "change_prize_plan", entry=CHANGE_ENTRY)
def change_prize_plan(act: Act[Tournament], *, seen: str, pot: str, plan: PrizePlan) -> None:
    """Replace the plan of one pot; a plan without prizes removes it.

    Args:
        seen: the fingerprint of the section that the form showed.
        pot: "startgeld", or the kind of a ranking with stakes.

    Raises:
        TournamentError: as :func:`changing` does.
        WrongStatus: if it changes the things of a lottery that has begun.
    """
    before = prize_plans(act.row).get(pot)
    is_begun = act.row.lotteries.filter(withdrawn_at__isnull=True).exists
    if plan.lottery != (before.lottery if before else ()) and is_begun():
        raise WrongStatus(
            _(
                "Die Verlosung hat begonnen, und was verlost wird, steht fest. Bitte sie zuerst "
                "unter „Verlosen“ mit einem Grund zurücknehmen."
            )
        )
    with changing(act, Section.PRIZES, seen, act.reason):
        plans = {name: data for name, data in act.row.prize_plan.items() if name != pot}
        if plan.has_prizes:
            plans[pot] = plan.to_dict()
        act.row.prize_plan = plans


@acts.on(Tournament, "change_serien", entry=CHANGE_ENTRY)
def change_serien(
    act: Act[Tournament],
    *,
    seen: str,
    lines: Sequence[Serie],
    schedule: Sequence[ScheduleItem] = (),
) -> None:
    """Store the number of Serien, how each is seated, the first line for Serie 1, and the Zeitplan.

    A line has the seating of a Serie and its time limit.

    Raises:
        TournamentError: as :func:`changing` does, if there are none or too many, the first
            would be set by a ranking that does not exist yet, or a Serie that was drawn
            or played would be dropped or seated otherwise; and as :func:`_check_schedule`.
    """
    if not 1 <= len(lines) <= MOST_SERIEN:
        raise TournamentError(
            _("Ein Turnier hat 1 bis {most} Serien, nicht {number}.").format(
                most=MOST_SERIEN, number=len(lines)
            )
        )
    if lines[0].seating == Serie.Seating.RANKING and not may_seat_by_earlier_ranking(act.row):
        raise TournamentError(
            _("Serie 1 kann nicht nach der Rangliste gesetzt werden: Es gibt noch keine.")
        )
    with changing(act, Section.SERIEN, seen, act.reason):
        act.row.schedule = [
            entry.stored() for entry in sorted(schedule) if entry.serie <= len(lines)
        ]
        _check_schedule(act.row)
        _drop_serien(act, len(lines))
        _check_seated_stay(act.row, lines)
        # A Serie that was struck out is restored if the number includes it again.
        present = {serie.number: serie for serie in Serie.every.filter(tournament=act.row)}
        for number, line in enumerate(lines, start=1):
            serie = present.get(number) or Serie(tournament=act.row, number=number)
            serie.seating = line.seating
            serie.time_limit_minutes = line.time_limit_minutes
            serie.struck_out = ""
            store_row(act, serie)


def _drop_serien(act: Act[Tournament], number: int) -> None:
    for serie in act.row.serien.filter(number__gt=number).order_by("-number"):
        try:
            act.remove(serie)
        except ProtectedError as refusal:
            raise TournamentError(
                _("{serie} ist schon ausgelost oder gespielt und kann nicht wegfallen.").format(
                    serie=serie
                )
            ) from refusal


def _check_seated_stay(tournament: Tournament, lines: Sequence[Serie]) -> None:
    for serie in tournament.serien.filter(tables__isnull=False).distinct():
        if serie.seating != lines[serie.number - 1].seating:
            raise TournamentError(
                _(
                    "{serie} ist schon gesetzt; ihre Sitzordnung kann sich nicht mehr ändern."
                ).format(serie=serie)
            )


def _check_schedule(tournament: Tournament) -> None:
    """Check that the Serien are in order, and that no day of a registration is missing.

    Raises:
        TournamentError: if not, or if there are too many days.
    """
    days = tournament.days
    begins = [entry for entry in days.entries if entry.serie]
    last, day = tournament.starts_at, _("das Turnier")
    for entry in sorted(begins, key=attrgetter("serie")):
        serie = _("Serie {number}").format(number=entry.serie)
        if days.moment(entry) < last:
            raise TournamentError(
                _(
                    "{serie} beginnt im Zeitplan früher als {before}. Bitte die Zeiten ändern."
                ).format(serie=serie, before=day)
            )
        last, day = days.moment(entry), serie
    if days.of_serie(1) > 1:
        raise TournamentError(_("Serie 1 wird am ersten Tag gespielt."))
    if days.number > MOST_DAYS:
        raise TournamentError(_("Ein Turnier hat höchstens {most} Tage.").format(most=MOST_DAYS))
    for plays_on in tournament.registrations.exclude(plays_on="").values_list(
        "plays_on", flat=True
    ):
        if days.number == 1 or int(max(plays_on)) > days.number:
            raise TournamentError(
                _(
                    "Für Tag {day} ist jemand gemeldet, der nur an einzelnen Tagen spielt. Bitte "
                    "erst die Meldung ändern."
                ).format(day=max(plays_on))
            )


def _check_fixed(tournament: Tournament, values: Mapping[str, Any]) -> None:
    for name, (states, sentence) in FIXED.items():
        stored = getattr(tournament, name)
        if values.get(name, stored) != stored and tournament.status not in states.tournament:
            how = tournament.get_ended_lists_display()
            raise WrongStatus(str(sentence).format(slug=tournament.slug, how=how))


def _with_second_person(
    act: Act[Tournament], values: Mapping[str, Any], reason: str
) -> Mapping[str, Any]:
    """Return the values to store; switching off four eyes needs two persons, as a correction does.

    The first person only proposes it; storing them as switched on again rejects the proposal.

    Raises:
        NotAllowed: if the actor is no account, or one made for the purpose.
    """
    tournament, user, first = act.row, act.actor.user, act.row.fewer_eyes_by
    if not tournament.four_eyes or tournament.is_draft or "four_eyes" not in values:
        return values
    if values["four_eyes"]:
        if first is not None:
            _note_proposal(act, "fewer_eyes_rejected", None, reason)
        return values
    if user is None:
        raise NotAllowed(_("Vier Augen heben nur zwei Konten der Spielleitung auf."))
    if first is not None and first != user:
        check_second(first, user, tournament)
        _note_proposal(act, "fewer_eyes_agreed", None, reason)
        return values
    if first is None:
        _note_proposal(act, "fewer_eyes_proposed", user, reason)
    return {**values, "four_eyes": True}


def _note_proposal(act: Act[Tournament], action: str, by: User | None, reason: str) -> None:
    with act.entry(action, act.row, reason):
        act.row.fewer_eyes_by = by
        act.store(act.row)
        act.note()


def _check_complete(tournament: Tournament) -> None:
    lacking = [] if tournament.is_draft else missing_facts(tournament)
    if lacking:
        raise TournamentError(
            _("Das Turnier ist schon ausgeschrieben. {what}").format(
                what=" ".join(each.sentence for each in lacking)
            )
        )
