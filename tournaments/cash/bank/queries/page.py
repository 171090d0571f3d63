"""The page of the transfers: candidates of the open ones, and the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from tournaments.cash.bank.queries import transfers
from tournaments.cash.bank.queries.matching import Candidate
from tournaments.cash.queries import balances
from tournaments.models import Registration, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferCandidate:
    """A candidate for a transfer, with its open amount in cents and the reasons."""

    registration: Registration
    open_cents: int
    why: Candidate

    @property
    def goes_back(self) -> bool:
        """Whether the money of this registration is not taken any more."""
        return self.registration.status not in transfers.PAYING

    @property
    def reasons(self) -> list[str]:
        """The reasons in words."""
        reasons = (
            (self.why.by_number, _("Nummer genannt")),
            (self.why.by_name, _("Name passt")),
            (self.why.by_last_name, _("nur der Nachname passt")),
            (self.why.by_amount, _("Betrag passt")),
        )
        return [words for holds, words in reasons if holds]


def page(tournament: Tournament) -> dict[str, Any]:
    """Return the transfers; nine queries at any number."""
    paid = balances.paid_by_registration(tournament)
    registrations_by_key = {
        registration.pk: registration for registration in transfers.senders(tournament)
    }
    matches = transfers.matches(tournament)

    def suggestion(why: Candidate) -> TransferCandidate:
        registration = registrations_by_key[why.key]
        registration.tournament = tournament
        return TransferCandidate(
            registration=registration, open_cents=transfers.open_cents(registration, paid), why=why
        )

    clear: list[dict[str, Any]] = []
    unclear = []
    for transfer in transfers.open_transfers(tournament):
        match = matches[transfer.pk]
        if match.clear is None:
            candidates = [suggestion(why) for why in match.candidates]
            suggestions = [candidate for candidate in candidates if not candidate.goes_back]
            unclear.append(
                {
                    "transfer": transfer,
                    "suggestions": suggestions,
                    "is_of_all_named": _covers_all_named(suggestions, transfer.amount_cents),
                    "going_back": [candidate for candidate in candidates if candidate.goes_back],
                    "maybe_twice": match.maybe_twice,
                }
            )
        else:
            chosen = next(why for why in match.candidates if why.key == match.clear)
            sure = suggestion(chosen)
            rest_cents = transfer.amount_cents - sure.open_cents  # below zero: still open
            clear.append({"transfer": transfer, "suggestion": sure, "rest_cents": rest_cents})
    all_transfers = tournament.bank_transactions.select_related("receipt")
    booked = all_transfers.filter(transfers.IS_BOOKED)
    set_aside = all_transfers.exclude(transfers.IS_BOOKED).exclude(set_aside_reason="")
    return {
        "clear": clear,
        "clear_cents": sum(row["transfer"].amount_cents for row in clear),
        "unclear": unclear,
        "booked": booked.order_by("-booked_on", "-pk"),
        "set_aside": set_aside.order_by("-booked_on", "-pk"),
    }


def _covers_all_named(suggestions: Sequence[TransferCandidate], amount_cents: int) -> bool:
    """Whether the registrations that a transfer names by number owe its amount together."""
    named = [suggestion.open_cents for suggestion in suggestions if suggestion.why.by_number]
    return all(named) and sum(named) == amount_cents
