"""Pages of notices: their access, refusals and content."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail

from tests.clients import Client, at, plain
from tests.factories import make_member
from tests.tournaments.notices.helpers import make_case, make_correction, make_notice, players_of
from tournaments.common.actors import Actor
from tournaments.models import Case, Correction, JournalEntry, Notice, Role, Spielliste, Tournament
from tournaments.notices.queries.notice_texts import texts
from tournaments.notices.queries.notices import for_registration
from tournaments.notices.queries.recipients import people_to_tell, tables_to_tell
from tournaments.notices.services import cases

pytestmark = pytest.mark.django_db
EFFECTS = {
    "serie": 1,
    "persons": [],
    "others": [],
    "rests": ["Serie 2 ist nach der Rangliste mit dem alten Ergebnis gesetzt."],
}


def told_of(spielliste: Spielliste, **fields: Any) -> Notice:
    """Make a notice to seat 2: points from 201 to 219, rank from 1 to 2."""
    player = players_of(spielliste)[1]
    effects = {
        **EFFECTS,
        "persons": [
            {
                "registration": player.pk,
                "number": player.number,
                "points": [201, 219],
                "serie_rank": [1, 2],
                "total": [-21, 219],
                "rank": [1, None],
            }
        ],
    }
    return make_notice(
        spielliste, correction=make_correction(spielliste, effects=effects), **fields
    )


def url(tournament: Tournament, name: str, *args: Any) -> str:
    return at(f"notices:{name}", tournament, *args)


def test_a_notice_names_old_and_new_values_reason_and_deadline(
    spielliste: Spielliste,
):
    notice = told_of(spielliste)

    text = for_registration(notice.registration)[0]

    assert text.heading == "Tisch 1, Serie 1: Spiel 3 wurde berichtigt"
    assert [(change.what, change.before, change.after) for change in text.changes] == [
        ("Punkte von Platz 2", "35", "53")
    ]
    assert text.reason == "Zahlendreher, am Tisch nachgezählt (§ 2.2.5)"
    assert text.effects == (
        "Ihre Punkte in Serie 1: vorher 201, jetzt 219.",
        "Ihre Punkte insgesamt: vorher −21, jetzt 219.",
        "In der Rangliste: vorher Platz 1, jetzt kein Platz.",
    )
    assert text.rests == ("Serie 2 ist nach der Rangliste mit dem alten Ergebnis gesetzt.",)
    assert text.decided.startswith("Entschieden hat die Spielleitung, ")
    assert "innerhalb von 15 Minuten nach dieser Mitteilung" in text.objecting


def test_a_notice_without_effect_states_that_nothing_changes(spielliste: Spielliste):
    player = players_of(spielliste)[0]
    same = {
        "registration": player.pk,
        "number": player.number,
        "points": [210, 210],
        "serie_rank": [2, 2],
        "total": [210, 210],
        "rank": [2, 2],
    }
    correction = make_correction(spielliste, effects={**EFFECTS, "persons": [same]})

    text = texts([make_notice(spielliste, seat=1, correction=correction)])[0]

    assert text.effects == ("An Ihren Punkten und Ihrem Platz ändert sich nichts.",)


@pytest.mark.parametrize(
    ("fields", "heading"),
    [
        ({"kind": "bonus_size", "game": None}, "Tisch 1, Serie 1: Tischgröße für den Bonus"),
        ({"kind": "invalid", "game": None}, "Tisch 1, Serie 1: für ungültig erklärt"),
    ],
)
def test_other_corrections_name_the_list(
    spielliste: Spielliste, fields: dict[str, Any], heading: str
):
    facts: dict[str, Any] = {
        "bonus_size": {"before": {"bonus_size": None}, "after": {"bonus_size": 3}},
        "invalid": {"before": {"status": "verified"}, "after": {"status": "invalid"}},
    }
    correction = make_correction(spielliste, **fields, **facts[fields["kind"]])

    text = texts([make_notice(spielliste, correction=correction)])[0]

    assert text.heading == heading
    assert len(text.changes) == 1
    assert text.effects == ()


def test_the_notice_of_an_exclusion_names_no_list(spielliste: Spielliste):
    player = players_of(spielliste)[1]
    correction = make_correction(
        spielliste,
        kind=Correction.Kind.EXCLUSION,
        game=None,
        before={"status": "paid"},
        after={"registration": player.pk},
        paragraph="",
    )
    Correction.objects.filter(pk=correction.pk).update(spielliste=None)
    correction.refresh_from_db()

    text = texts([make_notice(spielliste, correction=correction)])[0]

    assert text.heading == "Entscheidung der Spielleitung: Ausschluss"
    assert text.reason == "Zahlendreher, am Tisch nachgezählt"


def test_uninformed_people_come_first_with_all_their_notices(
    leader: Client, tournament: Tournament, spielliste: Spielliste
):
    told_of(spielliste)
    make_notice(spielliste, seat=2)
    make_notice(spielliste, seat=1)

    people = people_to_tell(tournament)
    text = plain(leader.get(url(tournament, "page")))

    assert [(person.registration.number, len(person.notices)) for person in people] == [
        (1, 1),
        (2, 2),
    ]
    assert "2 Personen wissen noch nicht alles" in text
    assert text.count("Mündlich mitgeteilt") == 2
    assert text.index("Noch mitzuteilen") < text.index('id="p')


def test_one_press_communicates_all_notices_of_a_player(
    leader: Client, tournament: Tournament, spielliste: Spielliste
):
    first, second = make_notice(spielliste), make_notice(spielliste)
    case = make_case(spielliste, registration=first.registration)
    cases.decide(
        Actor.account(make_member(tournament, Role.SPIELLEITUNG)), case.pk, decision="Nein."
    )

    answer = leader.post(
        url(tournament, "tell", first.registration_id), {"how": "oral"}, follow=True
    )

    assert "mitgeteilt mündlich" in plain(answer)
    for row in (first, second, case):
        row.refresh_from_db()
        assert (row.told_how, row.told_at is not None) == ("oral", True)


def test_informing_a_player_again_reports_nothing_new(
    leader: Client, tournament: Tournament, spielliste: Spielliste
):
    player = players_of(spielliste)[0]

    answer = leader.post(url(tournament, "tell", player.pk), {"how": "oral"}, follow=True)

    assert "Nr. 1 weiß schon alles." in plain(answer)


@pytest.mark.usefixtures("with_mail")
def test_a_delivered_mail_communicates_a_notice(
    leader: Client, tournament: Tournament, spielliste: Spielliste
):
    notice = told_of(spielliste)
    person = notice.registration.person
    person.email = "anna@verein.example"
    person.save()
    assert "E-Mail senden" in plain(leader.get(url(tournament, "page")))

    leader.post(url(tournament, "tell", notice.registration_id), {"how": "mail"})

    notice.refresh_from_db()
    assert (notice.told_how, notice.mailed_at is not None) == ("mail", True)
    message = mail.outbox[0]
    assert message.to == ["anna@verein.example"]
    assert message.subject == "Mitteilung der Spielleitung: Herbstturnier 2026"
    assert "Punkte von Platz 2: 35 → 53" in message.body
    assert "Grund: Zahlendreher, am Tisch nachgezählt (§\N{NO-BREAK SPACE}2.2.5)" in message.body
    assert "vorher 201, jetzt 219" in message.body
    assert "Einspruch ist" in message.body


@pytest.mark.usefixtures("with_mail")
def test_a_failed_mail_does_not_communicate_a_notice(
    leader: Client,
    tournament: Tournament,
    spielliste: Spielliste,
    monkeypatch: pytest.MonkeyPatch,
):
    notice = make_notice(spielliste)
    person = notice.registration.person
    person.email = "anna@verein.example"
    person.save()

    def fail(*_args: Any, **_options: Any) -> int:
        raise OSError("no server")

    monkeypatch.setattr(mail.EmailMessage, "send", fail)
    answer = leader.post(url(tournament, "tell", notice.registration_id), {"how": "mail"})

    assert answer.status_code == 409
    assert "Die E-Mail ging nicht hinaus" in plain(answer)
    notice.refresh_from_db()
    assert (notice.told_at, notice.mailed_at) == (None, None)


@pytest.mark.usefixtures("with_mail")
def test_a_mail_notice_needs_an_address(
    leader: Client, tournament: Tournament, spielliste: Spielliste
):
    notice = make_notice(spielliste)

    answer = leader.post(url(tournament, "tell", notice.registration_id), {"how": "mail"})

    assert answer.status_code == 409
    assert "keine E-Mail-Adresse bekannt" in plain(answer)
    assert "E-Mail senden" not in plain(answer)


def test_a_closed_tournament_mails_no_notices(
    leader: Client, tournament: Tournament, spielliste: Spielliste
):
    notice = make_notice(spielliste)
    Tournament.objects.update(status=Tournament.Status.CLOSED)

    answer = leader.post(url(tournament, "tell", notice.registration_id), {"how": "mail"})

    assert answer.status_code == 409
    assert "abgeschlossen" in plain(answer)
    assert mail.outbox == []


def test_slips_are_printed_for_all_or_for_one(
    leader: Client, tournament: Tournament, spielliste: Spielliste
):
    make_notice(spielliste, seat=1)
    make_notice(spielliste, seat=3)

    everybody = plain(leader.get(url(tournament, "slips")))
    slips = plain(leader.get(url(tournament, "slips") + "?nr=3"))
    nobody = plain(leader.get(url(tournament, "slips") + "?nr=4"))
    wrong = leader.get(url(tournament, "slips") + "?nr=x")

    assert [text.count("<article ") for text in (everybody, slips, nobody)] == [2, 1, 0]
    assert "Kein Zettel nötig" in nobody
    assert wrong.status_code == 404


def test_only_printed_slips_count_as_handed_out(
    leader: Client, tournament: Tournament, spielliste: Spielliste
):
    printed = make_notice(spielliste, seat=1)
    case = make_case(spielliste, registration=printed.registration)
    cases.decide(
        Actor.account(make_member(tournament, Role.SPIELLEITUNG)), case.pk, decision="Nein."
    )
    later = make_notice(spielliste, seat=1)

    answer = leader.post(
        url(tournament, "tell_several"),
        {"notice": [printed.pk, "9" * 5000], "case": [case.pk, "²"]},
        follow=True,
    )

    assert "2 Mitteilungen als ausgehändigt eingetragen." in plain(answer)
    for notice, how in ((printed, "slip"), (case, "slip"), (later, "")):
        notice.refresh_from_db()
        assert notice.told_how == how


def test_an_answer_is_recorded_at_control(
    leader: Client, tournament: Tournament, spielliste: Spielliste
):
    notice = make_notice(spielliste)

    empty = leader.post(url(tournament, "respond", notice.pk), {"answer": "objected", "text": ""})
    leader.post(url(tournament, "respond", notice.pk), {"answer": "ok"})
    objected = leader.post(
        url(tournament, "respond", notice.pk),
        {"answer": "objected", "text": "Es waren 35."},
        follow=True,
    )
    again = leader.post(url(tournament, "respond", notice.pk), {"answer": "ok"})

    assert (empty.status_code, again.status_code) == (422, 409)
    assert "steht unter „Fälle“" in plain(objected)
    assert "schon ein Einspruch vor" in plain(again)
    assert Case.objects.get().text == "Es waren 35."
    assert "„Es waren 35.“" in plain(leader.get(url(tournament, "notice", notice.pk)))


def test_the_page_of_notices_needs_a_constant_number_of_queries(
    leader: Client,
    tournament: Tournament,
    spielliste: Spielliste,
    django_assert_max_num_queries: Any,
):
    make_notice(spielliste)
    with django_assert_max_num_queries(26):
        leader.get(url(tournament, "page"))
    for _turn in range(5):
        for seat in (1, 2, 3, 4):
            make_notice(spielliste, seat, told_at=tournament.created_at, told_how="oral")
            make_notice(spielliste, seat)

    with django_assert_max_num_queries(26):
        leader.get(url(tournament, "page"))


def test_a_table_is_informed_in_one_act_with_an_entry_for_each_person(
    leader: Client, tournament: Tournament, spielliste: Spielliste
):
    correction = make_correction(spielliste)
    of_table = [make_notice(spielliste, seat, correction=correction) for seat in (1, 2, 3, 4)]
    elsewhere = make_notice(
        spielliste, 2, correction=make_correction(spielliste, spielliste=None, game=None)
    )
    later = make_notice(spielliste, 3, correction=make_correction(spielliste))
    asked = make_case(
        spielliste,
        registration=players_of(spielliste)[0],
        decision="Nein.",
        decided_at=tournament.created_at,
    )

    (table,) = tables_to_tell(people_to_tell(tournament))
    shown = plain(leader.get(url(tournament, "page")))
    sent = {"how": "oral", "notice": [notice.pk for notice in of_table], "case": [asked.pk]}
    leader.post(url(tournament, "tell_several"), sent)

    assert {text.notice for text in table.notices} == {*of_table, later}
    assert table.decisions == [asked]
    assert [person.number for person in table.persons] == [1, 2, 3, 4]
    assert "Ganzer Tisch mündlich mitgeteilt" in shown
    told = JournalEntry.objects.filter(action="notice_told").order_by("pk")
    assert [entry.after["registration"] for entry in told] == [
        notice.registration_id for notice in of_table
    ]
    assert {entry.after["how"] for entry in told} == {"oral"}
    asked.refresh_from_db()
    assert asked.told_at is not None
    waiting = Notice.objects.filter(told_at=None)
    assert set(waiting) == {elsewhere, later}


def test_one_person_is_not_informed_as_a_table(tournament: Tournament, spielliste: Spielliste):
    make_notice(spielliste, 2)

    assert tables_to_tell(people_to_tell(tournament)) == []
