"""Common parts of all acts: transaction, state, role, reason, entry."""

from __future__ import annotations

from contextlib import suppress

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.factories import (
    COMMAND,
    make_member,
    make_person,
    make_registration,
    make_tournament,
    make_user,
)
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, NotAllowed, TournamentError, WrongStatus
from tournaments.common.roles import MAY_LEAD
from tournaments.common.states import TAKES_PART, TAKES_PEOPLE
from tournaments.desk.services.registrations import register
from tournaments.journal import services as journal
from tournaments.journal.acts import ACTS, Act, Acts
from tournaments.models import Category, JournalEntry, Registration, Role, Tournament

pytestmark = pytest.mark.django_db
acts = Acts(MAY_LEAD, TAKES_PEOPLE)


@acts.on(
    Registration, "test_seat", entry="need_changed", when=TAKES_PART, reason="Ein Grund fehlt."
)
def seat(act: Act[Registration], *, table: int | None) -> str:
    """Give a registration a fixed table."""
    act.row.fixed_table = table
    act.row.fixed_table_reason = "Rollstuhl" if table else ""
    act.store(act.row)
    return act.reason


@acts.on(Registration, "test_seat_twice", entry="need_changed")
def seat_twice(act: Act[Registration], *, other: int) -> None:
    """Change a row, and have another act change another one."""
    act.row.fixed_table = 1
    act.store(act.row)
    seat(act, other, table=2, reason="nebenbei")
    act.row.fixed_table = 3
    act.store(act.row)


@acts.on(Registration, "test_go_on", entry="need_changed")
def go_on(act: Act[Registration]) -> None:
    """Change a row, and go on although another act is refused."""
    act.row.fixed_table = 1
    act.store(act.row)
    with suppress(Conflict):
        seat(act, 0, table=2, reason="niemand")


@acts.on(Registration, "test_go_on_later", entry="need_changed")
def go_on_later(act: Act[Registration]) -> None:
    """Change a row, and go on although another act is refused after it recorded entries."""
    act.row.fixed_table = 1
    act.store(act.row)
    with suppress(TournamentError):
        write_and_fail(act, act.tournament.pk)
    act.row.fixed_table = 3
    act.store(act.row)


@acts.on(Tournament, "test_write_and_fail", entry="need_changed")
def write_and_fail(act: Act[Tournament]) -> None:
    """Record entries, and fail."""
    with act.entry("list_late"):
        act.note()
    journal.record(act.tournament, act.actor, "list_not_late")
    raise TournamentError("Es ging nicht.")


@acts.on(Registration, "test_reach", entry="need_changed")
def reach(act: Act[Registration], *, tournament: int) -> None:
    """Have another act about a whole tournament."""
    fail(act, tournament, registration=act.row)


@acts.on(Tournament, "test_fail", entry="need_changed")
def fail(act: Act[Tournament], *, registration: Registration) -> None:
    """Change a row, and fail."""
    registration.fixed_table = 4
    act.store(registration)
    raise TournamentError("Es ging nicht.")


@pytest.fixture(autouse=True, scope="module")
def _leave_no_acts():
    yield
    for name in [name for name in ACTS if name.startswith("test_")]:
        del ACTS[name]


@pytest.fixture
def registration() -> Registration:
    return make_registration(make_tournament())


def said() -> list[tuple[str, dict, dict, str]]:
    entries = JournalEntry.objects.order_by("pk")
    return [(entry.action, entry.before, entry.after, entry.reason) for entry in entries]


def test_an_act_writes_one_entry_of_its_changes_without_free_text(registration: Registration):
    assert seat(COMMAND, registration.pk, table=3, reason="  am Eingang ") == "am Eingang"

    assert said() == [("need_changed", {"fixed_table": None}, {"fixed_table": 3}, "am Eingang")]
    registration.refresh_from_db()
    assert (registration.fixed_table, registration.fixed_table_reason) == (3, "Rollstuhl")
    registration.tournament.refresh_from_db()
    assert registration.tournament.revision == 1


def test_an_act_that_changes_nothing_leaves_no_entry(registration: Registration):
    seat(COMMAND, registration.pk, table=None, reason="nichts")

    assert said() == []


def test_a_nested_act_is_journalled_between_the_changes_around_it(registration):
    other = make_registration(registration.tournament)

    seat_twice(COMMAND, registration.pk, other=other.pk)

    tables = [(before["fixed_table"], after["fixed_table"]) for _a, before, after, _r in said()]
    assert tables == [(None, 1), (None, 2), (1, 3)]


def test_changes_before_a_refused_nested_act_stay_journalled(registration):
    go_on(COMMAND, registration.pk)

    assert [after for _action, _before, after, _reason in said()] == [{"fixed_table": 1}]


def test_a_refused_act_leaves_no_entry(registration: Registration):
    go_on_later(COMMAND, registration.pk)

    tables = [(before["fixed_table"], after["fixed_table"]) for _a, before, after, _r in said()]
    assert tables == [(None, 1), (1, 3)]
    assert list(journal.first_breaks()) == []


def test_entries_of_an_act_and_its_nested_acts_share_one_chain_update(registration):
    other = make_registration(registration.tournament)

    with CaptureQueriesContext(connection) as statements:
        seat_twice(COMMAND, registration.pk, other=other.pk)

    writes = [each["sql"].split()[:3] for each in statements if each["sql"][:6] != "SELECT"]
    assert writes.count(["UPDATE", '"tournaments_journalchain"', "SET"]) == 1
    assert writes.count(["INSERT", "INTO", '"tournaments_journalentry"']) == 1
    registration.tournament.refresh_from_db()
    assert registration.tournament.revision == len(said()) == 3


def test_a_deleted_actor_is_not_referenced(registration: Registration):
    line = Category.objects.create(
        tournament=registration.tournament, name="Gäste", startgeld_cents=500
    )
    Category.objects.filter(pk=line.pk).delete()

    with pytest.raises(ValidationError):
        register(
            COMMAND,
            registration.tournament_id,
            person_id=make_person().pk,
            category=line,
            late_reason="spät",
        )


def test_an_act_that_fails_stores_nothing(registration: Registration):
    with pytest.raises(TournamentError, match="ging nicht"):
        fail(COMMAND, registration.tournament_id, registration=Registration.objects.get())

    assert said() == []
    assert Registration.objects.get().fixed_table is None


@pytest.mark.parametrize("reason", ["", "   "])
def test_a_missing_reason_is_requested(registration: Registration, reason: str):
    with pytest.raises(TournamentError, match="Ein Grund fehlt"):
        seat(COMMAND, registration.pk, table=3, reason=reason)


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        (Tournament.Status.DRAFT, "noch nicht ausgeschrieben"),
        (Tournament.Status.CLOSED, "öffnet die Spielleitung es wieder"),
    ],
)
def test_an_unlisted_state_of_the_tournament_refuses(status, sentence):
    registration = make_registration(make_tournament(status=status))

    with pytest.raises(WrongStatus, match=sentence):
        seat(COMMAND, registration.pk, table=3, reason="x")


def test_a_wrong_status_is_refused_with_name_and_status_of_the_row():
    registration = make_registration(make_tournament(), status=Registration.Status.WITHDRAWN)

    with pytest.raises(WrongStatus, match=f"{registration.person} ist abgemeldet"):
        seat(COMMAND, registration.pk, table=3, reason="x")


@pytest.mark.parametrize(("role", "may"), [(Role.SPIELLEITUNG, True), (Role.KASSE, False)])
def test_an_account_needs_one_of_the_roles(registration: Registration, role: Role, *, may: bool):
    actor = Actor.account(make_member(registration.tournament, role))

    if may:
        seat(actor, registration.pk, table=3, reason="x")
    else:
        with pytest.raises(NotAllowed):
            seat(actor, registration.pk, table=3, reason="x")

    assert (Registration.objects.get().fixed_table == 3) is may


@pytest.mark.parametrize("actor", [Actor.public(), Actor(kind=JournalEntry.ActorKind.TABLE)])
def test_actors_without_account_need_an_explicit_permission(
    registration: Registration, actor: Actor
):
    with pytest.raises(NotAllowed):
        seat(actor, registration.pk, table=3, reason="x")


def test_a_role_in_another_tournament_does_not_help(registration: Registration):
    actor = Actor.account(make_member(make_tournament(), Role.VERANSTALTER))

    with pytest.raises(NotAllowed):
        seat(actor, registration.pk, table=3, reason="x")


def test_a_deleted_row_is_a_conflict(registration: Registration):
    with pytest.raises(Conflict):
        seat(COMMAND, registration.pk + 1, table=3, reason="x")


def test_a_nested_act_does_not_reach_into_another_tournament(registration: Registration):
    stranger = make_registration(make_tournament())

    with pytest.raises(Conflict):
        seat_twice(COMMAND, registration.pk, other=stranger.pk)

    assert Registration.objects.get(pk=stranger.pk).fixed_table is None
    assert Registration.objects.get(pk=registration.pk).fixed_table is None


def test_a_nested_act_about_a_whole_tournament_is_about_its_own(registration: Registration):
    other = make_tournament()

    with pytest.raises(Conflict):
        reach(COMMAND, registration.pk, tournament=other.pk)
    with pytest.raises(TournamentError, match="ging nicht"):
        reach(COMMAND, registration.pk, tournament=registration.tournament_id)


def test_a_value_forbidden_by_its_field_is_refused_before_the_database(registration):
    row = Registration.objects.get()
    row.number = 0

    with pytest.raises(ValidationError, match="größer oder gleich 1"):
        Act(row.tournament, row, COMMAND).store(row)


def test_a_violated_constraint_refuses_with_its_message_and_can_be_fixed(
    registration: Registration,
):
    row = Registration.objects.get()
    act = Act(row.tournament, row, COMMAND)
    row.status = Registration.Status.WITHDRAWN
    row.present_at = timezone.now()

    with pytest.raises(ValidationError, match="Abgehakt wird nur, wer mitspielt"):
        act.store(row)
    row.present_at = None
    act.store(row)

    assert Registration.objects.get().status == Registration.Status.WITHDRAWN


def test_roles_of_an_account_are_loaded_once(
    registration: Registration, django_assert_max_num_queries
):
    account = make_user()

    with django_assert_max_num_queries(8), pytest.raises(NotAllowed):
        seat(Actor.account(account), registration.pk, table=3, reason="x")


@pytest.mark.parametrize(
    ("status", "said"),
    [(Tournament.Status.RUNNING, ""), (Tournament.Status.CLOSED, "Das Turnier ist abgeschlossen.")],
)
def test_a_page_can_check_whether_an_act_is_allowed(status: Tournament.Status, said: str):
    registration = make_registration(make_tournament(status=status))

    assert seat.refusal(registration).startswith(said)
    assert bool(seat.refusal(registration)) == bool(said)
