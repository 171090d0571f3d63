"""Prizes by recipient: amounts due, and payouts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from scoring.money import euro
from tournaments.models import PrizePayout, Registration, Team, Tournament

# pot, name of the ranking, key of the registration or else of the team
Key = tuple[str, str, int | None, int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeRow:
    """One prize that is due to a recipient, or was given out and is not due any more."""

    pot: str
    ranking: str  # name as in addresses
    registration: Registration | None
    team: Team | None
    rank: int | None  # in that ranking; None if the prize is not due any more
    label: str
    cents: int  # amount due by the current ranking
    goods: str
    won_by: str = ""  # German: "1. Platz Damen"; empty if the prize is not due any more
    is_shared: bool = False  # whether others have the same rank
    is_undecided: bool = False  # given out, but its ranking, tie or pot is not settled now
    payouts: tuple[PrizePayout, ...] = ()

    @property
    def description(self) -> str:
        """The place and the prize: „1. Platz Damen: Pokal“; a shared one with its division."""
        if not self.won_by or self.is_shared:
            return self.label
        return f"{self.won_by}: {self.goods}" if self.goods else self.won_by

    @property
    def recipient_name(self) -> str:
        """The name of the recipient."""
        if self.registration is not None:
            return self.registration.person.full_name
        return self.team.name if self.team else ""

    @property
    def team_pk(self) -> int | None:
        """Key of the team, if it is one."""
        return self.team.pk if self.team else None

    @property
    def key(self) -> Key:
        """Identifies the prize among all of the tournament."""
        return (
            self.pot,
            self.ranking,
            self.registration.pk if self.registration else None,
            self.team.pk if self.team else None,
        )

    @property
    def payments(self) -> tuple[PrizePayout, ...]:
        """The payouts with money that was not cancelled, the first payment first."""
        return tuple(payout for payout in self.payouts if has_money(payout))

    @property
    def handed_over(self) -> PrizePayout | None:
        """The payout whose goods were handed over."""
        return next((payout for payout in self.payouts if payout.handed_over_at), None)

    @property
    def paid_cents(self) -> int:
        """The amount paid and not taken back, in cents."""
        return sum(payout.amount_cents for payout in self.payments)

    @property
    def open_cents(self) -> int:
        """The amount still to be paid, in cents; negative if it is to be returned."""
        return 0 if self.is_undecided else self.cents - self.paid_cents

    @property
    def correction(self) -> str:
        """The open amount after a payment: „Rückforderung 126,90 €“; empty if there is none."""
        if not self.payments or not self.open_cents:
            return ""
        sentence = _("Rückforderung {amount}") if self.open_cents < 0 else _("Nachzahlung {amount}")
        return sentence.format(amount=euro(abs(self.open_cents)))

    @property
    def goods_are_wrong(self) -> bool:
        """Whether goods were handed over that are not due now."""
        payout = self.handed_over
        return payout is not None and payout.goods != self.goods and not self.is_undecided

    @property
    def goods_are_open(self) -> bool:
        """Whether goods wait to be handed over."""
        return bool(self.goods) and self.handed_over is None

    @property
    def is_done(self) -> bool:
        """Whether money and goods were given out as they are due."""
        return not (self.open_cents or self.goods_are_open or self.goods_are_wrong)


@dataclass(frozen=True, slots=True, kw_only=True)
class Winner:
    """All prizes of one person or team."""

    name: str
    number: int | None  # start number
    registration: Registration | None
    team: Team | None
    rows: tuple[PrizeRow, ...]
    members: tuple[str, ...] = ()  # names of the persons of a team

    @property
    def rank(self) -> int | None:
        """The recipient's rank for the first prize; None if it is not due any more."""
        return self.rows[0].rank

    @property
    def key(self) -> str:
        """The key of the recipient in forms: "r12" or "t3"."""
        return f"r{self.registration.pk}" if self.registration else f"t{self.team_pk}"

    @property
    def team_pk(self) -> int | None:
        """Key of the team, if it is one."""
        return self.team.pk if self.team else None

    @property
    def cents(self) -> int:
        """The total due, in cents."""
        return sum(row.cents for row in self.rows)

    @property
    def open_cents(self) -> int:
        """The amount still to be paid, in cents; negative if more is to be returned."""
        return sum(row.open_cents for row in self.rows)

    @property
    def has_open_money(self) -> bool:
        """Whether a receipt is needed, even if payments and returns are equal."""
        return any(row.open_cents for row in self.rows)

    @property
    def is_done(self) -> bool:
        """Whether all prizes were given out."""
        return all(row.is_done for row in self.rows)


def has_money(payout: PrizePayout) -> bool:
    """Whether the money of a prize was paid and not taken back; expects its receipt loaded."""
    return payout.receipt is not None and not hasattr(payout.receipt, "reversed_by")


def payouts(tournament: Tournament) -> QuerySet[PrizePayout]:
    """Return all payouts ever made, with receipts; one query."""
    return (
        PrizePayout.objects.filter(tournament=tournament)
        .select_related("receipt__reversed_by", "registration__person", "team")
        .order_by("part", "pk")
    )


def valid_payouts(tournament: Tournament) -> list[PrizePayout]:
    """Return the payouts that were not cancelled."""
    return [
        payout
        for payout in payouts(tournament)
        if has_money(payout) or payout.handed_over_at is not None
    ]


def key_of(payout: PrizePayout) -> Key:
    """Return the key of the prize that was given out."""
    return (payout.pot, payout.ranking, payout.registration_id, payout.team_id)


def not_due_row(given: Sequence[PrizePayout], *, is_undecided: bool) -> PrizeRow:
    """Return the row of a prize that was given out and is not due by the current ranking."""
    first = given[0]
    return PrizeRow(
        pot=first.pot,
        ranking=first.ranking,
        registration=first.registration,
        team=first.team,
        rank=None,
        label=first.label,
        cents=0,
        goods="",
        is_undecided=is_undecided,
        payouts=tuple(given),
    )
