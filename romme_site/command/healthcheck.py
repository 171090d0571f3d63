"""Ask the running program whether it is ready: exit 0 if it is, 1 if it is not.

A program without a connection to its database is not ready.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from romme_site.command.arguments import parser
from romme_site.command.language import gettext as _


def main(words: Sequence[str]) -> int:
    """Query the program, and print its answer."""
    parser("healthcheck").parse_args(words)
    import http.client  # noqa: PLC0415 - it would slow down every start of the program
    import ssl  # noqa: PLC0415

    from romme_site import env  # noqa: PLC0415

    host, port = "127.0.0.1", int(os.environ.get("PORT") or 8000)
    connection = http.client.HTTPConnection(host, port, timeout=4)
    if env.TLS is not None:
        trusting = ssl.create_default_context()
        trusting.check_hostname = False  # the certificate may have any name
        trusting.verify_mode = ssl.CERT_NONE
        connection = http.client.HTTPSConnection(host, port, timeout=4, context=trusting)
    try:
        connection.request("GET", "/readyz")
        answer = connection.getresponse()
        text = answer.read().decode().strip()
    except (OSError, http.client.HTTPException) as problem:
        text = _("Keine Antwort auf Port {port}: {problem}")
        print(text.format(port=port, problem=problem))
        return 1
    print(_("Antwort: {status} {said}").format(status=answer.status, said=text))
    return 0 if answer.status == http.client.OK else 1
