"""Qualified players are registered in the final, and Serie 1 is seated by their ranking (§ 1.1)."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.clients import Client
from tests.factories import COMMAND, make_member, make_person
from tests.tournaments.announcement.helpers import COMPLETE
from tests.tournaments.archive.helpers import saved
from tests.tournaments.draw.helpers import begin, numbers
from tests.tournaments.results.test_final import closed, make, named
from tournaments.announcement.forms.serien import SerienForm
from tournaments.announcement.services import edit
from tournaments.announcement.services.sections import fingerprint
from tournaments.archive.importing import import_archive
from tournaments.archive.writing import archive_text
from tournaments.closing.queries.standings import snapshot
from tournaments.common.errors import Conflict, NotAllowed, TournamentError, WrongStatus
from tournaments.desk.services.qualification import register_qualified
from tournaments.draw.forms import BeginForm
from tournaments.draw.queries.redraw import draws_of
from tournaments.models import CashEntry, Closing, JournalEntry, Role, Serie, Tournament
from tournaments.models.tournament import Section

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Seating = Serie.Seating
BUTTON = "/weiterspielen/"


def final(first: int = 1, last: int = 8, **ranks: int) -> tuple[Tournament, Tournament, Client]:
    """Return the earlier tournament, its announced final and a client of its head."""
    earlier, client = closed()
    content = snapshot(earlier)
    for line in content["rankings"]["einzel"]:
        line["rank"] = ranks.get(f"n{line['number']}", line["rank"])
    Closing.objects.create(
        tournament=earlier, number=1, closed_at=timezone.now(), content=content, content_hash="a"
    )
    made = make(earlier, client, first, last)
    assert made is not None
    Tournament.objects.filter(pk=made.pk).update(
        status=Tournament.Status.ANNOUNCED,
        **COMPLETE,
    )
    made.refresh_from_db()
    return earlier, made, client


def listing(tournament: Tournament, client: Client) -> str:
    return client.get(reverse("desk:list", args=[tournament.slug])).content.decode()


def send(tournament: Tournament, client: Client, number: int) -> Any:
    url = reverse("desk:register_qualified", args=[tournament.slug])
    return client.post(url, {"seen_number": number}, follow=True)


def seat_by_ranking(tournament: Tournament) -> None:
    lines = [Serie(seating=Seating.RANKING), *[Serie(seating=Seating.CARDS)] * 2]
    seen = fingerprint(tournament, Section.SERIEN)
    edit.change_serien(COMMAND, tournament.pk, seen=seen, lines=lines)


def test_one_button_registers_qualified_players_by_rank():
    earlier, made, client = final(2, 5)
    assert "Alle 4 melden" in listing(made, client)
    assert "4 Personen der Liste haben sich in „Herbstturnier“ qualifiziert" in listing(
        made, client
    )

    answer = send(made, client, 4)

    # Nr. 3, 4, 2, 1, 5 are on the places 1 to 5.
    assert "4 Personen sind gemeldet." in answer.content.decode()
    registered = list(made.registrations.order_by("number"))
    assert [registration.person.list_name for registration in registered] == named(
        earlier, 4, 2, 1, 5
    )
    assert [registration.number for registration in registered] == [1, 2, 3, 4]
    assert {(registration.status, registration.admission) for registration in registered} == {
        ("registered", "steht auf der Liste der Personen")
    }
    assert not CashEntry.objects.filter(registration__in=registered).exists()
    entry = JournalEntry.objects.get(action="qualified_registered")
    assert entry.after["registrations"] == [registration.pk for registration in registered]
    assert BUTTON not in listing(made, client)
    with pytest.raises(Conflict, match="inzwischen 0 Personen, nicht 4"):
        register_qualified(COMMAND, made.pk, seen_number=4)


def test_registered_and_unlisted_players_are_skipped():
    earlier, made, _client = final(1, 4)
    third = earlier.registrations.get(number=3).person
    fourth = earlier.registrations.get(number=4).person
    made.circle_persons = "\n".join(
        line for line in made.circle_persons.splitlines() if third.list_name not in line
    )
    made.save()
    made.registrations.create(person=fourth, number=1, category=made.categories.get())

    with pytest.raises(Conflict, match="inzwischen 2 Personen, nicht 4"):
        register_qualified(COMMAND, made.pk, seen_number=4)
    register_qualified(COMMAND, made.pk, seen_number=2)

    named_again = [
        registration.person.list_name for registration in made.registrations.order_by("number")
    ]
    assert named_again == named(earlier, 4, 2, 1)


def test_qualification_is_the_reason_after_the_deadline():
    _earlier, made, _client = final(1, 4)
    Tournament.objects.filter(pk=made.pk).update(
        registration_deadline=made.starts_at - timedelta(days=3650)
    )

    registered = register_qualified(COMMAND, made.pk, seen_number=4)

    assert {registration.late_reason for registration in registered} == {
        "qualifiziert in „Herbstturnier“"
    }


def test_qualified_players_need_role_state_and_tournament():
    earlier, made, client = final(1, 4)
    referee = Client()
    referee.force_login(make_member(made, Role.SCHIEDSRICHTER))

    assert send(made, referee, 4).status_code in {403, 404}
    assert "Alle 4 melden" not in listing(made, referee)
    assert send(made, client, 0).status_code == 422
    with pytest.raises(WrongStatus):
        register_qualified(COMMAND, earlier.pk, seen_number=4)
    Tournament.objects.filter(pk=made.pk).update(status=Tournament.Status.DRAFT)
    with pytest.raises((WrongStatus, NotAllowed)):
        register_qualified(COMMAND, made.pk, seen_number=4)
    assert not made.registrations.exists()


def test_serie_1_is_seated_by_the_ranks_of_the_closing():
    # Nr. 4 shares the first place with Nr. 3; in the final they are 3→1, 4→2, 2→3, 1→4 …
    _earlier, made, _client = final(n4=1)
    register_qualified(COMMAND, made.pk, seen_number=8)
    newcomer = make_person()
    made.registrations.create(person=newcomer, number=9, category=made.categories.get())
    made.registrations.update(status="paid", present_at=timezone.now())
    seat_by_ranking(made)
    assert "ranking" in str(SerienForm(tournament=made)["seating_1"])
    serie = made.serien.get(number=1)
    assert "ranking" in str(BeginForm(serie=serie, drawn=draws_of(serie))["method"])

    draw = begin(made, Seating.RANKING)

    assert draw.task["ranking"] == [[1, 2], [3], [4], [5], [6], [7], [8], [9]]
    assert set(numbers(draw)[0]) == {1, 2, 3}  # 9 are three tables of three


@pytest.mark.parametrize("how", ["reopened", "open", "not made from one"])
def test_serie_1_needs_a_final_ranking_for_seating(how: str):
    earlier, made, client = final()
    made.serien.update(seating=Seating.CARDS)  # not the preset
    if how == "reopened":
        earlier.closings.update(reopened_at=timezone.now(), reopened_reason="Zahlendreher")
    elif how == "open":
        fields = {"is_open": True, "closed_circle": "", "admission": ""}
        Tournament.objects.filter(pk=made.pk).update(**fields)
    else:
        Tournament.objects.filter(pk=made.pk).update(copied_from=None)
    made.refresh_from_db()

    assert BUTTON not in listing(made, client)
    with pytest.raises(TournamentError, match="Serie 1 kann nicht nach der Rangliste"):
        seat_by_ranking(made)
    assert "ranking" not in str(SerienForm(tournament=made)["seating_1"])
    with pytest.raises(TournamentError, match="Vor der ersten Serie gibt es keine Rangliste"):
        begin(made, Seating.RANKING)


def test_an_imported_final_is_equal_and_its_serien_are_editable():
    _earlier, made, _client = final()
    register_qualified(COMMAND, made.pk, seen_number=8)
    made.registrations.update(status="paid", present_at=timezone.now())
    seat_by_ranking(made)
    begin(made, Seating.RANKING)
    made.memberships.all().delete()  # the head of another installation has no account here
    text = saved(made)
    slug = json.loads(text)["tournament"]["slug"]
    Tournament.objects.filter(slug=slug).update(slug="frueher")

    again = import_archive(text.encode(), actor=COMMAND)

    assert archive_text(again) == text
    seat_by_ranking(again)
    assert again.serien.get(number=1).seating == Seating.RANKING
