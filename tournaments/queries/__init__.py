"""What pages show, fetched in one place per page: few queries, nothing changed."""
