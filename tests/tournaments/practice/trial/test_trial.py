"""The Probelauf: its margin in each state, its access, and its complete deletion."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.clients import Client, at
from tests.factories import make_member, make_person, make_tournament, make_user
from tournaments.accounts import services as accounts
from tournaments.announcement.queries import tournaments as listed
from tournaments.announcement.services import tournaments
from tournaments.cash.services import reversals
from tournaments.checking.services import checking
from tournaments.closing import services as closing
from tournaments.common.actors import Actor
from tournaments.common.errors import NotAllowed
from tournaments.common.organisers import rights_by_organiser
from tournaments.common.rules import prize_plans
from tournaments.corrections.services import corrections
from tournaments.desk.services import registrations
from tournaments.draw.services import draws
from tournaments.hall.services import handing_in, serie_time
from tournaments.journal import proof
from tournaments.lists.services import spiellisten
from tournaments.models import (
    Notice,
    Person,
    Registration,
    Role,
    Serie,
    Spielliste,
    Tournament,
    User,
)
from tournaments.notices.services import notices
from tournaments.people.access import rights_by
from tournaments.people.services import people
from tournaments.practice.trial import services
from tournaments.practice.trial.queries import progress_of
from tournaments.practice.trial.steps import LATECOMERS, PLAYERS, STEPS
from tournaments.prizes.queries.prizes import PrizeSheet
from tournaments.prizes.services import prizes
from tournaments.results.services import publication
from tournaments.seasons.services import own_tournaments

pytestmark = [pytest.mark.django_db, pytest.mark.once]
LINE = {"finisher": 2, "handromme": False, "minus": [23, 0, 45, 12]}


def says(tournament: Tournament) -> tuple[str, str]:
    """Which step the margin is at, and its sentence without tags."""
    next_step = progress_of(tournament)
    step = next_step["step"]
    return (step.key if step else "end", re.sub("<[^>]+>", "", next_step["says"]))


class Walk:
    """A user who follows the margin, by the services of the linked pages."""

    def __init__(self) -> None:
        self.user = make_user(is_admin=True)
        self.actor = Actor.account(self.user)
        self.tournament = services.begin(user=self.user)
        self.serie = self.tournament.serien.get()

    def lists(self) -> list[Spielliste]:
        return list(Spielliste.objects.order_by("table__number"))

    def fee(self) -> None:
        registrations.pay(
            self.actor,
            Registration.objects.get(status="registered").pk,
            payment=registrations.Payment(),
            is_here=True,
        )

    def people(self) -> None:
        for first, last in LATECOMERS:
            person = people.create_person(
                actor=self.actor, within=self.tournament, first_name=first, last_name=last
            )
            registrations.register(
                self.actor,
                self.tournament.pk,
                person_id=person.pk,
                payment=registrations.Payment(),
                is_here=True,
            )

    def begin(self) -> None:
        tournaments.start(self.actor, self.tournament.pk)

    def draw(self) -> None:
        method = Serie.Seating.ELECTRONIC
        draw = draws.begin(self.actor, self.serie.pk, method=method)
        assert says(self.tournament)[0] == "draw"
        draws.store_plan(self.actor, draw.pk, plan=draws.plan_of(draw))

    def publish(self) -> None:
        draws.publish(self.actor, self.serie.draws.get().pk)

    def start(self) -> None:
        serie_time.start(self.actor, self.serie.pk)

    def game(self) -> None:
        first = self.lists()[0]
        spiellisten.enter_game(
            Actor.table(first.table), first.pk, number=1, line=LINE, version=first.version
        )

    def rest(self) -> None:
        services.play_rest(tournament_id=self.tournament.pk)
        assert self.lists()[0].games.get(number=1).line["minus"] == LINE["minus"]

    def hand_in(self) -> None:
        for spielliste in self.lists():
            handing_in.take_all(self.actor, spielliste.pk, expected_cents=0)

    def correct(self) -> None:
        first = self.lists()[0]
        game, seat, right = map(
            int, re.search(r"(4) (\d) (\d+) tippen", says(self.tournament)[1]).groups()
        )
        line = first.games.get(number=game).line
        minus = [
            right if place == seat else points
            for place, points in enumerate(line["minus"], start=1)
        ]
        assert sum(minus) == sum(line["minus"]) + 10
        corrections.correct_line(
            self.actor,
            first.pk,
            game=game,
            line={**line, "minus": minus},
            reason="Die Zehn ist nicht mitgezählt.",
            paragraph="2.2.5",
            version=first.version,
        )

    def verify(self) -> None:
        for spielliste in self.lists():
            checking.verify(self.actor, spielliste.pk, version=spielliste.version)

    def tell(self) -> None:
        for key in Notice.objects.values_list("pk", flat=True):
            notices.tell(Actor.account(self.user), key, how="oral")

    def close_serie(self) -> None:
        closing.close_serie(self.actor, self.serie.pk)

    def release(self) -> None:
        publication.release_results(self.actor, self.tournament.pk)

    def prizes(self) -> None:
        self.tournament.refresh_from_db()
        sheet = PrizeSheet(self.tournament)
        prizes.pay_all(self.actor, self.tournament.pk, expected_cents=sheet.open_cents)

    def close(self) -> None:
        closing.close(self.actor, self.tournament.pk)

    def print(self) -> None:
        self.tournament.printed_documents.create(
            name="rangliste", title="Rangliste", key="", pages=1, created_at="2026-10-03T18:00Z"
        )


@pytest.mark.once  # on PostgreSQL a browser walks all of it, tests/e2e/test_trial.py
def test_the_margin_names_the_next_step_from_startgeld_to_printed_ranking():
    walk = Walk()
    person = make_person("Anna", "Kühn")

    said = {}
    for step in STEPS:
        step_now, sentence = says(walk.tournament)
        assert step_now == step.key
        said[step_now] = sentence
        getattr(walk, step.key)()

    assert says(walk.tournament)[0] == "end"
    assert "Fritz Goldammer ist gemeldet" in said["fee"]
    assert "Greta Habicht war noch nie da. Im Suchfeld Habicht, Greta tippen" in said["people"]
    assert "Turnier beginnt drücken" in said["begin"]
    assert "Serie 1 beginnen drücken" in said["start"]
    assert (
        "Tisch 1 bringt Liste und Startkarten. 1 tippen, Enter, dann Alles da." in said["hand_in"]
    )
    assert "Serie 1 abschließen" in said["close_serie"]
    walk.tournament.refresh_from_db()
    assert walk.tournament.is_read_only
    assert list(proof.of_installation()) == []

    services.remove(tournament=walk.tournament, actor=walk.actor)

    assert not Tournament.objects.exists()
    assert list(Person.objects.all()) == [person]
    assert list(proof.of_installation()) == []
    assert services.begin(user=walk.user).registrations.count() == 6


def test_undoing_an_act_reopens_its_step():
    walk = Walk()
    walk.fee()
    walk.people()
    (receipt, *_others) = walk.tournament.receipts.order_by("-number")
    assert says(walk.tournament)[0] == "begin"

    reversals.reverse_receipt(walk.actor, receipt.pk, reason="vertippt")

    assert says(walk.tournament)[0] == "fee"


@pytest.mark.both
def test_each_account_has_and_deletes_its_own_trial_run():
    karla, demo_user = make_user(is_admin=True), make_user(is_demo=True)
    make_user(is_demo=True)  # of a tournament to look at that has gone before
    mine, again = services.begin(user=karla), services.begin(user=karla)
    guest = services.begin(user=demo_user)
    made_up = set(Person.objects.filter(registrations__tournament=guest))

    services.remove(tournament=mine, actor=Actor.account(karla))

    assert mine == again
    assert list(Tournament.objects.all()) == [guest]
    assert set(Person.objects.all()) == made_up
    assert User.objects.get(is_demo=True) == demo_user  # owner of the other one


def test_a_trial_run_is_unlisted_and_gives_no_other_access():
    real = make_tournament(status=Tournament.Status.RUNNING)
    head = make_member(real, Role.SPIELLEITUNG)
    trial = services.begin(user=head)
    helper = make_user()
    accounts.give_role(
        tournament=trial, user=helper, role=Role.SPIELLEITUNG, actor=Actor.account(head)
    )

    now = timezone.now()
    first, later = listed.current(now)

    assert [*first, *later] == [real]
    assert trial not in listed.past(now + timedelta(days=3))
    assert trial not in own_tournaments(head, trial.owner)
    assert list(listed.copyable_tournaments(head)) == [real]
    assert tournaments.organisers_for_new(head) == {}
    assert [rights_by(*holder).edit for holder in rights_by_organiser(head).items()] == [True, True]
    assert list(rights_by_organiser(helper)) == [trial.owner]  # of made-up persons
    with pytest.raises(NotAllowed, match="ein Turnier leitet"):
        services.begin(user=helper)
    with pytest.raises(NotAllowed, match="mit Ihrem Konto anmelden"):
        services.guest()


def test_a_visitor_gets_a_temporary_account_for_the_trial_run(client: Client):
    page = client.post(at("trial:begin"), follow=True)
    guest = page.context["user"]
    trial = Tournament.objects.get()
    overview = client.get(at("setup:tournament", trial))
    panel = at("trial:panel", trial)
    margin, nothing_new = client.get(panel), client.get(panel, {"since": trial.revision})
    token = accounts.make_setup_link(actor=Actor.command("test"))
    karla = accounts.accept_with_new_account(
        token=token, username="karla", name="Karla Otto", password="ein langes Kennwort"
    )

    assert page.redirect_chain[-1][0] == at("desk:desk", trial)
    assert "Schritt 1 von 17" in " ".join(page.content.decode().split())
    assert "8 Teilnehmenden" in overview.content.decode()  # by which the prizes are reckoned
    assert (margin.status_code, nothing_new.status_code) == (200, 204)
    assert guest.is_demo
    assert trial.owner.is_practice
    assert not User.objects.get(pk=guest.pk).is_active
    assert services.begin(user=karla) == trial
    refused = Client().post(at("trial:begin"), follow=True)
    assert "Bitte mit Ihrem Konto anmelden." in refused.content.decode()


def test_the_margin_costs_other_tournaments_no_query(client: Client):
    trial, real = services.begin(user=make_user(is_admin=True)), make_tournament()
    client.force_login(make_member(real, Role.VERANSTALTER))
    panel, page = (at(name, real) for name in ("trial:panel", "setup:tournament"))

    with CaptureQueriesContext(connection) as asked:
        shown = client.read(page)

    assert not [query["sql"] for query in asked if "done_fee" in query["sql"]]
    assert 'id="trial"' not in shown
    assert client.get(panel).status_code == 404
    assert client.get(at("trial:panel", trial)).status_code == 403


def test_a_trial_run_has_a_meldeschluss_and_prizes_in_whole_euros():
    tournament = services.begin(user=make_user(is_admin=True))

    begins, plan = timezone.localtime(tournament.starts_at), prize_plans(tournament)["startgeld"]
    is_late = (begins.hour, begins.minute) == (23, 59)  # then the desk has time until midnight
    before = timedelta(0) if is_late else timedelta(minutes=15)
    assert begins - tournament.registration_deadline == before
    pot = PLAYERS * services.STARTGELD_CENTS
    assert [line.share_permille * pot // 1000 for line in plan.lines] == [4_800, 3_200]
