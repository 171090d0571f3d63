"""A browser for the tests: ``def test_x(page, live_server): page.goto(live_server.url)``.

``page`` is new for each test, speaks German, and fails the test when the browser
complained: an error in the console, a script that failed, a 5xx answer, a static file that is
missing, anything loaded from another host. ``guard.allow("ERR_INTERNET_DISCONNECTED")``
expects one. ``check_look(page)`` from ``tests.e2e.browser`` measures a page.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from scripts.system import find_chromium
from tests.e2e.browser import HERE, Guard

if TYPE_CHECKING:
    from collections.abc import Iterator


# The synchronous browser runs an event loop in the tests' thread. Django would refuse to
# touch the database there, though nothing runs at the same time.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

OPTIONS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Requests to other hosts fail, and the console reports them.
    f"--host-resolver-rules=MAP * ~NOTFOUND, {', '.join(f'EXCLUDE {host}' for host in HERE)}",
]
# The processes of the browser share memory on disk by default, as it is small in some containers.
# Where there is plenty, shared memory is quicker.
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - looked at, not written to
PLENTY = 2**30
# No user waits that long for a page; a busy machine may be that slow.
PATIENCE_MS = 60_000


def be_patient(context: BrowserContext) -> None:
    """Let whatever is waited for in these windows take its time."""
    context.set_default_timeout(PATIENCE_MS)
    expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests: the system's, or else the one that came with Playwright."""
    options = [*OPTIONS]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--no-sandbox")
    has_plenty = SHARED_MEMORY.is_dir() and shutil.disk_usage(SHARED_MEMORY).free > PLENTY
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(),
            args=options,
            ignore_default_args=["--disable-dev-shm-usage"] if has_plenty else None,
        )
        yield browser
        browser.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser as on a fresh device; a second device is ``browser.new_context()``."""
    context = browser.new_context(
        locale="de-DE", timezone_id="Europe/Berlin", viewport={"width": 1360, "height": 900}
    )
    be_patient(context)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """One window of that browser."""
    return context.new_page()


@pytest.fixture(autouse=True)
def guard(request: pytest.FixtureRequest) -> Iterator[Guard | None]:
    """Fail the test when the browser complained; autouse, so that no test forgets it."""
    if "page" not in request.fixturenames:
        yield None
        return
    guard = Guard(request.getfixturevalue("page"))
    yield guard
    complaints = guard.complaints()
    assert not complaints, "\n".join(complaints)
