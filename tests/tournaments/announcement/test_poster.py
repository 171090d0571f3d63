"""The public page of a tournament as a poster: its offers in each state, and its prizes."""

from __future__ import annotations

from datetime import timedelta
from html.parser import HTMLParser
from typing import Any

import pytest
from django.utils import timezone

from scoring.payments.choosing import ThingsToChoose
from scoring.payments.prizes import PrizeLine, PrizePlan, PrizeRanking
from scoring.payments.prizes import RankingCategory as PrizeCategory
from tests.clients import Client, at
from tests.factories import COMMAND, make_registration
from tests.tournaments.announcement.helpers import make_complete
from tournaments.announcement.services import tournaments
from tournaments.models import Ranking, Tournament
from tournaments.web.cached_answers import clear

pytestmark = pytest.mark.django_db
Status = Tournament.Status
Shown = Tournament.PublicRanking
LINES = tuple(
    PrizeLine(place=place, share_permille=share)
    for place, share in enumerate((400, 250, 150, 120, 80), start=1)
)
OF_TANDEMS = PrizeLine(
    ranking=PrizeRanking(category=PrizeCategory.TANDEM), place=1, share_permille=1000
)


class _Page(HTMLParser):
    """The links styled as buttons, the primary ones, and the description of the page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.strong: list[str] = []
        self.quiet: list[str] = []
        self.said: dict[str, str] = {}
        self._into: list[str] | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        classes = given.get("class", "").split()
        if tag == "meta" and "property" in given:
            self.said[given["property"]] = given["content"]
        if tag == "a" and "button" in classes:
            self._into = self.quiet if "outline" in classes else self.strong

    def handle_data(self, data: str) -> None:
        if self._into is not None and data.strip():
            self._into.append(data.strip())
            self._into = None


def page_of(client: Client, tournament: Tournament, **headers: str) -> str:
    url = at("public:tournament", tournament)
    text = client.read(url, headers=headers)
    return text.replace("\N{NO-BREAK SPACE}", " ")


def coming(**fields: Any) -> Tournament:
    starts_at = timezone.now() + timedelta(days=10)
    return make_complete(starts_at=starts_at, **{"status": Status.ANNOUNCED, **fields})


def planned(*lines: PrizeLine, **fields: Any) -> dict[str, Any]:
    return {"startgeld": PrizePlan(lines=lines, **fields).to_dict()}


@pytest.mark.parametrize(
    ("fields", "strong", "others"),
    [
        ({"online_registration": True}, ["Jetzt melden"], []),
        ({"online_registration": False}, [], []),
        ({"status": Status.RUNNING}, ["Wo sitze ich?"], ["Rangliste", "Code eingeben"]),
        (
            {"status": Status.RUNNING, "public_seating": False},
            ["Rangliste"],
            ["Code eingeben"],
        ),
        ({"status": Status.CLOSED}, ["Rangliste"], ["Sitzplan"]),
        ({"status": Status.CLOSED, "public_ranking": Shown.NEVER}, ["Sitzplan"], []),
        (
            {
                "status": Status.CALLED_OFF,
                "called_off_reason": "Hochwasser",
                "online_registration": True,
            },
            [],
            [],
        ),
    ],
)
def test_one_primary_button_leads_to_the_next_step(
    client: Client, fields: dict[str, Any], strong: list[str], others: list[str]
):
    tournament = coming(**fields)
    page = _Page(page_of(client, tournament))

    assert page.strong == strong
    calendar = [] if tournament.is_read_only else ["In den Kalender"]
    assert page.quiet == [*others, *calendar]


def test_once_the_last_serie_is_closed_the_ranking_comes_first(client: Client):
    tournament = coming(status=Status.RUNNING)
    tournament.serien.update(closed_at=timezone.now())

    page = _Page(page_of(client, tournament))

    assert page.strong == ["Rangliste"]
    assert page.quiet == ["Sitzplan", "In den Kalender"]


def test_the_poster_names_a_contact_without_online_registration(client: Client):
    open_still = coming(contact="Karla Otto", contact_phone="03447 1234")
    over = coming(registration_deadline=timezone.now() - timedelta(hours=1))

    page = page_of(client, open_still)
    assert "Meldung bei Karla Otto, " in page
    assert 'href="mailto:turnier@verein.example"' in page
    assert "Nachmelden kann nur die Spielleitung" in page_of(client, over)


def test_the_poster_counts_registrations_and_reports_a_full_tournament(client: Client):
    tournament = coming(online_registration=True, places=3)
    for _person in range(2):
        make_registration(tournament)
    with_room = page_of(client, tournament)
    make_registration(tournament)
    clear()
    full = page_of(client, tournament)

    assert "2 Personen sind gemeldet" in with_room
    assert "3 haben Platz" in with_room
    assert "kommt auf die Warteliste" not in with_room
    assert "Alle 3 Plätze sind vergeben. Wer sich jetzt meldet, kommt auf die Warteliste." in full
    assert _Page(full).strong == ["Jetzt melden"]


def test_prizes_are_shares_or_amounts_for_an_expected_number_of_entries(client: Client):
    shares = page_of(client, coming(prize_plan=planned(*LINES)))
    amounts = page_of(client, coming(prize_plan=planned(*LINES, expected_entries=41)))

    assert "<strong>40 %</strong>" in shares
    assert "4. bis 5. Platz: 12 % bis 8 %" in shares
    assert "Anteile am Startgeld; es wird ganz ausgezahlt" in shares
    assert "Teilnehmenden" not in shares
    # 41 × 15 € = 615 €
    assert "<strong>246 €</strong>" in amounts
    assert "<strong>153 €</strong>" in amounts  # 153,75 €, about
    assert "4. bis 5. Platz: 73 € bis 49 €" in amounts
    assert "So viel gibt es bei 41 Teilnehmenden etwa" in amounts


def test_goods_are_shown_on_the_podium(client: Client):
    lines = (
        PrizeLine(place=1, fixed_cents=5000, goods="Pokal"),
        PrizeLine(place=2, goods="Präsentkorb"),
        PrizeLine(place=3, goods="Wein"),
        PrizeLine(place=4, goods="Kaffee"),
    )

    page = page_of(client, coming(prize_plan=planned(*lines)))

    assert "<strong>50 €</strong>" in page
    assert "<span>Pokal</span>" in page
    assert '<strong class="goods">Präsentkorb</strong>' in page
    assert "4. Platz: weitere Preise" in page


def test_prizes_without_a_step_are_described_on_the_podium(client: Client):
    things = ThingsToChoose(things=("Schinken", "Sekt", "Sekt"))
    plan = PrizePlan(lines=(), serie_cents=300, serie_shares=(600, 400), choosing=things)

    page = page_of(client, coming(prize_plan={"startgeld": plan.to_dict()}))

    prizes = page[page.index('class="poster-prizes"') : page.index("So wird gespielt")]
    assert "<ol" not in prizes
    assert "3,00 € von jedem Startgeld, auf alle Serien gleich verteilt" in prizes
    assert "1. Platz: 60 %<br>2. Platz: 40 %" in prizes
    assert "Es gibt: Schinken, 2 × Sekt." in prizes


def test_a_podium_of_stakes_shows_the_prizes_from_startgeld(client: Client):
    plans = {
        "startgeld": PrizePlan(lines=(), serie_cents=300, serie_shares=(1000,), lottery=("Rad",)),
        "tandem": PrizePlan(lines=(OF_TANDEMS,)),
    }
    tournament = coming(prize_plan={pot: plan.to_dict() for pot, plan in plans.items()})
    Ranking.objects.create(tournament=tournament, kind="tandem", size=2, stake_cents=500)

    page = page_of(client, tournament)

    prizes = page[page.index('class="poster-prizes"') : page.index("So wird gespielt")]
    assert "Eigene Preise: jede Serie, Verlosung" in prizes


def test_fixed_prizes_beside_serienpreise_are_no_shares(client: Client):
    line = PrizeLine(place=1, fixed_cents=5000)
    plan = PrizePlan(lines=(line,), serie_cents=300, serie_shares=(1000,))

    page = page_of(client, coming(prize_plan={"startgeld": plan.to_dict()}))

    assert "Anteile am Startgeld" not in page


def test_ties_are_not_explained_without_prizes_for_places(client: Client):
    plan = PrizePlan(lines=(), lottery=("Rad",))

    page = page_of(client, coming(prize_plan={"startgeld": plan.to_dict()}))

    assert "werden verlost: Rad" in page
    assert "Bei Gleichstand" not in page


def test_the_day_of_a_called_off_tournament_is_struck_out(client: Client):
    tournament = coming()
    assert "<s>" not in page_of(client, tournament)

    tournaments.call_off(COMMAND, tournament.pk, reason="Wasserschaden")
    clear()

    page = page_of(client, tournament)
    assert page.split('<p class="poster-day">')[1].split()[0].startswith("<s>")


def test_a_tournament_without_prizes_has_no_podium(client: Client):
    assert "podium" not in page_of(client, coming())


def test_the_poster_uses_plain_words_and_repeats_nothing(client: Client):
    tournament = coming(
        prize_plan={
            **planned(*LINES, expected_entries=47),
            "tandem": PrizePlan(lines=(OF_TANDEMS,)).to_dict(),
        }
    )
    tournament.categories.update(name="Startgeld")
    tournament.rankings.create(kind=Ranking.Kind.TANDEM, stake_cents=300)

    german = page_of(client, tournament)
    english = page_of(client, tournament, accept_language="en")

    assert "<dt>je Person</dt>" in german
    assert "Eigene Preise: Tandems" in german
    assert german.count("Die Preise der Plätze werden geteilt.") == 1
    for odd in ("Startgeld:", "Einsätze Tandem", "Gerechnet mit"):
        assert odd not in german
    assert "<dt>per person</dt>" in english
    assert "Startgeld" not in english


def test_the_first_group_of_a_tariff_reads_in_the_language_of_the_page(client: Client):
    tournament = coming()
    tournament.categories.update(name="Startgeld")
    tournament.categories.create(name="Jugend", startgeld_cents=750, position=1)

    page = page_of(client, tournament, accept_language="en")

    assert "Entry fee\n      <strong>15.00 €</strong>, Jugend 7.50 €" in page


def test_a_shared_link_shows_a_picture_and_a_sentence(client: Client, settings: Any):
    settings.PUBLIC_URL = "https://romme.example"
    tournament = make_complete(
        slug="herbst", name="Herbst & Wein", status=Status.ANNOUNCED, venue_address="Markt 1"
    )

    said = _Page(page_of(client, tournament)).said

    assert said["og:title"] == "Herbst & Wein"
    assert said["og:description"] == (
        "Samstag, 3. Oktober 2026, 14:00 Uhr · Bürgerhaus, Markt 1 · Startgeld 15,00 €"
    )
    assert said["og:url"] == "https://romme.example/t/herbst/"
    assert said["og:image"].startswith("https://romme.example/static/img/preview")
    assert not client.cookies


def test_a_shared_link_starts_with_the_calling_off(client: Client):
    tournament = coming(status=Status.CALLED_OFF, called_off_reason="Hochwasser")

    said = _Page(page_of(client, tournament)).said

    assert said["og:description"].startswith("Das Turnier ist abgesagt: Hochwasser · ")


def test_counting_registrations_costs_one_query(client: Client, django_assert_num_queries: Any):
    tournament = coming(online_registration=True, prize_plan=planned(*LINES, expected_entries=41))

    with django_assert_num_queries(8):
        client.get(at("public:tournament", tournament))
