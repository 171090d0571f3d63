"""``force_login`` of Django's test client gives an account a session, and does nothing else.

Django goes the whole way of a log-in, with the pauses after wrong passwords: a dozen statements in
front of every second test of pages. Tests of logging in use the page.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client


def let_clients_log_in_at_once() -> None:
    """Replace ``force_login``; call once per process."""
    Client.force_login = _force_login  # type: ignore[assignment,method-assign]


def _force_login(self: Client, user: AbstractBaseUser) -> None:
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[-1]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    self.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
