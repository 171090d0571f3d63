"""Every page declares its access, and roles follow the table."""

from __future__ import annotations

from functools import partial

import pytest
from django.db import transaction
from django.urls import reverse

from tests.clients import Client, logged_in
from tests.factories import make_member, make_operator, make_organiser, make_tournament, make_user
from tests.tournaments.access_matrix import ADDRESSES, address_in, refusals_not_drawn
from tournaments.common.organisers import add_account
from tournaments.models import Membership, Right, Role
from tournaments.web.access import role_labels

# Both databases have the same roles; test_every_page.py opens pages on both.
pytestmark = pytest.mark.once
FOR_ROLES = [address for address in ADDRESSES if address.access and address.access.kind == "roles"]
FOR_ACCOUNTS = [
    address
    for address in ADDRESSES
    if address.access and address.access.kind in {"account", "admin"}
]
FOR_OPERATORS = {
    *("account:accounts", "account:password_link", "account:set_active", "demo:remove"),
    *("backup:code", "backup:second", "backup:shut_out"),
    *("operator:organisers", "operator:requests", "operator:try_mail"),
    *("operator:edit_belege", "operator:edit_datenschutz", "operator:edit_impressum"),
}
NOT_TAKEN = 405


def test_every_view_declares_its_access():
    assert [address.route for address in ADDRESSES if address.access is None] == []


def test_views_for_roles_have_the_tournament_in_their_url():
    assert FOR_ROLES
    assert [address.route for address in FOR_ROLES if "slug" not in address.keys] == []


@pytest.mark.django_db
def test_a_missing_role_is_named_on_the_page(client: Client):
    tournament = make_tournament()
    client.force_login(make_member(tournament, Role.SCHIEDSRICHTER))

    answer = client.get(reverse("desk:desk", args=[tournament.slug]))

    assert answer.status_code == 403
    assert "Veranstalter, Spielleitung, Anmeldung und Kasse" in answer.content.decode()


@pytest.mark.django_db
def test_an_unknown_tournament_is_not_found(client: Client):
    client.force_login(make_user())

    assert client.get(reverse("desk:desk", args=["gibt-es-nicht"])).status_code == 404


def test_roles_are_listed_in_the_order_of_responsibility():
    roles = {Role.KASSE.value, Role.VERANSTALTER.value}

    assert role_labels(roles) == ["Veranstalter", "Anmeldung und Kasse"]


# Rights (§ 1.2), by room and by address where one differs. V eranstalter, S pielleitung, K asse, R
# eferee: the Schiedsrichter.
RIGHTS = {
    "account": "V",
    "archive": "V",
    "setup": "VS",
    "setup:tournament": "VSKR",
    "desk": "VSK",
    "desk:list": "VSKR",
    **dict.fromkeys(("desk:approve", "desk:refuse", "desk:exclude", "desk:include"), "VS"),
    **dict.fromkeys(("desk:take_into", "desk:take_points"), "VS"),
    "entry": "VSK",
    "teams": "VSK",
    "cash": "VSK",
    "draw": "VS",
    **dict.fromkeys(("draw:serien", "draw:cards", "draw:serie", "draw:card"), "VSK"),
    **dict.fromkeys(("draw:table_codes", "draw:poster", "draw:task"), "VSK"),
    "hall": "VSR",
    **dict.fromkeys(("hall:start", "hall:take_back_start", "hall:extra_time"), "VS"),
    **dict.fromkeys(("hall:cards", "hall:access", "hall:withdraw_access"), "VS"),
    **dict.fromkeys(("hall:allow_take_over", "hall:note_bought"), "VS"),
    **dict.fromkeys(("hall:hand_in_current", "hall:hand_in", "hall:hand_in_since"), "VSKR"),
    "hall:hand_in_act": "VSK",
    "checking": "VS",
    **dict.fromkeys(("checking:lists", "checking:serie", "checking:list"), "VSR"),
    **dict.fromkeys(("checking:history", "checking:versions"), "VSR"),
    # A Schiedsrichter proposes Strafpunkte and corrections; the Spielleitung decides.
    **dict.fromkeys(("checking:penalties", "checking:correction"), "VSR"),
    "notices": "VSR",
    **dict.fromkeys(("notices:decide", "notices:circulars", "notices:send_circular"), "VS"),
    "notices:leave_untold": "VS",
    "results": "VSKR",
    **dict.fromkeys(("results:invite", "results:final"), "VS"),
    "results_public": "VS",
    "prizes": "VSK",
    "prizes:playoffs": "VSKR",
    **dict.fromkeys(("prizes:record", "prizes:withdraw"), "VS"),
    **dict.fromkeys((f"prizes:{step}_lottery" for step in ("begin", "draw", "withdraw")), "VS"),
    "printing": "VSKR",
    "closing": "VS",
    "closing:page": "VSKR",
    "journal": "VS",
    **dict.fromkeys(("journal:of_receipt", "journal:of_registration"), "VSK"),
    "screen": "VSR",
    "trial": "VS",
    "trial:panel": "VSKR",
    "trial:remove": "V",
}
LETTERS = {
    "V": Role.VERANSTALTER,
    "S": Role.SPIELLEITUNG,
    "K": Role.KASSE,
    "R": Role.SCHIEDSRICHTER,
}


def rights(name: str) -> set[str]:
    return {LETTERS[letter] for letter in RIGHTS.get(name) or RIGHTS[name.split(":", 1)[0]]}


def test_every_url_is_allowed_for_the_roles_of_the_table():
    assert {address.name: set(address.access.roles) for address in FOR_ROLES} == {
        address.name: rights(address.name) for address in FOR_ROLES
    }


@pytest.mark.django_db
def test_each_role_has_exactly_the_access_of_the_table():
    tournament, stranger, client = make_tournament(), Client(), Client()
    account = make_operator()
    add_account(account, make_organiser("Anderswo"), Right.ALL)
    Membership.objects.create(tournament=make_tournament(), user=account, role=Role.VERANSTALTER)
    client.force_login(account)

    with refusals_not_drawn():
        for address in FOR_ROLES:
            url, before = address_in(tournament, address), transaction.savepoint()
            method = "post" if stranger.get(url).status_code == NOT_TAKEN else "get"
            assert "/konto/anmelden/" in getattr(stranger, method)(url)["Location"], address.name

            ask = partial(getattr(client, method), url)
            assert ask().status_code == 403, f"{address.name}: another head got in"
            # The table has all other access; one page is rendered.
            last = [role for role in Role if role in rights(address.name)][-1]
            for role in (last, *(set(Role) - rights(address.name))):
                account.memberships.update(tournament=tournament, role=role)
                assert (ask().status_code != 403) is (role is last), f"{address.name}: {role}"
            transaction.savepoint_rollback(before)


@pytest.mark.django_db
def test_urls_for_accounts_or_operators_refuse_others():
    tournament, stranger, somebody = make_tournament(), Client(), logged_in(make_user())

    with refusals_not_drawn():
        for address in FOR_ACCOUNTS:
            url = address_in(tournament, address)
            method = "post" if stranger.get(url).status_code == NOT_TAKEN else "get"
            assert "/konto/anmelden/" in getattr(stranger, method)(url)["Location"], address.name
            if address.name in FOR_OPERATORS:
                assert getattr(somebody, method)(url).status_code == 403, address.name
