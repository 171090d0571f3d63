"""Services that take data off this machine: journalled, with mails to the organisers' heads.

A standby laptop and a second folder have the data of all organisers. The services are no acts:
they belong to the installation. On a server only the command line calls them.
"""

from __future__ import annotations

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.backup import second_folder, standby, status_file
from tournaments.backup.notification import tell_heads
from tournaments.backup.packing import is_older_version
from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError
from tournaments.journal import services as journal
from tournaments.models import JournalEntry


def show_code(*, actor: Actor) -> str:
    """Return a code that admits one standby laptop."""
    code = standby.new_code()
    tell_heads(_record(actor, "standby_code_shown"))
    return code


def admit(code: str, *, address: str, own: str, migration: str) -> str:
    """Return the token for a valid code, see ``standby.admit``; the heads know of the code already.

    Raises:
        TournamentError: also if *migration*, the last one of the standby laptop, is of an older
        version.
    """
    if is_older_version(migration):
        raise TournamentError(
            _(
                "Auf diesem Laptop läuft eine ältere Version des Programms als auf dem ersten "
                "({ours}): Er könnte nicht übernehmen. Bitte hier dieselbe einrichten; der Code "
                "gilt weiter."
            ).format(ours=settings.VERSION)
        )
    token = standby.admit(code, address=address, own=own)
    _record(Actor.public(), "standby_admitted", address=address)
    return token


def shut_out(*, actor: Actor) -> None:
    """Shut out the standby laptop."""
    standby.shut_out()
    _record(actor, "standby_shut_out")


def set_second_folder(path: str, *, actor: Actor) -> status_file.BackupStatus:
    """Set the folder that every backup is copied to; "" for none.

    Raises:
        BackupError: if backups may not be there, or cannot be written.
    """
    status = second_folder.set_second(path)
    tell_heads(_record(actor, "second_folder_set", folder=path))
    return status


@transaction.atomic
def _record(actor: Actor, action: str, **after: str) -> JournalEntry:
    return journal.record(None, actor, action, after=after)
