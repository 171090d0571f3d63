"""Forms of rule sets: options for the organiser, and choosing another one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.errors import ScoringError
from scoring.reading.ruleset_types import MOST_GAMES
from scoring.ruleset import Option, OptionField, RuleSet, Variant
from scoring.rulesets import offered_rulesets, offered_variants
from tournaments.rulebook.queries.rule_set_text import variant_name
from tournaments.web.fields import NumberField

NO_LIMIT = "none"
OTHER = "other"


class VariantsField(forms.TypedMultipleChoiceField):
    """The variants, each with its letter and a few words."""

    def __init__(self, offered: Iterable[Variant], *, initial: Iterable[Variant]) -> None:
        super().__init__(
            label=_("Varianten, nach denen gespielt wird"),
            choices=[(each.value, f"{each.value}) {variant_name(each)}") for each in offered],
            coerce=Variant,
            initial=[each.value for each in initial],
            required=False,
            widget=forms.CheckboxSelectMultiple,
            help_text=_("Sie ändern das Spiel, nicht die Punkte."),
        )


class RuleSetChoices(forms.Form):
    """The options of *rule_set*: the number of games and others."""

    def __init__(self, *args: Any, rule_set: RuleSet, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rule_set = rule_set
        if rule_set.games_free:
            self.fields["games"] = NumberField(
                label=_("Spiele je Liste"),
                min_value=1,
                max_value=MOST_GAMES,
                initial=rule_set.games,
            )
        for option in rule_set.options:
            self._add_option(option)
        if offered := offered_variants(rule_set):
            self.fields["variants"] = VariantsField(offered, initial=rule_set.variants)

    def _add_option(self, option: Option) -> None:
        now = _option_value(self.rule_set, option.field)
        offered = [choice.value for choice in option.choices]
        choices = [(_key(choice.value), _(choice.label)) for choice in option.choices]
        if option.free:
            choices.append((OTHER, _("eine andere Zahl:")))
        self.fields[option.field.value] = forms.ChoiceField(
            label=_(option.label),
            choices=choices,
            widget=forms.RadioSelect,
            initial=_key(now) if now in offered else OTHER,
        )
        if option.free:
            self.fields[f"{option.field.value}_other"] = NumberField(
                label=_("Andere Zahl"),
                required=False,
                min_value=0,
                initial=None if now in offered else now,
            )

    @property
    def choice_fields(self) -> list[forms.BoundField]:
        """The fields that this rule set adds, for the template."""
        return [self[name] for name in self.fields if name not in self.base_fields]

    def clean(self) -> None:
        """Add ``rule_set`` with the chosen options."""
        super().clean()
        data = self.cleaned_data
        chosen = self.rule_set
        if data.get("games"):
            chosen = chosen.with_games(data["games"])
        if "variants" in data:
            chosen = chosen.with_variants(data["variants"])
        for option in self.rule_set.options:
            name = option.field.value
            if name not in data:
                continue
            other = data.get(f"{name}_other")
            if data[name] == OTHER and other is None:
                if f"{name}_other" in data:
                    self.add_error(f"{name}_other", _("Bitte die andere Zahl angeben."))
                continue
            value = other if data[name] == OTHER else _value(data[name])
            try:
                chosen = chosen.with_option(option.field, value)
            except ScoringError as refusal:
                self.add_error(f"{name}_other", str(refusal))
        data["rule_set"] = chosen


def _option_value(rule_set: RuleSet, field: OptionField) -> int | None:
    match field:
        case OptionField.FINISHER_MAY_HOLD:
            return rule_set.finisher_may_hold
        case OptionField.EXTRA_CARDS:
            return rule_set.rounds[0].extra_cards


def _key(value: int | None) -> str:
    return NO_LIMIT if value is None else str(value)


def _value(key: str) -> int | None:
    return None if key == NO_LIMIT else int(key)


class PresetForm(forms.Form):
    """Choosing another of the rule sets that come with the program."""

    preset = forms.ChoiceField(
        label=gettext_lazy("Regelwerk"),
        choices=lambda: [(each.id, each.name) for each in offered_rulesets()],
    )
