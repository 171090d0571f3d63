"""Who asks: session and account, by statements that are built once.

Every page of the staff needs both, and open ones ask every few seconds. Django takes four times
as long to build such a statement as to read its row.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.backends import ModelBackend
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from tournaments.models import Membership, User
from tournaments.models.prepared import Prepared

_SESSION = Prepared(lambda key: Session.objects.filter(session_key=key))
_USER = Prepared(lambda key: User.objects.filter(pk=key))
_ROLES = Prepared(
    lambda user, tournament: Membership.objects.filter(
        user_id=user, user__is_active=True, tournament_id=tournament
    ).values_list("user__password", "role")
)


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


def roles_by_session(session: str, tournament_id: int) -> frozenset[str]:
    """Return the roles in a tournament of whoever has a session; 1 query.

    Args:
        session: as it is stored now, and not yet over.
        tournament_id: of the tournament.

    None are there, too, where the long way has to look: the account may not be used any more, or
    has another password than when it logged in.
    """
    user_id, password = _account_in(session)
    found = _ROLES.rows(user_id, tournament_id)
    if not found or not constant_time_compare(password, _stamp_of(found[0][0])):
        return frozenset()
    return frozenset(role for _password, role in found)


# What the same text says is the same again.
@lru_cache(maxsize=200)
def _account_in(session: str) -> tuple[int, str]:
    """Return key and stamp of the password of the account that a session names; 0 for none."""
    data = SessionStore().decode(session)
    if data.get(BACKEND_SESSION_KEY) not in settings.AUTHENTICATION_BACKENDS:
        return 0, ""
    return int(data[SESSION_KEY]), data.get(HASH_SESSION_KEY, "")


@lru_cache(maxsize=200)
def _stamp_of(password: str) -> str:
    """Return what a session keeps of a password, by its hash."""
    return User(password=password).get_session_auth_hash()
