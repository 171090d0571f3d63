"""The event: people, registrations, money, tables and lists of a tournament."""
