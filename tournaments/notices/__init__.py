"""Notices of corrections, cases for the Spielleitung, and messages."""
