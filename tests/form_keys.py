"""Django's test client sends what a browser would: the key of a form with each form."""

from __future__ import annotations

from collections.abc import Mapping
from functools import wraps
from typing import Any

from django.test.client import MULTIPART_CONTENT, Client

from tournaments.common.submissions import new_form_key
from tournaments.web.counting import FIELD


def let_clients_send_keys() -> None:
    """Put a fresh key to every form that does not bring its own; an empty one stays empty."""
    post = Client.post

    @wraps(post)
    def with_key(
        self: Client,
        path: str,
        data: Any = None,
        content_type: str = MULTIPART_CONTENT,
        **more: Any,
    ) -> Any:
        is_form = content_type == MULTIPART_CONTENT and (data is None or isinstance(data, Mapping))
        if is_form and FIELD not in (data or {}):
            data = {**dict(data or {}), FIELD: new_form_key()}
        return post(self, path, data, content_type, **more)

    Client.post = with_key  # type: ignore[assignment, method-assign]
