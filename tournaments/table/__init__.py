"""The page at the table, its devices and calls."""
