"""The form for a custom rule set: the changed numbers of another one under a new name.

Nearly every field is for one place in the JSON of the rule set, and has its initial value, bounds
and errors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.cards import Pack, Rank
from scoring.errors import ScoringError
from scoring.payments.settlement import Settlement
from scoring.reading.records import to_json
from scoring.reading.ruleset_json import ruleset_from_dict, ruleset_to_dict
from scoring.reading.ruleset_types import LONGEST_NAME, TABLE_SIZES
from scoring.reading.strict_json import Node
from scoring.ruleset import Grant, Handromme, Round, RuleSet, TieBreak
from scoring.rulesets import offered_rulesets, offered_variants, origin
from tournaments.common.digits import number_in
from tournaments.common.names import fold
from tournaments.rulebook.forms.declared import declared_number
from tournaments.rulebook.forms.own_rounds import (
    columns,
    number_of_games,
    round_fields,
    round_problems,
    rounds_to_change,
    with_more_games,
)
from tournaments.rulebook.forms.own_settlement import settlement_fields, settlement_to_change
from tournaments.rulebook.forms.own_valuation import (
    PROBLEM_FIELDS,
    ValuedTable,
    read_valuation,
    valuation_fields,
    valuation_to_change,
    valued_tables,
)
from tournaments.rulebook.forms.rules import VariantsField
from tournaments.rulebook.queries.rule_set_text import TIES, rank_name
from tournaments.web.fields import SafeControlNames, TextField

# Augen are no choice, because with Wertpunkten they always decide first.
_TIES_TO_CHOOSE = [tie for tie in TieBreak if tie is not TieBreak.AUGEN]
_NUMBERS = re.compile(r"[\s,;/]+|oder|und")
_LAST_STEP = re.compile(r"(\.\w+|\[[^]]*\]|^\w+)$")


class CustomRuleSetForm(SafeControlNames, forms.Form):
    """A custom rule set: the changed numbers of another one under a new name."""

    name = TextField(
        label=gettext_lazy("Name des Regelwerks"),
        max_length=LONGEST_NAME,
        help_text=gettext_lazy("Ein eigener Name, damit niemand an andere Zahlen denkt."),
    )
    games = declared_number(RuleSet, "games", label=gettext_lazy("Spiele je Liste"))
    cards_dealt = declared_number(Round, "cards_dealt", label=gettext_lazy("Karten für jeden"))
    handromme_known = forms.BooleanField(
        label=gettext_lazy("Handrommé wird gewertet"), required=False
    )
    handromme_bonus = declared_number(
        Handromme, "bonus", label=gettext_lazy("Abzug für die Person, die ihn spielt")
    )
    handromme_factor = declared_number(
        Handromme, "factor", label=gettext_lazy("Punkte der anderen mal")
    )
    handromme_surcharge = declared_number(
        Handromme, "surcharge", label=gettext_lazy("Zuschlag für jede andere Person")
    )
    penalties = TextField(
        label=gettext_lazy("Strafpunkte"),
        required=False,
        help_text=gettext_lazy("Die Werte, mit Komma getrennt, zum Beispiel: 100, 150"),
    )
    finisher_may_hold = declared_number(
        RuleSet, "finisher_may_hold", label=gettext_lazy("Punkte, mit denen man beenden darf")
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
        self.rows = number_of_games(rule_set, data)
        if data is not None and self.has_contracts:
            data = with_more_games(data, rule_set)
        self.settlement = settlement_to_change(rule_set)
        self.filled = self._filled()
        super().__init__(data, initial=self._switches())
        self.places: dict[str, tuple[str | int, ...]] = {}
        self.names: dict[str, str] = {}  # of fields, by the place of a problem
        for name in ("games", "finisher_may_hold", "ends_without_finisher", "penalties"):
            self._add(name, name)
        self._add_counting()
        ties = [tie for tie in self.base.tie_breaks if tie in _TIES_TO_CHOOSE]
        for at in range(len(_TIES_TO_CHOOSE)):
            self.fields[f"tie_{at}"] = forms.ChoiceField(
                label=_("{place}. bei gleichen Punkten").format(place=at + 1),
                choices=[("", "–"), *((tie.value, TIES[tie]) for tie in _TIES_TO_CHOOSE)],
                required=False,
                initial=ties[at] if at < len(ties) else "",
            )
        self.names["tie_breaks"] = "tie_0"
        for rank in Rank:
            number = declared_number(RuleSet, "card_values", label=rank_name(rank))
            self._add(f"card_{rank.value}", "card_values", rank.value, field=number)
        for size in TABLE_SIZES:
            self._add_size(size)
        self._add_rounds()
        for at, grant in enumerate(self.filled["grants"]):
            label = _("Punkte weniger: {grant}").format(grant=_(grant["name"]))
            points = declared_number(Grant, "points", label=label, min_value=0)
            self._add(f"grant_{at}", "grants", at, "points", field=points)
        if offered := offered_variants(rule_set):
            variants = VariantsField(offered, initial=rule_set.variants)
            self._add("variants", "variants", field=variants)
        if self.settlement:
            self._add_settlement(self.settlement)

    def _add_counting(self) -> None:
        for name in ("bonus", "factor", "surcharge"):
            if self.is_valued:
                del self.fields[f"handromme_{name}"]
            else:
                self._add(f"handromme_{name}", "handromme", name)
        if self.is_valued:
            for valued, place, field in valuation_fields():
                self._add(valued, *place, field=field)
            self.names |= PROBLEM_FIELDS

    def _filled(self) -> dict[str, Any]:
        """Return the rule set as JSON, including all optional parts."""
        base = self.base
        usual = base.packs[base.table_sizes[0]]
        grants = base.grants or (origin(base) or base).grants
        return ruleset_to_dict(base) | {
            "handromme": to_json(base.handromme or Handromme()),
            "packs": {str(size): to_json(base.packs.get(size, usual)) for size in TABLE_SIZES},
            "bonus_per_game": {str(size): base.bonus_per_game.get(size, 0) for size in TABLE_SIZES},
            "dealer_sits_out": {str(size): base.dealer_sits_out.get(size) for size in TABLE_SIZES},
            # Shown as deducted points.
            "grants": [
                to_json(grant) | {"points": -grant.points if base.grants else 0} for grant in grants
            ],
            "settlement": to_json(self.settlement),
            "valuation": valuation_to_change(base.valuation),
            "rounds": rounds_to_change(base, self.rows if self.has_contracts else 1),
            "variants": [variant.value for variant in base.variants],
        }

    def _switches(self) -> dict[str, Any]:
        """Return the initial values of fields without a place in the JSON."""
        base = self.base
        is_own = all(base.id != each.id for each in offered_rulesets())
        return {
            "name": base.name if is_own else None,
            "handromme_known": base.handromme is not None,
            "is_settled": base.settlement is not None,
            "penalties": ", ".join(map(str, base.penalties)),
            "preferred": base.table_sizes[0],
            **{f"allowed_{size}": size in base.table_sizes for size in TABLE_SIZES},
        }

    def _add(self, name: str, *place: str | int, field: forms.Field | None = None) -> None:
        """Bind the field *name* to the value at *place* in the JSON."""
        node = Node(self.filled, "", [])
        for step in place:
            node = node.entry(step) if isinstance(step, int) else node.field(step)
        if field is not None:
            self.fields[name] = field
        if self.fields[name].initial is None:
            self.initial.setdefault(name, node.value)
        self.places[name] = place
        self.names[node.where] = name

    def _add_rounds(self) -> None:
        if not self.has_contracts:
            self._add("cards_dealt", "rounds", 0, "cards_dealt")
            return
        del self.fields["cards_dealt"]
        for game in range(1, self.rows + 1):
            for name, (declared, field) in round_fields(self.base, game).items():
                self._add(f"{name}_{game}", "rounds", game - 1, declared, field=field)

    def _add_settlement(self, settlement: Settlement) -> None:
        self.fields["is_settled"] = forms.BooleanField(
            label=_("Am Tisch wird abgerechnet"), required=False
        )
        for name, field in settlement_fields(settlement).items():
            self._add(name, "settlement", name, field=field)

    def _add_size(self, size: int) -> None:
        self.fields[f"allowed_{size}"] = forms.BooleanField(
            label=_("Tische zu {size}").format(size=size), required=False
        )
        named = _("am Tisch zu {size}").format(size=size)
        for name, record, declared, label in (
            ("decks", Pack, "decks", _("Pakete zu 52 Karten")),
            ("jokers", Pack, "jokers", _("Joker")),
            ("bonus", RuleSet, "bonus_per_game", _("Abzug je beendetem Spiel")),
            ("out", RuleSet, "dealer_sits_out", _("Spiele, wenn der Geber aussetzt")),
        ):
            if (name == "bonus" and self.is_valued) or (name == "out" and self.has_contracts):
                continue
            place = ("packs", str(size), name) if record is Pack else (declared, str(size))
            field = declared_number(
                record, declared, label=label, said=f"{label} {named}", required=False
            )
            self._add(f"{name}_{size}", *place, field=field)

    @property
    def is_valued(self) -> bool:
        """Whether Wertpunkte count; then their numbers replace the deductions."""
        return self.base.valuation is not None

    @property
    def valued_tables(self) -> list[ValuedTable]:
        """The tables of the fields for Wertpunkte, for the template."""
        return valued_tables(self)

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
        """The headings of the columns of these rows."""
        return list(columns(self.base).values())

    @property
    def settlement_fields(self) -> list[forms.BoundField]:
        """The fields of the settlement, for the template."""
        return [self[name] for name, place in self.places.items() if place[0] == "settlement"]

    @property
    def sizes(self) -> Iterator[dict[str, Any]]:
        """A row for each size of table, for the template."""
        for size in TABLE_SIZES:
            row = {name: self[f"{name}_{size}"] for name in ("allowed", "decks", "jokers")}
            if not self.is_valued:
                row["bonus"] = self[f"bonus_{size}"]
            if not self.has_contracts:
                row["out"] = self[f"out_{size}"]
            yield {"size": size, **row}

    def clean_name(self) -> str:
        """Refuse the name of a rule set that comes with the program."""
        name = " ".join(self.cleaned_data["name"].split())
        for rules in offered_rulesets():
            if fold(rules.name) == fold(name) or rules.id == _id(name):
                raise ValidationError(
                    _(
                        "„{name}“ heißt schon ein Regelwerk des Programms. Bitte einen eigenen "
                        "Namen wählen."
                    ).format(name=rules.name)
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

    def clean(self) -> None:
        """Add ``rule_set``, or errors at the fields that make it impossible."""
        data = self.cleaned_data
        if self.errors:
            return
        try:
            data["rule_set"] = ruleset_from_dict(self._as_dict(data))
        except ScoringError as refusal:
            problems = refusal.problems
        else:
            problems = tuple(round_problems(data["rule_set"]))
        for problem in problems:
            self.add_error(self._field(problem.where), problem.message)

    def _as_dict(self, data: dict[str, Any]) -> dict[str, Any]:
        values = deepcopy(self.filled)
        for name, place in self.places.items():
            is_blank = data[name] is None and place[-1] != "extra_cards"  # None means: no limit
            _set(values, place, 0 if is_blank else to_json(data[name]))
        sizes = self._sizes(data)
        for name in ("packs", "bonus_per_game"):
            values[name] = {str(size): values[name][str(size)] for size in sizes}
        sits_out = values["dealer_sits_out"]
        values["dealer_sits_out"] = {
            str(size): sits_out[str(size)] for size in sizes if sits_out[str(size)]
        }
        grants = [{**grant, "points": -grant["points"]} for grant in values["grants"]]
        return {
            **values,
            "id": _id(data["name"]),
            "name": data["name"],
            "source": _source(self.base),
            "games_free": self.base.games_free
            and not (self.has_contracts or values["dealer_sits_out"]),
            "table_sizes": sizes,
            "handromme": values["handromme"] if data["handromme_known"] else None,
            "grants": [grant for grant in grants if grant["points"]],
            "tie_breaks": [
                *([TieBreak.AUGEN.value] if self.is_valued else []),
                *(
                    tie_break
                    for at in range(len(_TIES_TO_CHOOSE))
                    if (tie_break := data[f"tie_{at}"])
                ),
            ],
            "valuation": read_valuation(
                values["valuation"], sizes, knows_handromme=data["handromme_known"]
            )
            if self.is_valued
            else None,
            "settlement": values["settlement"] if data.get("is_settled") else None,
        }

    def _sizes(self, data: dict[str, Any]) -> list[int]:
        allowed = [size for size in TABLE_SIZES if data[f"allowed_{size}"]]
        sizes = [size for size in self.base.table_sizes if size in allowed]
        ordered = sizes + [size for size in allowed if size not in sizes]
        first = data["preferred"]
        return [first, *(size for size in ordered if size != first)]

    def _field(self, where: str) -> str | None:
        """Return the field for a problem of the rule set: that of its place, or one around it."""
        if where == "rounds":
            return "games"
        while where and where not in self.names:
            where = _LAST_STEP.sub("", where)
        return self.names.get(where)


def _set(values: Any, place: Sequence[str | int], value: Any) -> None:
    *way, last = place
    for step in way:
        values = values[step]
    values[last] = value


def _id(name: str) -> str:
    return re.sub(r"-{2,}", "-", slugify(fold(name)).replace("_", "-")).strip("-")


def _source(base: RuleSet) -> str:
    """Add the original rule set to the source once; ``origin`` reads the name at its end."""
    base_origin = origin(base)
    if base_origin is not None and base_origin.id != base.id:
        return base.source
    return _("angepasst nach: {source}").format(source=base.name)
