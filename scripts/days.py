"""Plays random days for a night, or repeats one failed walk (``tests/agreement``).

    .venv/bin/python -m scripts.days 500
    .venv/bin/python -m scripts.days --again 'lists:7 / enter_game|Serie 1, Tisch 2|4711|'

It prints the number of days, the frequency of each act, and the results.
"""

from __future__ import annotations

import os
import sys

import pytest

SEED = 1000  # those of ``make test`` come before


def main() -> int:
    walk = sys.argv[sys.argv.index("--again") + 1] if "--again" in sys.argv else ""
    days = "0" if walk else next(filter(str.isdigit, sys.argv[1:]), "20")
    os.environ |= {"DAYS": days, "AGAIN": walk, "FIRST_DAY": os.environ.get("SEED", str(SEED))}
    return pytest.main(["tests/agreement/test_walks.py", "-n", "0", "-q", "-s", "--tb=short"])


if __name__ == "__main__":
    sys.exit(main())
