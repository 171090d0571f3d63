"""Accounts of those who run tournaments, and their roles."""
