"""Finds controls that are named like a property of their form, which then is that control.

``<button name="remove">`` makes ``form.remove`` the button, so that a call of it, by our scripts or
htmx, fails. The properties of a form are read from the declarations of TypeScript.
"""

from __future__ import annotations

import importlib
import inspect
import os
import pkgutil
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import django

ROOT = Path(__file__).resolve().parent.parent
DECLARATIONS = "node_modules/@typescript/*/lib/lib.dom.d.ts"
INTERFACE = re.compile(r"^interface (\w+)(?: extends ([\w, ]+))? \{\n(.*?)^\}", re.M | re.S)
MEMBER = re.compile(r"^    (?:readonly |get |set )?(\w+)[?(<:]", re.M)
CONTROL = re.compile(r"<(?:button|fieldset|input|object|output|select|textarea)\b[^>]*>")
NAMED = re.compile(r'\s(?:name|id)="([^"{]+)"')
ADDED = re.compile(r'\.fields\["(\w+)"\] =')


def properties() -> set[str]:
    """Return the names of all properties and methods of a form in a browser."""
    text = next(ROOT.glob(DECLARATIONS)).read_text()
    above, members = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for name, parents, body in INTERFACE.findall(text):  # some stand there twice
        above[name] += re.findall(r"\w+", parents)
        members[name] += MEMBER.findall(body)
    names, todo = {"constructor", "toString", "valueOf"}, ["HTMLFormElement"]
    while todo:
        interface = todo.pop()
        names.update(members[interface])
        todo += above[interface]
    return names


def in_templates(reserved: set[str]) -> Iterator[str]:
    """Yield the controls of templates that have one of the *reserved* names."""
    for file in sorted((ROOT / "templates").rglob("*.html")):
        text = file.read_text()
        for control in CONTROL.finditer(text):
            for name in reserved.intersection(NAMED.findall(control[0])):
                line = text.count("\n", 0, control.start()) + 1
                yield f'{file.relative_to(ROOT)}:{line}: name="{name}"'


def in_forms(reserved: set[str]) -> Iterator[str]:
    """Yield the form fields whose controls have one of the *reserved* names."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "romme_site.settings")
    django.setup()
    from django.forms import BaseForm  # noqa: PLC0415 - only now

    import tournaments  # noqa: PLC0415 - only now

    for module in pkgutil.walk_packages(tournaments.__path__, "tournaments."):
        if "forms" in module.name.split("."):
            importlib.import_module(module.name)
    todo = [BaseForm]
    while todo:
        form = todo.pop()
        todo += form.__subclasses__()
        if not form.__module__.startswith("tournaments."):
            continue
        fields = [*getattr(form, "base_fields", ()), *ADDED.findall(inspect.getsource(form))]
        shown = SimpleNamespace(prefix=form.prefix)
        for field in fields:
            name = form.add_prefix(shown, field)  # type: ignore[arg-type]
            if name in reserved:
                yield f'{form.__module__}.{form.__qualname__}: name="{name}"'


def main() -> int:
    """Print controls with such a name; return whether there are any."""
    reserved = properties()
    wrong = [*in_templates(reserved), *in_forms(reserved)]
    for line in sorted(set(wrong)):
        print(f"{line} is a property of forms; call the control something else.")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
