"""The rules: cards, lists, ranking, seating and settlement in plain Python.

Imports the standard library and itself, never Django, except in the two commands under
``scoring/management``. Points are whole numbers and fewer are better, money is
whole euro cents, seats, games, tables and series count from 1.
"""
