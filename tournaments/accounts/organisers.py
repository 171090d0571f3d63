"""Accounts of an organiser: invitations, rights and removal.

An organiser is no tournament, so these are no acts; its own journal has the entries.
"""

from __future__ import annotations

from datetime import timedelta

from django.core import signing
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.accounts.proposals import ask_parent
from tournaments.accounts.services import end_invitations, new_invitation
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, TournamentError
from tournaments.journal import services as journal
from tournaments.models import Invitation, Membership, Organiser, OrganiserAccount, Right

CODE_LASTS = timedelta(days=3)
_CODE_SALT = "tournaments.organiser"


@transaction.atomic
def invite(
    organiser: Organiser, *, right: Right, name: str, actor: Actor, email: str = ""
) -> tuple[Invitation, str]:
    """Return the invitation to *right* and its token, which is not stored in plain text.

    Raises:
        TournamentError: if there were too many in the last hour.
    """
    to = {"organiser": organiser, "right": right, "email": email}
    invitation, token = new_invitation(actor, name=name, **to)
    invitation.save()
    journal.record(organiser, actor, "right_invited", invitation, after={"right": right})
    return invitation, token


@transaction.atomic
def invite_first_account(
    *, organiser: str, parent: Organiser | None, name: str, actor: Actor, email: str = ""
) -> tuple[Invitation, str]:
    """Invite *name* as the first account of a new organiser, or of one without accounts.

    The *parent*, whose code (:func:`code_of`) was typed, is asked.

    Raises:
        TournamentError: if there were too many invitations in the last hour.
        ValidationError: if the name does not fit.
    """
    unused = Organiser.objects.filter(name=organiser.strip(), accounts=None, is_practice=False)
    stored = unused.first() or Organiser(name=organiser.strip())
    stored.full_clean()
    is_new = stored.pk is None
    stored.save()
    if is_new:
        journal.record(None, actor, "organiser_founded", stored, after={"name": stored.name})
    if parent is not None:
        ask_parent(stored, parent, actor=actor)
    return invite(stored, right=Right.ALL, name=name, email=email, actor=actor)


@transaction.atomic
def withdraw(organiser: Organiser, invitation_id: int, *, actor: Actor) -> None:
    """Withdraw an invitation of *organiser*; its link becomes invalid.

    Raises:
        Conflict: if it was accepted meanwhile.
    """
    waiting = organiser.invitations.select_for_update().filter(pk=invitation_id, used_at=None)
    invitation = waiting.first()
    if invitation is None:
        raise Conflict(_("Die Einladung wurde schon angenommen. Bitte das Recht entziehen."))
    invitation.withdrawn_at = timezone.now()
    invitation.save(update_fields=["withdrawn_at"])
    journal.record(organiser, actor, "invitation_withdrawn", invitation)


@transaction.atomic
def give_right(organiser: Organiser, account_id: int, right: str, *, actor: Actor) -> None:
    """Change the right of an account of *organiser*; "" removes the account from it.

    Raises:
        TournamentError: if no account would have the right to all, or the account has roles.
        OrganiserAccount.DoesNotExist: if the account does not belong to *organiser*.
    """
    accounts = list(
        organiser.accounts.select_for_update(of=("self",)).select_related("user").order_by("pk")
    )
    account = next((row for row in accounts if row.pk == account_id), None)
    if account is None:
        raise OrganiserAccount.DoesNotExist
    before = account.right
    wholly = {row.pk for row in accounts if row.right == Right.ALL and row.user.is_active}
    if right != Right.ALL and wholly == {account.pk}:
        raise TournamentError(
            _(
                "{name} ist das letzte Konto, das hier alles darf. Bitte zuerst jemand anderem das "
                "Recht geben."
            ).format(name=account.user)
        )
    if right:
        account.right = Right(right)
        account.save(update_fields=["right"])
    else:
        roles = Membership.objects.filter(user=account.user, tournament__owner=organiser)
        if role := roles.select_related("tournament").first():
            raise TournamentError(
                _(
                    "{name} hat noch eine Rolle in „{tournament}“. Bitte sie dort entziehen, oder "
                    "hier nur diese Turniere lassen."
                ).format(name=account.user, tournament=role.tournament.name)
            )
        account.delete()
    facts = {"account": account.user_id}
    journal.record(
        organiser,
        actor,
        "right_given" if right else "right_taken",
        before={**facts, "right": before},
        after={**facts, "right": right} if right else {},
    )
    end_invitations(account.user, actor)


@transaction.atomic
def change(organiser: Organiser, *, actor: Actor) -> None:
    """Store name and sharing of *organiser*, or let it leave its parent.

    Raises:
        ValidationError: if the name does not fit.
    """
    stored = Organiser.objects.select_for_update(of=("self",)).get(pk=organiser.pk)
    if organiser.parent_id not in {None, stored.parent_id}:
        raise ValidationError({"parent": _("Wozu ein Veranstalter gehört, sagt die Einladung.")})
    organiser.full_clean()
    organiser.save(update_fields=["name", "parent", "shares_members"])

    def facts(row: Organiser) -> dict[str, object]:
        return {"name": row.name, "parent": row.parent_id, "shares_members": row.shares_members}

    journal.record(
        organiser, actor, "organiser_changed", before=facts(stored), after=facts(organiser)
    )


def code_of(organiser: Organiser) -> str:
    """Return the code with which others send proposals to *organiser*, valid for some days."""
    return signing.dumps(organiser.pk, salt=_CODE_SALT)


def organiser_for_code(code: str) -> Organiser | None:
    """Return the organiser of a code, or None if it is invalid or expired."""
    try:
        key = signing.loads(code, salt=_CODE_SALT, max_age=CODE_LASTS)
    except signing.BadSignature:
        return None
    return Organiser.objects.filter(pk=key, is_practice=False).first()
