"""Who asks: session and account, by statements that are built once.

Every page of the staff needs both, and open ones ask every few seconds. Django takes four times
as long to build such a statement as to read its row.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from tournaments.models import User
from tournaments.models.prepared import Prepared

_SESSION = Prepared(lambda key: Session.objects.filter(session_key=key))
_USER = Prepared(lambda key: User.objects.filter(pk=key))


class SessionStore(db.SessionStore):
    """Django's sessions in the database."""

    def _get_session_from_db(self) -> Session | None:
        found = _SESSION.first(self.session_key or "")
        if found is not None and found.expire_date > timezone.now():
            return found
        self._session_key = None
        return None


class Accounts(ModelBackend):
    """Django's accounts in the database."""

    def get_user(self, user_id: Any) -> User | None:
        """Return the account with a key, if it may be used."""
        found = _USER.first(user_id)
        return found if found is not None and self.user_can_authenticate(found) else None
