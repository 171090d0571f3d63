"""The text of each section of an Ausschreibung, for pages and for paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import groupby
from typing import Any

from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from stdnum import iban

from scoring.errors import ScoringError
from scoring.money import euro, percent
from scoring.payments.prizes import LineAmount, PrizeLine, PrizePlan, TieRule
from tournaments.announcement.queries import examples, pot_money
from tournaments.announcement.queries.tournaments import STARTGELD_POT, is_public, pots
from tournaments.cash.queries.tariff import category_label, years
from tournaments.common.rules import bussgeld_tariff, prize_plans, rule_set_of
from tournaments.desk.queries.circle import who_may_come
from tournaments.models import Ranking, Serie, Tournament
from tournaments.models.tournament import Section
from tournaments.rulebook.queries import rule_set_text
from tournaments.rulebook.queries.rule_set_text import NamedFact


def moment(at: datetime) -> str:
    """Return a day and a time: „3. Oktober 2026, 14:00 Uhr“."""
    local = timezone.localtime(at)
    return _("{day}, {time} Uhr").format(
        day=formats.date_format(local, "DATE_FORMAT"),
        time=formats.time_format(local, "TIME_FORMAT"),
    )


# The sections that page and poster show in this order, below date, place and organiser.
DETAILS = (
    (Section.STARTGELD, gettext_lazy("Startgeld")),
    (Section.SERIEN, gettext_lazy("Serien")),
    (Section.RANKINGS, gettext_lazy("Wertungen")),
    (Section.PRIZES, gettext_lazy("Preise")),
)


def poster(tournament: Tournament) -> dict[str, Any]:
    """Return the contents of the Ausschreibung for its public page and for paper."""
    rule_set = rule_set_of(tournament)
    start, deadline = tournament.starts_at, tournament.registration_deadline
    return {
        "deadline_same_day": timezone.localdate(deadline) == timezone.localdate(start),
        "is_draft": not is_public(tournament),
        "circle": circle(tournament),
        "admission": who_may_come(tournament),
        "rule_set": rule_set,
        "rule_summary": rule_set_text.summary(rule_set),
        "ended_lists": ended_lists_text(tournament),
        "bussgeld": bussgeld_text(tournament),
        "details": [
            (heading, lines)
            for section, heading in DETAILS
            if (lines := section_lines(tournament, section))
        ],
        "iban": iban.format(tournament.iban),
    }


def section_lines(tournament: Tournament, section: Section) -> list[NamedFact]:
    """Return the facts of *section*; nothing for empty fields."""
    return [line for line in _SECTIONS[section](tournament) if line.value]


def _general(tournament: Tournament) -> Iterator[NamedFact]:
    yield NamedFact(_("Name"), tournament.name)
    yield NamedFact(_("Adresse"), f"/t/{tournament.slug}/")
    yield NamedFact(_("Beginn"), moment(tournament.starts_at))
    yield NamedFact(_("Meldeschluss"), moment(tournament.registration_deadline))
    yield NamedFact(_("Spielort"), place(tournament))
    yield NamedFact(_("Veranstalter"), tournament.organiser)
    yield NamedFact(
        _("Teilnehmerkreis"), "\n".join([circle(tournament), *who_may_come(tournament)])
    )
    if tournament.admission:
        named = len(tournament.circle_persons.splitlines())
        yield NamedFact(_("Personen auf der Liste"), str(named))
    yield NamedFact(_("Rückfragen"), contact(tournament))


def place(tournament: Tournament) -> str:
    """Return venue and address on separate lines."""
    return "\n".join(filter(None, [tournament.venue, tournament.venue_address]))


def circle(tournament: Tournament) -> str:
    """Return who may take part (§ 1.1)."""
    if tournament.is_open:
        return _("offen für alle")
    return _("geschlossen: {circle}").format(circle=tournament.closed_circle)


def contact(tournament: Tournament) -> str:
    """Return contact, e-mail and phone."""
    return "\n".join(
        filter(None, [tournament.contact, tournament.contact_email, tournament.contact_phone])
    )


def _text(tournament: Tournament) -> Iterator[NamedFact]:
    yield NamedFact(_("Text"), tournament.text)


def _rule_set(tournament: Tournament) -> Iterator[NamedFact]:
    rules = rule_set_of(tournament)
    yield NamedFact(_("Regelwerk"), rules.name)
    yield NamedFact(_("In Kürze"), rule_set_text.summary(rules))


def _serien(tournament: Tournament) -> Iterator[NamedFact]:
    for serie in tournament.serien.all():
        yield NamedFact(str(serie), serie_text(serie))


def serie_text(serie: Serie) -> str:
    """Return how a Serie is seated and its time limit."""
    if serie.time_limit_minutes is None:
        return serie.get_seating_display()
    return _("{seating}, höchstens {minutes} Minuten").format(
        seating=serie.get_seating_display(), minutes=serie.time_limit_minutes
    )


def _startgeld(tournament: Tournament) -> Iterator[NamedFact]:
    for category in tournament.categories.all():
        yield NamedFact(category_label(category), euro(category.startgeld_cents))
    if tournament.kartengeld_cents:
        yield NamedFact(_("Kartengeld"), euro(tournament.kartengeld_cents))
    if tournament.kaution_cents:
        yield NamedFact(
            _("Kaution"),
            _("{amount}, wird zurückgezahlt").format(amount=euro(tournament.kaution_cents)),
        )
    if tournament.refund_until is not None:
        yield NamedFact(
            _("Rückzahlung bei Abmeldung"),
            _("bis {moment}").format(moment=moment(tournament.refund_until)),
        )
    if tournament.late_startgeld != Tournament.LateStartgeld.FULL:
        yield NamedFact(
            _("Wer nach der ersten Serie kommt, zahlt"), tournament.get_late_startgeld_display()
        )
    if tournament.places is not None:
        yield NamedFact(_("Plätze"), str(tournament.places))


def ranking_label(ranking: Ranking) -> str:
    """Return the name of a ranking with the size of its teams, or its years."""
    if ranking.kind == Ranking.Kind.TEAM:
        return _("Mannschaft zu {size}").format(size=ranking.size)
    limits = years(ranking)
    return f"{ranking} ({limits})" if limits else str(ranking)


def _rankings(tournament: Tournament) -> Iterator[NamedFact]:
    for ranking in tournament.rankings.all():
        stake = (
            _("Einsatz {amount} je Person").format(amount=euro(ranking.stake_cents))
            if ranking.stake_cents
            else _("ohne Einsatz")
        )
        yield NamedFact(ranking_label(ranking), stake)


def _bussgeld(tournament: Tournament) -> Iterator[NamedFact]:
    yield NamedFact(_("Bußgeld"), bussgeld_text(tournament))


def bussgeld_text(tournament: Tournament) -> str:
    """Return the tariff of the Bußgeld, and what the money is for."""
    tariff = bussgeld_tariff(tournament)
    if tariff.kind == "none":
        return tariff.describe()
    sentences = (tariff.describe(), tariff.describe_late(), tariff.destination.describe())
    return " ".join(filter(None, sentences))


def counted(tournament: Tournament) -> list[NamedFact]:
    """Return all scoring numbers of a tournament as lines of text."""
    return [
        *rule_set_text.details(rule_set_of(tournament)),
        NamedFact(_("Vorzeitig beendete Listen"), ended_lists_text(tournament)),
    ]


def ended_lists_text(tournament: Tournament) -> str:
    """Return what a list counts that the Spielleitung ends before its last game."""
    sentences = {
        Tournament.EndedLists.EXTRAPOLATED: _(
            "Endet eine Liste vorzeitig, wird ihr Ergebnis auf {games} Spiele hochgerechnet und "
            "aufgerundet."
        ),
        Tournament.EndedLists.AS_PLAYED: _("Endet eine Liste vorzeitig, zählt sie wie gespielt."),
        Tournament.EndedLists.NONE: _("Endet eine Liste vorzeitig, bringt sie kein Ergebnis."),
    }
    counts = sentences[Tournament.EndedLists(tournament.ended_lists)]
    gone = _("Wer eine Liste verlässt und keine Vertretung hat, bekommt dort kein Ergebnis.")
    return f"{counts.format(games=rule_set_of(tournament).games)} {gone}"


def _prizes(tournament: Tournament) -> Iterator[NamedFact]:
    plans = prize_plans(tournament)
    has_begun = plans and tournament.serien.filter(started_at__isnull=False).exists()
    there = pot_money.in_pots(tournament) if has_begun else {}
    found = {pot.name: pot for pot in pots(tournament)}
    for name, plan in plans.items():
        pot = found.get(name)
        heading = f"{pot.label if pot else name}: " if len(plans) > 1 else ""
        of_pot = _("des Startgelds") if name == STARTGELD_POT else _("der Einsätze")
        amounts: Sequence[LineAmount] = ()
        entries = 0 if name in there else plan.expected_entries
        if name in there:
            with suppress(ScoringError):  # the prize page says what is missing
                amounts = there[name].fund(plan).amounts
        elif pot and entries:
            amounts = examples.prizes(plan, pot, entries).amounts
        yield from prize_lines(plan, heading, of_pot, amounts, entries)


def prize_lines(
    plan: PrizePlan,
    heading: str = "",
    of_pot: str = "",
    amounts: Sequence[LineAmount] = (),
    entries: int = 0,
) -> Iterator[NamedFact]:
    """Return the prizes of a plan by ranking, then the kept part and the rule for ties.

    Args:
        plan: of one pot.
        heading: before each label.
        of_pot: what the shares are of, in the genitive.
        amounts: of the money in the pot, or of what *entries* players would pay.
        entries: 0 if it is the money in the pot.
    """
    cents = {one.line: one.cents for one in amounts if one.line.share_permille}
    lines = sorted(plan.lines, key=lambda line: line.order)
    for ranking, placed in groupby(lines, key=lambda line: line.ranking):
        prizes = {line: prize_text(line, of_pot, cents.get(line, 0)) for line in placed}
        said = [
            _("{place}. Platz: {prize}").format(place=line.place, prize=prize)
            for line, prize in prizes.items()
        ]
        label = f"{heading}{ranking.describe()}"
        if entries and cents.keys() & prizes.keys():
            about = _("{ranking}, bei {entries} Teilnehmenden etwa")
            label = about.format(ranking=label, entries=entries)
        yield NamedFact(label, "\n".join(said))
    is_kept = plan.kept_cents or plan.kept_permille
    fixed = any(line.fixed_cents for line in lines)
    if (is_kept or fixed) and not cents and any(line.share_permille for line in lines):
        yield NamedFact(
            heading + _("Anteile"),
            _("an dem, was nach Einbehaltenem und festen Preisen übrig ist"),
        )
    if is_kept:
        amount = euro(plan.kept_cents) if plan.kept_cents else percent(plan.kept_permille)
        yield NamedFact(heading + _("Einbehalten"), amount)
    ties = {
        TieRule.SHARE: _("Die Preise der Plätze werden geteilt."),
        TieRule.PLAYOFF: _("Ein Entscheidungsspiel wird ausgetragen."),
    }
    yield NamedFact(heading + _("Bei Gleichstand"), ties[plan.ties])


def prize_text(line: PrizeLine, of_pot: str = "", cents: int = 0) -> str:
    """Return the prize of a place: „30 % des Startgelds und Pokal“, „281,00 € (30 %) und Pokal“.

    Args:
        line: of the plan.
        of_pot: what the share is of, in the genitive.
        cents: what the share comes to, with the fixed sum; 0 if that is not known.
    """
    share = percent(line.share_permille) if line.share_permille else ""
    fixed = euro(line.fixed_cents) if line.fixed_cents else ""
    if cents:
        money = [f"{euro(cents)} ({_(' und ').join(filter(None, [share, fixed]))})"]
    else:
        money = [share and f"{share} {of_pot}".strip(), fixed]
    return _(" und ").join(part for part in [*money, line.goods] if part)


def _bank(tournament: Tournament) -> Iterator[NamedFact]:
    yield NamedFact(_("Kontoinhaber"), tournament.account_holder)
    yield NamedFact(_("IBAN"), iban.format(tournament.iban))
    yield NamedFact(_("BIC"), tournament.bic)


def _procedure(tournament: Tournament) -> Iterator[NamedFact]:
    yield NamedFact(
        _("Meldung über das Internet"),
        _("möglich") if tournament.online_registration else _("nicht möglich"),
    )
    yield NamedFact(_("Vorzeitig beendete Listen"), tournament.get_ended_lists_display())
    minutes = tournament.protest_minutes
    yield NamedFact(
        _("Einspruchsfrist"),
        ngettext("{n} Minute", "{n} Minuten", minutes).format(n=minutes),
    )
    yield NamedFact(
        _("Berichtigungen"),
        _("mit vier Augen") if tournament.four_eyes else _("durch eine Person"),
    )
    language = tournament.get_language_display() or Tournament.Language.__empty__
    yield NamedFact(_("Sprache der Drucke und Mails"), str(language))


def _public(tournament: Tournament) -> Iterator[NamedFact]:
    yield NamedFact(
        _("Namen im Saal"),
        _("auf Leinwand und Aushängen; wer das nicht möchte, sagt es an der Anmeldung")
        if tournament.names_in_hall
        else _("nur mit Zustimmung, sonst Startnummer und Anfangsbuchstaben"),
    )
    yield NamedFact(
        _("Sitzplan"), _("öffentlich") if tournament.public_seating else _("nicht öffentlich")
    )
    yield NamedFact(_("Rangliste"), tournament.get_public_ranking_display())


_SECTIONS: Mapping[Section, Callable[[Tournament], Iterator[NamedFact]]] = {
    Section.GENERAL: _general,
    Section.TEXT: _text,
    Section.RULE_SET: _rule_set,
    Section.SERIEN: _serien,
    Section.STARTGELD: _startgeld,
    Section.RANKINGS: _rankings,
    Section.BUSSGELD: _bussgeld,
    Section.PRIZES: _prizes,
    Section.BANK: _bank,
    Section.PROCEDURE: _procedure,
    Section.PUBLIC: _public,
}
