"""Uses of private names of other packages are found, by Ruff or by the script."""

from __future__ import annotations

import subprocess
import sys

import pytest

from scripts.private_names import ROOT, findings_in

RUFF = (sys.executable, "-m", "ruff", "check", "--output-format", "concise", "--stdin-filename")


@pytest.mark.parametrize("folder", ["tournaments", "tests"])
@pytest.mark.parametrize(
    ("source", "rule"),
    [
        ("from django.db import connection\nconnection._prepare_cursor()", "SLF001"),
        ("import granian._internal\ngranian._internal.load_target()", "SLF001"),
        ("getattr(request, '_queued_messages')", "B009"),
        ("from weasyprint import draw\nsetattr(draw, 'draw_line', print)", "B010"),
        ("import runpy", "TID251"),
    ],
)
def test_violations_known_to_ruff_are_left_to_it(folder: str, source: str, rule: str):
    ruff = subprocess.run(
        (*RUFF, f"{folder}/sample.py", "-"),
        cwd=ROOT,
        input=source,
        capture_output=True,
        text=True,
        check=False,
    )

    assert f" {rule} " in ruff.stdout


@pytest.mark.parametrize(
    "source",
    [
        "from granian._internal import load_target",
        "import argparse\nvars(argparse)['_'] = print",
        "from weasyprint.layout import inline\ninline.split_first_line = print",
        "from weasyprint import layout\nlayout.inline.split_first_line = print",
        "from weasyprint import draw\ndel draw.draw_line",
        "def fit(code):\n    return code.replace(co_stacksize=9000)",
        (
            "from weasyprint import HTML\n"
            "class Page(HTML):\n    def _ua_stylesheets(self):\n        return []"
        ),
        (
            "import argparse\nclass Help(argparse.HelpFormatter):\n"
            "    def _fill_text(self, text):\n        return super()._fill_text(text)"
        ),
        "class Page(HTML):\n    def styles(self):\n        return self._ua_stylesheets()",
        "rows.query.klass_info",
    ],
)
def test_use_of_internals_is_found(source: str):
    assert findings_in(source)


@pytest.mark.parametrize(
    "source",
    [
        "from django.utils.translation import gettext as _\n_('Tisch')",
        "def read(model):\n    return model._meta.pk",
        (
            "class Own:\n    def __init__(self):\n        self._at = 1\n\n"
            "    def at(self):\n        return self._at"
        ),
        (
            "from django.core.files.storage import Storage\n"
            "class Files(Storage):\n    def _save(self, name, content):\n        return name"
        ),
        "from scoring import texts\ntexts.translator = print",
        "import os\nos.environ['PORT'] = '8000'\nos.environ |= {'HOST': ''}",
        "from tournaments.web.cached_answers import _kept",
        "getattr(view, 'access', None)",
    ],
)
def test_public_and_own_names_are_accepted(source: str):
    assert not findings_in(source)
