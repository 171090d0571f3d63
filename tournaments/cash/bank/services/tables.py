"""Reading the CSV of a bank, by known headings or by columns that were chosen once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from stdnum import iban

from tournaments.cash.bank.services.statements import (
    CURRENCY,
    PURPOSE_LENGTH,
    Statement,
    Transfer,
    UnreadableStatement,
    cents,
    purpose_of,
    remitter_of,
    tidy,
)
from tournaments.common import names
from tournaments.common.errors import TournamentError
from tournaments.machine.columns import ROWS_ABOVE_HEADINGS, Headings, duplicate_target, headings_of
from tournaments.machine.hashes import hash_of
from tournaments.machine.sheets import Row
from tournaments.models import KnownColumns, PersonImport, Tournament, User
from tournaments.people.services.importing import delete_old_files

# The targets of a column, in the order in which a page offers them.
TARGETS = {
    "day": gettext_lazy("Buchungstag"),
    "amount": gettext_lazy("Betrag"),
    "remitter": gettext_lazy("Auftraggeber"),
    "purpose": gettext_lazy("Verwendungszweck"),
    "sign": gettext_lazy("Soll oder Haben"),
    "currency": gettext_lazy("Währung"),
    "status": gettext_lazy("gebucht oder vorgemerkt"),
    "account": gettext_lazy("eigenes Konto (IBAN)"),
}
LEAST_COLUMNS = 3

# Of Sparkasse, Volksbank, DKB, ING, comdirect, Postbank, Deutsche Bank and N26.
_HEADINGS = Headings(
    {
        "day": "buchungstag, buchungsdatum, buchung, datum, booking date",
        "amount": "betrag, umsatz, haben, amount",
        "remitter": (
            "beguenstigter, zahlungspflichtige, zahlungspflichtiger, auftraggeber, "
            "name zahlungsbeteiligter, name, partner name"
        ),
        "purpose": "verwendungszweck, vorgang verwendungszweck, payment reference",
        "sign": "soll haben, s h",
        "currency": "waehrung, currency",
        "status": "status, info",
        "account": "auftragskonto, iban auftragskonto",
    }
)
_TEXT = "buchungstext"  # the purpose, of a bank that has no column for it
_PENDING = re.compile(r"vorgemerkt|vormerkung|offen|pending", re.IGNORECASE)
_DAYS = ("%d.%m.%Y", "%d.%m.%y", "%Y-%m-%d", "%d/%m/%Y")
_AMOUNTS = (
    re.compile(r"([+-]?)(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{1,2}))?([+-]?)"),
    re.compile(r"([+-]?)(\d{1,3}(?:,\d{3})+|\d+)\.(\d{1,2})([+-]?)"),
)
# comdirect writes all of it into one column.
_ALL_IN_ONE = re.compile(r"Auftraggeber: ?(.*?) ?Buchungstext: ?(.*)")


class UnknownColumns(UnreadableStatement):
    """A table whose columns are not recognised and must be chosen."""

    def __init__(self, rows: list[Row]) -> None:
        super().__init__(_("Bei dieser Datei ist nicht zu erkennen, was in welcher Spalte steht."))
        self.rows = rows


def read(rows: list[Row], known: Mapping[str, list[str]]) -> Statement:
    """Return the booked credits of a bank's table.

    Args:
        rows: of the table, including the lines above the headings.
        known: the columns that were chosen once, by the hash of their headings.

    Raises:
        UnknownColumns: if neither the headings nor a stored choice tell the columns.
        UnreadableStatement: if a day or an amount cannot be read.
    """
    for number, cells in rows[:ROWS_ABOVE_HEADINGS]:
        if columns := known.get(_hash(cells)):
            return _statement(rows, number, columns)
    number = _HEADINGS.row(rows, {"amount"})
    columns = guess(headings_of(rows, number)) if number else []
    if _is_incomplete(columns):
        raise UnknownColumns(rows)
    return _statement(rows, number, columns)


def guess(headings: Sequence[str]) -> list[str]:
    """Return the target of each column by its heading, "" for unknown ones.

    >>> guess(["Buchungstag", "Vorgang", "Buchungstext", "Umsatz in EUR"])
    ['day', '', 'purpose', 'amount']
    """
    targets = _HEADINGS.guess(headings)
    if "purpose" not in targets:
        keys = [names.sort_key(heading) for heading in headings]
        targets = [
            "purpose" if key == _TEXT else target for key, target in zip(keys, targets, strict=True)
        ]
    return targets


def known_columns() -> dict[str, list[str]]:
    """Return the columns that were chosen once, by the hash of their headings."""
    return dict(KnownColumns.objects.values_list("headings", "columns"))


def store_draft(
    tournament: Tournament, user: User, rows: list[Row], file_name: str
) -> PersonImport:
    """Keep a table while its columns are chosen."""
    delete_old_files()
    number = _HEADINGS.row(rows, TARGETS) or rows[0][0]
    limit = PersonImport._meta.get_field("file_name").max_length
    return PersonImport.objects.create(
        tournament=tournament,
        owner_id=tournament.owner_id,
        created_by=user,
        file_name=file_name[-(limit or 0) :],
        rows=rows,
        choices={"heading_row": number, "columns": guess(headings_of(rows, number))},
    )


def read_by_columns(draft: PersonImport, heading_row: int, columns: list[str]) -> Statement:
    """Return the booked credits, and remember the columns by their headings.

    Raises:
        TournamentError: if a column is missing or chosen twice, or a row cannot be read.
    """
    if target := duplicate_target(columns):
        raise TournamentError(
            _("„{target}“ ist für zwei Spalten gewählt. Bitte nur eine davon auswählen.").format(
                target=TARGETS[target]
            )
        )
    if _is_incomplete(columns):
        raise TournamentError(
            _("Es braucht Buchungstag, Betrag, und Auftraggeber oder Verwendungszweck.")
        )
    statement = _statement(draft.rows, heading_row, columns)
    for number, cells in draft.rows:
        if number == heading_row:
            KnownColumns.objects.update_or_create(
                headings=_hash(cells), defaults={"columns": columns}
            )
    return statement


def _is_incomplete(columns: Sequence[str]) -> bool:
    return not ({"day", "amount"} <= {*columns} and {"remitter", "purpose"} & {*columns})


def _hash(headings: Sequence[str]) -> str:
    return hash_of([names.sort_key(heading) for heading in headings])


def _statement(rows: Sequence[Row], heading_row: int, columns: Sequence[str]) -> Statement:
    statement = Statement()
    for number, cells in rows:
        if number > heading_row:
            cells_by_target = {
                name: cell for name, cell in zip(columns, cells, strict=False) if name
            }
            try:
                _add(statement, cells_by_target)
            except UnreadableStatement as problem:
                raise UnreadableStatement(
                    _("Zeile {number}: {problem}").format(number=number, problem=problem)
                ) from problem
    return statement


def _add(statement: Statement, cells: Mapping[str, str]) -> None:
    if not cells.get("day") or not cells.get("amount"):
        return  # a total, or a note of the bank
    if any(_PENDING.search(cells.get(name, "")) for name in ("status", "day")):
        statement.pending += 1
        return
    amount_cents = _amount(cells["amount"])
    account = iban.compact(cells.get("account", ""))
    if iban.is_valid(account):
        statement.accounts.add(account)
    if amount_cents < 0 or cells.get("sign", "").upper().startswith("S"):
        statement.debits += 1
    elif cells.get("currency", "").upper() not in {"", "€", CURRENCY}:
        statement.foreign += 1
    else:
        statement.transfers.append(_transfer(cells, amount_cents))


def _transfer(cells: Mapping[str, str], amount_cents: int) -> Transfer:
    remitter, purpose = cells.get("remitter", ""), cells.get("purpose", "")
    if not remitter and (parts := _ALL_IN_ONE.fullmatch(purpose)):
        remitter, purpose = parts.groups()
    return Transfer(
        booked_on=_day(cells["day"]),
        amount_cents=amount_cents,
        remitter=remitter_of(remitter),
        purpose=tidy(purpose_of(purpose), length=PURPOSE_LENGTH),
    )


def _day(text: str) -> date:
    for form in _DAYS:
        try:
            return datetime.strptime(text[:10], form).date()  # noqa: DTZ007 - a day only
        except ValueError:
            continue
    raise UnreadableStatement(
        _("Ein Buchungstag im Auszug ist nicht zu lesen: {day}").format(day=text[:40])
    )


def _amount(text: str) -> int:
    bare = re.sub(r"\s|€|EUR", "", text.replace("\N{MINUS SIGN}", "-"))
    match = next(filter(None, (pattern.fullmatch(bare) for pattern in _AMOUNTS)), None)
    if match is None:
        raise UnreadableStatement(
            _("Ein Betrag im Auszug ist nicht zu lesen: {amount}").format(amount=text[:40])
        )
    before, whole, part, after = match.groups()
    amount = cents(Decimal(f"{re.sub('[.,]', '', whole)}.{part or 0}"))
    return -amount if "-" in {before, after} else amount
