"""Constructions found by search; every test run checks all of them.

Points are numbers from 0. docs/seating.md says how each was found.
"""

from __future__ import annotations

Design = tuple[tuple[tuple[int, ...], ...], ...]  # points by table and round

# 12 tables: how columns 2, 3 and 4 are shifted in each round, in the group of the pairs
# (a modulo 6, b modulo 2), written as 2a + b. The differences of any two columns, and each
# column itself, run through the whole group.
TWELVE = (
    (0, 1, 5), (1, 9, 9), (2, 0, 6), (3, 10, 1), (4, 6, 4), (5, 8, 10),
    (6, 5, 8), (7, 7, 2), (8, 11, 7), (9, 2, 3), (10, 4, 11), (11, 3, 0),
)  # fmt: skip

# 20 points: 5 · level + number for four levels; one round, turned by adding modulo 5. It has 5
# rounds like the transversal design, and two points that never meet, such that every other point
# meets at least one of them: left empty, they put every player at a table of three.
TWENTY = ((0, 2, 9, 17), (1, 6, 7, 12), (3, 4, 11, 13), (5, 8, 15, 19), (10, 14, 16, 18))

# 24 points: 7 · level + number for three levels, and three points that stay. One round,
# turned by adding 1 to 6 modulo 7 to every number.
TWENTY_FOUR = ((21, 3, 7, 15), (22, 6, 8, 19), (23, 1, 9, 18), (0, 10, 12, 13),
                (11, 14, 16, 17), (2, 4, 5, 20))  # fmt: skip

# 36 points: 11 · level + number for three levels, and three points that stay and never meet. One
# round, turned by adding 1 to 10 modulo 11 to every number; it is made of three tables, each with
# its two copies one and two levels further.
THIRTY_SIX = ((33, 0, 12, 25), (34, 11, 23, 3), (35, 22, 1, 14), (2, 28, 29, 31), (13, 6, 7, 9),
              (24, 17, 18, 20), (4, 27, 8, 32), (15, 5, 19, 10), (26, 16, 30, 21))  # fmt: skip

# 32 points: 8 · level + number for four levels; a turn is an XOR with 0 to 7. Each entry
# has the turns that make a round of its tables, and the turns that make rounds of it.
THIRTY_TWO: tuple[tuple[tuple[int, ...], tuple[int, ...], tuple[tuple[int, ...], ...]], ...] = (
    (tuple(range(8)), (0,), ((0, 8, 16, 24),)),
    (tuple(range(8)), (0,), ((0, 10, 23, 29),)),
    (tuple(range(8)), (0,), ((0, 1, 20, 21), (8, 14, 26, 28))),
    (tuple(range(8)), (0,), ((0, 2, 4, 6), (8, 9, 12, 13), (16, 19, 21, 22), (24, 25, 26, 27))),
    ((0, 2, 5, 7), (0, 1), ((0, 9, 19, 26), (1, 15, 16, 30))),
    ((0, 2, 5, 7), (0, 1), ((0, 13, 22, 27), (1, 4, 24, 29), (9, 11, 21, 23))),
    ((0, 3, 4, 7), (0, 1), ((0, 11, 18, 30), (1, 2, 13, 14), (16, 20, 27, 31))),
)
