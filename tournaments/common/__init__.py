"""Shared by all rooms: actors, permissions, locks, idempotent submissions, names."""
