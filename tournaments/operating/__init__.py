"""Whether the program is well, for whoever runs it."""
