"""A signed list keeps its players, also after a substitution."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import COMMAND, acting, make_club, make_member, make_person
from tests.factories_lists import list_of, write_games
from tests.tournaments.printing.helpers import make_day, words
from tournaments.corrections.services import corrections
from tournaments.desk.services import changes
from tournaments.draw.queries.task import history
from tournaments.lists.queries.seat_history import earlier_sitters
from tournaments.lists.services import signing
from tournaments.models import Person, Registration, Role, Serie, Spielliste, Tournament
from tournaments.notices.queries.notices import for_registration
from tournaments.results.queries.player_results import played_lists
from tournaments.results.queries.rankings import Rankings
from tournaments.table.queries.state import state

pytestmark = [pytest.mark.django_db, pytest.mark.once]
SIGNED = "M10 10L20 20"
NOTE = "ab Serie 2 Nora Neumann"


def played() -> tuple[Tournament, Spielliste]:
    """Anna Kühn, Bernd Voß and two others have played Serie 1 and not signed yet."""
    tournament = make_day(4, status=Tournament.Status.RUNNING)
    list_ = list_of(tournament.serien.get(number=1))
    return tournament, write_games(list_, status=Spielliste.Status.COMPLETE)


def sign(spielliste: Spielliste, *seats: int) -> None:
    for seat in seats:
        version = spielliste.version
        signing.sign(COMMAND, spielliste.pk, seat=seat, version=version, drawing=SIGNED)


def close(tournament: Tournament, number: int) -> None:
    Serie.objects.filter(tournament=tournament, number=number).update(closed_at=timezone.now())


def take_over(tournament: Tournament, name: str = "Nora Neumann") -> Registration:
    """Substitute another person for start number 2, Bernd Voß."""
    registration = tournament.registrations.get(number=2)
    first, _, last = name.partition(" ")
    joined = make_person(first, last, club=make_club(f"Neu: {last}"), publish_consent=True)
    changes.substitute(COMMAND, registration.pk, person_id=joined.pk, reason="krank")
    registration.refresh_from_db()
    return registration


def test_a_replaced_signer_stays_on_the_list_beside_the_substitute():
    tournament, spielliste = played()
    sign(spielliste, 1, 2, 3, 4)

    take_over(tournament)

    for document in ("spiellisten-gespielt", "spiellisten", "sitzplan-tische"):
        text = words(tournament, document, serie=1)
        assert "Bernd Voß" in text, document
        assert NOTE in text, document
        assert text.count("Nora Neumann") == 1, document
        assert "Neu: " not in text, document
    assert f"Voß, Bernd {NOTE}" in words(tournament, "sitzplan-namen", serie=1)


@pytest.mark.parametrize("seats", [(2,), (1, 2, 3, 4)], ids=["one signed", "all signed"])
def test_the_phone_names_the_signers(seats):
    tournament, spielliste = played()
    sign(spielliste, *seats)

    take_over(tournament)

    assert [player.name for player in state(spielliste.table_id).players][1] == "Bernd Voß"


@pytest.mark.both
def test_own_signature_is_enough():
    tournament, spielliste = played()
    sign(spielliste, 2)

    take_over(tournament)

    assert NOTE in words(tournament, "spiellisten-gespielt", serie=1)


def test_a_signature_of_an_earlier_version_is_void():
    tournament, spielliste = played()
    sign(spielliste, 2)
    Spielliste.objects.filter(pk=spielliste.pk).update(version=spielliste.version + 1)

    take_over(tournament)

    text = words(tournament, "spiellisten-gespielt", serie=1)
    assert "Nora Neumann" in text
    assert "Bernd Voß" not in text


def test_a_substitute_during_a_serie_appears_on_its_list():
    tournament, spielliste = played()

    take_over(tournament)
    sign(spielliste, 1, 2, 3, 4)

    assert earlier_sitters(tournament) == {1: {}, 2: {}, 3: {}}
    assert "Nora Neumann" in words(tournament, "spiellisten-gespielt", serie=1)


def test_results_pass_to_the_substitute():
    tournament, spielliste = played()
    sign(spielliste, 1, 2, 3, 4)

    registration = take_over(tournament)

    rankings = Rankings(tournament)
    (own,) = played_lists(rankings, registration)
    assert own.mine.total == 201
    assert own.grid.columns[1].name == "Bernd Voß"
    assert own.grid.columns[1].note == NOTE
    entrant = rankings.by_number[2]
    assert entrant.person.full_name == "Nora Neumann"


def test_two_substitutions_name_each_person_at_their_serie():
    tournament, spielliste = played()
    sign(spielliste, 1, 2, 3, 4)
    take_over(tournament)
    close(tournament, 2)
    take_over(tournament, "Otto Dritter")
    close(tournament, 3)
    registration = take_over(tournament, "Pia Vierte")

    sat_with = {
        serie: f"{history.person}, {history.note(registration, lambda seated: str(seated.person))}"
        for serie, of_serie in earlier_sitters(tournament).items()
        if (history := of_serie.get(registration.pk))
    }

    assert sat_with == {
        1: "Bernd Voß, ab Serie 2 Nora Neumann",
        2: "Nora Neumann, ab Serie 3 Otto Dritter",
        3: "Otto Dritter, danach Pia Vierte",
    }


@pytest.mark.parametrize("page", ["checking:list", "hall:table", "seating:serie"])
def test_pages_show_the_person_of_each_seat(client: Client, page: str):
    tournament, spielliste = played()
    sign(spielliste, 1, 2, 3, 4)
    take_over(tournament)
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    args = [tournament.slug, 1] if page == "seating:serie" else [tournament.slug, 1, 1]

    text = client.get(reverse(page, args=args)).content.decode()

    assert NOTE in text
    assert ("B. V." if page == "seating:serie" else "Bernd Voß") in text


def test_the_seat_history_costs_one_query_without_substitutions(django_assert_num_queries):
    tournament, _spielliste = played()

    with django_assert_num_queries(1):
        assert earlier_sitters(tournament) == {}


def test_a_substitute_inherits_the_meetings_of_the_number():
    tournament, spielliste = played()
    sign(spielliste, 1, 2, 3, 4)
    close(tournament, 1)

    take_over(tournament)

    assert history(tournament.serien.get(number=2)) == [[[1, 1_000_002, 3, 4]]]


def test_a_replaced_player_is_notified_of_a_correction(client: Client, mailoutbox, settings):
    settings.HAS_EMAIL, settings.PUBLIC_URL = True, "https://turnier.example"
    tournament, spielliste = played()
    sign(spielliste, 1, 2, 3, 4)
    Person.objects.filter(last_name="Voß").update(email="voss@verein.example")
    registration = take_over(tournament)
    Person.objects.filter(last_name="Neumann").update(email="neumann@verein.example")
    corrections.correct_list(
        acting(tournament), spielliste.pk, kind="invalid", facts={}, reason="Karten gezinkt"
    )
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    said = "In Serie 1 hat Bernd Voß unter dieser Startnummer gespielt; die Mitteilung gilt beiden."

    slips = client.get(reverse("notices:slips", args=[tournament.slug])).content.decode()
    paper = words(tournament, "berichtigungen")
    page = reverse("notices:tell", args=[tournament.slug, registration.pk])
    client.post(page, {"how": "mail"})

    assert slips.count(said) == paper.count(said) == 1
    assert {(*mail.to, mail.body.split(",")[1].strip()) for mail in mailoutbox} == {
        ("voss@verein.example", "Bernd Voß"),
        ("neumann@verein.example", "Nora Neumann"),
    }
    assert all(said in " ".join(mail.body.split()) for mail in mailoutbox)


def test_a_notice_of_the_substitutes_list_names_no_other_person():
    tournament, spielliste = played()
    registration = take_over(tournament)  # no signatures
    sign(spielliste, 1, 2, 3, 4)
    corrections.correct_list(
        acting(tournament), spielliste.pk, kind="invalid", facts={}, reason="Karten gezinkt"
    )

    (text,) = for_registration(registration)

    assert text.sitter is None
