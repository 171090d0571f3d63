"""A person can be forgotten; the results stay (GDPR)."""

from __future__ import annotations

from datetime import date

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage, storages

from tests.factories import (
    COMMAND,
    START,
    make_ban,
    make_club,
    make_person,
    make_players,
    make_registration,
    make_tournament,
    make_user,
)
from tests.factories_lists import list_of, make_seated_serie
from tests.factories_results import make_team
from tests.journal_proof import take_all_as_they_are
from tests.tournaments.people.helpers import substituted
from tests.worlds import world
from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.common.organisers import first_organiser
from tournaments.journal import proof
from tournaments.models import (
    BankTransaction,
    Job,
    JournalEntry,
    Person,
    PrintedDocument,
    Ranking,
    Receipt,
    Registration,
    Separation,
    Signature,
    Substitution,
    Tournament,
)
from tournaments.people.queries.people import search_persons
from tournaments.people.services.anonymise import anonymise_person

pytestmark = [pytest.mark.django_db, pytest.mark.once]

CLOSED = Tournament.Status.CLOSED


def anonymise(person: Person, typed_name: str = "Anna Kühn") -> None:
    anonymise_person(person_id=person.pk, typed_name=typed_name, actor=COMMAND)
    person.refresh_from_db()


@world
def anna() -> Person:
    return make_person(
        "Anna",
        "Kühn",
        club=make_club("SC Altenburg"),
        gender="f",
        birth_year=1950,
        email="anna@example.org",
        phone="0341 1",
        member_number="A-117",
        member_until=date(2026, 12, 31),
        note="sitzt gern am Fenster",
        publish_consent=True,
        publish_consent_at=START,
    )


@pytest.mark.both
def test_anonymising_removes_all_personal_data(anna: Person):
    anonymise(anna)

    assert (anna.first_name, anna.last_name, anna.club) == ("", "anonymisiert", None)
    assert (anna.gender, anna.birth_year) == ("", None)
    assert (anna.email, anna.phone, anna.member_number, anna.note) == ("", "", "", "")
    assert anna.member_until is None
    assert (anna.publish_consent, anna.publish_consent_at) == (False, None)
    assert anna.anonymised_at is not None
    assert anna.search_key == " anonymisiert"
    assert search_persons("anonymisiert", first_organiser()) == []
    assert search_persons("kühn", first_organiser()) == []


@pytest.mark.both
def test_anonymising_renames_a_tandem_named_by_its_players(anna: Person):
    tournament = make_tournament(status=CLOSED)
    ranking = tournament.rankings.create(kind=Ranking.Kind.TANDEM, size=2)
    anna_plays = make_registration(tournament, anna)
    karl = make_registration(tournament, make_person("Karl", "Kühn"))
    left = make_registration(tournament, make_person("Doris", "Weiß"))
    partner = make_registration(tournament, make_person("Eva", "Roth"))
    couple = make_team(ranking, "Kühn / Kühn", [anna_plays, karl])
    taken = make_team(ranking, "Anonymisiert/ROTH", [])
    changed = make_team(ranking, "Kühn / Roth", [left, partner])
    other = make_team(ranking, "Kühnles Buben", [])
    # Anna was replaced by Doris, and the team kept its name.
    Substitution.objects.create(registration=left, left=anna, joined=left.person, reason="krank")
    take_all_as_they_are()

    anonymise(anna)

    assert list(proof.of_installation()) == []
    for team in (couple, taken, changed, other):
        team.refresh_from_db()
    assert couple.name == "anonymisiert / Kühn"
    assert changed.name == "anonymisiert / Roth 2"
    assert other.name == "Kühnles Buben"
    assert JournalEntry.objects.filter(action="team_renamed").count() == 2


def test_anonymised_results_keep_the_club_and_lose_personal_remarks(anna: Person):
    tournament = make_tournament(status=CLOSED)
    registration = make_registration(
        tournament,
        anna,
        status_reason="Hüfte operiert",
        late_reason="Zug verpasst",
        fixed_table=3,
        fixed_table_reason="Rollstuhl",
        token_hash="f" * 64,
    )
    other = make_registration(tournament)
    separation = Separation.objects.create(
        tournament=tournament, first=registration, second=other, reason="geschieden"
    )

    anonymise(anna)

    registration.refresh_from_db()
    separation.refresh_from_db()
    assert (registration.person, registration.number) == (anna, 1)
    assert registration.club is not None
    assert registration.club.name == "SC Altenburg"
    assert (registration.status_reason, registration.late_reason) == ("anonymisiert",) * 2
    assert (registration.fixed_table, registration.fixed_table_reason) == (None, "")
    assert registration.token_hash is None
    assert separation.reason == ""
    tournament.refresh_from_db()
    assert tournament.revision > 0
    assert JournalEntry.objects.get(chain__tournament=tournament).subject_id == registration.pk


def test_anonymising_includes_merged_records(anna: Person):
    merged = make_person("Anna", "Kuehn", email="alt@example.org", merged_into=anna)

    anonymise(anna)

    merged.refresh_from_db()
    assert (merged.full_name, merged.email) == ("anonymisiert", "")
    assert JournalEntry.objects.get().after == {"with": [merged.pk]}


def test_anonymising_removes_reasons_of_bans_and_substitutions(anna: Person):
    admin = make_user()
    lifted = {"lifted_at": START, "lifted_by": admin, "lifted_reason": "Anna war es nicht"}
    ban = make_ban(anna, "Anna hat betrogen", **lifted)
    registration = make_registration(make_tournament(status=CLOSED))
    substitution = substituted(registration, anna, registration.person)

    anonymise(anna)

    ban.refresh_from_db()
    substitution.refresh_from_db()
    assert (ban.reason, ban.lifted_reason, substitution.reason) == ("anonymisiert",) * 3


@pytest.mark.parametrize(
    "typed",
    ["Anna Kühn", "Kühn, Anna", "anna  kuehn"],
)
def test_the_confirming_name_may_have_either_order(anna: Person, typed: str):
    anonymise(anna, typed)

    assert anna.anonymised_at is not None


@pytest.mark.parametrize("typed", ["", "Anna", "Anna Kuhnert", "ja"])
def test_anonymising_needs_the_typed_name(anna: Person, typed: str):
    with pytest.raises(TournamentError, match="Anna Kühn"):
        anonymise(anna, typed)

    anna.refresh_from_db()
    assert anna.last_name == "Kühn"


@pytest.mark.parametrize("status", ["draft", "announced", "running"])
def test_a_person_still_playing_is_not_anonymised(anna: Person, status: str):
    make_registration(make_tournament(name="Herbstturnier", status=status), anna)

    with pytest.raises(WrongStatus, match="steht noch in „Herbstturnier“"):
        anonymise(anna)


def test_a_replaced_player_of_a_running_tournament_is_not_anonymised(anna: Person):
    registration = make_registration(make_tournament(name="Herbstturnier"))
    substituted(registration, anna, registration.person)

    with pytest.raises(WrongStatus, match="steht noch in „Herbstturnier“"):
        anonymise(anna)


def test_a_withdrawn_person_can_be_anonymised_at_once(anna: Person):
    make_registration(make_tournament(), anna, status=Registration.Status.WITHDRAWN, number=None)

    anonymise(anna)

    assert anna.anonymised_at is not None


def test_a_ban_in_force_must_be_lifted_first(anna: Person):
    make_ban(anna)

    with pytest.raises(WrongStatus, match="gesperrt"):
        anonymise(anna)


def test_a_person_is_anonymised_once(anna: Person):
    anonymise(anna)

    with pytest.raises(WrongStatus, match="anonymisiert"):
        anonymise(anna, "anonymisiert")


def test_anonymising_deletes_documents_and_archives_with_the_name(
    anna: Person, settings, tmp_path, django_capture_on_commit_callbacks
):
    settings.DATA_DIR = tmp_path
    tournament = make_tournament(status=CLOSED)
    make_registration(tournament, anna)
    printed = PrintedDocument.objects.create(
        tournament=tournament,
        name="rangliste",
        title="Rangliste",
        key="a" * 64,
        pages=1,
        created_at=START,
    )
    storages["print"].save(printed.stored_name, ContentFile(b"%PDF Anna K\xc3\xbchn"))
    saved = default_storage.save("archives/probe.json", ContentFile(b"Anna"))
    Job.objects.create(kind="archive_export", tournament=tournament, result={"file": saved})

    with django_capture_on_commit_callbacks(execute=True):
        anonymise(anna)

    assert printed.pdf() is None
    assert not PrintedDocument.objects.exists()
    assert not default_storage.exists(saved)


@pytest.mark.both
def test_anonymising_clears_transfers_and_signatures(anna: Person):
    tournament = make_tournament(status=CLOSED)
    anna_plays = make_registration(tournament, anna)
    others = make_players(tournament, 3)
    spielliste = list_of(make_seated_serie(tournament, [[anna_plays, *others]]))
    for registration in (anna_plays, others[0]):
        Signature.objects.create(
            spielliste=spielliste,
            registration=registration,
            version=1,
            method=Signature.Method.DEVICE,
            drawing="M40 120L90 60",
            signed_at=START,
        )
    receipt = Receipt.objects.create(tournament=tournament, number=1, method="bank", payer="Kuehn")
    receipt.entries.create(kind="startgeld", amount_cents=500, registration=anna_plays)
    transfers = [
        BankTransaction.objects.create(
            tournament=tournament,
            fingerprint=str(number),
            booked_on=date(2026, 9, 28),
            amount_cents=500,
            **said,
        )
        for number, said in enumerate(
            (
                {"remitter": "Familie K.", "purpose": "Startgeld Mama", "receipt": receipt},
                {"remitter": "KUEHN, ANNA", "purpose": "zu viel", "set_aside_reason": "an Anna"},
                {"remitter": "Karl Kühn", "purpose": "Nr. 2"},
            )
        )
    ]

    anonymise(anna)

    for transfer in transfers:
        transfer.refresh_from_db()
    assert [(transfer.remitter, transfer.purpose) for transfer in transfers] == [
        ("anonymisiert", ""),
        ("anonymisiert", ""),
        ("Karl Kühn", "Nr. 2"),
    ]
    assert transfers[1].set_aside_reason == "anonymisiert"
    assert Receipt.objects.get().payer == "Kuehn"
    drawn = Signature.objects.order_by("registration__number").values_list("drawing", flat=True)
    assert list(drawn) == ["M0 0", "M40 120L90 60"]
