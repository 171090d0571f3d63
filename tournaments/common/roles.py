"""Named sets of roles in a tournament, used as permissions.

The Veranstalter appoints all others and has all their permissions.
"""

from __future__ import annotations

from tournaments.models import JournalEntry, Role

MAY_APPOINT = frozenset({Role.VERANSTALTER})
MAY_LEAD = MAY_APPOINT | {Role.SPIELLEITUNG}
MAY_TAKE_MONEY = MAY_LEAD | {Role.KASSE}  # works at the desk, the till and with the cards
MAY_CHECK = MAY_LEAD | {Role.SCHIEDSRICHTER}  # works in the hall, reads lists, tells players
MAY_SEE = frozenset(Role)
# Not a role: registers through the internet, and changes that by the link of the entry.
ONLINE = frozenset({JournalEntry.ActorKind.PUBLIC})
# The players at a table, by the code on it.
AT_TABLE = frozenset({JournalEntry.ActorKind.TABLE})
# A player, by the code of the own page.
ON_OWN_PAGE = frozenset({JournalEntry.ActorKind.PLAYER})
# The program itself, in a process beside the server.
PROGRAM_ONLY = frozenset({JournalEntry.ActorKind.COMMAND})
