"""The walls themselves, and where control sets them."""
