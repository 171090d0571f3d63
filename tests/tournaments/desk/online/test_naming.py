"""The choice of a sender about a stored name hides it in that tournament; the person decides."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as project
from django.core import mail
from django.utils import timezone

from tests.clients import Client, at
from tests.factories import (
    COMMAND,
    make_club,
    make_organiser,
    make_person,
    make_registration,
    make_tournament,
    make_user,
)
from tests.factories_lists import list_of, make_seated_serie, write_games
from tests.tournaments.archive.helpers import saved
from tests.tournaments.desk.online.helpers import make_open_tournament, send_one, wanted
from tests.tournaments.desk.online.test_link import same_choice
from tournaments.announcement.queries.publication import team_name
from tournaments.archive.importing import import_archive
from tournaments.common.errors import NotAllowed
from tournaments.desk.online.queries import entries as queries
from tournaments.desk.online.services import naming
from tournaments.desk.online.services.changes import change_line
from tournaments.desk.online.services.entry import PUBLIC
from tournaments.desk.services.changes import substitute
from tournaments.models import EntryLine, Person, Registration, Season, Spielliste, Tournament
from tournaments.people.queries.naming import INTERNET
from tournaments.results.queries.press import press

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def anna(**fields: Any) -> Person:
    given = {"publish_consent": True, "email": "anna@verein.example", **fields}
    return make_person("Anna", "Kühn", club=make_club("SC Altenburg"), birth_year=1960, **given)


def refused(tournament: Tournament, *, form_key: str = "key", **fields: Any) -> EntryLine:
    """A stranger sends her without the tick."""
    form = wanted(**{"publish_consent": False, **fields})
    line: EntryLine = send_one(tournament, form, form_key=form_key).entry.lines.get()
    return line


def name_in(tournament: Tournament) -> str:
    return Registration.objects.get(tournament=tournament, person__first_name="Anna").public_name


def question() -> str:
    """The address in the newest mail, without its host."""
    address = re.search(r"/namensnennung/\d+-[\w=-]+/", str(mail.outbox[-1].body))
    assert address
    return address[0]


# --- Hidden there, and nowhere else ---------------------------------------------------------------


def test_an_unticked_form_hides_a_stored_name_in_its_tournament_only():
    person, here, there = anna(), make_open_tournament(), make_tournament()
    make_registration(there, person)

    refused(here)

    person.refresh_from_db()
    assert person.publish_consent
    assert (name_in(here), name_in(there)) == ("A. K.", "Anna Kühn")


def test_a_ticked_form_does_not_override_missing_consent():
    person, here = anna(publish_consent=False), make_open_tournament()

    refused(here, publish_consent=True)

    person.refresh_from_db()
    assert not person.publish_consent
    assert name_in(here) == "A. K."


def played(hidden: str) -> Tournament:
    """Return a closed tournament of four consenting people; one refused it there."""
    tournament = make_tournament(
        serien=1, status=Tournament.Status.RUNNING, results_released_at=timezone.now()
    )
    club = make_club("SC Altenburg")
    names = ("Amsel", "Birke", "Citrus", "Distel")
    people = [make_person("Anna", name, club=club, publish_consent=True) for name in names]
    seated = [make_registration(tournament, person) for person in people]
    write_games(
        list_of(make_seated_serie(tournament, [seated], number=1)),
        status=Spielliste.Status.VERIFIED,
    )
    tournament.registrations.filter(person__last_name=hidden).update(hides_name=True)
    Tournament.objects.update(status=Tournament.Status.CLOSED)
    tournament.refresh_from_db()
    return tournament


ON_THE_INTERNET = {
    "the ranking": "results_public:ranking",
    "the statistics": "results_public:statistics",
    "the wall": "screen:screen",
    "the ranking for websites": "feed:overall",
    "the seats for websites": "feed:seats",
}


@pytest.mark.parametrize("name", ["Amsel", "Birke", "Citrus", "Distel"])
def test_no_public_page_names_a_person_who_refused(name: str):
    tournament = played(hidden=name)
    season = Season.objects.create(
        owner=tournament.owner,
        slug="saison",
        name="Saison",
        created_by=make_user(),
        is_over=True,
    )
    season.tournaments.add(tournament)
    urls = {
        place: at(view, tournament, *(["einzel"] if view.endswith(":ranking") else []))
        for place, view in ON_THE_INTERNET.items()
    }
    urls |= {
        "the plan of seats": at("seating:serie", tournament, 1),
        "the season": "/saison/saison/",
        "the Ehrentafel": "/saison/saison/ehrentafel/",
    }

    texts = {place: Client().read(url) for place, url in urls.items()}
    texts["the press"] = str(press(tournament))

    others = {"Amsel", "Birke", "Citrus", "Distel"} - {name}
    assert {place for place, text in texts.items() if name in text} == set()
    named = {place for place, text in texts.items() if any(name in text for name in others)}
    assert named >= {"the ranking", "the plan of seats", "the seats for websites", "the season"}


def test_a_replaced_player_without_consent_stays_hidden_on_old_lists():
    person, tournament = anna(), make_open_tournament()
    registration = refused(tournament).registration
    assert registration is not None
    substitute(
        COMMAND,
        registration.pk,
        person_id=make_person("Otto", "Zander", publish_consent=True).pk,
        reason="krank",
    )

    now = Registration.objects.get(pk=registration.pk)
    left = now.substitutions.get()
    before = now.held_by(person, hides_name=left.left_hides_name)

    assert (now.public_name, before.public_name) == ("Otto Zander", "A. K.")
    assert team_name("Kühn / Berg", [now], INTERNET) == "Otto Zander"


def test_the_refusal_survives_an_archive():
    anna()
    tournament = make_open_tournament()
    refused(tournament)
    text = saved(tournament)

    elsewhere = import_archive(text.encode(), actor=COMMAND, replace=True)

    assert elsewhere.registrations.get().hides_name


def test_names_are_read_from_the_registration_never_from_the_person():
    asked = re.compile(
        r"(registration|one|line|member|each)\.person\.(public_name|publish_consent)"
    )
    files = [
        path
        for folder in ("tournaments", "templates")
        for path in Path(project.BASE_DIR, folder).rglob("*.*")
        if path.suffix in {".py", ".html", ".txt"} and "online" not in path.parts
    ]

    assert len(files) > 300
    assert [path.name for path in files if asked.search(path.read_text())] == []


# --- Asked ----------------------------------------------------------------------------------------


def test_consent_is_requested_once_at_the_stored_address(with_mail: None):
    anna()
    refused(make_open_tournament())

    naming.ask_by_mail()
    naming.ask_by_mail()

    (letter,) = mail.outbox
    assert letter.to == ["anna@verein.example"]
    assert "nur die Anfangsbuchstaben" in str(letter.body)


def test_consent_stored_already_is_not_requested(with_mail: None):
    anna()
    refused(make_open_tournament(), publish_consent=True)

    naming.ask_by_mail()

    assert mail.outbox == []


@pytest.mark.parametrize(("answer", "named"), [("yes", "Anna Kühn"), ("no", "A. K.")])
def test_the_answer_to_the_mail_applies_everywhere(with_mail: None, answer: str, named: str):
    person, here, there = anna(), make_open_tournament(), make_tournament()
    make_registration(there, person)
    entry = refused(here).entry
    naming.ask_by_mail()

    assert "Anna Kühn" in Client().read(question())
    Client().post(question(), {"answer": answer})

    assert (name_in(here), name_in(there)) == (named, named)
    ((_entry, (row,)),) = queries.inbox(here, [entry])
    assert not row["asks_for_name"]


def test_cached_pages_of_other_tournaments_follow_the_answer(
    django_capture_on_commit_callbacks,
):
    person, here, there = anna(), make_open_tournament(), make_tournament()
    make_registration(there, person)
    line = refused(here)
    before = Tournament.objects.get(pk=there.pk).revision

    with django_capture_on_commit_callbacks(execute=True):
        naming.confirm_consent(COMMAND, line.pk, named=False)

    assert Tournament.objects.get(pk=there.pk).revision > before


def test_opening_the_consent_link_answers_nothing(with_mail: None):
    anna()
    refused(make_open_tournament())
    naming.ask_by_mail()
    key, _dash, secret = question().strip("/").rpartition("/")[2].partition("-")

    Client().get(question())
    wrong = Client().post(f"/namensnennung/{key}-{secret[:-3]}xx=/", {"answer": "no"})

    assert wrong.status_code == 404
    assert Person.objects.get().publish_consent


def test_the_entry_link_does_not_override_the_answer(with_mail: None):
    anna()
    tournament = make_open_tournament()
    line = refused(tournament)
    naming.ask_by_mail()
    Client().post(question(), {"answer": "yes"})

    change_line(PUBLIC, line.pk, choice=same_choice(tournament, publish_consent=False))

    assert name_in(tournament) == "Anna Kühn"


def test_a_second_entry_does_not_revoke_a_refusal():
    anna()
    tournament = make_open_tournament()
    line = refused(tournament)
    second = refused(tournament, form_key="other", publish_consent=True)
    registration = line.registration
    EntryLine.objects.filter(pk=second.pk).update(registration=registration, status="registered")

    change_line(PUBLIC, second.pk, choice=same_choice(tournament, publish_consent=True))
    assert name_in(tournament) == "A. K."
    change_line(PUBLIC, line.pk, choice=same_choice(tournament, publish_consent=True))

    assert name_in(tournament) == "Anna Kühn"


@pytest.mark.parametrize("consent", [True, False])
def test_the_consent_of_a_lent_person_is_never_requested(with_mail: None, consent: bool):
    parent = make_organiser("Landesverband", shares_members=True)
    person = anna(owner=parent, publish_consent=consent)
    tournament = make_open_tournament(owner=make_organiser("SC Gera", parent=parent))
    line = refused(tournament, publish_consent=not consent)
    ((_entry, (row,)),) = queries.inbox(tournament, [line.entry])

    naming.ask_by_mail()
    assert mail.outbox == []
    assert name_in(tournament) == "A. K."
    if consent:
        naming.confirm_consent(COMMAND, line.pk, named=True)
    else:
        with pytest.raises(NotAllowed, match="gehört zu Landesverband"):
            naming.confirm_consent(COMMAND, line.pk, named=True)

    person.refresh_from_db()
    assert person.publish_consent == consent
    assert row["asks_for_name"] == consent
    assert name_in(tournament) == ("Anna Kühn" if consent else "A. K.")
