"""Buttons that print documents, on every page where one is needed.

A page names the documents and the values it knows: a Serie, a table, a start number. Missing
values are fields beside the button. Accounts that may not print a document see no button.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import template
from django.template.context import Context

from tournaments.models import Tournament
from tournaments.printing.base import Document
from tournaments.printing.documents import DOCUMENTS
from tournaments.printing.forms import OPTIONAL_PARAMETERS, Choices, PrintForm, paper_of

register = template.Library()


@register.inclusion_tag("components/print_document.html", takes_context=True)
def print_document(
    context: Context,
    name: str,
    *,
    label: str = "",
    about: str = "",
    css: str = "button outline",
    **asked: object,
) -> dict[str, Any]:
    """Show the button that prints one document as a PDF in a new window.

    Args:
        context: of a staff page; it has the current role.
        name: of the document, as in ``printing.documents``.
        label: of the button; by default that of the document.
        about: the person or thing that the label leaves out, for screen readers.
        css: classes of the button.
        asked: the values that the page knows; blank values and 0 mean all.

    ``{% print_document "startkarten" number=registration.number label=_("Startkarte") %}``
    """
    buttons = _buttons(context, [name], asked)
    return {
        "tournament": context["tournament"],
        "button": buttons[0] if buttons else None,
        "label": label,
        "about": about,
        "css": css,
    }


@register.inclusion_tag("components/print_menu.html", takes_context=True)
def print_menu(
    context: Context, names: str, *, is_there: object = False, **asked: object
) -> dict[str, Any]:
    """Show one button that unfolds into several, to save room on phones.

    Each of the documents in *names* takes its values from *asked*. A part that is swapped into a
    page keeps the menu of the page, so with *is_there* none is rendered.

    ``{% print_menu "sitzplan-namen sitzplan-tische druckpaket" serie=serie.number %}``
    """
    if is_there and len(_for_role(context, names.split())) > 1:
        return {"is_there": True}
    return {
        "tournament": context["tournament"],
        "buttons": _buttons(context, names.split(), asked),
    }


def _for_role(context: Context, names: Iterable[str]) -> list[Document]:
    roles: frozenset[str] = context.get("roles") or frozenset()
    return [document for name in names if (document := DOCUMENTS[name]).roles & roles]


def _buttons(
    context: Context, names: Sequence[str], asked: Mapping[str, object]
) -> list[dict[str, Any]]:
    """Return the buttons of the documents that the current role may print.

    Raises:
        KeyError: if there is no such document.
        TypeError: if a given value belongs to none of the documents.
    """
    if unknown := asked.keys() - {each for name in names for each in DOCUMENTS[name].asks}:
        raise TypeError(f"no document here asks for {', '.join(sorted(unknown))}")
    known = {name: value for name, value in asked.items() if value}
    if "request" in context:
        known |= {"paper": chosen} if (chosen := paper_of(context["request"])) else {}
    return [
        _button(document, known, context["tournament"]) for document in _for_role(context, names)
    ]


def _button(
    document: Document, known: Mapping[str, object], tournament: Tournament
) -> dict[str, Any]:
    """Return a document, the values that the page knows, and fields for the missing ones."""
    missing = [
        name for name in document.asks if name not in known and name not in OPTIONAL_PARAMETERS
    ]
    # Only missing values become fields, because choices of the others need not be read.
    form = PrintForm(document, Choices(tournament), only=missing)
    return {
        "document": document,
        "asked": {name: known[name] for name in document.asks if name in known},
        "fields": list(form),
    }
