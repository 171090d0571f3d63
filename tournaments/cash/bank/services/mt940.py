"""MT940, the account statement of SWIFT with field 86 as German banks fill it.

The library parses the fields; this module selects from them. The library is given an open
text, not a string: if a string names a file, the library reads that file.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from datetime import date
from io import StringIO
from typing import Any

import mt940
from django.utils.translation import gettext as _
from stdnum import iban

from tournaments.cash.bank.services.statements import (
    CURRENCY,
    NO_REFERENCE,
    PURPOSE_LENGTH,
    Statement,
    Transfer,
    UnreadableStatement,
    cents,
    check_entries,
    keywords,
    purpose_of,
    remitter_of,
    tidy,
)

LINE = 27  # characters of a subfield of field 86
_SUBFIELD = re.compile(r"\?(\d\d)")
_STRUCTURED = re.compile(r"\d{3}(?=\?\d\d)")
_COSTLY = re.compile(r"^:(?:20|61):", re.MULTILINE)
# A second field 86 after the closing balance is about the statement; the library would add
# it to the last entry.
_ABOUT_STATEMENT = re.compile(
    r"^(:(?:62[FM]|6[45]):[^\n]*\n):86:.*?(?=^:\d\d[A-Z]?:|^-|\Z)", re.MULTILINE | re.DOTALL
)

# The library logs fields that it cannot parse, with names and purposes.
logging.getLogger("mt940").setLevel(logging.CRITICAL)


def read(text: str) -> Statement:
    """Return the credits of an MT940 file.

    Raises:
        UnreadableStatement: if a field cannot be read, or the file is beyond the limits.
    """
    # Counted before parsing: each statement and each entry costs time.
    check_entries(len(_COSTLY.findall(text)))
    try:
        found = mt940.parse_statements(
            StringIO(_ABOUT_STATEMENT.sub(r"\1", text)),
            processors={"post_transaction_details": [_keep_details]},
            options=mt940.Options.all(),
        )
    # The library has no exception of its own; damaged files raise various ones.
    except Exception as problem:
        raise UnreadableStatement(
            _("Die MT940-Datei ist beschädigt. Bitte bei der Bank neu herunterladen.")
        ) from problem
    statement = Statement()
    for one in found:
        account = re.sub(r"\s", "", str(one.data.get("account_identification") or ""))
        if iban.is_valid(account):
            statement.accounts.add(account)
        for transaction in one.transactions:
            _add(transaction.data, account, statement)
    return statement


def _keep_details(
    _transactions: object, _tag: object, tag_dict: Mapping[str, Any], _result: object
) -> dict[str, Any]:
    """Keep field 86 whole: the library would lose the spaces between its lines."""
    return {"details": tag_dict["transaction_details"]}


def _add(data: Mapping[str, Any], account: str, statement: Statement) -> None:
    if str(data["status"]).upper() != "C":
        # D is a debit, RC a reversal of a credit, RD a reversal of a debit: none is a payment.
        statement.debits += 1
    elif data["amount"].currency != CURRENCY:
        statement.foreign += 1
    else:
        statement.transfers.append(_transfer(data, account))


def _transfer(data: Mapping[str, Any], account: str) -> Transfer:
    details = str(data.get("details") or "")
    parts = _subfields(details)
    purpose = _joined(parts, *_PURPOSE) if parts else details
    names = [str(data.get(name) or "").strip() for name in ("customer_reference", "bank_reference")]
    known = [name for name in names if name.upper() not in NO_REFERENCE]
    day = data.get("entry_date") or data["date"]
    return Transfer(
        booked_on=date(day.year, day.month, day.day),
        amount_cents=cents(data["amount"].amount),
        remitter=remitter_of(_joined(parts, "32", "33"), keywords(purpose).get("ABWA", "")),
        purpose=tidy(purpose_of(purpose), length=PURPOSE_LENGTH),
        reference="|".join([account, *known]) if known else "",
    )


_PURPOSE = tuple(str(number) for number in (*range(20, 30), *range(60, 64)))


def _subfields(details: str) -> dict[str, str]:
    """Return the subfields ?00 to ?63, nothing if the bank wrote plain text.

    Lines break anywhere, so the breaks are removed first.
    """
    joined = "".join(line.strip("\r\n") for line in details.splitlines())
    if not _STRUCTURED.match(joined):
        return {}
    pieces = _SUBFIELD.split(joined)
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))


def _joined(parts: Mapping[str, str], *keys: str) -> str:
    """Join subfields: a full one was cut within a word, a shorter one ended there.

    >>> parts = {"20": "SVWZ+Herbstturnier 2026 Ann", "21": "a Kühn", "22": "Nr. 12"}
    >>> _joined(parts, "20", "21", "22")
    'SVWZ+Herbstturnier 2026 Anna Kühn Nr. 12'
    """
    text = ""
    for key in keys:
        part = parts.get(key, "")
        text += part if len(part) == LINE else f"{part} "
    return text.rstrip()
