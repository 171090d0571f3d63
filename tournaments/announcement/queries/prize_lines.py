"""The prizes of an Ausschreibung in words, with their amounts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import gettext as _

from scoring.errors import ScoringError
from scoring.money import euro, percent
from scoring.payments.prizes import LineAmount, PrizeLine, PrizePlan, PrizeRanking, TieRule
from tournaments.announcement.queries import pot_money
from tournaments.announcement.queries.choosing_text import choosing_text, lottery_text
from tournaments.announcement.queries.tournaments import STARTGELD_POT, pots
from tournaments.common.rules import prize_plans
from tournaments.models import Tournament
from tournaments.rulebook.queries.rule_set_text import NamedFact


def all_prize_lines(plans: Sequence[PlanInMoney]) -> Iterator[NamedFact]:
    """Yield the prizes of all plans by ranking, the parts kept, and the rule for ties."""
    planned = [each for each in plans if each.plan.has_prizes]
    lines = [line for each in planned for line in prize_lines(each)]
    yield from dict.fromkeys(lines)  # without duplicates of two plans
    of_places = [each for each in planned if each.plan.lines or each.plan.serie_cents]
    if of_places:
        yield _("Bei Gleichstand"), "\n".join(_ties(of_places))


def _ties(planned: Sequence[PlanInMoney]) -> list[str]:
    """Return the rule for ties, or one for each pot if they differ."""
    sentences = {
        TieRule.SHARE: _("Die Preise der Plätze werden geteilt."),
        TieRule.PLAYOFF: _("Ein Entscheidungsspiel wird ausgetragen."),
    }
    if planned[0].by_lot:
        sentences[TieRule.PLAYOFF] = _("Das Los entscheidet.")
    if len({each.plan.ties for each in planned}) == 1:
        return [sentences[planned[0].plan.ties]]
    return [f"{each.label}: {sentences[each.plan.ties]}" for each in planned]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanInMoney:
    """A prize plan with the amounts of its lines, as far as they are known."""

    plan: PrizePlan
    label: str = ""  # of its pot
    is_of_stakes: bool = False
    amounts: Sequence[LineAmount] = ()  # of the money in the pot, or that of *entries* players
    entries: int = 0  # expected number of players; 0 if the money in the pot counts
    by_lot: bool = False  # instead of an Entscheidungsspiel
    serie_amounts: Sequence[LineAmount] = ()  # of each Serie, by the money of *entries* players

    @property
    def of_pot(self) -> str:
        """The name of the pot that is shared, in the genitive."""
        if self.plan.serie_cents:
            return _("des Startgelds ohne Serienpreise")
        return _("der Einsätze") if self.is_of_stakes else _("des Startgelds")

    @property
    def shared_cents(self) -> dict[PrizeLine, int]:
        """The amount of each line that has a share."""
        return {amount.line: amount.cents for amount in self.amounts if amount.line.share_permille}

    def by_ranking(self) -> Iterator[tuple[PrizeRanking, list[PrizeLine]]]:
        """Yield the rankings in order, each with its lines by place."""
        lines = sorted(self.plan.lines, key=lambda line: line.order)
        for ranking, placed in groupby(lines, key=lambda line: line.ranking):
            yield ranking, list(placed)


def plans_in_money(tournament: Tournament) -> Iterator[PlanInMoney]:
    """Yield the prize plans: of the Startgeld first, then of the stakes.

    After the beginning of the first Serie their amounts are those of the money in the pot, before
    it those for the expected number of players in the plan.
    """
    plans = prize_plans(tournament)
    serien = {serie.number: serie for serie in tournament.serien.all()} if plans else {}
    has_begun = any(serie.started_at for serie in serien.values())
    money = pot_money.money_by_pot(tournament) if has_begun else {}
    pots_by_name = {pot.name: pot for pot in pots(tournament)}
    for name, plan in plans.items():
        pot = pots_by_name.get(name)
        amounts: Sequence[LineAmount] = ()
        serie_amounts: Sequence[LineAmount] = ()
        entries = 0 if name in money else plan.expected_entries
        with suppress(ScoringError):  # the page of the prizes shows the problem
            if name in money:
                amounts = money[name].fund(plan).amounts
            elif pot and entries:
                of_serien = plan.serie_part(pot.cents_each) * entries
                for cents in list(pot_money.by_serie(of_serien, serien).values())[:1]:
                    serie_amounts = plan.of_serie(1).fund(takings_cents=cents).amounts
                amounts = plan.fund(takings_cents=pot.cents_each * entries - of_serien).amounts
        yield PlanInMoney(
            plan=plan,
            label=pot.label if pot else name,
            is_of_stakes=name != STARTGELD_POT,
            amounts=amounts,
            entries=entries,
            serie_amounts=serie_amounts,
            by_lot=tournament.ties_by_lot,
        )


def prize_lines(planned: PlanInMoney) -> Iterator[NamedFact]:
    """Yield the prizes of a plan by ranking, then the part that is kept."""
    plan, cents = planned.plan, planned.shared_cents
    for ranking, placed in planned.by_ranking():
        facts = [
            _("{place}: {prize}").format(
                place=line.place_name, prize=prize_text(line, planned.of_pot, cents.get(line, 0))
            )
            for line in placed
        ]
        label = ranking.describe()
        has_amounts = cents.keys() & set(placed)
        if planned.is_of_stakes and has_amounts:  # the text of a share names its pot
            label = _("{ranking}, aus den Einsätzen").format(ranking=label)
        if planned.entries and has_amounts:
            about = _("{ranking}, bei {entries} Teilnehmenden etwa")
            label = about.format(ranking=label, entries=planned.entries)
        yield label, "\n".join(facts)
    yield from _serie_prize_lines(planned)
    if plan.choosing:
        yield _("Zum Wählen"), choosing_text(plan.choosing)
    if plan.lottery:
        yield _("Verlosung"), lottery_text(plan)
    is_kept = plan.kept_cents or plan.kept_permille
    fixed = any(line.fixed_cents for line in plan.lines)
    if (is_kept or fixed) and not cents and any(line.share_permille for line in plan.lines):
        yield _("Anteile"), _("an dem, was nach Einbehaltenem und festen Preisen übrig ist")
    if is_kept:
        amount = euro(plan.kept_cents) if plan.kept_cents else percent(plan.kept_permille)
        yield _("Einbehalten"), f"{amount} {planned.of_pot}"


def _serie_prize_lines(planned: PlanInMoney) -> Iterator[NamedFact]:
    """Yield the prizes of each Serie."""
    plan = planned.plan
    if not plan.serie_cents:
        return
    part = _("{amount} von jedem Startgeld, auf alle Serien gleich verteilt")
    yield _("Serienpreise"), part.format(amount=euro(plan.serie_cents))
    about = [f", {euro(each.cents)}" for each in planned.serie_amounts]
    facts = [
        f"{line.place_name}: {percent(line.share_permille)}{about[index] if about else ''}"
        for index, line in enumerate(plan.of_serie(1).lines)
    ]
    label = _("Jede Serie")
    if about:
        label = _("{ranking}, bei {entries} Teilnehmenden etwa").format(
            ranking=label, entries=planned.entries
        )
    yield label, "\n".join(facts)


def prize_text(line: PrizeLine, of_pot: str, cents: int = 0) -> str:
    """Return the prize of a place: „30 % des Startgelds und Pokal“, „281,00 € (30 %) und Pokal“.

    Args:
        line: of the plan.
        of_pot: the name of the pot, in the genitive.
        cents: the amount of share and fixed sum; 0 if it is unknown.
    """
    share = percent(line.share_permille) if line.share_permille else ""
    fixed = euro(line.fixed_cents) if line.fixed_cents else ""
    if cents:
        money = [f"{euro(cents)} ({_(' und ').join(filter(None, [share, fixed]))})"]
    else:
        money = [share and f"{share} {of_pot}", fixed]
    return _(" und ").join(part for part in [*money, line.goods] if part)
