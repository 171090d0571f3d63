"""Several tournaments together, with a ranking of their own."""
