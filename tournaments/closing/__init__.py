"""Closing a tournament, and opening it again."""
