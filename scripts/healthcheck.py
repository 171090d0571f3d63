"""Asks the running program for its start page: exit 0 if it answers, 1 if it does not.

The start page reads the database, so a program that has lost it counts as ill.
"""

from __future__ import annotations

import http.client
import os
import sys


def _host() -> str:
    """Return a host name that the program answers to."""
    first = os.environ.get("ALLOWED_HOSTS", "").split(",")[0].strip()
    return first.lstrip(".") if first not in {"", "*"} else "localhost"


def main() -> int:
    port = int(os.environ.get("PORT") or 8000)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=4)
    try:
        # As the proxy in front of it asks; otherwise the answer would be "use https".
        connection.request("GET", "/", headers={"Host": _host(), "X-Forwarded-Proto": "https"})
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as problem:
        print(f"Keine Antwort auf Anschluss {port}: {problem}")
        return 1
    print(f"Antwort: {status}")
    return 0 if status < 400 else 1


if __name__ == "__main__":
    sys.exit(main())
