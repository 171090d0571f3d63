"""Shared parts of all pages: access, acts and their answers, polling, fields."""
