"""What people do, one function each: lock, check, write, journal, in one transaction.

Locks are always taken in the same order: tournament, then other rows, then the journal.
"""
