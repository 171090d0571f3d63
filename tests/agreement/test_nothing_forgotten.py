"""Every act has a maker, and every place has a reader or a reason here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from django.db import transaction

from tests.agreement.makers import maker
from tests.agreement.places import PLACES
from tests.agreement.signatures import acts_of_the_program, parameters_of
from tests.clients import logged_in
from tests.factories import make_member, make_tournament
from tests.tournaments.access_matrix import ADDRESSES, address_in
from tournaments.models import Role
from tournaments.printing.documents import DOCUMENTS

NOT_TAKEN = 405
# Pages that show none of the facts compared here: why, and their names by room.
WITHOUT_READER = {
    "accounts and the installation": """
        account: login setup invitation set_password profile language change_password accounts roles
        organisers organiser hand_over proposal journal journal_csv
        operator: here requests organisers due edit_impressum
        edit_datenschutz edit_belege impressum datenschutz backup: page behind takeover""",
    "persons and clubs of an organiser, not what they do in a tournament": """
        people: persons new person edit ban lift_ban anonymise duplicates merge_choose merge clubs
        club merge_clubs import import_columns import_preview""",
    "practice": "demo: making remove trial: panel",
    "the Ausschreibung, in words and as forms": """
        setup: tournaments new new_from_copy new_from_rules custom_rules section tournament
        public: start calendar_of_all manifest tournament players rules rule_set calendar
        feed: description tournaments tournament snippet news robots security player: calendar""",
    "forms, or lists of what is to be done": """
        desk: desk since new import import_columns import_preview teams: teams
        entry: register registration email joint_qr_code qr_code change withdraw offer check_in
        naming door inbox cash: count refunds transfers columns screen: control control_one
        notices: page slips notice cases case circulars closing: page""",
    "a draw before it is published; then its seats are read": """
        draw: serien cards floor serie table_codes judge poster task seating: at_table task""",
    "where lists stand, and forms for them; the lists are read": """
        checking: lists serie move end_all history versions line bonus_size invalid valid end go_on
        penalties exclusion correction hall: current hand_in_current room since cards hand_in
        hand_in_since table_since access grid table: worker""",
    "derived from the ranking that is read": """
        results: press press_file team settlement prizes: playoffs""",
    "a lottery, whose prizes are read": "prizes: lottery lottery: proof",
    "ways to documents, which are read as such": """
        printing: documents progress pdf page : print_manual print_manual_pdf print_manual_page
        manual: contents day chapter archive: import import_wait export export_wait download""",
    "the journal, whose proof is asked": """
        journal: page anchor archived of_receipt of_registration csv""",
    "several tournaments together": "seasons: file honours honours_file overview new edit",
}


def _named(texts: Iterable[str]) -> Iterator[str]:
    for word in " ".join(texts).split():
        if word.endswith(":"):
            room = word
        else:
            yield f"{room}{word}"


PAPER_WITHOUT_READER = {
    "ausschreibung": "the Ausschreibung",
    "spielregeln": "rules",
    "turniertag": "a list of what to do",
    "handbuch": "the manual",
    "startkarten": "forms with a name",
    "nachricht": "a letter to a group, in words",
    "ich-bin-da": "a code",
    "auskunft": "what is kept about a person, with a test of its own",
    "rueckzahlungen": "only where it is called off, with tests of its own",
    "spiellisten-leer": "a form",
    "berichtigungen": "letters about corrections",
    "urkunden": "as the list of prizes",
    "saison": "several tournaments together",
    "protokoll": "what was done; the proof is asked",
}
READ = {name for place in PLACES.values() for name in place.covers}


@pytest.mark.once
def test_each_parameter_of_an_act_has_a_maker():
    for act, doing in acts_of_the_program().items():
        for parameter in parameters_of(doing).values():
            assert maker(act, parameter), "say in tests/agreement/makers.py how to make it"


@pytest.mark.once
@pytest.mark.django_db
def test_each_page_has_a_reader_or_a_reason():
    tournament = make_tournament()
    client = logged_in(make_member(tournament, Role.VERANSTALTER, is_admin=True))
    client.raise_request_exception = False
    missing, explained = [], set(_named(WITHOUT_READER.values()))
    for address in ADDRESSES:
        if address.name in READ | explained:
            continue
        with transaction.atomic():
            if client.get(address_in(tournament, address)).status_code != NOT_TAKEN:
                missing.append(address.name)
            transaction.set_rollback(True)

    assert not missing, f"read in tests/agreement/places/ what {missing} show, or say why not"


@pytest.mark.once
def test_each_document_has_a_reader_or_a_reason():
    read = {name.removeprefix("Papier: ") for name in READ}

    assert DOCUMENTS.keys() - read - PAPER_WITHOUT_READER.keys() == set()
    assert not read & PAPER_WITHOUT_READER.keys()


@pytest.mark.once
def test_every_covered_item_exists():
    known = {address.name for address in ADDRESSES} | {f"Papier: {name}" for name in DOCUMENTS}

    assert READ - known == set()
    assert set(_named(WITHOUT_READER.values())) <= known - READ
