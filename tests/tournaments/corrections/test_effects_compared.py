"""Effects of a correction on totals and ranks after a named Serie, on page and paper."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from scoring.payments.prizes import PrizePlan
from scoring.reading.validation import from_json
from tests.factories import acting, make_member, make_players, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.factories_results import play_serie, take_startgeld
from tests.tournaments.prizes.helpers import SHARES, played, set_plan
from tests.worlds import world
from tournaments.checking.services import penalties
from tournaments.corrections.services import corrections
from tournaments.models import Correction, Notice, Role, Spielliste, Tournament
from tournaments.notices.queries import notice_texts
from tournaments.notices.queries.effects import Effects

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Status = Spielliste.Status
Kind = Correction.Kind


def last_serie(*, tables: int = 2) -> Tournament:
    """In Serie 2 table 1 is whole, the others have played eight games."""
    tournament = make_tournament(serien=2, status=Tournament.Status.RUNNING)
    rows = [make_players(tournament, 4) for _table in range(tables)]
    came = [(100 + 5 * at, 110 + 5 * at, 120 + 5 * at, 130 + 5 * at) for at in range(tables)]
    play_serie(tournament, rows, came)
    serie = make_seated_serie(tournament, rows, number=2)
    write_games(list_of(serie, 1), FOUR, status=Status.SIGNED)
    for table in range(2, tables + 1):
        write_games(list_of(serie, table), FOUR[:8])
    return tournament


def ending(tournament: Tournament) -> Effects:
    facts = {"ended": {"games": 8, "left": []}}
    by, serie = acting(tournament), list_of(tournament.serien.get(number=2), 2)
    done = corrections.correct_list(by, serie.pk, kind=Kind.ENDED, facts=facts, reason="Zeit")
    return from_json(done.effects, Effects)


tournament = world(last_serie)


def test_the_end_of_the_last_list_names_the_coming_totals_and_ranks(tournament: Tournament):
    effects = ending(tournament)

    assert effects.upto == 2
    # Game by game table 2 had 93, 119, 191, 246; × 12 ÷ 8 140, 179, 287, 369. With Serie 1:
    assert [person.points for person in effects.persons] == [
        *((93, 140), (119, 179), (191, 287), (246, 369))
    ]
    assert [person.total for person in effects.persons] == [
        *((198, 245), (234, 294), (316, 412), (381, 504))
    ]
    # Games 9 to 12 added 77 + 86 + 120 + 59 at table 1, 85½ each, so before they had 283½, 319½,
    # 401½ and 466½ beside 310, 311, 399 and 431.
    assert [person.rank for person in effects.persons] == [(1, 1), (4, 2), (6, 6), (8, 8)]
    assert [(effect.number, effect.rank) for effect in effects.others] == [(1, (2, 3)), (2, (3, 4))]
    # In the Serie: 178½, 204½, 276½, 331½ beside 210, 201, 279 and 301.
    assert [person.serie_rank for person in effects.persons] == [(1, 1), (3, 2), (5, 6), (8, 8)]
    assert "wie gespielt" in effects.notes[0]


def test_the_end_of_the_last_list_names_the_coming_prizes(tournament: Tournament):
    take_startgeld(tournament)
    set_plan(tournament, startgeld=PrizePlan(lines=SHARES))

    effects = ending(tournament)

    # 8 × 15 € by 50, 30 and 20 %. 245, 294 and 310 are the fewest.
    assert [(effect.number, effect.cents) for effect in effects.coming] == [
        *((1, (0, 2400)), (5, (0, 6000)), (6, (0, 3600)))
    ]
    assert effects.prizes == ()
    assert not any("Preis" in said for text in told() for said in text.effects)


def test_missing_lists_keep_the_ranks_of_the_previous_serie():
    effects = ending(last_serie(tables=3))

    assert effects.upto == 1
    assert [person.total for person in effects.persons] == [
        (105, 105),
        (115, 115),
        (125, 125),
        (135, 135),
    ]
    assert [person.rank for person in effects.persons] == [(2, 2), (5, 5), (8, 8), (11, 11)]
    assert effects.coming == effects.others == ()
    (note,) = effects.notes
    assert note.startswith("Die Liste steht, wie gespielt, bis alle Listen der Serie da sind; ")
    assert note in told()[0].effects


def test_changed_prizes_of_unverified_lists_are_named_without_notices():
    tournament = played(100, 110, 120, 230, lines=SHARES)
    Spielliste.objects.update(status=Status.HANDED_IN)
    spielliste = list_of(tournament.serien.get())
    penalties.give_at_once(
        acting(tournament),
        spielliste.pk,
        registration_id=tournament.registrations.get(number=1).pk,
        points=150,
        reason="Karten gezeigt",
    )

    effects = from_json(tournament.corrections.get().effects, Effects)

    # 110, 120 and 200 are first now.
    assert [(effect.number, effect.cents) for effect in effects.coming] == [
        *((1, (6000, 0)), (2, (3600, 6000)), (3, (2400, 3600)), (5, (0, 2400)))
    ]
    assert effects.prizes == ()
    assert [text.registration.number for text in told()] == [1]
    assert not any("Preis" in said for said in told()[0].effects)


def told() -> list[notice_texts.NoticeText]:
    return notice_texts.texts(Notice.objects.order_by("registration__number"))


def test_page_record_and_letter_name_the_serie_of_the_ranks(client: Client, tournament: Tournament):
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    ending(tournament)

    number = tournament.corrections.get().number
    page = client.get(reverse("checking:correction", args=[tournament.slug, number]))
    assert "Platz nach Serie 2" in page.content.decode()
    assert "Gesamt nach Serie 2" in page.content.decode()
    assert told()[1].effects == (
        "Ihre Punkte in Serie 2: vorher 119, jetzt 179.",
        "Ihre Punkte nach Serie 2: vorher 234, jetzt 294.",
        "In der Rangliste nach Serie 2: vorher Platz 4, jetzt Platz 2.",
        *from_json(tournament.corrections.get().effects, Effects).notes,
    )


def test_uncounted_results_are_never_called_unchanged(client: Client):
    tournament = last_serie(tables=3)
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    serie = tournament.serien.get(number=2)
    line = {"finisher": 1, "handromme": False, "minus": [0, 123, 45, 12]}
    done = corrections.correct_list(
        acting(tournament),
        list_of(serie, 1).pk,
        kind=Kind.LINE,
        facts={"game": 1, "line": line},
        reason="Zahlendreher",
    )

    page = client.get(reverse("checking:correction", args=[tournament.slug, done.number]))

    text = " ".join(page.content.decode().split())
    assert "Sonst ändert sich kein Platz" not in text
    assert "In der Rangliste zählt Serie 2 erst, wenn alle ihre Listen da sind" in text
    assert "Platz der Serie" not in text
    assert told()[1].effects == (
        "Ihre Punkte in Serie 2: vorher 201, jetzt 301.",
        "In der Rangliste zählt Serie 2, sobald alle ihre Listen da sind.",
    )


def test_a_record_of_an_older_version_omits_other_ranks(client: Client, tournament: Tournament):
    ending(tournament)
    correction = tournament.corrections.get()
    for key in ("upto", "coming", "notes"):
        correction.effects.pop(key, None)
    correction.effects["others"] = []
    correction.save()
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    page = client.get(reverse("checking:correction", args=[tournament.slug, correction.number]))

    assert "Sonst ändert sich kein Platz" not in page.content.decode()
    assert "Ihre Punkte insgesamt: vorher 234, jetzt 294." in told()[1].effects
