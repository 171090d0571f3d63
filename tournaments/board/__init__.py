"""The overview of a tournament, for its staff and for the public."""
