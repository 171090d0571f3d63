"""Registrations: the desk on the day, changes, teams."""
