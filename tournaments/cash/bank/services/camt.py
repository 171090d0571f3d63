"""Reading CAMT.053 and CAMT.052, statement and report of ISO 20022 (versions .02 to .13).

The versions differ in what surrounds the few facts needed here, so elements are looked up
by name in any namespace. The parser refuses documents with a DTD, so there are no entities
to expand and nothing is fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING
from xml.etree.ElementTree import ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring
from django.utils.translation import gettext as _

from tournaments.cash.bank.services.statements import (
    CURRENCY,
    NO_REFERENCE,
    PURPOSE_LENGTH,
    Statement,
    Transfer,
    UnreadableStatement,
    cents,
    check_entries,
    purpose_of,
    remitter_of,
    tidy,
)

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_AMOUNT = re.compile(r"\+?[0-9]{1,13}(?:\.[0-9]{1,5})?")


def read(content: bytes) -> Statement:
    """Return the booked credits of a CAMT.053 or CAMT.052 document.

    Raises:
        UnreadableStatement: if it is another document, damaged, or beyond the limits.
    """
    try:
        root = fromstring(content, forbid_dtd=True)
    except (ParseError, DefusedXmlException, LookupError, ValueError) as problem:
        # LookupError: an unknown encoding; ValueError: a multi-byte encoding.
        raise UnreadableStatement(
            _("Die XML-Datei ist beschädigt. Bitte bei der Bank neu herunterladen.")
        ) from problem
    statements = [
        *root.findall("{*}BkToCstmrStmt/{*}Stmt"),
        *root.findall("{*}BkToCstmrAcctRpt/{*}Rpt"),
    ]
    if not statements:
        raise UnreadableStatement(_not_a_statement(root))
    statement = Statement()
    for element in statements:
        account = _text(element, "Acct/Id/IBAN")
        statement.accounts |= {account} - {""}
        for entry in element.findall("{*}Ntry"):
            _add(entry, account, statement)
            check_entries(statement.entries)
    return statement


def _not_a_statement(root: Element) -> str:
    if root.find("{*}BkToCstmrDbtCdtNtfctn") is not None:
        return _(
            "Das sind einzelne Anzeigen (CAMT.054). Bitte den Kontoauszug als „CAMT.053“ "
            "herunterladen."
        )
    if any(root.find(f"{{*}}{name}") is not None for name in ("BkToCstmrStmt", "BkToCstmrAcctRpt")):
        return _("Der Kontoauszug ist leer.")
    return _("Das ist kein Kontoauszug. Bitte bei der Bank als „CAMT.053“ herunterladen.")


def _path(names: str) -> str:
    return "/".join(f"{{*}}{name}" for name in names.split("/"))


def _text(element: Element | None, names: str) -> str:
    """Return the text at a path of names, or ""."""
    child = None if element is None else element.find(_path(names))
    return "" if child is None else (child.text or "").strip()


def _first(element: Element | None, *paths: str) -> str:
    """Return the text at the first of *paths* that has one."""
    return next((text for path in paths if (text := _text(element, path))), "")


def _add(entry: Element, account: str, statement: Statement) -> None:
    # Until version 07 the status is the text itself, later a code below it.
    if _first(entry, "Sts/Cd", "Sts") not in {"BOOK", ""}:
        statement.pending += 1
    elif _text(entry, "CdtDbtInd") != "CRDT":
        statement.debits += 1
    elif _currency(entry.find("{*}Amt")) != CURRENCY:
        statement.foreign += 1
    else:
        statement.transfers += _transfers(entry, account)


def _currency(amount: Element | None) -> str:
    return "" if amount is None else amount.get("Ccy", "")


def _transfers(entry: Element, account: str) -> Iterator[Transfer]:
    """Yield the transfers of one entry: the bank may book several as one sum.

    They are split only if their amounts are known and add up to the entry's.
    """
    total = _amount(entry.find("{*}Amt"))
    details = entry.findall("{*}NtryDtls/{*}TxDtls")
    amounts = [_detail_amount(detail) for detail in details]
    known = [amount for amount in amounts if amount is not None]
    if len(details) > 1 and len(known) == len(details) and sum(known) == total:
        for number, (detail, amount) in enumerate(zip(details, known, strict=True)):
            yield _transfer(entry, [detail], amount, account, number)
    else:
        yield _transfer(entry, details, total, account)


def _detail_amount(detail: Element) -> int | None:
    """Return the amount in euro cents of one of several transfers, None if not given.

    The ordered amount (``InstdAmt``) may be in another currency and less than was credited.
    """
    for path in ("Amt", "AmtDtls/TxAmt/Amt"):
        amount = detail.find(_path(path))
        if _currency(amount) == CURRENCY:
            is_debit = _text(detail, "CdtDbtInd") == "DBIT"
            return None if is_debit else _amount(amount)
    return None


def _amount(element: Element | None) -> int:
    text = "" if element is None else (element.text or "").strip()
    if not _AMOUNT.fullmatch(text):
        raise UnreadableStatement(
            _("Ein Betrag im Auszug ist nicht zu lesen: {amount}").format(amount=text[:40] or "–")
        )
    return cents(Decimal(text))


def _transfer(
    entry: Element, details: list[Element], amount_cents: int, account: str, number: int = 0
) -> Transfer:
    return Transfer(
        booked_on=_day(entry),
        amount_cents=amount_cents,
        remitter=remitter_of(*(name for detail in details for name in _parties(detail))),
        purpose=tidy(
            *(_purpose(detail) for detail in details)
            if details
            else (_text(entry, "AddtlNtryInf"),),
            length=PURPOSE_LENGTH,
        ),
        reference=_reference(entry, details, account, number),
    )


def _day(entry: Element) -> date:
    text = _first(entry, "BookgDt/Dt", "BookgDt/DtTm", "ValDt/Dt", "ValDt/DtTm")
    try:
        return date.fromisoformat(text[:10])
    except ValueError as problem:
        raise UnreadableStatement(
            _("Ein Buchungstag im Auszug ist nicht zu lesen: {day}").format(day=text[:40] or "–")
        ) from problem


def _parties(detail: Element) -> tuple[str, str]:
    parties = detail.find("{*}RltdPties")
    return (
        _first(parties, "Dbtr/Nm", "Dbtr/Pty/Nm"),
        _first(parties, "UltmtDbtr/Nm", "UltmtDbtr/Pty/Nm"),
    )


def _purpose(detail: Element) -> str:
    lines = [line.text for line in detail.findall(_path("RmtInf/Ustrd"))]
    for structured in detail.findall(_path("RmtInf/Strd")):
        lines.append(_text(structured, "CdtrRefInf/Ref"))
        lines += [line.text for line in structured.findall("{*}AddtlRmtInf")]
    return purpose_of(tidy(*lines, length=4 * PURPOSE_LENGTH)) or _text(detail, "AddtlTxInf")


def _reference(entry: Element, details: list[Element], account: str, number: int) -> str:
    """Return the reference of this transfer, the same in every file of the bank.

    ``NtryRef`` is left out: it is a count within one statement.
    """
    names = [_text(entry, "AcctSvcrRef")]
    for detail in details[:1]:
        names += [_text(detail, f"Refs/{name}") for name in ("AcctSvcrRef", "TxId", "EndToEndId")]
    references = [name for name in names if name not in NO_REFERENCE]
    return "|".join([account, *references, str(number)]) if references else ""
