"""Views of the overview of a tournament, for its staff and for the public."""
