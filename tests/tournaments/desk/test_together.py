"""A family pays together: one sum, one receipt, and each person's own share in the book."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.clients import Client, at
from tests.factories import COMMAND, make_member, make_person, make_registration, make_tournament
from tests.worlds import world
from tournaments.cash.queries import balances
from tournaments.cash.services.reversals import reverse_receipt
from tournaments.common.errors import TournamentError
from tournaments.desk.services.changes import withdraw
from tournaments.desk.services.registrations import Payment, pay, register
from tournaments.models import Registration, Role, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Status = Registration.Status


def soon() -> Tournament:
    """A tournament that starts in two hours and takes a Kaution."""
    now = timezone.now()
    return make_tournament(
        starts_at=now + timedelta(hours=2),
        refund_until=now + timedelta(hours=1),
        kaution_cents=500,
    )


tournament = world(soon)


@pytest.fixture
def family(tournament: Tournament) -> list[Registration]:
    """Return three unpaid registrations."""
    names = ("Anna", "Ben", "Clara")
    people = [make_person(name, "Kühn") for name in names]
    return [make_registration(tournament, person, status=Status.REGISTERED) for person in people]


def pay_together(family: list[Registration]):
    return pay(
        COMMAND,
        family[-1].pk,
        payment=Payment(together=[registration.pk for registration in family]),
        is_here=True,
    )


def status_of(family: list[Registration]) -> set[str]:
    for registration in family:
        registration.refresh_from_db()
    return {registration.status for registration in family}


def test_one_receipt_has_the_share_of_each(tournament: Tournament, family: list[Registration]):
    receipt = pay_together(family)

    assert receipt.payer == "Anna Kühn, Ben Kühn, Clara Kühn"
    assert list(receipt.entries.values_list("registration", "kind", "amount_cents")) == [
        (registration.pk, kind, cents)
        for registration in family
        for kind, cents in (("startgeld", 1500), ("kaution", 500))
    ]
    assert status_of(family) == {Status.PAID}
    assert all(registration.present_at for registration in family)
    assert balances.till_cents(tournament) == 6000


def test_reversing_a_shared_receipt_reverses_all_shares(
    tournament: Tournament, family: list[Registration]
):
    receipt = pay_together(family)

    reverse_receipt(COMMAND, receipt.pk, reason="falsch gewechselt")

    assert status_of(family) == {Status.REGISTERED}
    assert balances.till_cents(tournament) == 0


def test_a_withdrawal_refunds_the_own_share(tournament: Tournament, family: list[Registration]):
    pay_together(family)

    withdraw(COMMAND, family[1].pk)

    assert [balances.paid_cents(registration) for registration in family] == [1500, 0, 1500]
    assert balances.till_cents(tournament) == 4500


def test_people_without_dues_are_registered_with_the_family(family: list[Registration]):
    tournament = family[0].tournament
    Tournament.objects.update(kaution_cents=0)
    free = tournament.categories.create(name="Kinder", startgeld_cents=0, position=2)

    child = register(
        COMMAND,
        tournament.pk,
        person_id=make_person("Dora", "Kühn").pk,
        category=free,
        payment=Payment(together=[registration.pk for registration in family]),
    )

    assert status_of([*family, child]) == {Status.PAID}
    assert tournament.receipts.get().entries.count() == 3


def test_a_family_is_refused_whole_if_another_desk_paid_one_of_them(
    client: Client, tournament: Tournament, family: list[Registration]
):
    client.force_login(make_member(tournament, Role.KASSE))
    pay(COMMAND, family[0].pk, payment=Payment())
    last = make_person("Dora", "Kühn")

    answer = client.post(
        at("desk:register", tournament),
        {"person": last.pk, "mit": ",".join(str(registration.pk) for registration in family)},
    )

    assert answer.status_code == 409
    assert "Für Anna Kühn ist nichts mehr offen. Beleg 1" in answer.content.decode()
    assert answer.context["together"]["keys"] == [family[1].pk, family[2].pk]
    assert tournament.receipts.count() == 1
    assert not last.registrations.exists()


def test_joint_payments_need_one_tournament(tournament: Tournament, family: list[Registration]):
    stranger = make_registration(make_tournament(), status=Status.REGISTERED)

    with pytest.raises(TournamentError, match="in diesem Turnier nicht gemeldet"):
        pay_together([stranger, *family])

    assert tournament.receipts.count() == 0


@pytest.mark.parametrize("typed", ["x", "9" * 20, "0", ",,"])
def test_invalid_keys_in_the_url_pay_for_nobody(client: Client, tournament: Tournament, typed: str):
    client.force_login(make_member(tournament, Role.KASSE))

    answer = client.get(at("desk:desk", tournament), {"mit": typed})

    assert answer.context["together"] is None
