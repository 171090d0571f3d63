"""People who left after a Serie: not drawn until they return, always named, never „no show“."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import (
    COMMAND,
    acting,
    make_member,
    make_person,
    make_players,
    make_registration,
    make_tournament,
)
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.tournaments.draw.helpers import begin, carry_out, enter_in_order, numbers
from tests.worlds import world
from tournaments.cash.queries import balances
from tournaments.common.actors import Actor
from tournaments.common.errors import NotAllowed, TournamentError, WrongStatus
from tournaments.corrections.services import corrections
from tournaments.desk.queries import presence as present
from tournaments.desk.services import changes, leaving, presence
from tournaments.desk.services.absentees import AbsenteeAnswers, NotTicked
from tournaments.desk.services.registrations import Payment, pay
from tournaments.draw.queries.task import entrants
from tournaments.draw.services import changes as seat_changes
from tournaments.draw.services import draws
from tournaments.journal import proof
from tournaments.models import (
    Correction,
    JournalEntry,
    Registration,
    Role,
    Serie,
    Spielliste,
    Tournament,
)
from tournaments.printing.base import PrintRequest
from tournaments.printing.people import participants

pytestmark = pytest.mark.django_db
Method = Serie.Seating
Kind = Correction.Kind


@world
def evening() -> Tournament:
    """Return nine paid players; Serie 1 is played at three tables, with 9 at the third."""
    tournament = make_tournament(serien=2, refund_until=timezone.now() + timedelta(days=1))
    people = make_players(tournament, 9)
    serie = make_seated_serie(tournament, [people[:3], people[3:6], people[6:]])
    threes = [{**line, "minus": list(line["minus"][:3])} for line in FOUR if line["finisher"] < 4]
    for table in (1, 2, 3):
        write_games(list_of(serie, table), threes[:2])
    return tournament


def nine(tournament: Tournament) -> Registration:
    return tournament.registrations.select_related("person").get(number=9)


def drawn(tournament: Tournament, method: Serie.Seating, **more) -> list[int]:
    draw = begin(tournament, method, 2, **more)
    if method == Method.CARDS:
        draw = enter_in_order(draw)
    elif not draw.seats:
        draw = carry_out(draw)
    return sorted(number for row in numbers(draw) for number in row)


def test_leavers_have_a_status_of_their_own(evening: Tournament):
    gone = leaving.leave(COMMAND, nine(evening).pk)

    assert gone.get_status_display() == "gegangen nach Serie 1"
    assert (gone.gone_after, gone.present_at, gone.takes_part) == (1, None, True)
    entry = JournalEntry.objects.get(action="person_left")
    assert entry.after["gone_after"] == 1


@pytest.mark.parametrize("method", Method)
def test_leavers_are_in_no_draw_until_they_return(evening: Tournament, method):
    leaving.leave(COMMAND, nine(evening).pk)
    more = {"accept_unverified": True} if method == Method.RANKING else {}

    assert drawn(evening, method, **more) == [1, 2, 3, 4, 5, 6, 7, 8]

    leaving.come_back(COMMAND, nine(evening).pk)

    again = drawn(evening, method, reason="9 ist wieder da", **more)
    assert again == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert nine(evening).here_since is not None


def test_a_plan_is_searched_again_after_somebody_leaves():
    tournament = make_tournament(serien=2)
    people = make_players(tournament, 9)
    draws.publish(COMMAND, carry_out(begin(tournament, Method.PLANNED)).pk)
    write_games(list_of(tournament.serien.get(number=1)), [{**FOUR[0], "minus": [0, 31, 42]}])
    gone = people[0].seats.model.objects.played().first().registration

    leaving.leave(COMMAND, gone.pk)

    draw = carry_out(begin(tournament, Method.PLANNED, 2))
    assert gone.number not in {number for row in numbers(draw) for number in row}
    assert "planned_with" not in draw.task


def test_a_draft_with_a_leaver_is_not_published(evening: Tournament):
    draft = carry_out(begin(evening, Method.ELECTRONIC, 2))
    leaving.leave(COMMAND, nine(evening).pk)

    with pytest.raises(TournamentError, match=r"nicht mehr dabei: 9 · .*neu auslosen"):
        draws.publish(COMMAND, draft.pk)


def test_a_leaver_leaves_a_gap_in_a_published_serie(evening: Tournament):
    draft = carry_out(begin(evening, Method.ELECTRONIC, 2))
    serie = draws.publish(COMMAND, draft.pk)
    leaving.leave(COMMAND, nine(evening).pk)

    (gap,) = seat_changes.gaps(serie)

    assert (gap.registration.number, gap.is_late) == (9, False)
    # The table that the person played at is no gap of its Serie.
    assert seat_changes.gaps(evening.serien.get(number=1)) == []


def test_a_leaver_at_a_table_without_games_leaves_a_gap(evening: Tournament):
    serie = draws.publish(COMMAND, carry_out(begin(evening, Method.ELECTRONIC, 2)).pk)
    Serie.objects.filter(pk=serie.pk).update(started_at=timezone.now())

    gone = leaving.leave(COMMAND, nine(evening).pk)

    assert gone.gone_after == 2
    (gap,) = seat_changes.gaps(serie)
    assert gap.registration.number == 9


@pytest.mark.parametrize(
    ("gone_before", "match"),
    [
        pytest.param(True, "schon gegangen nach Serie 1", id="left already"),
        pytest.param(False, "nicht erschienen.*oder abgemeldet", id="never had a seat"),
    ],
)
def test_leaving_is_refused_in_wrong_states(evening: Tournament, gone_before, match):
    who = nine(evening) if gone_before else make_registration(evening, make_person())
    if gone_before:
        leaving.leave(COMMAND, who.pk)

    with pytest.raises(WrongStatus, match=match):
        leaving.leave(COMMAND, who.pk)


def test_only_a_leaver_can_return(evening: Tournament):
    with pytest.raises(WrongStatus, match="nicht als gegangen vermerkt"):
        leaving.come_back(COMMAND, nine(evening).pk)


@pytest.mark.parametrize("act", [leaving.leave, leaving.come_back], ids=["leave", "come back"])
@pytest.mark.parametrize("role", [Role.SCHIEDSRICHTER], ids=str)
def test_a_schiedsrichter_can_neither_record_leaving_nor_return(evening: Tournament, act, role):
    with pytest.raises(NotAllowed):
        act(acting(evening, role), nine(evening).pk)


def test_a_person_who_played_is_not_a_no_show(evening: Tournament):
    with pytest.raises(WrongStatus, match=r"in Serie 1 an Tisch 3 gespielt.*als „gegangen“"):
        changes.mark_no_show(COMMAND, nine(evening).pk)


def test_a_seat_without_a_game_can_be_a_no_show():
    tournament = make_tournament()
    make_seated_serie(tournament)
    tournament.serien.update(started_at=timezone.now())

    absent = changes.mark_no_show(COMMAND, tournament.registrations.first().pk)

    assert absent.status == Registration.Status.NO_SHOW


# --- Ticks ------------------------------------------------------------------------------------


@pytest.mark.parametrize("act", [presence.tick_off, presence.check_in], ids=["desk", "own phone"])
def test_a_leaver_is_not_ticked_off(evening: Tournament, act, monkeypatch):
    Tournament.objects.update(self_check_in=True)
    monkeypatch.setattr(presence, "demand_day", lambda *_args: None)
    leaving.leave(COMMAND, nine(evening).pk)

    with pytest.raises(WrongStatus, match=r"gegangen nach Serie 1.*„Wieder dabei“"):
        act(COMMAND, nine(evening).pk)


def test_paying_open_dues_does_not_undo_leaving(evening: Tournament):
    leaving.leave(COMMAND, nine(evening).pk)
    Registration.objects.filter(number=9).update(due_cents=2000)

    pay(COMMAND, nine(evening).pk, payment=Payment(amount_cents=500), is_here=True)

    assert nine(evening).get_status_display() == "gegangen nach Serie 1"
    assert nine(evening).present_at is None


def test_a_leaver_is_neither_expected_nor_present(evening: Tournament):
    leaving.leave(COMMAND, nine(evening).pk)

    assert present.present_counter(evening).expected == 8
    assert present.presence_of(evening.registrations.all()).expected == 8


def test_a_seated_person_unticked_is_a_question(evening: Tournament):
    presence.untick(COMMAND, nine(evening).pk)

    with pytest.raises(NotTicked, match="nicht abgehakt: 9 · "):
        begin(evening, Method.ELECTRONIC, 2)

    begin(
        evening, Method.ELECTRONIC, 2, unticked=AbsenteeAnswers.LEAVE_OUT, asked=[nine(evening).pk]
    )
    assert nine(evening).get_status_display() == "gegangen nach Serie 1"


def test_a_person_ticked_again_is_no_question(evening: Tournament):
    presence.untick(COMMAND, nine(evening).pk)
    presence.tick_off(COMMAND, nine(evening).pk)

    assert len(begin(evening, Method.ELECTRONIC, 2).task["players"]) == 9


def test_a_tick_undone_after_the_draw_is_named_at_publication(evening: Tournament):
    draft = carry_out(begin(evening, Method.ELECTRONIC, 2))
    presence.untick(COMMAND, nine(evening).pk)

    with pytest.raises(TournamentError, match="nicht mehr abgehakt: 9 · "):
        draws.publish(COMMAND, draft.pk)


def test_people_drawn_knowingly_without_a_tick_are_published(evening: Tournament):
    presence.untick(COMMAND, nine(evening).pk)
    answer = {"unticked": AbsenteeAnswers.DRAW, "asked": [nine(evening).pk]}

    draws.publish(COMMAND, carry_out(begin(evening, Method.ELECTRONIC, 2, **answer)).pk)

    assert nine(evening).seats.count() == 2


# --- Lists that end ---------------------------------------------------------------------------


def end(tournament: Tournament, left: list[int], kind: Kind = Kind.ENDED, games: int = 2) -> None:
    spielliste = list_of(tournament.serien.get(number=1), 3)
    facts = {"ended": {"games": games, "left": left}} if kind == Kind.ENDED else {}
    corrections.correct_list(
        acting(tournament), spielliste.pk, kind=kind, facts=facts, reason="Nr. 9 ist gegangen"
    )


def test_leaving_by_the_end_of_a_list_is_a_leaving(evening: Tournament):
    proof.baseline_proof(evening)

    end(evening, left=[3])

    assert nine(evening).get_status_display() == "gegangen nach Serie 1"
    assert evening.registrations.filter(gone_after__isnull=False).count() == 1
    assert list(proof.of_tournament(evening)) == []

    end(evening, left=[], kind=Kind.GOES_ON)

    assert nine(evening).gone_after is None


def test_playing_the_next_serie_overrides_leaving_the_previous_list(evening: Tournament):
    serie = draws.publish(COMMAND, carry_out(begin(evening, Method.ELECTRONIC, 2)).pk)
    table = nine(evening).seats.get(serie=serie).table
    write_games(table.spielliste, [{**FOUR[0], "minus": [0, 31, 42]}])

    end(evening, left=[3])

    assert nine(evening).gone_after is None


def test_a_substitute_continues_the_start_number(evening: Tournament):
    leaving.leave(COMMAND, nine(evening).pk)

    changes.substitute(COMMAND, nine(evening).pk, person_id=make_person().pk, reason="geht")

    assert nine(evening).get_status_display() == "bezahlt"
    assert 9 in [entrant.number for entrant in entrants(evening)]


# --- Money ------------------------------------------------------------------------------------


def with_money(tournament: Tournament) -> Registration:
    Registration.objects.filter(number=9).update(status="registered", due_cents=1500)
    pay(COMMAND, nine(tournament).pk, payment=Payment(amount_cents=1500))
    return nine(tournament)


@pytest.mark.parametrize("begun", ["game", "start"])
def test_a_withdrawal_after_the_first_own_serie_refunds_nothing(evening, begun):
    who = with_money(evening)
    if begun == "start":
        Spielliste.objects.get(table__number=3).games.all().delete()
        evening.serien.filter(number=1).update(started_at=timezone.now())

    assert not balances.refund_allowed(who, timezone.now())
    assert changes.withdraw(COMMAND, who.pk) is None
    assert balances.spare_cents(nine(evening)) == 0


def test_startgeld_is_refunded_before_the_first_own_game(evening: Tournament):
    who = with_money(evening)
    Spielliste.objects.get(table__number=3).games.all().delete()

    receipt = changes.withdraw(COMMAND, who.pk)

    assert receipt is not None
    assert balances.paid_cents(who) == 0


def test_a_later_refund_needs_a_reason(evening: Tournament):
    who = with_money(evening)

    with pytest.raises(TournamentError, match="bitte einen Grund angeben"):
        changes.withdraw(COMMAND, who.pk, refund_anyway=True)
    changes.withdraw(COMMAND, who.pk, refund_anyway=True, reason="Kreislauf")

    assert balances.paid_cents(who) == 0


def test_the_entry_link_gives_no_such_refund(evening: Tournament):
    with pytest.raises(NotAllowed):
        changes.withdraw(
            Actor.public(), with_money(evening).pk, refund_anyway=True, reason="Kreislauf"
        )


# --- Pages and paper --------------------------------------------------------------------------


def staff(client: Client, tournament: Tournament) -> Client:
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    return client


def test_every_page_shows_a_leaver_as_such(evening: Tournament, client: Client):
    leaving.leave(COMMAND, nine(evening).pk)
    who, lead, slug = nine(evening), staff(client, evening), evening.slug
    said = "gegangen nach Serie 1"

    for url in (
        reverse("desk:registration", args=[slug, who.pk]),
        reverse("desk:list", args=[slug]),
        f"{reverse('desk:desk', args=[slug])}?q=9",
        reverse("draw:serie", args=[slug, 2]),
        reverse("journal:of_registration", args=[slug, who.pk]),
    ):
        assert said in lead.get(url).content.decode(), url
    assert f"{who}, {said}." in lead.get(reverse("draw:serie", args=[slug, 2])).content.decode()


def test_the_list_of_participants_marks_leavers(evening: Tournament):
    leaving.leave(COMMAND, nine(evening).pk)

    rows = participants(PrintRequest(tournament=evening, base_url="")).context["registrations"]

    assert [row.get_status_display() for row in rows if not row.plays_next] == [
        "gegangen nach Serie 1"
    ]


@pytest.mark.parametrize("method", Method)
def test_a_day_with_a_leaver_over_http(evening: Tournament, client: Client, method):
    """A list ends, the draft leaves 9 out and says so, „Wieder dabei“ and „Gegangen“ move 9."""
    lead, slug, who = staff(client, evening), evening.slug, nine(evening)
    serie, publish = (reverse(f"draw:{name}", args=[slug, 2]) for name in ("serie", "publish"))
    end(evening, left=[3])
    assert f"{who}, gegangen nach Serie 1." in lead.get(serie).content.decode()

    data = {"method_": method, "order": "top", "accept_unverified": "on"}
    lead.post(reverse("draw:begin", args=[slug, 2]), data)
    draft = evening.serien.get(number=2).draws.get(status="draft")
    assert [player["id"] for player in draft.task["players"]] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert "Nicht in der Auslosung:" in lead.get(serie).content.decode()
    if method == Method.CARDS:
        lead.post(reverse("draw:card", args=[slug, 2]), {"entry": "1: 1 2 3 4"})
        lead.post(reverse("draw:card", args=[slug, 2]), {"entry": "2: 5 6 7 8"})
    elif not draft.seats:
        carry_out(draft)

    lead.post(reverse("desk:come_back", args=[slug, who.pk]))
    refused = lead.post(publish)
    assert refused.status_code == 409
    assert f"neu: {who}" in refused.content.decode()

    lead.post(reverse("desk:leave", args=[slug, who.pk]))
    assert "nicht mehr dabei oder" not in lead.get(serie).content.decode()
    assert lead.post(publish).status_code == 302
    seats = evening.serien.get(number=2).seats.values_list("registration__number", flat=True)
    assert sorted(seats) == [1, 2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize("act", [leaving.leave, presence.untick], ids=["left", "unticked"])
def test_the_draft_names_leavers(evening: Tournament, client: Client, act):
    draft = carry_out(begin(evening, Method.ELECTRONIC, 2))
    lead, url = staff(client, evening), reverse("draw:serie", args=[evening.slug, 2])
    said = "Seit der Auslosung nicht mehr dabei oder nicht mehr abgehakt:"
    assert said not in lead.get(url).content.decode()

    act(COMMAND, nine(evening).pk)

    page = lead.get(url).content.decode()
    assert said in page
    assert str(nine(evening)) in page.split(said)[1].split("</p>")[0]
    assert draft.seats
