"""All players read and sign a complete list; then it is a document (§ 2.2.4)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.factories import make_member, make_registration, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.worlds import world
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, InvalidInput, WrongStatus
from tournaments.lists.services import versions as list_versions
from tournaments.lists.services.signing import LONGEST_DRAWING, sign, sign_on_paper
from tournaments.machine.hashes import hash_of
from tournaments.models import JournalEntry, ListVersion, Penalty, Role, SeatSpan, Spielliste

pytestmark = [pytest.mark.django_db, pytest.mark.once]

STROKE = "M10,20L30.5,-4 40,60"


@world
def spielliste():
    tournament = make_tournament(protest_minutes=20)
    return write_games(list_of(make_seated_serie(tournament)), FOUR, status="complete")


@pytest.fixture
def device(spielliste):
    return Actor.table(spielliste.table)


@pytest.fixture
def spielleitung(spielliste):
    return make_member(spielliste.table.serie.tournament, Role.SPIELLEITUNG)


def sign_seat(spielliste, actor, seat, **changes):
    fields = {"version": 12, "drawing": STROKE, **changes}
    return sign(actor, spielliste.pk, seat=seat, **fields)


def test_the_list_is_signed_with_the_last_signature(spielliste, device):
    for seat in (2, 1, 4):
        assert sign_seat(spielliste, device, seat).status == Spielliste.Status.COMPLETE

    signed = sign_seat(spielliste, device, 3)

    signed.refresh_from_db()
    assert signed.status == Spielliste.Status.SIGNED
    assert signed.version == 12
    assert signed.protest_until == signed.signed_at + timedelta(minutes=20)
    assert {signature.drawing for signature in signed.signatures.all()} == {STROKE}
    entries = JournalEntry.objects.filter(action="list_signed").order_by("number")
    assert [entry.after["seats"] for entry in entries] == [[2], [1], [4], [3]]
    assert [entry.after["status"] for entry in entries][2:] == ["complete", "signed"]


def test_the_signed_content_is_stored_whole(spielliste, device):
    sign_on_paper(device, spielliste.pk)

    kept = ListVersion.objects.get()
    assert kept.version == 12
    assert kept.content["status"] == "signed"
    assert [game["line"] for game in kept.content["games"]] == [dict(line) for line in FOUR]
    assert [seat["number"] for seat in kept.content["seats"]] == [1, 2, 3, 4]
    assert kept.content_hash == hash_of(kept.content)


def test_the_last_signature_proves_itself_the_list_and_its_content(spielliste, device):
    for seat in (1, 2, 3):
        sign_seat(spielliste, device, seat)

    sign_seat(spielliste, device, 4)

    signature = spielliste.signatures.latest("pk")
    assert set(JournalEntry.objects.latest("pk").rows) == {
        f"signature/{signature.pk}",
        f"spielliste/{spielliste.pk}",
        f"listversion/{ListVersion.objects.get().pk}",
    }


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        pytest.param({"version": 11}, Conflict, id="another version was read"),
        pytest.param({"seat": 5}, InvalidInput, id="no such seat"),
        pytest.param({"drawing": ""}, InvalidInput, id="nothing drawn"),
        pytest.param({"drawing": "M10,20"}, InvalidInput, id="no stroke"),
        pytest.param({"drawing": '"/><script>'}, InvalidInput, id="no path at all"),
        pytest.param({"drawing": "M1,1" + "L2,2" * LONGEST_DRAWING}, InvalidInput, id="too long"),
    ],
)
def test_an_invalid_signature_is_ignored(spielliste, device, changes, error):
    with pytest.raises(error):
        sign_seat(spielliste, device, **{"seat": 1, **changes})

    assert not spielliste.signatures.exists()


def test_a_seat_signs_once(spielliste, device):
    sign_seat(spielliste, device, 1)

    with pytest.raises(Conflict, match="Platz 1 hat diese Liste schon"):
        sign_seat(spielliste, device, 1)


def test_a_list_without_all_games_cannot_be_signed(device, spielliste):
    spielliste.status = "open"
    spielliste.save()

    with pytest.raises(WrongStatus, match="fehlen noch Spiele"):
        sign_seat(spielliste, device, 1)
    with pytest.raises(WrongStatus, match="fehlen noch Spiele"):
        sign_on_paper(device, spielliste.pk)


@pytest.mark.parametrize("status", ["signed", "handed_in", "verified", "invalid"])
def test_a_signed_list_is_not_signed_again(status):
    spielliste = write_games(list_of(make_seated_serie(make_tournament())), FOUR, status=status)

    with pytest.raises(WrongStatus, match="schon"):
        sign_on_paper(Actor.table(spielliste.table), spielliste.pk)


def test_signatures_on_paper_are_given_together_and_unconfirmed(spielliste, device):
    sign_seat(spielliste, device, 1)

    on_list = sign_on_paper(device, spielliste.pk, version=12)

    assert on_list.status == Spielliste.Status.SIGNED
    on_paper = on_list.signatures.filter(method="paper")
    assert on_paper.count() == 3
    assert {signature.confirmed_by for signature in on_paper} == {None}


def test_the_spielleitung_confirms_single_seats_on_paper(spielliste, spielleitung):
    actor = Actor.account(spielleitung)

    on_list = sign_on_paper(actor, spielliste.pk, seats=[2, 4])
    assert on_list.status == Spielliste.Status.COMPLETE
    on_list = sign_on_paper(actor, spielliste.pk, seats=[1, 2, 3])

    assert on_list.status == Spielliste.Status.SIGNED
    assert {signature.confirmed_by for signature in on_list.signatures.all()} == {spielleitung}


def test_paper_of_another_version_or_seat_is_refused(spielliste, device):
    with pytest.raises(Conflict):
        sign_on_paper(device, spielliste.pk, version=11)
    with pytest.raises(InvalidInput, match="Platz 7"):
        sign_on_paper(device, spielliste.pk, seats=[1, 7])


# --- Versions ---------------------------------------------------------------------------


def test_a_version_is_stored_once(spielliste):
    first = list_versions.keep(spielliste)
    spielliste.status = "signed"

    assert list_versions.keep(spielliste) == first
    assert ListVersion.objects.get().content["status"] == "complete"


def test_two_versions_that_differ_have_different_hashes(spielliste):
    first = list_versions.keep(spielliste)
    spielliste.games.filter(number=1).update(
        line={"finisher": 1, "handromme": False, "minus": [0, 32, 45, 12]}
    )
    spielliste.version += 1

    second = list_versions.keep(spielliste)

    assert first.content_hash != second.content_hash
    assert list_versions.short_hash(second) == (
        f"{second.content_hash[:4]} {second.content_hash[4:8]}"
    )


def test_a_version_contains_everything_that_affects_points(spielliste, spielleitung):
    tournament = spielliste.table.serie.tournament
    gone = make_registration(tournament)
    SeatSpan.objects.create(spielliste=spielliste, seat=2, last_game=3, registration=gone)
    owner = spielliste.table.seats.get(number=1).registration
    for status in ("given", "rejected"):
        Penalty.objects.create(
            spielliste=spielliste,
            registration=owner,
            points=100,
            reason="offen gezählt",
            paragraph="8.3",
            status=status,
            decided_at=tournament.starts_at,
        )

    said = list_versions.content(spielliste)

    assert said["spans"] == [{"seat": 2, "last_game": 3, "registration": gone.pk, "number": 5}]
    assert said["penalties"] == [
        {
            "registration": owner.pk,
            "number": 1,
            "points": 100,
            "reason": "offen gezählt",
            "paragraph": "8.3",
        }
    ]
    assert (said["serie"], said["table"], said["bonus_size"]) == (1, 1, None)
