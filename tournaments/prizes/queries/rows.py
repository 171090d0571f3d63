"""Prizes by recipient: what is due, and what was given out."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet

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
    payout: PrizePayout | None = None

    @property
    def said(self) -> str:
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
    def key(self) -> Key:
        """Identifies the prize among all of the tournament."""
        return (
            self.pot,
            self.ranking,
            self.registration.pk if self.registration else None,
            self.team.pk if self.team else None,
        )

    @property
    def paid_cents(self) -> int:
        """The amount paid and not taken back, in cents."""
        return self.payout.amount_cents if self.payout and has_money(self.payout) else 0

    @property
    def open_cents(self) -> int:
        """The amount still to be paid, in cents; 0 while another amount was paid."""
        return 0 if self.paid_cents else self.cents

    @property
    def is_wrong(self) -> bool:
        """Whether money or goods were given out that are not due now."""
        given = self.payout.goods if self.payout and self.payout.handed_over_at else ""
        return self.paid_cents not in {0, self.cents} or given not in {"", self.goods}

    @property
    def goods_are_open(self) -> bool:
        """Whether goods wait to be handed over."""
        return bool(self.goods) and not (self.payout and self.payout.handed_over_at)

    @property
    def is_done(self) -> bool:
        """Whether money and goods were given out."""
        return not (self.open_cents or self.goods_are_open or self.is_wrong)


@dataclass(frozen=True, slots=True, kw_only=True)
class Winner:
    """All prizes of one person or team."""

    name: str
    number: int | None  # start number
    registration: Registration | None
    team: Team | None
    rows: tuple[PrizeRow, ...]

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
        """What is still to be paid."""
        return sum(row.open_cents for row in self.rows)

    @property
    def is_done(self) -> bool:
        """Whether all prizes were given out."""
        return all(row.is_done for row in self.rows)


def has_money(payout: PrizePayout) -> bool:
    """Whether the money of a prize was paid and not taken back. Expects its receipt loaded."""
    return payout.receipt is not None and not hasattr(payout.receipt, "reversed_by")


def payouts(tournament: Tournament) -> QuerySet[PrizePayout]:
    """Return all payouts ever made, with receipts; one query."""
    return PrizePayout.objects.filter(tournament=tournament).select_related(
        "receipt__reversed_by", "registration__person", "team"
    )


def paid(tournament: Tournament) -> list[PrizePayout]:
    """Return the prizes that were given out and not taken back.

    If there are any, a change of the ranking may need the reversal of a receipt.
    """
    return [one for one in payouts(tournament) if has_money(one) or one.handed_over_at is not None]


def key_of(payout: PrizePayout) -> Key:
    """Return the key of the prize that was given out."""
    return (payout.pot, payout.ranking, payout.registration_id, payout.team_id)


def not_due(payout: PrizePayout) -> PrizeRow:
    """Return the row of a payout that is not due any more by the current ranking."""
    return PrizeRow(
        pot=payout.pot,
        ranking=payout.ranking,
        registration=payout.registration,
        team=payout.team,
        rank=None,
        label=payout.label,
        cents=0,
        goods="",
        payout=payout,
    )
