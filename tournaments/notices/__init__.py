"""Telling people: notices, cases, mails."""
