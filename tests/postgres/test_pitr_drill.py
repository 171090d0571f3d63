"""The recovery drill of docs/operating.md works."""

from __future__ import annotations

import pytest

from scripts import pitr_drill


def test_a_cluster_is_restored_to_the_moment_before_a_mistake(capfd: pytest.CaptureFixture[str]):
    assert pitr_drill.main() == 0

    assert "das Protokoll stimmt" in capfd.readouterr().out
