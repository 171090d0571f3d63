"""The page at the table, its devices, calls."""
