"""Every address without a secret answers, on both databases.

``test_other_tournament.py`` opens objects within a tournament; this module opens the other pages:
those of the program, of a person, a club or an account, and of a whole tournament.
"""

from __future__ import annotations

from copy import deepcopy

import pytest
from django.db import transaction
from django.urls import reverse

from tests.clients import Client
from tests.factories import make_club, make_member, make_person, make_registration, make_tournament
from tests.tournaments.access_matrix import ADDRESSES, Address
from tournaments.models import Role
from tournaments.web.access import Access

OK = 200
NOT_TAKEN = 405
PUBLIC = Access("public")
# No one is chosen, banned or named for weaknesses, nothing is settled or played, no prize is chosen
# or drawn by lot, it is no Probelauf, and there is no such year, list or archive; the manual has
# not been printed, and no laptop has taken over.
MISSING = {
    ":print_manual_page",
    "archive:import_wait",
    "backup:state",
    "backup:takeover",
    "desk:register",
    "feed:security",
    "lottery:proof",
    "people:import_columns",
    "people:import_preview",
    "people:lift_ban",
    "prizes:begin_lottery",
    "prizes:choose",
    "prizes:choosing",
    "prizes:lottery",
    "prizes:pass_over",
    "prizes:undo_choice",
    "public:players",
    "results:press_file",
    "results:settlement",
    "seasons:edit",
    "seasons:honours",
    "seasons:invite",
    "seasons:offer",
    "seasons:season",
    "trial:panel",
    "trial:play_rest",
    "trial:remove",
}


@pytest.mark.django_db
def test_every_page_works_for_operator_and_spielleitung(settings, tmp_path):
    settings.DATA_DIR = tmp_path  # some write beside the database
    tournament = make_tournament(self_check_in=True)
    make_registration(tournament)
    head = make_member(tournament, Role.VERANSTALTER, is_admin=True)
    person, club = make_person(), make_club()
    keys = {
        "slug": tournament.slug,
        "user_id": head.pk,
        "rule_set_id": "rommeordnung",
        "keep_pk": person.pk,
        "drop_pk": make_person().pk,
    }

    client = Client(raise_request_exception=False)
    client.force_login(head)
    logged_in = deepcopy(client.cookies)

    def status_of(address: Address) -> int:
        room = address.name.split(":")[0]
        pk = {"account": tournament.owner_id}.get(room, person.pk)
        named = keys | {"pk": club.pk if "club" in address.name else pk}
        url = reverse(
            address.name.removeprefix(":"), kwargs={key: named[key] for key in address.keys}
        )
        client.cookies = deepcopy(logged_in)
        with transaction.atomic():  # changes by the request are undone
            answer = client.get(url)
            if answer.status_code == NOT_TAKEN:
                answer = client.post(url)
            transaction.set_rollback(True)
        if address.access != PUBLIC and answer.status_code == OK:
            assert answer["Cache-Control"] == "no-store", f"{url} may stay behind in a browser"
        return answer.status_code

    answers = {
        address.name: status_of(address)
        for address in ADDRESSES
        if set(address.keys) <= {*keys, "pk"}
        and (len(address.keys) < 2 or "slug" not in address.keys)
    }

    assert {name for name, status in answers.items() if status == 404} == MISSING
    failed = {403, NOT_TAKEN, *range(500, 600)}
    assert {name: status for name, status in answers.items() if status in failed} == {}
