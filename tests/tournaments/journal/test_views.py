"""The page of the journal: its access, its filters and its validity."""

from __future__ import annotations

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from tests.factories import COMMAND, make_member, make_tournament
from tests.tournaments.journal.helpers import brought, played_tournament
from tests.tournaments.notices.helpers import (
    make_case,
    make_checked_list,
    make_notice,
    players_of,
    tournament_of,
)
from tests.worlds import world
from tournaments.cash.services import till
from tournaments.closing import services as closing
from tournaments.common.actors import Actor
from tournaments.journal import anchors, sealing
from tournaments.journal import services as journal
from tournaments.journal.views import PER_PAGE
from tournaments.models import Game, Role, Tournament
from tournaments.notices.services import cases, notices

pytestmark = pytest.mark.django_db


@world
def played() -> Tournament:
    """Return a tournament with a corrected list, a notice and a decided case."""
    spielliste = make_checked_list(kaution_cents=500)
    tournament = tournament_of(spielliste)
    leader = make_member(tournament, Role.SPIELLEITUNG, username="leitung")
    notice = make_notice(spielliste)
    case = make_case(spielliste)
    till.take_kaution(COMMAND, players_of(spielliste)[0].pk)
    notices.tell(Actor.account(leader), notice.pk, how="oral")
    cases.decide(Actor.account(leader), case.pk, decision="Es bleibt dabei.")
    cases.tell(Actor.account(leader), case.pk, how="oral")
    closing.close_serie(COMMAND, spielliste.table.serie_id)
    return tournament


@pytest.fixture
def leader(client: Client, played: Tournament) -> Client:
    client.force_login(make_member(played, Role.SPIELLEITUNG))
    return client


def url(tournament: Tournament, name: str = "page", query: str = "") -> str:
    return reverse(f"journal:{name}", args=[tournament.slug]) + query


def test_each_thing_links_to_its_history(leader: Client, played: Tournament):
    own = played.registrations.get(number=1)
    pages = [
        ("cash:receipt", "journal:of_receipt", [1], "Beleg 1 gebucht"),
        ("desk:registration", "journal:of_registration", [own.pk], "Beleg 1 gebucht"),
    ]
    for page, history, arguments, sentence in pages:
        target = reverse(history, args=[played.slug, *arguments])
        host = leader.get(reverse(page, args=[played.slug, *arguments]))
        assert f'href="{target}"' in host.content.decode()
        assert sentence in leader.get(target).content.decode()


def test_acts_are_listed_newest_first(leader: Client, played: Tournament):
    text = leader.get(url(played)).content.decode()

    told = [
        "Serie 1 abgeschlossen. Listen: 1, ungültig: 0.",
        "Bitte um Berichtigung: Entscheidung mitgeteilt, mündlich.",
        "Bitte um Berichtigung entschieden, Serie 1, Tisch 1.",
        "Berichtigung 1 mitgeteilt, mündlich.",
        "Beleg 1 gebucht: 5,00\N{NO-BREAK SPACE}€ bar, Nr. 1",
    ]
    places = [text.index(sentence) for sentence in told]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("query", "number"),
    [
        ("?bereich=kasse", 1),
        ("?bereich=pruefung", 3),
        ("?wer=art:command", 2),
        ("?serie=1&tisch=1", 3),
        ("?nummer=2", 1),
        ("?nummer=1", 1),
        ("?von=2020-01-01T00:00", 5),
        ("?von=2099-01-01T00:00", 0),
        ("?bis=2020-01-01T00:00", 0),
    ],
)
def test_the_page_can_be_filtered(leader: Client, played: Tournament, query: str, number: int):
    page = leader.get(url(played, query=query))

    assert page.status_code == 200
    assert page.content.decode().count('class="history-row"') == number


def test_the_page_can_be_filtered_by_account(leader: Client, played: Tournament):
    account = played.memberships.get(user__username="leitung").user_id

    page = leader.get(url(played, query=f"?wer={account}"))

    assert page.content.decode().count('class="history-row"') == 3


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("?tisch=1", "Zu einem Tisch gehört seine Serie."),
        ("?serie=1", "Zu einer Serie gehört der Tisch"),
        ("?serie=1&tisch=9", "Diesen Tisch gibt es in der Serie nicht."),
        ("?nummer=99", "Diese Startnummer hat niemand."),
        ("?von=gestern", "Datum und Uhrzeit"),
        ("?wer=99999", "Auswahl"),
    ],
)
def test_invalid_filters_are_reported_at_their_fields(
    leader: Client, played: Tournament, query: str, sentence: str
):
    page = leader.get(url(played, query=query))

    assert page.status_code == 422
    assert sentence in page.content.decode()


def test_many_entries_come_in_pages_at_a_fixed_cost(
    leader: Client, played: Tournament, django_assert_max_num_queries
):
    with django_assert_max_num_queries(24):
        leader.get(url(played))
    own = players_of(played.serien.get().tables.get().spielliste)[0]
    for _turn in range(PER_PAGE // 2):
        till.return_kaution(COMMAND, own.pk)
        till.take_kaution(COMMAND, own.pk)

    with django_assert_max_num_queries(24):
        page = leader.get(url(played))
    second = leader.get(url(played, query="?page=2"))

    assert page.content.decode().count('class="history-row"') == PER_PAGE
    assert second.content.decode().count('class="history-row"') == 5


def test_the_whole_journal_is_proved_on_demand(client: Client):
    tournament = played_tournament()
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    proved = client.post(url(tournament, "verify")).content.decode()
    Game.objects.filter(number=3).update(line={"finisher": 3, "minus": [0, 2, 0, 3]})
    bent = client.post(url(tournament, "verify")).content.decode()

    number = tournament.journal_chain.last_number
    assert f"Geprüft: {number} Einträge, alle unverändert und ohne Lücke." in proved
    assert "Listen, Plätze, Geld und Meldungen sind so" in proved
    assert "Serie 1, Tisch 1, Spiel 3: steht anders in den Daten als im Protokoll." in bent


def test_the_ends_of_all_journals_can_be_downloaded(leader: Client, played: Tournament):
    answer = leader.get(url(played, "anchor"))

    assert f"anker-{played.slug}.json" in answer["Content-Disposition"]
    assert list(anchors.breaks(answer.content)) == []
    assert sealing.fingerprint() in leader.get(url(played)).content.decode()


@pytest.mark.parametrize(
    ("seals", "sentence"),
    [
        ([None], '<div class="alert error" role="alert">'),
        (["6668 7AAD"], "<strong>6668 7AAD</strong>"),
    ],
)
@pytest.mark.parametrize("name", ["journal:page", "closing:page", "setup:tournament"])
def test_the_seal_of_an_import_stays_shown(
    leader: Client, played: Tournament, name: str, seals: list[str | None], sentence: str
):
    with transaction.atomic():
        journal.record(None, COMMAND, "archive_imported", played, after={"seals": seals})

    assert sentence in leader.get(reverse(name, args=[played.slug])).content.decode()


def test_the_shown_entries_can_be_downloaded(leader: Client, played: Tournament):
    answer = leader.get(url(played, "csv", "?bereich=kasse"))

    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert f"protokoll-{played.slug}.csv" in answer["Content-Disposition"]
    lines = answer.content.decode("utf-8-sig").strip().splitlines()
    assert len(lines) == 2
    assert "Beleg 1 gebucht" in lines[1]


def test_an_empty_journal_is_explained(client: Client):
    tournament = make_tournament()
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    page = client.get(url(tournament))
    proved = client.post(url(tournament, "verify"))

    assert "Kein Eintrag" in page.content.decode()
    assert "Der Anfang mit dem Anlegen des Turniers fehlt." in proved.content.decode()


@pytest.mark.parametrize(("role", "may"), [(Role.SPIELLEITUNG, True), (Role.KASSE, False)])
def test_the_spielleitung_sees_a_link_to_the_journal(
    client: Client, played: Tournament, role: Role, *, may: bool
):
    client.force_login(make_member(played, role))

    text = client.get(reverse("setup:tournament", args=[played.slug])).content.decode()

    assert (f'href="{url(played)}"' in text) is may


def test_a_journal_from_an_archive_is_read_and_proved(leader: Client, played: Tournament):
    kept = brought(played)
    link = reverse("journal:archived", args=[played.slug, kept.pk])

    assert link in leader.get(url(played)).content.decode()
    page = leader.get(link)

    text = page.content.decode()
    assert "Geprüft: 5 Einträge, alle unverändert und ohne Lücke." in text
    assert [row.number for row in page.context["rows"]] == [5, 4, 3, 2, 1]
    assert "Lotte Leitung" in text
    # Keys of another installation belong to other objects here.
    assert str(players_of(played.serien.get().tables.get().spielliste)[0].person) not in text


def test_a_manipulated_journal_of_an_archive_is_named(leader: Client, played: Tournament):
    kept = brought(played)
    kept.entries[1]["reason"] = "untergeschoben"
    kept.save()

    page = leader.get(reverse("journal:archived", args=[played.slug, kept.pk]))

    assert "Eintrag 2 wurde verändert." in page.content.decode()
