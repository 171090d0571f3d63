"""Pages for setting up a tournament: their access and their acts."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from scoring.rulesets import all_rulesets
from tests.clients import Client, at
from tests.factories import (
    make_member,
    make_operator,
    make_players,
    make_registration,
    make_tournament,
    make_user,
)
from tests.tournaments.announcement.helpers import make_complete
from tournaments.announcement.forms.tournament import StartForm
from tournaments.announcement.queries.tournaments import usual_seating
from tournaments.common.rules import rule_set_of
from tournaments.models import Role, Serie, Tournament, User
from tournaments.models.tournament import Section

pytestmark = pytest.mark.django_db
Status = Tournament.Status
START = {"start_day": "2026-10-03", "start_time": "14:00"}


@pytest.mark.parametrize(
    ("name", "kwargs"),
    [
        ("setup:new", {}),
        ("setup:new_from_rules", {"rule_set_id": "rommeordnung"}),
        ("setup:new_from_copy", {"slug": "herbst"}),
    ],
)
def test_admins_and_veranstalter_create_tournaments(
    client: Client, name: str, kwargs: dict[str, str]
):
    source = make_complete(slug="herbst")
    url = reverse(name, kwargs=kwargs)

    assert client.get(url).status_code == 302
    client.force_login(make_member(source, Role.SPIELLEITUNG))
    assert client.get(url).status_code == 403
    client.force_login(make_member(source, Role.VERANSTALTER))
    assert client.get(url).status_code == 200
    client.force_login(make_user(is_admin=True))  # with the right to all
    assert client.get(url).status_code == 200
    client.force_login(make_operator())
    assert client.get(url).status_code == 403


@pytest.mark.parametrize(
    ("today", "day"), [(date(2026, 10, 2), 3), (date(2026, 10, 3), 3), (date(2026, 10, 4), 10)]
)
def test_a_new_tournament_is_preset_to_a_saturday(
    monkeypatch: pytest.MonkeyPatch, today: date, day: int
):
    monkeypatch.setattr(timezone, "localdate", lambda: today)

    shown = StartForm()["start_day"].value()

    assert shown == date(2026, 10, day)


def test_own_tournaments_are_listed_newest_first(client: Client):
    user = make_user()
    for days, name in ((0, "Mitte"), (30, "Neu"), (-30, "Alt")):
        tournament = make_tournament(name=name, starts_at=timezone.now() + timedelta(days=days))
        tournament.memberships.create(user=user, role=Role.KASSE)
        make_registration(tournament)
    make_tournament(name="Fremd")
    client.force_login(user)

    page = client.get(at("setup:tournaments"))

    rows = page.context["rows"]
    assert [row["tournament"].name for row in rows] == ["Neu", "Mitte", "Alt"]
    assert [row["roles"] for row in rows] == [["Anmeldung und Kasse"]] * 3
    assert [row["tournament"].registered for row in rows] == [1, 1, 1]
    assert "Neues Turnier" not in page.content.decode()


def test_the_list_needs_a_constant_number_of_queries(
    client: Client, django_assert_num_queries: Any
):
    user = make_user()
    for _number in range(21):
        make_tournament().memberships.create(user=user, role=Role.VERANSTALTER)
    client.force_login(user)

    # session, account, number of tournaments, those of the page, their numbers, own roles in them,
    # own roles in all, right to create one, and for the frame of every page: right to see persons
    with django_assert_num_queries(9):
        first = client.get(at("setup:tournaments"))
    second = client.get(at("setup:tournaments"), {"page": 2})

    assert [len(page.context["rows"]) for page in (first, second)] == [20, 1]
    assert 'href="?page=2"' in first.content.decode()


def test_a_trial_run_on_a_later_page_is_not_created_twice(client: Client):
    user = make_user(is_admin=True)
    for day in range(21):
        tournament = make_tournament(
            starts_at=timezone.now() + timedelta(days=day), is_demo=not day, is_trial_run=not day
        )
        tournament.memberships.create(user=user, role=Role.VERANSTALTER)
    client.force_login(user)

    assert at("trial:begin") not in client.read(at("setup:tournaments"))


def test_an_empty_list_names_the_next_step(client: Client):
    client.force_login(make_user())
    helper = client.read(at("setup:tournaments"))
    client.force_login(make_user(is_admin=True))
    admin = client.read(at("setup:tournaments"))

    assert "Eine Rolle gibt Ihnen" in helper
    assert at("setup:new") not in helper
    assert at("setup:new") in admin


@pytest.mark.parametrize("rules", all_rulesets(), ids=lambda rules: rules.id)
def test_a_tournament_is_created_with_each_rule_set(client: Client, rules: Any):
    client.force_login(make_user(is_admin=True))
    url = at("setup:new_from_rules", rules.id)
    preset = {
        name: field.initial
        for name, field in client.get(url).context["form"].fields.items()
        if field.initial is not None
    }

    answer = client.post(url, {**preset, **START, "name_": "Herbst", "startgeld_cents": "12,50"})

    tournament = Tournament.objects.get()
    assert answer["Location"] == at("setup:tournament", "herbst")
    assert rule_set_of(tournament) == rules
    assert tournament.serien.count() == (2 if rules.id == "preisromme-1987" else 3)
    assert tournament.categories.get().startgeld_cents == 1250
    assert timezone.localtime(tournament.starts_at).isoformat() == "2026-10-03T14:00:00+02:00"


def test_options_of_a_rule_set_are_chosen_on_creation(client: Client):
    client.force_login(make_user(is_admin=True))
    url = at("setup:new_from_rules", "hausregel")

    client.post(
        url,
        {
            **START,
            "name_": "Haus",
            "startgeld_cents": "5",
            "serien": "2",
            "games": "16",
            "finisher_may_hold": "other",
            "finisher_may_hold_other": "11",
            "extra_cards": "none",
        },
    )

    rules = rule_set_of(Tournament.objects.get())
    assert (rules.games, rules.finisher_may_hold, rules.rounds[0].extra_cards) == (16, 11, None)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"name_": ""}, "zwingend"),
        ({"serien": "21"}, "kleiner oder gleich 20"),
        ({"games": "61"}, "kleiner oder gleich 60"),
        ({"finisher_may_hold": "other"}, "Bitte die andere Zahl angeben"),
        (
            {"finisher_may_hold": "other", "finisher_may_hold_other": "500"},
            "500 steht nicht zur Wahl",
        ),
        (
            {"finisher_may_hold": "other", "finisher_may_hold_other": "viele"},
            "eine ganze Zahl eingeben",
        ),
        ({"finisher_may_hold": "8"}, "gültige Auswahl"),
        # At two o'clock the clocks were put forward to three.
        ({"start_day": "2026-03-29", "start_time": "02:30"}, "die Uhr umgestellt"),
    ],
)
def test_an_invalid_tournament_is_refused_with_a_message(
    client: Client, data: dict[str, str], sentence: str
):
    client.force_login(make_user(is_admin=True))
    given = {
        **START,
        "name_": "Haus",
        "startgeld_cents": "5",
        "serien": "2",
        "games": "12",
        "finisher_may_hold": "0",
        "extra_cards": "0",
        **data,
    }

    answer = client.post(at("setup:new_from_rules", "hausregel"), given)

    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not Tournament.objects.exists()


def test_a_copy_is_made_with_a_new_day(client: Client):
    source = make_complete(name="Herbst")
    head = make_member(source, Role.VERANSTALTER)
    client.force_login(head)
    url = at("setup:new_from_copy", source)

    begins = timezone.localtime(source.starts_at).time()
    initial = client.get(url).context["form"].initial
    assert (initial["name"], initial["start_time"]) == ("Herbst", begins)
    answer = client.post(url, {"name_": "Herbst 2027", **START})

    copy = Tournament.objects.get(copied_from=source)
    assert answer["Location"] == at("setup:tournament", copy)
    assert copy.venue == "Bürgerhaus"
    membership = copy.memberships.get()
    assert (membership.user, membership.role) == (head, Role.VERANSTALTER)


def test_a_copy_without_a_day_is_refused(client: Client):
    source = make_complete()
    client.force_login(make_member(source, Role.VERANSTALTER))

    answer = client.post(at("setup:new_from_copy", source), {"name_": "Ohne Tag"})

    assert answer.status_code == 422
    assert Tournament.objects.count() == 1


@pytest.mark.parametrize("name", ["new_from_rules", "new_from_copy"])
def test_a_name_taken_concurrently_is_refused_with_a_message(
    client: Client, monkeypatch: pytest.MonkeyPatch, name: str
):
    source = make_complete(slug="herbst")
    client.force_login(make_member(source, Role.VERANSTALTER))
    for module in ("tournaments", "copying"):
        monkeypatch.setattr(
            f"tournaments.announcement.services.{module}.suggest_slug", lambda _n: "herbst"
        )
    target = "herbst" if name == "new_from_copy" else "rommeordnung"

    answer = client.post(
        at(f"setup:{name}", target),
        {**START, "name_": "Herbst", "serien": "3", "startgeld_cents": "5"},
    )

    assert answer.status_code == 409
    assert "mit demselben Namen" in answer.content.decode()


def test_the_overview_shows_every_section_and_where_to_change_it(
    client: Client, tournament: Tournament, spielleitung: User
):
    client.force_login(spielleitung)

    page = client.read(at("setup:tournament", tournament))

    for section in Section:
        assert f'id="{section.value}"' in page
        assert at("setup:section", tournament, section.value) in page


@pytest.mark.parametrize(
    ("status", "role", "links"),
    [
        (Status.DRAFT, Role.KASSE, 0),
        (Status.DRAFT, Role.SPIELLEITUNG, 11),
        (Status.RUNNING, Role.SPIELLEITUNG, 10),  # the rule set is shown
        (Status.CLOSED, Role.SPIELLEITUNG, 0),
    ],
)
def test_fixed_sections_have_no_link(client: Client, status: str, role: Role, links: int):
    tournament = make_complete(status=status, starts_at=timezone.now() + timedelta(days=30))
    client.force_login(make_member(tournament, role))

    page = client.read(at("setup:tournament", tournament))

    assert page.count(f"/turniere/{tournament.slug}/ausschreibung/") == links


def test_a_first_tournament_is_drawn_electronically_later_ones_as_the_last():
    first = make_tournament(serien=0)
    assert usual_seating(first.owner) == Serie.Seating.ELECTRONIC

    first.serien.create(number=1, seating=Serie.Seating.CARDS)

    assert usual_seating(first.owner) == Serie.Seating.CARDS


def _act(client: Client, tournament: Tournament, name: str, **data: str) -> Any:
    room = "closing" if name in ("close", "reopen") else "setup"
    return client.post(at(f"{room}:{name}", tournament), data, follow=True)


def test_a_tournament_goes_from_draft_to_closed_and_back(client: Client):
    tournament = make_complete(starts_at=timezone.now() + timedelta(days=30))
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    seen = [
        _act(client, tournament, name).status_code
        for name in ("announce", "back_to_draft", "announce")
    ]
    make_players(tournament, 3)
    seen += [_act(client, tournament, name).status_code for name in ("start", "close")]
    seen.append(_act(client, tournament, "reopen", reason="Fehler in Liste 3").status_code)

    tournament.refresh_from_db()
    assert seen == [200] * 6
    assert tournament.status == Status.RUNNING
