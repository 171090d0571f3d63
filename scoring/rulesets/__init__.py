"""The rule sets that come with the program, one file of data each.

An organiser may copy one under a new name and change its numbers. A tournament keeps a copy
of its rule set (``scoring.reading.ruleset_json``). Rule sets are never changed: a new
interpretation is a new rule set.
"""

from __future__ import annotations

from scoring.errors import ScoringError
from scoring.ruleset import RuleSet, Variant
from scoring.rulesets import (
    contract,
    hausregel,
    liverpool,
    may_i,
    preisromme_1987,
    progressiv,
    rommeordnung,
    shanghai,
    shanghai_kolsov,
    shanghai_powe,
    traditionell,
    wertpunkte,
    wertpunkte_geber,
)
from scoring.texts import _

_RULE_SETS: dict[str, RuleSet] = {
    module.RULE_SET.id: module.RULE_SET
    for module in (
        rommeordnung,
        hausregel,
        preisromme_1987,
        traditionell,
        contract,
        liverpool,
        may_i,
        shanghai,
        shanghai_powe,
        shanghai_kolsov,
        progressiv,
    )
}
# Templates for own rule sets, whose numbers only the organisers know.
_TEMPLATES: dict[str, RuleSet] = {
    module.RULE_SET.id: module.RULE_SET for module in (wertpunkte, wertpunkte_geber)
}


def all_rulesets() -> tuple[RuleSet, ...]:
    """Return every rule set, the Romméordnung first."""
    return tuple(_RULE_SETS.values())


def offered_rulesets() -> tuple[RuleSet, ...]:
    """Return every rule set, then the templates from which organisers make their own."""
    return (*all_rulesets(), *_TEMPLATES.values())


def origin(rule_set: RuleSet) -> RuleSet | None:
    """Return the rule set of the program that this one is, or was copied from.

    A copy has an ``id`` and a name of its own; its source ends in the name of the original.

    >>> from dataclasses import replace
    >>> own = replace(ruleset("hausregel"), id="unsere", source="angepasst nach: Hausregel")
    >>> origin(own) is ruleset("hausregel"), origin(replace(own, source="Turnierbuch"))
    (True, None)
    """
    known = {rules.id: rules for rules in offered_rulesets()}
    if rule_set.id in known:
        return known[rule_set.id]
    return next((rules for rules in known.values() if rule_set.source.endswith(rules.name)), None)


def offered_variants(rule_set: RuleSet) -> tuple[Variant, ...]:
    """Return the variants that its source names for *rule_set*; only "Romme Regeln" has any.

    >>> [len(offered_variants(each)) for each in all_rulesets()[:3]]
    [0, 5, 0]
    """
    return tuple(Variant) if origin(rule_set) is hausregel.RULE_SET else ()


def ruleset(id_: str) -> RuleSet:
    """Return the rule set that is called *id_* in files.

    >>> ruleset("rommeordnung").games
    12

    Raises:
        ScoringError: if there is none; the sentence names the existing ones.
    """
    try:
        return (_RULE_SETS | _TEMPLATES)[id_]
    except KeyError:
        message = _("Das Regelwerk „{id}“ gibt es nicht. Es gibt: {known}.").format(
            id=id_, known=", ".join(_RULE_SETS)
        )
        raise ScoringError(message) from None
