"""Corrections refer to lists and persons in their JSON; these keys change on import."""

from __future__ import annotations

import pytest
from django.db import transaction

from scoring.reading.validation import from_json
from tests.factories import COMMAND, acting, make_players, make_tournament
from tests.factories_lists import list_of, make_seated_serie, write_games
from tests.tournaments.archive.helpers import saved
from tournaments.archive.importing import import_archive
from tournaments.archive.writing import archive_text
from tournaments.checking.services import exclusions, penalties
from tournaments.corrections.services import corrections
from tournaments.corrections.services import moves as corrections_moves
from tournaments.lists.queries import changes as corrections_text
from tournaments.models import Correction, Spielliste, Tournament
from tournaments.notices.queries.effects import Effects

pytestmark = pytest.mark.django_db
Status = Spielliste.Status


def corrected() -> Tournament:
    """Two tables: 1 and 5 changed places, 2 has 100 Strafpunkte, 3 is excluded."""
    tournament = make_tournament()
    rows = [make_players(tournament, 4) for _table in range(2)]
    serie = make_seated_serie(tournament, rows)
    lists = [write_games(list_of(serie, table), status=Status.HANDED_IN) for table in (1, 2)]
    actor = acting(tournament)
    corrections.correct_list(
        actor,
        lists[0].pk,
        kind=Correction.Kind.SEATS,
        facts={"places": corrections_moves.places_of_rings(serie, [[1, 5]]), "games": "place"},
        reason="Namen vertauscht",
        versions={spielliste.pk: spielliste.version for spielliste in lists},
    )
    penalties.give_at_once(
        actor, lists[0].pk, registration_id=rows[0][1].pk, points=100, reason="zusammengeworfen"
    )
    exclusions.exclude(actor, rows[0][2].pk, reason="Tätlichkeit")
    return tournament


def test_an_imported_correction_has_the_same_effects():
    with transaction.atomic():
        text = saved(corrected())
        transaction.set_rollback(True)
    noise = make_tournament(name="Anderes Turnier")
    make_seated_serie(noise, [make_players(noise, 4) for _row in "ab"])

    tournament = import_archive(text.encode(), actor=COMMAND)

    assert archive_text(tournament) == text
    serie = tournament.serien.get(number=1)
    moved, penalty, excluded = tournament.corrections.order_by("number")
    said = [
        [change.what, change.before, change.after] for change in corrections_text.changes(moved)
    ]
    assert said[:2] == [
        ["Tisch 1, Platz 1", "Nr. 1", "Nr. 5"],
        ["Tisch 2, Platz 1", "Nr. 5", "Nr. 1"],
    ]
    assert corrections_text.changes(penalty)[0].what == "Strafpunkte für Nr. 2"
    assert corrections_text.changes(excluded)[0].what == "Nr. 3"
    assert list(Correction.touching(list_of(serie, 2))) == [moved]
    own = {
        person.registration: person.number for person in from_json(moved.effects, Effects).persons
    }
    assert own == dict(tournament.registrations.filter(pk__in=own).values_list("pk", "number"))
    assert len(own) == 8
