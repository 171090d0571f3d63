"""What a Kennwort must be, and how it is kept: Django's way, in the words of this program.

Each check says what is wrong and what to do instead; what is checked stays Django's.
"""

from __future__ import annotations

from django.contrib.auth import password_validation
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.utils.translation import gettext as _


class OnOneCore(Argon2PasswordHasher):
    """Takes the time that Django asks for on one core, and leaves the others to the pages."""

    parallelism = 1


class UnlikeTheAccount(password_validation.UserAttributeSimilarityValidator):
    """Refuse a Kennwort that resembles the name of the account or of its owner."""

    def get_error_message(self) -> str:
        """Return what is wrong; ``%(verbose_name)s`` is what it resembles."""
        return _(
            "Das Kennwort ist der Angabe „%(verbose_name)s“ zu ähnlich. Bitte ein anderes wählen."
        )


class LongEnough(password_validation.MinimumLengthValidator):
    """Refuse a Kennwort with fewer characters than ``min_length``."""

    def get_error_message(self) -> str:
        """Return what is wrong and how many characters are needed."""
        return _("Das Kennwort ist zu kurz: Es braucht mindestens {number} Zeichen.").format(
            number=self.min_length
        )


class Uncommon(password_validation.CommonPasswordValidator):
    """Refuse a Kennwort of the list of those that everybody tries first."""

    def get_error_message(self) -> str:
        """Return what is wrong."""
        return _("Das Kennwort ist zu bekannt. Ein kurzer Satz ist sicherer und leicht zu merken.")


class NotOnlyDigits(password_validation.NumericPasswordValidator):
    """Refuse a Kennwort of digits alone."""

    def get_error_message(self) -> str:
        """Return what is wrong."""
        return _("Das Kennwort besteht nur aus Ziffern. Bitte auch Buchstaben verwenden.")
