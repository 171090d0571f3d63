"""The rule set of a tournament: replaced, or with chosen options and variants."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scoring.ruleset import Variant
from scoring.rulesets import ruleset
from tests.tournaments.announcement.helpers import Desk
from tournaments.announcement.services.sections import fingerprint
from tournaments.common.rules import rule_set_of
from tournaments.models.tournament import Section

pytestmark = pytest.mark.django_db


def test_the_rule_set_is_replaced(desk: Desk):
    mark = fingerprint(desk.tournament, Section.RULE_SET)

    desk.client.post(desk.url(Section.RULE_SET), {"preset": "shanghai", "fingerprint": mark})

    assert rule_set_of(desk.now()) == ruleset("shanghai")


def test_options_of_a_rule_set_are_chosen(make_desk: Callable[..., Desk]):
    desk = make_desk(rules="hausregel")

    desk.send(Section.RULE_SET, {"games": "8", "finisher_may_hold": "7"})

    assert (rule_set_of(desk.now()).games, rule_set_of(desk.now()).finisher_may_hold) == (8, 7)
    again = desk.client.get(desk.url(Section.RULE_SET)).context["form"]
    assert again["finisher_may_hold"].value() == "7"


def test_variants_of_the_hausregel_are_chosen_and_dropped_again(make_desk: Callable[..., Desk]):
    desk = make_desk(rules="hausregel")

    desk.client.post(
        desk.url(Section.RULE_SET), {**desk.form(Section.RULE_SET), "variants": ["e", "a"]}
    )

    chosen = rule_set_of(desk.now())
    assert chosen == ruleset("hausregel").with_variants([Variant("a"), Variant("e")])
    again = desk.client.get(desk.url(Section.RULE_SET))
    assert again.context["form"]["variants"].value() == ["a", "e"]
    desk.send(Section.RULE_SET, {"variants": None})
    assert rule_set_of(desk.now()) == ruleset("hausregel")


def test_only_the_hausregel_offers_variants(make_desk: Callable[..., Desk]):
    desk = make_desk(rules="traditionell")

    page = desk.client.get(desk.url(Section.RULE_SET))

    assert "variants" not in page.context["form"].fields
