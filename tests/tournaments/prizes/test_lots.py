"""Ties by lot where the Ausschreibung says so: a departure from § 1.5, and never called a game."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import translation

from scoring.payments.prizes import OVERALL, PrizeLine, RankingCategory, TieRule
from scoring.payments.prizes import PrizeRanking as Key
from scoring.playoffs import lot_order
from tests.clients import Client
from tests.clients import plain as text
from tests.factories import COMMAND, make_member
from tests.factories_results import make_team
from tests.tournaments.archive.helpers import saved
from tests.tournaments.printing.helpers import words
from tests.tournaments.prizes.test_playoffs import played, undecided
from tournaments.announcement.queries.prize_lines import all_prize_lines, plans_in_money
from tournaments.archive.importing import import_archive
from tournaments.common.errors import TournamentError
from tournaments.desk.services import teams
from tournaments.models import JournalEntry, Playoff, Ranking, Role, Tournament
from tournaments.prizes.queries.playoffs import open_ties
from tournaments.prizes.queries.prizes import PrizeSheet
from tournaments.prizes.services import playoffs
from tournaments.results.queries.rankings import Rankings

pytestmark = [pytest.mark.django_db, pytest.mark.once]
PLAN = [PrizeLine(place=1, fixed_cents=5000), PrizeLine(place=2, fixed_cents=2000)]


def tied() -> Tournament:
    """Nr. 1 and 2 are equal on the first place, for which there is a prize."""
    tournament = played(40, 40, 60, 70, lines=PLAN, ties=TieRule.PLAYOFF, second=(71, 72, 73, 73))
    Tournament.objects.filter(pk=tournament.pk).update(ties_by_lot=True)
    tournament.refresh_from_db()
    return tournament


def staff_of(tournament: Tournament) -> Client:
    client = Client()
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    return client


def sentences(tournament: Tournament) -> list[str]:
    return [line.decided for line in Rankings(tournament).table(OVERALL).lines]


def test_a_missing_lot_is_reported_everywhere():
    tournament = tied()

    page = text(staff_of(tournament).get(reverse("prizes:playoffs", args=[tournament.slug])))

    [tie] = undecided(tournament)
    assert tie.why.startswith("Das Los entscheidet, wie es in der Ausschreibung steht")
    assert "Vom Programm losen lassen" in page
    assert "Platz im Entscheidungsspiel" not in page
    [waiting] = PrizeSheet(tournament).playoffs
    assert waiting.how.endswith("Das Los entscheidet, wer welchen Preis erhält.")
    assert ("Bei Gleichstand", "Das Los entscheidet.") in list(
        all_prize_lines([*plans_in_money(tournament)])
    )


def test_shared_prizes_are_not_decided_by_lot():
    tournament = played(40, 40, 60, 70, lines=PLAN, second=(71, 72, 73, 73))
    Tournament.objects.filter(pk=tournament.pk).update(ties_by_lot=True)
    tournament.refresh_from_db()

    [first, last] = open_ties(PrizeSheet(tournament))

    assert first.why == "Ohne Los teilen sie sich den Platz und die Preise."
    assert last.why == "Kein Preis hängt daran; der Platz bleibt geteilt."


def test_the_program_draws_lots_by_a_public_seed():
    tournament = tied()
    client, slug = staff_of(tournament), tournament.slug

    answer = client.post(reverse("prizes:record", args=[slug, "einzel", 1]), {"by_program": "1"})

    assert answer.status_code == 302
    lot = Playoff.objects.get()
    assert lot.order == lot_order({1: "Nr. 1", 2: "Nr. 2"}, lot.seed)
    assert len(lot.seed) == 16
    order = ", ".join(f"Nr. {number}" for number in lot.order)
    assert sentences(tournament)[1] == "durch Los"
    public = text(Client().get(reverse("results_public:overall", args=[slug])))
    for said in (public, words(tournament, "rangliste")):
        assert f"Gelost mit „{lot.seed}“: {order}." in said
        assert "dann das Los" in said
        assert "Entscheidungsspiel (§ 1.5)" not in said
    [first, second] = PrizeSheet(tournament).recipients
    assert (first.number, first.cents, second.cents) == (lot.order[0], 5000, 2000)
    entry = JournalEntry.objects.get(action="lot_recorded")
    assert entry.after["seed"] == lot.seed
    assert not JournalEntry.objects.filter(action="playoff_recorded").exists()


def test_a_lot_drawn_by_hand_is_recorded_and_struck_out_as_a_lot():
    tournament = tied()
    client, slug = staff_of(tournament), tournament.slug
    sent = {"einzel-1-place_1": "2", "einzel-1-place_2": "1", "einzel-1-note": "Anna zog"}

    client.post(reverse("prizes:record", args=[slug, "einzel", 1]), sent)
    page = text(client.get(reverse("prizes:playoffs", args=[slug])))
    lot = Playoff.objects.get()
    decided = sentences(tournament)[1]
    playoffs.withdraw(COMMAND, lot.pk, reason="falsch gelesen")

    assert (lot.order, lot.seed, decided) == ([2, 1], "", "durch Los")
    assert "Von Hand gelost." in page
    actions = set(JournalEntry.objects.values_list("action", flat=True))
    assert {"lot_recorded", "lot_withdrawn"} <= actions
    assert not {"playoff_recorded", "playoff_withdrawn"} & actions


def test_lots_are_drawn_only_if_announced():
    tournament = tied()
    Tournament.objects.filter(pk=tournament.pk).update(ties_by_lot=False)

    with pytest.raises(TournamentError, match="sonst wird gespielt"):
        playoffs.record(COMMAND, tournament.pk, order=[1, 2], by_program=True)

    page = text(staff_of(tournament).get(reverse("prizes:playoffs", args=[tournament.slug])))
    assert "losen" not in page


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_seed_gives_one_lot_in_every_language(monkeypatch, language):
    # SHA-256 of „0000000000000003 Nr. 1“ begins with df8cf3, of „… Nr. 2“ with b22f67.
    monkeypatch.setattr("secrets.token_hex", lambda _bytes: "0000000000000003")
    tournament = tied()

    with translation.override(language):
        lot = playoffs.record(COMMAND, tournament.pk, order=[1, 2], by_program=True)
        said = Rankings(tournament).table(OVERALL).terms[-1]

    assert lot.order == [2, 1]
    assert said.endswith(": Nr. 2, Nr. 1.")


def test_lots_of_teams_use_start_numbers_without_names(monkeypatch):
    # Of „0000000000000003 Nr. 1 + Nr. 2“ it begins with 7b79d5, of „… Nr. 3 + Nr. 4“ with 9f36ba.
    monkeypatch.setattr("secrets.token_hex", lambda _bytes: "0000000000000003")
    tournament = played(100, 130, 110, 120)
    Tournament.objects.filter(pk=tournament.pk).update(ties_by_lot=True)
    ranking = Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.TANDEM, size=2)
    field = list(tournament.registrations.order_by("number"))
    first = make_team(ranking, field[0].person.full_name, field[:2])
    second = make_team(ranking, "Buben", field[2:4])
    tandem = Key(category=RankingCategory.TANDEM)

    lot = playoffs.record(
        COMMAND, tournament.pk, order=[second.pk, first.pk], ranking=tandem, by_program=True
    )
    teams.rename_team(COMMAND, second.pk, name="Damen")

    assert lot.order == [first.pk, second.pk]
    rankings = Rankings(Tournament.objects.get(pk=tournament.pk))
    [said] = [term for term in rankings.table(tandem).terms if "Gelost" in term]
    assert said == "Gelost mit „0000000000000003“: Nr. 1 + Nr. 2, Nr. 3 + Nr. 4."


def test_deciding_by_lot_keeps_players_with_fewer_serien_behind():
    tournament = tied()

    page = text(Client().get(reverse("results_public:overall", args=[tournament.slug])))

    assert "entscheidet das Los statt eines Entscheidungsspiels" in page
    assert "Wer weniger Serien mit Ergebnis hat, steht hinter allen, die mehr haben." in page


def test_a_lot_is_never_called_a_game():
    tournament = tied()
    client, slug = staff_of(tournament), tournament.slug
    lot = playoffs.record(COMMAND, tournament.pk, order=[1, 2])

    strike = reverse("prizes:withdraw", args=[slug, lot.pk])
    pages = [
        client.get(reverse("prizes:playoffs", args=[slug])),
        *(
            client.post(strike, {"reason": reason}, follow=True)
            for reason in ("", "falsch gelesen", "noch einmal")
        ),
        client.get(reverse("setup:section", args=[slug, "preisplan"])),
    ]
    paper = words(tournament, "spiellisten-gespielt", serie=1)

    assert [page.status_code for page in pages] == [200, 422, 200, 409, 200]
    assert [page for page in map(text, pages) if "Entscheidungsspiel" in page] == []
    assert "Entscheidungsspiel" not in paper
    assert "dann das Los" in paper


def test_an_archive_contains_the_lot_and_its_seed():
    tournament = tied()
    playoffs.record(COMMAND, tournament.pk, order=[1, 2], by_program=True)
    lot, content = Playoff.objects.get(), saved(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(slug="fort")

    again = import_archive(content.encode(), actor=COMMAND)

    assert again.ties_by_lot
    assert again.playoffs.get().seed == lot.seed
    assert sentences(again)[1] == "durch Los"
