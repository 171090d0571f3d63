"""The Ausschreibung as a poster, for its public page and for paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import prefetch_related_objects
from django.utils import formats, timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from stdnum import iban

from scoring.money import euro, percent, whole_euros
from scoring.payments.prizes import WHOLE_POT, PrizeLine
from scoring.ruleset import RuleSet
from tournaments.announcement.queries import ausschreibung_text
from tournaments.announcement.queries.prize_lines import (
    PlanInMoney,
    all_prize_lines,
    plans_in_money,
    prize_lines,
)
from tournaments.announcement.queries.schedule import schedule_lines
from tournaments.announcement.queries.tournaments import is_public
from tournaments.common.formats import NO_BREAK_SPACE, clock, day_in_words, long_date
from tournaments.common.rules import rule_set_of
from tournaments.desk.queries.admission import admission_in_words
from tournaments.models import Serie, Tournament
from tournaments.models.tournament import Section
from tournaments.rulebook.queries import rule_set_text
from tournaments.rulebook.queries.rule_set_text import NamedFact

ON_PODIUM = 3


def poster(tournament: Tournament) -> dict[str, Any]:
    """Return the contents of the poster; six queries at most before the first Serie."""
    prefetch_related_objects([tournament], "categories", "rankings", "serien")
    rule_set = rule_set_of(tournament)
    planned = list(plans_in_money(tournament))
    return {
        "day": day(tournament),
        "deadline": deadline(tournament),
        "fee": fee(tournament),
        "is_draft": not is_public(tournament),
        "admission": admission_in_words(tournament),
        "podium": podium(planned),
        "play": list(_play(tournament, rule_set)),
        "parts": [part for part in _parts(tournament, rule_set, planned) if part.lines],
        "iban": iban.format(tournament.iban),
    }


def day(tournament: Tournament) -> str:
    """Return the day with its name, or the first and the last one, in one month named once."""
    days = tournament.days
    begins, ends = days.date(1), days.date(days.number)
    first, last = day_in_words(begins), day_in_words(ends)
    if days.number == 1:
        return first
    if (begins.year, begins.month) == (ends.year, ends.month):
        first = first.rsplit(NO_BREAK_SPACE, 2)[0]
    return _("{first} bis {last}").format(first=first, last=last)


def deadline(tournament: Tournament) -> str:
    """Return the Meldeschluss (§ 1.3), with its day if it is another one.

    "" after the tournament has begun or was called off.
    """
    if not (tournament.is_draft or tournament.is_announced):
        return ""
    until = tournament.registration_deadline
    if timezone.localdate(until) == timezone.localdate(tournament.starts_at):
        return _("Meldeschluss um {time}").format(time=clock(until))
    text = _("Meldeschluss am {day}, {time}")
    return text.format(day=long_date(until), time=clock(until))


def fee(tournament: Tournament) -> list[str]:
    """Return the Startgeld of the first group, that of the others, and additional amounts."""
    groups = tournament.categories.all()
    if not any(group.startgeld_cents for group in groups):
        return []
    lines = [euro(groups[0].startgeld_cents)]
    lines += [f"{each} {euro(each.startgeld_cents)}" for each in groups[1:]]
    if cents := ausschreibung_text.serie_cents(tournament):
        lines.append(_("davon {amount} für Serienpreise").format(amount=euro(cents)))
    if tournament.kartengeld_cents:
        lines.append(_("dazu Kartengeld {amount}").format(amount=euro(tournament.kartengeld_cents)))
    return lines


def summary(tournament: Tournament) -> str:
    """Return the poster in one line, for previews of links; without a price after the end."""
    first, *_others = fee(tournament) or [""]
    invites = first and not tournament.is_read_only
    money = _("Startgeld {amount}").format(amount=first) if invites else ""
    when = f"{day(tournament)}, {clock(tournament.starts_at)}"
    facts = [tournament.called_off_note, when, tournament.location, money]
    return " · ".join(filter(None, facts))


# --- Prizes -----------------------------------------------------------------------------


def podium(planned: Sequence[PlanInMoney]) -> dict[str, Any] | None:
    """Return the best places of the first ranking with prizes, and the others in short.

    If no place has a prize, it has the prizes of each Serie and the things to choose instead.
    """
    with_prizes = [each for each in planned if each.plan.lines]
    if not with_prizes:
        given = [each for each in planned if each.plan.has_prizes]
        facts = [fact for each in given for fact in prize_lines(each)]
        return {"told": facts} if facts else None
    first = with_prizes[0]
    (_ranking, lines), *_others = first.by_ranking()
    names = [ranking.describe() for each in with_prizes for ranking, _lines in each.by_ranking()]
    others = list(dict.fromkeys(names))[1:]
    plans = [each.plan for each in planned]
    if any(plan.serie_cents for plan in plans):
        others.append(_("jede Serie"))
    if any(plan.choosing for plan in plans):
        others.append(_("Sachpreise zum Wählen"))
    if any(plan.lottery for plan in plans):
        others.append(_("Verlosung"))
    own = _("Eigene Preise: {rankings}").format(rankings=", ".join(others)) if others else ""
    more = [_rest(first, lines[ON_PODIUM:]), own]
    return {
        "steps": [_step(first, line) for line in lines[:ON_PODIUM]],
        "more": [each for each in more if each],
        "note": _note(first),  # explains the amounts or shares
    }


def _step(planned: PlanInMoney, line: PrizeLine) -> dict[str, Any]:
    money = _money(planned, line)
    return {
        "place": line.place_name,
        "prize": money or line.goods,  # in large letters: money, or goods if there is none
        "is_goods": not money,
        "beside": line.goods if money else "",
    }


def _money(planned: PlanInMoney, line: PrizeLine) -> str:
    """Return the amount of a line if it is known, or else its share; "" for goods only."""
    cents = planned.shared_cents.get(line, 0)
    if cents:
        return _short_euro(whole_euros(cents) if planned.entries else cents)  # „etwa“
    share = percent(line.share_permille) if line.share_permille else ""
    fixed = _short_euro(line.fixed_cents) if line.fixed_cents else ""
    return " + ".join(filter(None, [share, fixed]))


def _short_euro(cents: int) -> str:
    """Return an amount, without the decimals if they are 0."""
    if cents % 100:
        return euro(cents)
    return f"{formats.number_format(cents // 100, force_grouping=True)}{NO_BREAK_SPACE}€"


def _rest(planned: PlanInMoney, lines: Sequence[PrizeLine]) -> str:
    """Return the other places in one line: „4. bis 10. Platz: 9 % bis 5 %“."""
    if not lines:
        return ""
    first, last = lines[0].place, lines[-1].place
    places = (
        _("{place}. Platz").format(place=last)
        if first == last
        else _("{first}. bis {last}. Platz").format(first=first, last=last)
    )
    money = list(dict.fromkeys(_money(planned, line) for line in lines))
    if "" in money:
        return _("{places}: weitere Preise").format(places=places)
    span = _("{first} bis {last}").format(first=money[0], last=money[-1])
    return f"{places}: {span if money[1:] else money[0]}"


def _note(planned: PlanInMoney) -> str:
    if planned.entries and planned.shared_cents:
        return _("So viel gibt es bei {entries} Teilnehmenden etwa").format(entries=planned.entries)
    if planned.shared_cents:
        return _("Beträge aus dem, was eingezahlt ist")
    plan = planned.plan
    if not any(line.share_permille for line in plan.lines):
        return ""
    if plan.serie_cents:
        return _("Anteile am Startgeld ohne Serienpreise")
    has_all = sum(line.share_permille for line in plan.lines) == WHOLE_POT
    if has_all and not (plan.kept_cents or plan.kept_permille or planned.is_of_stakes):
        return _("Anteile am Startgeld; es wird ganz ausgezahlt")
    return _("Anteile an den Einsätzen") if planned.is_of_stakes else _("Anteile am Startgeld")


# --- How it is played, and the rest -----------------------------------------------------


def _play(tournament: Tournament, rule_set: RuleSet) -> Iterator[NamedFact]:
    """Yield three short lines on the course of play, each with a heading."""
    serien = tournament.serien.all()
    seated = {
        Serie.Seating.CARDS: _("gezogen"),
        Serie.Seating.ELECTRONIC: _("ausgelost"),
        Serie.Seating.RANKING: _("nach Rangliste gesetzt"),
        Serie.Seating.PLANNED: _("so geplant, dass man andere trifft"),
    }
    ways = dict.fromkeys(seated[Serie.Seating(serie.seating)] for serie in serien)
    count = ngettext("{n} Serie zu {games} Spielen", "{n} Serien zu {games} Spielen", len(serien))
    tables = capfirst(rule_set_text.tables(rule_set.table_sizes))
    seats = _("Plätze {ways}").format(ways=_(", dann ").join(ways))
    games = rule_set_text.games_listed(rule_set)
    yield count.format(n=len(serien), games=games), f"{tables}; {seats}"
    best, effect = _("Wer die wenigsten Punkte hat, gewinnt"), ""
    if rule_set.order.most_first:
        best = _("Wer die meisten Wertpunkte hat, gewinnt")
    else:
        effect = rule_set_text.handromme_effect(rule_set)
    hand = _("Handrommé: {effect}").format(effect=effect) if effect else ""
    yield rule_set.name, "; ".join(filter(None, [best, hand]))
    names = [ausschreibung_text.ranking_label(each) for each in tournament.rankings.all()]
    rankings = _("Wertungen: {names}").format(names=", ".join(names)) if names[1:] else ""
    places = (
        ngettext("{n} Platz", "{n} Plätze", tournament.places).format(n=tournament.places)
        if tournament.places
        else ""
    )
    circle = capfirst(ausschreibung_text.circle(tournament))
    yield circle, "; ".join(filter(None, [places, rankings]))


@dataclass(frozen=True, slots=True, kw_only=True)
class PosterPart:
    """A part of the page that is folded, with its heading."""

    heading: str
    lines: Sequence[NamedFact]
    sentences: Sequence[str] = ()
    is_open: bool = False  # not folded


def _parts(
    tournament: Tournament, rule_set: RuleSet, planned: Sequence[PlanInMoney]
) -> Iterator[PosterPart]:
    """Yield the folded parts, the rules last."""

    def lines(*sections: Section) -> list[NamedFact]:
        sections_lines = (ausschreibung_text.section_lines(tournament, each) for each in sections)
        return [line for each in sections_lines for line in each]

    schedule = schedule_lines(tournament)
    yield PosterPart(heading=_("Zeitplan"), lines=schedule, is_open=True)
    prizes = list(all_prize_lines(planned))
    yield PosterPart(heading=_("Preise im Einzelnen"), lines=prizes)
    yield PosterPart(heading=_("Startgeld im Einzelnen"), lines=lines(Section.STARTGELD))
    minutes = tournament.protest_minutes
    protest = ngettext(
        "Einspruch gegen Berichtigungen: {n} Minute.",
        "Einspruch gegen Berichtigungen: {n} Minuten.",
        minutes,
    ).format(n=minutes)
    yield PosterPart(
        heading=_("Regeln im Einzelnen"),
        lines=[
            (rule_set.name, rule_set_text.summary(rule_set)),
            *ausschreibung_text.serien_lines(tournament),
            *lines(Section.RANKINGS),
        ],
        sentences=(
            ausschreibung_text.bussgeld_text(tournament),
            ausschreibung_text.ended_lists_text(tournament),
            *ausschreibung_text.all_terms(tournament),
            protest,
        ),
    )
