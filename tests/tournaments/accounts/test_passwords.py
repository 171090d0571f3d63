"""Requirements of a Kennwort, in the words of this program."""

from __future__ import annotations

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from tournaments.models import User


@pytest.mark.parametrize(
    ("password", "says"),
    [
        ("acht Asse", "Das Kennwort ist zu kurz: Es braucht mindestens 10 Zeichen."),
        ("1234567890", "Das Kennwort besteht nur aus Ziffern. Bitte auch Buchstaben verwenden."),
        (
            "password123",
            "Das Kennwort ist zu bekannt. Ein kurzer Satz ist sicherer und leicht zu merken.",
        ),
        (
            "erika.brandt",
            "Das Kennwort ist der Angabe „Anmeldename“ zu ähnlich. Bitte ein anderes wählen.",
        ),
    ],
)
def test_a_refused_password_has_a_german_message_with_a_remedy(password: str, says: str):
    user = User(username="erika.brandt", name="Erika")

    with pytest.raises(ValidationError) as refusal:
        validate_password(password, user)

    assert says in refusal.value.messages


def test_a_short_sentence_is_accepted_as_a_password():
    validate_password("acht alte Asse", User(username="erika.brandt", name="Erika"))
