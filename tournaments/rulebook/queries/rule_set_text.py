"""A rule set in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.cards import Pack, Rank
from scoring.money import euro
from scoring.payments.settlement import ByRank
from scoring.ruleset import Contract, Receiver, Round, RuleSet, TieBreak, Variant
from scoring.rulesets import offered_variants

MINUS = "\N{MINUS SIGN}"
# Name and text of a fact as shown; ``\n`` separates the lines of the text.
NamedFact = tuple[str, str]


TIES = {
    TieBreak.AUGEN: gettext_lazy("weniger Augen"),
    TieBreak.GAMES: gettext_lazy("mehr beendete Spiele"),
    TieBreak.HANDROMME: gettext_lazy("mehr Handrommés"),
    TieBreak.BEST_SERIE: gettext_lazy("die beste Serie"),
    TieBreak.LAST_SERIE: gettext_lazy("die letzte Serie"),
}


def summary(rule_set: RuleSet) -> str:
    """Return a summary of a rule set in one sentence.

    „12 Spiele an Tischen zu 4, ausnahmsweise 3; 13 Karten; Handrommé: −50 Punkte“
    """
    parts = [_list(rule_set), _cards_dealt(rule_set.rounds)]
    if rule_set.valuation:
        parts.append(_("Wertpunkte: {valued}").format(valued=", ".join(valuation(rule_set))))
    elif rule_set.handromme is not None:
        parts.append(_("Handrommé: {effect}").format(effect=handromme_effect(rule_set)))
    if any(round_.contract for round_ in rule_set.rounds):
        parts.append(_("je Spiel ein Kontrakt"))
    if agreed := variants(rule_set):
        letters = ", ".join(each[0] for each in agreed)
        parts.append(_("mit den Varianten {letters}").format(letters=letters))
    return "; ".join(parts)


def tie_breaks(rule_set: RuleSet, *, by_lot: bool = False) -> str:
    """Return the criteria for ties: „mehr beendete Spiele, dann …“ (§ 1.5)."""
    ties = [
        str(TIES[tie_break])
        for tie_break in rule_set.tie_breaks
        if tie_break is not TieBreak.HANDROMME or rule_set.handromme
    ]
    if by_lot:
        return _(", dann ").join([*ties, _("das Los (Abweichung von § 1.5)")])
    if not ties:
        return _("das Entscheidungsspiel (§ 1.5)")
    return _("{ties}, dann das Entscheidungsspiel (§ 1.5)").format(ties=_(", dann ").join(ties))


def details(rule_set: RuleSet) -> list[NamedFact]:
    """Return all numbers of a rule set in words."""
    lines = [
        (_("Quelle"), _(rule_set.source)),
        (_("Liste"), _list(rule_set)),
        *_series(rule_set),
        (_("Karten"), _packs(rule_set.packs)),
        (_("Kartenwerte"), card_values(rule_set.card_values)),
        *_counting(rule_set),
    ]
    if rule_set.finisher_may_hold:
        lines.append(
            (
                _("Beenden mit Rest"),
                _("mit höchstens {points} Punkten in der Hand, die dann zählen").format(
                    points=rule_set.finisher_may_hold
                ),
            )
        )
    if rule_set.ends_without_finisher:
        lines.append((_("Ende ohne Sieger"), _("möglich; dann zählen alle ihre Karten")))
    lines += _grants(rule_set)
    if bought := buying(rule_set):
        lines.append((_("Gekaufte Karten"), "\n".join(bought)))
    if agreed := variants(rule_set):
        lines.append((_("Varianten"), "\n".join(agreed)))
    if rule_set.penalties:
        lines.append(
            (
                _("Strafpunkte"),
                _("{points}, nur durch die Spielleitung").format(
                    points=_(" oder ").join(f"+{points}" for points in rule_set.penalties)
                ),
            )
        )
    if rule_set.settlement is not None:
        lines.append((_("Abrechnung am Tisch"), rule_set.settlement.describe()))
    return lines


def _counting(rule_set: RuleSet) -> list[NamedFact]:
    """Return the points of finished games, or those of all games in Wertpunkten."""
    if rule_set.valuation:
        return [(_("Wertpunkte"), "\n".join(valuation(rule_set)))]
    handromme = handromme_effect(rule_set) or _("gibt es in diesem Regelwerk nicht")
    return [
        (_("Beendetes Spiel"), _bonus(rule_set.bonus_per_game)),
        (_("Handrommé"), handromme),
    ]


def valuation(rule_set: RuleSet) -> list[str]:
    """Return the Wertpunkte of a game: „beendetes Spiel 5“; empty without Wertpunkte."""
    rules = rule_set.valuation
    if rules is None:
        return []
    kinds = [(_("beendetes Spiel"), rules.finish)]
    if rule_set.handromme:
        kinds.append((_("Handrommé"), rules.handromme))
    sentences = [f"{name} {_by_size(by_size)}" for name, by_size in kinds]
    sentences += [
        _("bis {hand} Augen {points}").format(hand=step.upto, points=step.points)
        for step in rules.steps
    ]
    sentences.append(_("sonst 0"))
    if rules.penalty_per:
        cost = _("je angefangene {points} Strafpunkte {minus}1")
        sentences.append(cost.format(points=rules.penalty_per, minus=MINUS))
    return sentences


def _by_size(points: Mapping[int, int]) -> str:
    """Return one number for all sizes of table, or each: „5 am Tisch zu 4, 4 am Tisch zu 3“."""
    if len(set(points.values())) == 1:
        return str(next(iter(points.values())))
    return ", ".join(_at_sizes(points))


def _at_sizes(points: Mapping[int, int], sign: str = "") -> Iterator[str]:
    for players, value in sorted(points.items(), reverse=True):
        yield _("{points} am Tisch zu {players}").format(points=f"{sign}{value}", players=players)


def variants(rule_set: RuleSet) -> list[str]:
    """Return the chosen variants of its source, each with its letter: „a) …“.

    Two variants are numbers of the rule set: c cards that a finisher may hold, g growing hands.
    """
    if not offered_variants(rule_set):
        return []
    names = {variant.value: variant_name(variant) for variant in rule_set.variants}
    if rule_set.finisher_may_hold:
        names["c"] = _("Rommé melden darf, wer höchstens {points} Punkte in der Hand hat").format(
            points=rule_set.finisher_may_hold
        )
    if rule_set.round(1).extra_cards is None:
        names["g"] = _(
            "zu zweit und zu dritt in jedem Zug die Abwurfkarte und zwei vom Stapel nehmen"
        )
    return [f"{letter}) {names[letter]}" for letter in sorted(names)]


def variant_name(variant: Variant) -> str:
    """Return a short description of a variant of "Romme Regeln"."""
    return {
        Variant.ACE_AT_ONE_END: _("keine Folge über das Ass hinweg: nie König, Ass, Zwei"),
        Variant.EQUAL_CARDS: _("ein Satz darf gleiche Karten enthalten, auch mehr als vier"),
        Variant.AS_DEALT: _("Handrommé nur mit den ausgeteilten Karten"),
        Variant.DISCARD_FOR_FORTY: _(
            "die Abwurfkarte nur nehmen, um mit ihr mindestens 40 Punkte auszulegen"
        ),
        Variant.JOKER_OF_THE_CUT: _(
            "ein Joker unter den abgehobenen Karten darf gegen eine Handkarte getauscht werden"
        ),
    }[variant]


def buying(rule_set: RuleSet) -> list[str]:
    """Return how many cards may be bought, at which price and when; "" if none."""
    by_round: dict[tuple[int, int], list[int]] = {}
    for game in range(1, rule_set.games + 1):
        round_ = rule_set.round(game)
        if round_.purchases:
            extra = max(0, (round_.extra_cards or 0) - round_.purchases)
            by_round.setdefault((round_.purchases, extra), []).append(game)
    if not by_round:
        return []
    most = ngettext(
        "höchstens {n} Karte je Person und Liste",
        "höchstens {n} Karten je Person und Liste",
        rule_set.purchases,
    ).format(n=rule_set.purchases)
    if isinstance(rule_set.settlement, ByRank):
        price = euro(rule_set.settlement.card_cents)
        most = _("{most}, jede für {price}").format(most=most, price=price)
    return [most, *(_bought_in(games, *each) for each, games in by_round.items())]


def _bought_in(games: Sequence[int], purchases: int, taken: int) -> str:
    named = ngettext("in Spiel {games}: {n}", "in den Spielen {games}: je {n}", len(games)).format(
        games=", ".join(map(str, games)), n=purchases
    )
    if not taken:
        return named
    return _("{named}, dazu {taken} vom Stapel").format(named=named, taken=taken)


def contracts(rule_set: RuleSet) -> list[NamedFact]:
    """Return the contract of each game; empty if there are no contracts."""
    return [
        (
            _("Spiel {number}").format(number=number),
            _("{contract} · {cards} Karten").format(
                contract=contract(round_.contract), cards=round_.cards_dealt
            ),
        )
        for number, round_ in enumerate(rule_set.rounds, start=1)
        if round_.contract is not None
    ]


def contract(what: Contract) -> str:
    """Return a contract in words: „2 Sätze zu 3, 1 Folge zu 4“."""
    parts = [*_melds(what.groups, _group), *_melds(what.runs, _run)]
    if what.pairs:
        parts.append(ngettext("{n} Paar", "{n} Paare", what.pairs).format(n=what.pairs))
    if not what.discard:
        parts.append(_("ohne Abwerfen"))
    return ", ".join(parts)


def _melds(sizes: Sequence[int], name: Callable[[int, int], str]) -> list[str]:
    return [name(sizes.count(size), size) for size in dict.fromkeys(sizes)]


def _group(number: int, size: int) -> str:
    sentence = ngettext("{n} Satz zu {size}", "{n} Sätze zu {size}", number)
    return sentence.format(n=number, size=size)


def _run(number: int, size: int) -> str:
    sentence = ngettext("{n} Folge zu {size}", "{n} Folgen zu {size}", number)
    return sentence.format(n=number, size=size)


def _list(rule_set: RuleSet) -> str:
    """Return the games of a list, and the tables where the dealer sits out."""
    most = max(map(rule_set.games_at, rule_set.table_sizes))
    games = ngettext("{n} Spiel", "{n} Spiele", most).format(n=games_listed(rule_set))
    text = f"{games} {tables(rule_set.table_sizes)}"
    dealers = [
        _("am Tisch zu {size} setzt aus, wer gibt: {games} Spiele, für jeden {own}").format(
            size=size, games=rule_set.games_at(size), own=rule_set.own_games(size)
        )
        for size in rule_set.table_sizes
        if size in rule_set.dealer_sits_out
    ]
    return f"{text} ({'; '.join(dealers)})" if dealers else text


def games_listed(rule_set: RuleSet) -> str:
    """Return the number of games of a list, by size of table: „20 oder 15“."""
    return listed(map(str, dict.fromkeys(map(rule_set.games_at, rule_set.table_sizes))))


def _series(rule_set: RuleSet) -> list[NamedFact]:
    """Return the number of Serien in the source: „2 × 8 Spiele“."""
    if rule_set.series is None:
        return []
    whole = _("{series} × {games} Spiele; jeder Durchgang ist eine Serie")
    return [(_("Durchgänge"), whole.format(series=rule_set.series, games=rule_set.games))]


def tables(sizes: Sequence[int]) -> str:
    """Return the sizes of tables: „an Tischen zu 4, ausnahmsweise 3“."""
    first, *others = sizes
    if not others:
        return _("an Tischen zu {size}").format(size=first)
    return _("an Tischen zu {size}, ausnahmsweise {others}").format(
        size=first, others=listed(str(size) for size in others)
    )


def listed(words: Iterable[str]) -> str:
    """Return alternatives as a text: „3, 5 oder 6“."""
    *first, last = words
    return _("{words} oder {last}").format(words=", ".join(first), last=last) if first else last


def _cards_dealt(rounds: Sequence[Round]) -> str:
    numbers = sorted({round_.cards_dealt for round_ in rounds})
    return _("{numbers} Karten").format(numbers=listed(str(number) for number in numbers))


def _packs(packs: Mapping[int, Pack]) -> str:
    by_pack: dict[tuple[int, int], list[str]] = {}
    for players in sorted(packs):
        pack = packs[players]
        by_pack.setdefault((pack.decks, pack.jokers), []).append(str(players))
    return "\n".join(
        _pack(decks, jokers)
        if len(by_pack) == 1
        else _("zu {players}: {pack}").format(players=listed(players), pack=_pack(decks, jokers))
        for (decks, jokers), players in by_pack.items()
    )


def _pack(decks: int, jokers: int) -> str:
    return ngettext(
        "{decks} Paket zu 52 Karten, {jokers} Joker",
        "{decks} Pakete zu 52 Karten, {jokers} Joker",
        decks,
    ).format(decks=decks, jokers=jokers)


def rank_name(rank: Rank) -> str:
    """Return the name of a card: „Bube“, „10“."""
    names = {
        Rank.BUBE: _("Bube"),
        Rank.DAME: _("Dame"),
        Rank.KOENIG: _("König"),
        Rank.ASS: _("Ass"),
        Rank.JOKER: _("Joker"),
    }
    return names.get(rank, rank.value)


def card_values(values: Mapping[Rank, int]) -> str:
    """Return the values in a few words: „2 bis 10: wie aufgedruckt; Bube, Dame, König: 10“."""
    printed = [rank for rank in Rank if rank.value == str(values[rank])]
    by_meaning: dict[str, list[Rank]] = {}
    for rank in Rank:
        as_printed = len(printed) > 2 and rank in printed
        meaning = _("wie aufgedruckt") if as_printed else str(values[rank])
        by_meaning.setdefault(meaning, []).append(rank)
    return "; ".join(f"{_span(ranks)}: {meaning}" for meaning, ranks in by_meaning.items())


def _span(ranks: Sequence[Rank]) -> str:
    order = list(Rank)
    parts: list[str] = []
    start = 0
    for end in range(1, len(ranks) + 1):
        follows = end < len(ranks) and order.index(ranks[end]) == order.index(ranks[end - 1]) + 1
        if follows:
            continue
        run = [rank_name(rank) for rank in ranks[start:end]]
        parts += (
            [_("{first} bis {last}").format(first=run[0], last=run[-1])] if len(run) > 2 else run
        )
        start = end
    return ", ".join(parts)


def _bonus(by_players: Mapping[int, int]) -> str:
    amounts = {players: points for players, points in by_players.items() if points}
    if not amounts:
        return _("0 Punkte, ohne Abzug")
    return "; ".join(_at_sizes(amounts, MINUS))


def handromme_effect(rule_set: RuleSet) -> str:
    """Return the points of a Handrommé in words; "" if the rules have none."""
    rules = rule_set.handromme
    if rules is None:
        return ""
    parts = []
    if rules.bonus:
        parts.append(_("{points} Punkte").format(points=f"{MINUS}{rules.bonus}"))
    if rules.factor == 2:
        parts.append(_("die anderen zählen doppelt"))
    elif rules.factor > 2:
        parts.append(_("die anderen zählen {factor}-fach").format(factor=rules.factor))
    if rules.surcharge:
        parts.append(_("+{points} für alle anderen").format(points=rules.surcharge))
    return ", ".join(parts) or _("zählt nur bei Gleichstand")


def _grants(rule_set: RuleSet) -> list[NamedFact]:
    receivers = {Receiver.RIGHT_OF_DEALER: _("für den Platz rechts vom Geber")}
    return [
        (
            _(grant.name).capitalize(),
            _("{points} Punkte {receiver}").format(
                points=f"{MINUS}{-grant.points}" if grant.points < 0 else f"+{grant.points}",
                receiver=receivers[grant.receiver],
            ),
        )
        for grant in rule_set.grants
    ]
