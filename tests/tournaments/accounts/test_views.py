"""Pages of accounts and roles: their access and their acts."""

from __future__ import annotations

from typing import Any

import pytest
from axes.models import AccessAttempt
from django.contrib.sessions.models import Session
from django.core import mail
from django.utils import timezone

from tests.clients import Client, at, logged_in
from tests.factories import (
    COMMAND,
    make_head,
    make_member,
    make_organiser,
    make_tournament,
    make_user,
)
from tournaments.accounts import services as accounts
from tournaments.accounts.forms import NewAccountForm
from tournaments.accounts.throttling import MOST_FROM_ADDRESS
from tournaments.common.organisers import add_account
from tournaments.journal.services import first_breaks
from tournaments.models import JournalEntry, Membership, Right, Role, User

pytestmark = pytest.mark.django_db
PASSWORD = "Herz ist heute Trumpf"
NEW_ACCOUNT = {
    "name_": "Karla Otto",
    "username": "karla",
    "password": PASSWORD,
    "repeated": PASSWORD,
}


def test_the_first_start_ends_on_the_list_of_tournaments(client: Client):
    token = accounts.make_setup_link(actor=COMMAND)

    answer = client.post(at("account:setup", token), NEW_ACCOUNT)

    assert answer.status_code == 302
    assert User.objects.get().is_admin
    assert client.get(at("account:profile")).status_code == 200


def test_an_account_changes_only_its_own_name_and_address(client: Client):
    client.force_login(make_user("otto", name="Karl Otto"))
    make_user("anna", name="Anna Adler")

    said = client.post(at("account:profile"), {"name_": "Karl Ott", "email": "otto@example.org"})
    assert said.status_code == 302
    assert "Gespeichert." in client.read(at("account:profile"))
    changed = User.objects.order_by("username").values_list("name", "email")
    assert list(changed) == [("Anna Adler", ""), ("Karl Ott", "otto@example.org")]

    wrong = client.post(at("account:profile"), {"name_": "", "email": "otto"})
    assert wrong.status_code == 422
    assert User.objects.get(username="otto").name == "Karl Ott"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        pytest.param({"repeated": "anders"}, "Die beiden Kennwörter sind verschieden", id="typo"),
        pytest.param({"password": "kurz", "repeated": "kurz"}, "zu kurz", id="short"),
        pytest.param({"username": ""}, "zwingend", id="no name"),
    ],
)
def test_an_invalid_new_account_is_refused_with_a_message(
    client: Client, change: dict[str, str], sentence: str
):
    token = accounts.make_setup_link(actor=COMMAND)

    answer = client.post(at("account:setup", token), NEW_ACCOUNT | change)

    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not User.objects.exists()


def test_a_used_link_is_reported_as_used(client: Client):
    token = accounts.make_setup_link(actor=COMMAND)
    client.post(at("account:setup", token), NEW_ACCOUNT)
    client.logout()

    answer = client.get(at("account:setup", token))

    assert answer.status_code == 409
    assert "gilt nicht mehr" in answer.content.decode()


def test_five_wrong_passwords_lock_an_account_on_one_device(client: Client):
    make_user("anna", password=PASSWORD)
    make_user("bernd", password=PASSWORD)
    login = at("account:login")

    for _try in range(5):
        client.post(login, {"username": "anna", "password": "falsch"})
    locked = client.post(login, {"username": "anna", "password": PASSWORD})
    other = client.post(login, {"username": "bernd", "password": PASSWORD})

    assert locked.status_code == 429
    assert "erst in fünf Minuten" in locked.content.decode()
    assert other.status_code == 302


def test_wrong_passwords_of_others_do_not_lock_out_a_known_device(client: Client):
    make_user("anna", password=PASSWORD)
    make_user("bernd", password=PASSWORD)
    login, right = at("account:login"), {"username": "anna", "password": PASSWORD}
    wrong = {**right, "password": "falsch"}
    client.post(login, right)
    client.post(at("account:logout"))
    stranger = Client()
    stranger.post(login, {"username": "bernd", "password": PASSWORD})  # known for another name
    stranger.post(at("account:logout"))

    for _try in range(5):
        stranger.post(login, wrong)

    assert stranger.post(login, right).status_code == 429
    assert client.post(login, right).status_code == 302


def test_a_known_device_has_a_limit_of_password_tries(client: Client):
    make_user("anna", password=PASSWORD)
    login, right = at("account:login"), {"username": "anna", "password": PASSWORD}
    client.post(login, right)
    client.post(at("account:logout"))

    for _try in range(MOST_FROM_ADDRESS):
        client.post(login, {**right, "password": "falsch"})

    assert client.post(login, right).status_code == 429


def test_another_spelling_of_the_name_gives_no_further_tries(client: Client):
    make_user("anna", password=PASSWORD)
    login = at("account:login")

    for name in ("anna", "Anna", "ANNA", " anna", "aNNa"):
        client.post(login, {"username": name, "password": "falsch"})
    locked = client.post(login, {"username": "annA", "password": PASSWORD})

    assert locked.status_code == 429


def test_another_address_of_the_same_household_gives_no_further_tries(client: Client):
    make_user("anna", password=PASSWORD)
    login = at("account:login")

    for number in range(5):
        wrong = {"username": "anna", "password": "falsch"}
        client.post(login, wrong, REMOTE_ADDR=f"2001:db8:1:2::{number}")
    right = {"username": "anna", "password": PASSWORD}
    locked = client.post(login, right, REMOTE_ADDR="2001:db8:1:2::9")
    elsewhere = client.post(login, right, REMOTE_ADDR="2001:db8:1:3::9")

    assert locked.status_code == 429
    assert elsewhere.status_code == 302


def test_thirty_wrong_names_lock_an_address_except_for_known_devices(client: Client):
    make_user("anna", password=PASSWORD)
    make_user("bernd", password=PASSWORD)
    login = at("account:login")
    client.post(login, {"username": "Anna", "password": PASSWORD})
    client.post(at("account:logout"))

    for number in range(30):
        tried = client.post(login, {"username": f"name-{number}", "password": "falsch"})
    paused = client.post(login, {"username": "bernd", "password": PASSWORD})
    again = client.post(login, {"username": "name-new", "password": "falsch"})
    counted = AccessAttempt.objects.count()
    known = client.post(login, {"username": "anna", "password": PASSWORD})
    right = {"username": "bernd", "password": PASSWORD}
    elsewhere = Client().post(login, right, REMOTE_ADDR="192.0.2.7")

    assert (tried.status_code, paused.status_code, again.status_code) == (200, 429, 429)
    assert "Aus diesem Netz kamen zu viele falsche Kennwörter" in paused.content.decode()
    assert counted == 30
    assert (known.status_code, elsewhere.status_code) == (302, 302)


def test_wrong_name_and_wrong_password_look_the_same(client: Client):
    make_user("anna", password=PASSWORD)
    login = at("account:login")

    wrong_name = client.post(login, {"username": "niemand", "password": PASSWORD})
    wrong_password = client.post(login, {"username": "anna", "password": "falsch"})

    sentence = "passen nicht zusammen"
    assert sentence in wrong_name.content.decode()
    assert sentence in wrong_password.content.decode()


def test_a_browser_in_a_third_language_gets_german(client: Client):
    answer = client.post(at("account:login"), {}, headers={"accept-language": "fr"})

    page = answer.content.decode()
    assert '<html lang="de">' in page
    assert "zwingend" in page
    assert "required." not in page


def test_inviting_shows_the_link_once_and_the_link_works(client: Client):
    tournament = make_tournament()
    client.force_login(make_member(tournament, Role.VERANSTALTER))
    url = at("account:roles", tournament)

    answer = client.post(url, {"name_": "Karla Otto", "role_": "kasse"})
    again = client.read(url)

    link = answer.context["link"]
    assert link in answer.content.decode()
    assert link not in again
    guest = Client()
    assert guest.post(link, NEW_ACCOUNT).status_code == 302
    assert User.objects.get(username="karla").memberships.get().role == Role.KASSE


def test_a_name_taken_concurrently_is_refused_with_a_message(
    client: Client, monkeypatch: pytest.MonkeyPatch
):
    token = accounts.make_setup_link(actor=COMMAND)
    make_user("karla", is_demo=True)
    monkeypatch.setattr(NewAccountForm, "clean_username", lambda _form: "karla")

    answer = client.post(at("account:setup", token), NEW_ACCOUNT)

    assert answer.status_code == 422
    assert "Diesen Anmeldenamen gibt es schon." in answer.content.decode()


def test_a_link_made_on_the_laptop_itself_works_on_other_devices(
    client: Client, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("tournaments.machine.addresses.lan_address", lambda: "192.168.1.7")
    tournament = make_tournament()
    client.force_login(make_member(tournament, Role.VERANSTALTER))
    url = at("account:roles", tournament)

    answer = client.post(
        url, {"name_": "Karla Otto", "role_": "kasse"}, headers={"host": "localhost:8000"}
    )

    assert answer.context["link"].startswith("http://192.168.1.7:8000/konto/einladung/")


@pytest.mark.usefixtures("with_mail")
@pytest.mark.parametrize("arrives", [True, False])
def test_an_invitation_survives_a_failed_mail(client: Client, settings: Any, arrives: bool):
    if not arrives:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "localhost", 1  # no server there
    tournament = make_tournament()
    client.force_login(make_member(tournament, Role.VERANSTALTER))
    sent = {"name_": "Karla", "role_": "kasse", "email": "karla@verein.example"}

    answer = client.post(at("account:roles", tournament), sent)

    assert ("ließ sich nicht versenden" in answer.content.decode()) is not arrives
    assert [message.to for message in mail.outbox] == [["karla@verein.example"]] * arrives
    assert all(answer.context["link"] in message.body for message in mail.outbox)
    link = answer.context["link"].partition("/konto/")
    assert Client().get("".join(link[1:])).status_code == 200


@pytest.mark.usefixtures("with_mail")
def test_no_name_starts_a_line_in_an_invitation_mail():
    broken = "Anna\r\n\r\nBcc: y\N{LINE SEPARATOR}https://falsch.example\N{RIGHT-TO-LEFT OVERRIDE}"
    head = make_user(name=broken)
    tournament = make_tournament(name="Gera Cup")
    Membership.objects.create(tournament=tournament, user=head, role=Role.VERANSTALTER)
    sent = {"name_": broken, "role_": "kasse", "email": "karla@verein.example"}

    logged_in(head).post(at("account:roles", tournament), sent)

    (told,) = mail.outbox
    line = "Anna Bcc: y https://falsch.example"
    assert told.body.startswith(
        f"Guten Tag {line},\n\n{line} lädt Sie ein, beim Turnier „Gera Cup“"
    )


def test_password_link_sets_a_new_password(client: Client):
    admin = make_user(is_admin=True)
    helper = make_user("helfer", password=PASSWORD)
    client.force_login(admin)
    link = client.post(at("account:password_link", helper.pk)).context["link"]

    guest = Client()
    form = guest.get(link, follow=True)
    new = {"new_password1": "Karo sieben gewinnt", "new_password2": "Karo sieben gewinnt"}
    guest.post(form.redirect_chain[-1][0], new)

    helper.refresh_from_db()
    assert helper.check_password("Karo sieben gewinnt")
    noted = JournalEntry.objects.get(action="password_link_made")
    assert (noted.actor, noted.subject_id) == (admin, helper.pk)


@pytest.mark.usefixtures("with_mail")
def test_a_password_link_is_reported_to_its_owner_and_the_organisers():
    operator, gera = make_user("betrieb", is_admin=True, name="Bodo Betrieb"), make_organiser()
    head = make_head(gera, name="Greta Kern", email="greta@verein.example")
    add_account(head, operator.organisers.get().organiser, Right.ALL)

    logged_in(operator).post(at("account:password_link", head.pk))
    seen = logged_in(make_head(gera)).read(at("account:journal", gera.pk))

    entries = JournalEntry.objects.filter(action="password_link_made").order_by("chain__scope")
    assert [entry.chain.scope for entry in entries] == ["installation", f"veranstalter-{gera.pk}"]
    (told,) = mail.outbox
    assert told.to == ["greta@verein.example"]
    assert f"für Ihr Konto „{head.username}“" in told.body
    assert "Bodo Betrieb" in told.body
    assert "kennwort-setzen" not in told.body
    assert "Link für ein neues Kennwort von Greta Kern erzeugt" in seen
    assert list(first_breaks()) == []


@pytest.mark.usefixtures("with_mail")
def test_a_link_for_the_own_account_sends_no_notice():
    operator = make_user(is_admin=True, email="betrieb@verein.example")

    logged_in(operator).post(at("account:password_link", operator.pk))

    assert mail.outbox == []


def test_a_locked_account_cannot_log_in(client: Client):
    helper = make_user("helfer", password=PASSWORD)
    client.force_login(make_user(is_admin=True))
    client.post(at("account:set_active", helper.pk), {"is_active": "0"})
    client.logout()

    answer = client.post(at("account:login"), {"username": "helfer", "password": PASSWORD})

    assert answer.status_code == 200
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize(
    "end",
    [
        pytest.param(lambda: Session.objects.update(expire_date=timezone.now()), id="expired"),
        pytest.param(lambda: User.objects.update(is_active=False), id="shut out"),
        pytest.param(lambda: User.objects.update(password="another"), id="other password"),
        pytest.param(lambda: Session.objects.all().delete(), id="logged out"),
    ],
)
def test_an_invalid_session_redirects_to_the_log_in(client: Client, end: Any):
    client.force_login(make_user())
    assert client.get(at("account:profile")).status_code == 200

    end()

    assert client.get(at("account:profile")).status_code == 302


def test_changing_the_password_keeps_this_device_logged_in(client: Client):
    user = make_user(password=PASSWORD)
    client.force_login(user)
    new = "Pik Dame fehlt immer"

    client.post(
        at("account:change_password"),
        {"old_password": PASSWORD, "new_password1": new, "new_password2": new},
    )

    user.refresh_from_db()
    assert user.check_password(new)
    assert client.get(at("account:profile")).status_code == 200


def test_a_lock_behind_a_proxy_is_for_one_device(client: Client, settings: Any):
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    make_user("anna", password=PASSWORD)
    login = at("account:login")

    for _try in range(5):
        client.post(
            login, {"username": "anna", "password": "falsch"}, HTTP_X_FORWARDED_FOR="198.51.100.7"
        )
    other = client.post(
        login, {"username": "anna", "password": PASSWORD}, HTTP_X_FORWARDED_FOR="198.51.100.8"
    )

    assert other.status_code == 302
