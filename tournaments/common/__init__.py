"""Shared by all rooms: actors, permissions, locks, submissions that count once, names."""
