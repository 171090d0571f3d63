"""Changing an Ausschreibung one section at a time, with a check for concurrent changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.utils.translation import gettext as _

from scoring.payments.bussgeld import BussgeldTariff
from scoring.payments.prizes import PrizePlan
from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.ruleset import MOST_SERIEN, RuleSet
from tournaments.announcement.services.checks import missing
from tournaments.announcement.services.sections import FIELDS, changes, facts, fingerprint
from tournaments.announcement.services.slugs import reserved_slugs
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, TournamentError, WrongStatus
from tournaments.common.locks import lock_tournament
from tournaments.journal import services as journal
from tournaments.models import Serie, Tournament
from tournaments.models.tournament import Section


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A change of a section, with the state of the section that the form showed."""

    tournament_id: int
    fingerprint: str  # of the section, as sent with the form
    actor: Actor
    reason: str = ""  # required once the tournament is running


@dataclass(frozen=True, slots=True, kw_only=True)
class SerieLine:
    """Seating of one Serie, and its time limit; None: no limit."""

    seating: Serie.Seating
    time_limit_minutes: int | None = None


@contextmanager
def changing(edit: Edit, section: Section) -> Iterator[Tournament]:
    """Yield the locked tournament; changes of *section* are then checked and journalled.

    Raises:
        Conflict: if the section is no longer what the form showed.
        WrongStatus: if the tournament is closed, or runs and the rule set would change.
        TournamentError: if a running tournament is changed without a reason, a value is
            not possible, or an announced tournament would no longer be complete.
    """
    with transaction.atomic():
        tournament = lock_tournament(edit.tournament_id)
        before = facts(tournament, section)
        if fingerprint(tournament, section) != edit.fingerprint:
            raise Conflict(
                _(
                    "„{section}“ wurde inzwischen von jemand anderem geändert. Bitte "
                    "vergleichen und noch einmal speichern."
                ).format(section=section.label)
            )
        _check_running(tournament, section, edit.reason)
        yield tournament
        after = facts(tournament, section)
        if after == before:
            return
        if tournament.status != Tournament.Status.DRAFT:
            _check_complete(tournament)
        was, now = changes(before, after)
        journal.record(
            tournament,
            edit.actor,
            "tournament_changed",
            tournament,
            before=was,
            after={"section": section.value, **now},
            reason=edit.reason,
        )


def save_fields(tournament: Tournament, section: Section) -> None:
    """Validate the tournament's own fields and store those of *section*."""
    try:
        tournament.full_clean()
        with transaction.atomic():
            tournament.save(update_fields=FIELDS[section])
    except ValidationError as refusal:
        raise TournamentError(" ".join(refusal.messages)) from refusal
    except IntegrityError as refusal:  # the slug was taken at the same moment
        raise Conflict(
            _("Der Kurzname „{slug}“ ist schon vergeben. Bitte einen anderen wählen.").format(
                slug=tournament.slug
            )
        ) from refusal


def change_fields(*, edit: Edit, section: Section, values: Mapping[str, Any]) -> Tournament:
    """Store the fields of a section; *values* has them by the names of the model's fields.

    Raises:
        TournamentError: as ``changing`` does, if the slug of an announced tournament or
            the counting of ended lists in a running one would change.
    """
    with changing(edit, section) as tournament:
        slug = values.get("slug", tournament.slug)
        if slug in reserved_slugs():
            raise TournamentError(
                _("Den Kurznamen „{slug}“ braucht das Programm selbst.").format(slug=slug)
            )
        if slug != tournament.slug and tournament.status != Tournament.Status.DRAFT:
            raise TournamentError(
                _(
                    "Die Adresse ist mit der Ausschreibung bekannt gemacht. Der Kurzname bleibt "
                    "„{slug}“."
                ).format(slug=tournament.slug)
            )
        _check_fixed(tournament, values)
        was_checked = bool(tournament.admission)
        for name in FIELDS[section]:
            if name in values:
                setattr(tournament, name, values[name])
        save_fields(tournament, section)
        if tournament.admission and not was_checked:
            # Registrations made before the lists were kept stay (§ 1.3).
            tournament.registrations.filter(admission="", approval="").update(
                admission=_("gemeldet, bevor Listen geführt wurden")
            )
    return tournament


def change_rule_set(*, edit: Edit, rule_set: RuleSet) -> Tournament:
    """Replace the copy of the rule set; impossible once the tournament runs."""
    with changing(edit, Section.RULE_SET) as tournament:
        tournament.rule_set = ruleset_to_dict(rule_set)
        save_fields(tournament, Section.RULE_SET)
    return tournament


def change_bussgeld(*, edit: Edit, tariff: BussgeldTariff) -> Tournament:
    """Replace the tariff of the Bußgeld."""
    with changing(edit, Section.BUSSGELD) as tournament:
        tournament.bussgeld = tariff.to_dict()
        save_fields(tournament, Section.BUSSGELD)
    return tournament


def change_prize_plan(*, edit: Edit, pot: str, plan: PrizePlan) -> Tournament:
    """Replace the plan of one pot; a plan without prizes takes the pot out.

    Args:
        edit: the change.
        pot: "startgeld", or the kind of a ranking whose stakes are played for.
        plan: the prizes.
    """
    with changing(edit, Section.PRIZES) as tournament:
        plans = {name: data for name, data in tournament.prize_plan.items() if name != pot}
        if plan.lines:
            plans[pot] = plan.to_dict()
        tournament.prize_plan = plans
        save_fields(tournament, Section.PRIZES)
    return tournament


def change_serien(*, edit: Edit, lines: Sequence[SerieLine]) -> Tournament:
    """Store the number of Serien and how each is seated, the first line for Serie 1.

    Raises:
        TournamentError: as ``changing`` does, if there are none or too many, the first
            would be set by a ranking that does not exist yet, or a Serie that was drawn
            or played would be dropped or seated otherwise.
    """
    if not 1 <= len(lines) <= MOST_SERIEN:
        raise TournamentError(
            _("Ein Turnier hat 1 bis {most} Serien, nicht {number}.").format(
                most=MOST_SERIEN, number=len(lines)
            )
        )
    if lines[0].seating == Serie.Seating.RANKING:
        raise TournamentError(
            _("Serie 1 kann nicht nach der Rangliste gesetzt werden: Es gibt noch keine.")
        )
    with changing(edit, Section.SERIEN) as tournament:
        _drop_serien(tournament, len(lines))
        _check_seated_stay(tournament, lines)
        for number, line in enumerate(lines, start=1):
            # A Serie that was struck out is restored if it is wanted again.
            Serie.every.update_or_create(
                tournament=tournament,
                number=number,
                defaults={
                    "seating": line.seating,
                    "time_limit_minutes": line.time_limit_minutes,
                    "struck_out": "",
                },
            )
    return tournament


def _drop_serien(tournament: Tournament, number: int) -> None:
    for serie in tournament.serien.filter(number__gt=number).order_by("-number"):
        try:
            serie.delete()
        except ProtectedError as refusal:
            raise TournamentError(
                _("{serie} ist schon ausgelost oder gespielt und kann nicht wegfallen.").format(
                    serie=serie
                )
            ) from refusal


def _check_seated_stay(tournament: Tournament, lines: Sequence[SerieLine]) -> None:
    for serie in tournament.serien.filter(tables__isnull=False).distinct():
        if serie.seating != lines[serie.number - 1].seating:
            raise TournamentError(
                _(
                    "{serie} ist schon gesetzt; ihre Sitzordnung kann sich nicht mehr ändern."
                ).format(serie=serie)
            )


def _check_running(tournament: Tournament, section: Section, reason: str) -> None:
    if tournament.status != Tournament.Status.RUNNING:
        return
    if section == Section.RULE_SET:
        raise WrongStatus(
            _("Das Turnier läuft. Sein Regelwerk steht fest und kann nicht mehr geändert werden.")
        )
    if not reason.strip():
        raise TournamentError(
            _("Das Turnier läuft schon. Bitte einen Grund für die Änderung angeben.")
        )


def _check_fixed(tournament: Tournament, values: Mapping[str, Any]) -> None:
    """Refuse to change how ended lists count while the tournament runs."""
    ended_lists = values.get("ended_lists", tournament.ended_lists)
    if tournament.status == Tournament.Status.RUNNING and ended_lists != tournament.ended_lists:
        raise WrongStatus(
            _("Das Turnier läuft. Wie vorzeitig beendete Listen zählen, steht fest: {how}.").format(
                how=tournament.get_ended_lists_display()
            )
        )


def _check_complete(tournament: Tournament) -> None:
    lacking = missing(tournament)
    if lacking:
        raise TournamentError(
            _("Das Turnier ist schon ausgeschrieben. {what}").format(
                what=" ".join(each.sentence for each in lacking)
            )
        )
