"""Django's test client; it sends a form key with each form, as a browser does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import test
from django.test.client import MULTIPART_CONTENT
from django.urls import reverse

from tournaments.common.submissions import new_form_key
from tournaments.models import User
from tournaments.web.idempotency import FIELD


def at(name: str, *keys: Any) -> str:
    """Return the URL of a view; a tournament is given by its slug."""
    return reverse(name, args=[getattr(key, "slug", key) for key in keys])


class Client(test.Client):
    """The fixture ``client`` is one of these, too."""

    def post(
        self,
        path: Any,
        data: Any = None,
        content_type: str = MULTIPART_CONTENT,
        *others: Any,
        **more: Any,
    ) -> Any:
        """Add a new key to a form without one; an empty one stays empty."""
        is_form = content_type == MULTIPART_CONTENT and (data is None or isinstance(data, Mapping))
        if is_form and FIELD not in (data or {}):
            data = {**dict(data or {}), FIELD: new_form_key()}
        return super().post(path, data, content_type, *others, **more)

    def read(self, path: Any, *others: Any, **more: Any) -> str:
        """Return the text of a page, undecoded HTML included."""
        return self.get(path, *others, **more).content.decode()


def logged_in(user: User) -> Client:
    """Return a client logged in as this account."""
    client = Client()
    client.force_login(user)
    return client


def plain(answer: Any) -> str:
    """The source of a page with single spaces."""
    return " ".join(answer.content.decode().replace("\N{NO-BREAK SPACE}", " ").split())
