"""Accounts: the first one, invitations to a role, and removing roles.

Functions about an account without a tournament are no acts.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, NotAllowed, TournamentError
from tournaments.common.locks import lock_tournament
from tournaments.common.login_names import check_login_name, folded_login_name
from tournaments.common.organisers import (
    add_account,
    first_organiser,
    has_namesake,
    headed_by,
    roles_in,
)
from tournaments.common.roles import MAY_APPOINT
from tournaments.common.states import OPEN
from tournaments.common.tokens import hash_token, new_token
from tournaments.journal import services as journal
from tournaments.journal.acts import Act, Acts
from tournaments.journal.queries.journal import who
from tournaments.machine.mails import notify
from tournaments.models import (
    Invitation,
    Membership,
    Organiser,
    OrganiserAccount,
    Right,
    Role,
    Tournament,
    User,
)

SETUP_LINK_LASTS = timedelta(days=1)
INVITATION_LASTS = timedelta(days=14)
MOST_INVITATIONS, WITHIN = 30, timedelta(hours=1)  # of an account, and at an organiser
acts = Acts(MAY_APPOINT, OPEN)


@transaction.atomic
def make_setup_link(*, actor: Actor, now: datetime | None = None) -> str:
    """Return a token for making the first account; earlier tokens become invalid.

    Raises:
        NotAllowed: if there is an account already.
    """
    now = now or timezone.now()
    if User.objects.filter(is_demo=False).exists():
        raise NotAllowed(
            _("Es gibt schon ein Konto. Weitere Konten entstehen durch eine Einladung.")
        )
    open_invitations(now).filter(is_admin=True).update(withdrawn_at=now)
    token = new_token()
    Invitation.objects.create(
        is_admin=True, token_hash=hash_token(token), expires_at=now + SETUP_LINK_LASTS
    )
    journal.record(None, actor, "setup_link_made")
    return token


@acts.on(Tournament, "invite", entry="role_invited")
def invite(
    act: Act[Tournament], *, role: Role, name: str, email: str = ""
) -> tuple[Invitation, str]:
    """Return the invitation to *role* and its token, which is not stored in plain text."""
    to = {"tournament": act.row, "role": role, "email": email}
    invitation, token = new_invitation(act.actor, name=name, **to)
    return act.add(invitation), token


def new_invitation(actor: Actor, *, name: str, **to: Any) -> tuple[Invitation, str]:
    """Return an invitation that is not stored yet, and its token.

    Raises:
        TournamentError: if there were too many in the last hour, because each may send a mail.
    """
    now, token = timezone.now(), new_token()
    invitation = Invitation(
        name=name.strip(),
        token_hash=hash_token(token),
        created_by=actor.user,
        expires_at=now + INVITATION_LASTS,
        **to,
    )
    organiser = invitation.organiser_id or getattr(invitation.tournament, "owner_id", None)
    by_same = Q(organiser=organiser) | Q(tournament__owner=organiser)
    if actor.user is not None:
        by_same |= Q(created_by=actor.user)
    lately = Invitation.objects.filter(by_same, created_at__gt=now - WITHIN, created_at__lte=now)
    if lately.count() >= MOST_INVITATIONS:
        raise TournamentError(
            _(
                "In der letzten Stunde wurde schon {most} Mal eingeladen; mehr geht nicht. Bitte "
                "später weitermachen."
            ).format(most=MOST_INVITATIONS)
        )
    return invitation, token


def end_invitations(user: User, actor: Actor) -> None:
    """Withdraw the open invitations of *user* for which it has no right now.

    Called after a role or a right was removed, or the account was locked.
    """
    now = timezone.now()
    invitations = (
        open_invitations(now).filter(created_by=user).select_related("tournament", "organiser")
    )
    for invitation in invitations.order_by("tournament", "pk"):
        if user.is_active and _may_invite(user, invitation):
            continue
        if invitation.tournament_id is not None:
            invitation.tournament = lock_tournament(invitation.tournament_id, allow_closed=True)
        invitation.withdrawn_at = now
        invitation.save(update_fields=["withdrawn_at"])
        place = invitation.tournament or invitation.organiser
        journal.record(place, actor, "invitation_withdrawn", invitation)


def _may_invite(user: User, invitation: Invitation) -> bool:
    if invitation.tournament is not None:
        return bool(roles_in(user, invitation.tournament) & MAY_APPOINT)
    wholly = OrganiserAccount.objects.filter(user=user, right=Right.ALL)
    return user.is_admin or wholly.filter(organiser=invitation.organiser_id).exists()


def find_invitation(token: str, now: datetime | None = None) -> Invitation:
    """Return the invitation that *token* opens.

    Raises:
        NotAllowed: if there is none, or it was used, withdrawn or has expired.
    """
    open_ones = open_invitations(now or timezone.now()).select_related(
        "tournament__owner", "organiser__parent", "created_by"
    )
    invitation = open_ones.filter(token_hash=hash_token(token)).first()
    if invitation is None:
        raise NotAllowed(
            _(
                "Dieser Link gilt nicht mehr: Er wurde schon benutzt, zurückgezogen oder ist "
                "abgelaufen. Bitte einen neuen geben lassen."
            )
        )
    return invitation


@transaction.atomic
def accept_with_new_account(*, token: str, username: str, name: str, password: str) -> User:
    """Make a new account with the role of an invitation.

    Raises:
        NotAllowed: if the token is invalid, or was used at the same moment.
        ValidationError: if the log-in name is taken or not usable.
    """
    now = timezone.now()
    invitation = _lock(find_invitation(token, now), now)
    # Before the first real account, an invitation to the practice tournament makes a demo
    # account, so that the first real account can still be made.
    practises = invitation.tournament is not None and invitation.tournament.owner.is_practice
    user = User.objects.create_user(
        new_login_name(username),
        password,
        name=name,
        email=invitation.email,
        is_admin=invitation.is_admin,
        is_demo=practises and not User.objects.filter(is_demo=False).exists(),
    )
    if invitation.is_admin:  # the first account
        add_account(user, first_organiser(), Right.ALL)
    _use(invitation, user, now)
    if not user.is_demo:
        end_demo_accounts(successor=user, actor=Actor.account(user))
    return user


def new_login_name(text: str) -> str:
    """Return the log-in name in *text* as it is stored.

    Raises:
        ValidationError: if it is not usable, or another account has it.
    """
    name = folded_login_name(text)
    check_login_name(name)
    if User.objects.has_login_name(name):
        raise ValidationError(_("Diesen Anmeldenamen gibt es schon. Bitte einen anderen wählen."))
    return name


def end_demo_accounts(*, successor: User, actor: Actor) -> None:
    """Lock the accounts of the practice tournament.

    They have no password, and a real account means real persons and money. *successor* takes
    over the practice tournament. Part of another act.
    """
    ending = list(User.objects.select_for_update().filter(is_demo=True, is_active=True))
    if not ending:
        return
    practised = Tournament.objects.filter(owner__is_practice=True).order_by("pk")
    for tournament in practised.select_for_update(of=("self",)):
        for role in (Role.VERANSTALTER, Role.SPIELLEITUNG):
            give_role(tournament=tournament, user=successor, role=role, actor=actor)
    for user in ending:
        _set_active(user, is_active=False, actor=actor)


@transaction.atomic
def accept_as(*, token: str, user: User) -> None:
    """Give the role or right of an invitation to an existing account."""
    now = timezone.now()
    _use(_lock(find_invitation(token, now), now), user, now)


@acts.on(Invitation, "withdraw_invitation", entry="invitation_withdrawn")
def withdraw_invitation(act: Act[Invitation]) -> None:
    """Withdraw an invitation; its link becomes invalid."""
    if act.row.used_at is not None:
        raise Conflict(_("Die Einladung wurde schon angenommen. Bitte die Rolle entziehen."))
    act.row.withdrawn_at = timezone.now()
    act.store(act.row)


@acts.on(Membership, "remove_role", entry="role_removed")
def remove_role(act: Act[Membership]) -> None:
    """Remove a role; a tournament keeps at least one Veranstalter.

    Raises:
        TournamentError: if it is the role of the last Veranstalter.
    """
    membership = act.row
    # Accounts from an archive cannot log in.
    heads = act.tournament.memberships.filter(role=Role.VERANSTALTER, user__archived_as="")
    if list(heads[:2]) == [membership]:
        raise TournamentError(
            _(
                "{name} ist der letzte Veranstalter des Turniers. Bitte zuerst jemand anderen "
                "dazu machen."
            ).format(name=membership.user)
        )
    act.note(before={"account": membership.user_id, "role": membership.role})
    act.remove(membership)
    end_invitations(membership.user, act.actor)


def give_role(*, tournament: Tournament, user: User, role: Role, actor: Actor) -> Membership:
    """Give *user* a role. Part of a service that has locked the tournament."""
    membership, is_new = Membership.objects.get_or_create(
        tournament=tournament, user=user, role=role
    )
    if is_new:
        add_account(user, tournament.owner_id)
        journal.record(
            tournament, actor, "role_given", membership, after={"account": user.pk, "role": role}
        )
    return membership


@transaction.atomic
def set_active(*, user_id: int, is_active: bool, actor: Actor) -> User:
    """Lock or unlock an account; the last active administrator cannot be locked.

    Raises:
        TournamentError: if no active administrator would be left, or an account of the practice
            tournament or of an archive would be unlocked.
    """
    # Locks all administrators, because two of them may lock each other at once.
    admins = set(
        User.objects.select_for_update()
        .filter(is_admin=True, is_active=True)
        .values_list("pk", flat=True)
    )
    user = User.objects.select_for_update().get(pk=user_id)
    if not is_active and admins == {user.pk}:
        raise TournamentError(
            _("{name} ist das letzte Konto, das das Programm verwaltet, und bleibt.").format(
                name=user
            )
        )
    if is_active and user.is_demo:
        raise TournamentError(
            _("{name} ist ein Übungskonto; diese enden mit dem ersten eigenen Konto.").format(
                name=user
            )
        )
    if is_active and user.archived_as:
        raise TournamentError(
            _(
                "{name} kam mit einem Archiv und zeigt, wer dort gehandelt hat; anmelden kann sich "
                "damit niemand. Bitte die Person einladen."
            ).format(name=user)
        )
    _set_active(user, is_active=is_active, actor=actor)
    return user


def _set_active(user: User, *, is_active: bool, actor: Actor) -> None:
    before, user.is_active = user.is_active, is_active
    user.save(update_fields=["is_active"])
    journal.record(
        None,
        actor,
        "account_active",
        user,
        before={"is_active": before},
        after={"is_active": is_active},
    )
    end_invitations(user, actor)


def note_password_link(*, user_id: int, actor: Actor) -> User:
    """Record a new password link in the journal, and mail the owner of the account.

    The journals of the account's organisers have an entry, except those of the actor. The link is
    not stored; it is valid until the password changes.
    """
    user = User.objects.get(pk=user_id)
    own = headed_by(actor.user) if actor.user else []
    organisers = Organiser.objects.filter(accounts__user=user).exclude(
        pk__in=[organiser.pk for organiser in own]
    )
    with transaction.atomic():
        entry = journal.record(None, actor, "password_link_made", user)
        for organiser in organisers.order_by("pk"):
            journal.record(organiser, actor, "password_link_made", user)
    if actor.user != user and user.email:
        with translation.override(settings.LANGUAGE_CODE):
            notify(
                [user.email],
                subject=_("Ein Link für ein neues Kennwort wurde erzeugt"),
                template="mail/password_link.txt",
                context={"account": user, "at": entry.at, "who": who(entry)},
                about=f"account {user.pk}",
            )
    return user


def open_invitations(now: datetime) -> QuerySet[Invitation]:
    """Return the invitations that can be accepted."""
    return Invitation.objects.filter(
        used_at__isnull=True, withdrawn_at__isnull=True, expires_at__gt=now
    )


def _lock(invitation: Invitation, now: datetime) -> Invitation:
    if invitation.tournament_id is not None:
        lock_tournament(invitation.tournament_id)
    locked = open_invitations(now).select_for_update(of=("self",)).filter(pk=invitation.pk).first()
    if locked is None:
        raise Conflict(_("Diese Einladung wurde gerade von jemand anderem angenommen."))
    return locked


def check_name(name: str, organisers: Iterable[Organiser], user: User | None = None, /) -> None:
    """Refuse a display name that another account of an organiser has.

    Raises:
        TournamentError: if there is such an account.
    """
    if has_namesake(name, organisers, user):
        raise TournamentError(
            _(
                "„{name}“ heißt hier schon ein anderes Konto. Bitte einen Namen wählen, der beide "
                "unterscheidet, etwa mit dem zweiten Vornamen oder dem Ort."
            ).format(name=name)
        )


def organisers_of_invitation(invitation: Invitation) -> list[Organiser]:
    """Return the organiser of an invitation; none for practice."""
    organiser = invitation.organiser or getattr(invitation.tournament, "owner", None)
    return [] if organiser is None or organiser.is_practice else [organiser]


def _use(invitation: Invitation, user: User, now: datetime) -> None:
    check_name(user.name, organisers_of_invitation(invitation), user)
    invitation.used_by, invitation.used_at = user, now
    invitation.save(update_fields=["used_by", "used_at"])
    actor = Actor.account(user)
    if invitation.tournament is not None:
        give_role(
            tournament=invitation.tournament, user=user, role=Role(invitation.role), actor=actor
        )
    elif invitation.organiser is not None:
        right = add_account(user, invitation.organiser, Right(invitation.right))
        journal.record(
            invitation.organiser,
            actor,
            "right_given",
            user,
            after={"account": user.pk, "right": right},
        )
    else:
        journal.record(None, actor, "account_created", user)
