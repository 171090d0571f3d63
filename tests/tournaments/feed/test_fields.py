"""Every field of a tournament is in ``/api/`` or has a reason for its absence."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import models

from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.rulesets import ruleset
from tests.factories import START, make_tournament
from tournaments.feed.answers import tournament_details
from tournaments.models import Category, Ranking, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.once]

# Each field with another value, and the key of the answer that follows it.
ANSWERED: dict[type[models.Model], dict[str, tuple[Any, str]]] = {
    Tournament: {
        "slug": ("anders", "slug"),
        "name": ("Anders", "name"),
        "status": (Tournament.Status.CALLED_OFF, "status"),
        "called_off_reason": ("Der Saal ist zu.", "called_off_reason"),
        "starts_at": (START + timedelta(days=1), "starts_at"),
        "venue": ("Anderswo", "venue"),
        "venue_address": ("Hier 1", "venue_address"),
        "organiser": ("SC Anders", "organiser"),
        "text": ("Mit Kuchen", "text"),
        "is_open": (True, "open_to"),
        "closed_circle": ("Nur Damen", "open_to"),
        "places": (20, "places"),
        "rule_set": (ruleset_to_dict(ruleset("traditionell")), "rule_set"),
        "registration_deadline": (START - timedelta(days=3), "registration_until"),
        "online_registration": (True, "registration_url"),
        "kartengeld_cents": (100, "kartengeld_cents"),
    },
    Category: {"name": ("Anders", "name"), "startgeld_cents": (900, "cents")},
    Ranking: {
        "kind": (Ranking.Kind.TANDEM, "kind"),
        "stake_cents": (900, "stake_cents"),
    },
}
PAGE = "the page of the tournament says it, in a sentence that programs need not read"
STAFF = "how the staff of this installation work"
NOT_ANSWERED: dict[type[models.Model], dict[str, str]] = {
    Tournament: {
        **dict.fromkeys(("contact", "contact_email", "contact_phone"), "names a person"),
        **dict.fromkeys(("admission", "circle_clubs", "circle_persons"), "who checks who may come"),
        **dict.fromkeys(("account_holder", "iban", "bic"), "for who pays, after registering"),
        **dict.fromkeys(("refund_until", "late_startgeld", "kaution_cents", "bussgeld"), PAGE),
        **dict.fromkeys(("day_startgeld", "prize_plan", "schedule"), PAGE),
        **dict.fromkeys(("best_serien", "only_whole", "ties_by_lot", "carries_points"), PAGE),
        **dict.fromkeys(("offer_hours", "self_check_in", "mails_seats", "four_eyes"), STAFF),
        "fewer_eyes_by": STAFF,
        **dict.fromkeys(("wlan_name", "wlan_password"), "in the hall"),
        **dict.fromkeys(("protest_minutes", "ended_lists", "language", "floor"), STAFF),
        **dict.fromkeys(("words", "words_since", "words_until", "names_in_hall"), "in the hall"),
        "public_players": "a page of its own, for people",
        **dict.fromkeys(
            ("public_seating", "public_ranking", "results_released_at"),
            "decides what other answers have",
        ),
        **dict.fromkeys(("owner", "copied_from", "created_at", "replaced_at"), STAFF),
        **dict.fromkeys(("is_trial_run", "revision"), "answered with seats and ranking, or hidden"),
    },
    Category: {
        "tournament": "whose answer it is",
        "position": "the order of the answer",
        **dict.fromkeys(("born_from", "born_until"), PAGE),
    },
    Ranking: {
        "tournament": "whose answer it is",
        "size": "follows from kind",
        **dict.fromkeys(("born_from", "born_until"), PAGE),
    },
}
CASES = [
    pytest.param(model, field, value, key, id=f"{model.__name__}.{field}")
    for model, fields in ANSWERED.items()
    for field, (value, key) in fields.items()
]


@pytest.mark.parametrize("model", ANSWERED, ids=lambda model: model.__name__)
def test_every_field_is_answered_or_has_a_reason(model: type[models.Model]):
    fields = {field.name for field in model._meta.get_fields() if not field.auto_created}

    assert fields - ANSWERED[model].keys() == NOT_ANSWERED[model].keys(), (
        "answer it, or say why not"
    )
    assert ANSWERED[model].keys() <= fields
    assert all(NOT_ANSWERED[model].values())


def answer(tournament: Tournament) -> dict[str, Any]:
    """Return the API's facts of a tournament ten days before its start, as one flat level."""
    told = tournament_details(tournament, lambda path: path, START - timedelta(days=10))
    (group,), (kind,) = told.pop("startgeld"), told.pop("rankings")
    return {**told, "group": group, "kind": kind}


@pytest.mark.parametrize(("model", "field", "value", "key"), CASES)
def test_answers_follow_their_fields(model: type[models.Model], field: str, value: Any, key: str):
    """A change that leaves a tournament as no form would is enough to see it followed."""
    tournament = make_tournament(is_open=False, closed_circle="Mitglieder")
    Category.objects.filter(tournament=tournament).delete()
    rows: dict[type[models.Model], models.Model] = {
        Tournament: tournament,
        Category: Category.objects.create(tournament=tournament, name="Alle", startgeld_cents=500),
        Ranking: tournament.rankings.get(),
    }
    before = answer(tournament)

    setattr(rows[model], field, value)
    if model is not Tournament:
        rows[model].save()
    after = answer(tournament)

    inside = {Category: "group", Ranking: "kind"}.get(model)
    told = [facts[inside][key] if inside else facts[key] for facts in (before, after)]
    assert told[0] != told[1]
