"""A tournament like an earlier one."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.factories import COMMAND, START, make_member, make_registration, make_tournament
from tests.tournaments.announcement.helpers import make_complete
from tests.worlds import world
from tournaments.announcement.services.copying import copy_tournament
from tournaments.announcement.services.sections import FIELDS, facts
from tournaments.common.actors import Actor
from tournaments.common.errors import NotAllowed
from tournaments.journal import proof
from tournaments.models import Ranking, Role, Serie, Tournament
from tournaments.models.tournament import Section

pytestmark = pytest.mark.django_db
NEXT_YEAR = START + timedelta(days=364)


@world
def earlier() -> Tournament:
    """Return a closed tournament with all rows."""
    tournament = make_complete(
        status=Tournament.Status.CLOSED,
        venue_address="Markt 1, 04600 Altenburg",
        contact="Karla Otto",
        contact_phone="03447 1234",
        is_open=False,
        closed_circle="Mitglieder",
        text="Kaffee gibt es auch.",
        places=80,
        online_registration=True,
        refund_until=START - timedelta(days=2),
        registration_deadline=START - timedelta(days=1),
        kartengeld_cents=100,
        kaution_cents=500,
        bussgeld={"kind": "per_list", "destination": "prizes", "cents": 50},
        prize_plan={"startgeld": {"lines": [{"place": 1, "share_permille": 1000}]}},
        account_holder="SC Altenburg",
        iban="DE02120300000000202051",
        bic="BYLADEM1001",
        protest_minutes=20,
        four_eyes=True,
    )
    Serie.objects.filter(tournament=tournament, number=3).update(
        seating=Serie.Seating.RANKING, time_limit_minutes=90
    )
    tournament.categories.create(name="Junioren", startgeld_cents=800, born_from=2008, position=1)
    tournament.rankings.create(kind=Ranking.Kind.TEAM, size=4, stake_cents=200)
    make_registration(tournament)
    return tournament


def copied(earlier: Tournament, actor: Actor = COMMAND) -> Tournament:
    return copy_tournament(
        owner=earlier.owner,
        tournament_id=earlier.pk,
        name="Herbst 2027",
        starts_at=NEXT_YEAR,
        actor=actor,
    )


def test_a_copy_keeps_all_announced_facts(earlier: Tournament):
    copy = copied(earlier)

    of_the_day = {"name", "slug", "starts_at", "registration_deadline", "refund_until"}
    for section in Section:
        old, new = facts(earlier, section), facts(copy, section)
        for each in (*old.get("categories", []), *new.get("categories", [])):
            del each["id"]
        assert {k: v for k, v in new.items() if k not in of_the_day} == {
            k: v for k, v in old.items() if k not in of_the_day
        }, section


def test_a_copy_has_dates_of_its_own_and_no_people(earlier: Tournament):
    copy = copied(earlier)

    copy.refresh_from_db()
    assert copy.status == Tournament.Status.DRAFT
    assert (copy.name, copy.slug) == ("Herbst 2027", "herbst-2027")
    assert copy.starts_at == NEXT_YEAR
    assert copy.registration_deadline == NEXT_YEAR - timedelta(minutes=15)
    assert copy.refund_until is None
    assert copy.copied_from == earlier
    assert not copy.registrations.exists()
    assert not copy.receipts.exists()
    assert not copy.memberships.exists()
    assert list(proof.of_tournament(copy)) == []


def test_every_fact_of_the_ausschreibung_belongs_to_a_section():
    known = {name for section in Section for name in FIELDS[section]}
    own = {field.name for field in Tournament._meta.concrete_fields}

    of_the_day = {"results_released_at", "replaced_at", "is_trial_run"}
    of_the_day |= {"words", "words_since", "words_until", "fewer_eyes_by"}
    of_its_life = {"id", "status", "called_off_reason", "copied_from", "created_at", "revision"}
    of_its_life |= {"floor", "owner"}  # are copied as well
    assert own - known == of_its_life | of_the_day


def test_copying_needs_the_right_to_create_tournaments(earlier: Tournament):
    helper = make_member(make_tournament(), Role.KASSE)

    with pytest.raises(NotAllowed):
        copied(earlier, actor=Actor.account(helper))
