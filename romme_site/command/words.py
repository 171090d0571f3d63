"""What every command of ours has in common: how its words are read."""

from __future__ import annotations

from argparse import ArgumentParser


def parser(name: str, description: str) -> ArgumentParser:
    """Return what reads the words after a command."""
    prog = f"romme-turnier {name}".strip()
    return ArgumentParser(prog=prog, description=description, allow_abbrev=False)
