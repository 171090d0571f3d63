"""The form for a rule set of one's own: the numbers of another under a new name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.cards import Pack, Rank
from scoring.errors import ScoringError
from scoring.reading.records import to_json
from scoring.reading.ruleset_json import ruleset_from_dict, ruleset_to_dict
from scoring.ruleset import LONGEST_NAME, MOST_CARD_POINTS, MOST_GAMES, TABLE_SIZES, RuleSet
from scoring.rulesets import all_rulesets, origin, variants_offered
from tournaments.common.digits import number_in
from tournaments.common.names import fold
from tournaments.rulebook.forms.own_rounds import (
    columns,
    round_field,
    round_fields,
    round_problems,
    rounds_data,
    wanted_games,
    with_more_games,
)
from tournaments.rulebook.forms.own_settlement import (
    settlement_data,
    settlement_fields,
    settlement_to_change,
)
from tournaments.rulebook.forms.rules import VariantsField
from tournaments.rulebook.queries.rule_set_text import rank_name
from tournaments.web.fields import NumberField

_NUMBERS = re.compile(r"[\s,;/]+|oder|und")
_BY_PLAYERS = re.compile(r'(?P<what>packs|bonus_per_game)\["(?P<size>\d)"\]')


class CustomRuleSetForm(forms.Form):
    """A rule set of one's own: the numbers of another under a new name."""

    name = forms.CharField(
        label=gettext_lazy("Name des Regelwerks"),
        max_length=LONGEST_NAME,
        help_text=gettext_lazy("Ein eigener Name, damit niemand an andere Zahlen denkt."),
    )
    games = NumberField(label=gettext_lazy("Spiele je Liste"), min_value=1, max_value=MOST_GAMES)
    cards_dealt = NumberField(label=gettext_lazy("Karten für jeden"), min_value=1)
    handromme_known = forms.BooleanField(
        label=gettext_lazy("Handrommé wird gewertet"), required=False
    )
    handromme_bonus = NumberField(
        label=gettext_lazy("Abzug für die Person, die ihn spielt"), min_value=0, initial=0
    )
    handromme_factor = NumberField(
        label=gettext_lazy("Punkte der anderen mal"), min_value=1, initial=1
    )
    handromme_surcharge = NumberField(
        label=gettext_lazy("Zuschlag für jede andere Person"), min_value=0, initial=0
    )
    penalties = forms.CharField(
        label=gettext_lazy("Strafpunkte"),
        required=False,
        help_text=gettext_lazy("Die Werte, mit Komma getrennt, zum Beispiel: 100, 150"),
    )
    finisher_may_hold = NumberField(
        label=gettext_lazy("Punkte, mit denen man beenden darf"), min_value=0, initial=0
    )
    ends_without_finisher = forms.BooleanField(
        label=gettext_lazy("Ein Spiel kann enden, ohne dass jemand beendet"), required=False
    )
    preferred = forms.TypedChoiceField(
        label=gettext_lazy("Am liebsten Tische zu"),
        choices=[(size, str(size)) for size in TABLE_SIZES],
        coerce=int,
    )

    def __init__(self, data: Any = None, *, rule_set: RuleSet) -> None:
        self.base = rule_set
        if data is not None and self.has_contracts:
            data = with_more_games(data, rule_set)
        super().__init__(data, initial=_initial(rule_set))
        for rank in Rank:
            self.fields[_card(rank)] = NumberField(
                label=rank_name(rank), min_value=1, max_value=MOST_CARD_POINTS
            )
        for size in TABLE_SIZES:
            self._add_size(size)
        if self.has_contracts:
            del self.fields["cards_dealt"]
            self.rows = wanted_games(rule_set, data)
            self.fields |= round_fields(rule_set, self.rows)
        self.grants = rule_set.grants or (origin(rule_set) or rule_set).grants
        for at, grant in enumerate(self.grants):
            self.fields[f"grant_{at}"] = NumberField(
                label=_("Punkte weniger: {grant}").format(grant=_(grant.name)),
                min_value=0,
                initial=-grant.points if rule_set.grants else 0,
            )
        if offered := variants_offered(rule_set):
            self.fields["variants"] = VariantsField(offered, initial=rule_set.variants)
        self.settlement = settlement_to_change(rule_set)
        if self.settlement:
            self.fields["is_settled"] = forms.BooleanField(
                label=_("Am Tisch wird abgerechnet"),
                required=False,
                initial=rule_set.settlement is not None,
            )
            self.fields |= settlement_fields(self.settlement)

    def _add_size(self, size: int) -> None:
        named = _("am Tisch zu {size}").format(size=size)
        self.fields[f"allowed_{size}"] = forms.BooleanField(
            label=_("Tische zu {size}").format(size=size), required=False
        )
        for name, label in (
            ("decks", _("Pakete zu 52 Karten")),
            ("jokers", _("Joker")),
            ("bonus", _("Abzug je beendetem Spiel")),
        ):
            self.fields[f"{name}_{size}"] = NumberField(
                label=label,
                required=False,
                min_value=0,
                widget=forms.NumberInput(attrs={"aria-label": f"{label} {named}"}),
            )

    @property
    def has_contracts(self) -> bool:
        """Whether each game has a contract of its own."""
        return len(self.base.rounds) > 1 or self.base.rounds[0].contract is not None

    @property
    def rounds(self) -> list[list[tuple[str, forms.BoundField]]]:
        """A row for each game, each field with its label, for the template."""
        labels = columns(self.base).items()
        return [
            [(label, self[f"{name}_{game}"]) for name, label in labels]
            for game in range(1, self.rows + 1)
        ]

    @property
    def round_labels(self) -> list[str]:
        """The heads of the columns of these rows."""
        return list(columns(self.base).values())

    @property
    def grant_fields(self) -> list[forms.BoundField]:
        """What the rules grant beyond a hand, for the template."""
        return [self[f"grant_{at}"] for at in range(len(self.grants))]

    @property
    def cards(self) -> list[forms.BoundField]:
        """The values of the cards, for the template."""
        return [self[_card(rank)] for rank in Rank]

    @property
    def sizes(self) -> Iterator[dict[str, Any]]:
        """A row for each size of table, for the template."""
        for size in TABLE_SIZES:
            row = {name: self[f"{name}_{size}"] for name in ("allowed", "decks", "jokers", "bonus")}
            yield {"size": size, **row}

    @property
    def settlement_fields(self) -> list[forms.BoundField]:
        """What is paid at the table, for the template."""
        names = settlement_fields(self.settlement) if self.settlement else ()
        return [self[name] for name in names]

    def clean_name(self) -> str:
        """Refuse the name of a rule set that comes with the program."""
        name = " ".join(self.cleaned_data["name"].split())
        for known in all_rulesets():
            if fold(known.name) == fold(name) or known.id == _id(name):
                raise ValidationError(
                    _(
                        "„{name}“ heißt schon ein Regelwerk des Programms. Bitte einen eigenen "
                        "Namen wählen."
                    ).format(name=known.name)
                )
        if not _id(name):
            raise ValidationError(_("Der Name braucht mindestens einen Buchstaben."))
        return name

    def clean_penalties(self) -> list[int]:
        """Read the list of numbers."""
        words = [word for word in _NUMBERS.split(self.cleaned_data["penalties"]) if word]
        numbers = [number for word in words if (number := number_in(word)) is not None]
        if len(numbers) < len(words):
            raise ValidationError(_("Bitte nur ganze Zahlen angeben, zum Beispiel: 100, 150"))
        return numbers

    def clean(self) -> dict[str, Any]:
        """Add ``rule_set``, or say at which field it is not possible."""
        data = super().clean() or self.cleaned_data
        if self.errors:
            return data
        try:
            data["rule_set"] = ruleset_from_dict(self._as_dict(data))
        except ScoringError as refusal:
            problems = refusal.problems
        else:
            problems = tuple(round_problems(data["rule_set"]))
        for problem in problems:
            self.add_error(self._field(problem.where), problem.message)
        return data

    def _as_dict(self, data: dict[str, Any]) -> dict[str, Any]:
        base = ruleset_to_dict(self.base)
        sizes = self._sizes(data)
        given: dict[str, Any] = {
            **base,
            "id": _id(data["name"]),
            "name": data["name"],
            "source": _source(self.base),
            "games": data["games"],
            "table_sizes": sizes,
            "card_values": {rank.value: data[_card(rank)] for rank in Rank},
            "packs": {
                str(size): {
                    "decks": data[f"decks_{size}"] or 0,
                    "jokers": data[f"jokers_{size}"] or 0,
                }
                for size in sizes
            },
            "bonus_per_game": {str(size): data[f"bonus_{size}"] or 0 for size in sizes},
            "handromme": _handromme(self.base, data) if data["handromme_known"] else None,
            "penalties": data["penalties"],
            "finisher_may_hold": data["finisher_may_hold"],
            "ends_without_finisher": data["ends_without_finisher"],
        }
        given["grants"] = [
            {**to_json(grant), "points": -points}
            for at, grant in enumerate(self.grants)
            if (points := data[f"grant_{at}"])
        ]
        if self.has_contracts:
            given |= {"games_free": False, "rounds": rounds_data(data, self.rows)}
        else:
            only = ruleset_to_dict(self.base)["rounds"][0]
            given["rounds"] = [{**only, "cards_dealt": data["cards_dealt"]}]
        if "variants" in data:
            given["variants"] = [variant.value for variant in data["variants"]]
        if self.settlement:
            paid = settlement_data(self.settlement, data)
            given["settlement"] = paid if data["is_settled"] else None
        return given

    def _sizes(self, data: dict[str, Any]) -> list[int]:
        allowed = [size for size in TABLE_SIZES if data[f"allowed_{size}"]]
        known = [size for size in self.base.table_sizes if size in allowed]
        ordered = known + [size for size in allowed if size not in known]
        first = data["preferred"]
        return [first, *(size for size in ordered if size != first)]

    def _field(self, where: str) -> str | None:
        """Return the field that a problem of the rule set is about."""
        found = _BY_PLAYERS.match(where)
        if found:
            name = {"packs": "jokers", "bonus_per_game": "bonus"}[found["what"]]
            if where.endswith("decks"):
                name = "decks"
            return f"{name}_{found['size']}"
        if where.startswith("rounds["):
            return round_field(where) if self.has_contracts else "cards_dealt"
        if where.startswith("grants["):
            return f"grant_{where[len('grants[')]}"
        if where.startswith("handromme."):
            return where.replace(".", "_")
        if where.startswith("settlement."):
            return re.split(r"[.\[]", where)[1]
        top = re.split(r"[.\[]", where, maxsplit=1)[0].replace("rounds", "games")
        return top if top in self.fields else None


def _card(rank: Rank) -> str:
    return f"card_{rank.value}"


def _id(name: str) -> str:
    return re.sub(r"-{2,}", "-", slugify(fold(name)).replace("_", "-")).strip("-")


def _source(base: RuleSet) -> str:
    """Say what the numbers came from, the first time: ``origin`` reads the name at the end."""
    known = origin(base)
    if known is not None and known.id != base.id:
        return base.source
    return _("angepasst nach: {source}").format(source=base.name)


def _handromme(base: RuleSet, data: dict[str, Any]) -> dict[str, Any]:
    return {
        "bonus": data["handromme_bonus"],
        "factor": data["handromme_factor"],
        "surcharge": data["handromme_surcharge"],
        "full_hands": base.handromme is not None and base.handromme.full_hands,
    }


def _initial(rule_set: RuleSet) -> dict[str, Any]:
    known = rule_set.handromme
    initial: dict[str, Any] = {
        "games": rule_set.games,
        "cards_dealt": rule_set.rounds[0].cards_dealt,
        "handromme_known": known is not None,
        "penalties": ", ".join(str(points) for points in rule_set.penalties),
        "finisher_may_hold": rule_set.finisher_may_hold,
        "ends_without_finisher": rule_set.ends_without_finisher,
        "preferred": rule_set.table_sizes[0],
    }
    if all(rule_set.id != each.id for each in all_rulesets()):
        initial["name"] = rule_set.name
    if known is not None:
        initial |= {
            "handromme_bonus": known.bonus,
            "handromme_factor": known.factor,
            "handromme_surcharge": known.surcharge,
        }
    initial |= {_card(rank): value for rank, value in rule_set.card_values.items()}
    usual = rule_set.packs[rule_set.table_sizes[0]]
    for size in TABLE_SIZES:
        pack: Pack = rule_set.packs.get(size, usual)
        initial |= {
            f"allowed_{size}": size in rule_set.table_sizes,
            f"decks_{size}": pack.decks,
            f"jokers_{size}": pack.jokers,
            f"bonus_{size}": rule_set.bonus_per_game.get(size, 0),
        }
    return initial
