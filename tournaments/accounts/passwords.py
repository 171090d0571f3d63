"""Password validators and the password hasher.

The checks are those of Django with other messages.
"""

from __future__ import annotations

from django.contrib.auth import password_validation
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.utils.translation import gettext as _


class OneCoreArgon2Hasher(Argon2PasswordHasher):
    """Argon2 with Django's cost on one core; the other cores stay free for pages."""

    parallelism = 1


class AccountSimilarityValidator(password_validation.UserAttributeSimilarityValidator):
    """Refuse a Kennwort that resembles the name of the account or of its owner."""

    def get_error_message(self) -> str:
        """Return the message; ``%(verbose_name)s`` is the field that the Kennwort resembles."""
        return _(
            "Das Kennwort ist der Angabe „%(verbose_name)s“ zu ähnlich. Bitte ein anderes wählen."
        )


class LengthValidator(password_validation.MinimumLengthValidator):
    """Refuse a Kennwort with fewer characters than ``min_length``."""

    def get_error_message(self) -> str:
        """Return the message with the number of characters needed."""
        return _("Das Kennwort ist zu kurz: Es braucht mindestens {number} Zeichen.").format(
            number=self.min_length
        )


class CommonPasswordValidator(password_validation.CommonPasswordValidator):
    """Refuse a Kennwort of Django's list of common passwords."""

    def get_error_message(self) -> str:
        """Return the message."""
        return _("Das Kennwort ist zu bekannt. Ein kurzer Satz ist sicherer und leicht zu merken.")


class NumericPasswordValidator(password_validation.NumericPasswordValidator):
    """Refuse a Kennwort of digits alone."""

    def get_error_message(self) -> str:
        """Return the message."""
        return _("Das Kennwort besteht nur aus Ziffern. Bitte auch Buchstaben verwenden.")
