"""Several tournaments as one season: its creators, its counting tournaments and its readers."""

from __future__ import annotations

import io
from datetime import timedelta

import pytest
from openpyxl import load_workbook

from tests.clients import Client, at, logged_in
from tests.factories import (
    START,
    make_member,
    make_person,
    make_registration,
    make_tournament,
    make_user,
)
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.worlds import world
from tournaments.common.errors import NotAllowed, TournamentError
from tournaments.common.organisers import first_organiser
from tournaments.models import (
    Game,
    JournalEntry,
    Membership,
    Organiser,
    Role,
    Season,
    SeatSpan,
    Spielliste,
    Tournament,
)
from tournaments.seasons.honours import honours
from tournaments.seasons.queries import standing
from tournaments.seasons.services import change_season, create_season, own_tournaments

pytestmark = pytest.mark.django_db
Status = Spielliste.Status


def played(persons, *, status=Status.VERIFIED, **fields):
    """A tournament of one Serie with one table, in the order of the seats."""
    tournament = make_tournament(serien=1, status=Tournament.Status.RUNNING, **fields)
    row = [make_registration(tournament, person) for person in persons]
    write_games(list_of(make_seated_serie(tournament, [row])), FOUR, status=status)
    return tournament


def facts(*tournaments, **changes):
    return {
        "name": "Thüringer Rommé-Pokal 2026",
        "counting": Season.Counting.POINTS,
        "best": 2,
        "table": [],
        "tournaments": [tournament.pk for tournament in tournaments],
        **changes,
    }


@world
def persons():
    return [
        make_person("Anna", f"Kühn{number}", publish_consent=number != 4) for number in range(1, 5)
    ]


@pytest.fixture
def admin():
    return make_user(is_admin=True)


def lines(season):
    return [(line.rank, line.name, line.value) for line in standing(season).lines]


def test_points_of_several_tournaments_are_added(persons, admin):
    # By seat: 210, 201, 279, 301
    first, second = played(persons), played(persons[::-1])

    season = create_season(owner=first_organiser(), **facts(first, second), user=admin)

    assert season.slug == "thueringer-romme-pokal-2026"
    assert lines(season) == [
        (1, "Kühn2, Anna", 480),  # 201 + 279
        (1, "Kühn3, Anna", 480),  # 279 + 201
        (3, "Kühn1, Anna", 511),  # 210 + 301
        (3, "A. K.", 511),  # 301 + 210
    ]


def test_ranks_can_be_counted_instead(persons, admin):
    first, second = played(persons), played(persons)

    season = create_season(
        owner=first_organiser(),
        **facts(first, second, counting=Season.Counting.RANKS, table=[25, 18]),
        user=admin,
    )

    assert lines(season)[:3] == [
        (1, "Kühn2, Anna", 50),
        (2, "Kühn1, Anna", 36),
        (3, "Kühn3, Anna", 0),
    ]


def test_a_tournament_counts_when_closed_and_public(persons, admin):
    first = played(persons)
    running = played(persons, status=Status.SIGNED)
    hidden = played(persons, public_ranking=Tournament.PublicRanking.FINAL)

    season = create_season(owner=first_organiser(), **facts(first, running, hidden), user=admin)

    standings = standing(season)
    assert standings.counted == (first,)
    assert set(standings.missing) == {running, hidden}


def test_a_draft_is_not_named_publicly(persons, admin):
    season = create_season(
        owner=first_organiser(),
        **facts(
            make_tournament(name="Geheimcup", status=Tournament.Status.DRAFT),
            make_tournament(name="Herbstcup"),
        ),
        user=admin,
    )

    text = Client().read(at("seasons:season", season))

    assert "Herbstcup" in text
    assert "Geheimcup" not in text


def test_a_season_contains_own_tournaments_only(persons):
    own, other = played(persons), played(persons)
    head = make_member(own, Role.VERANSTALTER)

    with pytest.raises(NotAllowed, match="selbst veranstalten"):
        create_season(owner=first_organiser(), **facts(own, other), user=head)

    assert create_season(owner=first_organiser(), **facts(own), user=head).tournaments.get() == own


def test_a_called_off_tournament_is_not_offered_for_a_season():
    offered, called_off = make_tournament(), make_tournament()
    user = make_member(offered, Role.VERANSTALTER)
    Membership.objects.create(tournament=called_off, user=user, role=Role.VERANSTALTER)
    called_off.status, called_off.called_off_reason = Tournament.Status.CALLED_OFF, "Hochwasser"
    called_off.save()

    assert own_tournaments(user, first_organiser()) == [offered]


def test_creating_a_season_needs_a_tournament():
    with pytest.raises(NotAllowed, match="Anlegen und einlesen kann"):
        create_season(owner=first_organiser(), **facts(), user=make_user())


def test_a_season_is_changed_by_its_creator(persons, admin):
    tournament = played(persons)
    season = create_season(owner=first_organiser(), **facts(tournament), user=admin)

    with pytest.raises(NotAllowed, match="Diese Saison ändert"):
        change_season(
            season_id=season.pk, **facts(), user=make_member(tournament, Role.VERANSTALTER)
        )
    changed = change_season(season_id=season.pk, **facts(tournament, best=1), user=admin)

    assert changed.best == 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"best": 0}, "größer oder gleich 1"),
        ({"table": [5] * 101}, "höchstens 100 Plätze"),
        ({"name": " "}, "nicht leer|darf nicht"),
    ],
)
def test_an_invalid_season_is_refused(admin, changes, message):
    with pytest.raises(TournamentError, match=message):
        create_season(owner=first_organiser(), **facts(**changes), user=admin)


def test_the_ranking_of_a_season_is_public(persons, admin):
    season = create_season(owner=first_organiser(), **facts(played(persons), best=1), user=admin)

    text = Client().read(at("seasons:season", season))

    assert "Kühn2, Anna" in text
    assert "Kühn4" not in text
    assert "es zählt das beste Turnier" in text
    assert "Ändern" not in text


def test_a_season_is_created_and_changed_on_the_page(persons):
    tournament = played(persons)
    client = logged_in(make_member(tournament, Role.VERANSTALTER))
    data = {"name_": "Pokal", "tournaments": [tournament.pk], "counting": "ranks", "best": 3}

    wrong = client.post(at("seasons:new"), {**data, "table": "viele"})
    made = client.post(at("seasons:new"), {**data, "table": "25, 18 15"})
    season = Season.objects.get()
    client.post(at("seasons:edit", season), {**data, "table": "", "best": 1})

    assert wrong.status_code == 422
    assert "Bitte ganze Zahlen" in wrong.content.decode()
    assert made.status_code == 302
    assert season.table == [25, 18, 15]
    season.refresh_from_db()
    assert (season.best, season.table) == (1, [])


@pytest.mark.parametrize(
    ("counting", "struck_out", "says"),
    [
        pytest.param(Season.Counting.POINTS, "", True, id="points"),
        pytest.param(Season.Counting.RANKS, "", False, id="ranks"),
        pytest.param(Season.Counting.POINTS, "Hitze", False, id="played alike after all"),
    ],
)
def test_a_season_warns_of_points_from_different_numbers_of_serien(
    client, admin, counting, struck_out, says
):
    two, three = make_tournament(serien=2), make_tournament(serien=3)
    three.serien.filter(number=3).update(struck_out=struck_out)
    season = create_season(
        owner=first_organiser(), **facts(two, three, counting=counting), user=admin
    )

    page = client.read(at("seasons:season", season))

    assert ("verschieden viele Serien (2, 3)" in page) == says


def test_a_new_season_is_preset_to_points_for_ranks(client, admin):
    client.force_login(admin)

    page = client.get(at("seasons:new"))

    assert page.context["form"]["counting"].initial == Season.Counting.RANKS


def test_a_season_is_exported_as_a_table(persons, admin):
    tournament = played(persons, name="Frühjahr")
    other = played(persons, name="Herbst")
    season = create_season(owner=first_organiser(), **facts(tournament, other, best=1), user=admin)

    csv = Client().get(f"/saison/{season.slug}/rangliste.csv").content.decode("utf-8-sig")
    excel = Client().get(f"/saison/{season.slug}/rangliste.xlsx")

    rows = [line.split(";") for line in csv.splitlines()]
    assert rows[0] == ["Rang", "Name", "Verein", "Frühjahr", "Herbst", "Ergebnis", "gestrichen"]
    assert rows[1] == ["1", "Kühn2, Anna", "", "201", "201", "201", "Herbst"]
    assert "Kühn4" not in csv
    sheet = load_workbook(io.BytesIO(excel.content)).active
    assert [str(cell.value or "") for cell in sheet[2]] == rows[1]
    assert Client().get(f"/saison/{season.slug}/rangliste.pdf").status_code == 404


def test_helpers_of_its_tournaments_print_a_season(persons, admin):
    tournament = played(persons, name="Frühjahr")
    season = create_season(owner=first_organiser(), **facts(tournament, best=1), user=admin)
    helper = logged_in(make_member(tournament, Role.KASSE))
    button = f'action="{at("printing:start", tournament, "saison")}"'

    pages = [browser.read(f"/saison/{season.slug}/") for browser in (helper, Client())]

    assert [button in page for page in pages] == [True, False]


def test_a_tournament_of_another_organiser_counts_once_it_is_offered(persons, admin, client):
    other = Organiser.objects.create(name="RC Gera")
    theirs = make_tournament(owner=other, serien=1, name="Geraer Abend")
    head = make_member(theirs, Role.VERANSTALTER)
    season = create_season(owner=first_organiser(), **facts(played(persons)), user=admin)
    wanted = facts(*season.tournaments.all(), theirs)
    with pytest.raises(NotAllowed):
        change_season(season_id=season.pk, **wanted, user=admin)

    client.force_login(head)
    page = client.read(at("seasons:season", season))
    assert "Geraer Abend" in page
    url = at("seasons:offer", season)
    client.post(url, {"tournament": theirs.pk})
    change_season(season_id=season.pk, **wanted, user=admin)

    assert set(season.tournaments.all()) >= {theirs}
    entry = JournalEntry.objects.get(action="season_offered")
    assert (entry.chain.tournament, entry.after) == (theirs, {"name": season.name})
    client.post(url, {"tournament": theirs.pk, "zurueck": "1"})
    assert theirs not in season.tournaments.all()
    own = season.tournaments.get()
    assert client.post(url, {"tournament": own.pk}).status_code == 403


def test_a_child_club_needs_no_offer_and_others_see_none(persons, admin, client):
    club = Organiser.objects.create(name="RC Gera", parent=first_organiser())
    theirs = make_tournament(owner=club)
    draft = make_tournament(owner=club, status=Tournament.Status.DRAFT)

    season = create_season(owner=first_organiser(), **facts(played(persons), theirs), user=admin)

    assert theirs in season.tournaments.all()
    with pytest.raises(NotAllowed):
        change_season(season_id=season.pk, **facts(draft), user=admin)
    page = client.read(at("seasons:season", season))
    assert "Eigene Turniere anbieten" not in page


@pytest.mark.parametrize("counts", ["extrapolated", "as_played"])
def test_points_of_a_partial_serie_are_no_record(persons, counts: str):
    played(persons, name="Frühling", starts_at=START)
    ended = played(persons, name="Herbst", starts_at=START + timedelta(days=90))
    Tournament.objects.update(status=Tournament.Status.CLOSED)
    # After eight games the best has 93, or 140 extrapolated, and three games finished.
    lists = Spielliste.objects.filter(table__serie__tournament=ended)
    lists.update(ended_games=8, ended_counts=counts, ended_reason="Zeit abgelaufen")
    Game.objects.filter(spielliste__in=lists, number__gt=8).delete()

    fewest, most_games, *_others = honours(first_organiser()).records

    assert (fewest.value, fewest.holders) == (201, "Anna Kühn2 (Frühling)")
    assert (most_games.value, most_games.holders) == (4, "Anna Kühn1 (Frühling)")


def test_surplus_games_of_a_serie_are_no_record(persons):
    tournament = make_tournament(serien=1, name="Frühling", status=Tournament.Status.RUNNING)
    other = [make_person("Berta", f"Lang{number}", publish_consent=True) for number in range(4)]
    first, *here = [make_registration(tournament, person) for person in persons]
    guest, *there = [make_registration(tournament, person) for person in other]
    serie = make_seated_serie(tournament, [[guest, *here], [first, *there]])
    lists = [write_games(list_of(serie, table), FOUR, status=Status.VERIFIED) for table in (1, 2)]
    # Lang0 came after game 1 of table 1, and had played nine at table 2: 20 games.
    for spielliste, games, left in zip(lists, (1, 9), (first, guest), strict=True):
        SeatSpan.objects.create(spielliste=spielliste, seat=1, last_game=games, registration=left)
    Tournament.objects.update(status=Tournament.Status.CLOSED)

    _fewest, most_games, *_others = honours(first_organiser()).records

    # Seat 1 finishes games 1, 5, 8 and 11: Lang0 six. Of twelve, seats 2 and 3 finish three.
    assert (most_games.value, "Berta Lang0" in most_games.holders) == (3, False)


def test_the_ehrentafel_has_winners_the_holder_of_the_cup_and_records(persons, admin, client):
    # By seat: 210, 201, 279, 301
    first = played(persons, name="Frühling", starts_at=START)
    second = played(persons[::-1], name="Herbst", starts_at=START + timedelta(days=90))
    Tournament.objects.update(status=Tournament.Status.CLOSED)
    cup = {"trophy": "Wanderteller", "is_over": True}
    create_season(owner=first_organiser(), **facts(first, name="2025", **cup), user=admin)
    last = create_season(owner=first_organiser(), **facts(second, name="2026", **cup), user=admin)
    create_season(owner=first_organiser(), **facts(first, second, name="läuft noch"), user=admin)

    shown = honours(first_organiser())

    assert [
        (winner.season.name, winner.winners, winner.value, winner.holds) for winner in shown.winners
    ] == [
        ("2026", "Kühn3, Anna", 201, True),
        ("2025", "Kühn2, Anna", 201, False),
    ]
    best = shown.records[0]
    assert (best.what, best.value) == ("Die wenigsten Punkte in einer Serie", 201)
    assert best.holders == "Anna Kühn2 (Frühling); Anna Kühn3 (Herbst)"
    page = client.read(at("seasons:honours", last))
    assert "hat ihn jetzt" in page
    file = client.get(at("seasons:honours_file", last, "csv"))
    assert "2026;Kühn3, Anna;201;Wanderteller" in file.content.decode("utf-8-sig")
    excel = client.get(at("seasons:honours_file", last, "xlsx"))
    sheet = load_workbook(io.BytesIO(excel.content)).active
    assert [cell.value for cell in sheet[2]] == ["2026", "Kühn3, Anna", 201, "Wanderteller"]
    assert client.get(at("seasons:honours_file", last, "pdf")).status_code == 404
