"""An organiser with recognisable rows: by keys, and by marks in their texts."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.db import IntegrityError, connection, models, transaction

from tournaments.models import Club, Person, PersonImport, User

FIRST = 900_001  # the key of A's first row in every table: a number in a form that names A's thing
PRIVATE, LENT, ACCOUNT = MARKS = ("Zqprivat", "Zqlend", "Zqkonto")  # in all texts of A
# Texts that are for everybody, by model.
PUBLIC = {
    "Category": {"name"},
    "Draw": {"seed"},
    "Organiser": {"name"},
    "PrintedDocument": {"name"},
    "Screen": {"name", "message", "shows"},
    "Season": {"name", "table", "trophy"},
    "Team": {"name"},
    "Tournament": {"name", "venue", "venue_address", "organiser", "contact", "contact_email"}
    | {"contact_phone", "text", "account_holder", "wlan_name", "wlan_password"},  # of the hall
}
MARKED = {(Person, "first_name"): LENT, (Person, "last_name"): LENT, (Club, "name"): LENT}
MARKED |= dict.fromkeys(((User, "name"), (User, "email"), (User, "archived_as")), ACCOUNT)
NO_TEXT = re.compile(r"(hash|key|mac|digest|password|username|slug|scope|action|kind|type|bic)$")
MODELS = list(apps.get_app_config("tournaments").get_models(include_auto_created=True))
WRITTEN = re.compile(r'(?:INSERT INTO|UPDATE|DELETE FROM) "(\w+)"')


def number_from_here() -> None:
    """Give whatever is stored next the key FIRST, in every table."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM sqlite_sequence")
        for model in MODELS:
            cursor.execute(
                "INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)",
                [model._meta.db_table, FIRST - 1],
            )


def put_marks() -> None:
    """Put a mark into every non-public text of A."""
    for model in MODELS:
        texts = [
            field
            for field in model._meta.concrete_fields
            if isinstance(field, models.CharField | models.TextField)
            and not (field.choices or field.unique or NO_TEXT.search(field.name))
            and field.name not in PUBLIC.get(model.__name__, ())
        ]
        for row in model._base_manager.filter(pk__gte=FIRST) if texts else ():
            for field in texts:
                value = getattr(row, field.name)
                mark = f"{MARKED.get((model, field.name), PRIVATE)}{row.pk}"
                is_mail = isinstance(field, models.EmailField)
                setattr(row, field.name, f"{mark}@example.org" if is_mail else f"{value} {mark}")
                try:
                    with transaction.atomic():
                        row.save(update_fields=[field.name])
                except IntegrityError:  # the reason of a refusal
                    setattr(row, field.name, value)
            if isinstance(row, Person | Club):
                row.tidy()
                row.save()
    for file in PersonImport.objects.filter(pk__gte=FIRST):
        file.rows = [[number, [f"{cell} {PRIVATE}" for cell in row]] for number, row in file.rows]
        file.save()


class Rows:
    """All rows of A before an attack, compared with the rows after it."""

    def __init__(self) -> None:
        self.models = {model._meta.db_table: model for model in MODELS}
        self.before = {model: self.now(model) for model in MODELS}

    def now(self, model: type[models.Model]) -> dict[int, dict[str, Any]]:
        """Return the rows with a key from FIRST on: those of A, and new ones."""
        return {row["id"]: row for row in model._base_manager.filter(pk__gte=FIRST).values()}

    def changed(self, tables: set[str]) -> Iterator[str]:
        """Return the changes in these tables, and the new rows that refer to a row of A."""
        for model in filter(None, map(self.models.get, sorted(tables))):
            before, now = self.before[model], self.now(model)
            yield from (f"{model.__name__} {key}" for key in before if before[key] != now.get(key))
            for field in model._meta.concrete_fields:
                theirs = self.before.get(field.related_model, ())
                for key in now.keys() - before.keys() if theirs else ():
                    if now[key][field.attname] in theirs:
                        yield f"new {model.__name__} with a {field.name} of A"


def everything(answer: Any) -> str:
    """Return the content of an answer, including packed files."""
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    if body.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(body)) as packed:
            body = b"".join(map(packed.read, packed.namelist()))
    return f"{answer.headers}{answer.cookies}{body.decode('utf-8', 'replace')}"
