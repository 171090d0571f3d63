"""A tournament to look at: made through the services, as its day would make it."""
