"""A lottery among present people: committed before, drawn from the seed, handed over, provable."""

from __future__ import annotations

import hashlib
import json
import re

import pytest
from django.db.models import F
from django.utils import timezone

from scoring.errors import ScoringError
from scoring.payments.lottery import draw_order
from scoring.payments.prizes import PrizePlan
from tests.clients import at, logged_in
from tests.factories import COMMAND, make_member
from tests.tournaments.printing.helpers import words
from tests.tournaments.prizes.helpers import line, played, set_plan
from tournaments.announcement.queries.prize_lines import plans_in_money, prize_lines
from tournaments.announcement.services.edit import change_prize_plan
from tournaments.announcement.services.sections import fingerprint
from tournaments.archive.importing import import_archive
from tournaments.archive.writing import archive_text
from tournaments.closing.queries.standings import snapshot
from tournaments.closing.queries.tournament import of_tournament
from tournaments.common.errors import Conflict, TournamentError, WrongStatus
from tournaments.corrections.services import effects
from tournaments.journal import proof
from tournaments.models import Lottery, Registration, Role, Tournament
from tournaments.models.tournament import Section
from tournaments.notices.queries.effects import PersonEffect
from tournaments.prizes.queries.lottery import participants
from tournaments.prizes.queries.prizes import PrizeSheet
from tournaments.prizes.services import lottery, prizes

pytestmark = [pytest.mark.django_db, pytest.mark.once]

THINGS = ("Fahrrad", "Korb")


def hall(things: tuple[str, ...] = THINGS) -> Tournament:
    """Return eight seated people without presence."""
    tournament = played(60, 65, 70, 75, second=(80, 85, 90, 110))
    set_plan(tournament, startgeld=PrizePlan(lines=(), lottery=things))
    return tournament


def begun(tournament: Tournament, *numbers: int) -> Lottery:
    return lottery.begin(COMMAND, tournament.pk, expected=numbers or range(1, 9))


def drawn_with(seed: str, tournament: Tournament) -> Lottery:
    """Return a drawn lottery with a fixed seed."""
    row = begun(tournament)
    digest = hashlib.sha256(seed.encode()).hexdigest()
    Lottery.objects.filter(pk=row.pk).update(seed=seed, seed_hash=digest)
    return lottery.draw(COMMAND, row.pk)


def test_winners_are_ordered_by_their_lots():
    # printf %s "2026 Verlosung 1" | sha256sum → 3e0be6…, f41b09…, 3c000e…, 86ea79…
    assert draw_order("2026", [4, 3, 2, 1]) == [3, 1, 4, 2]


def test_present_players_take_part_and_leavers_do_not():
    tournament = hall()
    people = {each.number: each for each in tournament.registrations.all()}
    now = timezone.now()
    for number, changed in {
        2: {"gone_after": 1, "present_at": None},
        3: {"status": Registration.Status.EXCLUDED},
        4: {"present_at": None, "unticked_at": now},
        5: {"status": Registration.Status.WITHDRAWN, "present_at": None},
    }.items():
        Registration.objects.filter(pk=people[number].pk).update(**changed)

    assert [each.number for each in participants(tournament)] == [1, 6, 7, 8]


def test_only_the_hash_is_shown_before_the_lottery(client):
    tournament = hall()
    row = begun(tournament)
    staff = logged_in(make_member(tournament, Role.SPIELLEITUNG))

    shown = client.read(at("lottery:proof", tournament)) + staff.read(
        at("prizes:lottery", tournament)
    )

    assert row.seed_hash in shown
    assert row.seed not in shown
    assert row.winners == []
    assert PrizeSheet(tournament).rows == []
    assert at("lottery:proof", tournament) in client.read(at("results_public:overall", tournament))
    [entry] = tournament.journal_chain.entries.filter(action="lottery_begun")
    assert row.seed not in json.dumps(entry.after)


def test_the_screen_shows_the_hash_then_the_winners(client):
    tournament = played(60, 65, 70, 75, second=(80, 85, 90, 110))
    wall = f"/t/{tournament.slug}/leinwand/?zeigt=lottery"
    staff = logged_in(make_member(tournament, Role.SPIELLEITUNG))
    assert "Verlosung" not in staff.read(at("screen:control", tournament))
    set_plan(tournament, startgeld=PrizePlan(lines=(), lottery=THINGS))
    assert "Verlosung" in staff.read(at("screen:control", tournament))
    assert tournament.name in client.read(wall)

    row = begun(tournament)
    before = client.read(wall)
    Lottery.objects.filter(pk=row.pk).update(seed="2026")
    lottery.draw(COMMAND, row.pk)
    # Of the eight the lots of 3 and 1 are the smallest: 3c000e…, 3e0be6…
    people = {
        registration.number: registration.person.list_name
        for registration in tournament.registrations.all()
    }
    drawn_on_it = client.read(wall)
    tournament.registrations.filter(number=3).update(status=Registration.Status.EXCLUDED)
    Tournament.objects.filter(pk=tournament.pk).update(revision=F("revision") + 1)

    assert row.seed_hash in before
    assert "8 Personen machen mit." in before
    won = re.findall(r"<strong>Nr. (\d) · (.*?)</strong>\s*<span class=\S+>(.*?)<", drawn_on_it)
    assert won == [("3", people[3], "Fahrrad"), ("1", people[1], "Korb")]
    assert people[3] not in client.read(wall)


def test_the_first_lots_win_and_get_their_things():
    tournament = hall()
    drawn_with("2026", tournament)

    sheet = PrizeSheet(tournament)
    order = draw_order("2026", range(1, 9))
    won = [(row.registration.number, row.goods, row.goods_are_open) for row in sheet.rows]
    assert won == [(order[0], "Fahrrad", True), (order[1], "Korb", True)]
    assert (sheet.due_cents, sheet.open_cents) == (0, 0)
    first = sheet.recipients[0]
    prizes.hand_over(
        COMMAND, tournament.pk, recipient=first.key, pot="verlosung", ranking="verlosung"
    )
    assert [row.is_done for row in PrizeSheet(tournament).rows] == [True, False]


def test_a_lottery_alone_announces_no_money():
    tournament = hall()
    drawn_with("2026", tournament)
    staff = logged_in(make_member(tournament, Role.SPIELLEITUNG))

    for shown in (staff.read(at("prizes:prizes", tournament)), words(tournament, "preisliste")):
        assert "Verlosung: Fahrrad" in shown
        assert "zu gewinnen" not in shown


def test_surplus_things_are_left_over():
    tournament = hall(tuple(f"Sache {number}" for number in range(1, 11)))
    drawn_with("2026", tournament)

    numbers = [row.registration.number for row in PrizeSheet(tournament).rows]
    assert sorted(numbers) == list(range(1, 9))


def test_a_lottery_can_be_verified_publicly(client):
    tournament = hall()
    drawn_with("2026", tournament)

    page = client.read(at("lottery:proof", tournament))

    commands = re.findall(r"2026 Verlosung (\d+)", page)
    first = hashlib.sha256(f"2026 Verlosung {commands[0]}".encode()).hexdigest()
    assert first in page
    assert hashlib.sha256(b"2026").hexdigest() in page
    assert f"Nr. {commands[0]}: Fahrrad" in page
    assert tournament.registrations.get(number=1).person.last_name not in page


def test_changed_participants_of_a_lottery_are_refused():
    with pytest.raises(Conflict, match="andere da"):
        begun(hall(), 1, 2, 3)


def test_a_second_lottery_needs_the_first_undone():
    tournament = hall()
    row = begun(tournament)
    with pytest.raises(WrongStatus, match="schon eine"):
        begun(tournament)
    lottery.draw(COMMAND, row.pk)
    with pytest.raises(WrongStatus, match="schon verlost"):
        lottery.draw(COMMAND, row.pk)

    lottery.withdraw(COMMAND, row.pk, reason="Nr. 9 fehlte")

    assert PrizeSheet(tournament).rows == []
    assert begun(tournament).seed != row.seed


def test_handed_over_things_return_before_a_lottery_is_undone():
    tournament = hall()
    row = drawn_with("2026", tournament)
    winner = PrizeSheet(tournament).recipients[0]
    where = {"recipient": winner.key, "pot": "verlosung", "ranking": "verlosung"}
    prizes.hand_over(COMMAND, tournament.pk, **where)
    with pytest.raises(WrongStatus, match="übergeben"):
        lottery.withdraw(COMMAND, row.pk, reason="falsch")
    prizes.take_back(COMMAND, tournament.pk, **where)

    lottery.withdraw(COMMAND, row.pk, reason="falsch")

    assert PrizeSheet(tournament).rows == []


def test_a_winner_excluded_after_the_lottery_wins_nothing():
    tournament = hall()
    drawn_with("2026", tournament)
    # The lots of Nr. 3 and 1 are the smallest of eight.
    winner = PrizeSheet(tournament).recipients[0]
    where = {"pot": "verlosung", "ranking": "verlosung"}
    tournament.registrations.filter(number=3).update(status=Registration.Status.EXCLUDED)
    staff = logged_in(make_member(tournament, Role.SPIELLEITUNG))

    assert [row.registration.number for row in PrizeSheet(tournament).rows] == [1]
    with pytest.raises(Conflict, match="kein Sachpreis"):
        prizes.hand_over(COMMAND, tournament.pk, recipient=winner.key, **where)
    assert re.search(
        r"Nr\. 3 · [^<]*<span class=\"pill amber\">ausgeschlossen",
        staff.read(at("prizes:lottery", tournament)),
    )


def test_a_thing_handed_to_an_excluded_person_is_a_question():
    tournament = hall()
    drawn_with("2026", tournament)
    winner = PrizeSheet(tournament).recipients[0]
    where = {"pot": "verlosung", "ranking": "verlosung"}
    prizes.hand_over(COMMAND, tournament.pk, recipient=winner.key, **where)
    tournament.registrations.filter(number=3).update(status=Registration.Status.EXCLUDED)

    wrong = [row.registration.number for row in PrizeSheet(tournament).rows if row.goods_are_wrong]
    prizes.take_back(COMMAND, tournament.pk, recipient=winner.key, **where)

    assert wrong == [3]
    assert [row.registration.number for row in PrizeSheet(tournament).rows] == [1]


@pytest.mark.parametrize(
    "things", [("Fahrrad",), ("Fahrrad", "Kuchen"), ()], ids=["fewer", "others", "none"]
)
def test_the_things_of_a_lottery_are_fixed(things):
    tournament = hall()
    complete = {"venue": "Halle", "organiser": "SC Gera", "contact_email": "a@example.org"}
    Tournament.objects.filter(pk=tournament.pk).update(**complete)
    tournament.refresh_from_db()
    row = begun(tournament)
    plan = PrizePlan(lines=(), lottery=things)
    seen = fingerprint(tournament, Section.PRIZES)
    change = {"seen": seen, "pot": "startgeld", "plan": plan, "reason": "Spende"}
    with pytest.raises(WrongStatus, match="was verlost wird, steht fest"):
        change_prize_plan(COMMAND, tournament.pk, **change)
    same = PrizePlan(lines=(line(1, goods="Pokal"),), lottery=THINGS)
    change_prize_plan(COMMAND, tournament.pk, **change | {"plan": same})
    lottery.withdraw(COMMAND, row.pk, reason="Es kam ein Kuchen dazu")
    tournament.refresh_from_db()

    seen = fingerprint(tournament, Section.PRIZES)
    change_prize_plan(COMMAND, tournament.pk, **change | {"seen": seen})

    tournament.refresh_from_db()
    assert PrizeSheet(tournament).has_lottery == bool(things)


def test_a_lottery_needs_things_in_the_plan(client):
    tournament = hall(())
    staff = logged_in(make_member(tournament, Role.SPIELLEITUNG))
    with pytest.raises(TournamentError, match="nichts verlost"):
        begun(tournament)

    assert staff.get(at("prizes:lottery", tournament)).status_code == 404
    assert client.get(at("lottery:proof", tournament)).status_code == 404
    assert "Verlosen" not in staff.read(at("prizes:prizes", tournament))


def test_a_lottery_is_held_by_forms():
    tournament = hall()
    staff = logged_in(make_member(tournament, Role.SPIELLEITUNG))
    numbers = re.search(
        r'name="expected" value="([\d ]+)"', staff.read(at("prizes:lottery", tournament))
    )
    staff.post(at("prizes:begin_lottery", tournament), {"expected": numbers[1]})
    row = tournament.lotteries.get()
    assert row.field == list(range(1, 9))
    staff.post(at("prizes:draw_lottery", tournament, row.pk))
    assert "<strong>Fahrrad</strong>" in staff.read(at("prizes:lottery", tournament))
    staff.post(at("prizes:withdraw_lottery", tournament, row.pk), {"reason": "noch einmal"})

    row.refresh_from_db()
    assert row.withdrawn_reason == "noch einmal"


def test_the_closing_reports_a_missing_lottery():
    tournament = hall()
    said = "Die Verlosung ist noch nicht gezogen."

    def open_points() -> list[str]:
        return [point.sentence for point in of_tournament(tournament, {})]

    before, row = open_points(), begun(tournament)
    while_fixed = open_points()
    lottery.draw(COMMAND, row.pk)

    assert (said in before, said in while_fixed, said in open_points()) == (True, True, False)


def test_lottery_things_do_not_depend_on_results():
    tournament = hall()
    drawn_with("2026", tournament)
    winner = PrizeSheet(tournament).recipients[0]
    where = {"pot": "verlosung", "ranking": "verlosung"}
    prizes.hand_over(COMMAND, tournament.pk, recipient=winner.key, **where)
    worse = PersonEffect(
        registration=winner.registration.pk,
        number=3,
        points=(70, 90),
        serie_rank=(3, 4),
        total=(70, 90),
        rank=(3, 4),
    )

    said = effects.list_dependents(tournament, serie=1, persons=[worse], others=[])

    assert said == []


@pytest.mark.parametrize(("field", "value"), [("field", 5), ("field", ["a"]), ("things", "ab")])
def test_a_file_with_an_invalid_lottery_is_refused(field, value):
    tournament = hall()
    drawn_with("2026", tournament)
    written = json.loads(archive_text(tournament))
    for unsealed in ("seal", "journal"):
        written.pop(unsealed, None)
    written["lotteries"][0][field] = value
    Tournament.objects.filter(pk=tournament.pk).update(slug="vorher")

    with pytest.raises(ScoringError) as refused:
        import_archive(json.dumps(written).encode(), actor=COMMAND)

    assert refused.value.problems[0].where == f"lotteries[0].{field}"


def test_announcement_closing_and_archive_contain_the_lottery():
    tournament = hall(("Fahrrad", "Korb", "Korb"))
    [planned] = plans_in_money(tournament)
    assert dict(prize_lines(planned)) == {
        "Verlosung": "Unter allen, die dann noch da sind, werden verlost: Fahrrad,"
        " 2\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}Korb. Wer gezogen ist, gewinnt einmal."
    }
    proof.baseline_proof(tournament)
    lottery.draw(COMMAND, begun(tournament).pk)
    assert list(proof.of_tournament(tournament)) == []
    won = [(each["number"], each["goods"]) for each in snapshot(tournament)["prizes"]]

    written = archive_text(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(slug="vorher")
    imported = import_archive(written.encode(), actor=COMMAND)

    assert json.loads(archive_text(imported)) == json.loads(written)
    assert [(e["number"], e["goods"]) for e in snapshot(imported)["prizes"]] == won
    imported.lotteries.update(seed="1")
    assert len(list(proof.of_tournament(imported))) == 1
