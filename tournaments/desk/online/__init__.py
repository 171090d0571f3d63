"""Registrations through the internet, and their inbox at the desk."""
