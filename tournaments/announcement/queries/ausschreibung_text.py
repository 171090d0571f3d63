"""The text of each section of an Ausschreibung, for pages and for paper."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import groupby

from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from stdnum import iban

from scoring.money import euro
from tournaments.announcement.queries.prize_lines import all_prize_lines, plans_in_money
from tournaments.announcement.queries.schedule import schedule_lines
from tournaments.announcement.queries.tournaments import STARTGELD_POT
from tournaments.cash.queries.tariff import category_label, years
from tournaments.common.formats import rounding
from tournaments.common.rules import bussgeld_tariff, prize_plans, rule_set_of
from tournaments.desk.queries.admission import admission_in_words
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


def section_lines(tournament: Tournament, section: Section) -> list[NamedFact]:
    """Return the facts of *section*; empty fields are left out."""
    return [(label, value) for label, value in _SECTIONS[section](tournament) if value]


def _general(tournament: Tournament) -> Iterator[NamedFact]:
    yield _("Name"), tournament.name
    yield _("Adresse"), f"/t/{tournament.slug}/"
    yield _("Beginn"), moment(tournament.starts_at)
    yield _("Meldeschluss"), moment(tournament.registration_deadline)
    yield _("Spielort"), place(tournament)
    yield _("Veranstalter"), tournament.organiser
    yield _("Teilnehmerkreis"), "\n".join([circle(tournament), *admission_in_words(tournament)])
    if tournament.admission:
        named = len(tournament.circle_persons.splitlines())
        yield _("Personen auf der Liste"), str(named)
    yield _("Rückfragen"), contact(tournament)


def place(tournament: Tournament) -> str:
    """Return venue and address on separate lines."""
    return "\n".join(filter(None, [tournament.venue, tournament.venue_address]))


def circle(tournament: Tournament) -> str:
    """Return whether the tournament is open, or else its closed circle, in words (§ 1.1)."""
    if tournament.is_open:
        return _("offen für alle")
    return _("geschlossen: {circle}").format(circle=tournament.closed_circle)


def contact(tournament: Tournament) -> str:
    """Return contact, e-mail and phone."""
    return "\n".join(
        filter(None, [tournament.contact, tournament.contact_email, tournament.contact_phone])
    )


def _rule_set(tournament: Tournament) -> Iterator[NamedFact]:
    rules = rule_set_of(tournament)
    yield _("Regelwerk"), rules.name
    yield _("In Kürze"), rule_set_text.summary(rules)


def _serien(tournament: Tournament) -> Iterator[NamedFact]:
    yield from serien_lines(tournament)
    yield from schedule_lines(tournament)


def serien_lines(tournament: Tournament) -> Iterator[NamedFact]:
    """Yield how the Serien are seated."""
    for text, alike in groupby(tournament.serien.all(), key=serie_text):
        first, *others = alike
        label = str(first)
        if others:
            label = _("Serie {first} bis {last}").format(first=first.number, last=others[-1].number)
        yield label, text


def serie_text(serie: Serie) -> str:
    """Return how a Serie is seated and its time limit."""
    if serie.time_limit_minutes is None:
        return serie.get_seating_display()
    return _("{seating}, höchstens {minutes} Minuten").format(
        seating=serie.get_seating_display(), minutes=serie.time_limit_minutes
    )


def _startgeld(tournament: Tournament) -> Iterator[NamedFact]:
    for category in tournament.categories.all():
        label = _("je Person") if category.has_default_name else category_label(category)
        yield label, euro(category.startgeld_cents)
    if cents := serie_cents(tournament):
        yield _("davon für Serienpreise"), euro(cents)
    if tournament.kartengeld_cents:
        yield _("Kartengeld"), euro(tournament.kartengeld_cents)
    if tournament.kaution_cents:
        yield (
            _("Kaution"),
            _("{amount}, wird zurückgezahlt").format(amount=euro(tournament.kaution_cents)),
        )
    if tournament.refund_until is not None:
        yield (
            _("Rückzahlung bei Abmeldung"),
            _("bis {moment}").format(moment=moment(tournament.refund_until)),
        )
    if tournament.late_startgeld != Tournament.LateStartgeld.FULL:
        yield _("Wer nach der ersten Serie kommt, zahlt"), tournament.get_late_startgeld_display()
    if tournament.day_startgeld and tournament.days.numbers:
        yield _("Wer nur an einzelnen Tagen spielt, zahlt"), _("den Anteil dieser Serien")
    if tournament.places is not None:
        yield _("Plätze"), str(tournament.places)


def serie_cents(tournament: Tournament) -> int:
    """Return the part of each Startgeld for Serienpreise, in cents."""
    plan = prize_plans(tournament).get(STARTGELD_POT)
    return plan.serie_cents if plan else 0


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
        yield ranking_label(ranking), stake


def bussgeld_text(tournament: Tournament) -> str:
    """Return the tariff of the Bußgeld, and the destination of the money."""
    tariff = bussgeld_tariff(tournament)
    if tariff.kind == "none":
        return tariff.describe()
    of_augen = tariff.kind == "per_points" and rule_set_of(tournament).order.most_first
    text = _("Gemeint sind die Augen der Liste, nicht die Wertpunkte.") if of_augen else ""
    sentences = (tariff.describe(), text, tariff.describe_late(), tariff.destination.describe())
    return " ".join(filter(None, sentences))


def scoring_lines(tournament: Tournament) -> list[NamedFact]:
    """Return all scoring numbers of a tournament as lines of text."""
    return [
        *rule_set_text.details(rule_set_of(tournament)),
        (_("Vorzeitig beendete Listen"), ended_lists_text(tournament)),
        *((_("Wertung"), sentence) for sentence in all_terms(tournament)),
    ]


def terms_sentences(tournament: Tournament, serien: int | None = None) -> Iterator[str]:
    """Yield the departures of the Ausschreibung from § 1.5.

    Args:
        tournament: with the choices.
        serien: their number; None for a ranking of a part, which strikes no Serie and carries no
            points.
    """
    best = tournament.best_serien
    if tournament.carries_points and serien is not None:
        yield (
            _(
                "Die Punkte der Vorrunde werden mitgenommen (Abweichung von § 1.5) und nie "
                "gestrichen. Wer keine hat, hat keinen Platz."
            )
            if tournament.only_whole
            else _(
                "Die Punkte der Vorrunde werden mitgenommen (Abweichung von § 1.5) und nie "
                "gestrichen. Wer keine hat, steht hinter allen mit ebenso vielen Serien, die "
                "welche haben."
            )
        )
    if best is not None and serien is not None and best < serien:
        yield ngettext(
            "Von {serien} Serien zählt die beste (Abweichung von § 1.5).",
            "Von {serien} Serien zählen die besten {best} (Abweichung von § 1.5).",
            best,
        ).format(serien=serien, best=best)
        if not tournament.only_whole:
            yield _("Wer weniger Ergebnisse hat, steht hinter allen, die so viele haben.")
    if tournament.only_whole:
        yield _("Wer eine Serie verpasst, die zählt, hat keinen Platz.")
    if tournament.ties_by_lot:
        yield _(
            "Sind mehrere in allem gleich, entscheidet das Los statt eines Entscheidungsspiels "
            "(Abweichung von § 1.5)."
        )


def all_terms(tournament: Tournament) -> Iterator[str]:
    """Yield the departures from § 1.5 for the ranking of the whole tournament."""
    knows_best = tournament.best_serien is not None
    return terms_sentences(tournament, tournament.serien.count() if knows_best else 0)


def ended_lists_text(tournament: Tournament) -> str:
    """Return how a list counts that the Spielleitung ends before its last game."""
    sentences = {
        Tournament.EndedLists.EXTRAPOLATED: _(
            "Endet eine Liste vorzeitig, wird ihr Ergebnis auf {games} Spiele hochgerechnet und "
            "{rounded}."
        ),
        Tournament.EndedLists.AS_PLAYED: _("Endet eine Liste vorzeitig, zählt sie wie gespielt."),
        Tournament.EndedLists.NONE: _("Endet eine Liste vorzeitig, bringt sie kein Ergebnis."),
    }
    counts = sentences[Tournament.EndedLists(tournament.ended_lists)]
    gone = _("Wer eine Liste verlässt und keine Vertretung hat, bekommt dort kein Ergebnis.")
    rule_set = rule_set_of(tournament)
    whole = dict.fromkeys(map(rule_set.own_games, rule_set.table_sizes))
    text = counts.format(
        games=rule_set_text.listed(map(str, whole)), rounded=rounding(rule_set.order)
    )
    return f"{text} {gone}"


def _bank(tournament: Tournament) -> Iterator[NamedFact]:
    yield _("Kontoinhaber"), tournament.account_holder
    yield _("IBAN"), iban.format(tournament.iban)
    yield _("BIC"), tournament.bic


def _procedure(tournament: Tournament) -> Iterator[NamedFact]:
    yield (
        _("Meldung über das Internet"),
        _("möglich") if tournament.online_registration else _("nicht möglich"),
    )
    if hours := tournament.offer_hours:
        yield (
            _("Warteliste"),
            ngettext(
                "Wer nachrückt, wird gefragt und hat {n} Stunde",
                "Wer nachrückt, wird gefragt und hat {n} Stunden",
                hours,
            ).format(n=hours),
        )
    if tournament.self_check_in:
        yield _("Am Turniertag"), _("„Ich bin da“ auf dem eigenen Handy")
    if tournament.mails_seats:
        yield _("Plätze per E-Mail"), _("nach jeder Bekanntgabe")
    yield _("Vorzeitig beendete Listen"), tournament.get_ended_lists_display()
    for sentence in all_terms(tournament):
        yield _("Wertung"), sentence
    minutes = tournament.protest_minutes
    yield _("Einspruchsfrist"), ngettext("{n} Minute", "{n} Minuten", minutes).format(n=minutes)
    yield (
        _("Berichtigungen"),
        _("mit vier Augen") if tournament.four_eyes else _("durch eine Person"),
    )
    language = tournament.get_language_display() or Tournament.Language.__empty__
    yield _("Sprache der Drucke und Mails"), str(language)


def _public(tournament: Tournament) -> Iterator[NamedFact]:
    yield (
        _("Namen im Saal"),
        _("auf Leinwand und Aushängen; wer das nicht möchte, sagt es an der Anmeldung")
        if tournament.names_in_hall
        else _("nur mit Zustimmung, sonst Startnummer und Anfangsbuchstaben"),
    )
    if tournament.public_players:
        yield _("Wer kommt?"), tournament.get_public_players_display()
    yield _("Sitzplan"), _("öffentlich") if tournament.public_seating else _("nicht öffentlich")
    yield _("Rangliste"), tournament.get_public_ranking_display()


_SECTIONS: Mapping[Section, Callable[[Tournament], Iterable[NamedFact]]] = {
    Section.GENERAL: _general,
    Section.TEXT: lambda tournament: [(_("Text"), tournament.text)],
    Section.RULE_SET: _rule_set,
    Section.SERIEN: _serien,
    Section.STARTGELD: _startgeld,
    Section.RANKINGS: _rankings,
    Section.BUSSGELD: lambda tournament: [(_("Bußgeld"), bussgeld_text(tournament))],
    Section.PRIZES: lambda tournament: all_prize_lines([*plans_in_money(tournament)]),
    Section.BANK: _bank,
    Section.PROCEDURE: _procedure,
    Section.PUBLIC: _public,
}
