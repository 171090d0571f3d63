"""What each role may do in a tournament: one name for each set of roles.

The Veranstalter appoints all others and may do what each of them may.
"""

from __future__ import annotations

from tournaments.models import JournalEntry, Role

MAY_APPOINT = frozenset({Role.VERANSTALTER})
MAY_LEAD = MAY_APPOINT | {Role.SPIELLEITUNG}
MAY_TAKE_MONEY = MAY_LEAD | {Role.KASSE}  # works at the desk, the till and with the cards
MAY_CHECK = MAY_LEAD | {Role.SCHIEDSRICHTER}  # works in the hall, reads lists, tells players
MAY_SEE = frozenset(Role)
# Not a role: registers through the internet, and changes that by the link of the sending.
ONLINE = frozenset({JournalEntry.ActorKind.PUBLIC})
# Who sits at a table, by the code that lies on it.
AT_TABLE = frozenset({JournalEntry.ActorKind.TABLE})
