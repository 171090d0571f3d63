"""Transfers: bank statements, and the registrations they pay."""
