"""What reaches into the insides of another package is found, and what is public is not."""

from __future__ import annotations

import pytest

from scripts.bent import found_in


@pytest.mark.parametrize(
    "source",
    [
        "from django.db import connection\nconnection._prepare_cursor()",
        (
            "from django.contrib.messages import get_messages\n"
            "getattr(get_messages(request), '_queued_messages')"
        ),
        "from granian._internal import load_target",
        "import granian._internal",
        "import runpy",
        "import argparse\nvars(argparse)['_'] = print",
        "from weasyprint.layout import inline\ninline.split_first_line = print",
        "from weasyprint import layout\nlayout.inline.split_first_line = print",
        "from weasyprint import draw\nsetattr(draw, 'draw_line', print)",
        "def fit(code):\n    return code.replace(co_stacksize=9000)",
        (
            "from weasyprint import HTML\n"
            "class Page(HTML):\n    def _ua_stylesheets(self):\n        return []"
        ),
        (
            "import argparse\nclass Help(argparse.HelpFormatter):\n"
            "    def _fill_text(self, text):\n        return super()._fill_text(text)"
        ),
        "rows.query.klass_info",
    ],
)
def test_what_is_bent_is_found(source: str):
    assert found_in(source)


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
def test_what_is_public_or_our_own_is_not(source: str):
    assert not found_in(source)
