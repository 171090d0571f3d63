"""Published seats are redrawn with a reason before any list starts, and this is announced."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import COMMAND, acting, make_member, make_person, make_registration
from tests.factories_lists import FOUR, write_games
from tests.tournaments.draw.helpers import begin, carry_out, enter, field, numbers, seat_in_order
from tests.tournaments.draw.test_ranking import play
from tests.worlds import world
from tournaments.common.errors import NotAllowed, TournamentError, WrongStatus
from tournaments.draw.services import draws, redraw
from tournaments.journal import proof
from tournaments.models import (
    Draw,
    Game,
    JournalEntry,
    Penalty,
    Role,
    Seat,
    Serie,
    Spielliste,
    Table,
    Tournament,
)
from tournaments.printing import seating as plans
from tournaments.printing import spiellisten
from tournaments.printing.base import PrintRequest

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Method = Serie.Seating
WHY = "Serie 1 ist berichtigt"


@world
def evening() -> Tournament:
    """Eight after Serie 1; Serie 2 is set by the ranking 2 6 1 5 3 7 4 8 and published."""
    tournament = field(8)
    seat_in_order(tournament)
    play(tournament, 1, 10, 0, 30, 50)
    play(tournament, 2, 20, 0, 40, 60)
    draws.publish(COMMAND, begin(tournament, Method.RANKING, 2).pk)
    return tournament


def second(tournament: Tournament) -> Serie:
    return tournament.serien.get(number=2)


def correct(tournament: Tournament) -> None:
    """Number 1 has 90 points instead of 10, and falls from the third to the last rank."""
    game = Game.objects.get(spielliste__table__number=1, spielliste__table__serie__number=1)
    game.line = {**game.line, "minus": [90, 0, 30, 50]}
    game.save()
    proof.baseline_proof(tournament)


def at_tables(serie: Serie) -> list[set[int]]:
    seats = Seat.objects.filter(serie=serie).order_by("table__number", "number")
    numbers_at: dict[int, set[int]] = {}
    for table, number in seats.values_list("table__number", "registration__number"):
        numbers_at.setdefault(table, set()).add(number)
    return list(numbers_at.values())


def again(tournament: Tournament, method: Method = Method.RANKING, **more: Any) -> Draw:
    draft = begin(tournament, method, 2, reason=WHY, **more)
    return draft if draft.seats else carry_out(draft)


def test_a_serie_seated_by_ranking_is_redrawn_after_a_correction(evening: Tournament):
    assert at_tables(second(evening)) == [{2, 6, 1, 5}, {3, 7, 4, 8}]
    lists = dict(Spielliste.objects.filter(table__serie__number=2).values_list("pk", "version"))
    correct(evening)

    draft = again(evening)
    assert at_tables(second(evening)) == [{2, 6, 1, 5}, {3, 7, 4, 8}]  # they hold until then
    draws.publish(COMMAND, draft.pk)

    # Without the bonus 6 −20, 2 −20, 5 20, 3 30, 7 40, 4 50, 8 60, 1 90.
    assert at_tables(second(evening)) == [{2, 6, 5, 3}, {7, 4, 8, 1}]
    # Lists and codes of the tables stay; devices with the old names are refused.
    now = dict(Spielliste.objects.filter(table__serie__number=2).values_list("pk", "version"))
    assert now == {pk: version + 1 for pk, version in lists.items()}
    assert list(proof.of_tournament(evening)) == []


def test_a_redraw_is_journalled_and_the_first_draw_stays_readable(evening: Tournament):
    draws.publish(COMMAND, again(evening).pk)

    void, holds = second(evening).draws.order_by("number")
    assert (void.status, holds.status, holds.reason) == ("discarded", "published", WHY)
    assert void.published_at is not None
    entry = JournalEntry.objects.get(action="draw_voided")
    assert (entry.subject_id, entry.reason) == (void.pk, WHY)
    assert entry.before["seats"] == void.seats


def test_a_redraw_is_announced_on_every_screen(evening: Tournament):
    draws.publish(COMMAND, again(evening).pk)

    evening.refresh_from_db()
    assert evening.words.startswith("Serie 2 ist neu gesetzt. Frühere Pläne, Karten und Mails")
    assert evening.words_until is not None


def test_a_redraw_adds_and_removes_tables(evening: Tournament):
    make_registration(evening, make_person())

    draws.publish(COMMAND, again(evening).pk)

    assert [len(row) for row in at_tables(second(evening))] == [3, 3, 3]
    assert Spielliste.objects.filter(table__serie__number=2).count() == 3
    evening.registrations.filter(number=9).update(status="withdrawn", present_at=None)
    draws.publish(COMMAND, again(evening).pk)

    assert Table.objects.filter(serie=second(evening)).count() == 2


def test_a_redraw_needs_a_reason(evening: Tournament):
    with pytest.raises(TournamentError, match="sagen, warum noch einmal"):
        begin(evening, Method.RANKING, 2)


@pytest.mark.parametrize(
    ("stands", "match"),
    [
        pytest.param("game", "In der Liste von Tisch 2 steht schon etwas", id="a game"),
        pytest.param("penalty", "In der Liste von Tisch 2 steht schon etwas", id="Strafpunkte"),
        pytest.param("later", "Nach Serie 2 geht es schon weiter", id="a later Serie"),
    ],
)
def test_a_redraw_is_refused_once_seats_are_used(evening: Tournament, stands, match):
    draft = again(evening)
    spielliste = Spielliste.objects.get(table__serie=second(evening), table__number=2)
    if stands == "game":
        write_games(spielliste, FOUR[:1])
    elif stands == "penalty":
        seat = spielliste.table.seats.first()
        Penalty.objects.create(
            spielliste=spielliste,
            registration=seat.registration,
            points=100,
            reason="§ 8.3",
            paragraph="8.3",
        )
    else:
        third, _is_new = evening.serien.get_or_create(number=3)
        table = Table.objects.create(serie=third, number=1)
        Seat.objects.create(
            serie=third, table=table, number=1, registration=evening.registrations.first()
        )

    with pytest.raises(WrongStatus, match=match):
        draws.publish(COMMAND, draft.pk)
    with pytest.raises(WrongStatus, match=match):
        begin(evening, Method.RANKING, 2, reason=WHY)


@pytest.mark.parametrize(
    ("first", "other"),
    [
        pytest.param(Method.RANKING, Method.ELECTRONIC, id="set, then by lot"),
        pytest.param(Method.ELECTRONIC, Method.RANKING, id="by lot, then set"),
        pytest.param(Method.ELECTRONIC, Method.CARDS, id="by lot, then cards"),
    ],
)
def test_a_redraw_keeps_the_method(first, other):
    tournament = field(8)
    seat_in_order(tournament)
    draft = begin(tournament, first, 2, accept_unverified=True)
    draws.publish(COMMAND, (draft if draft.seats else carry_out(draft)).pk)

    with pytest.raises(WrongStatus, match="Noch einmal geht nur: "):
        begin(tournament, other, 2, reason=WHY, accept_unverified=True)


def test_a_redraw_by_lot_has_its_own_hash(client: Client):
    tournament = field(8)
    draws.publish(COMMAND, carry_out(begin(tournament, Method.ELECTRONIC)).pk)
    url = reverse("seating:serie", args=[tournament.slug, 1])

    draft = begin(tournament, Method.ELECTRONIC, reason="zwei Personen fehlten")
    shown = client.get(url).content.decode()
    first = tournament.serien.get(number=1).draws.get(number=1)
    assert "Es wird noch einmal ausgelost" in shown
    assert "zwei Personen fehlten" in shown
    assert draft.seed_hash in shown
    assert draft.seed not in shown
    assert first.seed in shown

    draws.publish(COMMAND, carry_out(draft).pk)
    shown = client.get(url).content.decode()
    assert "Ersetzt den Sitzplan vom" in shown
    assert "zwei Personen fehlten" in shown
    assert {draft.seed, first.seed, first.seed_hash} <= set(shown.replace("<", ">").split(">"))


def test_dropping_the_draft_keeps_the_seats(evening: Tournament):
    draft, before = again(evening), at_tables(second(evening))

    with pytest.raises(TournamentError, match="sagt warum"):
        redraw.drop_draft(COMMAND, draft.pk, reason=" ")
    with pytest.raises(NotAllowed):
        redraw.drop_draft(acting(evening, Role.KASSE), draft.pk, reason="doch nicht")
    redraw.drop_draft(COMMAND, draft.pk, reason="doch nicht")

    draft.refresh_from_db()
    assert (draft.status, at_tables(second(evening))) == ("discarded", before)


def test_a_first_draft_is_not_dropped():
    with pytest.raises(WrongStatus, match="indem neu ausgelost wird"):
        redraw.drop_draft(COMMAND, begin(field(8), Method.ELECTRONIC).pk, reason="nein")


@pytest.mark.parametrize("method", [Method.CARDS, Method.ELECTRONIC])
def test_replacing_an_empty_draft_needs_no_reason(method):
    tournament = field(8)
    begin(tournament, Method.CARDS)

    assert begin(tournament, method).number == 2


def test_replacing_a_draft_with_cards_needs_a_reason():
    tournament = field(8)
    enter(begin(tournament, Method.CARDS), 5, table=1, seat=1)

    with pytest.raises(TournamentError, match="sagen, warum noch einmal"):
        begin(tournament, Method.ELECTRONIC)


# --- Pages, paper, mails ----------------------------------------------------------------------


def test_paper_names_the_seats_it_replaces(evening: Tournament):
    wanted = PrintRequest(tournament=evening, serie=2, base_url="")
    documents = (plans.by_name, plans.by_table, plans.table_cards)
    assert [document(wanted).context["replaces"] for document in documents] == [None] * 3
    assert {sheet.head.note for sheet in spiellisten.prefilled(wanted).sheets} == {""}

    draws.publish(COMMAND, again(evening).pk)

    void = second(evening).draws.get(number=1)
    assert [document(wanted).context["replaces"] for document in documents] == [
        void.published_at
    ] * 3
    (note,) = {sheet.head.note for sheet in spiellisten.prefilled(wanted).sheets}
    assert note.startswith("Ersetzt die Liste vom ")


def test_a_redraw_is_started_on_the_page(evening: Tournament, client: Client):
    client.force_login(make_member(evening, Role.SPIELLEITUNG))
    at = {
        name: reverse(f"draw:{name}", args=[evening.slug, 2])
        for name in ("serie", "begin", "publish", "drop")
    }
    assert "Neu setzen" in client.get(at["serie"]).content.decode()
    asked = client.get(f"{at['serie']}?neu=1").content.decode()
    assert 'name="reason"' in asked
    correct(evening)

    refused = client.post(at["begin"], {"method_": "ranking", "order": "top"})
    assert refused.status_code == 422
    client.post(at["begin"], {"method_": "ranking", "order": "top", "reason": WHY})
    draft_page = client.get(at["serie"]).content.decode()
    assert "gelten, bis dieser Entwurf bekannt gegeben wird" in draft_page
    assert WHY in draft_page
    client.post(at["publish"])

    assert at_tables(second(evening)) == [{2, 6, 5, 3}, {7, 4, 8, 1}]
    assert "Ersetzt den Sitzplan vom" in client.get(at["serie"]).content.decode()


def test_a_draft_is_dropped_on_the_page(evening: Tournament, client: Client):
    client.force_login(make_member(evening, Role.SPIELLEITUNG))
    draft = again(evening)

    client.post(reverse("draw:drop", args=[evening.slug, 2]), {"drop-reason": "doch nicht"})

    draft.refresh_from_db()
    assert draft.status == Draw.Status.DISCARDED
    assert len(numbers(draft)) == 2


def test_the_desk_shows_published_seats_during_a_redraw(evening: Tournament, client: Client):
    again(evening)
    client.force_login(make_member(evening, Role.KASSE))

    page = client.get(reverse("draw:serie", args=[evening.slug, 2])).content.decode()

    assert "bekannt gegeben" in page
    assert "Entwurf verwerfen" not in page
